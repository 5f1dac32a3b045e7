// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control registers of Intel's architectural PMU that are not selectors:
 * fixed control, global control and status, capabilities. Reserved bits and
 * read-only registers raise #GP. Used by arch.c.
 *
 * Version 4 gives the register that resets the status a companion that sets it,
 * freezes counters by a bit of the status, and tells which counters are in use.
 */

#include "arch.h"

#define ARCH_FORCE_ABORT 0x10fu
#define ARCH_CAPABILITIES 0x345u
#define ARCH_FIXED_CTRL 0x38du
#define ARCH_GLOBAL_STATUS 0x38eu
#define ARCH_GLOBAL_CTRL 0x38fu
#define ARCH_GLOBAL_STATUS_RESET 0x390u /* until version 3: GLOBAL_OVF_CTRL */
#define ARCH_GLOBAL_STATUS_SET 0x391u
#define ARCH_GLOBAL_INUSE 0x392u

/* Fields of a fixed counter in FIXED_CTRL, four bits each. */
#define FIXED_OS 0x1u
#define FIXED_USR 0x2u
#define FIXED_ANY 0x4u
#define FIXED_PMI 0x8u
#define FIXED_ADAPTIVE (1ull << 32) /* of PEBS */

#define STATUS_FIXED0 32
#define STATUS_LBR_FRZ (1ull << 58)
#define STATUS_CTR_FRZ (1ull << 59)
#define STATUS_OVF_BUF (1ull << 62)
#define STATUS_COND_CHGD (1ull << 63)
#define CTRL_PERF_METRICS (1ull << 48)
#define INUSE_PMI (1ull << 63)

/* Addresses in the order of PMU_EXTRA_*. */
static const uint32_t extra_msrs[PMU_EXTRA_REGS] = {
	0x1a6,
	0x1a7,
	0x3f6,
	0x3f7,
};

static unsigned int status_bit(const struct pmu_model *model, unsigned int i)
{
	return i < model->counters ? i : STATUS_FIXED0 + i - model->counters;
}

/* The bits of all counters in the global registers. */
static uint64_t counter_bits(const struct pmu_model *model)
{
	uint64_t bits = pmu_width_mask(model->counters);
	unsigned int i;

	for (i = 0; i < model->fixed; i++)
		if (pmu_has_fixed(model, i))
			bits |= 1ull << (STATUS_FIXED0 + i);
	return bits;
}

/* The metrics themselves are not there: nothing reads them. */
static uint64_t global_ctrl_bits(const struct pmu_model *model)
{
	return counter_bits(model) |
	       (model->perf_metrics ? CTRL_PERF_METRICS : 0);
}

static uint64_t settable_status(const struct pmu_model *model)
{
	return counter_bits(model) | STATUS_LBR_FRZ | STATUS_CTR_FRZ |
	       STATUS_OVF_BUF;
}

static uint64_t resettable_status(const struct pmu_model *model)
{
	const uint64_t bits = counter_bits(model) | STATUS_OVF_BUF |
			      STATUS_COND_CHGD;

	return model->version >= 4 ? bits | settable_status(model) : bits;
}

static uint64_t fixed_ctrl_bits(const struct pmu_model *model)
{
	uint64_t field = FIXED_OS | FIXED_USR | FIXED_PMI, bits = 0;
	unsigned int i;

	if (model->any_thread)
		field |= FIXED_ANY;
	if (model->capabilities & PEBS_BASELINE)
		field |= FIXED_ADAPTIVE;
	for (i = 0; i < model->fixed; i++)
		if (pmu_has_fixed(model, i))
			bits |= field << (4 * i);
	return bits;
}

/* One bit for each counter that is programmed, and one for any interrupt. */
static uint64_t inuse(const struct pmu *pmu)
{
	const struct pmu_model *model = pmu->model;
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < model->counters; i++) {
		if (pmu->counter[i].select & EVNTSEL_EVENT)
			bits |= 1ull << i;
		if (pmu->counter[i].select & EVNTSEL_INT)
			bits |= INUSE_PMI;
	}
	for (i = 0; i < model->fixed; i++) {
		const unsigned int field = pmu->fixed_ctrl >> (4 * i) & 0xf;

		if (field & (FIXED_OS | FIXED_USR))
			bits |= 1ull << (STATUS_FIXED0 + i);
		if (field & FIXED_PMI)
			bits |= INUSE_PMI;
	}
	return bits;
}

bool arch_globally_enabled(const struct pmu *pmu, unsigned int i)
{
	return pmu->global_ctrl >> status_bit(pmu->model, i) & 1 &&
	       !(pmu->global_status & STATUS_CTR_FRZ);
}

struct pmu_reg arch_decode_control(const struct pmu *pmu, uint32_t msr)
{
	const struct pmu_model *model = pmu->model;
	const uint32_t last = model->version >= 4 ? ARCH_GLOBAL_INUSE :
						    ARCH_GLOBAL_STATUS_RESET;
	unsigned int i;

	if (msr >= ARCH_FIXED_CTRL && msr <= last)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	if (msr == ARCH_CAPABILITIES && model->capabilities)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	if (msr == ARCH_FORCE_ABORT &&
	    pmu_has_erratum(pmu, PMU_ERRATUM_FORCE_ABORT))
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	if (pmu_is_pebs_msr(pmu, msr))
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	for (i = 0; i < PMU_EXTRA_REGS; i++)
		if (msr == extra_msrs[i] && model->extra_mask[i])
			return (struct pmu_reg){ PMU_REG_EXTRA, i };
	return PMU_NO_REG;
}

enum pmu_result arch_read_control(const struct pmu *pmu, uint32_t msr,
				  uint64_t *value)
{
	if (pmu_is_pebs_msr(pmu, msr)) {
		*value = pmu_read_pebs(pmu, msr);
		return PMU_OK;
	}
	switch (msr) {
	case ARCH_FORCE_ABORT:
		*value = pmu->erratum.force_abort;
		return PMU_OK;
	case ARCH_CAPABILITIES:
		*value = pmu->model->capabilities;
		return PMU_OK;
	case ARCH_FIXED_CTRL:
		*value = pmu->fixed_ctrl;
		return PMU_OK;
	case ARCH_GLOBAL_STATUS:
		*value = pmu->global_status | pmu->fault.stuck;
		return PMU_OK;
	case ARCH_GLOBAL_CTRL:
		*value = pmu->global_ctrl;
		return PMU_OK;
	case ARCH_GLOBAL_INUSE:
		*value = inuse(pmu);
		return PMU_OK;
	default: /* those that change the status */
		*value = 0;
		return PMU_OK;
	}
}

enum pmu_result arch_write_control(struct pmu *pmu, uint32_t msr,
				   uint64_t value)
{
	const struct pmu_model *model = pmu->model;

	switch (msr) {
	case ARCH_FORCE_ABORT:
		if (value & ~1ull)
			return PMU_GP;
		pmu->erratum.force_abort = value;
		break;
	case ARCH_FIXED_CTRL:
		if (value & ~fixed_ctrl_bits(model))
			return PMU_GP;
		pmu->fixed_ctrl = value;
		break;
	case ARCH_GLOBAL_CTRL:
		if (value & ~global_ctrl_bits(model))
			return PMU_GP;
		pmu->global_ctrl = value;
		erratum_global_ctrl_written(pmu);
		break;
	case ARCH_GLOBAL_STATUS_RESET:
		if (value & ~resettable_status(model))
			return PMU_GP;
		pmu->global_status &= ~value;
		pmu->global_status |= erratum_status_reset(pmu, value);
		break;
	case ARCH_GLOBAL_STATUS_SET:
		if (value & ~settable_status(model))
			return PMU_GP;
		pmu->global_status |= value;
		break;
	default: /* the others are read only */
		if (!pmu_is_pebs_msr(pmu, msr) ||
		    !pmu_write_pebs(pmu, msr, value))
			return PMU_GP;
	}
	arch_update(pmu);
	return PMU_OK;
}

void arch_overflow(struct pmu *pmu, unsigned int i)
{
	const uint64_t bit = 1ull << status_bit(pmu->model, i);

	pmu->global_status |= bit;
	erratum_overflow(pmu, i, bit);
}
