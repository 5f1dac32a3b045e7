// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings that the kernel shows in files, but does not export.
 *
 * perf_event_paranoid is read at the creation of each session. Looking up its path takes
 * much longer than reading it, so the file stays open. It is opened in a private mount of
 * /proc: an open file would keep the system's own /proc from being unmounted.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kstrtox.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task.h>
#include <linux/uio.h>

#include "host.h"

#define PARANOID	"/sys/kernel/perf_event_paranoid"	/* below /proc */

/* Level to assume if the file cannot be read: privileged callers only. */
#define PARANOID_CLOSED	4

/* Constant between the module's init and its exit; NULL if the mount or file failed. */
static struct vfsmount *settings_mount;
static struct file *settings_paranoid;

/* The last level, and the jiffy that it was read in. */
static int settings_level = PARANOID_CLOSED;
static unsigned long settings_read_at;

/* Take the kernel's credentials. Return: argument for settings_as_caller(). */
static const struct cred *settings_as_kernel(void)
{
	return override_creds(get_task_cred(&init_task));
}

static void settings_as_caller(const struct cred *caller)
{
	const struct cred *kernel = current_cred();

	revert_creds(caller);
	put_cred(kernel);
}

/**
 * perfmon_host_settings_init - open files that are read often
 *
 * A file that cannot be opened is looked up for each read.
 */
void __init perfmon_host_settings_init(void)
{
	struct file_system_type *proc = get_fs_type("proc");
	struct vfsmount *mount = proc ? kern_mount(proc) : NULL;
	struct file *file;
	struct path root;

	if (IS_ERR_OR_NULL(mount))
		return;
	settings_mount = mount;
	root = (struct path){ .mnt = mount, .dentry = mount->mnt_root };
	file = file_open_root(&root, PARANOID, O_RDONLY, 0);
	if (IS_ERR(file))
		return;
	if (file->f_op->read_iter)
		settings_paranoid = file;
	else
		filp_close(file, NULL);
}

/** perfmon_host_settings_exit - undo perfmon_host_settings_init() */
void perfmon_host_settings_exit(void)
{
	if (settings_paranoid)
		filp_close(settings_paranoid, NULL);
	if (settings_mount)
		kern_unmount(settings_mount);
}

/* Room for a number, its newline, and the end of the string. */
#define SETTINGS_TEXT	16

/* The number in the @length bytes of @text; all other bytes of @text are 0. */
static int settings_number(const char *text, ssize_t length, int missing)
{
	int value;

	return length <= 0 || kstrtoint(text, 10, &value) ? missing : value;
}

/**
 * perfmon_host_first_program - find the first thread of the system
 *
 * Return: the thread with a reference, or NULL.
 */
struct task_struct *perfmon_host_first_program(void)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(1, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/*
 * The root directory of the system's first program. In the root of the kernel's own
 * threads nothing may be mounted.
 */
static int settings_system_root(struct path *root)
{
	struct task_struct *task = perfmon_host_first_program();
	int err = -ESRCH;

	if (!task)
		return err;
	task_lock(task);
	if (task->fs) {
		get_fs_root(task->fs, root);
		err = 0;
	}
	task_unlock(task);
	put_task_struct(task);
	return err;
}

/**
 * perfmon_host_sysctl - read a number that the kernel shows in a file
 * @path: file in /proc/sys or /sys
 * @missing: value to assume if the file cannot be read
 *
 * The path is looked up in the system's root and with the kernel's rights, independent of
 * the caller's mounts and permissions.
 *
 * Context: may sleep.
 * Return: the number.
 */
int perfmon_host_sysctl(const char *path, int missing)
{
	const struct cred *caller = settings_as_kernel();
	char text[SETTINGS_TEXT] = "";
	int value = missing;
	struct path root;
	struct file *file;
	loff_t pos = 0;

	if (settings_system_root(&root))
		goto out;
	file = file_open_root(&root, path, O_RDONLY, 0);
	path_put(&root);
	if (!IS_ERR(file)) {
		value = settings_number(text,
					kernel_read(file, text,
						    sizeof(text) - 1, &pos),
					missing);
		filp_close(file, NULL);
	}
out:
	settings_as_caller(caller);
	return value;
}

/*
 * All users may read the file, and it was opened by the kernel: its operation is called
 * without what else a read(2) does, which asks the security modules about the caller.
 */
static int settings_read_paranoid(void)
{
	char text[SETTINGS_TEXT] = "";
	struct kvec vec = { .iov_base = text, .iov_len = sizeof(text) - 1 };
	struct kiocb from = { .ki_filp = settings_paranoid };
	struct iov_iter to;

	if (!settings_paranoid)
		return perfmon_host_sysctl("/proc" PARANOID, PARANOID_CLOSED);
	iov_iter_kvec(&to, READ, &vec, 1, vec.iov_len);
	return settings_number(text,
			       settings_paranoid->f_op->read_iter(&from, &to),
			       PARANOID_CLOSED);
}

/**
 * perfmon_host_paranoid - kernel.perf_event_paranoid
 *
 * It is read anew each time, so that a right ends when the administrator takes it.  No
 * level keeps those out who may count everything: for them it only says whether they make
 * use of that, and may be as old as the present tick.
 *
 * Context: may sleep.
 * Return: the level.
 */
int perfmon_host_paranoid(void)
{
	unsigned long now = jiffies;
	int level;

	if (READ_ONCE(settings_read_at) == now &&
	    has_capability_noaudit(current, CAP_PERFMON))
		return READ_ONCE(settings_level);
	level = settings_read_paranoid();
	WRITE_ONCE(settings_level, level);
	WRITE_ONCE(settings_read_at, now);
	return level;
}
