// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's architectural PMU, versions 2 to 6: programmable counters with
 * selectors in the layout of the P6, and counters with a fixed event. Their
 * number and width come from the model. Writes to programmable counters take 32
 * bits and extend their sign, except at the addresses for full-width writes;
 * fixed counters take all of theirs. Reserved bits raise #GP. Delivering an
 * interrupt masks the LVTPC. The other control registers are in arch_control.c.
 *
 * The fixed counters follow the programmable ones in struct pmu's array.
 */

#include <string.h>

#include "arch.h"

#define ARCH_PMC0 0xc1u
#define ARCH_EVNTSEL0 0x186u
#define ARCH_FIXED_CTR0 0x309u
#define ARCH_FULL_WIDTH_PMC0 0x4c1u

/* Version 6 has the same registers at these addresses, too: blocks of four. */
#define ARCH_V6_PMC0 0x1900u
#define ARCH_V6_EVNTSEL 1u /* in the block of its counter */
#define ARCH_V6_FIXED_CTR0 0x1980u
#define ARCH_V6_STEP 4u

/* PERF_CAPABILITIES: there are addresses for full-width writes. */
#define CAPABLE_FULL_WIDTH (1ull << 13)

/* RDPMC index of the first fixed counter. */
#define RDPMC_FIXED 0x40000000u

#define CPUID_FEATURES 1u
#define FEATURES_ECX_PDCM (1u << 15) /* PERF_CAPABILITIES exists */
#define CPUID_EXTENDED_FEATURES 7u
#define EXTENDED_EDX_HYBRID (1u << 15)
#define EXTENDED_EDX_LBR (1u << 19) /* leaf 28 has the branch records */
#define EXTENDED_EDX_FORCE_ABORT (1u << 13) /* MSR_TSX_FORCE_ABORT exists */
#define EXTENDED_1_EAX_PERFMON (1u << 8)
#define CPUID_PERFMON 0xau
#define CPUID_KIND 0x1au /* of core */
#define CPUID_PERFMON_EXTENDED 0x23u
#define CPUID_LBR 0x1cu
#define PERFMON_EDX_NO_ANY_THREAD (1u << 15)

/* Fields of a fixed counter in FIXED_CTRL, four bits each. */
#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_PMI 0x8u

/* Not counting what aborted transactions did: for one counter only. */
#define SELECT_IN_TXCP (1ull << 33)
#define IN_TXCP_COUNTER 2

/* Events with a mask in OFFCORE_RSP0 and OFFCORE_RSP1, of most models. */
static const uint16_t offcore_events[PMU_OFFCORE_REGS] = { 0x01b7, 0x01bb };

const struct pmu_event arch_events[] = {
	{ 0x00c0, 0xffff, { 1, 1, 0 } }, /* instructions retired */
	{ 0x01c0, 0xffff, { 1, 1, 0 } }, /* the same since Nehalem */
	{ 0x003c, 0xffff, { 3, 2, 0 } }, /* core cycles */
	{ 0x013c, 0xffff, { 3, 2, 0 } }, /* reference cycles */
	{ 0x0000, 0xffff, { 0, 1, 0 } }, /* no event */
	{ 0, 0, { 0, 1, 0 } },
};

/* Those behind the fourth have no meaning of their own yet. */
static const struct pmu_rate fixed_rates[] = {
	{ 1, 1, 0 }, /* instructions */
	{ 3, 2, 0 }, /* core cycles */
	{ 3, 2, 0 }, /* reference cycles */
	{ 3, 2, 0 }, /* slots: a machine of width one */
	{ 1, 4, 0 }, { 1, 5, 0 }, { 1, 6, 0 },
};

static void update_fixed(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *c = &pmu->counter[pmu->model->counters + i];
	const unsigned int ctrl = pmu->fixed_ctrl >> (4 * i) & 0xf;
	struct pmu_rate rate;

	c->flags = 0;
	if (!arch_globally_enabled(pmu, pmu->model->counters + i))
		return;
	rate = pmu_faulty_rate(pmu, pmu->model->counters + i, fixed_rates[i]);
	if (!rate.num)
		return;
	pmu_set_rate(c, rate);
	if (ctrl & FIXED_OS)
		c->flags |= PMU_COUNT_KERNEL;
	if (ctrl & FIXED_USR)
		c->flags |= PMU_COUNT_USER;
	if (ctrl & FIXED_PMI)
		c->flags |= PMU_COUNT_IRQ;
	if (pmu_pebs_is_on(pmu, pmu->model->counters + i))
		c->flags |= PMU_COUNT_PEBS;
}

/* An off-core event whose mask, in another register, asks for nothing. */
static bool asks_for_nothing(const struct pmu *pmu, unsigned int i)
{
	const uint32_t code = pmu->counter[i].select &
			      (EVNTSEL_EVENT | EVNTSEL_UMASK);
	const uint16_t *offcore = pmu->model->offcore[0] ? pmu->model->offcore :
							   offcore_events;
	unsigned int reg;

	for (reg = 0; reg < PMU_OFFCORE_REGS; reg++)
		if (pmu->model->extra_mask[reg] && code == offcore[reg])
			return !pmu_extra(pmu, reg);
	return false;
}

static void update_programmable(struct pmu *pmu, unsigned int i)
{
	pmu_apply_evntsel(pmu, i,
			  arch_globally_enabled(pmu, i) &&
				  pmu->counter[i].select & EVNTSEL_EN &&
				  !asks_for_nothing(pmu, i));
	if (pmu->counter[i].flags && pmu_pebs_is_on(pmu, i))
		pmu->counter[i].flags |= PMU_COUNT_PEBS;
}

void arch_update(struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < pmu->model->counters; i++)
		update_programmable(pmu, i);
	for (i = 0; i < pmu->model->fixed; i++)
		update_fixed(pmu, i);
}

/* After reset all programmable counters are enabled globally. */
static void arch_reset(struct pmu *pmu)
{
	pmu->global_ctrl = pmu_width_mask(pmu->model->counters);
}

static struct pmu_reg decode_alias(const struct pmu_model *model, uint32_t msr)
{
	const bool fixed = msr >= ARCH_V6_FIXED_CTR0;
	const uint32_t offset =
		msr - (fixed ? ARCH_V6_FIXED_CTR0 : ARCH_V6_PMC0);
	const uint32_t i = offset / ARCH_V6_STEP;

	if (fixed && !(offset % ARCH_V6_STEP) && pmu_has_fixed(model, i))
		return (struct pmu_reg){ PMU_REG_COUNTER, i + model->counters };
	if (fixed || i >= model->counters)
		return PMU_NO_REG;
	if (offset % ARCH_V6_STEP == ARCH_V6_EVNTSEL)
		return (struct pmu_reg){ PMU_REG_SELECT, i };
	if (offset % ARCH_V6_STEP)
		return PMU_NO_REG;
	return (struct pmu_reg){ PMU_REG_FULL_WIDTH, i };
}

static struct pmu_reg arch_decode(const struct pmu *pmu, uint32_t msr)
{
	const struct pmu_model *model = pmu->model;
	const uint32_t counters = model->counters;

	if (msr >= ARCH_PMC0 && msr < ARCH_PMC0 + counters)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - ARCH_PMC0 };
	if (msr >= ARCH_EVNTSEL0 && msr < ARCH_EVNTSEL0 + counters)
		return (struct pmu_reg){ PMU_REG_SELECT, msr - ARCH_EVNTSEL0 };
	if (msr >= ARCH_FIXED_CTR0 &&
	    pmu_has_fixed(model, msr - ARCH_FIXED_CTR0))
		return (struct pmu_reg){ PMU_REG_COUNTER,
					 msr - ARCH_FIXED_CTR0 + counters };
	if (msr >= ARCH_FULL_WIDTH_PMC0 &&
	    msr < ARCH_FULL_WIDTH_PMC0 + counters &&
	    model->capabilities & CAPABLE_FULL_WIDTH)
		return (struct pmu_reg){ PMU_REG_FULL_WIDTH,
					 msr - ARCH_FULL_WIDTH_PMC0 };
	if (msr >= ARCH_V6_PMC0 && model->version >= 6)
		return decode_alias(model, msr);
	return arch_decode_control(pmu, msr);
}

static int arch_rdpmc(const struct pmu *pmu, uint32_t index)
{
	const struct pmu_model *model = pmu->model;

	if (index < model->counters)
		return (int)index;
	if (index >= RDPMC_FIXED && pmu_has_fixed(model, index - RDPMC_FIXED))
		return (int)(index - RDPMC_FIXED + model->counters);
	return -1;
}

static enum pmu_result arch_write_counter(struct pmu *pmu, unsigned int i,
					  uint64_t value)
{
	struct pmu_counter *c = &pmu->counter[i];

	if (i < pmu->model->counters)
		c->value = pmu_sign_extend32(value) & c->mask;
	else if (value & ~c->mask)
		return PMU_GP;
	else
		c->value = value;
	c->room = c->mask - c->value + 1;
	pmu_pebs_disarm(pmu, i);
	return PMU_OK;
}

static enum pmu_result arch_write_select(struct pmu *pmu, unsigned int i,
					 uint64_t value)
{
	uint64_t mask = pmu->model->select_mask;

	if (i != IN_TXCP_COUNTER)
		mask &= ~SELECT_IN_TXCP;
	if (value & ~mask)
		return PMU_GP;
	pmu->counter[i].select = value;
	erratum_select_written(pmu, i);
	update_programmable(pmu, i);
	return PMU_OK;
}

/* What leaf 10 says that a CPU has: in a hybrid processor, what all have. */
static unsigned int told_counters(const struct pmu *pmu)
{
	const struct pmu_model *model = pmu->model;

	return pmu->hybrid && model->common_counters ? model->common_counters :
						       model->counters;
}

static unsigned int told_fixed(const struct pmu *pmu)
{
	const struct pmu_model *model = pmu->model;

	return pmu->hybrid && model->common_fixed ? model->common_fixed :
						    model->fixed;
}

/* Up to version 4 fixed counters have no holes: their number says it all. */
static void describe_fixed(const struct pmu *pmu, uint32_t *ecx, uint32_t *edx)
{
	const struct pmu_model *model = pmu->model;
	const uint32_t existing = pmu_width_mask(told_fixed(pmu)) &
				  ~(uint64_t)model->fixed_holes;
	uint32_t first_hole = 0;

	while (existing >> first_hole & 1)
		first_hole++;
	*edx = first_hole | (uint32_t)model->fixed_width << 5;
	if (model->version < 5)
		return;
	*ecx = existing;
	if (!model->any_thread)
		*edx |= PERFMON_EDX_NO_ANY_THREAD;
}

/* Two subleaves, of which the second one announces the leaf of version 6. */
static bool describe_features(const struct pmu *pmu, uint32_t subleaf,
			      uint32_t regs[4])
{
	const bool has_leaf = pmu->model->version >= 6;
	bool changed = has_leaf;

	if (!subleaf && pmu->hybrid) {
		regs[3] |= EXTENDED_EDX_HYBRID;
		changed = true;
	}
	if (!subleaf && pmu_has_erratum(pmu, PMU_ERRATUM_FORCE_ABORT)) {
		regs[3] |= EXTENDED_EDX_FORCE_ABORT;
		changed = true;
	}
	if (!subleaf && pmu->model->lbr == PMU_LBR_ARCH) {
		regs[3] |= EXTENDED_EDX_LBR;
		changed = true;
	}
	if (!subleaf && has_leaf && !regs[0])
		regs[0] = 1;
	if (subleaf == 1 && has_leaf)
		regs[0] |= EXTENDED_1_EAX_PERFMON;
	return changed;
}

/* The kind of core, and which one of its kind: the first. */
static bool describe_kind(const struct pmu_model *model, uint32_t subleaf,
			  uint32_t regs[4])
{
	if (!model->kind)
		return false;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (!subleaf)
		regs[0] = (uint32_t)model->kind << 24 | 1;
	return true;
}

/* Version 6: which subleaves there are, and bit masks of the counters. */
static bool describe_counters(const struct pmu_model *model, uint32_t subleaf,
			      uint32_t regs[4])
{
	if (model->version < 6)
		return false;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (subleaf == 0)
		regs[0] = 1 << 0 | 1 << 1;
	if (subleaf == 1) {
		regs[0] = pmu_width_mask(model->counters);
		regs[1] = pmu_width_mask(model->fixed) &
			  ~(uint64_t)model->fixed_holes;
	}
	return true;
}

static void describe_perfmon(const struct pmu *pmu, uint32_t regs[4])
{
	const struct pmu_model *model = pmu->model;
	const uint32_t events = told_fixed(pmu) > 3 ? 8 : 7; /* all present */

	regs[0] = model->version | (uint32_t)told_counters(pmu) << 8 |
		  (uint32_t)model->width << 16 | events << 24;
	regs[1] = 0;
	regs[2] = 0;
	describe_fixed(pmu, &regs[2], &regs[3]);
}

bool arch_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
		uint32_t regs[4])
{
	const struct pmu_model *model = pmu->model;

	switch (leaf) {
	case CPUID_FEATURES:
		if (!model->capabilities)
			return false;
		regs[2] |= FEATURES_ECX_PDCM;
		pmu_cpuid_pebs(pmu, leaf, regs);
		return true;
	case CPUID_EXTENDED_FEATURES:
		return describe_features(pmu, subleaf, regs);
	case CPUID_PERFMON:
		describe_perfmon(pmu, regs);
		return true;
	case CPUID_KIND:
		return describe_kind(model, subleaf, regs);
	case CPUID_PERFMON_EXTENDED:
		return describe_counters(model, subleaf, regs);
	case CPUID_LBR:
		return pmu_cpuid_lbr(pmu, regs);
	default:
		return false;
	}
}

const struct pmu_design pmu_arch = {
	.lvt_automask = true,
	.events = arch_events,
	.reset = arch_reset,
	.update = arch_update,
	.decode = arch_decode,
	.rdpmc = arch_rdpmc,
	.write_counter = arch_write_counter,
	.write_select = arch_write_select,
	.read_control = arch_read_control,
	.write_control = arch_write_control,
	.overflow = arch_overflow,
	.cpuid = arch_cpuid,
};
