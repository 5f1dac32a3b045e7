/* SPDX-License-Identifier: MIT */
/*
 * Includes the architecture's header that depends on the operating system.
 */
#ifndef __PFMLIB_OS_H__
#define __PFMLIB_OS_H__

#if defined(__x86_64__)
#include <perfmon/pfmlib_os_x86_64.h>
#elif defined(__i386__)
#include <perfmon/pfmlib_os_i386.h>
#else
#error "libpfm: this is for x86 only"
#endif

#endif /* __PFMLIB_OS_H__ */
