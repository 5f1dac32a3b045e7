/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The sampling format "stacks": argument of pfm_create_session() and layout of
 * the buffer.
 *
 * The buffer begins with the header.  Entries follow one another.  After each entry come
 * @nr addresses, innermost first; then, if it has PFM_STACKS_SMPL_COPY, a struct
 * pfm_stacks_smpl_copy with its bytes; then one __u64 per bit of reg_smpl_pmds of the PMD
 * that overflowed, in ascending order.
 *
 * The first address is the interrupted instruction.  Addresses of the kernel come first,
 * if the session may see the kernel; addresses of the program follow.  All but the first
 * of each group are return addresses.  The program's are found by frame pointers, so the
 * program must be compiled with them (-fno-omit-frame-pointer); other programs have the
 * first address, and perhaps some meaningless ones.  If a sample of a member of a family
 * has waited for room, of its kernel addresses only the first is left.
 *
 * Version 1.1 copies the registers of the program and the top of its stack if
 * @stack_bytes is not 0, so that the reader can find callers in programs without frame
 * pointers, by their tables (DWARF).  Entries of the kernel have a copy of the program
 * that called it.  There is no copy for threads without a program, samples that waited
 * for room, 16-bit code and vm86.  A copy is shorter if the stack ends or is not present:
 * nothing is paged in.  PMDs that overflow together each have the same copy.
 *
 * PFM_STACKS_SMPL_HALVES is PFM_DFL_SMPL_HALVES of the format "default"
 * (perfmon_dfl_smpl.h), and so are the fields of the header.
 */
#ifndef _LINUX_PERFMON_STACKS_SMPL_H
#define _LINUX_PERFMON_STACKS_SMPL_H

#include <linux/types.h>

#define PFM_STACKS_SMPL_NAME	"stacks"
#define PFM_STACKS_SMPL_VERSION	0x00010001	/* 1.1 */

#define PFM_STACKS_SMPL_FRAMES	127	/* most addresses per entry */

/* Most bytes of a copied stack: the size of an entry is a 16-bit number. */
#define PFM_STACKS_SMPL_BYTES	32768

#define PFM_STACKS_SMPL_HALVES	0x1	/* one half is read, the other is filled */

struct pfm_stacks_smpl_arg {
	__u64 buf_size;		/* bytes, header included */
	__u32 buf_flags;	/* 0 or PFM_STACKS_SMPL_HALVES */
	__u32 max_frames;	/* most addresses per entry; 0: the maximum */
	__u32 stack_bytes;	/* most stack bytes, a multiple of 8; 0: none; 1.1 */
	__u32 reserved1;
	__u64 reserved[5];
};

struct pfm_stacks_smpl_hdr {
	__u64 hdr_count;	/* complete entries, in the half being filled */
	__u64 hdr_cur_offs;	/* offset of the next free byte */
	__u64 hdr_overflows;	/* how often the buffer or a half was full */
	__u64 hdr_buf_size;	/* as requested */
	__u64 hdr_min_buf_space; /* full when less than this is free */
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u32 hdr_max_frames;
	__u32 hdr_stack_bytes;
	__u64 hdr_last_offs;	/* offset of the last entry */
	__u64 hdr_half_size;	/* bytes; 0: there are no halves */
	__u64 hdr_released;	/* halves that restarts have given back */
	__u64 hdr_full_offs[2];	/* ends of the entries in each full half */
	__u64 hdr_reserved[4];
};

/* Flags of an entry: why addresses are missing, and their kind. */
#define PFM_STACKS_SMPL_CUT		0x1	/* the program's stack is deeper */
#define PFM_STACKS_SMPL_BROKEN		0x2	/* its frame pointers are not valid */
#define PFM_STACKS_SMPL_KERNEL_CUT	0x4	/* the kernel's stack is deeper */
#define PFM_STACKS_SMPL_32BIT		0x8	/* a 32-bit program */
#define PFM_STACKS_SMPL_COPY		0x10	/* a copy of the stack follows */

struct pfm_stacks_smpl_entry {
	__u32 pid;		/* interrupted thread */
	__u16 ovfl_pmd;		/* PMD that overflowed */
	__u16 flags;		/* PFM_STACKS_SMPL_* */
	__u64 last_reset_val;	/* value that the PMD was last loaded with */
	__u64 ip;
	__u64 tstamp;		/* ns, scheduler clock of the CPU */
	__u16 cpu;
	__u16 set;		/* active event set */
	__u32 tgid;		/* interrupted process */
	__u16 size;		/* bytes, including all data that follow */
	__u16 nr;		/* number of addresses */
	__u16 nr_kernel;	/* number of kernel addresses among them */
	__u8 doubled;		/* how often its period was doubled (reg_smpl_rate) */
	__u8 repeat;		/* further periods that had ended (PFM_FL_NMI) */
};

#define PFM_STACKS_SMPL_REGS	17

/*
 * @regs are in the order of DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8
 * to r15, rip.  For a 32-bit program (PFM_STACKS_SMPL_32BIT) they are eax, ecx, edx, ebx,
 * esp, ebp, esi, edi, eip, and zeros.
 */
struct pfm_stacks_smpl_copy {
	__u64 regs[PFM_STACKS_SMPL_REGS];
	__u32 bytes;		/* stack bytes that follow, from rsp; a multiple of 8 */
	__u32 reserved;
};

#endif /* _LINUX_PERFMON_STACKS_SMPL_H */
