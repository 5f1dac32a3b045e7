// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accumulation mode: sums are the exact numbers of events between resume and
 * suspend, on whatever CPU, whatever else the counters see, whatever their
 * width.
 */
#include <asm/msr.h>

#include "perfctr_harness.h"

/* Whether reads of the hardware see the low 32 bits wrap in the next insns. */
static void preset_counters(unsigned int cpu, u64 value)
{
	struct pmu *pmu = &machine.cpu[cpu].pmu;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++)
		pmu->counter[i].value = value & pmu->counter[i].mask;
}

static void the_sum_is_what_was_counted_between_resume_and_suspend(
	const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR | OS);
	perfctr_cpu_resume(&state);
	machine_run(1000, true);
	machine_run(234, false);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 1234);
}

static void a_counter_counts_only_at_its_levels(const struct processor *p)
{
	struct perfctr_cpu_state user, kernel, none;

	make_state(p, &user, all_counters(p), USR);
	make_state(p, &kernel, all_counters(p), OS);
	make_state(p, &none, all_counters(p), 0);
	perfctr_cpu_resume(&user);
	machine_run(1000, true);
	machine_run(200, false);
	perfctr_cpu_suspend(&user);
	perfctr_cpu_resume(&kernel);
	machine_run(1000, true);
	machine_run(200, false);
	perfctr_cpu_suspend(&kernel);
	perfctr_cpu_resume(&none);
	machine_run(1000, true);
	perfctr_cpu_suspend(&none);
	assert_sums(p, &user, 1000);
	assert_sums(p, &kernel, 200);
	assert_sums(p, &none, 0);
}

static void
counters_run_on_unseen_while_the_state_is_suspended(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR | OS);
	for (i = 0; i < 10; i++) {
		perfctr_cpu_resume(&state);
		machine_run(10, true);
		perfctr_cpu_suspend(&state);
		machine_run(1000, true);
	}
	assert_sums(p, &state, 100);
	assert_int_equal(machine.cpu[0].pmu.counter[0].value, 10100);
}

static void
sampling_adds_in_place_and_counting_goes_on(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR | OS);
	perfctr_cpu_resume(&state);
	machine_run(100, true);
	perfctr_cpu_sample(&state);
	assert_sums(p, &state, 100);
	perfctr_cpu_sample(&state);
	assert_sums(p, &state, 100);
	machine_run(50, true);
	perfctr_cpu_sample(&state);
	assert_sums(p, &state, 150);
	machine_run(8, false);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 158);
}

static void
reading_gives_the_present_count_and_changes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state, before;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR | OS);
	perfctr_cpu_resume(&state);
	machine_run(100, true);
	perfctr_cpu_sample(&state);
	machine_run(20, true);
	before = state;
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(perfctr_cpu_read(&state, i),
				 events_in(p, i, 120));
	assert_memory_equal(&state, &before, sizeof(state));
	machine_run(2, true);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 122);
}

/* Differences of the low 32 bits do not care where the counters wrap. */
static void no_wrap_of_a_counter_is_seen(const struct processor *p)
{
	const u64 tops[] = { 1ull << 31, 1ull << 32, 1ull << 33,
			     1ull << p->width };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tops); i++) {
		make_state(p, &state, all_counters(p), USR | OS);
		preset_counters(0, tops[i] - 100);
		perfctr_cpu_resume(&state);
		machine_run(60, true);
		perfctr_cpu_sample(&state);
		assert_sums(p, &state, 60);
		machine_run(60, true);
		assert_int_equal(perfctr_cpu_read(&state, 0), 120);
		perfctr_cpu_sample(&state);
		assert_sums(p, &state, 120);
		preset_counters(0, tops[i] - 2);
		perfctr_cpu_resume(&state);
		machine_run(4, true);
		perfctr_cpu_suspend(&state);
		assert_sums(p, &state, 124);
	}
}

static void
a_period_may_have_any_count_below_two_to_the_32(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 1, USR | OS);
	preset_counters(0, 0x89abcdef);
	perfctr_cpu_resume(&state);
	machine_run(0xffffffff, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].sum, 0xffffffff);
}

static void samples_keep_sums_of_64_bits(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 insns = 0;

	make_state(p, &state, all_counters(p), USR | OS);
	perfctr_cpu_resume(&state);
	while (insns < 1ull << p->width) {
		/* Two of the fixed counters are faster by a half. */
		machine_run(0xa0000000, true);
		insns += 0xa0000000;
		perfctr_cpu_sample(&state);
		if (insns > 1ull << 42)
			break;
	}
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, insns);
}

/*
 * Three states with equal and different controls move over three CPUs, where
 * unknown states count in between.
 */
static void
sums_are_exact_on_any_cpu_with_others_in_between(const struct processor *p)
{
	static const u32 levels[] = { USR, OS, USR | OS, USR };
	struct perfctr_cpu_state state[4];
	u64 sum[4] = { 0 };
	unsigned int i, step;
	u32 seed = 4711;

	for (i = 0; i < ARRAY_SIZE(state); i++)
		make_state(p, &state[i], all_counters(p) - (i == 3), levels[i]);
	for (i = 0; i < NR_CPUS; i++)
		preset_counters(i, 0xffffff00 - 0x1000 * i);
	for (step = 0; step < 5000; step++) {
		const u32 user = 2 * (next_random(&seed) % 500);
		const u32 kernel = 2 * (next_random(&seed) % 500);

		i = next_random(&seed) % ARRAY_SIZE(state);
		resume_on(next_random(&seed) % NR_CPUS, &state[i]);
		machine_run(user, true);
		if (step % 3 == 0)
			perfctr_cpu_sample(&state[i]);
		machine_run(kernel, false);
		perfctr_cpu_suspend(&state[i]);
		machine_run(2 * (next_random(&seed) % 100), step % 2);
		sum[i] += levels[i] & USR ? user : 0;
		sum[i] += levels[i] & OS ? kernel : 0;
	}
	for (i = 0; i < ARRAY_SIZE(state); i++)
		assert_sums(p, &state[i], sum[i]);
}

static void elements_may_be_in_any_order(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };
	unsigned int i;

	for (i = all_counters(p); i-- > 0;)
		add_counter(p, &state, i, EVENT_INSNS, i % 2 ? USR : OS);
	accept(&state);
	perfctr_cpu_resume(&state);
	machine_run(1000, true);
	machine_run(100, false);
	perfctr_cpu_suspend(&state);
	for (i = 0; i < all_counters(p); i++)
		assert_int_equal(state.pmc[all_counters(p) - 1 - i].sum,
				 events_in(p, i, i % 2 ? 1000 : 100));
}

/* CPU 1's TSC is far from that of CPU 0, whose low half wraps soon. */
static void the_tsc_is_summed_over_periods_and_cpus(const struct processor *p)
{
	struct perfctr_cpu_state state = { .control.tsc_on = 1 };

	add_counter(p, &state, 0, EVENT_INSNS, USR | OS);
	accept(&state);
	resume_on(0, &state);
	assert_int_equal(state.tsc_start, (u32)rdtsc());
	machine_run(0x700, true);
	perfctr_cpu_sample(&state);
	assert_int_equal(state.tsc_sum, 0xe00);
	machine_run(0x700, true);
	perfctr_cpu_sample(&state);
	assert_int_equal(state.tsc_sum, 0x1c00);
	machine_run(1, true);
	perfctr_cpu_suspend(&state);
	machine_run(1000, true);
	resume_on(1, &state);
	machine_run(0x7fffffff, true);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.tsc_sum, 0x1c02 + 0xfffffffeull);
	assert_int_equal(state.pmc[0].sum, 0xe01 + 0x7fffffffull);
}

/* At 3 GHz there are 2^32 ticks in 1.4 s; an idle CPU is not sampled so often. */
static void a_period_may_have_any_number_of_tsc_ticks(const struct processor *p)
{
	const u64 seconds = 0x123456789abc;
	struct perfctr_cpu_state state = { .control.tsc_on = 1 };
	u64 sum;

	add_counter(p, &state, 0, EVENT_INSNS, USR | OS);
	accept(&state);
	resume_on(0, &state);
	machine.cpu[0].tsc_offset += seconds;
	perfctr_cpu_sample(&state);
	assert_int_equal(state.tsc_sum, seconds);
	machine.cpu[0].tsc_offset += 2 * seconds;
	perfctr_cpu_hold(&state);
	perfctr_cpu_go_on(&state);
	assert_int_equal(state.tsc_sum, 3 * seconds);
	machine.cpu[0].tsc_offset += 4 * seconds;
	machine_run(1, true);
	perfctr_cpu_suspend(&state);
	sum = 7 * seconds + 2;
	assert_int_equal(state.tsc_sum, sum);
	machine.cpu[0].tsc_offset += seconds;
	/* One that is 2^32 ticks away from wherever the last one was. */
	machine.cpu[1].tsc_offset += 1ull << 32;
	resume_on(1, &state);
	assert_int_equal(state.tsc_start, (u32)rdtsc());
	machine.cpu[1].tsc_offset += 1ull << 32;
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.tsc_sum, sum + (1ull << 32));
	assert_int_equal(state.pmc[0].sum, 1);
}

static void the_tsc_can_be_sampled_without_counters(const struct processor *p)
{
	struct perfctr_cpu_state state = { .control.tsc_on = 1 };
	u64 accesses;

	(void)p;
	accept(&state);
	accesses = machine_stat(PMU_STAT_RDPMC) + machine_stat(PMU_STAT_WRMSR);
	perfctr_cpu_resume(&state);
	machine_run(100, true);
	perfctr_cpu_sample(&state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.tsc_sum, 200);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC) +
				 machine_stat(PMU_STAT_WRMSR),
			 accesses);
}

static void the_tsc_is_left_alone_unless_asked_for(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 1, USR | OS);
	perfctr_cpu_resume(&state);
	machine_run(100, true);
	perfctr_cpu_sample(&state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.tsc_start, 0);
	assert_int_equal(state.tsc_sum, 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_sum_is_what_was_counted_between_resume_and_suspend),
		RULE(a_counter_counts_only_at_its_levels),
		RULE(counters_run_on_unseen_while_the_state_is_suspended),
		RULE(sampling_adds_in_place_and_counting_goes_on),
		RULE(reading_gives_the_present_count_and_changes_nothing),
		RULE(no_wrap_of_a_counter_is_seen),
		RULE(a_period_may_have_any_count_below_two_to_the_32),
		RULE(samples_keep_sums_of_64_bits),
		RULE(sums_are_exact_on_any_cpu_with_others_in_between),
		RULE(elements_may_be_in_any_order),
		RULE(the_tsc_is_summed_over_periods_and_cpus),
		RULE(a_period_may_have_any_number_of_tsc_ticks),
		RULE(the_tsc_can_be_sampled_without_counters),
		RULE(the_tsc_is_left_alone_unless_asked_for),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
