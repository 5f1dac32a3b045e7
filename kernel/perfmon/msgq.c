// SPDX-License-Identifier: GPL-2.0-only
/*
 * The messages of a session and who is told of them.
 *
 * Messages are added in the overflow interrupt and removed by readers; the
 * queue has a raw, interrupt-safe lock of its own.  Nobody is woken from the
 * interrupt or under the run-queue lock: an irq_work does that, right after.
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "perfmon.h"

static struct pfm_session *msgq_session(struct pfm_msgq *q)
{
	return container_of(q, struct pfm_session, msgq);
}

/* The signal that the owner of the descriptor chose, 0 for none. */
static int chosen_signal(struct pfm_msgq *q)
{
	struct fasync_struct *fa;
	struct fown_struct *fown;
	int sig = 0;

	rcu_read_lock();
	fa = rcu_dereference_raw(q->fasync);
	if (fa && fa->fa_file) {
		fown = file_f_owner(fa->fa_file);
		sig = fown && fown->signum ? fown->signum : SIGIO;
	}
	rcu_read_unlock();
	return sig;
}

/* PFM_FL_OVFL_SIGINFO: the monitored thread itself learns what overflowed. */
static void signal_target(struct pfm_session *s)
{
	struct kernel_siginfo info;
	unsigned long flags;
	int sig = chosen_signal(&s->msgq);

	clear_siginfo(&info);
	raw_spin_lock_irqsave(&s->msgq.lock, flags);
	info.si_pmc_ovf_mask = s->msgq.ovfl_mask;
	s->msgq.ovfl_mask = 0;
	raw_spin_unlock_irqrestore(&s->msgq.lock, flags);
	if (!sig || !info.si_pmc_ovf_mask)
		return;
	info.si_signo = sig;
	info.si_code = SI_PMC_OVF;
	/* Detaching waits for this work before it lets go of the target. */
	send_sig_info(sig, &info, s->target);
}

static void tell(struct irq_work *work)
{
	struct pfm_msgq *q = container_of(work, struct pfm_msgq, work);
	struct pfm_session *s = msgq_session(q);

	wake_up_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
	if (s->flags & PFM_FL_OVFL_SIGINFO)
		signal_target(s);
	else
		kill_fasync(&q->fasync, SIGIO, POLL_IN);
}

void perfmon_msgq_init(struct pfm_msgq *q)
{
	raw_spin_lock_init(&q->lock);
	init_waitqueue_head(&q->wait);
	init_irq_work(&q->work, tell);
}

/** perfmon_msgq_clear - forget all messages, as a new attachment does */
void perfmon_msgq_clear(struct pfm_msgq *q)
{
	raw_spin_lock_irq(&q->lock);
	q->head = 0;
	q->count = 0;
	q->end = false;
	q->ovfl_mask = 0;
	raw_spin_unlock_irq(&q->lock);
}

/**
 * perfmon_msgq_end - queue the END message and tell everybody
 * @q: queue
 *
 * Context: process context.
 */
void perfmon_msgq_end(struct pfm_msgq *q)
{
	raw_spin_lock_irq(&q->lock);
	q->end = true;
	raw_spin_unlock_irq(&q->lock);
	wake_up_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
	kill_fasync(&q->fasync, SIGIO, POLL_IN);
}

/**
 * perfmon_msgq_add - queue an overflow message and have everybody told
 * @q: queue
 * @msg: message
 * @silent: tell, but queue nothing
 *
 * Context: hard interrupt.
 * Return: false if the queue is full; then nobody is told.
 */
bool perfmon_msgq_add(struct pfm_msgq *q, const struct pfarg_ovfl_msg *msg,
		      bool silent)
{
	bool room;

	raw_spin_lock(&q->lock);
	room = silent || q->count < PFM_MSGQ_DEPTH;
	if (room)
		q->ovfl_mask |= msg->msg_ovfl_pmds[0];
	if (room && !silent)
		q->ring[(q->head + q->count++) % PFM_MSGQ_DEPTH] = *msg;
	q->told |= room;
	raw_spin_unlock(&q->lock);
	if (room)
		irq_work_queue(&q->work);
	return room;
}

/**
 * perfmon_msgq_sync - wait until everybody has been told
 * @q: queue of a session that no overflow finds any more
 *
 * Where irq_work has no interrupt of its own, waiting for it takes an RCU grace
 * period; most sessions have nothing to wait for.
 *
 * Context: may sleep.
 */
void perfmon_msgq_sync(struct pfm_msgq *q)
{
	if (!q->told)
		return;
	irq_work_sync(&q->work);
	q->told = false;
}

bool perfmon_msgq_empty(struct pfm_msgq *q)
{
	return !READ_ONCE(q->count) && !READ_ONCE(q->end);
}

/* Take the oldest message.  Return: false if there is none. */
bool perfmon_msgq_take(struct pfm_msgq *q, union pfarg_msg *msg)
{
	bool taken = true;

	memset(msg, 0, sizeof(*msg));
	raw_spin_lock_irq(&q->lock);
	if (q->count) {
		msg->pfm_ovfl_msg = q->ring[q->head];
		q->head = (q->head + 1) % PFM_MSGQ_DEPTH;
		q->count--;
	} else if (q->end) {
		msg->type = PFM_MSG_END;
		q->end = false;
	} else {
		taken = false;
	}
	raw_spin_unlock_irq(&q->lock);
	return taken;
}
