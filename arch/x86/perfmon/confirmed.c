// SPDX-License-Identifier: GPL-2.0-only
/*
 * The processors on which perfmon has been confirmed to count correctly, and
 * the log line for all others.  Emulators and manuals only say what a processor
 * should do.  A model belongs here after `pfmon --self-test=full' has passed on
 * it, on hardware, and the report was sent to the perfmon developers.
 *
 * perfctr_cpu_init() asks once at boot.
 */
#define pr_fmt(fmt) "perfmon: " fmt

#include <linux/init.h>
#include <linux/printk.h>
#include <linux/types.h>

#include <asm/processor.h>

#include "perfctr_core.h"

struct confirmed {
	u8 vendor; /* X86_VENDOR_* */
	u8 family;
	u8 model;
};

/* Ends with an entry of family 0, which is no processor's. */
static const struct confirmed confirmed[] __initconst = {
	{ }
};

static bool __init is_confirmed(void)
{
	const struct confirmed *c;

	for (c = confirmed; c->family; c++)
		if (c->vendor == boot_cpu_data.x86_vendor &&
		    c->family == boot_cpu_data.x86 &&
		    c->model == boot_cpu_data.x86_model)
			return true;
	return false;
}

/* Called when the design is known and has counters. */
void __init perfctr_tell_unconfirmed(void)
{
	if (!is_confirmed())
		pr_notice("never run on this model (family %#x model %#x); `pfmon --self-test=full' tells whether it counts right\n",
			  boot_cpu_data.x86, boot_cpu_data.x86_model);
}
