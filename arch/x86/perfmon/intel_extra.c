// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers that qualify some events of Intel processors: off-core
 * response, load latency and front-end events.
 *
 * Only the model tells which of these registers and which of their bits exist: a bit that
 * does not exist raises #GP.  intel.c calls this once at boot.
 */
#include <linux/array_size.h>
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/smp.h>
#include <linux/types.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>

#include "intel_leaf10.h"
#include "perfctr_design.h"

/* Latency thresholds have 16 bits on all models. */
#define LATENCY		0xffff

struct extra_masks {
	u64 offcore_rsp[2];
	u64 ld_lat;
	u64 frontend;
	bool shared; /* off-core response and load latency, within a core */
};

static const struct extra_masks nehalem __initconst = {
	.offcore_rsp = { 0xffff },
	.ld_lat = LATENCY,
	.shared = true,
};

static const struct extra_masks westmere __initconst = {
	.offcore_rsp = { 0xffff, 0xffff },
	.ld_lat = LATENCY,
	.shared = true,
};

static const struct extra_masks sandy_bridge __initconst = {
	.offcore_rsp = { 0x3f807f8fffULL, 0x3f807f8fffULL },
	.ld_lat = LATENCY,
};

static const struct extra_masks sandy_bridge_ep __initconst = {
	.offcore_rsp = { 0x3fffff8fffULL, 0x3fffff8fffULL },
	.ld_lat = LATENCY,
};

static const struct extra_masks skylake __initconst = {
	.offcore_rsp = { 0x3fffff8fffULL, 0x3fffff8fffULL },
	.ld_lat = LATENCY,
	.frontend = 0x7fff17,
};

static const struct extra_masks ice_lake __initconst = {
	.offcore_rsp = { 0x3fffffbfffULL, 0x3fffffbfffULL },
	.ld_lat = LATENCY,
	.frontend = 0x7fff17,
};

static const struct extra_masks sapphire_rapids __initconst = {
	.offcore_rsp = { 0x3fffffffffULL, 0x3fffffffffULL },
	.ld_lat = LATENCY,
	.frontend = 0x7fff1f,
};

static const struct extra_masks lion_cove __initconst = {
	.offcore_rsp = { 0xfffffffffffULL, 0xfffffffffffULL },
	.ld_lat = LATENCY,
	.frontend = 0x7fff1f,
};

static const struct extra_masks tremont __initconst = {
	.offcore_rsp = { 0x800ff0ffffff9fffULL, 0xff0ffffff9fffULL },
};

static const struct extra_masks gracemont __initconst = {
	.offcore_rsp = { 0x3fffffffffULL, 0x3fffffffffULL },
	.ld_lat = LATENCY,
};

static const struct extra_masks crestmont __initconst = {
	.offcore_rsp = { 0x800ff3ffffffffffULL, 0xff3ffffffffffULL },
	.ld_lat = LATENCY,
};

struct model {
	u8 model; /* of family 6 */
	const struct extra_masks *masks;
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
	{ 0x3a, &sandy_bridge },	/* Ivy Bridge */
	{ 0x2d, &sandy_bridge_ep },
	{ 0x3e, &sandy_bridge_ep },	/* Ivy Bridge EP */
	{ 0x3c, &sandy_bridge_ep },	/* Haswell */
	{ 0x3f, &sandy_bridge_ep },
	{ 0x45, &sandy_bridge_ep },
	{ 0x46, &sandy_bridge_ep },
	{ 0x3d, &sandy_bridge_ep },	/* Broadwell */
	{ 0x47, &sandy_bridge_ep },
	{ 0x4f, &sandy_bridge_ep },
	{ 0x56, &sandy_bridge_ep },
	{ 0x4e, &skylake },
	{ 0x55, &skylake },
	{ 0x5e, &skylake },
	{ 0x8e, &skylake },		/* Kaby Lake, Coffee Lake */
	{ 0x9e, &skylake },
	{ 0xa5, &skylake },		/* Comet Lake */
	{ 0xa6, &skylake },
	{ 0x6a, &ice_lake },
	{ 0x6c, &ice_lake },
	{ 0x7d, &ice_lake },
	{ 0x7e, &ice_lake },
	{ 0x8c, &ice_lake },		/* Tiger Lake */
	{ 0x8d, &ice_lake },
	{ 0xa7, &ice_lake },		/* Rocket Lake */
	{ 0x8f, &sapphire_rapids },
	{ 0xcf, &sapphire_rapids },	/* Emerald Rapids */
	{ 0xad, &sapphire_rapids },	/* Granite Rapids */
	{ 0xae, &sapphire_rapids },
	{ 0x97, &sapphire_rapids },	/* Alder Lake */
	{ 0x9a, &sapphire_rapids },
	{ 0xb7, &sapphire_rapids },	/* Raptor Lake */
	{ 0xba, &sapphire_rapids },
	{ 0xbf, &sapphire_rapids },
	{ 0xaa, &sapphire_rapids },	/* Meteor Lake */
	{ 0xac, &sapphire_rapids },
	{ 0xb5, &sapphire_rapids },	/* Arrow Lake U */
	{ 0xbd, &lion_cove },		/* Lunar Lake */
	{ 0xc6, &lion_cove },		/* Arrow Lake */
	{ 0x86, &tremont },		/* Snow Ridge */
	{ 0x96, &tremont },
	{ 0x9c, &tremont },
	{ 0xbe, &gracemont },		/* Alder Lake N */
	{ 0xaf, &crestmont },		/* Sierra Forest */
	{ 0xb6, &crestmont },		/* Grand Ridge */
};

/* The second kind of core of models that can be hybrid. */
static const struct model atoms[] __initconst = {
	{ 0x97, &gracemont },
	{ 0x9a, &gracemont },
	{ 0xb7, &gracemont },
	{ 0xba, &gracemont },
	{ 0xbf, &gracemont },
	{ 0xaa, &crestmont },
	{ 0xac, &crestmont },
	{ 0xb5, &crestmont },
	{ 0xbd, &crestmont },
	{ 0xc6, &crestmont },
};

/* @kind: kind of the CPUs to probe; -1: all CPUs */
struct extra_probe {
	u32 msr;
	u64 mask;
	int kind;
};

/*
 * Which bits of @mask can be written?  Hypervisors may provide the counters without these
 * registers, or without some of their bits.  The register is restored.  At boot, and
 * while a CPU comes up, no event exists yet that it could qualify.
 */
static u64 extra_bits(u32 msr, u64 mask)
{
	u64 found, value = 0;

	if (rdmsrl_safe(msr, &found))
		return 0;
	if (wrmsrl_safe(msr, mask) || rdmsrl_safe(msr, &value))
		value = 0;
	wrmsrl_safe(msr, found);
	return mask & value;
}

static void __init extra_try(void *data)
{
	struct extra_probe *probe = data;

	if (probe->kind < 0 || probe->kind == perfctr_kind_by_cpuid())
		probe->mask = extra_bits(probe->msr, probe->mask);
}

/*
 * Writable bits on all CPUs, or on the CPUs of a kind.  If no CPU of the kind is online,
 * all bits are assumed; CPUs that come up later must have them (extra_look()).
 */
static u64 __init extra_writable(u32 msr, u64 mask, int kind)
{
	struct extra_probe probe = { .msr = msr, .mask = mask, .kind = kind };
	unsigned int cpu;

	if (!mask)
		return 0;
	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		extra_try(&probe);
		return probe.mask;
	}
	cpus_read_lock();
	for_each_online_cpu(cpu)
		smp_call_function_single(cpu, extra_try, &probe, 1);
	cpus_read_unlock();
	return probe.mask;
}

static void __init extra_add(struct perfctr_extra *extra, u32 msr, u64 mask,
			     bool shared)
{
	extra->msr = msr;
	extra->mask = extra_writable(msr, mask, -1);
	extra->shared = shared;
}

struct extra_question {
	const struct perfctr_extra *extra;
	bool has_all;
};

/*
 * On a hybrid processor, a CPU may have come up after its kind was probed.  On others all
 * CPUs are alike, and nothing is written: perf_event may use the register.
 */
static bool extra_lacks(const struct perfctr_extra *extra, int kind)
{
	u64 value, mask = extra->mask;

	if (kind < 0)
		return mask && rdmsrl_safe(extra->msr, &value);
	mask |= extra->kind_mask[kind];
	return mask && extra_bits(extra->msr, mask) != mask;
}

static void extra_look(void *data)
{
	struct extra_question *question = data;
	int kind = perfctr_kind_by_cpuid();
	unsigned int i;

	question->has_all = true;
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		if (extra_lacks(&question->extra[i], kind))
			question->has_all = false;
}

/* Has this CPU all the registers that the design uses? */
bool perfctr_intel_has_extra(unsigned int cpu,
			     const struct perfctr_extra *extra)
{
	struct extra_question question = { .extra = extra };

	smp_call_function_single(cpu, extra_look, &question, 1);
	return question.has_all;
}

static const u32 extra_msrs[PERFCTR_MAX_EXTRA] __initconst = {
	[PERFCTR_OFFCORE_RSP0] = MSR_OFFCORE_RSP_0,
	[PERFCTR_OFFCORE_RSP1] = MSR_OFFCORE_RSP_1,
	[PERFCTR_LD_LAT] = MSR_PEBS_LD_LAT_THRESHOLD,
	[PERFCTR_FRONTEND] = MSR_PEBS_FRONTEND,
};

static u64 __init extra_mask(const struct extra_masks *masks, unsigned int i)
{
	switch (i) {
	case PERFCTR_OFFCORE_RSP0:
	case PERFCTR_OFFCORE_RSP1:
		return masks->offcore_rsp[i - PERFCTR_OFFCORE_RSP0];
	case PERFCTR_LD_LAT:
		return masks->ld_lat;
	default:
		return masks->frontend;
	}
}

static const struct extra_masks *__init extra_masks_of(const struct model *rows,
						       unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (rows[i].model == boot_cpu_data.x86_model)
			return rows[i].masks;
	return NULL;
}

/*
 * For a hybrid processor: the bits that both kinds of core have, and the bits of each
 * kind.  The latency of loads uses the common bits: its event counts nothing
 * (map_intel.c).
 */
static void __init extra_find_hybrid(struct perfctr_extra *extra,
				     const struct extra_masks *core)
{
	static const struct extra_masks nothing __initconst;
	const struct extra_masks *atom =
		extra_masks_of(atoms, ARRAY_SIZE(atoms));
	unsigned int i;

	if (!atom)
		atom = &nothing;
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		extra_add(&extra[i], extra_msrs[i],
			  extra_mask(core, i) & extra_mask(atom, i), false);
		if (i == PERFCTR_LD_LAT)
			continue;
		extra[i].kind_mask[0] =
			extra_writable(extra_msrs[i], extra_mask(core, i), 0);
		extra[i].kind_mask[1] =
			extra_writable(extra_msrs[i], extra_mask(atom, i), 1);
	}
}

/* Fill in the registers that this processor has. */
void __init perfctr_intel_find_extra(struct perfctr_extra *extra)
{
	const struct extra_masks *found = NULL;
	unsigned int i;

	if (boot_cpu_data.x86 == 6)
		found = extra_masks_of(models, ARRAY_SIZE(models));
	if (!found)
		return;
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		extra_find_hybrid(extra, found);
		return;
	}
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		extra_add(&extra[i], extra_msrs[i], extra_mask(found, i),
			  found->shared);
}
