// SPDX-License-Identifier: GPL-2.0-only
/*
 * VIA C3: what the low-level documents say of the one counter that is left of
 * a P6. The model faults where the hardware has nothing (EVNTSEL0) or where a
 * write would have no defined effect (the counters).
 */
#include <asm/perfctr.h>
#include <asm/perfctr_hooks.h>

#include "perfctr_harness.h"

#define EVNTSEL1 0x187

static bool is_c3(const struct processor *p)
{
	return p->selector_msr == EVNTSEL1;
}

static u32 evntsel1_of(unsigned int cpu)
{
	uint64_t value = 0;

	assert_int_equal(pmu_rdmsr(&machine.cpu[cpu].pmu, EVNTSEL1, &value),
			 PMU_OK);
	return value;
}

static void one_counter(struct perfctr_cpu_state *state, u32 counter,
			u32 evntsel)
{
	memset(state, 0, sizeof(*state));
	state->control.nractrs = 1;
	state->control.pmc_map[0] = counter;
	state->control.evntsel[0] = evntsel;
}

static void pmc_map_0_must_be_1_if_nractrs_is_1(const struct processor *p)
{
	static const u32 others[] = { 0,    2,	  31,	      32,
				      0xc1, 0xc2, 0x40000000, 0x80000001 };
	struct perfctr_cpu_state state;
	unsigned int i;

	one_counter(&state, 1, p->rules->insns);
	accept(&state);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		one_counter(&state, others[i], p->rules->insns);
		refuse(&state);
	}
}

static void there_is_no_second_counter(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u32 counter;

	for (counter = 0; counter < 3; counter++) {
		one_counter(&state, 1, p->rules->insns);
		state.control.nractrs = 2;
		state.control.pmc_map[1] = counter;
		state.control.evntsel[1] = p->rules->insns;
		refuse(&state);
	}
}

static void bits_fffffe00_of_the_evntsel_are_reserved(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		one_counter(&state, 1, p->rules->insns | 1u << bit);
		if (bit < 9)
			accept(&state);
		else
			refuse(&state);
		one_counter(&state, 1, p->rules->insns);
		state.control.evntsel_high[0] = 1u << bit;
		refuse(&state);
	}
}

static void
there_are_no_auxiliary_control_bits_to_set(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u32 event;

	(void)p;
	for (event = 0; event < 0x200; event++) {
		one_counter(&state, 1, event);
		accept(&state);
		resume_on(0, &state);
		assert_int_equal(evntsel1_of(0), event);
		perfctr_cpu_suspend(&state);
	}
}

static void there_is_no_interrupt_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_false(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT);
	one_counter(&state, 1, p->rules->insns);
	state.control.nractrs = 0;
	state.control.nrictrs = 1;
	state.control.ireset[0] = -1000;
	refuse(&state);
}

static void the_counter_counts_exactly(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int round;

	one_counter(&state, 1, p->rules->insns);
	state.control.tsc_on = 1;
	accept(&state);
	for (round = 0; round < 3; round++) {
		/* Cannot be stopped, but this is nobody's. */
		machine_run(777, true);
		resume_on(round, &state);
		machine_run(1000, true);
		machine_run(100, false);
		perfctr_cpu_suspend(&state);
	}
	assert_int_equal(state.pmc[0].sum, 3300);
	assert_int_equal(state.tsc_sum, 6600);
}

static void no_wrap_of_the_counter_is_seen(const struct processor *p)
{
	struct perfctr_cpu_state state;

	one_counter(&state, 1, p->rules->insns);
	accept(&state);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	machine_run((1ull << 32) - machine.cpu[0].pmu.counter[1].value - 400,
		    false);
	resume_on(0, &state);
	machine_run(1000, false);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].sum, 1000);
	assert_int_equal(machine.cpu[0].pmu.counter[1].value, 600);
}

static void resuming_the_same_control_writes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state, other;

	one_counter(&state, 1, p->rules->insns);
	accept(&state);
	one_counter(&other, 1, p->rules->insns);
	accept(&other);
	assert_int_equal(resume_on(0, &state), 1);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes, 0);
	assert_int_equal(resume_on(0, &state), 0);
	perfctr_cpu_suspend(&state);
	assert_int_equal(resume_on(0, &other), 0);
	perfctr_cpu_suspend(&other);
	one_counter(&other, 1, 0x79);
	accept(&other);
	assert_int_equal(resume_on(0, &other), 1);
	perfctr_cpu_suspend(&other);
	assert_int_equal(resume_on(0, &state), 1);
	perfctr_cpu_suspend(&state);
	assert_int_equal(resume_on(1, &state), 1);
}

static void the_counter_is_read_once_with_rdpmc(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_true(perfctr_info.cpu_features & PERFCTR_FEATURE_RDPMC);
	one_counter(&state, 1, p->rules->insns);
	accept(&state);
	resume_on(0, &state);
	perfctr_cpu_sample(&state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC), 3);
	assert_int_equal(machine_stat(PMU_STAT_WRCTR), 0);
}

static void taking_and_giving_back_clear_the_selector(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;

	assert_true(perfctr_pmu_owned);
	assert_int_equal(machine_claims_of("perfctr"), 0);
	one_counter(&state, 1, p->rules->insns);
	accept(&state);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		resume_on(cpu, &state);
		perfctr_cpu_suspend(&state);
	}
	perfmon_arch_release();
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(evntsel1_of(cpu), 0);
	assert_null(perfmon_arch_acquire(NULL));
	machine_cpu_down(1);
	machine_cpu_up(1);
	assert_int_equal(evntsel1_of(1), 0);
	assert_int_equal(resume_on(1, &state), 1);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(is_c3, pmc_map_0_must_be_1_if_nractrs_is_1),
		RULE_IF(is_c3, there_is_no_second_counter),
		RULE_IF(is_c3, bits_fffffe00_of_the_evntsel_are_reserved),
		RULE_IF(is_c3, there_are_no_auxiliary_control_bits_to_set),
		RULE_IF(is_c3, there_is_no_interrupt_mode),
		RULE_IF(is_c3, the_counter_counts_exactly),
		RULE_IF(is_c3, no_wrap_of_the_counter_is_seen),
		RULE_IF(is_c3, resuming_the_same_control_writes_nothing),
		RULE_IF(is_c3, the_counter_is_read_once_with_rdpmc),
		RULE_IF(is_c3, taking_and_giving_back_clear_the_selector),
	};

	return run_rules_on(old_processors, nr_old_processors, rules,
			    ARRAY_SIZE(rules), boot_and_reserve);
}
