/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface of i386: the same as on x86-64.
 */
#ifndef __PFMLIB_OS_I386_H__
#define __PFMLIB_OS_I386_H__

#include <perfmon/pfmlib_os_x86_64.h>

#endif /* __PFMLIB_OS_I386_H__ */
