// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon: version, system call base, counts and limits.  The register map
 * (pmu_desc.c) and sampling formats (smpl/fmt.c) add themselves.
 *
 * Made once at boot; if that fails, all of it is removed.  Limits are stored with
 * WRITE_ONCE and apply to later calls only.
 */
#include <linux/init.h>
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "../access.h"
#include "../family/family.h"
#include "../host.h"
#include "../owner.h"
#include "../smpl/smpl.h"
#include "../syscall.h"
#include "admin.h"
#include "stats.h"

/* Highest arg_mem_max: the kernel allocates memory for the whole vector. */
#define ARG_MEM_CAP	(1024 * 1024)

/*
 * `version' while compat_version is "2.81": programs that were built for v2.81 may
 * compare it and refuse 3.0, although the library would serve them.
 */
#define COMPAT_VERSION	((2 << 16) | 81)

static unsigned int shown_version = PFM_VERSION;

static ssize_t sysfs_show_version(char *buf, unsigned int version)
{
	return sysfs_emit(buf, "%u.%u\n", PFM_VERSION_MAJOR(version),
			  PFM_VERSION_MINOR(version));
}

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_show_version(buf, READ_ONCE(shown_version));
}

static ssize_t interface_show(struct kobject *kobj,
			      struct kobj_attribute *attr, char *buf)
{
	return sysfs_show_version(buf, PFM_VERSION);
}

static ssize_t compat_version_show(struct kobject *kobj,
				   struct kobj_attribute *attr, char *buf)
{
	return sysfs_show_version(buf, READ_ONCE(shown_version));
}

static ssize_t compat_version_store(struct kobject *kobj,
				    struct kobj_attribute *attr,
				    const char *buf, size_t count)
{
	if (sysfs_streq(buf, "2.81"))
		WRITE_ONCE(shown_version, COMPAT_VERSION);
	else if (sysfs_streq(buf, "3.0"))
		WRITE_ONCE(shown_version, PFM_VERSION);
	else
		return -EINVAL;
	return count;
}

static ssize_t task_sessions_count_show(struct kobject *kobj,
					struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", perfmon_task_sessions());
}

static ssize_t sys_sessions_count_show(struct kobject *kobj,
				       struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", perfmon_sys_sessions());
}

static ssize_t pmu_owner_show(struct kobject *kobj,
			      struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", perfmon_arch_owner());
}

/* How overflow interrupts can be delivered. */
static ssize_t delivery_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	if (!perfmon_arch_interrupts_exist())
		return sysfs_emit(buf, "none\n");
	return sysfs_emit(buf, "vector%s\n",
			  perfmon_arch_has_nmi() ? " nmi" : "");
}

static ssize_t enabled_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "%d\n", perfmon_pmu_allowed());
}

static ssize_t enabled_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t count)
{
	unsigned int value;
	int err;

	if (kstrtouint(buf, 0, &value) || value > 1)
		return -EINVAL;
	err = perfmon_enable(value);
	return err ? err : count;
}

static ssize_t arg_mem_max_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%zu\n", READ_ONCE(perfmon_arg_mem_max));
}

static ssize_t arg_mem_max_store(struct kobject *kobj,
				 struct kobj_attribute *attr, const char *buf,
				 size_t count)
{
	unsigned long value;
	int err = kstrtoul(buf, 0, &value);

	if (err || value < PAGE_SIZE || value > ARG_MEM_CAP)
		return -EINVAL;
	WRITE_ONCE(perfmon_arg_mem_max, value);
	return count;
}

static ssize_t smpl_buffer_mem_cur_show(struct kobject *kobj,
					struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%zu\n", perfmon_buffer_mem_cur());
}

static ssize_t smpl_buffer_mem_max_show(struct kobject *kobj,
					struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%zu\n", perfmon_buffer_mem_max());
}

/* The new limit does not apply to existing buffers. */
static ssize_t smpl_buffer_mem_max_store(struct kobject *kobj,
					 struct kobj_attribute *attr,
					 const char *buf, size_t count)
{
	unsigned long value;

	if (sysfs_streq(buf, "-1"))
		value = SIZE_MAX;
	else if (kstrtoul(buf, 0, &value) || value < PAGE_SIZE)
		return -EINVAL;
	perfmon_buffer_set_mem_max(value);
	return count;
}

static ssize_t debug_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(perfmon_debug));
}

static ssize_t debug_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t count)
{
	int value;

	if (kstrtoint(buf, 0, &value))
		return -EINVAL;
	perfmon_debug_set(value);
	return count;
}

static ssize_t reset_stats_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0\n");
}

static ssize_t reset_stats_store(struct kobject *kobj,
				 struct kobj_attribute *attr, const char *buf,
				 size_t count)
{
	perfmon_stats_reset();
	return count;
}

static ssize_t sysfs_store_group(int *group, const char *buf, size_t count)
{
	int value;

	if (kstrtoint(buf, 0, &value) || value < PFM_GROUP_PERM_ANY)
		return -EINVAL;
	WRITE_ONCE(*group, value);
	return count;
}

static ssize_t sys_group_show(struct kobject *kobj,
			      struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(perfmon_sys_group));
}

static ssize_t sys_group_store(struct kobject *kobj,
			       struct kobj_attribute *attr, const char *buf,
			       size_t count)
{
	return sysfs_store_group(&perfmon_sys_group, buf, count);
}

static ssize_t task_group_show(struct kobject *kobj,
			       struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(perfmon_task_group));
}

static ssize_t task_group_store(struct kobject *kobj,
				struct kobj_attribute *attr, const char *buf,
				size_t count)
{
	return sysfs_store_group(&perfmon_task_group, buf, count);
}

static ssize_t rdpmc_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(perfmon_rdpmc_mode));
}

static ssize_t rdpmc_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t count)
{
	unsigned int value;

	if (kstrtouint(buf, 0, &value) || value > PERFMON_RDPMC_FAST)
		return -EINVAL;
	perfmon_rdpmc_mode_set(value);
	return count;
}

static struct kobj_attribute version_attr = __ATTR_RO(version);
static struct kobj_attribute interface_attr = __ATTR_RO(interface);
static struct kobj_attribute compat_version_attr = __ATTR_RW(compat_version);
static struct kobj_attribute task_sessions_count_attr =
	__ATTR_RO(task_sessions_count);
static struct kobj_attribute sys_sessions_count_attr =
	__ATTR_RO(sys_sessions_count);
static struct kobj_attribute pmu_owner_attr = __ATTR_RO(pmu_owner);
static struct kobj_attribute delivery_attr = __ATTR_RO(delivery);
static struct kobj_attribute enabled_attr = __ATTR_RW(enabled);
static struct kobj_attribute arg_mem_max_attr = __ATTR_RW(arg_mem_max);
static struct kobj_attribute smpl_buffer_mem_cur_attr =
	__ATTR_RO(smpl_buffer_mem_cur);
static struct kobj_attribute smpl_buffer_mem_max_attr =
	__ATTR_RW(smpl_buffer_mem_max);
static struct kobj_attribute debug_attr = __ATTR_RW(debug);
static struct kobj_attribute reset_stats_attr = __ATTR_RW(reset_stats);
static struct kobj_attribute sys_group_attr = __ATTR_RW(sys_group);
static struct kobj_attribute task_group_attr = __ATTR_RW(task_group);
static struct kobj_attribute rdpmc_attr = __ATTR_RW(rdpmc);

static struct attribute *perfmon_attrs[] = {
	&version_attr.attr,
	&interface_attr.attr,
	&compat_version_attr.attr,
	&perfmon_host_attr.attr,
	&task_sessions_count_attr.attr,
	&sys_sessions_count_attr.attr,
	&pmu_owner_attr.attr,
	&delivery_attr.attr,
	&enabled_attr.attr,
	&arg_mem_max_attr.attr,
	&smpl_buffer_mem_cur_attr.attr,
	&smpl_buffer_mem_max_attr.attr,
	&debug_attr.attr,
	&reset_stats_attr.attr,
	&sys_group_attr.attr,
	&task_group_attr.attr,
	&rdpmc_attr.attr,
	&perfmon_inherit_attr.attr,
	NULL,
};

static const struct attribute_group perfmon_group = { .attrs = perfmon_attrs };

static struct kobject *sysfs_dir __ro_after_init;

/**
 * perfmon_sysfs_init - publish perfmon
 *
 * Return: 0, or an error; then nothing is left in sysfs.
 */
int __init perfmon_sysfs_init(void)
{
	struct kobject *dir = kobject_create_and_add("perfmon", kernel_kobj);
	int err;

	if (!dir)
		return -ENOMEM;
	err = sysfs_create_group(dir, &perfmon_group);
	if (err)
		goto no_group;
	err = perfmon_pmu_desc_init(dir);
	if (err)
		goto no_group;
	err = perfmon_fmt_sysfs_init(dir);
	if (err)
		goto no_formats;
	sysfs_dir = dir;
	return 0;

no_formats:
	perfmon_pmu_desc_exit();
no_group:
	kobject_put(dir);
	return err;
}

/** perfmon_sysfs_exit - undo perfmon_sysfs_init() */
void __init perfmon_sysfs_exit(void)
{
	perfmon_fmt_sysfs_exit();
	perfmon_pmu_desc_exit();
	kobject_put(sysfs_dir);
}
