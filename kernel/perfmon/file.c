// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file descriptor of a session: read, poll, fasync, mmap, release, and
 * its lines in /proc.
 *
 * Messages are in notify/msgq.c, the memory behind mmap in smpl/buffer.c and
 * page/mapping.c.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/uio.h>

#include "family/family.h"
#include "file.h"
#include "host.h"
#include "smpl/smpl.h"
#include "target.h"

/* A read returns one message, whatever the size of the buffer. */
static ssize_t perfmon_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct perfmon_session *s = iocb->ki_filp->private_data;
	struct perfmon_msgq *q = &s->msgq;
	union pfarg_msg msg;
	int err;

	if (iov_iter_count(to) < sizeof(msg))
		return -EINVAL;
	while (!perfmon_msgq_take(q, &msg)) {
		if ((iocb->ki_filp->f_flags & O_NONBLOCK) ||
		    (iocb->ki_flags & IOCB_NOWAIT))
			return -EAGAIN;
		err = wait_event_interruptible(q->wait,
					       !perfmon_msgq_empty(q));
		if (err)
			return err;
	}
	if (copy_to_iter(&msg, sizeof(msg), to) != sizeof(msg))
		return -EFAULT;
	return sizeof(msg);
}

static __poll_t perfmon_poll(struct file *file, struct poll_table_struct *wait)
{
	struct perfmon_session *s = file->private_data;

	poll_wait(file, &s->msgq.wait, wait);
	return perfmon_msgq_empty(&s->msgq) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static int perfmon_fasync(int fd, struct file *file, int on)
{
	struct perfmon_session *s = file->private_data;

	return fasync_helper(fd, file, on, &s->msgq.fasync);
}

static int perfmon_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct perfmon_session *s = file->private_data;

	if (vma->vm_pgoff == PFM_MMAP_STATE >> PAGE_SHIFT)
		return perfmon_page_mmap(s, vma);
	if (vma->vm_pgoff == PFM_MMAP_RELEASED >> PAGE_SHIFT)
		return perfmon_cpus_mmap(s, vma);
	/* Only a family has several buffers. */
	if (!s->buf || (vma->vm_pgoff && !perfmon_family(s)))
		return -EINVAL;
	return perfmon_buffer_mmap(s->buf, vma, vma->vm_pgoff, false);
}

#ifdef CONFIG_PROC_FS
static const char *file_state_name(const struct perfmon_session *s)
{
	if (s->ended)
		return "ended";
	switch (READ_ONCE(s->state)) {
	case PERFMON_UNLOADED:
		return "detached";
	case PERFMON_MASKED:
		return "masked";
	default:
		return "attached";
	}
}

/* The losses are hot.  Context: on the target. */
static void file_get_loss(struct perfmon_session *s, void *loss)
{
	perfmon_loss_get(s, loss);
}

static void file_show_family(struct seq_file *m, struct perfmon_session *s)
{
	u64 loss[ARRAY_SIZE(((struct pfarg_setinfo *)0)->set_reserved3)] = { };

	perfmon_family_loss(s, loss);
	seq_printf(m, "perfmon-parts:\t%u\n", perfmon_family_parts(s));
	seq_printf(m, "perfmon-parts-begun:\t%llu\n", loss[PFM_LOSS_PARTS]);
	seq_printf(m, "perfmon-parts-lost:\t%llu\n", loss[PFM_LOSS_LOST]);
	seq_printf(m, "perfmon-parts-left:\t%llu\n", loss[PFM_LOSS_LEFT]);
}

/* /proc/PID/fdinfo/FD; the thread id is the one in the reader's pid namespace. */
static void perfmon_show_fdinfo(struct seq_file *m, struct file *file)
{
	u64 loss[ARRAY_SIZE(((struct pfarg_setinfo *)0)->set_reserved3)] = { };
	struct perfmon_session *s = file->private_data;

	mutex_lock(&s->lock);
	perfmon_on_target(s, perfmon_caller_any(s), file_get_loss, loss);
	seq_printf(m, "perfmon-flags:\t0x%x\n", s->flags);
	if (s->target)
		seq_printf(m, "perfmon-target:\tthread %d\n",
			   task_pid_vnr(s->target));
	else if (s->cpu >= 0)
		seq_printf(m, "perfmon-target:\tcpu %d\n", s->cpu);
	else
		seq_puts(m, "perfmon-target:\tnone\n");
	seq_printf(m, "perfmon-state:\t%s\n", file_state_name(s));
	seq_printf(m, "perfmon-sets:\t%u\n", s->nr_sets);
	seq_printf(m, "perfmon-started:\t%d\n",
		   READ_ONCE(s->started));
	seq_printf(m, "perfmon-lost-overflows:\t%llu\n",
		   loss[PFM_LOSS_OVERFLOWS]);
	seq_printf(m, "perfmon-lost-blind-ns:\t%llu\n",
		   loss[PFM_LOSS_BLIND_NS]);
	seq_printf(m, "perfmon-lost-throttled-ns:\t%llu\n",
		   loss[PFM_LOSS_THROTTLED_NS]);
	if (perfmon_family(s))
		file_show_family(m, s);
	mutex_unlock(&s->lock);
}
#endif

static int perfmon_release(struct inode *inode, struct file *file)
{
	struct perfmon_session *s = file->private_data;

	mutex_lock(&s->lock);
	if (perfmon_session_attached(s))
		perfmon_detach(s, false);
	mutex_unlock(&s->lock);
	perfmon_session_put(s);
	return 0;
}

static const struct file_operations perfmon_fops = {
	.owner = THIS_MODULE,
	.read_iter = perfmon_read_iter,
	.poll = perfmon_poll,
	.fasync = perfmon_fasync,
	.mmap = perfmon_mmap,
	PERFMON_HOST_FILE_CALLS
	.release = perfmon_release,
#ifdef CONFIG_PROC_FS
	.show_fdinfo = perfmon_show_fdinfo,
#endif
};

/**
 * perfmon_file_new - make the file of a session
 * @s: session; the file takes over the caller's reference
 *
 * Return: the file, or an error; then the caller keeps the reference.
 */
struct file *perfmon_file_new(struct perfmon_session *s)
{
	bool writes = perfmon_family(s) && s->flags & PFM_FL_SMPL_FMT;
	struct file *file;

	/*
	 * Programs write to a page to give back the halves of a family's
	 * buffers.
	 */
	file = perfmon_host_getfile(&perfmon_fops, s,
				    writes ? O_RDWR : O_RDONLY);
	if (IS_ERR(file))
		return file;
	/* A read can be asked not to wait: RWF_NOWAIT, io_uring. */
	file->f_mode |= FMODE_NOWAIT;
	return file;
}

/** perfmon_file_session - session of a file, NULL if the file names none */
struct perfmon_session *perfmon_file_session(const struct file *file)
{
	return file->f_op == &perfmon_fops ? file->private_data : NULL;
}
