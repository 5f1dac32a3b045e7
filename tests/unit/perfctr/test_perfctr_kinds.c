// SPDX-License-Identifier: GPL-2.0-only
/*
 * What one kind of core of a hybrid processor has beyond the other: bits of registers
 * that qualify events, and counters, for states of a CPU.
 */
#include "driver.h"
#include "hybrids.h"
#include "perfctr_harness.h"

static u64 extra_kind_of(unsigned int cpu)
{
	return kind_of(cpu) == SELECTOR_KIND_CORE ? EXTRA_KIND_CORE :
						    EXTRA_KIND_ATOM;
}

static void a_cpu_takes_each_value_for_its_kind(const struct processor *p)
{
	unsigned int cpu, i;

	(void)p;
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		for (cpu = 0; cpu < NR_CPUS; cpu++) {
			const struct perfctr_extra *extra =
				&perfctr_design->extra[i];
			const u64 kind = extra_kind_of(cpu);
			const u64 own = perfctr_extra_allows(extra, kind);

			machine_on(cpu);
			if (extra->mask)
				write_and_clear(extra->msr, extra->mask);
			if (own)
				write_and_clear(extra->msr, own & ~EXTRA_KINDS);
			assert_int_equal(extra->mask & ~own,
					 i == PERFCTR_LD_LAT ? extra->mask : 0);
		}
}

/* A counter for cores with two registers, of which atoms lack the second. */
static void make_qualified(const struct processor *p,
			   struct perfctr_cpu_state *state, u64 kind)
{
	struct perfctr_cpu_control *control = &state->control;

	memset(state, 0, sizeof(*state));
	add_counter(p, state, 0, 0xc0, USR);
	control->evntsel_high[0] = SELECTOR_KIND_CORE;
	control->extra_used = BIT(PERFCTR_OFFCORE_RSP0) | BIT(PERFCTR_FRONTEND);
	control->extra[PERFCTR_OFFCORE_RSP0] = 0x10001 | EXTRA_KIND_CORE;
	control->extra[PERFCTR_FRONTEND] = 0x11 | kind;
}

static void a_value_reaches_the_cpus_of_its_kind(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int cpu;
	bool is_core;

	make_qualified(p, &state, EXTRA_KIND_CORE);
	accept(&state);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		is_core = kind_of(cpu) == SELECTOR_KIND_CORE;
		driver_resume(cpu, &state);
		assert_int_equal(machine_rdmsr(0x1a6), is_core ? 0x10001 : 0);
		if (is_core)
			assert_int_equal(machine_rdmsr(0x3f7), 0x11);
		driver_suspend();
	}
}

static void
a_value_that_its_kind_does_not_have_is_refused(const struct processor *p)
{
	static const u64 wrong[] = { 0, EXTRA_KIND_ATOM, EXTRA_KINDS };
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		make_qualified(p, &state, wrong[i]);
		assert_int_equal(perfctr_cpu_update_control(&state, false),
				 -EINVAL);
	}
}

/* The state of a CPU may use them, that of a thread may not. */
static void a_cpu_counts_with_all_that_its_kind_has(const struct processor *p)
{
	const unsigned int core = kind_of(0) == SELECTOR_KIND_CORE ? 0 :
								     LAST_CPU;
	struct perfctr_cpu_state state;

	memset(&state, 0, sizeof(state));
	add_counter(p, &state, 0, INSTRUCTIONS, USR);
	state.control.pmc_map[0] = p->counters + 1;
	assert_int_equal(perfctr_cpu_update_control(&state, false), -EINVAL);
	assert_int_equal(perfctr_cpu_update_control(&state, true), 0);
	driver_resume(core, &state);
	machine_run(2000, true);
	driver_suspend();
	assert_int_equal(state.pmc[0].sum, 2000);
	state.control.pmc_map[0] = p->counters + 2;
	assert_int_equal(perfctr_cpu_update_control(&state, true), -EINVAL);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(a_cpu_takes_each_value_for_its_kind),
		RULE(a_value_reaches_the_cpus_of_its_kind),
		RULE(a_value_that_its_kind_does_not_have_is_refused),
		RULE(a_cpu_counts_with_all_that_its_kind_has),
	};

	return run_rules_on(hybrids, ARRAY_SIZE(hybrids), rules,
			    ARRAY_SIZE(rules), driver_boot);
}
