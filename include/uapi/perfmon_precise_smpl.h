/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The sampling format "precise": argument of pfm_create_session() and layout of the
 * buffer.
 *
 * It takes overflows as the other formats do, and records that the processor makes by
 * itself: those name the sampled instruction exactly.
 *
 * The buffer begins with the header.  Entries follow one another.  After each entry come
 * @nr addresses, as in the format "stacks"; then, if @blocks of the argument is not 0, a
 * struct pfm_precise_smpl_blocks, and the blocks that it names in the order of their bits;
 * then one __u64 per bit of reg_smpl_pmds of the PMD that overflowed, in ascending order.
 *
 * An entry may lack a block that was asked for: an overflow has no MEM and no RAW, a record
 * has no BRANCHES, a thread without a program has neither GPRS nor STACK.
 *
 * PFM_PRECISE_SMPL_HALVES is PFM_DFL_SMPL_HALVES of the format "default"
 * (perfmon_dfl_smpl.h), and so are the fields of the header up to hdr_full_offs but for
 * the ones after hdr_min_buf_space.
 */
#ifndef _LINUX_PERFMON_PRECISE_SMPL_H
#define _LINUX_PERFMON_PRECISE_SMPL_H

#include <linux/types.h>

#define PFM_PRECISE_SMPL_NAME		"precise"
#define PFM_PRECISE_SMPL_VERSION	0x00010000	/* 1.0 */

#define PFM_PRECISE_SMPL_FRAMES		127	/* most addresses per entry */
#define PFM_PRECISE_SMPL_BYTES		32768	/* most bytes of a copied stack */
#define PFM_PRECISE_SMPL_RAW_BYTES	256	/* most bytes of raw data */

/* buf_flags */
#define PFM_PRECISE_SMPL_HALVES	0x1	/* one half is read, the other is filled */
#define PFM_PRECISE_SMPL_NO_IDS	0x2	/* entries have neither pid nor tgid */

/* blocks */
#define PFM_PRECISE_SMPL_GPRS	0x01	/* struct pfm_precise_smpl_gprs */
#define PFM_PRECISE_SMPL_MEM	0x02	/* struct pfm_precise_smpl_mem */
#define PFM_PRECISE_SMPL_BRANCHES 0x04	/* struct pfm_precise_smpl_branches and these */
#define PFM_PRECISE_SMPL_STACK	0x08	/* struct pfm_precise_smpl_stack and its bytes */
#define PFM_PRECISE_SMPL_RAW	0x10	/* struct pfm_precise_smpl_raw and its bytes */

struct pfm_precise_smpl_arg {
	__u64 buf_size;		/* bytes, header included */
	__u32 buf_flags;	/* HALVES, NO_IDS */
	__u32 max_frames;	/* most addresses per entry; 0: none */
	__u32 blocks;		/* PFM_PRECISE_SMPL_GPRS and so on */
	__u32 stack_bytes;	/* with STACK: most bytes, a multiple of 8 */
	__u32 batch;		/* most records per interrupt; 0: as suits the CPU */
	__u32 reserved1;
	__u64 reserved[4];
};

struct pfm_precise_smpl_hdr {
	__u64 hdr_count;	/* complete entries, in the half being filled */
	__u64 hdr_cur_offs;	/* offset of the next free byte */
	__u64 hdr_overflows;	/* how often the buffer or a half was full */
	__u64 hdr_buf_size;	/* as requested */
	__u64 hdr_min_buf_space; /* full when less than this is free */
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u32 hdr_max_frames;
	__u32 hdr_blocks;
	__u32 hdr_batch;
	__u32 hdr_reserved;
	__u64 hdr_half_size;	/* bytes; 0: there are no halves */
	__u64 hdr_released;	/* halves that restarts have given back */
	__u64 hdr_full_offs[2];	/* ends of the entries in each full half */
	__u64 hdr_filtered;	/* records left out: of the kernel, without the right */
	__u64 hdr_ambiguous;	/* records left out: of several counters */
	__u64 hdr_stray;	/* records left out: made after the end of counting */
	__u32 hdr_hw;		/* PFM_PRECISE_SMPL_HW_* */
	__u32 hdr_stack_bytes;
};

/* hdr_hw: what makes records on this processor. */
#define PFM_PRECISE_SMPL_HW_PEBS	0x0ff	/* format + 1; all bits: architectural */
#define PFM_PRECISE_SMPL_HW_IBS		0x100
#define PFM_PRECISE_SMPL_HW_RESTARTS	0x200	/* periods restart at switches */
#define PFM_PRECISE_SMPL_HW_LBR		0x400	/* branches are recorded */

/* Flags of an entry.  The first four are of addresses, as in the format "stacks". */
#define PFM_PRECISE_SMPL_CUT		0x001
#define PFM_PRECISE_SMPL_BROKEN		0x002
#define PFM_PRECISE_SMPL_KERNEL_CUT	0x004
#define PFM_PRECISE_SMPL_32BIT		0x008
#define PFM_PRECISE_SMPL_EXACT		0x010	/* ip is the sampled instruction */
#define PFM_PRECISE_SMPL_NEXT		0x020	/* ip is the instruction after it */
#define PFM_PRECISE_SMPL_TSC		0x040	/* tstamp is of the record */
#define PFM_PRECISE_SMPL_DADDR		0x080	/* daddr is valid */
#define PFM_PRECISE_SMPL_PADDR		0x100	/* paddr is valid */
#define PFM_PRECISE_SMPL_CLEARED	0x200	/* addresses removed for want of rights */
#define PFM_PRECISE_SMPL_LATE		0x400	/* saved when its thread was switched */
#define PFM_PRECISE_SMPL_NO_REGS	0x800	/* registers asked for are unknown */

struct pfm_precise_smpl_entry {
	__u32 pid;		/* interrupted thread, 0 with NO_IDS */
	__u16 ovfl_pmd;		/* PMD that overflowed */
	__u16 flags;		/* PFM_PRECISE_SMPL_CUT and so on */
	__u64 last_reset_val;	/* value that the PMD was last loaded with */
	__u64 ip;
	__u64 tstamp;		/* ns, scheduler clock of the CPU */
	__u16 cpu;
	__u16 set;		/* active event set */
	__u32 tgid;		/* interrupted process, 0 with NO_IDS */
	__u16 size;		/* bytes, including all data that follow */
	__u16 nr;		/* number of addresses */
	__u16 nr_kernel;	/* number of kernel addresses among them */
	__u8 doubled;		/* how often its period was doubled (reg_smpl_rate) */
	__u8 repeat;		/* further periods that had ended (PFM_FL_NMI) */
	__u64 pmds;		/* PMDs that took part, one bit each; 0: ovfl_pmd alone */
	__u64 next_ip;		/* instruction executed next; 0: unknown */
};

struct pfm_precise_smpl_blocks {
	__u16 present;		/* PFM_PRECISE_SMPL_GPRS and so on */
	__u16 reserved;
	__u32 bytes;		/* of all blocks, without this structure */
};

/* r8 to r15 are 0 on 32-bit kernels. */
struct pfm_precise_smpl_gprs {
	__u64 flags, ip, ax, bx, cx, dx, si, di, bp, sp;
	__u64 r8, r9, r10, r11, r12, r13, r14, r15;
};

struct pfm_precise_smpl_mem {
	__u64 daddr;		/* linear address of the data */
	__u64 paddr;		/* its physical address */
	__u64 source;		/* where the data came from, by model */
	__u64 latency;		/* low half: of the instruction; high half: of the cache */
	__u64 tsx;
	__u64 reserved;
};

/* The last branches before the sample; as many as are known, at least one. */
struct pfm_precise_smpl_branches {
	__u32 nr;		/* of the branches that follow, newest first */
	__u32 reserved;
};

struct pfm_precise_smpl_branch {
	__u64 from;		/* the branch itself */
	__u64 to;		/* where it went to */
	__u64 info;		/* PFM_PRECISE_SMPL_BR_* */
};

/* The first two are both 0 if it is not known how a branch was predicted. */
#define PFM_PRECISE_SMPL_BR_MISPREDICTED	0x1
#define PFM_PRECISE_SMPL_BR_IN_TX	0x2	/* in a transaction */
#define PFM_PRECISE_SMPL_BR_ABORT	0x4	/* of a transaction */
#define PFM_PRECISE_SMPL_BR_WRONG_PATH	0x100	/* taken, but not in the end */
#define PFM_PRECISE_SMPL_BR_PREDICTED	0x200
#define PFM_PRECISE_SMPL_BR_CYCLES	0xffff0000	/* since the one before; 0: unknown */

struct pfm_precise_smpl_stack {
	__u64 sp;
	__u32 bytes;		/* of the stack that follow; a multiple of 8 */
	__u32 reserved;
};

/*
 * The registers of AMD's IBS, 0 if the processor lacks one. IBS_FETCH: control, linear and
 * physical address, extended control. IBS_OP: control, rip, data, data2, data3, linear
 * and physical address of the data, branch target, data4.
 */
#define PFM_PRECISE_SMPL_RAW_PEBS	1
#define PFM_PRECISE_SMPL_RAW_IBS_FETCH	2
#define PFM_PRECISE_SMPL_RAW_IBS_OP	3

struct pfm_precise_smpl_raw {
	__u32 kind;		/* PFM_PRECISE_SMPL_RAW_PEBS and so on */
	__u32 bytes;		/* that follow; a multiple of 8 */
};

#endif /* _LINUX_PERFMON_PRECISE_SMPL_H */
