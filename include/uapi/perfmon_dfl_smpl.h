/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The sampling format "default": argument of pfm_create_session() and layout
 * of the buffer.
 *
 * The buffer begins with the header.  Entries follow one another; each is
 * followed by one __u64 per bit of reg_smpl_pmds of the PMD that overflowed,
 * in ascending order.  A reader must know these masks.
 */
#ifndef _LINUX_PERFMON_DFL_SMPL_H
#define _LINUX_PERFMON_DFL_SMPL_H

#include <linux/types.h>

#define PFM_DFL_SMPL_NAME	"default"
#define PFM_DFL_SMPL_VERSION	0x00010000	/* 1.0 */

struct pfm_dfl_smpl_arg {
	__u64 buf_size;		/* bytes, header included */
	__u32 buf_flags;	/* repeated in the header */
	__u32 reserved1;
	__u64 reserved[6];
};

struct pfm_dfl_smpl_hdr {
	__u64 hdr_count;	/* complete entries */
	__u64 hdr_cur_offs;	/* of the next free byte, from the start */
	__u64 hdr_overflows;	/* times the buffer was full */
	__u64 hdr_buf_size;	/* as requested */
	__u64 hdr_min_buf_space; /* less than this is full */
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u64 hdr_reserved[10];
};

struct pfm_dfl_smpl_entry {
	__u32 pid;		/* thread that was interrupted */
	__u16 ovfl_pmd;		/* PMD that overflowed */
	__u16 reserved;
	__u64 last_reset_val;	/* value that it was loaded with last */
	__u64 ip;
	__u64 tstamp;		/* ns, scheduler clock of the CPU */
	__u16 cpu;
	__u16 set;		/* active event set */
	__u32 tgid;		/* process that was interrupted */
};

#endif /* _LINUX_PERFMON_DFL_SMPL_H */
