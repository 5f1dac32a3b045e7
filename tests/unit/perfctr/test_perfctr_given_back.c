// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the next user of a PMU finds in its counters: nothing of ours, on any
 * processor whose counters can be written.
 */
#include <linux/cpu.h>

#include <asm/processor.h>

#include "p4_harness.h"
#include "perfctr_harness.h"

#define LEFTOVER 0x12345678

static bool has_writable_counters(const struct processor *p)
{
	return strncmp(p->name, "winchip", strlen("winchip")) != 0 &&
	       strcmp(p->name, "c3") != 0;
}

/* As if sessions had counted with all of them. */
static void count_something(unsigned int cpu)
{
	struct pmu *pmu = &machine.cpu[cpu].pmu;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++)
		if (pmu->counter[i].mask)
			pmu->counter[i].value = LEFTOVER;
}

static void assert_counters(unsigned int cpu, u64 value)
{
	const struct pmu *pmu = &machine.cpu[cpu].pmu;
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++)
		if (pmu->counter[i].mask)
			assert_int_equal(pmu->counter[i].value, value);
}

/* A second thread's registers are those of the first one. */
static bool is_ours(unsigned int cpu)
{
	return cpu % __max_threads_per_core == 0;
}

static void
counters_are_zero_when_they_are_given_back(const struct processor *p)
{
	unsigned int cpu;

	(void)p;
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		count_something(cpu);
	perfmon_arch_release();
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		assert_counters(cpu, is_ours(cpu) ? 0 : LEFTOVER);
}

static void counters_of_a_cpu_that_goes_down_are_zero(const struct processor *p)
{
	(void)p;
	count_something(2);
	machine_cpu_down(2);
	assert_counters(2, 0);
}

/* What cannot be written is not written: that would fault. */
static void
counters_that_cannot_be_written_are_left_alone(const struct processor *p)
{
	(void)p;
	count_something(0);
	perfmon_arch_release();
	assert_counters(0, LEFTOVER);
}

static bool has_unwritable_counters(const struct processor *p)
{
	return !has_writable_counters(p);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE_IF(has_writable_counters,
			counters_are_zero_when_they_are_given_back),
		RULE_IF(has_writable_counters,
			counters_of_a_cpu_that_goes_down_are_zero),
		RULE_IF(has_unwritable_counters,
			counters_that_cannot_be_written_are_left_alone),
	};
	const size_t n = ARRAY_SIZE(rules);

	return run_rules(rules, n, boot_and_reserve) +
	       run_rules_on(old_processors, nr_old_processors, rules, n,
			    boot_and_reserve) +
	       run_p4_rules(rules, n, boot_and_reserve);
}
