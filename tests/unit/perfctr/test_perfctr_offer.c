// SPDX-License-Identifier: GPL-2.0-only
/*
 * An owner that does without the PMU for a while: it keeps everything until
 * somebody else wants the PMU, who has it at once, wherever that is from. And
 * what programs may read meanwhile.
 */
#include <linux/cpu.h>
#include <linux/jiffies.h>

#include <asm/apic.h>
#include <asm/mmu_context.h>
#include <asm/perfctr_hooks.h>

#include "perfctr_harness.h"

static const char service[] = "unit test";
static const char other[] = "another service";

static u64 all_writes(void)
{
	u64 writes = machine_stat(PMU_STAT_WRMSR);
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		writes += machine.cpu[cpu].lvtpc_writes;
	return writes;
}

static void assert_given(void)
{
	unsigned int cpu;

	assert_false(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 0);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(machine.cpu[cpu].lvtpc, APIC_DM_NMI);
		assert_true(machine.cpu[cpu].pce);
	}
}

static void take_and_offer(void)
{
	assert_null(perfctr_cpu_reserve(service));
	perfctr_cpu_offer(service);
}

static void offering_and_retaining_touch_no_cpu(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 writes;

	assert_null(perfctr_cpu_reserve(service));
	make_state(p, &state, p->counters, USR);
	resume_on(1, &state);
	perfctr_cpu_suspend(&state);
	writes = all_writes();
	perfctr_cpu_offer(service);
	assert_true(perfctr_pmu_owned);
	assert_true(perfctr_cpu_retain(service));
	assert_int_equal(all_writes(), writes);
	/* Not even the control has to be written again. */
	assert_int_equal(resume_on(1, &state), 0);
	assert_int_equal(machine.warnings, 0);
}

static void nobody_owns_what_is_on_offer(const struct processor *p)
{
	(void)p;
	take_and_offer();
	assert_string_equal(perfctr_cpu_owner(), "none");
	assert_true(perfctr_cpu_retain(service));
	assert_string_equal(perfctr_cpu_owner(), service);
}

static void
who_wants_the_pmu_has_an_offered_one_at_once(const struct processor *p)
{
	(void)p;
	take_and_offer();
	machine_perf_wants_pmu();
	assert_given();
	assert_false(perfctr_cpu_retain(service));
	assert_null(perfctr_cpu_reserve(service));
}

static void what_is_in_use_is_not_given(const struct processor *p)
{
	u64 writes;

	(void)p;
	take_and_offer();
	assert_true(perfctr_cpu_retain(service));
	writes = all_writes();
	machine_perf_wants_pmu();
	assert_true(perfctr_pmu_owned);
	assert_int_equal(all_writes(), writes);
	perfctr_cpu_release(service);
	assert_given();
	assert_int_equal(machine.warnings, 0);
}

static void another_service_takes_what_is_on_offer(const struct processor *p)
{
	(void)p;
	take_and_offer();
	assert_null(perfctr_cpu_reserve(other));
	assert_string_equal(perfctr_cpu_owner(), other);
	assert_false(perfctr_cpu_retain(service));
	perfctr_cpu_release(other);
	assert_given();
}

static void only_the_owner_can_offer(const struct processor *p)
{
	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	perfctr_cpu_offer(other);
	assert_int_equal(machine.warnings, 1);
	machine_perf_wants_pmu();
	assert_string_equal(perfctr_cpu_owner(), service);
}

/* It is on line until after its callback, and gets the interrupt, too. */
static void
a_cpu_that_goes_down_meanwhile_is_stopped_once(const struct processor *p)
{
	const struct machine_cpu *cpu = &machine.cpu[1];
	u64 writes;

	(void)p;
	take_and_offer();
	machine_on(1);
	assert_int_equal(machine.offline(1), 0);
	machine_on(0);
	writes = cpu->pmu.stat[PMU_STAT_WRMSR] + cpu->lvtpc_writes;
	machine_perf_wants_pmu();
	assert_int_equal(cpu->pmu.stat[PMU_STAT_WRMSR] + cpu->lvtpc_writes,
			 writes);
	/* It stays after all, and perf has its entry again. */
	machine_on(1);
	machine.hotplug_runs = true;
	assert_int_equal(machine.online(1), 0);
	machine.hotplug_runs = false;
	machine_on(0);
	assert_given();
}

static void
a_cpu_that_comes_up_after_it_is_left_alone(const struct processor *p)
{
	(void)p;
	take_and_offer();
	machine_cpu_down(2);
	machine_perf_wants_pmu();
	machine_cpu_up(2);
	assert_int_not_equal(machine.cpu[2].lvtpc, LOCAL_PERFCTR_VECTOR);
	assert_int_equal(machine.cpu[2].perf_zeroed, 1);
}

static void taking_back_what_was_wanted_has_to_wait(const struct processor *p)
{
	(void)p;
	assert_int_equal(perfctr_cpu_rest(), 0);
	take_and_offer();
	assert_int_equal(perfctr_cpu_rest(), 0);
	machine_perf_wants_pmu();
	assert_int_equal(perfctr_cpu_rest(), 100);
	machine.ticks += 60;
	assert_int_equal(perfctr_cpu_rest(), 40);
	/* Who cannot have it learns that at once. */
	machine.perf_uses_pmu = true;
	assert_int_equal(perfctr_cpu_rest(), 0);
	machine.perf_uses_pmu = false;
	machine.ticks += 40;
	assert_int_equal(perfctr_cpu_rest(), 0);
}

static void what_is_released_can_be_taken_at_once(const struct processor *p)
{
	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	perfctr_cpu_release(service);
	machine_perf_wants_pmu();
	assert_int_equal(perfctr_cpu_rest(), 0);
}

static void
no_program_reads_counters_while_they_are_taken(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_false(machine.cpu[cpu].pce);
	perfctr_cpu_offer(service);
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_false(machine.cpu[cpu].pce);
	assert_true(perfctr_cpu_retain(service));
	perfctr_cpu_release(service);
	assert_given();
}

/* perf's users read on. */
static void a_refused_reservation_forbids_nothing(const struct processor *p)
{
	machine.perf_uses_pmu = true;
	assert_non_null(perfctr_cpu_reserve(service));
	assert_false(perfctr_forbids_rdpmc());
	machine.perf_uses_pmu = false;
	machine_claim(p->counter_msr, false, "oprofile");
	assert_non_null(perfctr_cpu_reserve(service));
	assert_false(perfctr_forbids_rdpmc());
	assert_true(machine.cpu[0].pce);
}

static void it_is_known_whether_all_programs_may_read(const struct processor *p)
{
	(void)p;
	assert_false(perfmon_arch_all_read());
	rdpmc_always_available_key.enabled = true;
	assert_true(perfmon_arch_all_read());
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(offering_and_retaining_touch_no_cpu),
		RULE(nobody_owns_what_is_on_offer),
		RULE(who_wants_the_pmu_has_an_offered_one_at_once),
		RULE(what_is_in_use_is_not_given),
		RULE(another_service_takes_what_is_on_offer),
		RULE(only_the_owner_can_offer),
		RULE(a_cpu_that_goes_down_meanwhile_is_stopped_once),
		RULE(a_cpu_that_comes_up_after_it_is_left_alone),
		RULE(taking_back_what_was_wanted_has_to_wait),
		RULE(what_is_released_can_be_taken_at_once),
		RULE(no_program_reads_counters_while_they_are_taken),
		RULE(a_refused_reservation_forbids_nothing),
		RULE(it_is_known_whether_all_programs_may_read),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot);
}
