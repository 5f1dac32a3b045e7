// SPDX-License-Identifier: GPL-2.0-only
/*
 * How values of logical PMCs become control data of the low-level core
 * (control.c): which PMDs count, and what reaches their selectors.
 */
#include <stdlib.h>

#include "perfctr_test.h"

/* A set, and what a user wrote to its PMCs. */
struct set {
	struct perfmon_arch_set arch;
	u64 pmcs[PERFMON_ARCH_MAX_PMCS];
	unsigned long used_pmds;
	unsigned long ictrs; /* of them, those that shall interrupt */
};

/* As the session core does: users choose only the bits that are free. */
static void write_pmc(struct set *set, unsigned int position, u64 value)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[position];

	set->pmcs[position] = (value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
}

/* These selectors have enable bits: whether they were written is no matter. */
static const unsigned long written;

static void build(struct set *set)
{
	perfmon_arch_build(&set->arch, set->pmcs, &written, &set->used_pmds,
			   &set->ictrs, false);
	assert_int_equal(machine.warnings, 0);
}

/* All counters count instructions at user level, all PMDs are used. */
static void make_set(const struct processor *p, struct set *set)
{
	unsigned int i;

	memset(set, 0, sizeof(*set));
	for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
		write_pmc(set, i, EVENT_INSNS | USR | EN);
	if (p->fixed)
		write_pmc(set, p->counters, 0x222);
	set->used_pmds = (1ul << perfmon_pmu.nr_pmds) - 1;
}

/* Retires 1000 user and 100 kernel instructions; resets the sums before. */
static void run_set(struct set *set)
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

static void assert_pmd(const struct processor *p, struct set *set,
		       unsigned int pmd, u64 insns)
{
	const unsigned long long *sum = perfmon_arch_sum(&set->arch, pmd);

	assert_non_null(sum);
	assert_int_equal(*sum, events_in(p, pmd, insns));
}

static void each_used_pmd_counts_what_its_pmc_says(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | EN | (i % 2 ? OS : USR));
	build(&set);
	run_set(&set);
	for (i = 0; i < all_counters(p); i++)
		assert_pmd(p, &set, i, i < p->counters && i % 2 ? 100 : 1000);
}

static void pmds_that_are_not_used_have_no_element(const struct processor *p)
{
	struct set set;
	unsigned int i, pmd;

	for (pmd = 0; pmd < all_counters(p); pmd++) {
		make_set(p, &set);
		set.used_pmds = 1ul << pmd;
		build(&set);
		run_set(&set);
		for (i = 0; i < PERFMON_ARCH_MAX_PMDS; i++)
			if (i != pmd)
				assert_null(perfmon_arch_sum(&set.arch, i));
		assert_pmd(p, &set, pmd, 1000);
	}
	set.used_pmds = 0;
	build(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
}

static void a_disabled_selector_leaves_its_pmd_out(const struct processor *p)
{
	struct set set;
	unsigned int i, pmd;

	for (pmd = 0; pmd < p->counters; pmd++) {
		make_set(p, &set);
		write_pmc(&set, pmd, EVENT_INSNS | USR);
		build(&set);
		run_set(&set);
		assert_null(perfmon_arch_sum(&set.arch, pmd));
		for (i = 0; i < all_counters(p); i++)
			if (i != pmd)
				assert_pmd(p, &set, i, 1000);
	}
}

static void
pmcs_that_were_never_written_count_nothing(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
		set.pmcs[i] = perfmon_pmu.pmcs[i].dfl;
	build(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
	for (i = 0; i < all_counters(p); i++)
		assert_null(perfmon_arch_sum(&set.arch, i));
}

static void interrupt_and_pin_bits_never_reach_a_counter_that_only_counts(
	const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | USR | EN | INT | PIN);
	assert_int_equal(set.pmcs[0] & INT, INT);
	build(&set);
	run_set(&set);
	for (i = 0; i < p->counters; i++) {
		assert_pmd(p, &set, i, 1000);
		assert_int_equal(machine.cpu[0].pmu.counter[i].select,
				 selector_for(p, i, EVENT_INSNS, USR));
	}
	assert_int_equal(machine.cpu[0].pmu.fixed_ctrl & 0x888, 0);
}

static void upper_bits_of_a_pmc_reach_the_selector(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	write_pmc(&set, 0, ~0ull);
	build(&set);
	run_set(&set);
	assert_int_equal(machine.cpu[0].pmu.counter[0].select,
			 (u64)p->high_bits << 32 | 0xffc7ffff);
}

static void
a_fixed_counter_counts_at_the_levels_of_its_field(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	write_pmc(&set, p->counters, 0x301);
	build(&set);
	run_set(&set);
	assert_pmd(p, &set, p->counters, 100);
	assert_null(perfmon_arch_sum(&set.arch, p->counters + 1));
	assert_pmd(p, &set, p->counters + 2, 1100);
}

static void
pmc_0_enables_pmd_1_even_if_pmd_0_is_not_used(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	set.used_pmds = 2;
	build(&set);
	run_set(&set);
	assert_null(perfmon_arch_sum(&set.arch, 0));
	assert_pmd(p, &set, 1, 1000);
	/* The bit of PMC 1 is nobody's; without PMC 0's nothing counts. */
	write_pmc(&set, 0, EVENT_INSNS | USR);
	write_pmc(&set, 1, EVENT_INSNS | USR | EN);
	build(&set);
	assert_null(perfmon_arch_sum(&set.arch, 1));
	assert_int_equal(set.arch.state.cstatus, 0);
}

static void building_again_forgets_the_old_control(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	build(&set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | EN | OS);
	set.used_pmds = 1;
	build(&set);
	run_set(&set);
	assert_pmd(p, &set, 0, 100);
	assert_null(perfmon_arch_sum(&set.arch, 1));
	assert_int_equal(set.arch.state.control.nractrs, 1);
}

/* The ones that can interrupt are moved behind the others. */
static void any_choice_of_counters_may_interrupt(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (set.ictrs = 0; set.ictrs < 1ul << all_counters(p); set.ictrs++) {
		build(&set);
		run_set(&set);
		for (i = 0; i < all_counters(p); i++) {
			assert_int_equal(perfmon_arch_interrupts(&set.arch, i),
					 has_interrupts(p) &&
						 set.ictrs >> i & 1);
			assert_pmd(p, &set, i, 1000);
		}
	}
}

static void a_counter_that_interrupts_has_its_interrupt_bit_and_no_other_has(
	const struct processor *p)
{
	const struct perfctr_cpu_control *control;
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | USR | EN | INT);
	set.ictrs = 2;
	build(&set);
	control = &set.arch.state.control;
	assert_int_equal(control->nrictrs, 1);
	assert_int_equal(control->nractrs, all_counters(p) - 1);
	assert_int_equal(control->pmc_map[control->nractrs],
			 counter_number(p, 1));
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(
			!!(control->evntsel[i] &
			   interrupt_bit(p, control->pmc_map[i] < FIXED ?
						    0 :
						    p->counters)),
			i == control->nractrs);
}

static void
a_period_ends_after_the_events_that_are_left(const struct processor *p)
{
	static const u64 left[] = { 1,		2,	    100,
				    0x7fffffff, 0x80000000, 1ull << 40 };
	struct set set;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(left); i++) {
		make_set(p, &set);
		set.ictrs = 1;
		build(&set);
		perfmon_arch_arm(&set.arch, 0, left[i]);
		perfmon_arch_resume(&set.arch);
		machine_run((left[i] < 1u << 31 ? left[i] : 1u << 31) - 1,
			    true);
		assert_int_equal(machine.cpu[0].interrupts, i);
		machine_run(1, true);
		assert_int_equal(machine.cpu[0].interrupts, i + 1);
		perfmon_arch_suspend(&set.arch);
		assert_true(perfmon_arch_overflowed(
			&set.arch, perfmon_arch_identify(&set.arch), 0));
		assert_false(perfmon_arch_overflowed(
			&set.arch, perfmon_arch_identify(&set.arch), 0));
	}
}

static void
a_pending_overflow_interrupts_at_the_resume(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	set.ictrs = 1;
	build(&set);
	perfmon_arch_pend(&set.arch, 0);
	perfmon_arch_resume(&set.arch);
	machine_take_interrupts();
	assert_int_equal(machine.cpu[0].interrupts, 1);
	perfmon_arch_suspend(&set.arch);
}

static void
the_tsc_counts_in_64_bits_without_counters(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	set.used_pmds = 1ul << all_counters(p);
	build(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
	set.arch.tsc_sum = 0;
	for (i = 1; i <= 3; i++) {
		perfmon_arch_resume(&set.arch);
		machine_run(0xffffffff, true);
		assert_int_equal(perfmon_arch_read(&set.arch, all_counters(p)),
				 i * 0x1fffffffeull);
		perfmon_arch_suspend(&set.arch);
		machine_run(12345, true);
	}
	assert_int_equal(*perfmon_arch_sum(&set.arch, all_counters(p)),
			 3 * 0x1fffffffeull);
	perfmon_arch_resume(&set.arch);
	machine_run(1000, true);
	set.arch.tsc_sum = 0;
	perfmon_arch_restart(&set.arch, all_counters(p));
	machine_run(1, true);
	assert_int_equal(perfmon_arch_read(&set.arch, all_counters(p)), 2);
}

/* The array ends with the last PMC: whoever looks behind it is caught. */
static void the_tsc_has_no_pmc(const struct processor *p)
{
	const unsigned long all = (1ul << perfmon_pmu.nr_pmds) - 1, none = 0;
	static struct perfmon_arch_set set;
	u64 *pmcs = calloc(perfmon_pmu.nr_pmcs, sizeof(*pmcs));

	assert_non_null(pmcs);
	perfmon_arch_build(&set, pmcs, &written, &all, &none, false);
	assert_int_equal(machine.warnings, 0);
	assert_int_equal(set.state.cstatus, 0);
	assert_non_null(perfmon_arch_sum(&set, all_counters(p)));
	free(pmcs);
}

/* The core may refuse nothing that the maps let through. */
static void no_value_of_a_pmc_is_refused_or_faults(const struct processor *p)
{
	unsigned int round, i;
	u32 seed = 3021;
	struct set set;

	make_set(p, &set);
	for (round = 0; round < 20000; round++) {
		for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
			write_pmc(&set, i,
				  (u64)next_random(&seed) << 32 |
					  next_random(&seed));
		set.used_pmds = next_random(&seed) &
				((1u << all_counters(p)) - 1);
		build(&set);
		run_set(&set);
		set.ictrs = next_random(&seed);
		for (i = 0; i < all_counters(p); i++)
			if (!(set.used_pmds >> i & 1))
				assert_null(perfmon_arch_sum(&set.arch, i));
	}
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(each_used_pmd_counts_what_its_pmc_says),
		RULE(pmds_that_are_not_used_have_no_element),
		RULE_IF(has_own_enables,
			a_disabled_selector_leaves_its_pmd_out),
		RULE(pmcs_that_were_never_written_count_nothing),
		RULE(interrupt_and_pin_bits_never_reach_a_counter_that_only_counts),
		RULE(upper_bits_of_a_pmc_reach_the_selector),
		RULE_IF(has_fixed,
			a_fixed_counter_counts_at_the_levels_of_its_field),
		RULE_IF(has_shared_enable,
			pmc_0_enables_pmd_1_even_if_pmd_0_is_not_used),
		RULE(building_again_forgets_the_old_control),
		RULE(any_choice_of_counters_may_interrupt),
		RULE_IF(has_interrupts,
			a_counter_that_interrupts_has_its_interrupt_bit_and_no_other_has),
		RULE_IF(has_interrupts,
			a_period_ends_after_the_events_that_are_left),
		RULE_IF(has_interrupts,
			a_pending_overflow_interrupts_at_the_resume),
		RULE(the_tsc_counts_in_64_bits_without_counters),
		RULE(the_tsc_has_no_pmc),
		RULE(no_value_of_a_pmc_is_refused_or_faults),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
