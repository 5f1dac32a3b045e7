// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file descriptor of a session and its message queue.
 *
 * The queue has a lock of its own, taken with interrupts off and never
 * together with pfm_session.lock held by a reader: messages are added by the
 * kernel, readers only remove them.  Nobody is woken under the run-queue
 * lock: messages come from process context, or from irq_work.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/poll.h>
#include <linux/string.h>
#include <linux/uio.h>

#include "perfmon.h"

static_assert(sizeof(union pfarg_msg) == 64);

void perfmon_msgq_init(struct pfm_msgq *q)
{
	spin_lock_init(&q->lock);
	init_waitqueue_head(&q->wait);
}

/** perfmon_msgq_clear - forget all messages, as a new attachment does */
void perfmon_msgq_clear(struct pfm_msgq *q)
{
	spin_lock_irq(&q->lock);
	q->head = 0;
	q->count = 0;
	q->end = false;
	spin_unlock_irq(&q->lock);
}

/**
 * perfmon_msgq_end - queue the END message and tell everybody
 * @q: queue
 *
 * Context: process context or irq_work; no run-queue lock held.
 */
void perfmon_msgq_end(struct pfm_msgq *q)
{
	unsigned long flags;

	spin_lock_irqsave(&q->lock, flags);
	q->end = true;
	spin_unlock_irqrestore(&q->lock, flags);
	wake_up_poll(&q->wait, EPOLLIN | EPOLLRDNORM);
	kill_fasync(&q->fasync, SIGIO, POLL_IN);
}

static bool msgq_empty(struct pfm_msgq *q)
{
	return !READ_ONCE(q->count) && !READ_ONCE(q->end);
}

/* Take the oldest message.  Return: false if there is none. */
static bool msgq_take(struct pfm_msgq *q, union pfarg_msg *msg)
{
	bool taken = true;

	memset(msg, 0, sizeof(*msg));
	spin_lock_irq(&q->lock);
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
	spin_unlock_irq(&q->lock);
	return taken;
}

/* One message a call, whatever the size of the buffer. */
static ssize_t perfmon_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct pfm_session *s = iocb->ki_filp->private_data;
	struct pfm_msgq *q = &s->msgq;
	union pfarg_msg msg;
	int err;

	if (iov_iter_count(to) < sizeof(msg))
		return -EINVAL;
	while (!msgq_take(q, &msg)) {
		if ((iocb->ki_filp->f_flags & O_NONBLOCK) ||
		    (iocb->ki_flags & IOCB_NOWAIT))
			return -EAGAIN;
		err = wait_event_interruptible(q->wait, !msgq_empty(q));
		if (err)
			return err;
	}
	if (copy_to_iter(&msg, sizeof(msg), to) != sizeof(msg))
		return -EFAULT;
	return sizeof(msg);
}

static __poll_t perfmon_poll(struct file *file, struct poll_table_struct *wait)
{
	struct pfm_session *s = file->private_data;

	poll_wait(file, &s->msgq.wait, wait);
	return msgq_empty(&s->msgq) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static int perfmon_fasync(int fd, struct file *file, int on)
{
	struct pfm_session *s = file->private_data;

	return fasync_helper(fd, file, on, &s->msgq.fasync);
}

/* No session has a sampling buffer yet. */
static int perfmon_mmap(struct file *file, struct vm_area_struct *vma)
{
	return -EINVAL;
}

static int perfmon_release(struct inode *inode, struct file *file)
{
	perfmon_session_close(file->private_data);
	return 0;
}

const struct file_operations perfmon_fops = {
	.owner = THIS_MODULE,
	.read_iter = perfmon_read_iter,
	.poll = perfmon_poll,
	.fasync = perfmon_fasync,
	.mmap = perfmon_mmap,
	.release = perfmon_release,
};

/** perfmon_file_session - session of a file, NULL if the file names none */
struct pfm_session *perfmon_file_session(struct file *file)
{
	return file->f_op == &perfmon_fops ? file->private_data : NULL;
}
