// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that a guest asks for (PMU_STAT_FAULT) or that are there when it starts
 * (pmu_set_boot_faults()), and what they do. Called by stats.c, pmu.c, evntsel.c.
 *
 * What changes counts needs a design that can be brought up to date at any time:
 * those with selectors like the P6's. Others refuse these faults.
 */

#include <stdlib.h>
#include <string.h>

#include "design.h"

#define FIXED_BIT 32

/* Names for those that make sense before the guest runs. */
static const struct {
	const char *name;
	uint64_t kind;
} names[] = {
	{ "skid", PMU_FAULT_SKID },
	{ "leak", PMU_FAULT_LEAK },
	{ "extra", PMU_FAULT_EXTRA },
	{ "still", PMU_FAULT_STILL },
	{ "filter", PMU_FAULT_FILTER },
	{ "stuck", PMU_FAULT_STUCK },
	{ "foreign", PMU_FAULT_FOREIGN },
	{ "lose", PMU_FAULT_LOSE },
	{ "host-mask", PMU_FAULT_HOST_MASK },
	{ "firmware", PMU_FAULT_FIRMWARE },
	{ "errata", PMU_FAULT_ERRATA },
	{ "shadow", PMU_FAULT_SHADOW },
	{ "energy", PMU_FAULT_ENERGY },
	{ "ibs-foreign", PMU_FAULT_IBS_FOREIGN },
	{ "pebs-delay", PMU_FAULT_PEBS_DELAY },
	{ "pebs-status0", PMU_FAULT_PEBS_STATUS0 },
	{ "pebs-late", PMU_FAULT_PEBS_LATE },
	{ "mispredict", PMU_FAULT_MISPREDICT },
};

/* The place of a counter in struct pmu, PMU_MAX_COUNTERS if there is none. */
static unsigned int find_counter(const struct pmu *pmu, uint64_t number)
{
	const struct pmu_model *model = pmu->model;

	if (number < model->counters && pmu->counter[number].mask)
		return number;
	if (number >= FIXED_BIT && number < FIXED_BIT + PMU_MAX_COUNTERS &&
	    pmu_has_fixed(model, number - FIXED_BIT))
		return model->counters + (number - FIXED_BIT);
	return PMU_MAX_COUNTERS;
}

static bool add_counter(const struct pmu *pmu, uint32_t *counters, uint64_t arg)
{
	const unsigned int i = find_counter(pmu, arg);

	if (i == PMU_MAX_COUNTERS)
		return false;
	*counters |= 1u << i;
	return true;
}

/* As firmware that uses the PMU leaves it: counting, globally enabled. */
static bool start_firmware(struct pmu *pmu, uint64_t arg)
{
	const unsigned int i = find_counter(pmu, arg);

	if (i == PMU_MAX_COUNTERS)
		return false;
	if (i < pmu->model->counters)
		pmu->counter[i].select = 0xc0 | EVNTSEL_USR | EVNTSEL_OS |
					 EVNTSEL_EN;
	else
		pmu->fixed_ctrl |= 3ull << 4 * (arg - FIXED_BIT);
	pmu->global_ctrl |= 1ull << arg;
	return true;
}

static bool set_errata(struct pmu *pmu, uint64_t arg)
{
	const uint32_t had = pmu->model->errata;

	if (!had || arg & ~(uint64_t)had)
		return false;
	pmu->fault.errata |= arg ? arg : had;
	return true;
}

/* Faults of counters: the caller brings these up to date. */
static bool set_counting_fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	switch (kind) {
	case PMU_FAULT_LEAK:
		return add_counter(pmu, &pmu->fault.leak, arg);
	case PMU_FAULT_EXTRA:
		return add_counter(pmu, &pmu->fault.extra, arg);
	case PMU_FAULT_STILL:
		return add_counter(pmu, &pmu->fault.still, arg);
	case PMU_FAULT_FILTER:
		pmu->fault.filter = (arg & 0xffff) + 1;
		return arg <= 0xffff;
	case PMU_FAULT_STUCK:
		pmu->fault.stuck |= 1ull << (arg & 63);
		return pmu->model->design->overflow && arg < 64;
	case PMU_FAULT_SHADOW:
		pmu->fault.shadow = pmu->model->design->overflow;
		return pmu->fault.shadow;
	case PMU_FAULT_FOREIGN:
		pmu->fault.foreign = pmu->insns + (arg ? arg : 1);
		return true;
	case PMU_FAULT_IBS_FOREIGN:
		pmu->fault.ibs_foreign = pmu->insns + (arg ? arg : 1);
		return pmu_has_ibs(pmu);
	case PMU_FAULT_FIRMWARE:
		return start_firmware(pmu, arg);
	case PMU_FAULT_ERRATA:
		return set_errata(pmu, arg);
	default:
		return false;
	}
}

/* Faults of records. */
static bool set_record_fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	switch (kind) {
	case PMU_FAULT_PEBS_DELAY:
		pmu->fault.pebs_prompt = !arg;
		return pmu_has_pebs(pmu) && arg <= 1;
	case PMU_FAULT_PEBS_STATUS0:
		pmu->fault.pebs_status0 = arg;
		return pmu_has_inexact_pebs(pmu);
	case PMU_FAULT_PEBS_LATE:
		pmu->fault.pebs_late = arg;
		return pmu_has_pebs(pmu);
	case PMU_FAULT_MISPREDICT:
		pmu->fault.mispredict = arg;
		return pmu_has_lbr(pmu);
	default:
		return false;
	}
}

/* Faults of interrupts, and faults that do not depend on the design. */
static bool set_interrupt_fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	switch (kind) {
	case PMU_FAULT_DELAY:
		pmu->fault.delay = arg;
		return true;
	case PMU_FAULT_LOSE:
		pmu->fault.lose = arg;
		return true;
	case PMU_FAULT_SPURIOUS:
		pmu->pmi_pending = true;
		return true;
	case PMU_FAULT_SKID:
		pmu->fault.skid = arg;
		return true;
	case PMU_FAULT_HOST_MASK:
		pmu->fault.host_mask = true;
		return true;
	case PMU_FAULT_ENERGY:
		pmu->fault.energy = arg;
		return pmu->model->rapl;
	default:
		return false;
	}
}

bool pmu_set_fault(struct pmu *pmu, uint64_t kind, uint64_t arg)
{
	const struct pmu_design *design = pmu->model->design;

	if (kind == PMU_FAULT_CLEAR)
		memset(&pmu->fault, 0, sizeof(pmu->fault));
	else if (!set_interrupt_fault(pmu, kind, arg) &&
		 !set_record_fault(pmu, kind, arg) &&
		 !(design->update && set_counting_fault(pmu, kind, arg)))
		return false;
	if (design->update)
		design->update(pmu);
	return true;
}

void pmu_apply_boot_faults(struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < PMU_BOOT_FAULTS && pmu->boot_fault[i].kind; i++)
		pmu_set_fault(pmu, pmu->boot_fault[i].kind,
			      pmu->boot_fault[i].arg);
}

static uint64_t kind_of(const char *name, size_t length)
{
	unsigned int i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length &&
		    !strncmp(names[i].name, name, length))
			return names[i].kind;
	return PMU_FAULT_CLEAR;
}

bool pmu_set_boot_faults(struct pmu *pmu, const char *list)
{
	unsigned int i;
	char *end;

	for (i = 0; i < PMU_BOOT_FAULTS; i++) {
		const size_t length = strcspn(list, ":+");
		const uint64_t kind = kind_of(list, length);
		uint64_t arg = 0;

		list += length;
		if (*list == ':') {
			arg = strtoull(list + 1, &end, 0);
			if (end == list + 1)
				return false;
			list = end;
		}
		if (!kind || !pmu_set_fault(pmu, kind, arg))
			return false;
		pmu->boot_fault[i].kind = kind;
		pmu->boot_fault[i].arg = arg;
		if (!*list)
			return true;
		if (*list++ != '+')
			return false;
	}
	return false;
}

struct pmu_rate pmu_faulty_rate(const struct pmu *pmu, unsigned int i,
				struct pmu_rate rate)
{
	const uint32_t code = pmu->counter[i].select &
			      (EVNTSEL_EVENT | EVNTSEL_UMASK);
	const bool filtered = i < pmu->model->counters &&
			      pmu->fault.filter == code + 1;

	if (filtered || pmu->fault.still >> i & 1)
		return (struct pmu_rate){ 0, 1, 0 };
	if (pmu->fault.leak >> i & 1)
		return (struct pmu_rate){ rate.num * 7, rate.den * 8,
					  rate.phase * 8 };
	return rate;
}

/* Silicon may count an interrupt, or an exception, as one more. */
void pmu_count_interrupt(struct pmu *pmu)
{
	const struct pmu_design *design = pmu->model->design;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++) {
		struct pmu_counter *c = &pmu->counter[i];

		if (!(pmu->fault.extra >> i & 1) ||
		    !(c->flags & PMU_COUNT_USER))
			continue;
		c->value = (c->value + 1) & c->mask;
		if (c->value)
			continue;
		if (design->overflow)
			design->overflow(pmu, i);
		if (c->flags & PMU_COUNT_IRQ)
			pmu_raise(pmu);
	}
}

/* Without global control the selectors are what others may write. */
void pmu_stop_by_others(struct pmu *pmu)
{
	unsigned int i;

	pmu->fault.foreign = 0;
	pmu->global_ctrl = 0;
	if (!pmu->model->design->write_control)
		for (i = 0; i < pmu->model->counters; i++)
			pmu->counter[i].select = 0;
	pmu->model->design->update(pmu);
}
