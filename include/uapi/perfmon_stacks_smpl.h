/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The sampling format "stacks": argument of pfm_create_session() and layout of
 * the buffer.
 *
 * The buffer begins with the header.  Entries follow one another; each is
 * followed by @nr addresses, innermost first; if it has PFM_STACKS_SMPL_COPY by
 * a struct pfm_stacks_smpl_copy with its bytes; and then by one __u64 per bit of
 * reg_smpl_pmds of the PMD that overflowed, in ascending order.
 *
 * The first address is that of the entry: the interrupted instruction.  Those of
 * the kernel come first, and are there only if the session may see the kernel;
 * then come those of the program.  All but the first of each of the two are
 * return addresses.  Those of programs are found by frame pointers, which is the
 * way of programs that were compiled for it (-fno-omit-frame-pointer): of others
 * there is the first address and perhaps some that mean nothing.  What a member of a
 * family had called in the kernel when its sample began to wait for room is gone, but
 * for the first address.
 *
 * Version 1.1 copies the registers of the program and the top of its stack if
 * @stack_bytes asks for it, so that programs without frame pointers have callers,
 * too, which the reader finds by their tables (DWARF).  Entries of the kernel have
 * those of the program that called it.  There is no copy of threads without a
 * program, nor of samples that waited for room, of 16-bit code and of vm86; it is
 * shorter where the stack ends or is not present: nothing is paged in for it.  PMDs
 * that overflow together have the same copy, each its own.
 *
 * PFM_STACKS_SMPL_HALVES is PFM_DFL_SMPL_HALVES of the format "default"
 * (perfmon_dfl_smpl.h), and so are the fields of the header.
 */
#ifndef _LINUX_PERFMON_STACKS_SMPL_H
#define _LINUX_PERFMON_STACKS_SMPL_H

#include <linux/types.h>

#define PFM_STACKS_SMPL_NAME	"stacks"
#define PFM_STACKS_SMPL_VERSION	0x00010001	/* 1.1 */

#define PFM_STACKS_SMPL_FRAMES	127	/* most addresses of an entry */

/* Most bytes of a copied stack: the size of an entry has 16 bits. */
#define PFM_STACKS_SMPL_BYTES	32768

#define PFM_STACKS_SMPL_HALVES	0x1	/* one half is read, the other is filled */

struct pfm_stacks_smpl_arg {
	__u64 buf_size;		/* bytes, header included */
	__u32 buf_flags;	/* 0 or PFM_STACKS_SMPL_HALVES */
	__u32 max_frames;	/* addresses of an entry; 0: as many as there can be */
	__u32 stack_bytes;	/* of the stack, a multiple of 8; 0: no copy; 1.1 */
	__u32 reserved1;
	__u64 reserved[5];
};

struct pfm_stacks_smpl_hdr {
	__u64 hdr_count;	/* complete entries, of the half being filled */
	__u64 hdr_cur_offs;	/* of the next free byte, from the start */
	__u64 hdr_overflows;	/* times the buffer or a half was full */
	__u64 hdr_buf_size;	/* as requested */
	__u64 hdr_min_buf_space; /* less than this up to the end is full */
	__u32 hdr_version;
	__u32 hdr_buf_flags;
	__u32 hdr_max_frames;
	__u32 hdr_stack_bytes;
	__u64 hdr_last_offs;	/* of the last entry */
	__u64 hdr_half_size;	/* bytes; 0: there are no halves */
	__u64 hdr_released;	/* halves that restarts have given back */
	__u64 hdr_full_offs[2];	/* ends of the entries in full halves */
	__u64 hdr_reserved[4];
};

/* Flags of an entry: why addresses are missing, and of what kind they are. */
#define PFM_STACKS_SMPL_CUT		0x1	/* the program's stack is deeper */
#define PFM_STACKS_SMPL_BROKEN		0x2	/* its frame pointers lead astray */
#define PFM_STACKS_SMPL_KERNEL_CUT	0x4	/* the kernel's stack is deeper */
#define PFM_STACKS_SMPL_32BIT		0x8	/* a 32-bit program */
#define PFM_STACKS_SMPL_COPY		0x10	/* the copy is there */

struct pfm_stacks_smpl_entry {
	__u32 pid;		/* thread that was interrupted */
	__u16 ovfl_pmd;		/* PMD that overflowed */
	__u16 flags;		/* PFM_STACKS_SMPL_* */
	__u64 last_reset_val;	/* value that it was loaded with last */
	__u64 ip;
	__u64 tstamp;		/* ns, scheduler clock of the CPU */
	__u16 cpu;
	__u16 set;		/* active event set */
	__u32 tgid;		/* process that was interrupted */
	__u16 size;		/* bytes, with all that follows */
	__u16 nr;		/* addresses */
	__u16 nr_kernel;	/* of them: those of the kernel */
	__u8 doubled;		/* times its period had (reg_smpl_rate) */
	__u8 repeat;		/* further periods that were over (PFM_FL_NMI) */
};

#define PFM_STACKS_SMPL_REGS	17

/*
 * @regs are in the order of DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp,
 * r8 to r15, rip.  Those of a 32-bit program (PFM_STACKS_SMPL_32BIT) are eax, ecx, edx,
 * ebx, esp, ebp, esi, edi, eip, and zeros.
 */
struct pfm_stacks_smpl_copy {
	__u64 regs[PFM_STACKS_SMPL_REGS];
	__u32 bytes;		/* of the stack that follow, from rsp on; a multiple of 8 */
	__u32 reserved;
};

#endif /* _LINUX_PERFMON_STACKS_SMPL_H */
