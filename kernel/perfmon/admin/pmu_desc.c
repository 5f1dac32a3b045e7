// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon/pmu_desc: the register map, a directory for each register, and
 * what else users have to know of the PMU.
 *
 * Made once at boot, by sysfs.c.
 */
#include <linux/init.h>
#include <linux/kobject.h>
#include <linux/perfmon_pmu.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "admin.h"

/* Contains the directories of the registers. */
static struct kset *pmu_desc __ro_after_init;

/* A register directory: pmcN or pmdN. */
struct reg_dir {
	struct kobject kobj;
	const struct perfmon_reg *reg;
};

static const struct perfmon_reg *desc_reg(struct kobject *kobj)
{
	return container_of(kobj, struct reg_dir, kobj)->reg;
}

static ssize_t name_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "%s\n", desc_reg(kobj)->name);
}

static ssize_t dfl_val_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", desc_reg(kobj)->dfl);
}

static ssize_t rsvd_msk_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", desc_reg(kobj)->rsvd);
}

static ssize_t width_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%d\n", desc_reg(kobj)->width);
}

static ssize_t addr_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	return sysfs_emit(buf, "0x%x\n", desc_reg(kobj)->addr);
}

static struct kobj_attribute name_attr = __ATTR_RO(name);
static struct kobj_attribute dfl_val_attr = __ATTR_RO(dfl_val);
static struct kobj_attribute rsvd_msk_attr = __ATTR_RO(rsvd_msk);
static struct kobj_attribute width_attr = __ATTR_RO(width);
static struct kobj_attribute addr_attr = __ATTR_RO(addr);

static struct attribute *reg_attrs[] = {
	&name_attr.attr,
	&dfl_val_attr.attr,
	&rsvd_msk_attr.attr,
	&width_attr.attr,
	&addr_attr.attr,
	NULL,
};
ATTRIBUTE_GROUPS(reg);

static void reg_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct reg_dir, kobj));
}

static const struct kobj_type reg_type = {
	.release = reg_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = reg_groups,
};

/* @parent: NULL for the directory of all registers. */
static int __init desc_add_reg(const char *prefix,
			       const struct perfmon_reg *reg,
			       struct kobject *parent)
{
	struct reg_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err;

	if (!dir)
		return -ENOMEM;
	dir->reg = reg;
	dir->kobj.kset = pmu_desc;
	err = kobject_init_and_add(&dir->kobj, &reg_type, parent, "%s%u", prefix,
				   reg->num);
	if (err)
		kobject_put(&dir->kobj);
	return err;
}

/* A register that only some kinds of core have is also in their directories. */
static int __init desc_add_to_kinds(const char *prefix,
				    const struct perfmon_reg *reg)
{
	const struct perfmon_kind *kind;
	struct kobject *parent;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && (kind = perfmon_arch_kind(i)); i++) {
		if (!(reg->kinds & BIT(i)))
			continue;
		parent = kset_find_obj(pmu_desc, kind->name);
		err = desc_add_reg(prefix, reg, parent);
		kobject_put(parent);
	}
	return err;
}

static int __init desc_add_regs(const char *prefix,
				const struct perfmon_reg *regs, unsigned int nr)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		err = regs[i].kinds ? desc_add_to_kinds(prefix, &regs[i]) :
				      desc_add_reg(prefix, &regs[i], NULL);
	return err;
}

static ssize_t model_show(struct kobject *kobj, struct kobj_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%s\n", perfmon_pmu.model);
}

static struct kobj_attribute model_attr = __ATTR_RO(model);

static ssize_t ibs_show(struct kobject *kobj, struct kobj_attribute *attr,
			char *buf)
{
	return sysfs_emit(buf, "0x%x\n", perfmon_arch_ibs_caps());
}

static struct kobj_attribute ibs_attr = __ATTR_RO(ibs);

static ssize_t pebs_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *buf)
{
	unsigned int format;
	u64 counters;

	perfmon_arch_pebs(&format, &counters);
	return sysfs_emit(buf, "%u 0x%llx\n", format, counters);
}

static struct kobj_attribute pebs_attr = __ATTR_RO(pebs);

static ssize_t branches_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *buf)
{
	unsigned int depth;
	u64 kinds, info;

	depth = perfmon_arch_branch_records(&kinds, &info);
	return sysfs_emit(buf, "%u 0x%llx 0x%llx\n", depth, kinds, info);
}

static struct kobj_attribute branches_attr = __ATTR_RO(branches);

static int __init desc_add_file(bool exists, const struct kobj_attribute *attr)
{
	return exists ? sysfs_create_file(&pmu_desc->kobj, &attr->attr) : 0;
}

/* Files of what only some processors have. */
static int __init desc_add_own(void)
{
	unsigned int format;
	u64 counters, kinds, info;
	int err;

	err = desc_add_file(perfmon_arch_ibs_caps(), &ibs_attr);
	if (!err)
		err = desc_add_file(perfmon_arch_pebs(&format, &counters),
				    &pebs_attr);
	if (!err)
		err = desc_add_file(perfmon_arch_branch_records(&kinds, &info),
				    &branches_attr);
	return err;
}

/** perfmon_pmu_desc_exit - undo perfmon_pmu_desc_init() */
void __init perfmon_pmu_desc_exit(void)
{
	struct kobject *kobj, *next;

	list_for_each_entry_safe(kobj, next, &pmu_desc->list, entry)
		kobject_put(kobj);
	kset_unregister(pmu_desc);
}

static int __init desc_fill(void)
{
	int err = sysfs_create_file(&pmu_desc->kobj, &model_attr.attr);

	if (err)
		return err;
	err = desc_add_own();
	if (err)
		return err;
	err = perfmon_kinds_init(pmu_desc);
	if (err)
		return err;
	err = desc_add_regs("pmc", perfmon_pmu.pmcs, perfmon_pmu.nr_pmcs);
	if (err)
		return err;
	return desc_add_regs("pmd", perfmon_pmu.pmds, perfmon_pmu.nr_pmds);
}

/**
 * perfmon_pmu_desc_init - publish the register map
 * @parent: gets the directory "pmu_desc"
 *
 * Return: 0, or an error; then the directory does not exist.
 */
int __init perfmon_pmu_desc_init(struct kobject *parent)
{
	int err;

	pmu_desc = kset_create_and_add("pmu_desc", NULL, parent);
	if (!pmu_desc)
		return -ENOMEM;
	err = desc_fill();
	if (err)
		perfmon_pmu_desc_exit();
	return err;
}
