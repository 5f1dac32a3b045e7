// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/perfmon: what developers of perfmon look at.
 */
#include <linux/debugfs.h>
#include <linux/jump_label.h>
#include <linux/perfmon_hooks.h>

#include "perfmon.h"

/* Are the calls in the context switch, tick, fork, exec and exit patched in? */
static int hooks_enabled_get(void *data, u64 *value)
{
	*value = static_key_enabled(&perfmon_hooks_key);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(hooks_enabled_fops, hooks_enabled_get, NULL, "%llu\n");

void __init perfmon_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("perfmon", NULL);

	debugfs_create_file_unsafe("hooks_enabled", 0444, dir, NULL,
				   &hooks_enabled_fops);
}
