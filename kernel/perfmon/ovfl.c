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

/* Given to no function that is not inline: so it is kept in registers. */
struct overflow {
	struct perfmon_session *session;
	struct perfmon_set *set;	/* that overflowed */
	struct pt_regs *regs;	/* that the session may see */
	u64 ip;
	bool notify;		/* some PMD wants a notification */
	bool switch_set;	/* some PMD has had its last overflow */
	bool off;		/* the set is off the hardware */
};

static noinline void ovfl_drop(struct perfmon_session *s,
			       struct perfmon_set *set)
{
	perfmon_arch_drop(&set->arch);
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		perfmon_timer_pause(s);
}

/* The set is not going on for now. */
static __always_inline void ovfl_take_off(struct overflow *o)
{
	if (!o->off)
		ovfl_drop(o->session, o->set);
	o->off = true;
}

/*
 * Which PMDs have gone through zero?  Their bits replace those of the last
 * overflow, their resets become due.
 *
 * Return: is there any?
 */
static __always_inline bool ovfl_collect(struct overflow *o)
{
	struct perfmon_set *set = o->set;
	unsigned long left, ovfl = 0, reset = 0;
	struct perfmon_pmd_attr *attr;
	unsigned int pos;

	left = *set->armed;
	while (perfmon_next_pmd(&left, &pos)) {
		if ((s64)perfmon_pmd_value(set, pos) < 0)
			continue;
		ovfl |= BIT(pos);
		o->notify |= set->pmds[pos].flags & PFM_REGFL_OVFL_NOTIFY;
		attr = set->pmds[pos].attr;
		if (!attr)
			continue;
		reset |= *attr->reset;
		if (set->flags & PFM_SETFL_OVFL_SWITCH &&
		    attr->swcnt_rest && !--attr->swcnt_rest)
			o->switch_set = true;
	}
	if (!ovfl)
		return false;
	*set->armed &= ~ovfl;
	*set->ovfl_pmds = ovfl;
	*set->reset_pmds = ovfl | reset;
	return true;
}

/* Those that have not come to their 64-bit end go on towards it. */
static __always_inline void ovfl_rearm(struct perfmon_set *set,
				       unsigned int elements)
{
	unsigned long left;
	unsigned int pos;

	left = *set->armed;
	while (perfmon_next_pmd(&left, &pos))
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

static __always_inline unsigned int
ovfl_gather_values(struct perfmon_set *set, const struct perfmon_pmd_attr *attr,
		   u64 *values)
{
	unsigned long left = *attr->smpl;
	unsigned int pmd, n = 0;

	while (perfmon_next_pmd(&left, &pmd))
		values[n++] = perfmon_pmd_value(set, pmd);
	return n;
}

static noinline void ovfl_meet_task(struct perfmon_session *s)
{
	s->seen_task = current;
	s->seen_start = current->start_time;
	s->seen_tid = task_pid_nr_ns(current, s->ns);
	s->seen_tgid = task_tgid_nr_ns(current, s->ns);
}

/* The thread that runs, as the owner sees it; mostly the same as last time. */
static __always_inline void ovfl_identify_task(struct perfmon_session *s)
{
	if (unlikely(s->seen_task != current ||
		     s->seen_start != current->start_time))
		ovfl_meet_task(s);
}

/* One overflow for the format.  Return: has it had enough? */
static __always_inline bool ovfl_record(const struct overflow *o,
					struct pfm_ovfl_arg *arg, u64 *values,
					void *buf, unsigned int pos, u32 *all)
{
	const struct perfmon_pmd *pmd = &o->set->pmds[pos];
	u64 since = perfmon_debug_clock();
	u32 ctrl = 0;
	int stop;

	arg->ovfl_pmd = perfmon_pmu.pmds[pos].num;
	arg->last_value = pmd->last;
	arg->eventid = 0;
	arg->nr_values = 0;
	if (pmd->attr) {
		arg->eventid = pmd->attr->eventid;
		arg->nr_values = ovfl_gather_values(o->set, pmd->attr, values);
	}
	stop = o->session->fmt->handler(buf, arg, &ctrl);
	perfmon_debug_count(PERFMON_STAT_FMT_CALLS, PERFMON_STAT_FMT_NS, since);
	*all |= ctrl;
	return stop;
}

/* Let the format record each overflow.  Return: controls, together. */
static __always_inline u32 ovfl_sample(const struct overflow *o)
{
	struct perfmon_session *s = o->session;
	/* Clearing them would show in each sample; every field is stored below. */
	u64 values[PERFMON_ARCH_MAX_PMDS] __uninitialized;
	struct pfm_ovfl_arg arg __uninitialized;
	void *buf = s->buf ? perfmon_buffer_addr(s->buf) : NULL;
	unsigned long left;
	unsigned int pos;
	u32 all = 0;

	ovfl_identify_task(s);
	arg.set = o->set->id;
	arg.cpu = smp_processor_id();
	arg.pid = s->seen_tid;
	arg.tgid = s->seen_tgid;
	arg.ip = o->ip;
	arg.tstamp = local_clock();
	arg.smpl_values = values;
	arg.regs = o->regs;
	left = *o->set->ovfl_pmds;
	while (perfmon_next_pmd(&left, &pos)) {
		if (!ovfl_record(o, &arg, values, buf, pos, &all))
			continue;
		/* It does not want those behind this one. */
		s->loss.overflows += hweight_long(left);
		break;
	}
	return all;
}

static __always_inline u32 ovfl_controls(const struct overflow *o)
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
static noinline bool ovfl_notify(struct perfmon_session *s,
				 const struct perfmon_set *set, u64 ip)
{
	struct pfarg_ovfl_msg msg = {
		.msg_type = PFM_MSG_OVFL,
		.msg_active_set = set->id,
		.msg_ovfl_cpu = smp_processor_id(),
		.msg_ovfl_ip = ip,
	};
	unsigned long left;
	unsigned int pos, num;

	ovfl_identify_task(s);
	msg.msg_ovfl_pid = s->seen_tgid;
	msg.msg_ovfl_tid = s->seen_tid;
	left = *set->ovfl_pmds;
	while (perfmon_next_pmd(&left, &pos)) {
		num = perfmon_pmu.pmds[pos].num;
		msg.msg_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
	if (!perfmon_msgq_add(&s->msgq, &msg, s->flags & PFM_FL_OVFL_NO_MSG)) {
		/* A format has recorded them all the same. */
		if (!s->fmt)
			s->loss.overflows +=
				bitmap_weight(set->ovfl_pmds,
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
static __always_inline bool ovfl_execute(struct overflow *o, u32 ctrl)
{
	struct perfmon_session *s = o->session;
	struct perfmon_set *set;
	unsigned long left;
	unsigned int pos;
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
		masked |= !ovfl_notify(s, o->set, o->ip);
	set = s->active;
	if (!masked && (ctrl & PFM_OVFL_CTRL_RESET)) {
		left = *set->reset_pmds;
		while (perfmon_next_pmd(&left, &pos))
			perfmon_reset_pmd(s, set, pos, false);
		*set->reset_pmds = 0;
	}
	return masked;
}

/* Stop until a restart. */
static noinline void ovfl_mask(struct perfmon_session *s)
{
	u64 now = perfmon_slice_end(s);

	WRITE_ONCE(s->counting, NULL);
	if (!s->blocked)
		perfmon_gap_begin(s, PERFMON_GAP_BLIND, now);
	/* Whoever sees it may touch the session without being here. */
	smp_store_release(&s->state, PERFMON_MASKED);
}

/* The set that counted is held.  What goes on is decided here. */
static __always_inline void ovfl_process(struct overflow *o,
					 unsigned int elements)
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
	unsigned int elements;
	u64 since = perfmon_debug_clock();

	perfmon_count(PERFMON_STAT_OVFL_ALL);
	if (unlikely(perfmon_arch_replayed()))
		perfmon_count(PERFMON_STAT_OVFL_REPLAY);
	if (!s) {
		perfmon_count(PERFMON_STAT_OVFL_SPURIOUS);
		return;
	}
	o.set = s->counting;
	elements = perfmon_arch_hold(&o.set->arch);
	o.regs = ovfl_visible_regs(s);
	if (o.regs == get_irq_regs())
		o.ip = ip;
	else
		o.ip = o.regs ? instruction_pointer(o.regs) : 0;
	ovfl_process(&o, elements);
	perfmon_debug_time(PERFMON_STAT_OVFL_NS, since);
}
