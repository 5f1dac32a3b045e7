// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the session core asks of control.c beyond counting: PMDs that interrupt,
 * the TSC, and what happens if the core refuses what was built.
 */
#include <stdlib.h>

#include "set.h"

/* The ones that can interrupt are moved behind the others. */
static void any_choice_of_counters_may_interrupt(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	for (set.ictrs = 0; set.ictrs < 1ul << all_counters(p); set.ictrs++) {
		build_set(&set);
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
	build_set(&set);
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
	unsigned int i, mask;

	for (i = 0; i < ARRAY_SIZE(left); i++) {
		make_set(p, &set);
		set.ictrs = 1;
		build_set(&set);
		perfmon_arch_arm(&set.arch, 0, left[i]);
		perfmon_arch_resume(&set.arch);
		machine_run((left[i] < 1u << 31 ? left[i] : 1u << 31) - 1,
			    true);
		assert_int_equal(machine.cpu[0].interrupts, i);
		machine_run(1, true);
		assert_int_equal(machine.cpu[0].interrupts, i + 1);
		perfmon_arch_suspend(&set.arch);
		mask = perfctr_cpu_identify_overflow(&set.arch.state);
		assert_true(perfmon_arch_overflowed(&set.arch, mask, 0));
		mask = perfctr_cpu_identify_overflow(&set.arch.state);
		assert_false(perfmon_arch_overflowed(&set.arch, mask, 0));
	}
}

static void
a_pending_overflow_interrupts_at_the_resume(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	set.ictrs = 1;
	build_set(&set);
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
	build_set(&set);
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
	assert_int_equal(*perfmon_arch_value(&set.arch, all_counters(p), NULL),
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
	perfmon_arch_build(&set, pmcs, &none, &all, &none, false);
	assert_int_equal(machine.warnings, 0);
	assert_int_equal(set.state.cstatus, 0);
	assert_non_null(perfmon_arch_value(&set, all_counters(p), NULL));
	free(pmcs);
}

/* Reserved bits are forced before; a bug there must not reach hardware. */
static void
what_the_core_refuses_counts_nothing_and_warns(const struct processor *p)
{
	struct set set;
	unsigned int i;

	make_set(p, &set);
	set.pmcs[0] |= 1ull << 63;
	perfmon_arch_build(&set.arch, set.pmcs, &set.written, &set.used_pmds,
			   &set.ictrs, false);
	assert_int_equal(machine.warnings, 1);
	assert_int_equal(set.arch.state.cstatus, 0);
	for (i = 0; i < all_counters(p); i++)
		assert_null(perfmon_arch_value(&set.arch, i, NULL));
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(any_choice_of_counters_may_interrupt),
		RULE_IF(has_interrupts,
			a_counter_that_interrupts_has_its_interrupt_bit_and_no_other_has),
		RULE_IF(has_interrupts,
			a_period_ends_after_the_events_that_are_left),
		RULE_IF(has_interrupts,
			a_pending_overflow_interrupts_at_the_resume),
		RULE(the_tsc_counts_in_64_bits_without_counters),
		RULE(the_tsc_has_no_pmc),
		RULE(what_the_core_refuses_counts_nothing_and_warns),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
