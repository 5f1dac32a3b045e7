// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errata of Intel processors that affect counting: which models have them, and
 * how the design avoids them.  The log has a line for each.
 *
 * detect.c calls this once at boot.  period.c logs the limits of periods.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/printk.h>
#include <linux/types.h>

#include <asm/cpufeature.h>
#include <asm/processor.h>

#include "intel.h"

/* Counters miscount after their events are changed. */
#define REPROGRAMMING	BIT(0)

/*
 * BJ122, BV98, HSD29: events 0xd0 to 0xd3 may also be added to the counter of
 * the same number in the other thread of the core.
 */
#define LEAKING_LOADS	BIT(1)

struct errata {
	u32 min_period;
	u32 insns_min_period;
	u32 insns_odd_bits;
	u32 flags;
};

static const struct errata nehalem __initconst = {
	.min_period = 32,
	.flags = REPROGRAMMING,
};

static const struct errata westmere __initconst = {
	.flags = REPROGRAMMING,
};

static const struct errata sandy_bridge __initconst = {
	.flags = LEAKING_LOADS,
};

/* HSW11: the specified minimum is 100; 128 is the next power of two. */
static const struct errata haswell __initconst = {
	.min_period = 32,
	.insns_min_period = 128,
	.flags = LEAKING_LOADS,
};

/* BDM11, the same erratum as HSW11, and BDM55. */
static const struct errata broadwell __initconst = {
	.insns_min_period = 128,
	.insns_odd_bits = 0x3f,
};

struct model {
	u8 model; /* of family 6 */
	const struct errata *errata;
};

static const struct model models[] __initconst = {
	{ 0x1a, &nehalem },
	{ 0x1e, &nehalem },
	{ 0x1f, &nehalem },
	{ 0x2e, &nehalem },
	{ 0x25, &westmere },
	{ 0x2c, &westmere },
	{ 0x2f, &westmere },
	{ 0x2a, &sandy_bridge },
	{ 0x2d, &sandy_bridge },
	{ 0x3a, &sandy_bridge },	/* Ivy Bridge */
	{ 0x3e, &sandy_bridge },
	{ 0x3c, &haswell },
	{ 0x3f, &haswell },
	{ 0x45, &haswell },
	{ 0x46, &haswell },
	{ 0x3d, &broadwell },
	{ 0x47, &broadwell },
	{ 0x4f, &broadwell },
	{ 0x56, &broadwell },
};

static void __init errata_apply(struct perfctr_design *design,
				const struct errata *errata)
{
	design->min_period = errata->min_period;
	design->insns_min_period = errata->insns_min_period;
	design->insns_odd_bits = errata->insns_odd_bits;
	if (errata->flags & REPROGRAMMING) {
		pr_info("erratum: new events are preceded by a sequence of others\n");
		design->write_control = perfctr_nehalem_write_control;
	}
	if (errata->flags & LEAKING_LOADS && boot_cpu_has(X86_FEATURE_HT))
		pr_info("erratum: with two threads on a core, events 0xd0 to 0xd3 of one add to counts of the other\n");
}

/* Set the fields of the design that the errata of this processor require. */
void __init perfctr_intel_find_errata(struct perfctr_design *design)
{
	unsigned int i;

	if (boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT))
		pr_info("erratum: transactions abort while the counters are used\n");
	if (boot_cpu_data.x86 != 6)
		return;
	for (i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].model == boot_cpu_data.x86_model)
			errata_apply(design, models[i].errata);
}
