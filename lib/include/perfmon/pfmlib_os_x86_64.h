/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface of x86-64.  pfmlib.h includes it, so that programs need
 * no other header.  Sources that do not use it define __PFMLIB_OS_COMPILE.
 */
#ifndef __PFMLIB_OS_X86_64_H__
#define __PFMLIB_OS_X86_64_H__

#ifndef __PFMLIB_OS_COMPILE

#include <perfmon/perfmon.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For a session that monitors the calling thread. */
static inline int pfm_self_start(int fd)
{
	return pfm_start(fd, NULL);
}

static inline int pfm_self_stop(int fd)
{
	return pfm_stop(fd);
}

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_OS_COMPILE */

#endif /* __PFMLIB_OS_X86_64_H__ */
