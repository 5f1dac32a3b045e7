// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of the kernel: the next one finds counters that stand still, whatever
 * the sessions of this one do until then.
 */
#include <linux/cpu.h>

#include <asm/apic.h>
#include <asm/perfctr_hooks.h>

#include "perfctr_harness.h"

static const char service[] = "unit test";

static u64 counted(const struct processor *p)
{
	u64 events = 0;
	unsigned int i;

	for (i = 0; i < all_counters(p); i++)
		events += machine_events(i);
	return events;
}

static void assert_nothing_counts(const struct processor *p)
{
	const u64 before = counted(p);
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		machine_on(cpu);
		machine_run(1000, true);
		machine_run(1000, false);
		assert_int_equal(machine.cpu[cpu].lvtpc, APIC_DM_NMI);
	}
	assert_int_equal(counted(p), before);
}

static void reserve_and_count(const struct processor *p,
			      struct perfctr_cpu_state *states)
{
	unsigned int cpu;

	assert_null(perfctr_cpu_reserve(service));
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		make_state(p, &states[cpu], all_counters(p), USR | OS);
		resume_on(cpu, &states[cpu]);
		machine_run(100, true);
	}
	assert_int_not_equal(counted(p), 0);
}

static void a_reboot_stops_the_counters_of_all_cpus(const struct processor *p)
{
	struct perfctr_cpu_state states[NR_CPUS];

	reserve_and_count(p, states);
	machine_reboot();
	assert_nothing_counts(p);
}

static void what_is_resumed_after_it_counts_nothing(const struct processor *p)
{
	struct perfctr_cpu_state states[NR_CPUS];
	unsigned int cpu;

	reserve_and_count(p, states);
	machine_reboot();
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		machine_on(cpu);
		perfctr_cpu_suspend(&states[cpu]);
		perfctr_cpu_resume(&states[cpu]);
		perfctr_cpu_sample(&states[cpu]);
	}
	assert_nothing_counts(p);
	make_state(p, &states[0], all_counters(p), USR | OS);
	resume_on(0, &states[0]);
	assert_nothing_counts(p);
}

static void a_cpu_that_comes_up_after_it_is_not_taken(const struct processor *p)
{
	struct perfctr_cpu_state states[NR_CPUS];

	reserve_and_count(p, states);
	machine_on(2);
	perfctr_cpu_suspend(&states[2]);
	machine_cpu_down(2);
	machine_reboot();
	machine_cpu_up(2);
	assert_int_not_equal(machine.cpu[2].lvtpc, LOCAL_PERFCTR_VECTOR);
}

static void nobody_takes_the_pmu_after_it(const struct processor *p)
{
	(void)p;
	machine_reboot();
	assert_string_equal(perfctr_cpu_reserve(service), "reboot");
	assert_false(perfctr_pmu_owned);
}

static void who_has_it_can_still_give_it_back(const struct processor *p)
{
	struct perfctr_cpu_state states[NR_CPUS];

	reserve_and_count(p, states);
	machine_reboot();
	perfctr_cpu_release(service);
	assert_false(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 0);
	assert_int_equal(machine.warnings, 0);
	assert_nothing_counts(p);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(a_reboot_stops_the_counters_of_all_cpus),
		RULE(what_is_resumed_after_it_counts_nothing),
		RULE(a_cpu_that_comes_up_after_it_is_not_taken),
		RULE(nobody_takes_the_pmu_after_it),
		RULE(who_has_it_can_still_give_it_back),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot);
}
