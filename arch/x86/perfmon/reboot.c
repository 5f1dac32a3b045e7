// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of the kernel.  A reboot may be a kexec: the next kernel is to find
 * counters that stand still and raise no interrupt, or it blames the firmware.
 * Sessions that are still there keep what they have, and count no more.
 *
 * Called by the notifier chain of reboot, on a machine that still runs
 * programs, so that it is not enough to stop what counts just now.  A kernel
 * that crashes does not come here.
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

/* After those who may still want to know what they cost. */
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
