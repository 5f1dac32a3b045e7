// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_NOTIFY_BLOCK of a family: if a member's sample finds no room in the buffer of
 * its CPU, the member waits until a program has freed some.
 *
 * The overflow interrupt keeps the overflows that it cannot record
 * (perfmon_session.kept), takes the set off the hardware and queues a task work.  The
 * work waits before the thread returns to user mode, so the registers are still the
 * program's registers of the sample.  Then it records the sample in the buffer of its
 * present CPU, and the member counts again.  Members wait in the queue of their root; a
 * restart wakes all of them, and each looks for room again.
 *
 * For one second, signals and the end of the thread wait as well: a reader that is alive
 * frees room within this time.  After it a signal ends the wait; then the kept overflows
 * are lost, as they are when the family ends.
 *
 * All functions but the work itself run on the member's thread with interrupts off, by
 * the rule of hot fields (session.h).
 */
#include <linux/bitmap.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/task_work.h>
#include <linux/wait.h>

#include <asm/perfmon_compat.h>

#include "../admin/stats.h"
#include "../host.h"
#include "../loss.h"
#include "../notify/notify.h"
#include "../pmd.h"
#include "../run.h"
#include "../smpl/record.h"
#include "../target.h"
#include "family.h"

/* For this time only room ends the wait. */
#define ROOM_PATIENCE	HZ

/* The kept overflows are recorded or lost: begin the next period. */
static void room_go_on(struct perfmon_session *s)
{
	struct perfmon_set *set = s->active;
	bool started = perfmon_is_part(s) ? READ_ONCE(s->family->started) :
					    s->started;

	perfmon_reset_pmds(s, set, set->reset_pmds, false);
	bitmap_zero(set->reset_pmds, PERFMON_ARCH_MAX_PMDS);
	if (started)
		perfmon_unpause(s);
	else
		perfmon_gap_end(s, perfmon_clock(s));
	perfmon_page_update(s);
}

/* The sample that has waited filled a buffer. */
static void room_notify(struct perfmon_session *s, u64 ip)
{
	struct pfarg_ovfl_msg msg __uninitialized;

	if (perfmon_wants_notification(s->active) &&
	    perfmon_notify(s, s->active, ip, &msg))
		perfmon_tell(s, &msg);
}

/*
 * The registers of the sample, if they still exist.  Kernel registers are gone; the
 * program's are gone once it has been sent to a signal handler.
 */
static struct pt_regs *room_regs(const struct perfmon_session *s)
{
	struct pt_regs *regs = task_pt_regs(current);

	return instruction_pointer(regs) == s->kept.ip ? regs : NULL;
}

/* Return: false if there is no room for all kept overflows. */
static bool room_record(struct perfmon_session *s)
{
	struct perfmon_moment when = {
		.regs = room_regs(s),
		.ip = s->kept.ip,
		.tstamp = s->kept.tstamp,
		.cpu = s->kept.cpu,
		.task = current,
	};
	struct pfm_ovfl_arg arg __uninitialized;
	bool stop;
	u32 ctrl = perfmon_record(s, s->active, &when, &arg, &s->kept.pmds,
				  &stop);

	if (ctrl & PFM_OVFL_CTRL_NOTIFY)
		room_notify(s, when.ip);
	if (stop && ctrl & PFM_OVFL_CTRL_FULL)
		return false;
	perfmon_lose_kept(s);
	room_go_on(s);
	return true;
}

/* Record the kept overflows if there is room.  Return: false if the thread must wait. */
static bool room_found(struct perfmon_session *s)
{
	bool found = true;

	local_irq_disable();
	if (perfmon_host_here() == s && s->kept.pmds)
		found = room_record(s);
	local_irq_enable();
	return found;
}

/* Return: false if something else than room ended the wait. */
static bool room_wait(struct perfmon_session *s)
{
	wait_queue_head_t *room = &s->family->root->block_wait;

	/* No signal would end the wait, and the thread executes its program no more. */
	if (current->flags & PF_EXITING) {
		room_found(s);
		return true;
	}
	return wait_event_idle_timeout(*room, room_found(s), ROOM_PATIENCE) ||
	       !wait_event_freezable(*room, room_found(s));
}

static void room_give_up(struct perfmon_session *s)
{
	local_irq_disable();
	if (perfmon_host_here() == s && s->kept.pmds) {
		perfmon_lose_kept(s);
		room_go_on(s);
	}
	s->block_queued = false;
	local_irq_enable();
}

static void room_work(struct callback_head *head)
{
	struct perfmon_session *s = container_of(head, struct perfmon_session,
						 block_work);

	/* Task works behind this one must not wait, see block.c. */
	if (head->next && !task_work_add(current, head, TWA_RESUME))
		return;
	if (!room_wait(s) && !perfmon_block_signalled()) {
		clear_notify_signal();
		if (!task_work_add(current, head, TWA_RESUME))
			return;
	}
	room_give_up(s);
	perfmon_member_put(s);
}

/**
 * perfmon_room_init - prepare a member for perfmon_room_keep()
 * @s: new session with a family, or a new part
 */
void perfmon_room_init(struct perfmon_session *s)
{
	init_task_work(&s->block_work, room_work);
}

/**
 * perfmon_room_keep - keep overflows until a buffer has room for them
 * @s: session of current
 * @last: what the format was told of the last one that it was asked for
 * @ovfl: their PMDs in the active set
 *
 * The caller takes the set off the hardware.
 *
 * Context: the overflow interrupt.
 * Return: false if the overflows are lost: members do not wait, or the thread will not
 * return to user mode.
 */
bool perfmon_room_keep(struct perfmon_session *s,
		       const struct pfm_ovfl_arg *last, unsigned long ovfl)
{
	/* The root's earlier target may not have run its task work yet. */
	if (!perfmon_room_waits(s) || s->block_queued)
		return false;
	refcount_inc(&s->ref);
	if (task_work_add(current, &s->block_work,
			  TWA_RESUME | TWAF_NO_ALLOC)) {
		WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
		return false;
	}
	perfmon_count(PERFMON_STAT_WORK);
	s->block_queued = true;
	s->kept = (struct perfmon_kept){
		.pmds = ovfl,
		.ip = last->ip,
		.tstamp = last->tstamp,
		.cpu = last->cpu,
	};
	return true;
}
