// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which registers may make records by themselves.  The hardware reloads the counter after
 * a record: so the session cannot vary the period, record other PMDs or reset them.
 *
 * Called for each element of a write, with the session locked, before anything changes.
 */
#include <linux/bitmap.h>
#include <linux/limits.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>

#include "../family/family.h"
#include "../pmrs.h"
#include "../session.h"
#include "records.h"

/* The PMDs of a set that make records. */
static unsigned long records_pmds(const struct perfmon_set *set)
{
	if (perfmon_pmu.records_pmc == PERFMON_NO_REG)
		return 0;
	return perfmon_arch_record_pmds(set->pmcs[perfmon_pmu.records_pmc]);
}

static bool records_value_fits(u64 value)
{
	return (s64)value < 0 && (s64)value >= -INT_MAX;
}

/* The attributes that a PMD has already. */
static bool records_attr_fits(const struct perfmon_pmd_attr *attr)
{
	return attr && perfmon_arch_record_fits(attr->short_reset) &&
	       !attr->swcnt && bitmap_empty(attr->smpl, PERFMON_ARCH_MAX_PMDS) &&
	       bitmap_empty(attr->reset, PERFMON_ARCH_MAX_PMDS);
}

/* The attributes that it is about to get; their masks are by position. */
static bool records_new_attr_fits(struct pfarg_pmd_attr *attr)
{
	return perfmon_arch_record_fits(attr->reg_short_reset) &&
	       !attr->reg_ovfl_swcnt &&
	       bitmap_empty(perfmon_positions(attr->reg_smpl_pmds),
			    PERFMON_ARCH_MAX_PMDS) &&
	       bitmap_empty(perfmon_positions(attr->reg_reset_pmds),
			    PERFMON_ARCH_MAX_PMDS);
}

/**
 * perfmon_records_fit_pmd - may a PMD be written, if it makes records?
 * @set: its set
 * @pos: its position
 * @pmr: the element
 * @attr: attributes to be written, with masks by position; NULL: it keeps its own
 */
bool perfmon_records_fit_pmd(const struct perfmon_set *set, unsigned int pos,
			     const struct pfarg_pmr *pmr,
			     struct pfarg_pmd_attr *attr)
{
	if (!(records_pmds(set) & BIT(pos)))
		return true;
	if (pmr->reg_flags & PFM_REGFL_RANDOM ||
	    !records_value_fits(pmr->reg_value))
		return false;
	return attr ? records_new_attr_fits(attr) :
		      records_attr_fits(set->pmds[pos].attr);
}

/**
 * perfmon_records_fit_pmc - may a PMC of type PERFMON_REG_REC be written?
 * @s: session
 * @set: its set
 * @reg: the PMC
 * @value: its new value, not 0
 *
 * The PMDs that it lets make records must have values and attributes for that, or not be
 * used yet.
 */
bool perfmon_records_fit_pmc(const struct perfmon_session *s,
			     const struct perfmon_set *set,
			     const struct perfmon_reg *reg, u64 value)
{
	const struct perfmon_pmd *pmd;
	unsigned long left;
	unsigned int pos;

	if (!s->fmt || !s->fmt->record || perfmon_family(s))
		return false;
	if (perfmon_pmu.records_pmc == PERFMON_NO_REG ||
	    reg != &perfmon_pmu.pmcs[perfmon_pmu.records_pmc])
		return true;
	left = perfmon_arch_record_pmds(value) & *set->used_pmds;
	while (perfmon_next_pmd(&left, &pos)) {
		pmd = &set->pmds[pos];
		if (pmd->flags & PFM_REGFL_RANDOM ||
		    !records_value_fits(pmd->last) || !records_attr_fits(pmd->attr))
			return false;
	}
	return true;
}
