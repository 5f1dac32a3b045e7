// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sets of set.h.
 */
#include "set.h"

void write_pmc(struct set *set, unsigned int position, u64 value)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[position];

	set->pmcs[position] = (value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
}

void build_set(struct set *set)
{
	perfmon_arch_build(&set->arch, set->pmcs, &set->written,
			   &set->used_pmds, &set->ictrs, false);
	assert_int_equal(machine.warnings, 0);
}

void make_set(const struct processor *p, struct set *set)
{
	unsigned int i;

	memset(set, 0, sizeof(*set));
	for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
		write_pmc(set, i, EVENT_INSNS | USR | EN);
	if (p->fixed)
		write_pmc(set, p->counters, 0x222222222);
	set->used_pmds = (1ul << perfmon_pmu.nr_pmds) - 1;
}

void run_set(struct set *set)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		set->arch.state.pmc[i].sum = 0;
	perfmon_arch_resume(&set->arch);
	machine_run(1000, true);
	perfmon_arch_sample(&set->arch);
	machine_run(100, false);
	perfmon_arch_suspend(&set->arch);
}

void assert_pmd(const struct processor *p, struct set *set, unsigned int pmd,
		u64 insns)
{
	const unsigned long long *sum =
		perfmon_arch_value(&set->arch, pmd, NULL);

	assert_non_null(sum);
	assert_int_equal(*sum, events_in(p, pmd, insns));
}
