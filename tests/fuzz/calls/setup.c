// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is done with a new session at once, so that the calls that follow find
 * one that counts, overflows, samples and switches sets. Nothing of it matters
 * for the verdict: others may have closed the session meanwhile.
 */
#include <perfmon/perfmon.h>

#include "event_set.h"
#include "fuzz.h"

static uint64_t period(struct fuzzer *f)
{
	uint32_t longest = f->fuzz->longest_period;

	return -(uint64_t)(longest / 100 + prng_below(&f->prng, longest));
}

static void setup_counter(struct fuzzer *f, int fd, uint16_t set,
			  const struct pmu_counter *counter)
{
	struct pfarg_pmd_attr attr = {
		.reg_long_reset = period(f),
		.reg_short_reset = period(f),
		/* A family knows none. */
		.reg_ovfl_swcnt =
			prng_one_in(&f->prng, 2) ? prng_below(&f->prng, 4) : 0,
		.reg_smpl_pmds = { 1ULL << counter->pmd % 64 },
	};
	struct pfarg_pmr pmr = { .reg_num = counter->pmd,
				 .reg_set = set,
				 .reg_flags = prng_below(&f->prng, 4),
				 .reg_value = period(f) };
	int flags = PFM_RWFL_PMD;

	pmu_program_set(fd, set, counter, counter->user, 0);
	if (prng_one_in(&f->prng, 2))
		flags |= PFM_RWFL_PMD_ATTR;
	pfm_write_pmrs(fd, flags, &pmr, 1, &attr);
}

void fuzz_setup(struct fuzzer *f, int fd)
{
	uint64_t timeout = timer_round(100000ULL << prng_below(&f->prng, 6));
	const struct pmu *pmu = pmu_get();
	unsigned int i;
	uint16_t set;

	for (set = 0; set < FUZZ_SETS; set++) {
		set_make(fd, set, prng_below(&f->prng, 3), timeout);
		for (i = 0; i < pmu->counters; i++)
			if (set == 0 || i == 0 || prng_one_in(&f->prng, 2))
				setup_counter(f, fd, set, &pmu->counter[i]);
	}
	if (!prng_one_in(&f->prng, 4)) {
		pfm_attach_session(fd, 0, fuzz_target(f, fd));
		pfm_start_session(fd, 0);
	}
}
