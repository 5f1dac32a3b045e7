// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's architectural PMU, version 2: programmable counters with selectors
 * in the layout of the P6, fixed-function counters, global control and status.
 * Number and width of the counters come from the model. Writes to programmable
 * counters take 32 bits and extend their sign; fixed counters take all of
 * theirs. Reserved bits raise #GP. Delivering an interrupt masks the LVTPC.
 *
 * The fixed counters follow the programmable ones in struct pmu's array.
 */

#include "design.h"

#define ARCH_PMC0 0xc1u
#define ARCH_EVNTSEL0 0x186u
#define ARCH_FIXED_CTR0 0x309u
#define ARCH_FIXED_CTRL 0x38du
#define ARCH_GLOBAL_STATUS 0x38eu
#define ARCH_GLOBAL_CTRL 0x38fu
#define ARCH_GLOBAL_OVF_CTRL 0x390u

/* RDPMC index of the first fixed counter. */
#define RDPMC_FIXED 0x40000000u
#define CPUID_PERFMON 0xau
#define CPUID_EVENTS 7 /* architectural events, all present */

/* Fields of a fixed counter in FIXED_CTRL, four bits each. */
#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_PMI 0x8u

#define STATUS_FIXED0 32
#define STATUS_OVF_BUF (1ull << 62)
#define STATUS_COND_CHGD (1ull << 63)

static const struct pmu_event arch_events[] = {
	{ 0x00c0, 0xffff, { 1, 1, 0 } }, /* instructions retired */
	{ 0x01c0, 0xffff, { 1, 1, 0 } }, /* the same since Nehalem */
	{ 0x003c, 0xffff, { 3, 2, 0 } }, /* core cycles */
	{ 0x013c, 0xffff, { 3, 2, 0 } }, /* reference cycles */
	{ 0x0000, 0xffff, { 0, 1, 0 } }, /* no event */
	{ 0, 0, { 0, 1, 0 } },
};

/* Instructions, core cycles, reference cycles. */
static const struct pmu_rate fixed_rates[] = {
	{ 1, 1, 0 },
	{ 3, 2, 0 },
	{ 3, 2, 0 },
};

static uint64_t global_bits(const struct pmu_model *model)
{
	const uint64_t fixed = pmu_width_mask(model->fixed);

	return fixed << STATUS_FIXED0 | pmu_width_mask(model->counters);
}

static unsigned int status_bit(const struct pmu_model *model, unsigned int i)
{
	return i < model->counters ? i : STATUS_FIXED0 + i - model->counters;
}

static bool globally_enabled(const struct pmu *pmu, unsigned int i)
{
	return pmu->global_ctrl >> status_bit(pmu->model, i) & 1;
}

static void update_fixed(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *c = &pmu->counter[pmu->model->counters + i];
	const unsigned int ctrl = pmu->fixed_ctrl >> (4 * i) & 0xf;

	c->flags = 0;
	if (!globally_enabled(pmu, pmu->model->counters + i))
		return;
	pmu_set_rate(c, fixed_rates[i]);
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
			  globally_enabled(pmu, i) &&
				  pmu->counter[i].select & EVNTSEL_EN);
}

static void update_all(struct pmu *pmu)
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
	const uint32_t counters = pmu->model->counters;
	const uint32_t fixed = pmu->model->fixed;

	if (msr >= ARCH_PMC0 && msr < ARCH_PMC0 + counters)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - ARCH_PMC0 };
	if (msr >= ARCH_EVNTSEL0 && msr < ARCH_EVNTSEL0 + counters)
		return (struct pmu_reg){ PMU_REG_SELECT, msr - ARCH_EVNTSEL0 };
	if (msr >= ARCH_FIXED_CTR0 && msr < ARCH_FIXED_CTR0 + fixed)
		return (struct pmu_reg){ PMU_REG_COUNTER,
					 msr - ARCH_FIXED_CTR0 + counters };
	if (msr >= ARCH_FIXED_CTRL && msr <= ARCH_GLOBAL_OVF_CTRL)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	return PMU_NO_REG;
}

static int arch_rdpmc(const struct pmu *pmu, uint32_t index)
{
	const struct pmu_model *model = pmu->model;

	if (index < model->counters)
		return (int)index;
	if (index >= RDPMC_FIXED && index - RDPMC_FIXED < model->fixed)
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
	return PMU_OK;
}

static enum pmu_result arch_write_select(struct pmu *pmu, unsigned int i,
					 uint64_t value)
{
	if (value & ~pmu->model->select_mask)
		return PMU_GP;
	pmu->counter[i].select = value;
	update_programmable(pmu, i);
	return PMU_OK;
}

static enum pmu_result arch_read_control(const struct pmu *pmu, uint32_t msr,
					 uint64_t *value)
{
	switch (msr) {
	case ARCH_FIXED_CTRL:
		*value = pmu->fixed_ctrl;
		return PMU_OK;
	case ARCH_GLOBAL_STATUS:
		*value = pmu->global_status;
		return PMU_OK;
	case ARCH_GLOBAL_CTRL:
		*value = pmu->global_ctrl;
		return PMU_OK;
	case ARCH_GLOBAL_OVF_CTRL:
		*value = 0;
		return PMU_OK;
	default:
		return PMU_GP;
	}
}

/* Bit 2 of each counter (any thread) does not exist before version 3. */
static uint64_t fixed_ctrl_bits(const struct pmu_model *model)
{
	const uint64_t one = FIXED_OS | FIXED_USR | FIXED_PMI;

	return one * (pmu_width_mask(4 * model->fixed) / 0xf);
}

static enum pmu_result arch_write_control(struct pmu *pmu, uint32_t msr,
					  uint64_t value)
{
	const uint64_t global = global_bits(pmu->model);

	switch (msr) {
	case ARCH_FIXED_CTRL:
		if (value & ~fixed_ctrl_bits(pmu->model))
			return PMU_GP;
		pmu->fixed_ctrl = value;
		break;
	case ARCH_GLOBAL_CTRL:
		if (value & ~global)
			return PMU_GP;
		pmu->global_ctrl = value;
		break;
	case ARCH_GLOBAL_OVF_CTRL:
		if (value & ~(global | STATUS_OVF_BUF | STATUS_COND_CHGD))
			return PMU_GP;
		pmu->global_status &= ~value;
		return PMU_OK;
	default: /* the status is read only */
		return PMU_GP;
	}
	update_all(pmu);
	return PMU_OK;
}

static void arch_overflow(struct pmu *pmu, unsigned int i)
{
	pmu->global_status |= 1ull << status_bit(pmu->model, i);
}

static bool arch_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4])
{
	const struct pmu_model *model = pmu->model;

	if (leaf != CPUID_PERFMON)
		return false;
	regs[0] = model->version | (uint32_t)model->counters << 8 |
		  (uint32_t)model->width << 16 | (uint32_t)CPUID_EVENTS << 24;
	regs[1] = 0;
	regs[2] = 0;
	regs[3] = model->fixed | (uint32_t)model->fixed_width << 5;
	return true;
}

const struct pmu_design pmu_arch = {
	.lvt_automask = true,
	.events = arch_events,
	.reset = arch_reset,
	.decode = arch_decode,
	.rdpmc = arch_rdpmc,
	.write_counter = arch_write_counter,
	.write_select = arch_write_select,
	.read_control = arch_read_control,
	.write_control = arch_write_control,
	.overflow = arch_overflow,
	.cpuid = arch_cpuid,
};
