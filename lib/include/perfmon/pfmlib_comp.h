/* SPDX-License-Identifier: MIT */
/*
 * Includes the architecture's header that depends on the compiler.
 */
#ifndef __PFMLIB_COMP_H__
#define __PFMLIB_COMP_H__

#if defined(__x86_64__)
#include <perfmon/pfmlib_comp_x86_64.h>
#elif defined(__i386__)
#include <perfmon/pfmlib_comp_i386.h>
#else
#error "libpfm: this is for x86 only"
#endif

#endif /* __PFMLIB_COMP_H__ */
