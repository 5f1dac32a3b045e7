// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings of the kernel that it shows in files, and does not export.
 *
 * perf_event_paranoid is read whenever a session is created. Looking up its path takes
 * many times as long as reading it, so it stays open, in a mount of /proc that nobody
 * else sees: a file that is open in the system's own would keep that from being
 * unmounted.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/mount.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include "host.h"

#define PARANOID	"/sys/kernel/perf_event_paranoid"	/* below /proc */

/* Level to assume if the file cannot be read: privileged callers only. */
#define PARANOID_CLOSED	4

/* Constant between the module's init and its exit; NULL: there is none. */
static struct vfsmount *settings_mount;
static struct file *settings_paranoid;

/* Becomes the kernel, with its rights. Return: for settings_as_caller(). */
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
 * perfmon_host_settings_init - open what is read often
 *
 * What cannot be opened is looked up each time.
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
	if (!IS_ERR(file))
		settings_paranoid = file;
}

/** perfmon_host_settings_exit - undo perfmon_host_settings_init() */
void perfmon_host_settings_exit(void)
{
	if (settings_paranoid)
		filp_close(settings_paranoid, NULL);
	if (settings_mount)
		kern_unmount(settings_mount);
}

static int settings_number(struct file *file, int missing)
{
	char text[16] = "";
	loff_t pos = 0;
	int value;

	if (kernel_read(file, text, sizeof(text) - 1, &pos) <= 0 ||
	    kstrtoint(strim(text), 10, &value))
		return missing;
	return value;
}

/**
 * perfmon_host_first_program - find the thread that the system began with
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
 * The root of the system's first program.  That of the kernel's own threads may have
 * nothing mounted below it.
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
 * perfmon_host_sysctl - read a number that the kernel shows, but does not export
 * @path: file in /proc/sys or /sys
 * @missing: value to assume if the file cannot be read
 *
 * The system's root and the kernel's rights, whatever the caller has mounted and may
 * read.
 *
 * Context: may sleep.
 * Return: the number.
 */
int perfmon_host_sysctl(const char *path, int missing)
{
	const struct cred *caller = settings_as_kernel();
	int value = missing;
	struct path root;
	struct file *file;

	if (settings_system_root(&root))
		goto out;
	file = file_open_root(&root, path, O_RDONLY, 0);
	path_put(&root);
	if (!IS_ERR(file)) {
		value = settings_number(file, missing);
		filp_close(file, NULL);
	}
out:
	settings_as_caller(caller);
	return value;
}

/** perfmon_host_paranoid - kernel.perf_event_paranoid; may sleep */
int perfmon_host_paranoid(void)
{
	const struct cred *caller;
	int level;

	if (!settings_paranoid)
		return perfmon_host_sysctl("/proc" PARANOID, PARANOID_CLOSED);
	caller = settings_as_kernel();
	level = settings_number(settings_paranoid, PARANOID_CLOSED);
	settings_as_caller(caller);
	return level;
}
