// SPDX-License-Identifier: GPL-2.0-only
/*
 * How values of logical PMCs become control data of the low-level core
 * (control.c): which PMDs count, and what reaches their selectors.
 */
#include "set.h"

static void each_used_pmd_counts_what_its_pmc_says(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | EN | (i % 2 ? OS : USR));
	build_set(&set);
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
		build_set(&set);
		run_set(&set);
		for (i = 0; i < PERFMON_ARCH_MAX_PMDS; i++)
			if (i != pmd)
				assert_null(
					perfmon_arch_value(&set.arch, i, NULL));
		assert_pmd(p, &set, pmd, 1000);
	}
	set.used_pmds = 0;
	build_set(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
}

static void a_disabled_selector_leaves_its_pmd_out(const struct processor *p)
{
	struct set set;
	unsigned int i, pmd;

	for (pmd = 0; pmd < p->counters; pmd++) {
		make_set(p, &set);
		write_pmc(&set, pmd, EVENT_INSNS | USR);
		build_set(&set);
		run_set(&set);
		assert_null(perfmon_arch_value(&set.arch, pmd, NULL));
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
	build_set(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
	for (i = 0; i < all_counters(p); i++)
		assert_null(perfmon_arch_value(&set.arch, i, NULL));
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
	build_set(&set);
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
	/* Without SVM there is no host. */
	machine.cpu[0].side[SIDE_EFER] = EFER_SVME;
	write_pmc(&set, 0, ~0ull);
	build_set(&set);
	run_set(&set);
	assert_int_equal(machine.cpu[0].pmu.counter[0].select,
			 (u64)p->high_bits << 32 |
				 (~(p->rules->reserved | INT) & UINT32_MAX));
}

static void
a_fixed_counter_counts_at_the_levels_of_its_field(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	write_pmc(&set, p->counters, 0x301);
	build_set(&set);
	run_set(&set);
	assert_pmd(p, &set, p->counters, 100);
	assert_null(perfmon_arch_value(&set.arch, p->counters + 1, NULL));
	assert_pmd(p, &set, p->counters + 2, 1100);
}

static void
pmc_0_enables_pmd_1_even_if_pmd_0_is_not_used(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	set.used_pmds = 2;
	build_set(&set);
	run_set(&set);
	assert_null(perfmon_arch_value(&set.arch, 0, NULL));
	assert_pmd(p, &set, 1, 1000);
}

/* Where the map has the bit in PMC 1 too it is as good as that of PMC 0. */
static void
the_bit_of_pmc_1_enables_where_there_is_one(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	set.used_pmds = 2;
	write_pmc(&set, 0, EVENT_INSNS | USR);
	write_pmc(&set, 1, EVENT_INSNS | USR | EN);
	build_set(&set);
	if (!p->enable_in_all) {
		assert_null(perfmon_arch_value(&set.arch, 1, NULL));
		assert_int_equal(set.arch.state.cstatus, 0);
		return;
	}
	run_set(&set);
	assert_null(perfmon_arch_value(&set.arch, 0, NULL));
	assert_pmd(p, &set, 1, 1000);
}

static void building_again_forgets_the_old_control(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	build_set(&set);
	for (i = 0; i < p->counters; i++)
		write_pmc(&set, i, EVENT_INSNS | EN | OS);
	set.used_pmds = 1;
	build_set(&set);
	run_set(&set);
	assert_pmd(p, &set, 0, 100);
	assert_null(perfmon_arch_value(&set.arch, 1, NULL));
	assert_int_equal(set.arch.state.control.nractrs, 1);
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
		build_set(&set);
		run_set(&set);
		set.ictrs = next_random(&seed);
		for (i = 0; i < all_counters(p); i++)
			if (!(set.used_pmds >> i & 1))
				assert_null(
					perfmon_arch_value(&set.arch, i, NULL));
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
		RULE_IF(has_shared_enable,
			the_bit_of_pmc_1_enables_where_there_is_one),
		RULE(building_again_forgets_the_old_control),
		RULE(no_value_of_a_pmc_is_refused_or_faults),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
