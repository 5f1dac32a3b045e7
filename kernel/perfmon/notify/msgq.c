// SPDX-License-Identifier: GPL-2.0-only
/*
 * The messages of a session, and the wake-up of their readers.
 *
 * The overflow interrupt adds messages, readers remove them; the queue has a raw,
 * interrupt-safe lock of its own.  The overflow interrupt must not wake readers itself;
 * an irq_work wakes them right after it.
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../session.h"
#include "msgq.h"

static struct perfmon_session *msgq_session(struct perfmon_msgq *q)
{
	return container_of(q, struct perfmon_session, msgq);
}

static void msgq_wake_readers(struct perfmon_msgq *q)
{
	struct perfmon_session *s = msgq_session(q);

	wake_up_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
	if (!(s->flags & PFM_FL_OVFL_SIGINFO))
		kill_fasync(&q->fasync, SIGIO, POLL_IN);
}

static void msgq_notify_work(struct work_struct *work)
{
	struct perfmon_msgq *q =
		container_of(work, struct perfmon_msgq, rt_work);

	msgq_wake_readers(q);
	perfmon_session_put(msgq_session(q));
}

/*
 * This may run on two CPUs at once, when the monitored thread has moved; irq_work_sync()
 * would wait for one of them only.  Therefore each run has a reference to the session.
 * The irq_work is touched once more after this function returns, so the session is freed
 * after a grace period of RCU.
 *
 * On PREEMPT_RT the locks below cannot be taken in hard interrupts.  A threaded irq_work
 * could be preempted between the return of this function and that last touch; so the
 * irq_work is hard, and queues a work.
 */
static void msgq_notify(struct irq_work *work)
{
	struct perfmon_msgq *q = container_of(work, struct perfmon_msgq, work);

	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		msgq_wake_readers(q);
	else if (queue_work(system_highpri_wq, &q->rt_work))
		return;
	perfmon_session_put_atomic(msgq_session(q));
}

void perfmon_msgq_init(struct perfmon_msgq *q)
{
	raw_spin_lock_init(&q->lock);
	init_waitqueue_head(&q->wait);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		q->work = IRQ_WORK_INIT_HARD(msgq_notify);
	else
		init_irq_work(&q->work, msgq_notify);
	INIT_WORK(&q->rt_work, msgq_notify_work);
}

/** perfmon_msgq_clear - drop all messages, for a new attachment */
void perfmon_msgq_clear(struct perfmon_msgq *q)
{
	raw_spin_lock_irq(&q->lock);
	q->head = 0;
	q->count = 0;
	q->end = false;
	raw_spin_unlock_irq(&q->lock);
}

/**
 * perfmon_msgq_end - queue the END message and wake the readers
 * @q: queue
 *
 * Context: process context.
 */
void perfmon_msgq_end(struct perfmon_msgq *q)
{
	raw_spin_lock_irq(&q->lock);
	q->end = true;
	raw_spin_unlock_irq(&q->lock);
	wake_up_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
	kill_fasync(&q->fasync, SIGIO, POLL_IN);
}

/**
 * perfmon_msgq_add - queue an overflow message and have the readers woken
 * @q: queue
 * @msg: message
 * @silent: wake the readers, but queue no message
 *
 * If the queue is full, the message is dropped and no reader is woken.
 *
 * Context: hard interrupt.
 */
void perfmon_msgq_add(struct perfmon_msgq *q, const struct pfarg_ovfl_msg *msg,
		      bool silent)
{
	bool room;

	raw_spin_lock(&q->lock);
	room = silent || q->count < PERFMON_MSGQ_DEPTH;
	if (room && !silent)
		q->ring[(q->head + q->count++) % PERFMON_MSGQ_DEPTH] = *msg;
	q->told |= room;
	raw_spin_unlock(&q->lock);
	/* The work cannot run, and drop this reference, before the interrupt returns. */
	if (room && irq_work_queue(&q->work))
		refcount_inc(&msgq_session(q)->ref);
}

/* No lock: only one writer adds messages, so the room that it sees here stays. */
bool perfmon_msgq_full(const struct perfmon_msgq *q)
{
	return READ_ONCE(q->count) == PERFMON_MSGQ_DEPTH;
}

bool perfmon_msgq_empty(struct perfmon_msgq *q)
{
	return !READ_ONCE(q->count) && !READ_ONCE(q->end);
}

/* Take the oldest message.  Return: false if there is none. */
bool perfmon_msgq_take(struct perfmon_msgq *q, union pfarg_msg *msg)
{
	bool taken = true;

	memset(msg, 0, sizeof(*msg));
	raw_spin_lock_irq(&q->lock);
	if (q->count) {
		msg->pfm_ovfl_msg = q->ring[q->head];
		q->head = (q->head + 1) % PERFMON_MSGQ_DEPTH;
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
