// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of a set that make records, as its PMCs say.
 *
 * The session core calls this while the set is on no CPU.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "../build.h"
#include "../intel.h"
#include "../perfctr_core.h"
#include "pebs.h"

/* Bits of selectors that would make an overflow interrupt. */
#define SELECTOR_DROPPED	(EVNTSEL_INT | EVNTSEL_PIN)

/* Fields of the control of fixed counters: the levels, and any thread. */
#define FIXED_COUNTS	0x3
#define FIXED_KEPT	0x7

/* A record has all groups of PEBS_DATA_CFG: in the selector, and in the field. */
#define SELECTOR_ADAPTIVE	BIT_ULL(34)
#define FIXED_ADAPTIVE		BIT_ULL(32)

/* Position of the PMD of a counter, which is given by index. */
unsigned int pebs_pos(unsigned int n)
{
	if (n < PERFMON_PEBS_FIXED)
		return perfmon_pmu.pmd_pos[n];
	return perfmon_pmu.pmd_pos[PEBS_FIXED_PMD + n - PERFMON_PEBS_FIXED];
}

/* Bits of a counter in PEBS_ENABLE: for records, and for the latency of loads. */
static u64 pebs_bits(unsigned int n)
{
	u64 bit = pebs_bit(n);

	return pebs_format < PEBS_FORMAT_GROUPS ? bit | bit << 32 : bit;
}

/**
 * perfmon_arch_record_pmds - PMDs that a value of PEBS_ENABLE lets make records
 * @enable: the value
 *
 * Return: mask of positions.
 */
unsigned long perfmon_arch_record_pmds(u64 enable)
{
	unsigned long left = pebs_by_index(enable & pebs_counters), pmds = 0;
	unsigned int n;

	for_each_set_bit(n, &left, PERFMON_PEBS_COUNTERS)
		pmds |= BIT(pebs_pos(n));
	return pmds;
}

/* Does the PMD of a counter count at all? */
static bool pebs_counts(const u64 *pmcs, const unsigned long *used_pmds,
			unsigned int n, unsigned int pos)
{
	u64 control = pmcs[perfmon_pmu.pmds[pos].ctrl];

	if (!test_bit(pos, used_pmds))
		return false;
	if (n < PERFMON_PEBS_FIXED)
		return control & EVNTSEL_ENABLE;
	return control >> 4 * (n - PERFMON_PEBS_FIXED) & FIXED_COUNTS;
}

static void pebs_add_fixed(struct perfmon_pebs *pebs, u64 control,
			   unsigned int n)
{
	const unsigned int shift = 4 * (n - PERFMON_PEBS_FIXED);

	pebs->fixed_fields |= (FIXED_FIELD | FIXED_ADAPTIVE) << shift;
	pebs->fixed_ctrl |= (control & FIXED_KEPT << shift) |
			    FIXED_ADAPTIVE << shift;
}

static void pebs_add(struct perfmon_pebs *pebs, const u64 *pmcs, unsigned int n,
		     unsigned int pos)
{
	u64 control = pmcs[perfmon_pmu.pmds[pos].ctrl];

	pebs->counters |= BIT(n);
	if (n >= PERFMON_PEBS_FIXED)
		pebs_add_fixed(pebs, control, n);
	else
		pebs->selector[n] = (control & ~(u64)SELECTOR_DROPPED) |
				    (pebs_format < PEBS_FORMAT_GROUPS ?
					     0 : SELECTOR_ADAPTIVE);
	/* Until the core says more, which it does before the set counts. */
	pebs->reset[n] = -INT_MAX;
}

static void pebs_clear(struct perfmon_pebs *pebs, bool was_on)
{
	bool pending = was_on && pebs->pending;
	u32 stray = was_on ? pebs->stray : 0;

	*pebs = (struct perfmon_pebs){ .pending = pending, .stray = stray };
}

/**
 * perfmon_pebs_choose - choose the counters that make records
 * @set: is on no CPU
 * @pmcs: values of PMCs by position
 * @used_pmcs: PMCs that were written, by position
 * @used_pmds: PMDs that are used, by position
 * @others: filled: the rest of @used_pmds
 */
void perfmon_pebs_choose(struct perfmon_arch_set *set, const u64 *pmcs,
			 const unsigned long *used_pmcs,
			 const unsigned long *used_pmds, unsigned long *others)
{
	struct perfmon_pebs *pebs = &set->pebs;
	unsigned int n, pos;
	unsigned long left;
	u64 enable = 0;

	*others = *used_pmds;
	/* IBS has this memory on processors without PEBS. */
	if (!pebs_counters)
		return;
	pebs_clear(pebs, set->also & PERFMON_ALSO_RECORDS);
	set->also &= ~PERFMON_ALSO_RECORDS;
	if (test_bit(perfmon_pmu.records_pmc, used_pmcs))
		enable = pmcs[perfmon_pmu.records_pmc];
	left = pebs_by_index(enable & pebs_counters);
	for_each_set_bit(n, &left, PERFMON_PEBS_COUNTERS) {
		pos = pebs_pos(n);
		__clear_bit(pos, others);
		if (!pebs_counts(pmcs, used_pmds, n, pos))
			continue;
		pebs_add(pebs, pmcs, n, pos);
		pebs->enable |= enable & pebs_bits(n);
	}
}

/**
 * perfmon_pebs_build - give the PMDs that make records their places
 * @set: its other counters are built
 */
void perfmon_pebs_build(struct perfmon_arch_set *set)
{
	struct perfmon_pebs *pebs = &set->pebs;
	unsigned long left = pebs->counters;
	unsigned int n;

	if (!pebs_counters || !left)
		return;
	set->also |= PERFMON_ALSO_RECORDS;
	for_each_set_bit(n, &left, PERFMON_PEBS_COUNTERS)
		set->element[pebs_pos(n)] = PERFMON_PEBS_ELEMENT + n;
	perfmon_arch_choose_blocks(set, 0);
}

/**
 * perfmon_arch_choose_blocks - say which groups records need
 * @set: is built, and on no CPU
 * @blocks: that the format stores
 */
void perfmon_arch_choose_blocks(struct perfmon_arch_set *set, u32 blocks)
{
	struct perfmon_pebs *pebs = &set->pebs;

	/* Of other sets nothing has been built. */
	if (!(set->also & PERFMON_ALSO_RECORDS))
		return;
	pebs->data_cfg = (blocks & PFM_PRECISE_SMPL_MEM ? PEBS_GROUP_MEMORY : 0) |
			 (blocks & PFM_PRECISE_SMPL_GPRS ? PEBS_GROUP_GPRS : 0);
	pebs->bytes = pebs_bytes(pebs_format, pebs->data_cfg);
	pebs->room = PEBS_BYTES / pebs->bytes;
}

/**
 * perfmon_arch_record_fits - can records be made so many events apart?
 * @value: negative: the events, as a PMD is loaded with them
 */
bool perfmon_arch_record_fits(u64 value)
{
	u64 least = max(perfctr_design->min_period, 2U);

	return -value >= least && -value <= INT_MAX;
}

/**
 * perfmon_arch_set_records - say how many events lie between two records
 * @set: is built, and on no CPU
 * @pmd: position of a PMD; nothing happens if it makes none
 * @value: negative: the events; others mean as many as possible
 */
void perfmon_arch_set_records(struct perfmon_arch_set *set, unsigned int pmd,
			      u64 value)
{
	unsigned int n = set->element[pmd] - PERFMON_PEBS_ELEMENT;

	if (n < PERFMON_PEBS_COUNTERS)
		set->pebs.reset[n] = perfmon_arch_record_fits(value) ?
					     (s32)value : -INT_MAX;
}
