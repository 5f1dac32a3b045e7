// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 at work: exact counts of all counters, what is written to
 * which register and how often, overflows, and the threads that must not touch
 * anything.
 */
#include <linux/cpu.h>

#include <asm/msr.h>

#include "driver.h"
#include "p4_harness.h"

#define IQ_CTR0 12u

/* ESCRs that all counters together use: one for each half of a group. */
#define ALL_ESCRS 8u

static void assert_all(const struct perfctr_cpu_state *state, u64 insns)
{
	unsigned int i;

	for (i = 0; i < P4_NR_COUNTERS; i++)
		assert_int_equal(state->pmc[i].sum, insns);
}

static void all_18_counters_count_exactly(const struct processor *p)
{
	struct perfctr_cpu_state state;

	(void)p;
	p4_make_all(&state, 0);
	resume_on(0, &state);
	machine_run(123457, true);
	perfctr_cpu_sample(&state);
	assert_all(&state, 123457);
	machine_run(1000, false);
	perfctr_cpu_suspend(&state);
	assert_all(&state, 124457);
	machine_run(5000, true);
	resume_on(2, &state);
	machine_run(3, true);
	perfctr_cpu_suspend(&state);
	assert_all(&state, 124460);
}

static void counts_go_on_when_32_and_40_bits_wrap(const struct processor *p)
{
	struct perfctr_cpu_state state;
	u64 insns = 0;

	(void)p;
	p4_make_one(&state, IQ_CTR0, 0);
	resume_on(0, &state);
	while (insns < 3ull << 40) {
		machine_run(0xfffffff0, true);
		insns += 0xfffffff0;
		perfctr_cpu_sample(&state);
	}
	assert_int_equal(state.pmc[0].sum, insns);
}

static void
each_register_is_written_once_and_then_cached(const struct processor *p)
{
	struct perfctr_cpu_state state, other;

	(void)p;
	p4_make_all(&state, 0);
	p4_make_all(&other, 0);
	assert_int_equal(resume_on(0, &state), P4_NR_COUNTERS + ALL_ESCRS);
	perfctr_cpu_suspend(&state);
	assert_int_equal(resume_on(0, &state), 0);
	perfctr_cpu_suspend(&state);
	/* The same contents under another identity. */
	assert_int_equal(resume_on(0, &other), 0);
	perfctr_cpu_suspend(&other);
	assert_int_equal(resume_on(2, &other), P4_NR_COUNTERS + ALL_ESCRS);
	perfctr_cpu_suspend(&other);
}

static void only_what_differs_is_written(const struct processor *p)
{
	struct perfctr_cpu_state a, b;

	(void)p;
	p4_make_one(&a, IQ_CTR0, 0);
	b = a;
	b.control.p4.escr[0] ^= T0_OS;
	accept(&b);
	assert_int_equal(resume_on(0, &a), 2);
	perfctr_cpu_suspend(&a);
	assert_int_equal(resume_on(0, &b), 1); /* its ESCR */
	assert_int_equal(p4_register(0x3b8), b.control.p4.escr[0]);
	perfctr_cpu_suspend(&b);
	b.control.evntsel[0] |= COMPARE;
	accept(&b);
	assert_int_equal(resume_on(0, &b), 1); /* its CCCR */
	assert_int_equal(p4_register(CCCR0 + IQ_CTR0), b.control.evntsel[0]);
	perfctr_cpu_suspend(&b);
	/* Another counter with the same ESCR. */
	b.control.pmc_map[0] = 13;
	accept(&b);
	assert_int_equal(resume_on(0, &b), 1);
	perfctr_cpu_suspend(&b);
}

static void
replay_tagging_reaches_its_registers_and_leaves_them(const struct processor *p)
{
	struct perfctr_cpu_state tagged, plain;

	(void)p;
	p4_make_one(&plain, IQ_CTR0, 0);
	tagged = plain;
	tagged.control.p4.pebs_enable = 0x01000001;
	tagged.control.p4.pebs_matrix_vert = 2;
	accept(&tagged);
	assert_int_equal(resume_on(0, &tagged), 4);
	assert_int_equal(p4_register(PEBS_ENABLE), 0x01000001);
	assert_int_equal(p4_register(MATRIX_VERT), 2);
	perfctr_cpu_suspend(&tagged);
	assert_int_equal(resume_on(0, &tagged), 0);
	perfctr_cpu_suspend(&tagged);
	assert_int_equal(resume_on(0, &plain), 2);
	assert_int_equal(p4_register(PEBS_ENABLE), 0);
	assert_int_equal(p4_register(MATRIX_VERT), 0);
	perfctr_cpu_suspend(&plain);
}

/* Per i-mode counter one write to stop and one to go on, no ESCR again. */
static void i_mode_writes_cccrs_only(const struct processor *p)
{
	struct perfctr_cpu_state state, thief;
	struct cost cost;

	(void)p;
	p4_make_all(&state, -1000000);
	machine_on(0);
	cost = cost_of(perfctr_cpu_resume, &state);
	/* Erratum N15: twice each. */
	assert_int_equal(cost.counter_writes, 2 * P4_NR_COUNTERS);
	assert_int_equal(cost.writes, 3 * P4_NR_COUNTERS + ALL_ESCRS);
	machine_run(100, true);
	cost = cost_of(perfctr_cpu_suspend, &state);
	assert_int_equal(cost.counter_writes, 0);
	assert_int_equal(cost.writes, P4_NR_COUNTERS);
	cost = cost_of(perfctr_cpu_resume, &state);
	assert_int_equal(cost.counter_writes, 0);
	assert_int_equal(cost.writes, P4_NR_COUNTERS);
	machine_run(100, true);
	perfctr_cpu_suspend(&state);
	assert_all(&state, 200);
	/* A counter of another state in between: all values anew. */
	p4_make_one(&thief, IQ_CTR0, -7);
	perfctr_cpu_resume(&thief);
	perfctr_cpu_suspend(&thief);
	cost = cost_of(perfctr_cpu_resume, &state);
	assert_int_equal(cost.counter_writes, 2 * P4_NR_COUNTERS);
	assert_int_equal(cost.writes, 3 * P4_NR_COUNTERS);
	machine_run(100, true);
	perfctr_cpu_suspend(&state);
	assert_all(&state, 300);
}

static void counters_are_written_with_all_40_bits(const struct processor *p)
{
	struct perfctr_cpu_state state;

	(void)p;
	p4_make_one(&state, IQ_CTR0, -1000);
	resume_on(0, &state);
	assert_int_equal(p4_register(CTR0 + IQ_CTR0), (1ull << 40) - 1000);
	machine_run(10, true);
	perfctr_cpu_suspend(&state);
	resume_on(2, &state);
	assert_int_equal(p4_register(CTR0 + IQ_CTR0), (1ull << 40) - 990);
	perfctr_cpu_suspend(&state);
}

static void check_periods(unsigned int counter, int period)
{
	struct perfctr_cpu_state state;
	unsigned int i, before = driver.interrupts;

	p4_make_one(&state, counter, -period);
	driver_resume(0, &state);
	for (i = 1; i <= 20; i++) {
		machine_run(period - 1, true);
		assert_int_equal(driver.interrupts, before + i - 1);
		machine_run(1, true);
		assert_int_equal(driver.interrupts, before + i);
		assert_int_equal(driver.mask, 1);
		assert_int_equal(driver.sums[0], (u64)period * i);
	}
	driver_suspend();
	machine_run(10 * period, true);
	assert_int_equal(driver.interrupts, before + 20);
}

static void
each_counter_interrupts_after_exactly_its_period(const struct processor *p)
{
	static const int periods[] = { 1, 2, 997, 1000, 100000 };
	unsigned int i, counter;

	(void)p;
	for (counter = 0; counter < P4_NR_COUNTERS; counter++)
		for (i = 0; i < ARRAY_SIZE(periods); i++)
			check_periods(counter, periods[i]);
	assert_int_equal(driver.strays, 0);
	assert_int_equal(driver.found_nothing, 0);
}

static void forced_overflows_interrupt_at_each_event(const struct processor *p)
{
	struct perfctr_cpu_state state;

	(void)p;
	p4_make_one(&state, IQ_CTR0, -1);
	state.control.evntsel[0] |= FORCE_OVF;
	accept(&state);
	driver_resume(0, &state);
	machine_run(50, true);
	assert_int_equal(driver.interrupts, 50);
	assert_int_equal(driver.found_nothing, 0);
	assert_int_equal(driver.sums[0], 50);
	driver_suspend();
}

/* The request is there while the flag is; suspend takes the flag away. */
static void stopping_clears_the_overflow_flag(const struct processor *p)
{
	struct perfctr_cpu_state state;

	(void)p;
	p4_make_one(&state, IQ_CTR0, -10);
	driver_resume(0, &state);
	machine.irqs_off = true;
	machine_run(10, false);
	assert_true(p4_register(CCCR0 + IQ_CTR0) & OVF);
	machine.irqs_off = true;
	perfctr_cpu_suspend(&state);
	assert_int_equal(p4_register(CCCR0 + IQ_CTR0), 0);
	assert_int_equal(state.overflowed, 1);
	driver.active[0] = NULL;
	machine_irqs_on();
	assert_int_equal(driver.strays, 1);
	machine_run(1000, true);
	assert_int_equal(driver.strays, 1);
	assert_int_equal(driver.interrupts, 0);
	/* Where it goes on the overflow is handled. */
	driver_resume(0, &state);
	machine_run(1, true);
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, 1);
	driver_suspend();
}

/* The waiting counter begins when the other one wraps, which it does soon. */
static void a_cascaded_counter_interrupts_exactly(const struct processor *p)
{
	struct perfctr_cpu_state state = { 0 };

	(void)p;
	p4_add(&state, 12, T0_USR, 0);
	p4_add(&state, 14, T0_USR, -400);
	state.control.evntsel[1] ^= ENABLE | CASCADE;
	accept(&state);
	driver_resume(0, &state);
	wrmsrl(CTR0 + 12, (1ull << 40) - 200);
	machine_run(599, true);
	assert_int_equal(driver.interrupts, 0);
	machine_run(1, true);
	assert_int_equal(driver.interrupts, 1);
	assert_int_equal(driver.mask, 2);
	assert_int_equal(driver.sums[1], 400);
	/* It waits again. */
	machine_run(10000, true);
	assert_int_equal(driver.interrupts, 1);
	driver_suspend();
	assert_int_equal(state.pmc[1].sum, 400);
}

static void reserving_clears_all_registers(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i, select;

	p4_make_all(&state, 0);
	state.control.p4.pebs_enable = 0x01000001;
	state.control.p4.pebs_matrix_vert = 2;
	accept(&state);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	perfmon_arch_release();
	assert_int_equal(p4_register(PEBS_ENABLE), 0);
	assert_int_equal(p4_register(MATRIX_VERT), 0);
	for (i = 0; i < P4_NR_COUNTERS; i++) {
		assert_int_equal(p4_register(CCCR0 + i), 0);
		for (select = 0; select < 8; select++)
			if (p4_escr(p, i, select))
				assert_int_equal(
					p4_register(p4_escr(p, i, select)), 0);
	}
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
}

static void second_threads_are_forbidden(const struct processor *p)
{
	unsigned int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		const bool second = p4_has_threads(p) && cpu == 1;

		assert_int_equal(cpumask_test_cpu(cpu,
						  &perfctr_cpus_forbidden_mask),
				 second);
		machine_on(cpu);
		assert_int_equal(perfctr_cpu_forbidden(), second);
	}
}

/* Not one access: the registers are those of the first thread. */
static void
nothing_touches_the_registers_from_a_second_thread(const struct processor *p)
{
	const uint64_t *stat = machine.cpu[1].pmu.stat;
	struct perfmon_arch_set set = { 0 };

	(void)p;
	p4_make_all(&set.state, 0);
	memset(set.element, 0, sizeof(set.element));
	machine_on(1);
	perfmon_arch_resume(&set);
	machine_run(1000, true);
	perfmon_arch_sample(&set);
	assert_int_equal(perfmon_arch_read(&set, 0), 0);
	perfmon_arch_suspend(&set);
	assert_all(&set.state, 0);
	/* What it counted elsewhere stays. */
	machine_on(0);
	perfmon_arch_resume(&set);
	machine_run(10, true);
	perfmon_arch_suspend(&set);
	machine_on(1);
	perfmon_arch_resume(&set);
	machine_run(1000, true);
	assert_int_equal(perfmon_arch_read(&set, 0), 10);
	perfmon_arch_suspend(&set);
	assert_all(&set.state, 10);
	perfmon_arch_release();
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(stat[PMU_STAT_WRMSR] + stat[PMU_STAT_RDMSR] +
				 stat[PMU_STAT_RDPMC],
			 0);
	assert_int_equal(machine.cpu[1].lvtpc_writes, 0);
}

/* perf may still have to zero counters of the core. */
static void perf_forgets_its_counters_on_all_threads(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_int_equal(machine.cpu[cpu].perf_zeroed, 1);
}

static void
a_thread_that_comes_up_later_is_forbidden_too(const struct processor *p)
{
	(void)p;
	machine_cpu_down(1);
	perfctr_cpus_forbidden_mask = (cpumask_t){ 0 };
	machine_cpu_up(1);
	assert_true(cpumask_test_cpu(1, &perfctr_cpus_forbidden_mask));
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(all_18_counters_count_exactly),
		RULE(counts_go_on_when_32_and_40_bits_wrap),
		RULE(each_register_is_written_once_and_then_cached),
		RULE(only_what_differs_is_written),
		RULE(replay_tagging_reaches_its_registers_and_leaves_them),
		RULE(i_mode_writes_cccrs_only),
		RULE(counters_are_written_with_all_40_bits),
		RULE(each_counter_interrupts_after_exactly_its_period),
		RULE(forced_overflows_interrupt_at_each_event),
		RULE(stopping_clears_the_overflow_flag),
		RULE(a_cascaded_counter_interrupts_exactly),
		RULE(reserving_clears_all_registers),
		RULE(second_threads_are_forbidden),
		RULE_IF(p4_has_threads,
			nothing_touches_the_registers_from_a_second_thread),
		RULE(perf_forgets_its_counters_on_all_threads),
		RULE_IF(p4_has_threads,
			a_thread_that_comes_up_later_is_forbidden_too),
	};

	return run_p4_rules(rules, ARRAY_SIZE(rules), driver_boot);
}
