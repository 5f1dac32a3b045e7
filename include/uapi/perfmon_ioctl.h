/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The calls of perfmon as a module, which cannot add system calls: /dev/perfmon creates a
 * session, and the session's descriptor takes the other calls.  Arguments, results and
 * errors are described in <linux/perfmon.h>; libpfm chooses between the two ways.  The
 * layout is the same for 32- and 64-bit programs.
 */
#ifndef _UAPI_LINUX_PERFMON_IOCTL_H
#define _UAPI_LINUX_PERFMON_IOCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

/*
 * The arguments of a call.  Pointers are passed as numbers, zero-extended; fields that a
 * call does not use are ignored.
 */
struct pfm_ioc_args {
	__s32 flags;
	/* Elements of the vector.  Target of ATTACH: with PFM_ATFL_PIDFD not the
	 * pidfd, but the number of the thread that it names; 0 if it is no
	 * pidfd, PFM_IOC_GONE if there is no such thread any more.
	 */
	__s32 n;
	__u64 vec;	/* address of the vector; name of the format for CREATE */
	__u64 extra;	/* attributes of registers; argument of the format */
	__u64 size;	/* size of the argument of the format */
};

#define PFM_IOC_GONE		(-2)

/* On /dev/perfmon.  Return: a descriptor. */
#define PFM_IOC_CREATE		_IOW('P', 0xa0, struct pfm_ioc_args)

/* On a session; on /dev/perfmon they fail as on a descriptor that is no session. */
#define PFM_IOC_WRITE_PMRS	_IOW('P', 0xa1, struct pfm_ioc_args)
#define PFM_IOC_READ_PMRS	_IOW('P', 0xa2, struct pfm_ioc_args)
#define PFM_IOC_ATTACH		_IOW('P', 0xa3, struct pfm_ioc_args)
#define PFM_IOC_START		_IOW('P', 0xa4, struct pfm_ioc_args)
#define PFM_IOC_STOP		_IOW('P', 0xa5, struct pfm_ioc_args)
#define PFM_IOC_CREATE_SETS	_IOW('P', 0xa6, struct pfm_ioc_args)
#define PFM_IOC_GETINFO_SETS	_IOW('P', 0xa7, struct pfm_ioc_args)

#endif /* _UAPI_LINUX_PERFMON_IOCTL_H */
