// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data registers: arming them for their overflow, loading them with their reset
 * values, randomised where the user wants that, and what programs see of them.
 *
 * Called on the target (target.c) with the set off the hardware, unless a function
 * says otherwise.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/random.h>

#include "admin/stats.h"
#include "loss.h"
#include "pmd.h"
#include "session.h"

/**
 * perfmon_pmd_lengthen - lengthen a period that the processor cannot do
 * @set: is not on the hardware
 * @pos: PMD that can interrupt; gets the value that the longer period begins with
 * @events: wanted period
 *
 * Return: events until the PMD interrupts, at least @events.
 */
u64 perfmon_pmd_lengthen(struct perfmon_set *set, unsigned int pos, u64 events)
{
	struct perfmon_pmd *pmd = &set->pmds[pos];

	events = perfmon_arch_period(&set->arch, pos, events);
	if (pmd->last == *pmd->at)
		pmd->last = -events;
	*pmd->at = -events;
	return events;
}

/**
 * perfmon_arm_pmd - have the hardware interrupt when a PMD overflows
 * @set: is not on the hardware
 * @pos: PMD that can interrupt
 */
void perfmon_arm_pmd(struct perfmon_set *set, unsigned int pos)
{
	pmd_arm(set, pos, perfmon_pmd_value(set, pos));
}

/**
 * perfmon_pmd_shown - what programs see of the 64-bit value of a PMD
 * @set: set
 * @pos: position of the PMD
 * @value: its 64-bit value
 *
 * Without 64-bit emulation only the low W bits count; the others keep what was
 * written.
 *
 * Context: on the target, or the session is locked; the set may count.
 * Return: the value of the register.
 */
u64 perfmon_pmd_shown(const struct perfmon_set *set, unsigned int pos, u64 value)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[pos];
	u64 low;

	if (!(reg->type & PERFMON_REG_C64) || !test_bit(reg->ctrl, set->no64))
		return value;
	low = (1ULL << reg->width) - 1;
	return (set->pmds[pos].last & ~low) | (value & low);
}

/**
 * perfmon_seed_random - begin the random numbers of a session
 * @s: session, or part
 * @seed: repeats them in each run; 0: others each time
 * @serial: number of the part, 0: not a part
 */
void perfmon_seed_random(struct perfmon_session *s, u64 seed, u64 serial)
{
	if (seed)
		seed = hash_64(seed, 32) + serial * GOLDEN_RATIO_64;
	else
		seed = get_random_u64();
	prandom_seed_state(&s->random, seed);
}

/** perfmon_random_bits - a random number in the bits of @mask */
u64 perfmon_random_bits(struct perfmon_session *s, u64 mask)
{
	u64 random = (u64)prandom_u32_state(&s->random) << 32;

	random |= prandom_u32_state(&s->random);
	return random & mask;
}

/**
 * perfmon_pmd_period - what the next period of a PMD is chosen from
 * @pmd: with attributes
 * @reset: its reset value
 *
 * A period that has doubled varies in its low bits, too, since multiples of a power of two
 * may keep step with a loop. Each doubling doubles the mean.
 */
struct perfmon_period perfmon_pmd_period(const struct perfmon_pmd *pmd,
					 u64 reset)
{
	u64 bits = (1ULL << pmd->doubled) - 1;

	return (struct perfmon_period){
		.least = (-reset << pmd->doubled) - (bits + 1) / 2,
		.mask = pmd->attr->random_mask << pmd->doubled | bits,
	};
}

/**
 * perfmon_pmd_vary - a reset value for a period that varies
 * @s: session
 * @set: its set
 * @pos: position of the PMD, which has overflowed, or is reset with another one
 * @reset: its reset value
 *
 * Return: the value to load.
 */
u64 perfmon_pmd_vary(struct perfmon_session *s, struct perfmon_set *set,
		     unsigned int pos, u64 reset)
{
	struct perfmon_pmd *pmd = &set->pmds[pos];
	struct perfmon_pmd_attr *attr = pmd->attr;
	struct perfmon_period period;

	if (attr->rate.most && test_bit(pos, set->ovfl_pmds))
		perfmon_rate_sampled(s, attr);
	pmd->doubled = READ_ONCE(attr->rate.doubled);
	period = perfmon_pmd_period(pmd, reset);
	return -(period.least + perfmon_random_bits(s, period.mask));
}

/* The mean of the periods that end now; 0: it has none. */
static u64 pmd_mean_period(const struct perfmon_pmd *pmd)
{
	struct perfmon_period period;

	if (!pmd->attr || (s64)pmd->attr->short_reset >= 0)
		return 0;
	if (!(pmd->flags & PFM_REGFL_RANDOM))
		return -pmd->attr->short_reset;
	period = perfmon_pmd_period(pmd, pmd->attr->short_reset);
	return period.least + period.mask / 2;
}

/*
 * Periods that were over when the overflow of a PMD was handled; periods that vary are
 * rounded to the nearest number of them.  @rest: events of the next one, that many too
 * few if negative.
 */
static u64 pmd_periods_over(const struct perfmon_set *set, unsigned int pos,
			    s64 *rest)
{
	const struct perfmon_pmd *pmd = &set->pmds[pos];
	u64 late = perfmon_pmd_value(set, pos);
	u64 mean = pmd_mean_period(pmd);
	u64 over = 0;

	*rest = 0;
	if (!mean || (s64)late <= 0 || !test_bit(pos, set->ovfl_pmds))
		return 0;
	if (pmd->flags & PFM_REGFL_RANDOM)
		over = div64_u64(late + mean / 2, mean);
	else if (late >= mean)
		over = div64_u64(late, mean);
	*rest = late - over * mean;
	return over;
}

/**
 * perfmon_pmds_note_late - note periods that were over before overflows were handled
 * @s: session with PFM_FL_NMI
 * @set: its set, held
 * @pmds: PMDs that have overflowed
 *
 * The NMI comes once in a stretch of code without interrupts: its sample stands for all
 * of the periods that ended in it, up to 255 of them in addition. More count as lost.
 */
void perfmon_pmds_note_late(struct perfmon_session *s, struct perfmon_set *set,
			    unsigned long pmds)
{
	unsigned int pos;
	u64 over;
	s64 rest;

	while (perfmon_next_pmd(&pmds, &pos)) {
		over = pmd_periods_over(set, pos, &rest);
		set->pmds[pos].repeat = min_t(u64, over, U8_MAX);
		if (unlikely(over > U8_MAX))
			perfmon_lose(s, min_t(u64, over - U8_MAX, UINT_MAX));
	}
}

/**
 * perfmon_pmd_on_grid - begin a period where the last one should have ended
 * @set: is held
 * @pos: PMD that is about to be reset after an overflow; still has its value
 *
 * Periods then end where they would if each had been handled at once.
 *
 * Return: what to add to its reset value.
 */
s64 perfmon_pmd_on_grid(const struct perfmon_set *set, unsigned int pos)
{
	s64 rest;

	pmd_periods_over(set, pos, &rest);
	return rest;
}

/**
 * perfmon_reset_pmds - load registers with their reset values
 * @s: session
 * @set: set, not on the hardware
 * @pmds: which ones
 * @long_reset: after a restart, else after an overflow
 */
void perfmon_reset_pmds(struct perfmon_session *s, struct perfmon_set *set,
			const unsigned long *pmds, bool long_reset)
{
	unsigned long left;
	unsigned int pos;

	left = *pmds;
	while (perfmon_next_pmd(&left, &pos))
		perfmon_reset_pmd(s, set, pos, long_reset);
}
