/* SPDX-License-Identifier: MIT */
/*
 * The compiler's part of pfmlib.h on i386: the same as on x86-64.
 */
#ifndef __PFMLIB_COMP_I386_H__
#define __PFMLIB_COMP_I386_H__

#include <perfmon/pfmlib_comp_x86_64.h>

#endif /* __PFMLIB_COMP_I386_H__ */
