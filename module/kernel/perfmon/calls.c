// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of a module: /dev/perfmon, which creates sessions, and the ioctls of
 * a session's file.
 */
#include <linux/compat.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <uapi/linux/perfmon_ioctl.h>

#include "calls.h"
#include "host.h"

/* All users may open it; pfm_create_session() checks permissions. */
#define DEVICE_MODE	0666

/*
 * Without a session (@file is NULL), errors that precede -EBADF are still reported first.
 */
static long calls_do(struct file *file, unsigned int cmd,
		     const struct pfm_ioc_args *args)
{
	const struct pfm_ioc_args a = *args;

	switch (cmd) {
	case PFM_IOC_READ_PMRS:
		return perfmon_pfm_read_pmrs(file, a.flags,
					     u64_to_user_ptr(a.vec), a.n,
					     u64_to_user_ptr(a.extra));
	case PFM_IOC_WRITE_PMRS:
		return perfmon_pfm_write_pmrs(file, a.flags,
					      u64_to_user_ptr(a.vec), a.n,
					      u64_to_user_ptr(a.extra));
	case PFM_IOC_START:
		return perfmon_pfm_start_session(file, a.flags);
	case PFM_IOC_STOP:
		return perfmon_pfm_stop_session(file, a.flags);
	case PFM_IOC_ATTACH:
		return perfmon_pfm_attach_session(file, a.flags, a.n);
	case PFM_IOC_CREATE_SETS:
		return perfmon_pfm_create_sets(file, a.flags,
					       u64_to_user_ptr(a.vec), a.n);
	case PFM_IOC_GETINFO_SETS:
		return perfmon_pfm_getinfo_sets(file, a.flags,
						u64_to_user_ptr(a.vec), a.n);
	}
	return -ENOTTY;
}

/* copy_from_user() without a call. */
static __always_inline bool calls_get(struct pfm_ioc_args *a, unsigned long arg)
{
	const struct pfm_ioc_args __user *from = (void __user *)arg;

	if (!user_access_begin(from, sizeof(*from)))
		return false;
	unsafe_get_user(a->flags, &from->flags, fault);
	unsafe_get_user(a->n, &from->n, fault);
	unsafe_get_user(a->vec, &from->vec, fault);
	unsafe_get_user(a->extra, &from->extra, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/* The call that programs make most: one function with all that it calls. */
static noinline __flatten long calls_read(struct file *file, unsigned long arg)
{
	struct pfm_ioc_args a;

	if (!calls_get(&a, arg))
		return -EFAULT;
	return perfmon_pfm_read_pmrs(file, a.flags, u64_to_user_ptr(a.vec), a.n,
				     u64_to_user_ptr(a.extra));
}

static bool calls_known(unsigned int cmd)
{
	return cmd >= PFM_IOC_CREATE && cmd <= PFM_IOC_GETINFO_SETS;
}

static noinline long calls_session(struct file *file, unsigned int cmd,
				   unsigned long arg)
{
	struct pfm_ioc_args a;

	if (!calls_known(cmd))
		return -ENOTTY;
	if (copy_from_user(&a, (void __user *)arg, sizeof(a)))
		return -EFAULT;
	return calls_do(file, cmd, &a);
}

/**
 * perfmon_file_ioctl - the calls on a session
 * @file: file of the session
 * @cmd: PFM_IOC_*
 * @arg: address of a struct pfm_ioc_args
 *
 * Return: the call's result; -ENOTTY if @cmd is unknown; -EFAULT for a bad @arg.
 */
long perfmon_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == PFM_IOC_READ_PMRS)
		return calls_read(file, arg);
	return calls_session(file, cmd, arg);
}

/* Calls that need a session fail here as on any descriptor that is no session. */
static long calls_device_ioctl(struct file *file, unsigned int cmd,
			       unsigned long arg)
{
	struct pfm_ioc_args a;

	if (!calls_known(cmd))
		return -ENOTTY;
	if (copy_from_user(&a, (void __user *)arg, sizeof(a)))
		return -EFAULT;
	if (cmd != PFM_IOC_CREATE)
		return calls_do(NULL, cmd, &a);
	if (a.size > SIZE_MAX)
		return -EINVAL;
	return perfmon_pfm_create_session(a.flags, u64_to_user_ptr(a.vec),
					  u64_to_user_ptr(a.extra), a.size);
}

static const struct file_operations device_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = calls_device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "perfmon",
	.fops = &device_fops,
	.mode = DEVICE_MODE,
};

/**
 * perfmon_calls_init - make /dev/perfmon
 *
 * Return: 0 or an error.
 */
int perfmon_calls_init(void)
{
	return misc_register(&device);
}

/** perfmon_calls_exit - undo perfmon_calls_init(); the device is not open */
void perfmon_calls_exit(void)
{
	misc_deregister(&device);
}
