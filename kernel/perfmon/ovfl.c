// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt: from a hardware counter that wrapped to samples,
 * notifications, resets and set switches.
 *
 * A PMD whose value is negative is "armed": the hardware interrupts at the
 * latest after 2^31 events, the value is brought up to date, and when it has
 * become non-negative the 64-bit counter has overflowed.  Everything here runs
 * in hard interrupt context on the CPU that counts, with the set held
 * (perfmon_arch_hold()) and nothing counting, and takes no lock but that of the
 * message queue.  The path that matters is the one of a sample: recorded, reset,
 * going on.
 */
#include <linux/hardirq.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>

#include <asm/irq_regs.h>

#include "admin/stats.h"
#include "cpu.h"
#include "family/family.h"
#include "loss.h"
#include "notify/notify.h"
#include "ovfl.h"
#include "pmd.h"
#include "run.h"
#include "smpl/record.h"
#include "smpl/records.h"
#include "target.h"

static noinline void ovfl_drop(struct perfmon_session *s,
			       struct perfmon_set *set)
{
	perfmon_arch_drop(&set->arch);
	perfmon_arch_interrupt_branches(&set->arch);
	if (set->flags & PFM_SETFL_TIME_SWITCH)
		perfmon_timer_pause(s);
}

/*
 * Which PMDs have gone through zero?  Their bits replace those of the last
 * overflow, their resets become due.
 *
 * Return: their bits; @last says whether one of them has had its last overflow.
 */
static __always_inline unsigned long ovfl_collect(struct perfmon_set *set,
						  bool *last)
{
	unsigned long left, ovfl = 0, reset = 0;
	struct perfmon_pmd_attr *attr;
	unsigned int pos;

	left = *set->armed;
	while (perfmon_next_pmd(&left, &pos)) {
		if ((s64)perfmon_pmd_value(set, pos) < 0)
			continue;
		ovfl |= BIT(pos);
		attr = set->pmds[pos].attr;
		if (!attr)
			continue;
		reset |= *attr->reset;
		if (set->flags & PFM_SETFL_OVFL_SWITCH &&
		    attr->swcnt_rest && !--attr->swcnt_rest)
			*last = true;
	}
	if (!ovfl)
		return 0;
	*set->armed &= ~ovfl;
	*set->ovfl_pmds = ovfl;
	*set->reset_pmds = ovfl | reset;
	return ovfl;
}

/*
 * Of a session that has claimed registers.  Samples that the hardware has made by itself
 * count as overflows of their PMDs, which have no counter and need no reset of their own.
 * Return: @ovfl with their bits.
 */
static noinline unsigned long ovfl_add_samples(struct perfmon_session *s,
					       struct perfmon_set *set,
					       unsigned long ovfl)
{
	unsigned long reset = ovfl ? *set->reset_pmds : 0;
	unsigned int pos;
	u64 period;

	if (s->fmt && s->flags & PFM_FL_NMI)
		perfmon_pmds_note_late(s, set, ovfl);
	for (;;) {
		pos = perfmon_arch_take_sample(&set->arch, s->owner_capable,
					       &period);
		if (pos == PERFMON_NO_REG)
			break;
		if (!perfmon_arch_counts(&set->arch, pos))
			continue;
		set->pmds[pos].last = -period;
		if (set->pmds[pos].attr)
			reset |= *set->pmds[pos].attr->reset;
		ovfl |= BIT(pos);
	}
	if (ovfl) {
		*set->ovfl_pmds = ovfl;
		*set->reset_pmds = reset;
	}
	return ovfl;
}

/* PMDs whose hardware counter has overflowed, but not the 64-bit one, go on. */
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
static __always_inline struct pt_regs *
ovfl_visible_regs(const struct perfmon_session *s)
{
	struct pt_regs *regs = get_irq_regs();

	if (s->kernel_ip || likely(user_mode(regs)))
		return regs;
	if (current->flags & (PF_KTHREAD | PF_USER_WORKER))
		return NULL;
	return task_pt_regs(current);
}

static __always_inline u64 ovfl_ip(struct pt_regs *regs)
{
	return likely(regs) ? instruction_pointer(regs) : 0;
}

/*
 * The format has stopped before the PMDs in @ovfl; @arg is the last one that it was asked
 * for.  Return: controls; none to reset if these wait until there is room.
 */
static noinline u32 ovfl_miss(struct perfmon_session *s,
			      const struct pfm_ovfl_arg *arg,
			      unsigned long ovfl, u32 ctrl)
{
	bool full = ctrl & PFM_OVFL_CTRL_FULL;

	ctrl &= ~PFM_OVFL_CTRL_FULL;
	if (full && perfmon_room_keep(s, arg, ovfl))
		return ctrl & ~PFM_OVFL_CTRL_RESET;
	perfmon_lose(s, hweight_long(ovfl));
	/* Of what was full before he attached the session anew he knows nothing. */
	if (full && !s->can_restart)
		ctrl |= PFM_OVFL_CTRL_NOTIFY;
	return ctrl;
}

/* Let the format record each overflow.  Return: controls, together. */
static __always_inline u32 ovfl_sample(struct perfmon_session *s,
				       const struct perfmon_set *set,
				       unsigned long ovfl, struct pt_regs *regs,
				       const struct perfmon_capture *capture)
{
	u64 now = perfmon_host_sample_clock();
	struct perfmon_moment when = {
		.regs = regs,
		.ip = ovfl_ip(regs),
		.tstamp = now,
		.cpu = smp_processor_id(),
		.task = current,
	};
	/* Clearing it would show in each sample; every field is stored. */
	struct pfm_ovfl_arg arg __uninitialized;
	bool stop;
	u32 ctrl;

	if (capture)
		perfmon_capture_show(capture, &when);
	ctrl = perfmon_record(s, set, &when, &arg, &ovfl, &stop);
	return unlikely(stop) ? ovfl_miss(s, &arg, ovfl, ctrl) : ctrl;
}

/* Without a format; @last: some PMD has had its last overflow in this set. */
static u32 ovfl_own_controls(const struct perfmon_set *set, bool last)
{
	u32 ctrl = PFM_OVFL_CTRL_NOTIFY;

	if (!last || perfmon_wants_notification(set))
		ctrl |= PFM_OVFL_CTRL_MASK;
	return ctrl;
}

/* Stop until a restart. */
static noinline void ovfl_mask(struct perfmon_session *s)
{
	u64 now = perfmon_slice_end(s);

	WRITE_ONCE(s->counting, NULL);
	if (!s->blocked)
		perfmon_gap_begin(s, PERFMON_GAP_BLIND, now);
	perfmon_page_update(s);
	/* Pairs with perfmon_caller_hold(): others may change the session now. */
	smp_store_release(&s->state, PERFMON_MASKED);
}

/* Stop until there is room for a sample of the set that is held. */
static void ovfl_wait(struct perfmon_session *s, struct perfmon_set *set)
{
	ovfl_drop(s, set);
	perfmon_gap_begin(s, PERFMON_GAP_WAITING, perfmon_slice_end(s));
	WRITE_ONCE(s->counting, NULL);
}

static __always_inline void ovfl_reset(struct perfmon_session *s,
				       struct perfmon_set *set)
{
	unsigned long left = *set->reset_pmds;
	unsigned int pos;

	while (perfmon_next_pmd(&left, &pos))
		perfmon_reset_pmd(s, set, pos, false);
	*set->reset_pmds = 0;
}

/* The set that is held goes on, unless its session interrupts too much. */
static __always_inline void ovfl_go_on(struct perfmon_session *s,
				       struct perfmon_set *set)
{
	if (likely(!perfmon_storms(s))) {
		perfmon_arch_go_on(&set->arch);
		return;
	}
	ovfl_drop(s, set);
	perfmon_throttle(s);
}

/* The set that is held is left for the next one, which does not count yet. */
static void ovfl_switch(struct perfmon_session *s, struct perfmon_set *set)
{
	ovfl_drop(s, set);
	perfmon_slice_end(s);
	perfmon_switch_set(s, false);
	s->slice_clock = perfmon_clock(s);
}

/* The next one begins, with the same reservation. */
static void ovfl_begin(struct perfmon_session *s)
{
	if (unlikely(perfmon_storms(s))) {
		perfmon_throttle(s);
		return;
	}
	WRITE_ONCE(s->counting, s->active);
	perfmon_live_start(s);
}

/*
 * Mask, switch, notify, reset: in this order.  The set that is held is taken off
 * or goes on.
 */
static noinline void ovfl_execute(struct perfmon_session *s,
				  struct perfmon_set *set, u32 ctrl, u64 ip)
{
	bool masked = ctrl & PFM_OVFL_CTRL_MASK;
	bool switched = !masked && (ctrl & PFM_OVFL_CTRL_SWITCH);
	struct pfarg_ovfl_msg msg __uninitialized;
	bool notify = false;

	if (masked)
		s->switch_pending |= !!(ctrl & PFM_OVFL_CTRL_SWITCH);
	else if (switched)
		ovfl_switch(s, set);
	if ((ctrl & PFM_OVFL_CTRL_NOTIFY) && perfmon_wants_notification(set)) {
		notify = perfmon_notify(s, set, ip, &msg);
		masked |= !notify;
	}
	if (masked) {
		if (!switched)
			ovfl_drop(s, set);
		ovfl_mask(s);
	}
	/* Who has read the message may read a masked session at once. */
	if (notify)
		perfmon_tell(s, &msg);
	if (masked)
		return;
	if (unlikely(s->kept.pmds)) {
		ovfl_wait(s, set);
		return;
	}
	if (ctrl & PFM_OVFL_CTRL_RESET)
		ovfl_reset(s, s->active);
	if (switched)
		ovfl_begin(s);
	else
		ovfl_go_on(s, set);
}

/*
 * Handle the overflows of a set that is held, and let it go on or take it off.  @nmi, a
 * constant: the session may interrupt by NMIs; @capture is where the overflows were then,
 * or NULL.
 */
static __always_inline void
ovfl_process_held(struct perfmon_session *s, struct perfmon_set *set,
		  unsigned int elements, bool nmi,
		  const struct perfmon_capture *capture)
{
	bool last = false;
	unsigned long ovfl = ovfl_collect(set, &last);
	struct pt_regs *regs;
	u32 ctrl;

	if (nmi && unlikely(s->claimed))
		ovfl = ovfl_add_samples(s, set, ovfl);
	else if (nmi && s->fmt)
		perfmon_pmds_note_late(s, set, ovfl);
	ovfl_rearm(set, elements);
	if (!ovfl) {
		perfmon_count(elements ? PERFMON_STAT_OVFL_REGULAR :
					 PERFMON_STAT_OVFL_SPURIOUS);
		ovfl_go_on(s, set);
		return;
	}
	perfmon_count(PERFMON_STAT_OVFL_REGULAR);
	regs = ovfl_visible_regs(s);
	ctrl = likely(s->fmt) ? ovfl_sample(s, set, ovfl, regs, capture) :
				ovfl_own_controls(set, last);
	if (unlikely(last))
		ctrl |= PFM_OVFL_CTRL_SWITCH;
	if (unlikely(ctrl != PFM_OVFL_CTRL_RESET)) {
		ovfl_execute(s, set, ctrl,
			     capture ? *capture->ips : ovfl_ip(regs));
		return;
	}
	ovfl_reset(s, set);
	ovfl_go_on(s, set);
}

/* Hold any set.  Return: its elements that have overflowed. */
static __always_inline unsigned int ovfl_hold(struct perfmon_set *set)
{
	return perfmon_arch_has_also(&set->arch) ?
		       perfmon_arch_hold_also(&set->arch) :
		       perfmon_arch_hold(&set->arch);
}

/* The format gets the records first, which are of before the overflows in @ovfl. */
static u32 ovfl_take_records(struct perfmon_session *s, struct perfmon_set *set,
			     unsigned long ovfl, struct pt_regs *regs,
			     const struct perfmon_capture *capture)
{
	struct perfmon_drained drained;
	struct perfmon_moment when = {
		.regs = regs,
		.ip = ovfl_ip(regs),
		.tstamp = perfmon_host_sample_clock(),
		.cpu = smp_processor_id(),
		.task = current,
	};

	if (capture)
		perfmon_capture_show(capture, &when);
	drained = perfmon_drain(s, set, &when);
	perfmon_storms_add(s, drained.records);
	drained.ctrl |= s->drain_ctrl;
	s->drain_ctrl = 0;
	if (drained.stop)
		perfmon_lose(s, hweight_long(ovfl));
	else if (ovfl)
		drained.ctrl |= ovfl_sample(s, set, ovfl, regs, capture);
	if (ovfl | drained.pmds)
		*set->ovfl_pmds = ovfl | drained.pmds;
	return drained.ctrl;
}

/*
 * ovfl_process() of a session that has claimed registers with records of their own, and
 * whose format takes these.
 */
static noinline void ovfl_process_records(struct perfmon_session *s,
					  struct perfmon_set *set,
					  const struct perfmon_capture *capture)
{
	unsigned int elements = ovfl_hold(set);
	struct pt_regs *regs = ovfl_visible_regs(s);
	bool last = false;
	unsigned long ovfl = ovfl_collect(set, &last);
	u32 ctrl;

	if (s->flags & PFM_FL_NMI)
		perfmon_pmds_note_late(s, set, ovfl);
	ovfl_rearm(set, elements);
	perfmon_count(PERFMON_STAT_OVFL_REGULAR);
	ctrl = ovfl_take_records(s, set, ovfl, regs, capture);
	if (last)
		ctrl |= PFM_OVFL_CTRL_SWITCH;
	if (ctrl)
		ovfl_execute(s, set, ctrl,
			     capture ? *capture->ips : ovfl_ip(regs));
	else
		ovfl_go_on(s, set);
}

static bool ovfl_takes_records(const struct perfmon_session *s)
{
	return s->claimed && s->fmt && s->fmt->record;
}

/* The set has more than counters. */
static noinline void ovfl_process_also(struct perfmon_session *s,
				       struct perfmon_set *set)
{
	if (ovfl_takes_records(s))
		ovfl_process_records(s, set, NULL);
	else
		ovfl_process_held(s, set, perfmon_arch_hold_also(&set->arch),
				  false, NULL);
}

/* Hold the set, and do that. */
static __always_inline void ovfl_process(struct perfmon_session *s,
					 struct perfmon_set *set)
{
	if (perfmon_arch_has_also(&set->arch))
		ovfl_process_also(s, set);
	else
		ovfl_process_held(s, set, perfmon_arch_hold(&set->arch), false,
				  NULL);
}

/* Has the session asked for NMIs, or does it use what interrupts by NMIs only? */
static bool ovfl_may_be_nmi(const struct perfmon_session *s)
{
	return s->flags & PFM_FL_NMI || s->claimed;
}

/* The same for a session with NMIs. */
static noinline void ovfl_process_nmi(struct perfmon_session *s,
				      struct perfmon_set *set)
{
	const struct perfmon_capture *capture = perfmon_capture_take(s, set);

	if (ovfl_takes_records(s))
		ovfl_process_records(s, set, capture);
	else
		ovfl_process_held(s, set, ovfl_hold(set), true, capture);
}

/* Was that done?  If not, what an NMI may have kept is not about this session. */
static __always_inline bool ovfl_processed_nmi(struct perfmon_session *s,
					       struct perfmon_set *set)
{
	if (!perfmon_arch_nmi_used())
		return false;
	if (ovfl_may_be_nmi(s)) {
		ovfl_process_nmi(s, set);
		return true;
	}
	perfmon_capture_drop();
	return false;
}

/**
 * perfmon_interrupt - a counter of this CPU has overflowed
 * @ip: interrupted instruction pointer, which get_irq_regs() has as well
 *
 * An interrupt may arrive after the counters were stopped; then there is no
 * session here, or none of its counters has overflowed.
 *
 * Context: hard interrupt.
 */
void perfmon_interrupt(unsigned long ip)
{
	struct perfmon_session *s = perfmon_session_here();
	struct perfmon_set *set = likely(s) ? s->counting : NULL;
	u64 since = perfmon_debug_clock();

	perfmon_count(PERFMON_STAT_OVFL_ALL);
	if (unlikely(perfmon_arch_replayed()))
		perfmon_count(PERFMON_STAT_OVFL_REPLAY);
	if (likely(set)) {
		if (!ovfl_processed_nmi(s, set))
			ovfl_process(s, set);
		/* Of a masked session the page is up to date, and not ours. */
		if (unlikely(s->page) && s->state == PERFMON_LOADED)
			__perfmon_page_update(s);
	} else {
		if (perfmon_arch_nmi_used())
			perfmon_capture_drop();
		perfmon_count(PERFMON_STAT_OVFL_SPURIOUS);
	}
	perfmon_debug_time(PERFMON_STAT_OVFL_NS, since);
}
