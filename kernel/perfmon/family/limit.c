// SPDX-License-Identifier: GPL-2.0-only
/*
 * The limit of live parts, inherit_max in sysfs; applies to later clones.
 */
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/sysfs.h>

#include "family.h"

/* PID_MAX_LIMIT: a machine has no more threads. */
#define INHERIT_CAP	(4 * 1024 * 1024)

/* Most live parts of one session. */
unsigned int perfmon_inherit_max = 65536;

static ssize_t inherit_max_show(struct kobject *kobj,
				struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(perfmon_inherit_max));
}

static ssize_t inherit_max_store(struct kobject *kobj,
				 struct kobj_attribute *attr, const char *buf,
				 size_t count)
{
	unsigned int value;

	if (kstrtouint(buf, 0, &value) || value > INHERIT_CAP)
		return -EINVAL;
	WRITE_ONCE(perfmon_inherit_max, value);
	return count;
}

struct kobj_attribute perfmon_inherit_attr = __ATTR_RW(inherit_max);
