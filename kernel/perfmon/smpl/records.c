// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that the hardware makes by itself (struct pfm_hw_record): the architecture
 * finds them, this file removes what the session may not see, and the format stores them.
 *
 * Sessions without a format that takes records never come here.
 */
#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/perfmon_record.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "../cpu.h"
#include "../host.h"
#include "../loss.h"
#include "record.h"
#include "records.h"

/**
 * struct drain - draining the records of a set
 * @sink: where the architecture sends them
 * @s: session
 * @set: its set
 * @when: when it is drained, and where
 * @arg: for the format
 * @values: of the PMDs in reg_smpl_pmds
 * @lost: records for which there was no room
 * @done: what was done so far
 */
struct drain {
	struct perfmon_sink sink;
	struct perfmon_session *s;
	struct perfmon_set *set;
	const struct perfmon_moment *when;
	struct pfm_ovfl_arg arg;
	u64 values[PERFMON_ARCH_MAX_PMDS];
	unsigned int lost;
	struct perfmon_drained done;
};

static void records_clear(const struct perfmon_sink *sink,
			  struct pfm_hw_record *hw)
{
	if (!sink->kernel) {
		if (perfmon_arch_is_kernel(hw->ip) || perfmon_arch_is_kernel(hw->next_ip))
			hw->left_out = PFM_HW_FILTERED;
		if (perfmon_arch_is_kernel(hw->daddr)) {
			hw->daddr = 0;
			hw->flags &= ~PFM_PRECISE_SMPL_DADDR;
			hw->flags |= PFM_PRECISE_SMPL_CLEARED;
		}
	}
	if (!sink->physical && hw->flags & PFM_PRECISE_SMPL_PADDR) {
		hw->flags &= ~PFM_PRECISE_SMPL_PADDR;
		hw->flags |= PFM_PRECISE_SMPL_CLEARED;
	}
	if (!(hw->flags & PFM_PRECISE_SMPL_PADDR))
		hw->paddr = 0;
}

/* What the record says, and what the PMD's owner has asked to be recorded with it. */
static void records_fill_arg(struct drain *d, const struct pfm_hw_record *hw)
{
	struct perfmon_pmd *pmd = &d->set->pmds[hw->pos];
	const struct perfmon_pmd_attr *attr = pmd->attr;

	pmd->last = -hw->period;
	d->arg.ovfl_pmd = perfmon_pmu.pmds[hw->pos].num;
	d->arg.doubled = pmd->doubled;
	d->arg.last_value = pmd->last;
	d->arg.eventid = attr ? attr->eventid : 0;
	d->arg.nr_values = attr ? record_gather_values(d->set, attr, d->values) : 0;
	d->arg.ip = d->when->ip;
	if (hw->flags & (PFM_PRECISE_SMPL_EXACT | PFM_PRECISE_SMPL_NEXT))
		d->arg.ip = hw->ip;
	d->arg.tstamp = hw->flags & PFM_PRECISE_SMPL_TSC ? hw->tstamp :
							   d->when->tstamp;
}

static void records_take(struct perfmon_sink *sink, struct pfm_hw_record *hw)
{
	struct drain *d = container_of(sink, struct drain, sink);
	struct pfm_smpl_fmt *fmt = d->s->fmt;
	u32 ctrl = 0;

	if (!perfmon_arch_counts(&d->set->arch, hw->pos))
		return;
	d->done.records++;
	records_clear(sink, hw);
	if (hw->left_out) {
		fmt->record(d->s->buf_addr, &d->arg, hw, &ctrl);
		return;
	}
	d->done.pmds |= BIT(hw->pos);
	if (d->done.stop) {
		d->lost++;
		return;
	}
	records_fill_arg(d, hw);
	d->done.stop = fmt->record(d->s->buf_addr, &d->arg, hw, &ctrl);
	d->done.ctrl |= ctrl;
	if (d->done.stop && ctrl & PFM_OVFL_CTRL_FULL)
		d->lost++;
}

/* Add what overflowed to the set, and what it resets; these PMDs need no reset. */
static void records_note_pmds(struct perfmon_set *set, unsigned long pmds)
{
	const struct perfmon_pmd_attr *attr;
	unsigned int pos;

	while (perfmon_next_pmd(&pmds, &pos)) {
		attr = set->pmds[pos].attr;
		if (attr)
			*set->reset_pmds |= *attr->reset;
	}
}

/* The controls, as after overflows (ovfl.c). */
static void records_finish(struct drain *d)
{
	bool full = d->done.ctrl & PFM_OVFL_CTRL_FULL;

	d->done.ctrl &= ~PFM_OVFL_CTRL_FULL;
	if (d->lost)
		perfmon_lose(d->s, d->lost);
	if (full && !d->s->can_restart)
		d->done.ctrl |= PFM_OVFL_CTRL_NOTIFY;
}

/**
 * perfmon_drain - let the format store the records of a set
 * @s: session, its format takes records
 * @set: one of its sets, which is held or was just stopped
 * @when: now
 *
 * The PMDs of records are added to @set's reset_pmds by what they reset; its ovfl_pmds are
 * for the caller.
 *
 * Context: interrupts off, on the target.
 * Return: what was done; MASK and NOTIFY in its controls are for the caller.
 */
struct perfmon_drained perfmon_drain(struct perfmon_session *s,
				     struct perfmon_set *set,
				     const struct perfmon_moment *when)
{
	/* The fields of the argument are filled below, and for each record. */
	struct drain d __uninitialized;

	d.sink = (struct perfmon_sink){
		.record = records_take,
		.kernel = s->kernel_ip,
		.physical = s->owner_capable,
	};
	d.s = s;
	d.set = set;
	d.when = when;
	d.lost = 0;
	d.done = (struct perfmon_drained){};
	perfmon_identify_task(s, when->task);
	d.arg = (struct pfm_ovfl_arg){
		.pid = s->seen_tid,
		.tgid = s->seen_tgid,
		.cpu = when->cpu,
		.set = set->id,
		.smpl_values = d.values,
		.captured = when->capture,
		.regs = when->regs,
	};
	if (when->capture) {
		d.arg.chain = when->capture->ips;
		d.arg.nr_chain = when->capture->nr;
		d.arg.chain_flags = when->capture->flags;
	}
	perfmon_arch_records(&set->arch, &d.sink);
	records_note_pmds(set, d.done.pmds);
	records_finish(&d);
	return d.done;
}

/* See <linux/perfmon_pmu.h>. */
bool perfmon_records_left(struct perfmon_arch_set *arch)
{
	struct perfmon_set *set = container_of(arch, struct perfmon_set, arch);
	struct perfmon_session *s = perfmon_session_here();
	struct perfmon_moment when = {
		.tstamp = perfmon_host_sample_clock(),
		.cpu = smp_processor_id(),
		.task = current,
	};
	struct perfmon_drained drained;

	if (WARN_ON_ONCE(!s || s->counting != set || !s->fmt || !s->fmt->record))
		return false;
	drained = perfmon_drain(s, set, &when);
	if (drained.pmds)
		*set->ovfl_pmds = drained.pmds;
	s->drain_ctrl |= drained.ctrl & ~PFM_OVFL_CTRL_RESET;
	return s->drain_ctrl;
}

u32 perfmon_records_wanted(void)
{
	const struct perfmon_session *s = perfmon_session_here();

	if (WARN_ON_ONCE(!s || !s->fmt || !s->fmt->room))
		return 0;
	return s->fmt->room(s->buf_addr);
}
