// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registry of sampling formats, and how a session sets up and tears down its
 * format.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/errno.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/uaccess.h>

#include "../access.h"
#include "../family/family.h"
#include "../session.h"
#include "smpl.h"

/* Longest name, without the NUL. */
#define FMT_NAME_MAX	255

#define FMT_FLAGS	(PFM_FMTFL_BUILTIN | PFM_FMTFL_CPUS | PFM_FMTFL_STACK)

static LIST_HEAD(formats);
static struct kobject *formats_dir;
static DEFINE_MUTEX(formats_lock);	/* protects formats and formats_dir */

static struct pfm_smpl_fmt *fmt_find(const char *name)
{
	struct pfm_smpl_fmt *fmt;

	list_for_each_entry(fmt, &formats, list)
		if (!strcmp(fmt->name, name))
			return fmt;
	return NULL;
}

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	struct pfm_smpl_fmt *fmt = container_of(attr, struct pfm_smpl_fmt,
						version_attr);

	/* The directory goes, and waits for us, before the format does. */
	return sysfs_emit(buf, "%u.%u\n", PFM_VERSION_MAJOR(fmt->version),
			  PFM_VERSION_MINOR(fmt->version));
}

static int fmt_add_dir(struct pfm_smpl_fmt *fmt)
{
	int err;

	if (!formats_dir)
		return 0;
	fmt->dir = kobject_create_and_add(fmt->name, formats_dir);
	if (!fmt->dir)
		return -ENOMEM;
	fmt->version_attr = (struct kobj_attribute)__ATTR_RO(version);
	sysfs_attr_init(&fmt->version_attr.attr);
	err = sysfs_create_file(fmt->dir, &fmt->version_attr.attr);
	if (err) {
		kobject_put(fmt->dir);
		fmt->dir = NULL;
	}
	return err;
}

static bool fmt_name_valid(const char *name)
{
	size_t len = name ? strnlen(name, FMT_NAME_MAX + 1) : 0;

	return len && len <= FMT_NAME_MAX && !strchr(name, '/') &&
	       strcmp(name, ".") && strcmp(name, "..");
}

static bool fmt_valid(const struct pfm_smpl_fmt *fmt)
{
	return fmt_name_valid(fmt->name) && fmt->handler &&
	       fmt->arg_size <= PAGE_SIZE &&
	       fmt->queue_depth <= PERFMON_MSGQ_DEPTH &&
	       !(fmt->flags & ~FMT_FLAGS) && !fmt->record == !fmt->room &&
	       (fmt->owner || (fmt->flags & PFM_FMTFL_BUILTIN));
}

/**
 * pfm_register_smpl_fmt - make a sampling format known
 * @fmt: filled; stays where it is until it is unregistered
 *
 * Context: may sleep.
 * Return: 0; -EINVAL: no handler, only one of record and room, bad name, size, flags or
 * depth, no owner;
 * -EBUSY: the name is taken; -ENOMEM.
 */
int pfm_register_smpl_fmt(struct pfm_smpl_fmt *fmt)
{
	int err;

	if (!fmt || !fmt_valid(fmt))
		return -EINVAL;
	mutex_lock(&formats_lock);
	if (fmt_find(fmt->name)) {
		err = -EBUSY;
	} else {
		fmt->dir = NULL;
		list_add_tail(&fmt->list, &formats);
		err = fmt_add_dir(fmt);
		if (err)
			list_del(&fmt->list);
	}
	mutex_unlock(&formats_lock);
	return err;
}
EXPORT_SYMBOL_GPL(pfm_register_smpl_fmt);

/**
 * pfm_unregister_smpl_fmt - forget a sampling format
 * @fmt: as registered; no session uses it, since each holds its module
 *
 * Context: may sleep.
 * Return: 0, or -EINVAL if it is not registered.
 */
int pfm_unregister_smpl_fmt(struct pfm_smpl_fmt *fmt)
{
	struct pfm_smpl_fmt *found;
	int err = -EINVAL;

	if (!fmt)
		return -EINVAL;
	mutex_lock(&formats_lock);
	list_for_each_entry(found, &formats, list) {
		if (found != fmt)
			continue;
		kobject_del(fmt->dir);
		kobject_put(fmt->dir);
		list_del(&fmt->list);
		err = 0;
		break;
	}
	mutex_unlock(&formats_lock);
	return err;
}
EXPORT_SYMBOL_GPL(pfm_unregister_smpl_fmt);

/**
 * perfmon_fmt_get - look up a format and hold its module
 * @uname: user pointer to its name
 *
 * Return: the format, or -EFAULT, -ENOMEM, -EINVAL: no such format.
 */
struct pfm_smpl_fmt *perfmon_fmt_get(const char __user *uname)
{
	char *name = strndup_user(uname, FMT_NAME_MAX + 1);
	struct pfm_smpl_fmt *fmt;

	if (IS_ERR(name))
		return ERR_CAST(name);
	mutex_lock(&formats_lock);
	fmt = fmt_find(name);
	if (!fmt || (fmt->owner && !try_module_get(fmt->owner)))
		fmt = ERR_PTR(-EINVAL);
	mutex_unlock(&formats_lock);
	kfree(name);
	return fmt;
}

/** perfmon_fmt_put - undo perfmon_fmt_get(); NULL is allowed */
void perfmon_fmt_put(struct pfm_smpl_fmt *fmt)
{
	if (fmt)
		module_put(fmt->owner);
}

static int fmt_make_buffer(struct perfmon_session *s, const void *arg)
{
	size_t size = 0;
	int err;

	if (!s->fmt->getsize)
		return 0;
	err = s->fmt->getsize(s->flags, arg, &size);
	if (err || !size)
		return err;
	s->buf = perfmon_buffer_alloc(&s->account, size);
	if (!s->buf)
		return -ENOMEM;
	s->buf_addr = perfmon_buffer_addr(s->buf);
	return 0;
}

/* PMDs that a session with these PFM_FL_* may use. */
static unsigned int fmt_nr_pmds(u32 flags)
{
	unsigned int pos, n = 0;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++)
		n += perfmon_reg_usable(flags, &perfmon_pmu.pmds[pos]);
	return n;
}

/**
 * perfmon_fmt_start - set up the format of a new session, and its buffer
 * @s: session; takes the reference to @fmt over, also on failure
 * @fmt: its format
 * @arg: kernel copy of the argument
 *
 * Return: 0, an error of the format, or -ENOMEM: no memory for the buffer, or
 * over a limit.
 */
int perfmon_fmt_start(struct perfmon_session *s, struct pfm_smpl_fmt *fmt,
		      const void *arg)
{
	unsigned int nr_pmds = fmt_nr_pmds(s->flags);
	int err = 0;

	s->fmt = fmt;
	if (fmt->validate)
		err = fmt->validate(s->flags, nr_pmds, arg);
	if (!err && perfmon_family(s))
		return perfmon_cpus_start(s, nr_pmds, arg);
	if (!err)
		err = fmt_make_buffer(s, arg);
	if (!err && fmt->init)
		err = fmt->init(s->buf_addr, s->flags, nr_pmds, arg);
	s->fmt_ready = !err;
	return err;
}

/** perfmon_fmt_stop - undo perfmon_fmt_start(), however far that has come */
void perfmon_fmt_stop(struct perfmon_session *s)
{
	if (s->fmt_ready && s->fmt->exit)
		s->fmt->exit(s->buf_addr);
	if (perfmon_family(s) && s->family->buffers)
		s->fmt = perfmon_cpus_stop(s);
	else if (s->buf)
		perfmon_buffer_put(s->buf);
	perfmon_fmt_put(s->fmt);
}

static void __init fmt_remove_dirs(void)
{
	struct pfm_smpl_fmt *fmt;

	list_for_each_entry(fmt, &formats, list) {
		kobject_put(fmt->dir);
		fmt->dir = NULL;
	}
	kobject_put(formats_dir);
	formats_dir = NULL;
}

static int __init fmt_add_dirs(struct kobject *parent)
{
	struct pfm_smpl_fmt *fmt;
	int err;

	formats_dir = kobject_create_and_add("formats", parent);
	if (!formats_dir)
		return -ENOMEM;
	list_for_each_entry(fmt, &formats, list) {
		err = fmt_add_dir(fmt);
		if (err) {
			fmt_remove_dirs();
			return err;
		}
	}
	return 0;
}

/**
 * perfmon_fmt_sysfs_init - show all formats
 * @parent: /sys/kernel/perfmon
 *
 * Return: 0 or -ENOMEM.
 */
int __init perfmon_fmt_sysfs_init(struct kobject *parent)
{
	int err;

	mutex_lock(&formats_lock);
	err = fmt_add_dirs(parent);
	mutex_unlock(&formats_lock);
	return err;
}

/** perfmon_fmt_sysfs_exit - undo perfmon_fmt_sysfs_init() */
void __init perfmon_fmt_sysfs_exit(void)
{
	mutex_lock(&formats_lock);
	fmt_remove_dirs();
	mutex_unlock(&formats_lock);
}
