// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "stacks": what "default" records, and the calls that have
 * led to the interrupted instruction; if asked for, also what it takes to find those
 * of programs without frame pointers.  The layout is an ABI
 * (<uapi/linux/perfmon_stacks_smpl.h>).
 *
 * Programs read the buffer while the session is masked, stopped or detached.
 * The counts in the header are changed after the entry that they cover.
 *
 * The stack is walked once in an interrupt: counters that overflow together have
 * the same one.
 */
#include <linux/align.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#include "smpl.h"
#include "space.h"
#include "walk.h"

static u32 stacks_frames(const struct pfm_stacks_smpl_arg *arg)
{
	return arg->max_frames ?: PFM_STACKS_SMPL_FRAMES;
}

/* An entry with all PMDs that the session may use, all addresses and the copy. */
static u64 stacks_largest_entry(unsigned int nr_pmds,
				const struct pfm_stacks_smpl_arg *arg)
{
	u64 copy = arg->stack_bytes;

	BUILD_BUG_ON(sizeof(struct pfm_stacks_smpl_entry) +
		     (PFM_MAX_PMDS + PFM_STACKS_SMPL_FRAMES) * sizeof(u64) +
		     sizeof(struct pfm_stacks_smpl_copy) +
		     PFM_STACKS_SMPL_BYTES > U16_MAX);
	if (copy)
		copy += sizeof(struct pfm_stacks_smpl_copy);
	return sizeof(struct pfm_stacks_smpl_entry) +
	       (nr_pmds + stacks_frames(arg)) * sizeof(u64) + copy;
}

static int stacks_validate(u32 session_flags, unsigned int nr_pmds,
			   const void *data)
{
	const struct pfm_stacks_smpl_arg *arg = data;

	if (arg->buf_flags & ~PFM_STACKS_SMPL_HALVES ||
	    arg->max_frames > PFM_STACKS_SMPL_FRAMES ||
	    arg->stack_bytes > PFM_STACKS_SMPL_BYTES ||
	    !IS_ALIGNED(arg->stack_bytes, sizeof(u64)) || arg->reserved1 ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)))
		return -EINVAL;
	return perfmon_space_validate(session_flags, arg->buf_size,
				      stacks_largest_entry(nr_pmds, arg),
				      arg->buf_flags & PFM_STACKS_SMPL_HALVES);
}

static int stacks_getsize(u32 session_flags, const void *data, size_t *size)
{
	const struct pfm_stacks_smpl_arg *arg = data;

	*size = arg->buf_size;
	return 0;
}

static int stacks_init(void *buf, u32 session_flags, unsigned int nr_pmds,
		       const void *data)
{
	const struct pfm_stacks_smpl_arg *arg = data;
	struct pfm_stacks_smpl_hdr *hdr = buf;

	perfmon_space_init(buf, arg->buf_size, stacks_largest_entry(nr_pmds, arg),
			   arg->buf_flags & PFM_STACKS_SMPL_HALVES);
	hdr->hdr_version = PFM_STACKS_SMPL_VERSION;
	hdr->hdr_buf_flags = arg->buf_flags;
	hdr->hdr_max_frames = stacks_frames(arg);
	hdr->hdr_stack_bytes = arg->stack_bytes;
	return 0;
}

/* The program's registers and stack. Return: what follows. */
static noinline u64 *stacks_copy(struct pfm_stacks_smpl_entry *entry, u64 *to,
				 struct pt_regs *regs, u32 max)
{
	unsigned int bytes = 0;

	if (regs)
		regs = user_mode(regs) ? regs : perfmon_walk_program();
	if (regs)
		bytes = perfmon_arch_user_copy(regs, (void *)to, max);
	if (bytes)
		entry->flags |= PFM_STACKS_SMPL_COPY;
	return to + bytes / sizeof(*to);
}

/* The stack that the last entry has. Return: what follows. */
static noinline u64 *stacks_repeat(struct pfm_stacks_smpl_entry *entry,
				   u64 *ips,
				   const struct pfm_stacks_smpl_entry *last)
{
	const u64 *from = (const u64 *)(last + 1);
	const struct pfm_stacks_smpl_copy *copy = (void *)(from + last->nr);
	size_t bytes = last->nr * sizeof(*ips);

	entry->nr = last->nr;
	entry->nr_kernel = last->nr_kernel;
	entry->flags = last->flags;
	if (last->flags & PFM_STACKS_SMPL_COPY)
		bytes += sizeof(*copy) + copy->bytes;
	memcpy(ips, from, bytes);
	return ips + bytes / sizeof(*ips);
}

/* Return: what follows the entry. */
static void *stacks_record(void *buf, struct pfm_stacks_smpl_entry *entry,
			   const struct pfm_ovfl_arg *ovfl)
{
	const u64 *from = ovfl->smpl_values, *end = from + ovfl->nr_values;
	const struct pfm_stacks_smpl_hdr *hdr = buf;
	u64 *values = (u64 *)(entry + 1);

	entry->pid = ovfl->pid;
	entry->ovfl_pmd = ovfl->ovfl_pmd;
	entry->last_reset_val = ovfl->last_value;
	entry->ip = ovfl->ip;
	entry->tstamp = ovfl->tstamp;
	entry->cpu = ovfl->cpu;
	entry->set = ovfl->set;
	entry->tgid = ovfl->tgid;
	entry->doubled = ovfl->doubled;
	entry->repeat = ovfl->repeat;
	if (unlikely(ovfl->again)) {
		values = stacks_repeat(entry, values, buf + hdr->hdr_last_offs);
	} else {
		struct perfmon_calls calls = { .flags = 0 };

		perfmon_walk(&calls, values, ovfl, ovfl->ip,
			     hdr->hdr_max_frames);
		entry->nr = calls.nr;
		entry->nr_kernel = calls.nr_kernel;
		entry->flags = calls.flags;
		values += calls.nr;
		if (unlikely(hdr->hdr_stack_bytes))
			values = stacks_copy(entry, values, ovfl->regs,
					     hdr->hdr_stack_bytes);
	}
	while (from < end)
		*values++ = *from++;
	entry->size = (void *)values - (void *)entry;
	return values;
}

static int stacks_handler(void *buf, const struct pfm_ovfl_arg *ovfl, u32 *ctrl)
{
	struct pfm_stacks_smpl_hdr *hdr = buf;
	u64 offs = hdr->hdr_cur_offs;
	void *next;

	if (perfmon_space_is_full(buf))
		return perfmon_space_overrun(buf, ctrl);
	next = stacks_record(buf, buf + offs, ovfl);
	hdr->hdr_last_offs = offs;
	barrier();
	hdr->hdr_cur_offs = next - buf;
	hdr->hdr_count++;

	/* Notify for the sample that fills the buffer, not for the first that is lost. */
	if (perfmon_space_is_full(buf))
		return perfmon_space_filled(buf, ctrl);
	*ctrl = PFM_OVFL_CTRL_RESET;
	return 0;
}

static struct pfm_smpl_fmt stacks_format = {
	.name = PFM_STACKS_SMPL_NAME,
	.version = PFM_STACKS_SMPL_VERSION,
	.arg_size = sizeof(struct pfm_stacks_smpl_arg),
	.flags = PFM_FMTFL_BUILTIN | PFM_FMTFL_CPUS | PFM_FMTFL_STACK,
	.validate = stacks_validate,
	.getsize = stacks_getsize,
	.init = stacks_init,
	.handler = stacks_handler,
	.restart = perfmon_space_restart,
	.release = perfmon_space_release,
};

static int __init stacks_register(void)
{
	return pfm_register_smpl_fmt(&stacks_format);
}
subsys_initcall(stacks_register);

/** perfmon_stacks_exit - undo stacks_register(); no session is left */
void __init perfmon_stacks_exit(void)
{
	pfm_unregister_smpl_fmt(&stacks_format);
}
