// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that led to an address in a program, found by its frame pointers.
 *
 * A frame is two words, the frame pointer of the caller and the return address.  The
 * program controls both: this file neither trusts them nor faults on them, and follows no
 * more than @max frames.  No lock: it reads the memory of the running thread and does not
 * page it in.
 *
 * Frames need not be at ascending addresses: a signal handler's may be on another stack,
 * above or below.
 */
#include <linux/nospec.h>
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include <uapi/linux/perfmon_stacks_smpl.h>

#include "stack.h"

/**
 * struct walk - the present position among the frames
 * @fp: frame pointer
 * @next: frame pointer of the caller
 * @ip: return address
 */
struct walk {
	unsigned long fp;
	unsigned long next;
	unsigned long ip;
};

static __always_inline bool frame_valid(unsigned long fp, size_t word,
					unsigned long limit)
{
	return !(fp & (word - 1)) && fp < limit - 2 * word;
}

/* Context: between user_access_begin() and user_access_end(). */
static __always_inline bool frame_read(struct walk *walk, size_t word,
				       unsigned long limit)
{
	/*
	 * A value that a mispredicted check lets through must not be used as an address.
	 */
	unsigned long fp = array_index_nospec(walk->fp, limit);

	if (word == sizeof(u32)) {
		u32 next, ip;

		unsafe_get_user(next, (u32 __user *)fp, fault);
		unsafe_get_user(ip, (u32 __user *)fp + 1, fault);
		walk->next = next;
		walk->ip = ip;
	} else {
		unsafe_get_user(walk->next, (unsigned long __user *)fp, fault);
		unsafe_get_user(walk->ip, (unsigned long __user *)fp + 1,
				fault);
	}
	return true;
fault:
	return false;
}

/*
 * Follow the frames, with words of @word bytes.  A chain ends at a frame pointer or
 * return address of 0.
 *
 * Context: between user_access_begin() and user_access_end().
 */
static __always_inline unsigned int
frames_follow(unsigned long fp, size_t word, u64 *ips, unsigned int max,
	      u16 *flags)
{
	/* Addresses of programs are below this. */
	unsigned long limit = TASK_SIZE_MAX;
	struct walk walk = { .fp = fp };
	unsigned int nr = 0;

	/* No instruction of array_index_nospec() takes such a large constant. */
	OPTIMIZER_HIDE_VAR(limit);
	while (walk.fp) {
		if (nr == max) {
			*flags |= PFM_STACKS_SMPL_CUT;
			break;
		}
		if (!frame_valid(walk.fp, word, limit) ||
		    !frame_read(&walk, word, limit)) {
			*flags |= PFM_STACKS_SMPL_BROKEN;
			break;
		}
		if (!walk.ip)
			break;
		if (walk.ip >= limit || walk.next == walk.fp) {
			*flags |= PFM_STACKS_SMPL_BROKEN;
			break;
		}
		ips[nr++] = walk.ip;
		walk.fp = walk.next;
	}
	return nr;
}

/*
 * Is the program's mm loaded, and can its memory be read?  A thread may be switching from
 * one mm to another, or calling firmware.
 */
static bool memory_readable(unsigned long fp)
{
	u32 any;

	return !copy_from_user_nmi(&any, (void __user *)fp, sizeof(any));
}

static unsigned int callers(const struct pt_regs *regs, size_t word, u64 *ips,
			    unsigned int max, u16 *flags)
{
	unsigned long fp = regs->bp;
	unsigned int nr = 0;

	if (!fp)
		return 0;
	if (!frame_valid(fp, word, TASK_SIZE_MAX) || !memory_readable(fp))
		goto broken;
	pagefault_disable();
	if (!user_access_begin((void __user *)fp, 2 * word)) {
		pagefault_enable();
		goto broken;
	}
	if (word == sizeof(u32))
		nr = frames_follow(fp, sizeof(u32), ips, max, flags);
	else
		nr = frames_follow(fp, sizeof(long), ips, max, flags);
	user_access_end();
	pagefault_enable();
	return nr;
broken:
	*flags |= PFM_STACKS_SMPL_BROKEN;
	return 0;
}

/**
 * perfmon_arch_user_stack - the instruction of a program and its callers
 * @regs: registers of user mode
 * @ips: filled, innermost first
 * @max: most entries of @ips, at least 1
 * @flags: PFM_STACKS_SMPL_* of the result are added
 *
 * Context: hard interrupt or NMI.
 * Return: number of entries, at least 1.
 */
unsigned int perfmon_arch_user_stack(struct pt_regs *regs, u64 *ips,
				     unsigned int max, u16 *flags)
{
	ips[0] = regs->ip;
	if (user_64bit_mode(regs))
		return 1 + callers(regs, sizeof(long), ips + 1, max - 1, flags);
	*flags |= PFM_STACKS_SMPL_32BIT;
	if (!perfmon_arch_user_flat(regs)) {
		*flags |= PFM_STACKS_SMPL_BROKEN;
		return 1;
	}
	return 1 + callers(regs, sizeof(u32), ips + 1, max - 1, flags);
}
