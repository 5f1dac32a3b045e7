/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data registers: the 64-bit value of a PMD, and the overflow that it is armed
 * for.
 */
#ifndef _KERNEL_PERFMON_PMD_H
#define _KERNEL_PERFMON_PMD_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include "admin/stats.h"
#include "session.h"

/**
 * struct perfmon_period - a period that varies
 * @least: its shortest
 * @mask: bits of a random number to add
 */
struct perfmon_period {
	u64 least;
	u64 mask;
};

/**
 * perfmon_pmd_value - 64-bit value of a PMD as of the last fold
 * @set: set
 * @pos: position of the PMD
 *
 * While a PMD counts, its value is the sum in the low-level core.
 *
 * Return: the value.
 */
static __always_inline u64 perfmon_pmd_value(const struct perfmon_set *set,
					     unsigned int pos)
{
	return *set->pmds[pos].at;
}

/**
 * perfmon_pmd_present - 64-bit value of a PMD as of now
 * @set: set
 * @pos: position of the PMD
 * @live: the set is on this CPU
 *
 * Return: the value.
 */
static __always_inline u64 perfmon_pmd_present(struct perfmon_set *set,
					       unsigned int pos, bool live)
{
	if (!live || !perfmon_arch_counts(&set->arch, pos))
		return perfmon_pmd_value(set, pos);
	return perfmon_arch_read(&set->arch, pos);
}

/**
 * perfmon_pmd_load - give a PMD a new value
 * @set: set, not on the hardware
 * @pos: position of the PMD
 * @value: new value; also stored as the last loaded one
 */
static inline void perfmon_pmd_load(struct perfmon_set *set, unsigned int pos,
				    u64 value)
{
	set->pmds[pos].last = value;
	*set->pmds[pos].at = value;
}

void perfmon_seed_random(struct perfmon_session *s, u64 seed, u64 serial);
u64 perfmon_random_bits(struct perfmon_session *s, u64 mask);
struct perfmon_period perfmon_pmd_period(const struct perfmon_pmd *pmd,
					 u64 reset);
u64 perfmon_pmd_vary(struct perfmon_session *s, struct perfmon_set *set,
		     unsigned int pos, u64 reset);
u64 perfmon_pmd_lengthen(struct perfmon_set *set, unsigned int pos, u64 events);
u64 perfmon_pmd_shown(const struct perfmon_set *set, unsigned int pos, u64 value);
void perfmon_arm_pmd(struct perfmon_set *set, unsigned int pos);
void perfmon_pmds_note_late(struct perfmon_session *s, struct perfmon_set *set,
			    unsigned long pmds);
s64 perfmon_pmd_on_grid(const struct perfmon_set *set, unsigned int pos);
void perfmon_reset_pmds(struct perfmon_session *s, struct perfmon_set *set,
			const unsigned long *pmds, bool long_reset);

/* Arm a PMD that continues from @value: the hardware interrupts at its overflow. */
static __always_inline void pmd_arm(struct perfmon_set *set, unsigned int pos,
				    u64 value)
{
	u64 events = -value;

	if (unlikely((s64)value >= 0)) {
		__clear_bit(pos, set->armed);
		perfmon_arch_arm(&set->arch, pos, S64_MAX);
		return;
	}
	__set_bit(pos, set->armed);
	if (unlikely(!perfmon_arch_period_fits(events)))
		events = perfmon_pmd_lengthen(set, pos, events);
	perfmon_arch_arm(&set->arch, pos, events);
}

static __always_inline u64 pmd_reset_value(struct perfmon_session *s,
					   struct perfmon_set *set,
					   unsigned int pos, bool long_reset)
{
	const struct perfmon_pmd *pmd = &set->pmds[pos];
	u64 value;

	if (!pmd->attr)
		return 0;
	value = long_reset ? pmd->attr->long_reset : pmd->attr->short_reset;
	if (unlikely(pmd->flags & PFM_REGFL_RANDOM))
		return perfmon_pmd_vary(s, set, pos, value);
	return value;
}

/**
 * perfmon_find_plain - find out whether a short reset needs no calculation
 * @s: session
 * @pmd: PMD whose flags or attributes have changed
 */
static inline void perfmon_find_plain(const struct perfmon_session *s,
				      struct perfmon_pmd *pmd)
{
	u64 value = pmd->attr ? pmd->attr->short_reset : 0;

	pmd->plain = 0;
	if ((s64)value < 0 && (s64)value > INT_MIN && !(s->flags & PFM_FL_NMI) &&
	    !(pmd->flags & PFM_REGFL_RANDOM) && perfmon_arch_period_fits(-value))
		pmd->plain = (s32)value;
}

/*
 * A short reset of a PMD with @plain.  Sharing one function body with the other resets
 * would cost six instructions more.
 */
static __always_inline void pmd_reset_plain(struct perfmon_set *set,
					    unsigned int pos)
{
	s32 start = set->pmds[pos].plain;

	perfmon_pmd_load(set, pos, (s64)start);
	if (test_bit(pos, set->ictrs)) {
		__set_bit(pos, set->armed);
		perfmon_arch_arm_at(&set->arch, pos, start);
	}
}

/**
 * perfmon_reset_pmd - load a register with its reset value
 * @s: session
 * @set: set, not on the hardware
 * @pos: position of the PMD
 * @long_reset: after a restart, else after an overflow
 */
static __always_inline void perfmon_reset_pmd(struct perfmon_session *s,
					      struct perfmon_set *set,
					      unsigned int pos, bool long_reset)
{
	const struct perfmon_pmd *pmd = &set->pmds[pos];
	s64 late = 0;
	u64 value;

	perfmon_count(PERFMON_STAT_RESET_PMDS);
	if (!long_reset && likely(pmd->plain)) {
		pmd_reset_plain(set, pos);
		return;
	}
	if (unlikely(s->flags & PFM_FL_NMI) && !long_reset)
		late = perfmon_pmd_on_grid(set, pos);
	value = pmd_reset_value(s, set, pos, long_reset);
	perfmon_pmd_load(set, pos, value);
	if (unlikely(late) && (s64)(value + late) < 0) {
		value += late;
		*pmd->at = value;
	}
	if (test_bit(pos, set->ictrs))
		pmd_arm(set, pos, value);
}

#endif /* _KERNEL_PERFMON_PMD_H */
