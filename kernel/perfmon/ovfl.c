// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt: from a hardware counter that wrapped to samples,
 * notifications, resets and set switches.
 *
 * A PMD whose value is negative is "armed": the hardware interrupts at the
 * latest after 2^31 events, the value is brought up to date, and when it has
 * become non-negative the 64-bit counter has overflowed.  Everything here runs
 * in hard interrupt context on the CPU that counts, with the set held and
 * nothing counting, and takes no lock but that of the message queue.  The path
 * that matters is the one of a sample: recorded, reset, going on.
 */
#include <linux/bitmap.h>
#include <linux/hardirq.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>

#include <asm/irq_regs.h>

#include "admin/stats.h"
#include "cpu.h"
#include "loss.h"
#include "notify/msgq.h"
#include "notify/notify.h"
#include "ovfl.h"
#include "pmd.h"
#include "run.h"
#include "smpl/smpl.h"
#include "target.h"

struct overflow {
	struct perfmon_session *session;
	struct perfmon_set *set;	/* that overflowed */
	struct pt_regs *regs;	/* that the session may see */
	u64 ip;
	bool notify;		/* some PMD wants a notification */
	bool switch_set;	/* some PMD has had its last overflow */
	bool off;		/* the set is off the hardware */
};

/* The set is not going on for now. */
static void ovfl_take_off(struct overflow *o)
{
	if (o->off)
		return;
	o->off = true;
	perfmon_arch_drop(&o->set->arch);
	if (o->set->flags & PFM_SETFL_TIME_SWITCH)
		perfmon_timer_pause(o->session);
}

/*
 * Which PMDs have gone through zero?  Their bits replace those of the last
 * overflow, their resets become due.
 *
 * Return: is there any?
 */
static bool ovfl_collect(struct overflow *o)
{
	struct perfmon_set *set = o->set;
	struct perfmon_pmd_attr *attr;
	unsigned int pos;
	bool found = false;

	for_each_set_bit(pos, set->armed, PERFMON_ARCH_MAX_PMDS) {
		if ((s64)perfmon_pmd_value(set, pos) < 0)
			continue;
		if (!found) {
			bitmap_zero(set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS);
			bitmap_zero(set->reset_pmds, PERFMON_ARCH_MAX_PMDS);
			found = true;
		}
		__clear_bit(pos, set->armed);
		__set_bit(pos, set->ovfl_pmds);
		__set_bit(pos, set->reset_pmds);
		o->notify |= set->pmds[pos].flags & PFM_REGFL_OVFL_NOTIFY;
		attr = set->pmds[pos].attr;
		if (!attr)
			continue;
		bitmap_or(set->reset_pmds, set->reset_pmds, attr->reset,
			  PERFMON_ARCH_MAX_PMDS);
		if (set->flags & PFM_SETFL_OVFL_SWITCH &&
		    attr->swcnt_rest && !--attr->swcnt_rest)
			o->switch_set = true;
	}
	return found;
}

/* Those that have not come to their 64-bit end go on towards it. */
static void ovfl_rearm(struct perfmon_set *set, unsigned int elements)
{
	unsigned int pos;

	for_each_set_bit(pos, set->armed, PERFMON_ARCH_MAX_PMDS)
		if (perfmon_arch_overflowed(&set->arch, elements, pos))
			perfmon_arm_pmd(set, pos);
}

/*
 * The kernel's registers are for those who may count the kernel; the others see
 * those of user mode, NULL if the thread has no such.
 */
static struct pt_regs *ovfl_visible_regs(const struct perfmon_session *s)
{
	struct pt_regs *regs = get_irq_regs();

	if (s->kernel_ip || user_mode(regs))
		return regs;
	if (current->flags & (PF_KTHREAD | PF_USER_WORKER))
		return NULL;
	return task_pt_regs(current);
}

static unsigned int ovfl_gather_values(struct perfmon_set *set,
				       unsigned int pos, u64 *values)
{
	const struct perfmon_pmd_attr *attr = set->pmds[pos].attr;
	unsigned int pmd, n = 0;

	if (!attr)
		return 0;
	for_each_set_bit(pmd, attr->smpl, PERFMON_ARCH_MAX_PMDS)
		values[n++] = perfmon_pmd_value(set, pmd);
	return n;
}

/* The thread that runs, as the owner sees it; mostly the same as last time. */
static void ovfl_identify_task(struct perfmon_session *s)
{
	if (likely(s->seen_task == current &&
		   s->seen_start == current->start_time))
		return;
	s->seen_task = current;
	s->seen_start = current->start_time;
	s->seen_tid = task_pid_nr_ns(current, s->ns);
	s->seen_tgid = task_tgid_nr_ns(current, s->ns);
}

/* The overflows that a format does not want, having had enough at @pos. */
static unsigned int ovfl_count_after(const struct perfmon_set *set,
				     unsigned int pos)
{
	unsigned int n = 0;

	for_each_set_bit_from(pos, set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS)
		n++;
	return n - 1;
}

/* Let the format record each overflow.  Return: controls, together. */
static u32 ovfl_sample(const struct overflow *o)
{
	struct perfmon_session *s = o->session;
	/* Clearing them would show in each sample; every field is stored below. */
	u64 values[PERFMON_ARCH_MAX_PMDS] __uninitialized;
	struct pfm_ovfl_arg arg __uninitialized;
	void *buf = s->buf ? perfmon_buffer_addr(s->buf) : NULL;
	unsigned int pos;
	u32 ctrl, all = 0;
	u64 since;
	int stop;

	ovfl_identify_task(s);
	arg.set = o->set->id;
	arg.cpu = smp_processor_id();
	arg.pid = s->seen_tid;
	arg.tgid = s->seen_tgid;
	arg.ip = o->ip;
	arg.tstamp = local_clock();
	arg.smpl_values = values;
	arg.regs = o->regs;
	for_each_set_bit(pos, o->set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS) {
		const struct perfmon_pmd *pmd = &o->set->pmds[pos];

		arg.ovfl_pmd = perfmon_pmu.pmds[pos].num;
		arg.last_value = pmd->last;
		arg.eventid = pmd->attr ? pmd->attr->eventid : 0;
		arg.nr_values = ovfl_gather_values(o->set, pos, values);
		ctrl = 0;
		since = perfmon_debug_clock();
		stop = s->fmt->handler(buf, &arg, &ctrl);
		perfmon_debug_count(PERFMON_STAT_FMT_CALLS, PERFMON_STAT_FMT_NS,
				    since);
		all |= ctrl;
		if (stop)
			break;
	}
	if (pos < PERFMON_ARCH_MAX_PMDS)
		s->loss.overflows += ovfl_count_after(o->set, pos);
	return all;
}

static u32 ovfl_controls(const struct overflow *o)
{
	u32 ctrl = PFM_OVFL_CTRL_NOTIFY;

	if (o->session->fmt)
		ctrl = ovfl_sample(o);
	else if (o->notify || !o->switch_set)
		ctrl |= PFM_OVFL_CTRL_MASK;
	if (o->switch_set)
		ctrl |= PFM_OVFL_CTRL_SWITCH;
	return ctrl;
}

/* Return: false if the queue is full. */
static bool ovfl_notify(const struct overflow *o)
{
	struct perfmon_session *s = o->session;
	struct pfarg_ovfl_msg msg = {
		.msg_type = PFM_MSG_OVFL,
		.msg_active_set = o->set->id,
		.msg_ovfl_cpu = smp_processor_id(),
		.msg_ovfl_ip = o->ip,
	};
	unsigned int pos, num;

	ovfl_identify_task(s);
	msg.msg_ovfl_pid = s->seen_tgid;
	msg.msg_ovfl_tid = s->seen_tid;
	for_each_set_bit(pos, o->set->ovfl_pmds, PERFMON_ARCH_MAX_PMDS) {
		num = perfmon_pmu.pmds[pos].num;
		msg.msg_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
	if (!perfmon_msgq_add(&s->msgq, &msg, s->flags & PFM_FL_OVFL_NO_MSG)) {
		/* A format has recorded them all the same. */
		if (!s->fmt)
			s->loss.overflows +=
				bitmap_weight(o->set->ovfl_pmds,
					      PERFMON_ARCH_MAX_PMDS);
		return false;
	}
	perfmon_count(PERFMON_STAT_NOTIFY);
	if (s->flags & PFM_FL_OVFL_SIGINFO)
		perfmon_siginfo_send(s, msg.msg_ovfl_pmds[0]);
	if (s->can_restart < U8_MAX)
		s->can_restart++;
	if (s->flags & PFM_FL_NOTIFY_BLOCK)
		perfmon_block_target(s);
	return true;
}

/*
 * Mask, switch, notify, reset: in this order.
 *
 * Return: is the session masked now?
 */
static bool ovfl_execute(struct overflow *o, u32 ctrl)
{
	struct perfmon_session *s = o->session;
	struct perfmon_set *set;
	bool masked = ctrl & PFM_OVFL_CTRL_MASK;

	if (masked)
		s->switch_pending |= o->switch_set ||
				     (ctrl & PFM_OVFL_CTRL_SWITCH);
	else if (ctrl & PFM_OVFL_CTRL_SWITCH) {
		ovfl_take_off(o);
		perfmon_slice_end(s);
		perfmon_switch_set(s, false);
		s->slice_clock = perfmon_clock(s);
	}
	if ((ctrl & PFM_OVFL_CTRL_NOTIFY) && o->notify)
		masked |= !ovfl_notify(o);
	set = s->active;
	if (!masked && (ctrl & PFM_OVFL_CTRL_RESET)) {
		perfmon_reset_pmds(s, set, set->reset_pmds, false);
		bitmap_zero(set->reset_pmds, PERFMON_ARCH_MAX_PMDS);
	}
	return masked;
}

/* Stop until a restart. */
static void ovfl_mask(struct perfmon_session *s)
{
	u64 now = perfmon_slice_end(s);

	WRITE_ONCE(s->counting, NULL);
	if (!s->blocked)
		perfmon_gap_begin(s, PERFMON_GAP_BLIND, now);
	/* Whoever sees it may touch the session without being here. */
	smp_store_release(&s->state, PERFMON_MASKED);
}

/* The set that counted is held.  What goes on is decided here. */
static void ovfl_process(struct overflow *o, unsigned int elements)
{
	struct perfmon_session *s = o->session;
	bool overflow = ovfl_collect(o);
	bool masked = false;

	ovfl_rearm(o->set, elements);
	if (!overflow && !elements)
		perfmon_count(PERFMON_STAT_OVFL_SPURIOUS);
	else
		perfmon_count(PERFMON_STAT_OVFL_REGULAR);
	if (overflow)
		masked = ovfl_execute(o, ovfl_controls(o));

	if (masked) {
		ovfl_take_off(o);
		ovfl_mask(s);
	} else if (unlikely(perfmon_storms(s))) {
		ovfl_take_off(o);
		perfmon_throttle(s);
	} else if (!o->off) {
		perfmon_arch_go_on(&o->set->arch);
	} else {
		WRITE_ONCE(s->counting, s->active);
		perfmon_live_start(s);
	}
}

/**
 * perfmon_interrupt - a counter of this CPU has overflowed
 * @ip: interrupted instruction pointer
 *
 * An interrupt may arrive after the counters were stopped; then there is no
 * session here, or none of its counters has overflowed.
 *
 * Context: hard interrupt.
 */
void perfmon_interrupt(unsigned long ip)
{
	struct perfmon_session *s = perfmon_live_session();
	struct overflow o = { .session = s };
	u64 since = perfmon_debug_clock();

	perfmon_count(PERFMON_STAT_OVFL_ALL);
	if (unlikely(perfmon_arch_replayed()))
		perfmon_count(PERFMON_STAT_OVFL_REPLAY);
	if (!s) {
		perfmon_count(PERFMON_STAT_OVFL_SPURIOUS);
		return;
	}
	o.set = s->counting;
	perfmon_arch_hold(&o.set->arch);
	o.regs = ovfl_visible_regs(s);
	if (o.regs == get_irq_regs())
		o.ip = ip;
	else
		o.ip = o.regs ? instruction_pointer(o.regs) : 0;
	ovfl_process(&o, perfmon_arch_identify(&o.set->arch));
	perfmon_debug_time(PERFMON_STAT_OVFL_NS, since);
}
