// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reservation: who may have the PMU, and what taking and giving it back does
 * to each CPU, to those that come and go as well.
 */
#include <linux/cpu.h>

#include <asm/apic.h>
#include <asm/perf_event.h>
#include <asm/perfctr_hooks.h>

#include "perfctr_harness.h"

#define GLOBAL_CTRL 0x38f
#define FIXED_CTRL 0x38d

static const char service[] = "unit test";
static const char other[] = "another service";

static void write_msr(unsigned int cpu, u32 msr, u64 value)
{
	assert_int_equal(pmu_wrmsr(&machine.cpu[cpu].pmu, msr, value), PMU_OK);
}

static u64 all_global_bits(const struct processor *p)
{
	return ((1ull << p->counters) - 1) | ((1ull << p->fixed) - 1) << 32;
}

/* Leave in each register what perf_event might; global bits for Intel v2. */
static void dirty(const struct processor *p, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < p->counters; i++)
		write_msr(cpu, p->selector_msr + i * p->msr_stride,
			  selector_for(p, i, EVENT_INSNS, OS));
	if (!p->fixed)
		return;
	write_msr(cpu, FIXED_CTRL, 0xb0 + cpu % 2);
	write_msr(cpu, GLOBAL_CTRL, 1 + cpu % 2);
	machine.cpu[cpu].pmu.global_status = all_global_bits(p);
}

static void dirty_all(const struct processor *p)
{
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		dirty(p, cpu);
}

static void assert_selectors_clear(const struct processor *p, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < p->counters; i++)
		assert_int_equal(machine.cpu[cpu].pmu.counter[i].select, 0);
}

/* As the cache assumes it: selectors 0, the rest open, our interrupt. */
static void assert_taken(const struct processor *p, unsigned int cpu)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;

	assert_selectors_clear(p, cpu);
	assert_cache_is_right(p, cpu);
	assert_int_equal(per_cpu(perfctr_cache, cpu).id, 0);
	assert_int_equal(machine.cpu[cpu].lvtpc, LOCAL_PERFCTR_VECTOR);
	if (!p->fixed)
		return;
	assert_int_equal(pmu->fixed_ctrl, 0);
	assert_int_equal(pmu->global_ctrl, all_global_bits(p));
	assert_int_equal(pmu->global_status, 0);
}

static void assert_given_back(const struct processor *p, unsigned int cpu,
			      u32 lvtpc)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;

	assert_selectors_clear(p, cpu);
	assert_int_equal(machine.cpu[cpu].lvtpc, lvtpc);
	if (!p->fixed)
		return;
	assert_int_equal(pmu->fixed_ctrl, 0xb0 + cpu % 2);
	assert_int_equal(pmu->global_ctrl, 1 + cpu % 2);
	assert_int_equal(pmu->global_status, 0);
}

static void assert_nothing_is_held(void)
{
	assert_false(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 0);
	assert_int_equal(machine.cpus_locked, 0);
}

static void taking_brings_each_cpu_into_the_state_that_caches_assume(
	const struct processor *p)
{
	unsigned int cpu;

	dirty_all(p);
	memset(perfctr_cache, 0x55, sizeof(perfctr_cache));
	assert_null(perfctr_cpu_reserve(service));
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_taken(p, cpu);
	assert_int_equal(machine.current_cpu, 0);
	assert_int_equal(machine.cpus_locked, 0);
}

static void giving_back_restores_what_perf_believes(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;

	dirty_all(p);
	assert_null(perfctr_cpu_reserve(service));
	make_state(p, &state, all_counters(p), USR | OS);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		resume_on(cpu, &state);
		perfctr_cpu_suspend(&state);
	}
	perfctr_cpu_release(service);
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_given_back(p, cpu, APIC_DM_NMI);
	assert_nothing_is_held();
}

/* Else perf would zero its old counters under a session. */
static void perf_clears_its_counters_once_on_each_cpu(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(machine.cpu[cpu].perf_zeroed, 1);
}

static void
perf_and_other_drivers_are_locked_out_while_taken(const struct processor *p)
{
	unsigned int i;

	assert_nothing_is_held();
	assert_null(perfctr_cpu_reserve(service));
	assert_true(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 2 * p->counters);
	for (i = 0; i < p->counters; i++) {
		const u32 offset = i * p->msr_stride;

		assert_int_equal(reserve_perfctr_nmi(p->counter_msr + offset),
				 0);
		assert_int_equal(reserve_evntsel_nmi(p->selector_msr + offset),
				 0);
	}
	perfctr_cpu_release(service);
	assert_nothing_is_held();
}

static void
a_second_service_is_told_the_name_of_the_first(const struct processor *p)
{
	u64 writes;

	assert_null(perfctr_cpu_reserve(service));
	writes = machine_stat(PMU_STAT_WRMSR);
	assert_string_equal(perfctr_cpu_reserve(other), service);
	assert_string_equal(perfctr_cpu_reserve(service), service);
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), writes);
	assert_string_equal(perfctr_cpu_owner(), service);
	assert_int_equal(machine_claims_of("perfctr"), 2 * p->counters);
	perfctr_cpu_release(service);
	assert_null(perfctr_cpu_reserve(other));
	assert_string_equal(perfctr_cpu_reserve(service), other);
}

static void only_the_owner_can_give_back(const struct processor *p)
{
	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	perfctr_cpu_release(other);
	assert_int_equal(machine.warnings, 1);
	assert_string_equal(perfctr_cpu_owner(), service);
	assert_true(perfctr_pmu_owned);
	assert_int_equal(machine.cpu[1].lvtpc, LOCAL_PERFCTR_VECTOR);
	perfctr_cpu_release(service);
	assert_int_equal(machine.warnings, 1);
	perfctr_cpu_release(service);
	assert_int_equal(machine.warnings, 2);
	assert_nothing_is_held();
}

/* Nothing that perf_event uses may be touched. */
static void assert_refused(const struct processor *p, const char *holder)
{
	const u64 writes = machine_stat(PMU_STAT_WRMSR);
	unsigned int cpu;

	(void)p;
	assert_string_equal(perfctr_cpu_reserve(service), holder);
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), writes);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(machine.cpu[cpu].lvtpc, APIC_DM_NMI);
		assert_int_equal(machine.cpu[cpu].perf_zeroed, 0);
	}
	assert_nothing_is_held();
}

static void perf_event_keeps_what_it_uses(const struct processor *p)
{
	machine.perf_uses_pmu = true;
	assert_refused(p, "perf_event");
	assert_string_equal(perfctr_cpu_owner(), "perf_event");
	machine.perf_uses_pmu = false;
	assert_string_equal(perfctr_cpu_owner(), "none");
	assert_null(perfctr_cpu_reserve(service));
}

static void the_nmi_watchdog_is_called_by_its_name(const struct processor *p)
{
	machine.perf_uses_pmu = true;
	watchdog_enabled = WATCHDOG_HARDLOCKUP_ENABLED;
	assert_refused(p, "nmi_watchdog");
	assert_string_equal(perfctr_cpu_owner(), "nmi_watchdog");
	/* The soft-lockup detector uses no counter. */
	watchdog_enabled = 2;
	assert_refused(p, "perf_event");
	/* A watchdog that does without the PMU is in nobody's way. */
	watchdog_enabled = WATCHDOG_HARDLOCKUP_ENABLED;
	machine.perf_uses_pmu = false;
	assert_null(perfctr_cpu_reserve(service));
}

/* One register, each in turn, is somebody's. */
static void another_driver_keeps_what_it_uses(const struct processor *p)
{
	unsigned int i;

	for (i = 0; i < 2 * p->counters; i++) {
		const bool selector = i % 2;
		const u32 msr = (selector ? p->selector_msr : p->counter_msr) +
				i / 2 * p->msr_stride;

		machine_claim(msr, selector, "oprofile");
		assert_refused(p, "another driver");
		assert_int_equal(machine_claims_of("oprofile"), 1);
		machine.claims[0] = (struct claim){ 0 };
	}
	assert_null(perfctr_cpu_reserve(service));
}

static void asking_for_the_owner_takes_nothing(const struct processor *p)
{
	const u64 writes = machine_stat(PMU_STAT_WRMSR);

	assert_string_equal(perfctr_cpu_owner(), "none");
	machine_claim(p->counter_msr, false, "oprofile");
	assert_string_equal(perfctr_cpu_owner(), "none");
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), writes);
	assert_nothing_is_held();
}

static void a_cpu_that_comes_up_is_taken_too(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_null(perfctr_cpu_reserve(service));
	make_state(p, &state, p->counters, USR);
	assert_int_equal(resume_on(2, &state), p->counters);
	perfctr_cpu_suspend(&state);
	machine_cpu_down(2);
	machine_cpu_up(2);
	assert_taken(p, 2);
	assert_int_equal(resume_on(2, &state), p->counters);
	machine_run(100, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 100);
}

static void a_cpu_that_goes_down_is_given_back(const struct processor *p)
{
	dirty_all(p);
	assert_null(perfctr_cpu_reserve(service));
	machine_cpu_down(1);
	assert_given_back(p, 1, APIC_LVT_MASKED);
	assert_taken(p, 0);
	assert_taken(p, 2);
}

static void cpus_that_are_down_are_not_touched(const struct processor *p)
{
	const struct machine_cpu *cpu = &machine.cpu[2];
	u64 writes;

	machine_cpu_down(2);
	writes = cpu->pmu.stat[PMU_STAT_WRMSR];
	assert_null(perfctr_cpu_reserve(service));
	assert_int_equal(cpu->pmu.stat[PMU_STAT_WRMSR], writes);
	machine_cpu_up(2);
	assert_taken(p, 2);
	assert_taken(p, 0);
}

static void
cpus_come_and_go_untouched_while_the_pmu_is_free(const struct processor *p)
{
	const struct pmu *pmu = &machine.cpu[1].pmu;
	u64 writes = pmu->stat[PMU_STAT_WRMSR];

	dirty(p, 1);
	writes = pmu->stat[PMU_STAT_WRMSR];
	machine_cpu_down(1);
	assert_int_equal(pmu->stat[PMU_STAT_WRMSR], writes);
	assert_int_equal(machine.cpu[1].lvtpc, APIC_DM_NMI);
	machine_cpu_up(1);
	/* What firmware wrote is still there. */
	assert_int_equal(pmu->stat[PMU_STAT_WRMSR], writes + 1);
	assert_int_not_equal(pmu->counter[0].select, 0);
	assert_int_equal(machine.cpu[1].perf_zeroed, 0);
}

/* A CPU that came up while the PMU was taken is given back like the others. */
static void release_knows_cpus_that_came_later(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_null(perfctr_cpu_reserve(service));
	machine_cpu_down(1);
	machine_cpu_up(1);
	make_state(p, &state, all_counters(p), USR);
	resume_on(1, &state);
	perfctr_cpu_suspend(&state);
	perfctr_cpu_release(service);
	assert_selectors_clear(p, 1);
	assert_int_equal(machine.cpu[1].lvtpc, APIC_DM_NMI);
	assert_int_equal(machine.cpu[1].pmu.fixed_ctrl, 0);
	if (p->fixed) /* what reset left */
		assert_int_equal(machine.cpu[1].pmu.global_ctrl,
				 (1u << p->counters) - 1);
}

static void nothing_counts_after_release(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;
	u64 before;

	assert_null(perfctr_cpu_reserve(service));
	make_state(p, &state, all_counters(p), USR | OS);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	perfctr_cpu_release(service);
	for (i = 0; i < all_counters(p); i++) {
		before = machine.cpu[0].pmu.counter[i].value;
		machine_run(100, true);
		assert_int_equal(machine.cpu[0].pmu.counter[i].value, before);
	}
	assert_null(perfctr_cpu_reserve(service));
	machine_run(100, true);
	assert_int_equal(machine.cpu[0].pmu.counter[0].value, 0);
}

/* It was requested before the entry was given back, and comes after. */
static void
an_interrupt_in_flight_does_not_take_the_entry_back(const struct processor *p)
{
	(void)p;
	assert_null(perfctr_cpu_reserve(service));
	perfctr_cpu_release(service);
	machine_interrupt(1, 0x1000);
	assert_int_equal(machine.cpu[1].lvtpc & ~APIC_LVT_MASKED, APIC_DM_NMI);
}

static void exit_undoes_init(const struct processor *p)
{
	(void)p;
	assert_non_null(perfctr_cpu_name);
	assert_non_null(machine.online);
	perfctr_cpu_exit();
	assert_null(perfctr_cpu_name);
	assert_null(machine.online);
	assert_nothing_is_held();
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(taking_brings_each_cpu_into_the_state_that_caches_assume),
		RULE(giving_back_restores_what_perf_believes),
		RULE(perf_clears_its_counters_once_on_each_cpu),
		RULE(perf_and_other_drivers_are_locked_out_while_taken),
		RULE(a_second_service_is_told_the_name_of_the_first),
		RULE(only_the_owner_can_give_back),
		RULE(perf_event_keeps_what_it_uses),
		RULE(the_nmi_watchdog_is_called_by_its_name),
		RULE(another_driver_keeps_what_it_uses),
		RULE(asking_for_the_owner_takes_nothing),
		RULE_IF(writes_as_counted, a_cpu_that_comes_up_is_taken_too),
		RULE(a_cpu_that_goes_down_is_given_back),
		RULE(cpus_that_are_down_are_not_touched),
		RULE(cpus_come_and_go_untouched_while_the_pmu_is_free),
		RULE(release_knows_cpus_that_came_later),
		RULE(nothing_counts_after_release),
		RULE(an_interrupt_in_flight_does_not_take_the_entry_back),
		RULE(exit_undoes_init),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot);
}
