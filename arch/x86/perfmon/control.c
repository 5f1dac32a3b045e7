// SPDX-License-Identifier: GPL-2.0-only
/*
 * From PMC values to a perfctr control.
 *
 * A set's used PMDs become elements of a low-level state if their selector is
 * enabled; the others keep their values.  What the user wrote into interrupt
 * bits does not matter: they follow from the mode of the counter, which the
 * session core chooses.
 *
 * The session core calls perfmon_arch_build() with the set on no CPU.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include "perfctr_core.h"
#include "desc.h"

/* Bits of a selector that never reach hardware in an a-mode counter. */
#define SELECTOR_DROPPED	(EVNTSEL_INT | EVNTSEL_PIN)

/* OS and USR bits of a field of IA32_FIXED_CTR_CTRL; these and any thread. */
#define FIXED_LEVELS		0x3
#define FIXED_CHOICE		0x7
#define FIXED_INT		0x8

static void add_element(struct perfctr_cpu_control *control, u32 map,
			u64 selector)
{
	unsigned int i = control->nractrs++;

	control->pmc_map[i] = map;
	control->evntsel[i] = selector;
	control->evntsel_high[i] = selector >> 32;
}

static bool fixed_selector(u64 fixed_ctrl, u32 map, u64 *selector)
{
	*selector = fixed_ctrl >> 4 * (map & ~PERFCTR_FIXED) & FIXED_CHOICE;
	return *selector & FIXED_LEVELS;
}

static bool programmable_selector(u64 pmc, bool enabled, u64 *selector)
{
	*selector = pmc & ~(u64)SELECTOR_DROPPED;
	return enabled;
}

/*
 * On P6 the enable bit of selector 0 switches all counters, so that selector
 * has to be there even if PMD 0 is not.  Where the map has such a bit in other
 * PMCs too, each of them stands for that one.
 */
static void build_shared_enable(struct perfmon_arch_set *set, const u64 *pmcs,
				const unsigned long *used_pmds)
{
	struct perfctr_cpu_control *control = &set->state.control;
	u64 selector, enable = 0;
	unsigned int pmd;

	for (pmd = 0; pmd < perfctr_design->nr_counters; pmd++)
		enable |= pmcs[perfmon_pmu.pmds[pmd].ctrl] & EVNTSEL_ENABLE;
	if (!enable || bitmap_empty(used_pmds, perfctr_design->nr_counters))
		return;

	programmable_selector(pmcs[0] | enable, true, &selector);
	add_element(control, perfmon_pmu.pmds[0].hw, selector);
	if (test_bit(0, used_pmds))
		set->element[0] = 0;

	for (pmd = 1; pmd < perfctr_design->nr_counters; pmd++) {
		if (!test_bit(pmd, used_pmds))
			continue;
		set->element[pmd] = control->nractrs;
		programmable_selector(pmcs[perfmon_pmu.pmds[pmd].ctrl] &
				      ~(u64)EVNTSEL_ENABLE, true, &selector);
		add_element(control, perfmon_pmu.pmds[pmd].hw, selector);
	}
}

static bool pmc_enabled(const u64 *pmcs, const unsigned long *used_pmcs,
			unsigned int pmc)
{
	return perfmon_desc_enable ? pmcs[pmc] & perfmon_desc_enable :
				     test_bit(pmc, used_pmcs);
}

static void build_own_enables(struct perfmon_arch_set *set, const u64 *pmcs,
			      const unsigned long *used_pmcs,
			      const unsigned long *used_pmds)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int pmd;

	for_each_set_bit(pmd, used_pmds, perfmon_pmu.nr_pmds) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmds[pmd];
		u64 pmc, selector;
		bool counts;

		/* Has no control register. */
		if (reg->type & PERFMON_REG_V)
			continue;
		pmc = pmcs[reg->ctrl];
		if (reg->hw & PERFCTR_FIXED)
			counts = fixed_selector(pmc, reg->hw, &selector);
		else
			counts = programmable_selector(pmc,
						       pmc_enabled(pmcs,
								   used_pmcs,
								   reg->ctrl),
						       &selector);
		if (!counts)
			continue;
		set->element[pmd] = control->nractrs;
		add_element(control, reg->hw, selector);
	}
}

/* What the user wrote into the interrupt bits was dropped above. */
static void add_interrupt_bit(struct perfctr_cpu_control *control,
			      unsigned int i)
{
	control->evntsel[i] |= control->pmc_map[i] & PERFCTR_FIXED ?
			       FIXED_INT : perfctr_design->int_bit;
	control->ireset[i] = INT_MIN;
}

static void swap_elements(struct perfctr_cpu_control *control, unsigned int i,
			  unsigned int j)
{
	swap(control->pmc_map[i], control->pmc_map[j]);
	swap(control->evntsel[i], control->evntsel[j]);
	swap(control->evntsel_high[i], control->evntsel_high[j]);
	swap(control->p4.escr[i], control->p4.escr[j]);
}

static unsigned int pmd_of_element(const struct perfmon_arch_set *set,
				   unsigned int i)
{
	unsigned int pmd;

	for (pmd = 0; pmd < perfmon_pmu.nr_pmds; pmd++)
		if (set->element[pmd] == i)
			break;
	return pmd;
}

/* Move the elements of these PMDs behind the others and let them interrupt. */
static void build_ictrs(struct perfmon_arch_set *set,
			const unsigned long *ictrs)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int i = 0, last, pmd, other;

	if (!(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT))
		return;
	while (i < control->nractrs) {
		pmd = pmd_of_element(set, i);
		if (pmd == perfmon_pmu.nr_pmds || !test_bit(pmd, ictrs)) {
			i++;
			continue;
		}
		last = --control->nractrs;
		control->nrictrs++;
		other = pmd_of_element(set, last);
		swap_elements(control, i, last);
		if (other < perfmon_pmu.nr_pmds)
			set->element[other] = i;
		set->element[pmd] = last;
		add_interrupt_bit(control, last);
	}
}

static void build_tsc(struct perfmon_arch_set *set,
		      const unsigned long *used_pmds)
{
	unsigned int pmd;

	set->tsc_on = false;
	for_each_set_bit(pmd, used_pmds, perfmon_pmu.nr_pmds) {
		if (perfmon_pmu.pmds[pmd].hw != PERFMON_HW_TSC)
			continue;
		set->element[pmd] = PERFMON_TSC_ELEMENT;
		set->tsc_on = true;
	}
}

/*
 * On P5 and Cyrix a selector without a level cannot be given to the hardware,
 * and one that is not zero hardly means "off".
 */
int perfmon_arch_check_pmc(const struct perfmon_reg *reg, u64 value)
{
	if (value && perfmon_desc_enable && !(value & perfmon_desc_enable))
		return -EINVAL;
	return 0;
}

/* Registers that qualify events, as far as they were written in this set. */
static void add_extra(struct perfctr_cpu_control *control, const u64 *pmcs,
		      const unsigned long *used_pmcs)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		u8 pos = perfmon_desc_extra[i];

		if (pos == PERFMON_NO_REG || !test_bit(pos, used_pmcs))
			continue;
		control->extra[i] = pmcs[pos];
		control->extra_used |= BIT(i);
	}
}

void perfmon_arch_build(struct perfmon_arch_set *set, const u64 *pmcs,
			const unsigned long *used_pmcs,
			const unsigned long *used_pmds,
			const unsigned long *ictrs, bool system_wide)
{
	struct perfctr_cpu_control *control = &set->state.control;

	memset(control, 0, sizeof(*control));
	memset(set->element, PERFMON_NO_ELEMENT, sizeof(set->element));

	if (perfctr_design->has_p4_control)
		perfmon_build_p4(set, pmcs, used_pmds);
	else if (perfmon_desc_shared_enable)
		build_shared_enable(set, pmcs, used_pmds);
	else
		build_own_enables(set, pmcs, used_pmcs, used_pmds);
	build_ictrs(set, ictrs);
	add_extra(&set->state.control, pmcs, used_pmcs);

	/*
	 * The reserved bits were forced when the PMCs were written, so there
	 * is nothing left to refuse.  If there is, the set counts nothing.
	 * The generic design would refuse a control that says so.
	 */
	if (!control->nractrs && !control->nrictrs)
		set->state.cstatus = 0;
	else if (WARN_ON_ONCE(perfctr_cpu_update_control(&set->state,
							 system_wide)))
		memset(set->element, PERFMON_NO_ELEMENT, sizeof(set->element));
	build_tsc(set, used_pmds);
}
