// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the low-level core does about errata: periods that a processor cannot do,
 * events that must not follow others, counters that cannot interrupt, and the
 * lines of the log that say so.
 */
#include <asm/processor.h>

#include "driver.h"

#define IN_TXCP 2u
#define TXCP_COUNTER 2
#define INSNS_ALL 0x01c0u /* INST_RETIRED.ALL */

#define INTEL(name_, pmu_, model_)                                  \
	.name = (name_), .pmu = (pmu_), .vendor = X86_VENDOR_INTEL, \
	.family = 6, .model = (model_), .cpuid_level = 13,          \
	.selector_msr = 0x186, .msr_stride = 1, .width = 48,        \
	.rules = &any_thread_rules, .counters = 4, .fixed = 3

static const struct processor table[] = {
	{ INTEL("nehalem", "nehalem", 26), .features = X86_FEATURE_APIC,
	  .reprograms = true },
	{ INTEL("westmere", "westmere", 44), .features = X86_FEATURE_APIC,
	  .reprograms = true },
	{ INTEL("ivybridge", "haswell", 58),
	  .features = X86_FEATURE_APIC | X86_FEATURE_HT },
	{ INTEL("ivybridge-single", "haswell", 58),
	  .features = X86_FEATURE_APIC },
	{ INTEL("haswell", "haswell", 60),
	  .features = X86_FEATURE_APIC | X86_FEATURE_PDCM | X86_FEATURE_RTM |
		      X86_FEATURE_HT,
	  .full_width = true },
	{ INTEL("broadwell", "haswell", 61),
	  .features = X86_FEATURE_APIC | X86_FEATURE_PDCM, .full_width = true },
	{ INTEL("skylake", "skylake", 94),
	  .features = X86_FEATURE_APIC | X86_FEATURE_PDCM |
		      X86_FEATURE_TSX_FORCE_ABORT,
	  .full_width = true },
};

static bool is(const struct processor *p, const char *name)
{
	return !strcmp(p->name, name);
}

static bool reprograms(const struct processor *p)
{
	return p->reprograms;
}

static bool has_transactions(const struct processor *p)
{
	return p->features & X86_FEATURE_RTM;
}

/* What becomes of a period of an event; the other processors do all from 2 on. */
static const struct {
	const char *processor;
	u32 event;
	u64 wanted, done;
} periods[] = {
	{ "skylake", EVENT_INSNS, 1, 2 },
	{ "skylake", INSNS_ALL, 1, 2 },
	{ "skylake", INSNS_ALL, 3, 3 },
	{ "westmere", EVENT_INSNS, 1, 2 },
	{ "westmere", EVENT_INSNS, 31, 31 },
	{ "nehalem", EVENT_INSNS, 1, 32 },
	{ "nehalem", EVENT_INSNS, 31, 32 },
	{ "nehalem", EVENT_INSNS, 33, 33 },
	{ "haswell", EVENT_INSNS, 31, 32 },
	{ "haswell", EVENT_INSNS, 32, 32 },
	{ "haswell", INSNS_ALL, 1, 128 },
	{ "haswell", INSNS_ALL, 127, 128 },
	{ "haswell", INSNS_ALL, 129, 129 },
	{ "broadwell", EVENT_INSNS, 1, 2 },
	{ "broadwell", EVENT_INSNS, 129, 129 },
	{ "broadwell", INSNS_ALL, 1, 128 },
	{ "broadwell", INSNS_ALL, 128, 128 },
	{ "broadwell", INSNS_ALL, 129, 192 },
	{ "broadwell", INSNS_ALL, 1000001, 1000064 },
	{ "broadwell", INSNS_ALL, 1ull << 40, 1ull << 40 },
};

static void periods_that_cannot_be_done_become_the_next_longer_one(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;
	u64 done;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		if (!is(p, periods[i].processor))
			continue;
		memset(&state, 0, sizeof(state));
		add_ictr(p, &state, 0, USR, -1000);
		state.control.evntsel[0] &= ~0xffffu;
		state.control.evntsel[0] |= periods[i].event;
		accept(&state);
		done = perfctr_cpu_period(&state, 0, periods[i].wanted);
		assert_int_equal(done, periods[i].done);
		/* Who does not ask is told the same. */
		if (perfmon_arch_period_fits(periods[i].wanted))
			assert_int_equal(done, periods[i].wanted);
	}
}

/* The event of fixed counters is another one, whatever their control looks like. */
static void
fixed_counters_do_the_periods_of_other_events(const struct processor *p)
{
	const u64 least = is(p, "nehalem") || is(p, "haswell") ? 32 : 2;
	struct perfctr_cpu_state state;

	memset(&state, 0, sizeof(state));
	add_ictr(p, &state, p->counters, USR, -1000);
	accept(&state);
	assert_int_equal(perfctr_cpu_period(&state, 0, 1), least);
	assert_int_equal(perfctr_cpu_period(&state, 0, 129), 129);
}

static void new_events_follow_the_sequence(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int n;

	for (n = 1; n <= p->counters; n++) {
		make_state(p, &state, n, USR);
		/* 4 of GLOBAL_CTRL, 12 of the events; then what is new. */
		assert_int_equal(resume_on(0, &state), 16 + n);
		assert_cache_is_right(p, 0);
		machine_run(100, true);
		perfctr_cpu_suspend(&state);
		assert_sums(p, &state, 100);
	}
}

static void old_events_need_no_sequence(const struct processor *p)
{
	struct perfctr_cpu_state state, same;

	make_state(p, &state, all_counters(p), USR);
	resume_on(0, &state);
	perfctr_cpu_suspend(&state);
	assert_int_equal(resume_on(0, &state), 0);
	perfctr_cpu_suspend(&state);
	make_state(p, &same, all_counters(p), USR);
	assert_int_equal(resume_on(0, &same), 0);
	perfctr_cpu_suspend(&same);
}

static void the_sequence_leaves_all_counters_on(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, 1, USR);
	resume_on(0, &state);
	assert_int_equal(machine.cpu[0].pmu.global_ctrl, 0x70000000full);
	perfctr_cpu_suspend(&state);
}

static void the_sequence_costs_no_counter_its_period(const struct processor *p)
{
	struct perfctr_cpu_state state, thief;
	unsigned int i;

	memset(&state, 0, sizeof(state));
	for (i = 0; i < p->counters; i++)
		add_ictr(p, &state, i, USR, -1000);
	accept(&state);
	driver_resume(0, &state);
	for (i = 0; i < 9; i++) {
		machine_run(100, true);
		driver_suspend();
		make_state(p, &thief, 1 + i % p->counters, USR | OS);
		driver_resume(0, &thief);
		machine_run(50, true);
		driver_suspend();
		driver_resume(0, &state);
	}
	machine_run(99, true);
	assert_int_equal(driver.interrupts, 0);
	machine_run(1, true);
	assert_true(driver.interrupts);
	driver_suspend();
	assert_sums(p, &state, 1000);
}

static void
counters_that_forget_aborted_events_never_interrupt(const struct processor *p)
{
	struct perfctr_cpu_state state;

	make_state(p, &state, p->counters, USR);
	state.control.evntsel_high[TXCP_COUNTER] = IN_TXCP;
	accept(&state);
	make_istate(p, &state, all_counters(p), USR, -1000);
	state.control.evntsel_high[TXCP_COUNTER] = IN_TXCP;
	refuse(&state);
}

/* A line for each that is there, none for others. */
static void the_log_has_a_line_for_each_erratum(const struct processor *p)
{
	static const struct {
		const char *line, *processors;
	} lines[] = {
		{ "periods below 32 events", "nehalem haswell" },
		{ "0xc0 with unit mask 1 are at least 128 and multiples of 1\n",
		  "haswell" },
		{ "0xc0 with unit mask 1 are at least 128 and multiples of 64\n",
		  "broadwell" },
		{ "new events are preceded", "nehalem westmere" },
		{ "events 0xd0 to 0xd3", "ivybridge haswell" },
		{ "transactions abort", "skylake" },
	};
	const size_t len = strlen(p->name);
	const char *found;
	unsigned int i;
	bool named;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		found = strstr(lines[i].processors, p->name);
		named = found && (found[len] == ' ' || !found[len]);
		assert_int_equal(!!strstr(machine.log, lines[i].line), named);
	}
}

/* Whoever has seen it count right sends the report of the command. */
static void
the_log_says_that_nobody_has_tried_the_model(const struct processor *p)
{
	char model[32];

	snprintf(model, sizeof(model), "model 0x%x)", p->model);
	assert_non_null(strstr(machine.log, "never run on this model"));
	assert_non_null(strstr(machine.log, model));
	assert_non_null(strstr(machine.log, "pfmon --self-test=full"));
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(periods_that_cannot_be_done_become_the_next_longer_one),
		RULE(fixed_counters_do_the_periods_of_other_events),
		RULE_IF(reprograms, new_events_follow_the_sequence),
		RULE_IF(reprograms, old_events_need_no_sequence),
		RULE_IF(reprograms, the_sequence_leaves_all_counters_on),
		RULE_IF(reprograms, the_sequence_costs_no_counter_its_period),
		RULE_IF(has_transactions,
			counters_that_forget_aborted_events_never_interrupt),
		RULE(the_log_has_a_line_for_each_erratum),
		RULE(the_log_says_that_nobody_has_tried_the_model),
	};

	return run_rules_on(table, ARRAY_SIZE(table), rules, ARRAY_SIZE(rules),
			    driver_boot);
}
