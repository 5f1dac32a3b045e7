// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters at reboot, which may be a kexec: the next kernel must find stopped
 * counters that raise no interrupt, otherwise it reports a firmware bug.  Existing
 * sessions keep their values, and count no more.
 *
 * Called by the reboot notifier chain, on a machine that still runs programs, so counters
 * must also be kept from starting again.  A crashing kernel does not call it.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/notifier.h>
#include <linux/reboot.h>

#include "perfctr_core.h"

static int perfctr_reboot(struct notifier_block *nb, unsigned long event,
			  void *unused)
{
	perfctr_disarm();
	perfctr_halt();
	return NOTIFY_DONE;
}

/* Last, so that other notifiers can still be measured. */
static struct notifier_block reboot_notifier = {
	.notifier_call = perfctr_reboot,
	.priority = INT_MIN,
};

void __init perfctr_reboot_init(void)
{
	register_reboot_notifier(&reboot_notifier);
}

void __init perfctr_reboot_exit(void)
{
	unregister_reboot_notifier(&reboot_notifier);
}
