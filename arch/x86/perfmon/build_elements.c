// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building elements of a perfctr control from PMC values, for designs with one
 * selector per counter.
 *
 * Called by perfmon_arch_build() through perfctr_design.build.
 */
#include <linux/bitops.h>
#include <linux/perfmon_pmu.h>

#include "build.h"
#include "perfctr_core.h"

/* Selector bits that never reach the hardware in an a-mode counter. */
#define SELECTOR_DROPPED	(EVNTSEL_INT | EVNTSEL_PIN)

/* In a field of IA32_FIXED_CTR_CTRL: OS and USR; these and the any-thread bit. */
#define FIXED_LEVELS		0x3
#define FIXED_CHOICE		0x7

static void build_add_element(struct perfctr_cpu_control *control, u32 map,
			      u64 selector)
{
	unsigned int i = control->nractrs++;

	control->pmc_map[i] = map;
	control->evntsel[i] = selector;
	control->evntsel_high[i] = selector >> 32;
}

static bool build_fixed_selector(u64 fixed_ctrl, u32 map, u64 *selector)
{
	*selector = fixed_ctrl >> 4 * (map & ~PERFCTR_FIXED) & FIXED_CHOICE;
	return *selector & FIXED_LEVELS;
}

static u64 build_selector(u64 pmc)
{
	return pmc & ~(u64)SELECTOR_DROPPED;
}

/*
 * On P6 the enable bit of selector 0 switches all counters, so that selector
 * must be present even if PMD 0 is not.  If the map has an enable bit in other
 * PMCs too, each of them means the same bit.
 */
void perfmon_build_shared_enable(struct perfmon_arch_set *set, const u64 *pmcs,
				 const unsigned long *used_pmcs,
				 const unsigned long *used_pmds)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int pmd;
	u64 pmc, enable = 0;

	for (pmd = 0; pmd < perfctr_design->nr_counters; pmd++)
		enable |= pmcs[perfmon_pmu.pmds[pmd].ctrl] & EVNTSEL_ENABLE;
	if (!enable || bitmap_empty(used_pmds, perfctr_design->nr_counters))
		return;

	build_add_element(control, perfmon_pmu.pmds[0].hw,
			  build_selector(pmcs[0] | enable));
	if (test_bit(0, used_pmds))
		set->element[0] = 0;

	for (pmd = 1; pmd < perfctr_design->nr_counters; pmd++) {
		if (!test_bit(pmd, used_pmds))
			continue;
		set->element[pmd] = control->nractrs;
		pmc = pmcs[perfmon_pmu.pmds[pmd].ctrl] & ~(u64)EVNTSEL_ENABLE;
		build_add_element(control, perfmon_pmu.pmds[pmd].hw,
				  build_selector(pmc));
	}
}

static bool build_enabled(const u64 *pmcs, const unsigned long *used_pmcs,
			  unsigned int pmc)
{
	u64 bits = perfctr_design->enable_bits;

	return bits ? pmcs[pmc] & bits : test_bit(pmc, used_pmcs);
}

void perfmon_build_own_enables(struct perfmon_arch_set *set, const u64 *pmcs,
			       const unsigned long *used_pmcs,
			       const unsigned long *used_pmds)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int pmd;

	for_each_set_bit(pmd, used_pmds, PERFMON_ARCH_MAX_PMDS) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmds[pmd];
		u64 pmc, selector;
		bool counts;

		/* The TSC has no control register. */
		if (reg->type & PERFMON_REG_V)
			continue;
		pmc = pmcs[reg->ctrl];
		if (reg->hw & PERFCTR_FIXED) {
			counts = build_fixed_selector(pmc, reg->hw, &selector);
		} else {
			counts = build_enabled(pmcs, used_pmcs, reg->ctrl);
			selector = build_selector(pmc);
		}
		if (!counts)
			continue;
		set->element[pmd] = control->nractrs;
		build_add_element(control, reg->hw, selector);
	}
}
