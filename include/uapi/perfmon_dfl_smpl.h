/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The sampling format "default": argument of pfm_create_session() and layout
 * of the buffer.
 *
 * The buffer begins with the header.  Entries follow one another; each is
 * followed by one __u64 per bit of reg_smpl_pmds of the PMD that overflowed,
 * in ascending order.  A reader must know these masks.
 *
 * With PFM_DFL_SMPL_HALVES the buffer after the header is divided: half 0 begins at the
 * end of the header, half 1 hdr_half_size bytes later.  They are filled in turn, half 0
 * first.  Each full half causes a notification; the session is not masked.  hdr_overflows
 * is the number of halves filled so far, hdr_released the number of halves that restarts
 * have given back.  Half number N, counted from 0, is half N % 2 of the buffer, with
 * entries up to hdr_full_offs[N % 2].  A restart gives back the oldest full half.  Unless
 * both are full, half hdr_overflows % 2 is being filled, up to hdr_cur_offs.
 */
#ifndef _LINUX_PERFMON_DFL_SMPL_H
#define _LINUX_PERFMON_DFL_SMPL_H

#include <linux/types.h>

#define PFM_DFL_SMPL_NAME	"default"
#define PFM_DFL_SMPL_VERSION	0x00010000	/* 1.0 */

#define PFM_DFL_SMPL_HALVES	0x1	/* one half is read, the other is filled */

struct pfm_dfl_smpl_arg {
	__u64 buf_size;		/* bytes, header included */
	__u32 buf_flags;	/* repeated in the header */
	__u32 buf_mode;		/* 0 or PFM_DFL_SMPL_HALVES */
	__u64 reserved[6];
};

struct pfm_dfl_smpl_hdr {
	__u64 hdr_count;	/* complete entries, in the half being filled */
	__u64 hdr_cur_offs;	/* offset of the next free byte */
	__u64 hdr_overflows;	/* how often the buffer or a half was full */
	__u64 hdr_buf_size;	/* as requested */
	__u64 hdr_min_buf_space; /* full when less than this is free */
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u64 hdr_reserved[2];
	__u64 hdr_half_size;	/* bytes; 0: there are no halves */
	__u64 hdr_released;	/* halves that restarts have given back */
	__u64 hdr_full_offs[2];	/* ends of the entries in each full half */
	__u64 hdr_reserved2[4];
};

struct pfm_dfl_smpl_entry {
	__u32 pid;		/* interrupted thread */
	__u16 ovfl_pmd;		/* PMD that overflowed */
	__u8 doubled;		/* how often its period was doubled (reg_smpl_rate) */
	__u8 repeat;		/* further periods that had ended (PFM_FL_NMI) */
	__u64 last_reset_val;	/* value that the PMD was last loaded with */
	__u64 ip;
	__u64 tstamp;		/* ns, scheduler clock of the CPU */
	__u16 cpu;
	__u16 set;		/* active event set */
	__u32 tgid;		/* interrupted process */
};

#endif /* _LINUX_PERFMON_DFL_SMPL_H */
