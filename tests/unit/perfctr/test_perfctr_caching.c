// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cache of control registers: how many MSRs each call writes, and that
 * what the hardware contains is right although most writes are left out.
 */
#include "perfctr_harness.h"

/* MSR writes of a call, in one expression. */
static u64 writes_of(void (*call)(struct perfctr_cpu_state *state),
		     struct perfctr_cpu_state *state)
{
	const u64 before = machine_stat(PMU_STAT_WRMSR);

	call(state);
	return machine_stat(PMU_STAT_WRMSR) - before;
}

static u64 reads_of(void (*call)(struct perfctr_cpu_state *state),
		    struct perfctr_cpu_state *state)
{
	const u64 before = machine_stat(PMU_STAT_RDPMC);

	call(state);
	return machine_stat(PMU_STAT_RDPMC) - before;
}

/* One for each selector; all fixed counters share one register. */
static unsigned int controls_of_first(const struct processor *p, unsigned int n)
{
	return n <= p->counters ? n : p->counters + 1;
}

static void
the_first_resume_writes_each_control_register_in_use(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n, cpu;

	for (n = 0; n <= all_counters(p); n++) {
		for (cpu = 0; cpu < NR_CPUS; cpu++) {
			make_state(p, &state, n, USR);
			assert_int_equal(resume_on(cpu, &state),
					 controls_of_first(p, n));
			assert_cache_is_right(p, cpu);
		}
		perfmon_arch_release();
		assert_null(perfmon_arch_acquire(NULL));
	}
}

static void resuming_the_same_control_writes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	for (i = 0; i < 10; i++) {
		perfctr_cpu_suspend(&state);
		assert_int_equal(writes_of(perfctr_cpu_resume, &state), 0);
	}
	assert_cache_is_right(p, 0);
}

/* The cache is made wrong to see who looks at it. */
static void
equal_identities_spare_the_comparison_of_registers(const struct processor *p)
{
	struct perfctr_cache *cache = &per_cpu(perfctr_cache, 0);
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	for (i = 0; i < PERFCTR_MAX_SELECTORS; i++)
		cache->evntsel[i] ^= 0x222; /* USR of fixed counters */
	assert_int_equal(resume_on(0, &state), 0);
	cache->id = 0;
	assert_int_equal(resume_on(0, &state),
			 controls_of_first(p, all_counters(p)));
}

static void equal_registers_are_not_written_again(const struct processor *p)
{
	struct perfctr_cpu_state a, b;
	unsigned int i;

	make_state(p, &a, all_counters(p), USR);
	make_state(p, &b, all_counters(p), USR);
	assert_int_not_equal(a.k1.id, b.k1.id);
	resume_on(0, &a);
	for (i = 0; i < 10; i++) {
		assert_int_equal(resume_on(0, &b), 0);
		assert_int_equal(resume_on(0, &a), 0);
	}
}

/* Leaves a state that differs from make_state() in one counter. */
static void change_one(const struct processor *p,
		       struct perfctr_cpu_state *state, unsigned int i)
{
	make_state(p, state, all_counters(p), USR);
	state->control.evntsel[i] = selector_for(p, i, EVENT_INSNS, USR | OS);
	accept(state);
}

static void
a_selector_that_differs_is_the_only_one_written(const struct processor *p)
{
	struct perfctr_cpu_state a, b;
	unsigned int i;

	make_state(p, &a, all_counters(p), USR);
	resume_on(0, &a);
	for (i = 0; i < all_counters(p); i++) {
		change_one(p, &b, i);
		assert_int_equal(resume_on(0, &b), 1);
		assert_cache_is_right(p, 0);
		assert_int_equal(resume_on(0, &b), 0);
		assert_int_equal(resume_on(0, &a), 1);
		assert_cache_is_right(p, 0);
	}
}

static void upper_bits_of_a_selector_are_compared_too(const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	make_state(p, &a, all_counters(p), USR);
	b = a;
	b.control.evntsel_high[2] = 1;
	accept(&b);
	resume_on(0, &a);
	assert_int_equal(resume_on(0, &b), 1);
	assert_int_equal(machine.cpu[0].pmu.counter[2].select >> 32, 1);
	assert_int_equal(resume_on(0, &a), 1);
	assert_int_equal(machine.cpu[0].pmu.counter[2].select >> 32, 0);
}

static void
fields_of_fixed_counters_not_in_use_are_kept(const struct processor *p)
{
	const u64 user = fixed_fields(p, FIXED_USR);
	struct perfctr_cpu_state all, one;
	unsigned int i;

	make_state(p, &all, all_counters(p), USR);
	resume_on(0, &all);
	assert_int_equal(machine.cpu[0].pmu.fixed_ctrl, user);
	for (i = 0; i < p->fixed; i++) {
		memset(&one, 0, sizeof(one));
		add_counter(p, &one, p->counters + i, 0, USR);
		accept(&one);
		assert_int_equal(resume_on(0, &one), 0);
		one.control.evntsel[0] = FIXED_OS | FIXED_USR;
		accept(&one);
		assert_int_equal(resume_on(0, &one), 1);
		assert_int_equal(machine.cpu[0].pmu.fixed_ctrl,
				 user | 3ull << 4 * i);
		assert_int_equal(resume_on(0, &all), 1);
	}
}

static void suspend_sample_and_read_write_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 writes, reads;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	assert_int_equal(writes_of(perfctr_cpu_sample, &state), 0);
	assert_int_equal(writes_of(perfctr_cpu_suspend, &state), 0);
	resume_on(0, &state);
	writes = machine_stat(PMU_STAT_WRMSR);
	reads = machine_stat(PMU_STAT_RDPMC);
	for (i = 0; i < all_counters(p); i++)
		perfctr_cpu_read(&state, i);
	assert_int_equal(machine_stat(PMU_STAT_WRMSR), writes);
	assert_int_equal(machine_stat(PMU_STAT_RDPMC), reads + i);
}

static void each_counter_is_read_once_with_rdpmc(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n;
	u64 rdmsr;

	for (n = 0; n <= all_counters(p); n++) {
		make_state(p, &state, n, USR);
		rdmsr = machine_stat(PMU_STAT_RDMSR);
		assert_int_equal(reads_of(perfctr_cpu_resume, &state), n);
		assert_int_equal(reads_of(perfctr_cpu_sample, &state), n);
		assert_int_equal(reads_of(perfctr_cpu_suspend, &state), n);
		assert_int_equal(machine_stat(PMU_STAT_RDMSR), rdmsr);
	}
}

static void counters_are_never_written_once_taken(const struct processor *p)
{
	const u64 before = machine_stat(PMU_STAT_WRCTR);
	struct perfctr_cpu_state state;
	unsigned int n;

	for (n = 0; n <= all_counters(p); n++) {
		make_state(p, &state, n, USR);
		perfctr_cpu_resume(&state);
		machine_run(100, true);
		perfctr_cpu_sample(&state);
		perfctr_cpu_suspend(&state);
	}
	assert_int_equal(machine_stat(PMU_STAT_WRCTR), before);
}

/* Between threads that count there are many that do not. */
static void
a_state_that_counts_nothing_disturbs_no_cache(const struct processor *p)
{
	const struct perfctr_cache *cache = &per_cpu(perfctr_cache, 0);
	struct perfctr_cpu_state state, empty = { 0 }, tsc = { 0 };
	struct perfctr_cache before;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	before = *cache;
	accept(&empty);
	tsc.control.tsc_on = 1;
	accept(&tsc);
	assert_int_equal(resume_on(0, &empty), 0);
	assert_int_equal(resume_on(0, &tsc), 0);
	assert_memory_equal(cache, &before, sizeof(before));
	assert_int_equal(resume_on(0, &state), 0);
	assert_cache_is_right(p, 0);
}

static void an_updated_control_reaches_the_hardware(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	for (i = 0; i < all_counters(p); i++) {
		perfctr_cpu_suspend(&state);
		state.control.evntsel[i] =
			selector_for(p, i, EVENT_INSNS, USR | OS);
		accept(&state);
		assert_int_equal(resume_on(0, &state), 1);
		assert_cache_is_right(p, 0);
	}
}

static void an_update_without_a_change_writes_nothing(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	accept(&state);
	assert_int_equal(resume_on(0, &state), 0);
}

/* The first CPU still has the identity, but no longer the registers. */
static void
a_cpu_that_others_used_meanwhile_is_written_again(const struct processor *p)
{
	const unsigned int n = controls_of_first(p, all_counters(p));
	struct perfctr_cpu_state a, b;

	make_state(p, &a, all_counters(p), USR);
	make_state(p, &b, all_counters(p), USR | OS);
	assert_int_equal(resume_on(1, &a), n);
	perfctr_cpu_suspend(&a);
	assert_int_equal(resume_on(2, &a), n);
	perfctr_cpu_suspend(&a);
	assert_int_equal(resume_on(1, &a), 0);
	perfctr_cpu_suspend(&a);
	assert_int_equal(resume_on(1, &b), n);
	perfctr_cpu_suspend(&b);
	assert_int_equal(resume_on(2, &a), 0);
	perfctr_cpu_suspend(&a);
	assert_int_equal(resume_on(1, &a), n);
	assert_cache_is_right(p, 1);
	machine_run(100, true);
	machine_run(10, false);
	perfctr_cpu_suspend(&a);
	assert_sums(p, &a, 100);
	assert_int_equal(resume_on(1, &b), n);
}

/* CPU 1 holds the old control of a state that was updated elsewhere. */
static void
an_update_invalidates_what_other_cpus_hold(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, all_counters(p), USR);
	resume_on(1, &state);
	perfctr_cpu_suspend(&state);
	state.control.evntsel[0] = selector_for(p, 0, EVENT_INSNS, OS);
	accept(&state);
	assert_int_equal(resume_on(0, &state),
			 controls_of_first(p, all_counters(p)));
	perfctr_cpu_suspend(&state);
	assert_int_equal(resume_on(1, &state), 1);
	machine_run(100, true);
	machine_run(10, false);
	perfctr_cpu_suspend(&state);
	assert_int_equal(state.pmc[0].sum, 10);
}

/*
 * 2^32 updates later the low half of the identity is the same again. Whoever
 * compared only that would leave the old selectors in the hardware.
 */
static void
identities_do_not_repeat_after_two_to_the_32_updates(const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	make_state(p, &a, all_counters(p), USR);
	resume_on(0, &a);
	machine.skip_ids = 0xffffffff;
	make_state(p, &b, all_counters(p), USR | OS);
	assert_int_equal(a.k1.id, b.k1.id);
	assert_int_equal(resume_on(0, &b),
			 controls_of_first(p, all_counters(p)));
	assert_cache_is_right(p, 0);
}

/* Zero is what an empty cache has: no state may have it. */
static void no_identity_is_zero(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 1, USR);
	machine.skip_ids = 0xffffffff - state.k1.id;
	make_state(p, &state, 1, USR);
	assert_int_equal(state.k1.id, 0);
	assert_int_not_equal(state.id_high, 0);
	assert_int_equal(resume_on(0, &state), 1);
	assert_int_equal(resume_on(1, &state), 1);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_first_resume_writes_each_control_register_in_use),
		RULE(resuming_the_same_control_writes_nothing),
		RULE(equal_identities_spare_the_comparison_of_registers),
		RULE(equal_registers_are_not_written_again),
		RULE(a_selector_that_differs_is_the_only_one_written),
		RULE_IF(has_wide_selectors,
			upper_bits_of_a_selector_are_compared_too),
		RULE_IF(has_fixed,
			fields_of_fixed_counters_not_in_use_are_kept),
		RULE(suspend_sample_and_read_write_nothing),
		RULE(each_counter_is_read_once_with_rdpmc),
		RULE(counters_are_never_written_once_taken),
		RULE(a_state_that_counts_nothing_disturbs_no_cache),
		RULE(an_updated_control_reaches_the_hardware),
		RULE(an_update_without_a_change_writes_nothing),
		RULE(a_cpu_that_others_used_meanwhile_is_written_again),
		RULE(an_update_invalidates_what_other_cpus_hold),
		RULE(identities_do_not_repeat_after_two_to_the_32_updates),
		RULE(no_identity_is_zero),
	};

	return run_rules_of_writes(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
