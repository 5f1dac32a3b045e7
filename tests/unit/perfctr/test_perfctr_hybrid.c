// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that are not all alike: the two kinds of core of a hybrid processor, and
 * what firmware may do to others. CPUs 0 and 1 are of one kind, CPU 2 is of the
 * other.
 */
#include <linux/cpu.h>

#include <asm/perfctr.h>
#include <asm/processor.h>

#include "driver.h"
#include "hybrids.h"
#include "perfctr_harness.h"

#define EVENT_BRANCHES 0xc4u
static u64 extra_pmcs(void)
{
	unsigned int i;
	u64 pmcs = 0;

	for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
		if (perfmon_pmu.pmcs[i].num > 16)
			pmcs |= 1ull << perfmon_pmu.pmcs[i].num;
	return pmcs;
}

static void the_map_has_what_all_cpus_have(const struct processor *p)
{
	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
	assert_int_equal(perfctr_design->absent_fixed, 0);
	/* And two programmable ones and a fixed one of cores, beside the TSC. */
	assert_int_equal(perfmon_pmu.nr_pmds, p->counters + p->fixed + 4);
	/* The front-end register is of one kind. */
	assert_int_equal(extra_pmcs(), 1ull << 19 | 1ull << 31 | 1ull << 32);
}

static void a_cpu_of_another_kind_takes_each_register(const struct processor *p)
{
	/* Of the fields of fixed counters only those of elements are written. */
	const u64 fields = (1ull << 4 * p->fixed) - 1;
	unsigned int cpu, i;

	for (i = 0; i < perfmon_pmu.nr_pmcs; i++)
		for (cpu = 0; cpu < NR_CPUS; cpu++) {
			const struct perfmon_reg *reg = &perfmon_pmu.pmcs[i];

			if (reg->kinds &&
			    !(reg->kinds & perfmon_arch_cpu_kinds(cpu)))
				continue;
			machine_on(cpu);
			if (reg->num < 16)
				write_and_clear(reg->addr, 0x5300c0);
			else if (reg->num == 16)
				write_and_clear(reg->addr, ~reg->rsvd & fields);
		}
}

/* Instructions in each counter, and branches in the first. */
static void
counts_are_exact_over_1000_migrations_between_kinds(const struct processor *p)
{
	const u64 insns = 2000;
	struct perfctr_cpu_state state, branches;
	unsigned int i;
	u64 alone;

	make_state(p, &state, all_counters(p), USR);
	memset(&branches, 0, sizeof(branches));
	add_counter(p, &branches, 0, EVENT_BRANCHES, USR);
	accept(&branches);
	for (i = 0; i < 1000; i++) {
		driver_resume(i % 2 ? LAST_CPU : 0, &state);
		machine_run(insns, true);
		driver_suspend();
	}
	assert_sums(p, &state, 1000 * insns);

	/* One stretch of each CPU, whose fractions of an event do not add up. */
	driver_resume(0, &branches);
	machine_run(1000 * insns, true);
	driver_suspend();
	alone = branches.pmc[0].sum;
	assert_true(alone > 1000);
	driver_resume(LAST_CPU, &branches);
	machine_run(1000 * insns, true);
	driver_suspend();
	assert_int_equal(branches.pmc[0].sum, 2 * alone);
}

/* No overflow is lost or comes twice where the thread migrates in a period. */
static void periods_go_on_on_a_cpu_of_another_kind(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	make_istate(p, &state, all_counters(p), USR, -1000);
	for (i = 0; i < 1000; i++) {
		driver_resume(i % 2 ? LAST_CPU : 0, &state);
		machine_run(300, true);
		driver_suspend();
	}
	assert_int_equal(driver.strays, 0);
	assert_int_equal(driver.found_nothing, 0);
	for (i = 0; i < p->counters; i++)
		assert_int_equal(driver.overflows[i], 300);
	assert_sums(p, &state, 300000);
}

/* One for either kind, then one for both and one for all. */
static void make_shares(const struct processor *p,
			struct perfctr_cpu_state *state)
{
	static const unsigned int kinds[] = { SELECTOR_KIND_CORE,
					      SELECTOR_KIND_ATOM,
					      SELECTOR_KINDS, 0 };
	unsigned int i;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < 4; i++) {
		add_counter(p, state, i, INSTRUCTIONS, USR);
		state->control.evntsel_high[i] = kinds[i];
	}
	accept(state);
}

static void a_counter_for_one_kind_counts_its_share(const struct processor *p)
{
	struct perfctr_cpu_state state;
	const bool core_first = kind_of(0) == SELECTOR_KIND_CORE;
	unsigned int i;

	assert_int_equal(kind_of(0) ^ kind_of(LAST_CPU), SELECTOR_KINDS);
	make_shares(p, &state);
	for (i = 0; i < 1000; i++) {
		driver_resume(i % 2 ? LAST_CPU : 0, &state);
		machine_run(i % 2 ? 3000 : 1000, true);
		driver_suspend();
	}
	assert_int_equal(state.pmc[0].sum, core_first ? 500000 : 1500000);
	assert_int_equal(state.pmc[1].sum, core_first ? 1500000 : 500000);
	assert_int_equal(state.pmc[2].sum, 2000000);
	assert_int_equal(state.pmc[3].sum, 2000000);
}

/* The kinds are no bits of the hardware's, and what is off has no event. */
static void selectors_get_no_bits_of_kinds(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu, i;
	u64 value;

	make_shares(p, &state);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		driver_resume(cpu, &state);
		for (i = 0; i < 4; i++) {
			value = machine_rdmsr(0x186 + i);
			assert_int_equal(value >> 32, 0);
			if (i < 2 &&
			    !(state.control.evntsel_high[i] & kind_of(cpu)))
				assert_int_equal(value, 0);
			else
				assert_int_equal(value & 0xff, INSTRUCTIONS);
		}
		driver_suspend();
	}
}

static void periods_of_one_kind_wait_on_the_other(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, 0, USR, -1000);
	state.control.evntsel_high[0] = kind_of(LAST_CPU);
	accept(&state);
	for (i = 0; i < 1000; i++) {
		driver_resume(i % 2 ? LAST_CPU : 0, &state);
		machine_run(300, true);
		driver_suspend();
	}
	assert_int_equal(driver.strays, 0);
	assert_int_equal(driver.overflows[0], 150);
	assert_int_equal(state.pmc[0].sum, 150000);
}

static void each_cpu_is_of_the_kind_that_it_says(const struct processor *p)
{
	const struct perfmon_kind *core = perfmon_arch_kind(0);
	const struct perfmon_kind *atom = perfmon_arch_kind(1);
	const bool core_first = strcmp(p->name, "atom first");

	assert_string_equal(core->name, "cpu_core");
	assert_string_equal(atom->name, "cpu_atom");
	assert_null(perfmon_arch_kind(2));
	assert_int_equal(core->cpus.bits, core_first ? 0x3 : 0x4);
	assert_int_equal(atom->cpus.bits, core_first ? 0x4 : 0x3);
	assert_int_equal(core->counters, p->counters + 2);
	assert_int_equal(core->fixed, 4);
	assert_int_equal(atom->counters, p->counters);
	assert_int_equal(atom->fixed, 3);
}

/* What a core has beyond the others is enabled, and counts nothing. */
static void
firmware_counts_on_neither_kind_while_the_pmu_is_ours(const struct processor *p)
{
	unsigned int cpu, i, n;
	bool is_core;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		is_core = kind_of(cpu) == SELECTOR_KIND_CORE;
		n = p->counters + (is_core ? 2 : 0);
		assert_int_equal(machine_rdmsr(0x38f),
				 ((1ull << n) - 1) | (is_core ? 0xfull : 0x7ull)
							     << 32);
		for (i = 0; i < n; i++)
			assert_int_equal(machine_rdmsr(0x186 + i), 0);
		assert_int_equal(machine_rdmsr(0x38d), 0);
	}
}

static void no_cpu_of_a_kind_is_forbidden(const struct processor *p)
{
	(void)p;
	assert_int_equal(perfctr_cpus_forbidden_mask.bits, 0);
	/* The context switch looks at nothing that it does not look at elsewhere. */
	assert_false(static_key_enabled(&perfctr_cpus_forbidden_key));
}

static void
a_cpu_of_the_other_kind_that_comes_up_later_counts(const struct processor *p)
{
	struct perfctr_cpu_state state;

	machine_power_on(p);
	machine.cpu[LAST_CPU].online = false;
	memset(&perfmon_pmu, 0, sizeof(perfmon_pmu));
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
	machine_cpu_up(LAST_CPU);
	assert_int_equal(perfctr_cpus_forbidden_mask.bits, 0);
	make_state(p, &state, all_counters(p), USR);
	driver_resume(LAST_CPU, &state);
	machine_run(2000, true);
	driver_suspend();
	assert_sums(p, &state, 2000);
}

/* Without the bit of CPUID that says so nothing is hybrid. */
static const struct processor alike[] = {
	{ .name = "cores only",
	  .pmu = "goldencove",
	  .counters = 8,
	  .fixed = 4,
	  .extra_pmcs = 1ull << 19 | 1ull << 31 | 1ull << 32,
	  INTEL(151, 26, 0) },
	{ .name = "atoms only",
	  .pmu = "gracemont",
	  .counters = 6,
	  .fixed = 3,
	  .extra_pmcs = 1ull << 19 | 1ull << 31,
	  INTEL(190, 26, 0) },
};

static void one_kind_alone_has_all_of_its_counters(const struct processor *p)
{
	unsigned int i;
	u64 value;

	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
	assert_int_equal(extra_pmcs(), p->extra_pmcs);
	assert_null(perfmon_arch_kind(0));
	for (i = 0; i < NR_CPUS; i++) {
		machine_on(i);
		assert_int_equal(rdmsrl_safe(0x186 + p->counters, &value), -1);
	}
}

/* Firmware or a hypervisor gives the last one less. */
static const struct processor unequal[] = {
	{ .name = "fewer in the last",
	  .pmu = "icelake",
	  .second_pmu = "skylake",
	  .counters = 4,
	  .fixed = 3,
	  INTEL(106, 22, 0) },
};

static void all_get_what_the_least_has(const struct processor *p)
{
	struct perfctr_cpu_state state;

	assert_int_equal(perfctr_design->nr_counters, p->counters);
	assert_int_equal(perfctr_design->nr_fixed, p->fixed);
	make_state(p, &state, all_counters(p), USR);
	driver_resume(LAST_CPU, &state);
	machine_run(2000, true);
	driver_suspend();
	assert_sums(p, &state, 2000);
}

static void
one_that_comes_up_later_with_less_is_refused_by_name(const struct processor *p)
{
	struct perfctr_cpu_state state;

	machine_power_on(p);
	machine.cpu[LAST_CPU].online = false;
	memset(&perfmon_pmu, 0, sizeof(perfmon_pmu));
	assert_int_equal(perfmon_arch_init(), 0);
	assert_null(perfmon_arch_acquire(NULL));
	assert_int_equal(perfctr_design->nr_counters, 8);
	assert_false(static_key_enabled(&perfctr_cpus_forbidden_key));
	machine_cpu_up(LAST_CPU);
	assert_non_null(strstr(machine.log, "CPU 2 has fewer counters"));
	assert_int_equal(perfctr_cpus_forbidden_mask.bits, 1 << LAST_CPU);
	machine_on(LAST_CPU);
	assert_true(perfctr_cpu_forbidden());
	machine_on(0);
	assert_false(perfctr_cpu_forbidden());
	make_state(p, &state, all_counters(p), USR);
}

static int run_hybrids(void)
{
	static const struct rule rules[] = {
		RULE(the_map_has_what_all_cpus_have),
		RULE(a_cpu_of_another_kind_takes_each_register),
		RULE(counts_are_exact_over_1000_migrations_between_kinds),
		RULE(periods_go_on_on_a_cpu_of_another_kind),
		RULE(a_counter_for_one_kind_counts_its_share),
		RULE(selectors_get_no_bits_of_kinds),
		RULE(periods_of_one_kind_wait_on_the_other),
		RULE(each_cpu_is_of_the_kind_that_it_says),
		RULE(firmware_counts_on_neither_kind_while_the_pmu_is_ours),
		RULE(no_cpu_of_a_kind_is_forbidden),
	};

	return run_rules_on(hybrids, ARRAY_SIZE(hybrids), rules,
			    ARRAY_SIZE(rules), driver_boot);
}

/* Those that boot by themselves. */
static int run_late(void)
{
	static const struct rule of_kinds[] = {
		RULE(a_cpu_of_the_other_kind_that_comes_up_later_counts),
	};
	static const struct rule of_others[] = {
		RULE(one_that_comes_up_later_with_less_is_refused_by_name),
	};

	return run_rules_on(hybrids, ARRAY_SIZE(hybrids), of_kinds,
			    ARRAY_SIZE(of_kinds), machine_power_on) |
	       run_rules_on(unequal, ARRAY_SIZE(unequal), of_others,
			    ARRAY_SIZE(of_others), machine_power_on);
}

int main(void)
{
	static const struct rule alone[] = {
		RULE(one_kind_alone_has_all_of_its_counters),
	};
	static const struct rule least[] = {
		RULE(all_get_what_the_least_has),
	};

	return run_hybrids() | run_late() |
	       run_rules_on(alike, ARRAY_SIZE(alike), alone, ARRAY_SIZE(alone),
			    driver_boot) |
	       run_rules_on(unequal, ARRAY_SIZE(unequal), least,
			    ARRAY_SIZE(least), driver_boot);
}
