// SPDX-License-Identifier: GPL-2.0-only
/*
 * Core of the PMU model: the passing of instructions, and the way of MSR
 * accesses to the design that has the register. The interface is described in
 * pmu.h, the models are in models.c.
 */

#include <string.h>

#include "design.h"

/*
 * Addresses of the registers of all PMU designs. Where the chosen model has no
 * register at such an address, accesses raise #GP as on hardware.
 */
static const struct {
	uint32_t first, last;
} pmu_msrs[] = {
	{ 0x11, 0x13 }, /* P5: CESR, CTR0-1 */
	{ 0xc1, 0xca }, /* P6, architectural: counters */
	{ 0x10f, 0x10f }, /* MSR_TSX_FORCE_ABORT */
	{ 0x186, 0x18f }, /* and their selectors */
	{ 0x1a6, 0x1a7 }, /* off-core response */
	{ 0x300, 0x318 }, /* P4: counters; architectural: fixed counters */
	{ 0x345, 0x345 }, /* PERF_CAPABILITIES */
	{ 0x360, 0x371 }, /* P4: CCCRs */
	{ 0x38d, 0x392 }, /* architectural: fixed and global control */
	{ 0x3a0, 0x3e1 }, /* P4: ESCRs */
	{ 0x3f1, 0x3f2 }, /* PEBS */
	{ 0x3f6, 0x3f7 }, /* load latency, front end */
	{ 0x4c1, 0x4ca }, /* architectural: full-width counters */
	{ 0x1900, 0x1927 }, /* architectural: the same registers again */
	{ 0x1980, 0x199b },
	{ 0xc0000300, 0xc0000303 }, /* AMD PerfMonV2: global control */
	{ 0xc0010000, 0xc0010007 }, /* AMD K7 and later */
	{ 0xc0010200, 0xc001021f }, /* AMD core extension */
	{ 0xc0010230, 0xc0010247 }, /* AMD L3 and north bridge */
	{ 0xc0011030, 0xc001103d }, /* AMD IBS */
};

bool pmu_is_pmu_msr(uint32_t msr)
{
	unsigned int i;

	for (i = 0; i < sizeof(pmu_msrs) / sizeof(pmu_msrs[0]); i++)
		if (msr >= pmu_msrs[i].first && msr <= pmu_msrs[i].last)
			return true;
	return false;
}

bool pmu_init(struct pmu *pmu, const char *model)
{
	const struct pmu_model *found = pmu_find_model(model);

	if (!found)
		return false;
	memset(pmu, 0, sizeof(*pmu));
	pmu->model = found;
	pmu_reset(pmu);
	return true;
}

bool pmu_has_fixed(const struct pmu_model *model, unsigned int i)
{
	return i < model->fixed && !(model->fixed_holes >> i & 1);
}

void pmu_reset(struct pmu *pmu)
{
	const struct pmu_model *model = pmu->model;
	struct pmu_counter *c;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++) {
		c = &pmu->counter[i];
		memset(c, 0, sizeof(*c));
		c->rate = (struct pmu_rate){ 0, 1, 0 };
		if (i < model->counters)
			c->mask = pmu_width_mask(model->width);
		else if (pmu_has_fixed(model, i - model->counters))
			c->mask = pmu_width_mask(model->fixed_width);
	}
	memset(pmu->extra, 0, sizeof(pmu->extra));
	memset(&pmu->erratum, 0, sizeof(pmu->erratum));
	pmu_reset_ibs(pmu);
	pmu_reset_pebs(pmu);
	pmu_reset_lbr(pmu);
	pmu_forget_sampled(pmu);
	pmu->global_ctrl = 0;
	pmu->global_status = 0;
	pmu->fixed_ctrl = 0;
	pmu->user = false;
	pmu->left_user = false;
	pmu->pmi_pending = false;
	memset(&pmu->fault, 0, sizeof(pmu->fault));
	/* They are off now, which no instruction or interrupt has done. */
	pmu->section.off = false;
	if (model->design->reset)
		model->design->reset(pmu);
	pmu_apply_boot_faults(pmu);
}

void pmu_join_core(struct pmu *pmu, struct pmu *first)
{
	if (!pmu->model->shared_extra || first == pmu)
		return;
	pmu->core = first;
	first->sibling = pmu;
}

void pmu_make_hybrid(struct pmu *pmu)
{
	pmu->hybrid = true;
}

/* The registers that qualify events, of this thread or of its core. */
static uint64_t *extra_register(struct pmu *pmu, unsigned int i)
{
	return pmu->core ? &pmu->core->extra[i] : &pmu->extra[i];
}

uint64_t pmu_extra(const struct pmu *pmu, unsigned int i)
{
	return pmu->core ? pmu->core->extra[i] : pmu->extra[i];
}

/* Those that have been written change what both threads count. */
static void update_core(struct pmu *pmu)
{
	struct pmu *other = pmu->core ? pmu->core : pmu->sibling;

	pmu->model->design->update(pmu);
	if (other)
		other->model->design->update(other);
}

static void make_pending(struct pmu *pmu)
{
	pmu->pmi_pending = true;
	pmu_freeze_lbr(pmu);
}

void pmu_raise(struct pmu *pmu)
{
	if (pmu->fault.lose) {
		pmu->fault.lose--;
	} else if (pmu->fault.delay) {
		pmu->fault.due = pmu->insns + pmu->fault.delay;
		pmu->fault.delay = 0;
	} else if (pmu->fault.skid) {
		pmu->fault.due = pmu->insns + pmu->fault.skid;
	} else {
		make_pending(pmu);
	}
}

static bool counts_now(const struct pmu *pmu, const struct pmu_counter *c)
{
	return c->flags & (pmu->user ? PMU_COUNT_USER : PMU_COUNT_KERNEL);
}

/*
 * Instructions until a counter overflows that has one of these flags. For counters of
 * branches there are pmu_retired_limits().
 */
static uint64_t overflow_distance(const struct pmu *pmu, uint8_t flags)
{
	const struct pmu_counter *c;
	uint64_t distance = PMU_NEVER;
	uint64_t insns;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++) {
		c = &pmu->counter[i];
		if (!(c->flags & flags) || !counts_now(pmu, c) ||
		    pmu_is_limited(c))
			continue;
		insns = pmu_insns_to_overflow(c);
		if (insns < distance)
			distance = insns;
	}
	return distance;
}

/* Nothing may be counted past this in one go. */
static uint64_t chain_distance(const struct pmu *pmu)
{
	return overflow_distance(pmu, PMU_COUNT_CHAIN);
}

/* True if an overflow asks for an interrupt. */
static bool advance_all(struct pmu *pmu, uint64_t insns, const uint64_t *news)
{
	const struct pmu_design *design = pmu->model->design;
	uint32_t overflowed = 0;
	bool wrapped, raise = false;
	struct pmu_counter *c;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++) {
		c = &pmu->counter[i];
		if (!counts_now(pmu, c))
			continue;
		wrapped = pmu_advance(c, pmu_steps(c, insns, news));
		if (c->flags & PMU_COUNT_PEBS)
			pmu_pebs_counted(pmu, i, wrapped);
		if (!wrapped)
			continue;
		if (c->flags & PMU_COUNT_PAIR && !pmu_carry(pmu, i))
			continue;
		overflowed |= 1u << i;
		raise |= c->flags & PMU_COUNT_IRQ;
	}
	/* After all have counted: an overflow may switch another one on. */
	for (i = 0; design->overflow && overflowed >> i; i++) {
		if (!(overflowed >> i & 1))
			continue;
		design->overflow(pmu, i);
		if (pmu->fault.shadow)
			break;
	}
	return raise;
}

/*
 * True if an overflow of the next instructions asks for an interrupt. Models with
 * chains have no events of retired kinds: these come with the first step.
 */
static bool count(struct pmu *pmu, uint64_t insns, const uint64_t *news)
{
	static const uint64_t none[PMU_RETIRED_KINDS];
	bool raise = false;
	uint64_t step;

	do {
		step = chain_distance(pmu);
		if (step > insns)
			step = insns;
		raise |= advance_all(pmu, step, news);
		news = none;
		insns -= step;
	} while (insns);
	return raise;
}

void pmu_sync(struct pmu *pmu, uint64_t insns)
{
	const uint64_t user_insns = pmu->stat[PMU_STAT_USER_INSNS];
	uint64_t retired[PMU_RETIRED_KINDS];
	const bool any = pmu_take_retired(pmu, retired);
	uint64_t delta, own = 0;
	bool raise = false;

	pmu->stat[PMU_STAT_SYNC]++;
	if (insns <= pmu->insns && !any)
		return;
	delta = insns > pmu->insns ? insns - pmu->insns : 0;
	pmu->insns += delta;
	pmu->left_user = false;
	if (pmu->user)
		pmu->stat[PMU_STAT_USER_INSNS] += delta;

	if (pmu->fault.due && pmu->fault.due <= pmu->insns) {
		pmu->fault.due = 0;
		make_pending(pmu);
	}
	if (pmu->fault.foreign && pmu->fault.foreign <= pmu->insns) {
		own = delta - (pmu->insns - pmu->fault.foreign);
		raise = count(pmu, own, retired);
		memset(retired, 0, sizeof(retired));
		pmu_stop_by_others(pmu);
	}
	raise |= count(pmu, delta - own, retired);
	if (raise)
		pmu_raise(pmu);
	if (pmu_has_ibs(pmu))
		pmu_sync_ibs(pmu, delta, user_insns);
}

void pmu_set_user(struct pmu *pmu, bool user)
{
	if (pmu->user != user)
		pmu->stat[PMU_STAT_CPL]++;
	pmu->left_user = pmu->user && !user;
	pmu->user = user;
}

uint64_t pmu_distance(const struct pmu *pmu)
{
	uint64_t distance, pebs, ibs;

	if (pmu->pmi_pending)
		return 0;
	distance = overflow_distance(pmu, PMU_COUNT_IRQ | PMU_COUNT_CHAIN);
	if (pmu->fault.due && pmu->fault.due - pmu->insns < distance)
		distance = pmu->fault.due - pmu->insns;
	pebs = pmu_pebs_distance(pmu);
	if (pebs < distance)
		distance = pebs;
	if (pmu_has_ibs(pmu)) {
		ibs = pmu_ibs_distance(pmu);
		if (ibs < distance)
			distance = ibs;
	}
	return distance;
}

bool pmu_take_pmi(struct pmu *pmu)
{
	const struct pmu_design *design = pmu->model->design;
	const bool pending = pmu->pmi_pending;

	pmu->pmi_pending = pending && design->requests_irq &&
			   design->requests_irq(pmu);
	return pending;
}

/* An MSR that the design does not have, or an access that it refuses. */
static enum pmu_result refuse(struct pmu *pmu, uint32_t msr)
{
	pmu->stat[PMU_STAT_GP]++;
	pmu->stat[PMU_STAT_GP_MSR] = msr;
	return PMU_GP;
}

static bool is_register(const struct pmu *pmu, uint32_t msr)
{
	return pmu_is_pmu_msr(msr) || pmu_is_pebs_msr(pmu, msr) ||
	       pmu_is_lbr_msr(pmu, msr);
}

static enum pmu_result read_reg(struct pmu *pmu, uint32_t msr,
				struct pmu_reg reg, uint64_t *value)
{
	if (pmu_is_ibs_msr(msr))
		return pmu_read_ibs(pmu, msr, value);
	if (pmu_is_lbr_msr(pmu, msr))
		return pmu_read_lbr(pmu, msr, value);
	switch (reg.kind) {
	case PMU_REG_COUNTER:
	case PMU_REG_FULL_WIDTH:
		*value = pmu->counter[reg.index].value;
		return PMU_OK;
	case PMU_REG_SELECT:
		*value = pmu->counter[reg.index].select;
		return PMU_OK;
	case PMU_REG_EXTRA:
		*value = *extra_register(pmu, reg.index);
		return PMU_OK;
	case PMU_REG_CONTROL:
		return pmu->model->design->read_control(pmu, msr, value);
	case PMU_REG_TSC:
		return PMU_TSC;
	case PMU_REG_NONE:
		break;
	}
	return PMU_GP;
}

/* A register that keeps all bits it has and refuses all others. */
static enum pmu_result write_bits(uint64_t *to, uint64_t mask, uint64_t value)
{
	if (value & ~mask)
		return PMU_GP;
	*to = value;
	return PMU_OK;
}

static enum pmu_result write_reg(struct pmu *pmu, uint32_t msr,
				 struct pmu_reg reg, uint64_t value)
{
	const struct pmu_design *design = pmu->model->design;
	enum pmu_result result;
	struct pmu_counter *c;

	if (pmu_is_ibs_msr(msr))
		return pmu_write_ibs(pmu, msr, value);
	if (pmu_is_lbr_msr(pmu, msr))
		return pmu_write_lbr(pmu, msr, value);
	switch (reg.kind) {
	case PMU_REG_COUNTER:
		return design->write_counter(pmu, reg.index, value);
	case PMU_REG_FULL_WIDTH:
		c = &pmu->counter[reg.index];
		result = write_bits(&c->value, c->mask, value);
		c->room = c->mask - c->value + 1;
		pmu_pebs_disarm(pmu, reg.index);
		return result;
	case PMU_REG_EXTRA:
		result = write_bits(extra_register(pmu, reg.index),
				    pmu->model->extra_mask[reg.index], value);
		update_core(pmu);
		return result;
	case PMU_REG_SELECT:
		return design->write_select(pmu, reg.index, value);
	case PMU_REG_CONTROL:
		return design->write_control(pmu, msr, value);
	case PMU_REG_TSC:
	case PMU_REG_NONE:
		break;
	}
	return PMU_GP;
}

enum pmu_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	enum pmu_result result;
	struct pmu_reg reg;

	if (pmu_is_stat_msr(msr))
		return pmu_read_stat(pmu, msr, value);
	if (pmu_is_energy_msr(pmu, msr))
		return pmu_read_energy(pmu, msr, value);
	if (!is_register(pmu, msr))
		return PMU_NOT_MINE;
	reg = pmu->model->design->decode(pmu, msr);
	result = read_reg(pmu, msr, reg, value);
	if (result == PMU_GP)
		return refuse(pmu, msr);
	pmu->stat[PMU_STAT_RDMSR]++;
	return result;
}

enum pmu_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	enum pmu_result result;
	struct pmu_reg reg;

	if (pmu_is_stat_msr(msr))
		return pmu_write_stat(pmu, msr, value);
	if (pmu_is_energy_msr(pmu, msr))
		return refuse(pmu, msr);
	if (!is_register(pmu, msr))
		return PMU_NOT_MINE;
	reg = pmu->model->design->decode(pmu, msr);
	result = write_reg(pmu, msr, reg, value);
	if (result != PMU_OK)
		return refuse(pmu, msr);
	pmu_pebs_registers_written(pmu);
	pmu->stat[PMU_STAT_WRMSR]++;
	if (reg.kind == PMU_REG_COUNTER || reg.kind == PMU_REG_FULL_WIDTH)
		pmu->stat[PMU_STAT_WRCTR]++;
	return PMU_OK;
}

enum pmu_result pmu_check_rdpmc(const struct pmu *pmu, uint32_t index)
{
	const struct pmu_design *design = pmu->model->design;

	if (!design->rdpmc)
		return PMU_UD;
	return design->rdpmc(pmu, index) < 0 ? PMU_GP : PMU_OK;
}

enum pmu_result pmu_rdpmc(struct pmu *pmu, uint32_t index, uint64_t *value)
{
	const struct pmu_design *design = pmu->model->design;
	const enum pmu_result result = pmu_check_rdpmc(pmu, index);

	if (result != PMU_OK)
		return result;
	*value = pmu->counter[design->rdpmc(pmu, index)].value;
	if (design->fast_rdpmc && index >> 31)
		*value = (uint32_t)*value;
	pmu->stat[PMU_STAT_RDPMC]++;
	return PMU_OK;
}

bool pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[4])
{
	const struct pmu_design *design = pmu->model->design;

	return pmu_cpuid_ibs(pmu, leaf, regs) ||
	       pmu_energy_cpuid(pmu, leaf, regs) ||
	       (design->cpuid && design->cpuid(pmu, leaf, subleaf, regs));
}

bool pmu_lvt_automask(const struct pmu *pmu)
{
	return pmu->model->design->lvt_automask || pmu->fault.host_mask;
}

void pmu_count_stat(struct pmu *pmu, unsigned int stat)
{
	pmu->stat[stat]++;
}
