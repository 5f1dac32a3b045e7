// SPDX-License-Identifier: GPL-2.0-only
/*
 * Building a perfctr control from PMC values.
 *
 * A used PMD of a set becomes an element of the low-level state if its selector is
 * enabled; other PMDs keep their values.  The interrupt bits that the user wrote are
 * ignored: the session core chooses the mode of each counter, and the bits follow from
 * it.
 *
 * The session core calls perfmon_arch_build() while the set is on no CPU.
 */
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include <asm/cpufeature.h>

#include "build.h"
#include "map.h"
#include "perfctr_core.h"

/* The bit in a field of IA32_FIXED_CTR_CTRL that i-mode needs. */
#define FIXED_INT	0x8

/* The design has cleared the interrupt bits that the user wrote. */
static void build_add_interrupt(struct perfctr_cpu_control *control,
				unsigned int i)
{
	control->evntsel[i] |= control->pmc_map[i] & PERFCTR_FIXED ?
			       FIXED_INT : perfctr_design->int_bit;
	control->ireset[i] = INT_MIN;
}

static void build_swap(struct perfctr_cpu_control *control, unsigned int i,
		       unsigned int j)
{
	swap(control->pmc_map[i], control->pmc_map[j]);
	swap(control->evntsel[i], control->evntsel[j]);
	swap(control->evntsel_high[i], control->evntsel_high[j]);
	swap(control->p4.escr[i], control->p4.escr[j]);
}

static unsigned int build_pmd_of(const struct perfmon_arch_set *set,
				 unsigned int i)
{
	unsigned int pmd;

	for (pmd = 0; pmd < perfmon_pmu.nr_pmds; pmd++)
		if (set->element[pmd] == i)
			break;
	return pmd;
}

/* Move the elements of these PMDs behind the others and make them interrupt. */
static void build_ictrs(struct perfmon_arch_set *set,
			const unsigned long *ictrs)
{
	struct perfctr_cpu_control *control = &set->state.control;
	unsigned int i = 0, last, pmd, other;

	if (bitmap_empty(ictrs, PERFMON_ARCH_MAX_PMDS) ||
	    !(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT))
		return;
	while (i < control->nractrs) {
		pmd = build_pmd_of(set, i);
		if (pmd == perfmon_pmu.nr_pmds || !test_bit(pmd, ictrs)) {
			i++;
			continue;
		}
		last = --control->nractrs;
		control->nrictrs++;
		other = build_pmd_of(set, last);
		build_swap(control, i, last);
		if (other < perfmon_pmu.nr_pmds)
			set->element[other] = i;
		set->element[pmd] = last;
		build_add_interrupt(control, last);
	}
}

static void build_tsc(struct perfmon_arch_set *set,
		      const unsigned long *used_pmds)
{
	unsigned int pmd;

	set->also &= ~PERFMON_ALSO_TSC;
	for_each_set_bit(pmd, used_pmds, PERFMON_ARCH_MAX_PMDS) {
		if (perfmon_pmu.pmds[pmd].hw != PERFMON_HW_TSC)
			continue;
		set->element[pmd] = PERFMON_TSC_ELEMENT;
		set->also |= PERFMON_ALSO_TSC;
	}
}

/* The first selector for one kind of core makes the set measure its times per kind. */
static void build_kinds(struct perfmon_arch_set *set)
{
	const struct perfctr_cpu_control *control = &set->state.control;
	unsigned int i;

	if (!cpu_feature_enabled(X86_FEATURE_HYBRID_CPU) ||
	    set->also & PERFMON_ALSO_KINDS)
		return;
	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		if (!(control->evntsel_high[i] & SELECTOR_KINDS))
			continue;
		memset(set->kind_tsc, 0, sizeof(set->kind_tsc));
		set->also |= PERFMON_ALSO_KINDS;
		return;
	}
}

/* The extra register of a PMC; NULL if it is a selector. */
static const struct perfctr_extra *build_extra_of(const struct perfmon_reg *reg)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		u8 pos = perfctr_design->extra[i].pmc;

		if (pos != PERFMON_NO_REG && &perfmon_pmu.pmcs[pos] == reg)
			return &perfctr_design->extra[i];
	}
	return NULL;
}

/*
 * On P5 and Cyrix a selector without a level bit does not reach the hardware; if it is
 * not zero, this is hardly intended.  The legal bits of an extra register depend on the
 * kind of core that its value is for.
 */
int perfmon_arch_check_pmc(const struct perfmon_reg *reg, u64 value)
{
	const struct perfctr_extra *extra = build_extra_of(reg);
	u64 bits = perfctr_design->enable_bits;

	if (extra)
		return value & ~perfctr_extra_allows(extra, value) ? -EINVAL : 0;
	if (reg->type & PERFMON_REG_CLAIM)
		return perfmon_ibs_check(reg, value);

	if (value && bits && !(value & bits))
		return -EINVAL;
	return 0;
}

/* Add the extra registers that were written in this set. */
static void build_add_extra(struct perfctr_cpu_control *control,
			    const u64 *pmcs, const unsigned long *used_pmcs)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		u8 pos = perfctr_design->extra[i].pmc;

		if (pos == PERFMON_NO_REG || !test_bit(pos, used_pmcs))
			continue;
		control->extra[i] = pmcs[pos];
		control->extra_used |= BIT(i);
	}
}

/* Clear the fields that are not filled when an element is added. */
static void build_clear(struct perfctr_cpu_control *control)
{
	control->tsc_on = 0;
	control->nractrs = 0;
	control->nrictrs = 0;
	memset(&control->p4, 0, sizeof(control->p4));
	control->_reserved1 = 0;
	control->_reserved2 = 0;
	control->_reserved3 = 0;
	control->_reserved4 = 0;
	control->extra_used = 0;
}

static void build_set(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmcs,
		      const unsigned long *used_pmds,
		      const unsigned long *ictrs, bool system_wide)
{
	struct perfctr_cpu_control *control = &set->state.control;

	build_clear(control);
	memset(set->element, PERFMON_NO_ELEMENT, sizeof(set->element));

	if (perfctr_design->build)
		perfctr_design->build(set, pmcs, used_pmcs, used_pmds);
	build_ictrs(set, ictrs);
	build_add_extra(&set->state.control, pmcs, used_pmcs);

	/*
	 * The reserved bits were forced when the PMCs were written, so the check should
	 * refuse nothing; if it refuses a set all the same, the set counts nothing.  The
	 * generic design refuses a control without elements.
	 */
	if (!control->nractrs && !control->nrictrs)
		set->state.cstatus = 0;
	else if (WARN_ON_ONCE(perfctr_cpu_update_control(&set->state,
							 system_wide)))
		memset(set->element, PERFMON_NO_ELEMENT, sizeof(set->element));
	build_tsc(set, used_pmds);
	build_kinds(set);
}

/* The same with more than counters, or for a set that had more before. */
static noinline void build_also(struct perfmon_arch_set *set, const u64 *pmcs,
				const unsigned long *used_pmcs,
				const unsigned long *used_pmds,
				const unsigned long *ictrs, bool system_wide)
{
	DECLARE_BITMAP(others, PERFMON_ARCH_MAX_PMDS);

	perfmon_pebs_choose(set, pmcs, used_pmcs, used_pmds, others);
	build_set(set, pmcs, used_pmcs, others, ictrs, system_wide);
	perfmon_pebs_build(set);
	perfmon_ibs_build(set, pmcs, others);
	perfmon_lbr_build(set, pmcs, used_pmcs, system_wide);
	/* Without counters the set has no identity yet. */
	if (!set->state.cstatus)
		perfctr_cpu_renew(&set->state);
}

void perfmon_arch_build(struct perfmon_arch_set *set, const u64 *pmcs,
			const unsigned long *used_pmcs,
			const unsigned long *used_pmds,
			const unsigned long *ictrs, bool system_wide)
{
	if (unlikely(*used_pmcs & perfmon_also_pmcs || set->also & PERFMON_ALSO_BY_PMC))
		build_also(set, pmcs, used_pmcs, used_pmds, ictrs, system_wide);
	else
		build_set(set, pmcs, used_pmcs, used_pmds, ictrs, system_wide);
}
