// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's architectural PMU, versions 2 to 5: programmable counters with
 * selectors in the layout of the P6, and counters with a fixed event. Their
 * number and width come from the model. Writes to programmable counters take 32
 * bits and extend their sign, except at the addresses for full-width writes;
 * fixed counters take all of theirs. Reserved bits raise #GP. Delivering an
 * interrupt masks the LVTPC. The other control registers are in arch_control.c.
 *
 * The fixed counters follow the programmable ones in struct pmu's array.
 */

#include "arch.h"

#define ARCH_PMC0 0xc1u
#define ARCH_EVNTSEL0 0x186u
#define ARCH_FIXED_CTR0 0x309u
#define ARCH_FULL_WIDTH_PMC0 0x4c1u

/* PERF_CAPABILITIES: there are addresses for full-width writes. */
#define CAPABLE_FULL_WIDTH (1ull << 13)

/* RDPMC index of the first fixed counter. */
#define RDPMC_FIXED 0x40000000u

#define CPUID_FEATURES 1u
#define FEATURES_ECX_PDCM (1u << 15) /* PERF_CAPABILITIES exists */
#define CPUID_EXTENDED_FEATURES 7u
#define EXTENDED_EDX_FORCE_ABORT (1u << 13) /* MSR_TSX_FORCE_ABORT exists */
#define CPUID_PERFMON 0xau
#define PERFMON_EDX_NO_ANY_THREAD (1u << 15)

/* Fields of a fixed counter in FIXED_CTRL, four bits each. */
#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_PMI 0x8u

/* Not counting what aborted transactions did: for one counter only. */
#define SELECT_IN_TXCP (1ull << 33)
#define IN_TXCP_COUNTER 2

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
}

static void update_programmable(struct pmu *pmu, unsigned int i)
{
	pmu_apply_evntsel(pmu, i,
			  arch_globally_enabled(pmu, i) &&
				  pmu->counter[i].select & EVNTSEL_EN);
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

/* Up to version 4 fixed counters have no holes: their number says it all. */
static void describe_fixed(const struct pmu_model *model, uint32_t *ecx,
			   uint32_t *edx)
{
	const uint32_t existing = pmu_width_mask(model->fixed) &
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

bool arch_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4])
{
	const struct pmu_model *model = pmu->model;
	const uint32_t events = model->fixed > 3 ? 8 : 7; /* all present */

	if (leaf == CPUID_EXTENDED_FEATURES &&
	    pmu_has_erratum(pmu, PMU_ERRATUM_FORCE_ABORT)) {
		regs[3] |= EXTENDED_EDX_FORCE_ABORT;
		return true;
	}
	if (leaf == CPUID_FEATURES && model->capabilities) {
		regs[2] |= FEATURES_ECX_PDCM;
		return true;
	}
	if (leaf != CPUID_PERFMON)
		return false;
	regs[0] = model->version | (uint32_t)model->counters << 8 |
		  (uint32_t)model->width << 16 | events << 24;
	regs[1] = 0;
	regs[2] = 0;
	describe_fixed(model, &regs[2], &regs[3]);
	return true;
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
