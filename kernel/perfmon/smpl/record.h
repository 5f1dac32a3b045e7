/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: what the format is told of the overflows of an interrupt.
 *
 * The interrupt (ovfl.c) calls this, and a member of a family whose samples have waited
 * for room (family/room.c).
 *
 * Context: interrupts off, on the target, with its set off the hardware or held.
 */
#ifndef _KERNEL_PERFMON_RECORD_H
#define _KERNEL_PERFMON_RECORD_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/perfmon_fmt.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "../admin/stats.h"
#include "../pmd.h"
#include "../session.h"
#include "capture.h"

struct pt_regs;

/**
 * struct perfmon_moment - when overflows happened, and where
 * @regs: what the session may see of the registers; NULL: nothing, or they are gone
 * @ip: what it may see of the instruction pointer
 * @tstamp: ns, perfmon_host_sample_clock()
 * @cpu: number of the CPU
 * @task: the thread that ran
 * @capture: what an NMI has kept of it, or NULL
 */
struct perfmon_moment {
	struct pt_regs *regs;
	u64 ip;
	u64 tstamp;
	u16 cpu;
	struct task_struct *task;
	const struct perfmon_capture *capture;
};

/* record.c */
void __perfmon_meet_task(struct perfmon_session *s, struct task_struct *task);
int __perfmon_time_handler(const struct perfmon_session *s,
			   const struct pfm_ovfl_arg *arg, u32 *ctrl);

/* Find the ids of the thread in the creator's namespace; mostly they are known. */
static __always_inline void perfmon_identify_task(struct perfmon_session *s,
						  struct task_struct *task)
{
	if (unlikely(s->seen_task != task ||
		     s->seen_start != task->start_time))
		__perfmon_meet_task(s, task);
}

static __always_inline unsigned int
record_gather_values(const struct perfmon_set *set,
		     const struct perfmon_pmd_attr *attr, u64 *values)
{
	unsigned long left = *attr->smpl;
	unsigned int pmd, n = 0;

	while (perfmon_next_pmd(&left, &pmd))
		values[n++] = perfmon_pmd_value(set, pmd);
	return n;
}

/* One overflow for the format.  Return: has it had enough? */
static __always_inline bool record_one(const struct perfmon_session *s,
				       const struct perfmon_set *set,
				       struct pfm_ovfl_arg *arg, u64 *values,
				       unsigned int pos, u32 *ctrl)
{
	const struct perfmon_pmd *pmd = &set->pmds[pos];
	const struct perfmon_pmd_attr *attr = pmd->attr;

	arg->ovfl_pmd = perfmon_pmu.pmds[pos].num;
	arg->doubled = pmd->doubled;
	arg->repeat = pmd->repeat;
	arg->last_value = pmd->last;
	if (likely(attr)) {
		arg->eventid = attr->eventid;
		arg->nr_values = record_gather_values(set, attr, values);
	} else {
		arg->eventid = 0;
		arg->nr_values = 0;
	}
	if (static_branch_unlikely(&perfmon_debug_key))
		return __perfmon_time_handler(s, arg, ctrl);
	return s->fmt->handler(s->buf_addr, arg, ctrl);
}

/*
 * Let the format record overflows one after the other, until it has had enough.
 * @arg: for its handler; filled, with what @when says as well
 * @ovfl: their PMDs; those that it was not asked for remain, and the last one, if it
 * had no room for that.
 *
 * Return: controls, together; @stop says whether it has had enough.
 */
static __always_inline u32 perfmon_record(struct perfmon_session *s,
					  const struct perfmon_set *set,
					  const struct perfmon_moment *when,
					  struct pfm_ovfl_arg *arg,
					  unsigned long *ovfl, bool *stop)
{
	/* Clearing them would show in each sample. */
	u64 values[PERFMON_ARCH_MAX_PMDS] __uninitialized;
	unsigned int pos;
	u32 all = 0;

	perfmon_identify_task(s, when->task);
	arg->set = set->id;
	arg->cpu = when->cpu;
	arg->pid = s->seen_tid;
	arg->tgid = s->seen_tgid;
	arg->ip = when->ip;
	arg->tstamp = when->tstamp;
	arg->smpl_values = values;
	arg->captured = when->capture;
	arg->regs = when->regs;
	if (unlikely(when->capture)) {
		arg->chain = when->capture->ips;
		arg->nr_chain = when->capture->nr;
		arg->chain_flags = when->capture->flags;
	}
	arg->again = false;
	*stop = false;
	while (!*stop && perfmon_next_pmd(ovfl, &pos)) {
		u32 ctrl = 0;

		*stop = record_one(s, set, arg, values, pos, &ctrl);
		arg->again = true;
		all |= ctrl;
	}
	if (unlikely(*stop) && all & PFM_OVFL_CTRL_FULL)
		*ovfl |= BIT(pos);
	return all;
}

#endif /* _KERNEL_PERFMON_RECORD_H */
