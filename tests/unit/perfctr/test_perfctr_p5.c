// SPDX-License-Identifier: GPL-2.0-only
/*
 * P5, Cyrix and WinChip: what the low-level documents say of the selectors that
 * share CESR, of their reserved bits and levels, and of counters that are read
 * by RDMSR, cannot be stopped or have no TSC beside them. All but the sentences
 * that are named is true of each processor of the three makers.
 */
#include <asm/perfctr.h>
#include <asm/perfctr_hooks.h>
#include <asm/processor.h>

#include "perfctr_harness.h"

#define CESR 0x11
#define CPL 0x00c0u

static bool has_cesr(const struct processor *p)
{
	return p->selector_msr == CESR;
}

static bool has_levels(const struct processor *p)
{
	return has_cesr(p) && p->rules->one_of;
}

static bool is_winchip(const struct processor *p)
{
	return has_cesr(p) && !p->rules->one_of;
}

static bool is_cyrix(const struct processor *p)
{
	return p->vendor == X86_VENDOR_CYRIX;
}

static bool is_p5_without_mmx(const struct processor *p)
{
	return p->no_rdpmc;
}

static bool has_cesr_and_rdpmc(const struct processor *p)
{
	return has_cesr(p) && !p->no_rdpmc;
}

static u32 cesr_of(unsigned int cpu)
{
	uint64_t value = 0;

	assert_int_equal(pmu_rdmsr(&machine.cpu[cpu].pmu, CESR, &value),
			 PMU_OK);
	return value;
}

/* A state with one element on this counter. */
static void one_counter(struct perfctr_cpu_state *state, u32 counter,
			u32 evntsel)
{
	memset(state, 0, sizeof(*state));
	state->control.nractrs = 1;
	state->control.pmc_map[0] = counter;
	state->control.evntsel[0] = evntsel;
}

static u32 insns(const struct processor *p)
{
	return p->rules->insns | p->rules->usr | p->rules->os;
}

static void
the_two_selectors_are_combined_to_the_value_of_cesr(const struct processor *p)
{
	struct perfctr_cpu_state state;

	one_counter(&state, 1, insns(p));
	state.control.nractrs = 2;
	state.control.pmc_map[1] = 0;
	state.control.evntsel[1] = p->rules->one_of | 0x03;
	accept(&state);
	assert_int_equal(resume_on(0, &state), 1);
	assert_int_equal(cesr_of(0), insns(p) << 16 | p->rules->one_of | 0x03);
}

static void writing_one_half_preserves_the_other(const struct processor *p)
{
	struct perfctr_cpu_state first, second;

	one_counter(&first, 0, insns(p));
	accept(&first);
	one_counter(&second, 1, p->rules->one_of | 0x05);
	accept(&second);
	assert_int_equal(resume_on(0, &first), 1);
	assert_int_equal(cesr_of(0), insns(p));
	perfctr_cpu_suspend(&first);
	assert_int_equal(resume_on(0, &second), 1);
	assert_int_equal(cesr_of(0),
			 (p->rules->one_of | 0x05) << 16 | insns(p));
	perfctr_cpu_suspend(&second);
	/* Both halves are there by now, whoever is resumed. */
	assert_int_equal(resume_on(0, &first), 0);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &first).writes, 0);
	assert_int_equal(resume_on(0, &second), 0);
}

static void
evntsel_values_are_direct_images_of_a_half(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u32 event;

	for (event = 1; event < 0x40; event++) {
		one_counter(&state, 1, event | p->rules->one_of);
		accept(&state);
		resume_on(0, &state);
		assert_int_equal(cesr_of(0) >> 16, event | p->rules->one_of);
		perfctr_cpu_suspend(&state);
	}
}

/* FE00, FA00 and FF00 of the 16 bits of a half, and no bit above them. */
static void each_reserved_bit_is_refused(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u32 counter, bit;

	for (counter = 0; counter < 2; counter++) {
		for (bit = 0; bit < 32; bit++) {
			one_counter(&state, counter, insns(p) | 1u << bit);
			if (p->rules->reserved >> bit & 1)
				refuse(&state);
			else
				accept(&state);
			one_counter(&state, counter, insns(p));
			state.control.evntsel_high[0] = 1u << bit;
			refuse(&state);
		}
	}
}

static void bit_10_belongs_to_the_event_of_a_cyrix(const struct processor *p)
{
	struct perfctr_cpu_state state;

	one_counter(&state, 0, 0x0408 | p->rules->usr);
	accept(&state);
	resume_on(0, &state);
	assert_int_equal(cesr_of(0), 0x0408 | p->rules->usr);
}

static void at_least_one_cpl_bit_must_be_set(const struct processor *p)
{
	static const u32 levels[] = { 0x0040, 0x0080, 0x00c0 };
	struct perfctr_cpu_state state;
	unsigned int i;

	one_counter(&state, 0, p->rules->insns);
	refuse(&state);
	one_counter(&state, 1, 0);
	refuse(&state);
	one_counter(&state, 0, p->rules->insns | 0x0100);
	refuse(&state);
	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		one_counter(&state, 0, p->rules->insns | levels[i]);
		accept(&state);
	}
	/* Each element has to have one. */
	one_counter(&state, 0, insns(p));
	state.control.nractrs = 2;
	state.control.pmc_map[1] = 1;
	state.control.evntsel[1] = p->rules->insns;
	refuse(&state);
}

static void a_winchip_has_no_cpl_bits_to_set(const struct processor *p)
{
	struct perfctr_cpu_state state;

	one_counter(&state, 0, 0);
	accept(&state);
	one_counter(&state, 0, p->rules->insns);
	accept(&state);
	/* There these two belong to the event. */
	one_counter(&state, 0, 0x63 | CPL);
	accept(&state);
	resume_on(0, &state);
	assert_int_equal(cesr_of(0), 0x63 | CPL);
}

static void the_tsc_of_a_winchip_cannot_be_used(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_false(perfctr_info.cpu_features & PERFCTR_FEATURE_RDTSC);
	assert_int_equal(perfctr_info.cpu_khz, 0);
	one_counter(&state, 0, insns(p));
	state.control.tsc_on = 1;
	refuse(&state);
	memset(&state, 0, sizeof(state));
	state.control.tsc_on = 1;
	refuse(&state);
	assert_int_equal(perfmon_pmd_position(256), -1);
}

static void the_tsc_of_p5_and_cyrix_is_sampled(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_true(perfctr_info.cpu_features & PERFCTR_FEATURE_RDTSC);
	assert_int_not_equal(perfctr_info.cpu_khz, 0);
	one_counter(&state, 0, insns(p));
	state.control.tsc_on = 1;
	accept(&state);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.tsc_sum, 2000);
	assert_int_equal(state.pmc[0].sum, 1000);
	assert_true(perfmon_pmd_position(256) >= 0);
}

static void only_the_two_counters_exist(const struct processor *p)
{
	static const u32 numbers[] = { 2,    3,		 16,	     0x12,
				       0x13, 0x40000000, 0x80000000, ~0u };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		one_counter(&state, numbers[i], insns(p));
		refuse(&state);
	}
	one_counter(&state, 1, insns(p));
	state.control.nractrs = 2;
	state.control.pmc_map[1] = 1;
	state.control.evntsel[1] = insns(p);
	refuse(&state);
}

static void there_is_no_interrupt_mode(const struct processor *p)
{
	struct perfctr_cpu_state state;

	/* Not even with an APIC that has the entry. */
	assert_false(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT);
	one_counter(&state, 0, insns(p));
	state.control.nractrs = 0;
	state.control.nrictrs = 1;
	state.control.ireset[0] = -1000;
	refuse(&state);
}

static void
a_p5_without_mmx_reads_its_counters_by_rdmsr(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 reads;

	assert_false(perfctr_info.cpu_features & PERFCTR_FEATURE_RDPMC);
	make_state(p, &state, 2, USR | OS);
	reads = machine_stat(PMU_STAT_RDMSR);
	resume_on(0, &state);
	perfctr_cpu_sample(&state);
	perfctr_cpu_read(&state, 1);
	perfctr_cpu_suspend(&state);
	assert_int_equal(machine_stat(PMU_STAT_RDMSR) - reads, 7);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC), 0);
}

static void the_others_read_their_counters_by_rdpmc(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 reads;

	assert_true(perfctr_info.cpu_features & PERFCTR_FEATURE_RDPMC);
	make_state(p, &state, 2, USR | OS);
	reads = machine_stat(PMU_STAT_RDMSR);
	resume_on(0, &state);
	perfctr_cpu_sample(&state);
	perfctr_cpu_read(&state, 1);
	perfctr_cpu_suspend(&state);
	assert_int_equal(machine_stat(PMU_STAT_RDMSR), reads);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC), 7);
}

/* A state on both counters, the events in any order. */
static void both_counters_count_exactly(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int round;

	make_state(p, &state, 2, USR | OS);
	for (round = 0; round < 3; round++) {
		machine_run(777, true); /* is nobody's */
		resume_on(round, &state);
		machine_run(1000, true);
		machine_run(100, false);
		perfctr_cpu_suspend(&state);
	}
	assert_int_equal(state.pmc[0].sum, 3300);
	assert_int_equal(state.pmc[1].sum, 3300);
}

static void
a_counter_counts_at_the_levels_of_its_half(const struct processor *p)
{
	struct perfctr_cpu_state state;

	one_counter(&state, 0, p->rules->insns | p->rules->os);
	state.control.nractrs = 2;
	state.control.pmc_map[1] = 1;
	state.control.evntsel[1] = p->rules->insns | p->rules->usr;
	accept(&state);
	resume_on(0, &state);
	machine_run(1000, true);
	machine_run(100, false);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].sum, 100);
	assert_int_equal(state.pmc[1].sum, 1000);
}

/* Sums are of the low 32 bits, which may wrap between two readings. */
static void no_wrap_of_a_counter_is_seen(const struct processor *p)
{
	static const u64 left[] = { 1ull << 32, 1ull << 40 };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(left); i++) {
		make_state(p, &state, 2, USR | OS);
		resume_on(0, &state);
		perfctr_cpu_suspend(&state);
		machine_run(left[i] - machine.cpu[0].pmu.counter[0].value - 400,
			    false);
		resume_on(0, &state);
		machine_run(1000, false);
		perfctr_cpu_suspend(&state);
		assert_int_equal(state.pmc[0].sum, 1000);
		assert_int_equal(state.pmc[1].sum, 1000);
	}
}

static void resuming_the_same_control_writes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state, equal;

	make_state(p, &state, 2, USR | OS);
	assert_int_equal(resume_on(0, &state), 1);
	assert_int_equal(cost_of(perfctr_cpu_suspend, &state).writes, 0);
	assert_int_equal(resume_on(0, &state), 0);
	perfctr_cpu_suspend(&state);
	/* Another state with the same contents of the register. */
	make_state(p, &equal, 2, USR | OS);
	assert_int_equal(resume_on(0, &equal), 0);
	perfctr_cpu_suspend(&equal);
	/* A change of one half is one write, on each CPU. */
	equal.control.evntsel[1] = p->rules->one_of | 0x07;
	accept(&equal);
	assert_int_equal(resume_on(0, &equal), 1);
	perfctr_cpu_suspend(&equal);
	assert_int_equal(resume_on(1, &equal), 1);
	perfctr_cpu_suspend(&equal);
	assert_int_equal(resume_on(0, &equal), 0);
}

static void counters_are_not_written_while_taken(const struct processor *p)
{
	const u64 probed = machine_stat(PMU_STAT_WRCTR);
	struct perfctr_cpu_state state;

	make_state(p, &state, 2, USR | OS);
	resume_on(0, &state);
	machine_run(1000, true);
	perfctr_cpu_sample(&state);
	perfctr_cpu_suspend(&state);
	resume_on(1, &state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(machine_stat(PMU_STAT_WRCTR), probed);
	/* They are zeroed when they are given back. */
	perfmon_arch_release();
	assert_int_equal(machine_stat(PMU_STAT_WRCTR),
			 is_winchip(p) ? 0 : probed + 2 * NR_CPUS);
	/* A WinChip's are not even tried at boot. */
	if (is_winchip(p))
		assert_int_equal(probed, 0);
}

static void
a_counter_that_cannot_be_stopped_runs_on_for_nobody(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 2, 0);
	resume_on(0, &state);
	machine_run(50, false);
	perfctr_cpu_suspend(&state);
	machine_run(5000, false);
	assert_int_equal(machine.cpu[0].pmu.counter[0].value, 5050);
	resume_on(0, &state);
	machine_run(50, false);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].sum, 100);
}

static void taking_and_giving_back_clear_cesr(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;

	assert_true(perfctr_pmu_owned);
	/* The kernel's allocator has never heard of these registers. */
	assert_int_equal(machine_claims_of("perfctr"), 0);
	make_state(p, &state, 2, USR | OS);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		assert_int_equal(cesr_of(cpu), 0);
		assert_int_equal(resume_on(cpu, &state), 1);
		perfctr_cpu_suspend(&state);
	}
	perfmon_arch_release();
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(cesr_of(cpu), 0);
	assert_false(perfctr_pmu_owned);
	/* What the cache knew is forgotten. */
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(resume_on(0, &state), 1);
}

static void a_cpu_that_comes_up_is_cleared(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 2, USR | OS);
	resume_on(1, &state);
	perfctr_cpu_suspend(&state);
	machine_cpu_down(1);
	machine_cpu_up(1);
	assert_int_equal(cesr_of(1), 0);
	assert_int_equal(resume_on(1, &state), 1);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(has_cesr,
			the_two_selectors_are_combined_to_the_value_of_cesr),
		RULE_IF(has_cesr, writing_one_half_preserves_the_other),
		RULE_IF(has_cesr, evntsel_values_are_direct_images_of_a_half),
		RULE_IF(has_cesr, each_reserved_bit_is_refused),
		RULE_IF(is_cyrix, bit_10_belongs_to_the_event_of_a_cyrix),
		RULE_IF(has_levels, at_least_one_cpl_bit_must_be_set),
		RULE_IF(is_winchip, a_winchip_has_no_cpl_bits_to_set),
		RULE_IF(is_winchip, the_tsc_of_a_winchip_cannot_be_used),
		RULE_IF(has_levels, the_tsc_of_p5_and_cyrix_is_sampled),
		RULE_IF(has_cesr, only_the_two_counters_exist),
		RULE_IF(has_cesr, there_is_no_interrupt_mode),
		RULE_IF(is_p5_without_mmx,
			a_p5_without_mmx_reads_its_counters_by_rdmsr),
		RULE_IF(has_cesr_and_rdpmc,
			the_others_read_their_counters_by_rdpmc),
		RULE_IF(has_cesr, both_counters_count_exactly),
		RULE_IF(has_levels, a_counter_counts_at_the_levels_of_its_half),
		RULE_IF(has_cesr, no_wrap_of_a_counter_is_seen),
		RULE_IF(has_cesr, resuming_the_same_control_writes_nothing),
		RULE_IF(has_cesr, counters_are_not_written_while_taken),
		RULE_IF(is_winchip,
			a_counter_that_cannot_be_stopped_runs_on_for_nobody),
		RULE_IF(has_cesr, taking_and_giving_back_clear_cesr),
		RULE_IF(has_cesr, a_cpu_that_comes_up_is_cleared),
	};

	return run_rules_on(old_processors, nr_old_processors, rules,
			    ARRAY_SIZE(rules), boot_and_reserve);
}
