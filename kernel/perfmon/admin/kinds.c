// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon/pmu_desc/cpu_core and cpu_atom: the kinds of core of a
 * hybrid processor.  Other processors have no such directories.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kobject.h>
#include <linux/perfmon_pmu.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "admin.h"

struct kind_dir {
	struct kobject kobj;
	const struct perfmon_kind *kind;
};

static const struct perfmon_kind *kind_of(struct kobject *kobj)
{
	return container_of(kobj, struct kind_dir, kobj)->kind;
}

static ssize_t cpus_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	const struct cpumask *cpus = &kind_of(kobj)->cpus;

	return sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(cpus));
}

static ssize_t counters_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "%u\n", kind_of(kobj)->counters);
}

static ssize_t fixed_counters_show(struct kobject *kobj,
				   struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", kind_of(kobj)->fixed);
}

static struct kobj_attribute cpus_attr = __ATTR_RO(cpus);
static struct kobj_attribute counters_attr = __ATTR_RO(counters);
static struct kobj_attribute fixed_counters_attr = __ATTR_RO(fixed_counters);

static struct attribute *kind_attrs[] = {
	&cpus_attr.attr,
	&counters_attr.attr,
	&fixed_counters_attr.attr,
	NULL,
};
ATTRIBUTE_GROUPS(kind);

static void kind_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct kind_dir, kobj));
}

static const struct kobj_type kind_type = {
	.release = kind_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = kind_groups,
};

static int __init kinds_add(struct kset *pmu_desc,
			    const struct perfmon_kind *kind)
{
	struct kind_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err;

	if (!dir)
		return -ENOMEM;
	dir->kind = kind;
	dir->kobj.kset = pmu_desc;
	err = kobject_init_and_add(&dir->kobj, &kind_type, NULL, "%s",
				   kind->name);
	if (err)
		kobject_put(&dir->kobj);
	return err;
}

/**
 * perfmon_kinds_init - publish the kinds of core
 * @pmu_desc: gets a directory for each, which is removed with it
 *
 * Return: 0, or an error.
 */
int __init perfmon_kinds_init(struct kset *pmu_desc)
{
	const struct perfmon_kind *kind;
	unsigned int i;
	int err;

	for (i = 0; (kind = perfmon_arch_kind(i)); i++) {
		err = kinds_add(pmu_desc, kind);
		if (err)
			return err;
	}
	return 0;
}
