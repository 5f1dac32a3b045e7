// SPDX-License-Identifier: GPL-2.0-only
/*
 * What processors do against their manual, as far as Linux knows: each erratum is
 * off until PMU_FAULT_ERRATA asks for it. Used by arch.c and arch_control.c. The
 * places in Linux are those of 6.12, arch/x86/events/intel/core.c.
 *
 * PERIOD (hsw_limit_period() and those after it): a counter that is armed too near
 * to its overflow sets its status bit a second time when software resets it, and
 * interrupts again. INST_RETIRED.ALL of Haswell and Broadwell counts wrongly then:
 * here twice what it was armed with, or on Broadwell, what is left of a multiple.
 *
 * REPROGRAM (intel_pmu_nhm_workaround(), AAK100, AAP53, BD53): a counter that gets
 * another event counts core cycles, until four magic events have been in the
 * selectors while GLOBAL_CTRL went from 15 to 0. Events that are chosen between
 * then and the next GLOBAL_CTRL are counted.
 *
 * FORCE_ABORT (intel_set_tfa()): counter 3 belongs to the microcode unless
 * MSR_TSX_FORCE_ABORT says otherwise. Here it loses one event of two.
 */

#include "arch.h"

#define INST_RETIRED_ALL 0x01c0u
#define FORCE_ABORT_COUNTER 3
#define MAGIC_COUNTERS 4

static uint32_t event_and_umask(const struct pmu_counter *c)
{
	return c->select & (EVNTSEL_EVENT | EVNTSEL_UMASK);
}

bool pmu_has_erratum(const struct pmu *pmu, uint32_t erratum)
{
	return pmu->fault.errata & erratum;
}

/* A selector without event stops a counter; it is not another event. */
void erratum_select_written(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *c = &pmu->counter[i];
	const uint32_t event = event_and_umask(c);

	if (!pmu_has_erratum(pmu, PMU_ERRATUM_REPROGRAM) || !event)
		return;
	if (pmu->erratum.clean)
		c->stale = false;
	else if (event != c->event)
		c->stale = true;
	c->event = event;
}

static bool magic_is_selected(const struct pmu *pmu)
{
	static const uint32_t magic[MAGIC_COUNTERS] = { 0x4300b5, 0x4300d2,
							0x4300b1, 0x4300b1 };
	unsigned int i;

	for (i = 0; i < MAGIC_COUNTERS; i++)
		if (pmu->counter[i].select != magic[i])
			return false;
	return true;
}

void erratum_global_ctrl_written(struct pmu *pmu)
{
	const uint64_t programmable = pmu_width_mask(pmu->model->counters);
	const uint64_t enabled = pmu->global_ctrl & programmable;

	if (!pmu_has_erratum(pmu, PMU_ERRATUM_REPROGRAM))
		return;
	if (!enabled && pmu->erratum.magic)
		pmu->erratum.clean = true;
	else if (enabled)
		pmu->erratum.clean = false;
	pmu->erratum.magic = enabled == programmable && magic_is_selected(pmu);
}

static bool is_short(const struct pmu *pmu, unsigned int i)
{
	const struct pmu_counter *c = &pmu->counter[i];
	const bool all = event_and_umask(c) == INST_RETIRED_ALL;

	return c->room < pmu->model->min_period ||
	       (all && c->room < pmu->model->min_period_all);
}

/* What INST_RETIRED.ALL counts too much for a period that it cannot have. */
static uint64_t surplus(const struct pmu *pmu, const struct pmu_counter *c)
{
	if (c->room < pmu->model->min_period_all)
		return c->room;
	return pmu->model->period_granule ?
		       c->room % pmu->model->period_granule :
		       0;
}

void erratum_overflow(struct pmu *pmu, unsigned int i, uint64_t status_bit)
{
	struct pmu_counter *c = &pmu->counter[i];

	if (!pmu_has_erratum(pmu, PMU_ERRATUM_PERIOD) ||
	    i >= pmu->model->counters)
		return;
	if (is_short(pmu, i) && c->flags & PMU_COUNT_IRQ)
		pmu->erratum.again |= status_bit;
	if (event_and_umask(c) == INST_RETIRED_ALL)
		c->value = (c->value + surplus(pmu, c)) & c->mask;
	/* It goes on from here with the longest period that there is. */
	c->room = c->mask;
}

uint64_t erratum_status_reset(struct pmu *pmu, uint64_t bits)
{
	const uint64_t again = pmu->erratum.again & bits;

	pmu->erratum.again &= ~bits;
	if (again)
		pmu_raise(pmu);
	return again;
}

bool erratum_counts_cycles(const struct pmu *pmu, unsigned int i)
{
	return pmu_has_erratum(pmu, PMU_ERRATUM_REPROGRAM) &&
	       pmu->counter[i].stale;
}

struct pmu_rate erratum_rate(const struct pmu *pmu, unsigned int i,
			     struct pmu_rate rate)
{
	if (erratum_counts_cycles(pmu, i))
		return (struct pmu_rate){ 3, 2, 0 };
	if (pmu_has_erratum(pmu, PMU_ERRATUM_FORCE_ABORT) &&
	    i == FORCE_ABORT_COUNTER && !(pmu->erratum.force_abort & 1))
		return (struct pmu_rate){ rate.num, rate.den * 2,
					  rate.phase * 2 };
	return rate;
}
