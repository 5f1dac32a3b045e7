// SPDX-License-Identifier: GPL-2.0-only
/*
 * The built-in host: functions of host.h that are not inline.
 *
 * Owns perfmon_hooks_key, which owner.c switches under its lock, and the file whose
 * dentry is shared by all sessions.
 */
#include <linux/anon_inodes.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/pid.h>
#include <linux/sched/task.h>
#include <linux/sysfs.h>
#include <linux/wait.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/pidfd.h>

#include <asm/unistd.h>

#include "file.h"
#include "host.h"

/*
 * Programs read the first number from sysfs and take the offsets from <linux/perfmon.h>.
 * The numbers of mainline Linux end before it: a table where two rows have one number, or
 * where numbers decrease, does not build.
 */
#define ROW(name, offset) \
	static_assert(__NR_pfm_##name == 500 + PFM_NR_##offset)

ROW(create_session, CREATE_SESSION);
ROW(write_pmrs, WRITE_PMRS);
ROW(read_pmrs, READ_PMRS);
ROW(attach_session, ATTACH_SESSION);
ROW(start_session, START_SESSION);
ROW(stop_session, STOP_SESSION);
ROW(create_sets, CREATE_SETS);
ROW(getinfo_sets, GETINFO_SETS);

DEFINE_STATIC_KEY_FALSE(perfmon_hooks_key);

/** perfmon_host_patch_in - for perfmon_host_hooks_enable() */
void perfmon_host_patch_in(void)
{
	static_branch_enable(&perfmon_hooks_key);
}

/** perfmon_host_hooks_disable - patch the hooks out */
void perfmon_host_hooks_disable(void)
{
	static_branch_disable(&perfmon_hooks_key);
}

/*
 * The files of all sessions look alike, so they share the dentry of this file, which is
 * never opened.
 */
static struct file *first_file __ro_after_init;

static const struct file_operations first_file_fops = {};

/* fs_initcall: the file system of anonymous inodes exists by then. */
static int __init host_make_first_file(void)
{
	struct file *file = anon_inode_getfile(PERFMON_FILE_NAME,
					       &first_file_fops, NULL,
					       O_RDONLY);

	if (IS_ERR(file))
		return PTR_ERR(file);
	first_file = file;
	return 0;
}
fs_initcall_sync(host_make_first_file);

/**
 * perfmon_host_getfile - make the file of a session
 * @fops: its operations
 * @priv: its private_data
 * @flags: O_RDONLY, or O_RDWR if mappings may be written
 *
 * Cheaper than anon_inode_getfile(), which makes a new dentry for each file.
 *
 * Return: the file, or an error.
 */
struct file *perfmon_host_getfile(const struct file_operations *fops,
				  void *priv, int flags)
{
	struct file *file;

	if (unlikely(!first_file))
		return anon_inode_getfile(PERFMON_FILE_NAME, fops, priv, flags);
	file = alloc_file_clone(first_file, flags, fops);
	if (!IS_ERR(file))
		file->private_data = priv;
	return file;
}

static ssize_t syscall_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%u\n", __NR_pfm_create_session);
}

struct kobj_attribute perfmon_host_attr = __ATTR_RO(syscall);

struct off_cpu_call {
	struct perfmon_session *session;
	perfmon_target_fn fn;
	void *arg;
};

/* Context: the thread's run-queue lock, or its pi_lock, keeps the thread in its state. */
static int host_call_unless_running(struct task_struct *task, void *arg)
{
	struct off_cpu_call *call = arg;

	if (task_curr(task))
		return -EAGAIN;
	call->fn(call->session, call->arg);
	return 0;
}

/**
 * perfmon_host_run_off_cpu - call a function while a thread runs nowhere
 * @s: session, locked, attached to a thread
 * @fn: must not sleep nor wake a task
 * @arg: for @fn
 *
 * Return: false if the thread is running; then @fn was not called.
 */
bool perfmon_host_run_off_cpu(struct perfmon_session *s, perfmon_target_fn fn,
			      void *arg)
{
	struct off_cpu_call call = { .session = s, .fn = fn, .arg = arg };

	return !task_call_func(s->target, host_call_unless_running, &call);
}

static struct task_struct *host_found(struct task_struct *task)
{
	return task ? task : ERR_PTR(-ESRCH);
}

/**
 * perfmon_host_find_task - find a thread by its number
 * @number: in the caller's pid namespace
 *
 * Return: the thread with a reference, or -ESRCH.
 */
struct task_struct *perfmon_host_find_task(int number)
{
	/* Most programs monitor themselves. */
	if (number == task_pid_vnr(current))
		return get_task_struct(current);
	return host_found(number > 0 ? find_get_task_by_vpid(number) : NULL);
}

/**
 * perfmon_host_pidfd_task - find the thread that a pidfd names
 * @fd: descriptor; a pidfd of a process names its first thread
 *
 * Return: the thread with a reference, -EBADF if @fd is no pidfd, or -ESRCH.
 */
struct task_struct *perfmon_host_pidfd_task(int fd)
{
	struct task_struct *task;
	unsigned int flags;
	struct pid *pid;

	pid = pidfd_get_pid(fd, &flags);
	if (IS_ERR(pid))
		return ERR_CAST(pid);
	task = get_pid_task(pid, flags & PIDFD_THREAD ? PIDTYPE_PID :
							PIDTYPE_TGID);
	put_pid(pid);
	return host_found(task);
}
