// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_OVFL_SIGINFO: the monitored thread gets a signal with a mask of the PMDs
 * that have overflowed.
 *
 * The overflow interrupt queues a task work; the thread signals itself before it returns
 * to user mode.  If another task sent the signal from another pid namespace, si_pid,
 * which has the mask, would be lost.  And hard interrupts of PREEMPT_RT cannot take the
 * locks of signals.
 */
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include <asm/perfmon_compat.h>

#include "../session.h"
#include "notify.h"

/* The signal that the owner of the descriptor chose, 0 if none. */
static int siginfo_signal(struct perfmon_msgq *q)
{
	struct fasync_struct *fa;
	struct fown_struct *fown;
	unsigned long flags;
	int sig = 0;

	rcu_read_lock();
	fa = rcu_dereference_raw(q->fasync);
	if (fa) {
		/* fa_file is NULL after O_ASYNC was cleared. */
		read_lock_irqsave(&fa->fa_lock, flags);
		if (fa->fa_file) {
			fown = file_f_owner(fa->fa_file);
			sig = fown && fown->signum ? fown->signum : SIGIO;
		}
		read_unlock_irqrestore(&fa->fa_lock, flags);
	}
	rcu_read_unlock();
	return sig;
}

/* Take the PMDs to signal; 0 if the session has another target by now. */
static u32 siginfo_take_mask(struct perfmon_session *s)
{
	struct task_struct *target;
	u32 mask = 0;

	local_irq_disable();
	s->signal_queued = false;
	target = READ_ONCE(s->target);
	if (!target || target == current)
		swap(mask, s->signal_mask);
	local_irq_enable();
	return mask;
}

static void siginfo_signal_self(struct callback_head *head)
{
	struct perfmon_session *s = container_of(head, struct perfmon_session,
						 signal_work);
	int sig = siginfo_signal(&s->msgq);
	struct kernel_siginfo info;

	clear_siginfo(&info);
	info.si_pmc_ovf_mask = siginfo_take_mask(s);
	if (sig && info.si_pmc_ovf_mask) {
		info.si_signo = sig;
		info.si_code = SI_PMC_OVF;
		send_sig_info(sig, &info, current);
	}
	perfmon_session_put(s);
}

void perfmon_siginfo_init(struct perfmon_session *s)
{
	init_task_work(&s->signal_work, siginfo_signal_self);
}

/**
 * perfmon_siginfo_send - let current signal itself
 * @s: its session
 * @pmds: PMDs 0..31 that have overflowed
 *
 * A system call that is about to sleep is interrupted, as by any signal.  No task is
 * woken: the thread is running.
 *
 * Context: hard interrupt.
 */
void perfmon_siginfo_send(struct perfmon_session *s, u32 pmds)
{
	/* Without O_ASYNC no signal follows: do not interrupt system calls. */
	if (!pmds || !READ_ONCE(s->msgq.fasync))
		return;
	s->signal_mask |= pmds;
	if (s->signal_queued)
		return;
	s->signal_queued = true;
	refcount_inc(&s->ref);
	if (!task_work_add(current, &s->signal_work,
			   TWA_SIGNAL_NO_IPI | TWAF_NO_ALLOC))
		return;
	/* The thread exits: it runs no task work and needs no signal. */
	s->signal_queued = false;
	WARN_ON_ONCE(refcount_dec_and_test(&s->ref));
}
