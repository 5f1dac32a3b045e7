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
#include <linux/prandom.h>
#include <linux/random.h>

#include "admin/stats.h"
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
