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
#include <linux/bitmap.h>
#include <linux/hardirq.h>
#include <linux/pid_namespace.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>
#include <linux/sched/task_stack.h>

#include <asm/irq_regs.h>

#include "admin/stats.h"
#include "cpu.h"
#include "family/family.h"
#include "loss.h"
#include "notify/msgq.h"
#include "notify/notify.h"
#include "ovfl.h"
#include "pmd.h"
#include "run.h"
#include "smpl/smpl.h"
#include "target.h"

static noinline void ovfl_drop(struct perfmon_session *s,
			       struct perfmon_set *set)
{
	perfmon_arch_drop(&set->arch);
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

static __always_inline unsigned int
ovfl_gather_values(const struct perfmon_set *set,
		   const struct perfmon_pmd_attr *attr, u64 *values)
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

/* Ids of the running thread in the creator's namespace, mostly those of last time. */
static __always_inline void ovfl_identify_task(struct perfmon_session *s)
{
	if (unlikely(s->seen_task != current ||
		     s->seen_start != current->start_time))
		ovfl_meet_task(s);
}

/* Call the format's handler and measure that, with `debug' set. */
static noinline int ovfl_time_handler(const struct perfmon_session *s,
				      const struct pfm_ovfl_arg *arg, u32 *ctrl)
{
	u64 since = local_clock();
	int stop = s->fmt->handler(s->buf_addr, arg, ctrl);

	perfmon_debug_count(PERFMON_STAT_FMT_CALLS, PERFMON_STAT_FMT_NS, since);
	return stop;
}

/* One overflow for the format.  Return: has it had enough? */
static __always_inline bool ovfl_record(const struct perfmon_session *s,
					const struct perfmon_set *set,
					struct pfm_ovfl_arg *arg, u64 *values,
					unsigned int pos, u32 *ctrl)
{
	const struct perfmon_pmd *pmd = &set->pmds[pos];
	const struct perfmon_pmd_attr *attr = pmd->attr;

	arg->ovfl_pmd = perfmon_pmu.pmds[pos].num;
	arg->last_value = pmd->last;
	if (likely(attr)) {
		arg->eventid = attr->eventid;
		arg->nr_values = ovfl_gather_values(set, attr, values);
	} else {
		arg->eventid = 0;
		arg->nr_values = 0;
	}
	if (static_branch_unlikely(&perfmon_debug_key))
		return ovfl_time_handler(s, arg, ctrl);
	return s->fmt->handler(s->buf_addr, arg, ctrl);
}

/*
 * The format has stopped before the PMDs in @ovfl, and perhaps before the one that
 * it was asked for.  Return: controls.
 */
static noinline u32 ovfl_lose(struct perfmon_session *s, unsigned long ovfl,
			      u32 ctrl)
{
	unsigned int lost = hweight_long(ovfl) + !!(ctrl & PFM_OVFL_CTRL_FULL);

	s->loss.overflows += lost;
	if (perfmon_is_part(s))
		atomic64_add(lost, &s->family->overflows);
	if (!(ctrl & PFM_OVFL_CTRL_FULL))
		return ctrl;
	/* Of what was full before he attached the session anew he knows nothing. */
	if (!s->can_restart)
		ctrl |= PFM_OVFL_CTRL_NOTIFY;
	return ctrl & ~PFM_OVFL_CTRL_FULL;
}

/* Let the format record each overflow.  Return: controls, together. */
static __always_inline u32 ovfl_sample(struct perfmon_session *s,
				       const struct perfmon_set *set,
				       unsigned long ovfl, struct pt_regs *regs)
{
	/* Clearing them would show in each sample; every field is stored below. */
	u64 values[PERFMON_ARCH_MAX_PMDS] __uninitialized;
	struct pfm_ovfl_arg arg __uninitialized;
	unsigned int pos;
	bool stop = false;
	u32 all = 0;

	ovfl_identify_task(s);
	arg.set = set->id;
	arg.cpu = smp_processor_id();
	arg.pid = s->seen_tid;
	arg.tgid = s->seen_tgid;
	arg.ip = ovfl_ip(regs);
	arg.tstamp = perfmon_host_sample_clock();
	arg.smpl_values = values;
	arg.again = false;
	arg.regs = regs;
	while (!stop && perfmon_next_pmd(&ovfl, &pos)) {
		u32 ctrl = 0;

		stop = ovfl_record(s, set, &arg, values, pos, &ctrl);
		arg.again = true;
		all |= ctrl;
	}
	return unlikely(stop) ? ovfl_lose(s, ovfl, all) : all;
}

static bool ovfl_wants_notification(const struct perfmon_set *set)
{
	unsigned long left = *set->ovfl_pmds;
	unsigned int pos;

	while (perfmon_next_pmd(&left, &pos))
		if (set->pmds[pos].flags & PFM_REGFL_OVFL_NOTIFY)
			return true;
	return false;
}

/* Without a format; @last: some PMD has had its last overflow in this set. */
static u32 ovfl_own_controls(const struct perfmon_set *set, bool last)
{
	u32 ctrl = PFM_OVFL_CTRL_NOTIFY;

	if (!last || ovfl_wants_notification(set))
		ctrl |= PFM_OVFL_CTRL_MASK;
	return ctrl;
}

/*
 * Is there room for one more message?  The lock is not needed: nobody else adds
 * messages of a session.  Members of a family have one queue; if it is full its
 * reader looks at all buffers sooner or later, so that nobody need stop.
 */
static bool ovfl_has_room(struct perfmon_session *s)
{
	return s->flags & PFM_FL_OVFL_NO_MSG || perfmon_family(s) ||
	       !perfmon_msgq_full(&s->msgq);
}

static void ovfl_write_message(struct perfmon_session *s,
			       const struct perfmon_set *set, u64 ip,
			       struct pfarg_ovfl_msg *msg)
{
	unsigned long left = *set->ovfl_pmds;
	unsigned int pos, num;

	ovfl_identify_task(s);
	*msg = (struct pfarg_ovfl_msg){
		.msg_type = PFM_MSG_OVFL,
		.msg_ovfl_pid = s->seen_tgid,
		.msg_ovfl_tid = s->seen_tid,
		.msg_active_set = set->id,
		.msg_ovfl_cpu = smp_processor_id(),
		.msg_ovfl_ip = ip,
	};
	while (perfmon_next_pmd(&left, &pos)) {
		num = perfmon_pmu.pmds[pos].num;
		msg->msg_ovfl_pmds[num / 64] |= 1ULL << num % 64;
	}
}

/*
 * All of a notification but ovfl_tell(), which waits until the session is masked.
 *
 * Return: false if the queue is full; then there is none.
 */
static noinline bool ovfl_notify(struct perfmon_session *s,
				 const struct perfmon_set *set, u64 ip,
				 struct pfarg_ovfl_msg *msg)
{
	if (!ovfl_has_room(s)) {
		/* A format has recorded them all the same. */
		if (!s->fmt)
			s->loss.overflows +=
				bitmap_weight(set->ovfl_pmds,
					      PERFMON_ARCH_MAX_PMDS);
		return false;
	}
	ovfl_write_message(s, set, ip, msg);
	perfmon_count(PERFMON_STAT_NOTIFY);
	if (s->flags & PFM_FL_OVFL_SIGINFO)
		perfmon_siginfo_send(s, msg->msg_ovfl_pmds[0]);
	if (s->can_restart < U8_MAX)
		s->can_restart++;
	if (s->flags & PFM_FL_NOTIFY_BLOCK)
		perfmon_block_target(s);
	return true;
}

/* From now on a reader on another CPU may have the message. */
static void ovfl_tell(struct perfmon_session *s,
		      const struct pfarg_ovfl_msg *msg)
{
	struct perfmon_family *family = perfmon_family(s);
	struct perfmon_session *owner = family ? family->root : s;

	perfmon_msgq_add(&owner->msgq, msg, s->flags & PFM_FL_OVFL_NO_MSG);
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
	if ((ctrl & PFM_OVFL_CTRL_NOTIFY) && ovfl_wants_notification(set)) {
		notify = ovfl_notify(s, set, ip, &msg);
		masked |= !notify;
	}
	if (masked) {
		if (!switched)
			ovfl_drop(s, set);
		ovfl_mask(s);
	}
	/* Who has read the message may read a masked session at once. */
	if (notify)
		ovfl_tell(s, &msg);
	if (masked)
		return;
	if (ctrl & PFM_OVFL_CTRL_RESET)
		ovfl_reset(s, s->active);
	if (switched)
		ovfl_begin(s);
	else
		ovfl_go_on(s, set);
}

/* Hold the set, handle its overflows, and let it go on or take it off. */
static __always_inline void ovfl_process(struct perfmon_session *s,
					 struct perfmon_set *set)
{
	unsigned int elements = perfmon_arch_hold(&set->arch);
	bool last = false;
	unsigned long ovfl = ovfl_collect(set, &last);
	struct pt_regs *regs;
	u32 ctrl;

	ovfl_rearm(set, elements);
	if (!ovfl) {
		perfmon_count(elements ? PERFMON_STAT_OVFL_REGULAR :
					 PERFMON_STAT_OVFL_SPURIOUS);
		ovfl_go_on(s, set);
		return;
	}
	perfmon_count(PERFMON_STAT_OVFL_REGULAR);
	regs = ovfl_visible_regs(s);
	ctrl = likely(s->fmt) ? ovfl_sample(s, set, ovfl, regs) :
				ovfl_own_controls(set, last);
	if (unlikely(last))
		ctrl |= PFM_OVFL_CTRL_SWITCH;
	if (unlikely(ctrl != PFM_OVFL_CTRL_RESET)) {
		ovfl_execute(s, set, ctrl, ovfl_ip(regs));
		return;
	}
	ovfl_reset(s, set);
	ovfl_go_on(s, set);
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
		ovfl_process(s, set);
		/* Of a masked session the page is up to date, and not ours. */
		if (unlikely(s->page) && s->state == PERFMON_LOADED)
			__perfmon_page_update(s);
	} else {
		perfmon_count(PERFMON_STAT_OVFL_SPURIOUS);
	}
	perfmon_debug_time(PERFMON_STAT_OVFL_NS, since);
}
