// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples of Intel's processors: which events make records, on which counters,
 * and how far apart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "assigned.h"
#include "events/selector.h"
#include "events/tables.h"
#include "message.h"
#include "parsed.h"
#include "record/precise_period.h"
#include "registers/samplers.h"

#define GOLDMONT "50,6,92,0"

/* Selectors without levels and enable. */
static void events_become_selectors(void **state)
{
	static const struct value values[] = {
		{ SKYLAKE, "instructions:p", 0xc0, 0, 0,
		  "INSTRUCTION_RETIRED" },
		{ SKYLAKE, "instructions:ppu", 0xc0, 0, 0, NULL },
		{ SKYLAKE, "instructions:u:P", 0xc0, 0, 0, NULL },
		{ SKYLAKE, "branches:pp", 0xc4, 0, 0, NULL },
		{ SKYLAKE, "branch-misses:pp", 0xc5, 0, 0, NULL },
		{ SKYLAKE, "inst_retired:all:p", 0x1c0, 0, 0, NULL },
		{ SKYLAKE, "inst_retired.any:p", 0xc0, 0, 0, NULL },
		{ SKYLAKE, "mem_inst_retired.all_loads:p", 0x81d0, 0, 0, NULL },
		{ SKYLAKE, "MEM_LOAD_RETIRED:L1_HIT:p", 0x1d1, 0, 0, NULL },
		{ SKYLAKE, "cpu/event=0xd1,umask=0x9/p", 0x9d1, 0, 0, NULL },
		{ SKYLAKE, "FRONTEND_RETIRED:DSB_MISS:p", 0x1c6, 0x11, 0,
		  NULL },
		{ SKYLAKE, "frontend_retired.dsb_miss:p", 0x1c6, 0x11, 0,
		  NULL },
		{ SKYLAKE, "cycles:p", 0x108000c0, 0, 0,
		  "cpu/event=0xc0,inv=1,cmask=0x10/" },
		{ SKYLAKE, "cpu/event=0x3c/pp", 0x108000c0, 0, 0, NULL },
		{ SKYLAKE, "instructions:ppp", 0x1c0, 0, 0,
		  "cpu/event=0xc0,umask=0x1/" },
		{ SKYLAKE, "cycles:ppp", 0x108001c0, 0, 0,
		  "cpu/event=0xc0,umask=0x1,inv=1,cmask=0x10/" },
		{ NEHALEM, "instructions:p", 0xc0, 0, 0, NULL },
		{ NEHALEM, "cycles:p", 0x108000c0, 0, 0, NULL },
		{ SANDY_BRIDGE, "cycles:p", 0x108001c2, 0, 0,
		  "cpu/event=0xc2,umask=0x1,inv=1,cmask=0x10/" },
		{ BROADWELL, "cycles:pp", 0x108001c2, 0, 0, NULL },
		{ BROADWELL, "cycles:ppp", 0x108001c0, 0, 0, NULL },
		{ BROADWELL, "instructions:ppp", 0x1c0, 0, 0, NULL },
		/* All events have records. */
		{ ICE_LAKE, "instructions:pp", 0xc0, 0, 0, NULL },
		{ ICE_LAKE, "cycles:pp", 0x3c, 0, 0, NULL },
		{ ICE_LAKE, "cache-misses:p", 0x412e, 0, 0, NULL },
		{ SAPPHIRE_RAPIDS, "cpu/event=0x3c/pp", 0x3c, 0, 0, NULL },
		{ SAPPHIRE_RAPIDS, "branches:ppp", 0xc4, 0, 0, NULL },
	};

	(void)state;
	expect_values(values, ARRAY_SIZE(values));
}

static void raw_values_keep_their_levels(void **state)
{
	static const struct {
		const char *text;
		uint64_t selector;
	} rows[] = {
		{ "r0c0:pp", 0xc0 | SEL_USR },
		{ "r1c0:p", 0x1c0 | SEL_USR },
		{ "r0c4:ppk", 0xc4 | SEL_OS },
		{ "r0c4:ppuk", 0xc4 | SEL_OS | SEL_USR },
		{ "r5281d0:p", 0x81d0 | SEL_OS },
		{ "r10801c0:p", 0x10801c0 | SEL_USR },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *event = parse(SKYLAKE, rows[i].text);

		assert_int_equal(event->sampler, SAMPLER_PEBS);
		if (event->selector !=
		    (rows[i].selector | SEL_ENABLE | SEL_INT))
			fail_msg("%s: 0x%llx", rows[i].text,
				 (unsigned long long)event->selector);
		events_free(&parsed_list);
	}
	assert_int_equal(parse(SKYLAKE, "r0c0")->sampler, SAMPLER_COUNTER);
	events_free(&parsed_list);
	assert_false(parse(SKYLAKE, "instructions")->by_value);
	events_free(&parsed_list);
}

static void events_without_records_are_refused(void **state)
{
	static const char *const rows[][3] = {
		{ SKYLAKE, "cache-misses:p", "has no precise samples" },
		{ SKYLAKE, "r3c:p", "has no precise samples" },
		{ SKYLAKE, "r2c0:p", "has no precise samples" },
		{ SKYLAKE, "r80d1:p", "has no precise samples" },
		{ SKYLAKE, "r81d1:p", "has no precise samples" },
		{ SKYLAKE, "r2000c0:p", "has no precise samples" },
		{ SKYLAKE, "ref-cycles:pp", "has no precise samples" },
		{ SKYLAKE, "OFFCORE_RESPONSE_0:DMND_DATA_RD:p",
		  "has no precise samples" },
		{ ICE_LAKE, "ref-cycles:pp", "has no precise samples" },
		{ NEHALEM, "instructions:pp", "the instruction after the" },
		{ SANDY_BRIDGE, "cycles:pp", "the instruction after the" },
		{ IVY_BRIDGE, "instructions:ppp", "the instruction after the" },
		{ BROADWELL, "branches:ppp", "no counter of this processor" },
		{ GOLDMONT, "cycles:p", "has no precise samples" },
		{ SKYLAKE, "branches:ppp", "no counter of this processor" },
		{ ICE_LAKE, "branches:ppp", "no counter of this processor" },
		{ ICE_LAKE, "cycles:ppp", "write pp, or instructions:ppp" },
		{ SKYLAKE, "instructions:pe", "no modifiers but u, k and p" },
		{ SKYLAKE, "instructions:p:c=2", "no modifiers but u, k" },
		{ SKYLAKE, "instructions:pt", "no modifiers but u, k" },
		{ CORE2, "instructions:p", "no precise samples (p) of this" },
		{ P6, "rc0:p", "no precise samples (p) of this" },
	};

	(void)state;
	expect_refusals(rows, ARRAY_SIZE(rows));
}

static void only_counters_that_make_records_sample(void **state)
{
	(void)state;
	use_pmu("pebs");
	assert_int_equal(assign(SKYLAKE,
				"red,ree,ref,instructions,re9,rea,branches,"
				"instructions:p,branches:p"),
			 0);
	assert_in_range(plan.pmds[7].reg_num, 0, 3);
	assert_in_range(plan.pmds[8].reg_num, 0, 3);
	assert_int_equal(plan.records.reg_num, 17);
	assert_int_equal(plan.records.reg_value,
			 1 << plan.pmds[7].reg_num | 1 << plan.pmds[8].reg_num);
	assert_int_equal(pmc_value(17), 0);
	assert_int_equal(plan.selectors[7], 0x5100c0);
	assert_int_equal(pmc_value(plan.pmds[7].reg_num), 0x5100c0);
	/* Others that have a fixed counter use it. */
	assert_int_equal(plan.pmds[3].reg_num, 16);
	for (int i = 0; i < plan.event_count; i++)
		assert_int_equal(plan.longest[i] != 0, i >= 7);
	for (int i = 0; i < plan.event_count; i++)
		for (int j = 0; j < i; j++)
			assert_int_not_equal(plan.pmds[i].reg_num,
					     plan.pmds[j].reg_num);
	assert_int_equal(assign(SKYLAKE, "instructions,r0c0"), 0);
	assert_int_equal(plan.records.reg_value, 0);
	events_free(&parsed_list);
}

static void what_qualifies_an_event_is_written(void **state)
{
	(void)state;
	use_pmu("pebs");
	assert_int_equal(assign(SKYLAKE, "FRONTEND_RETIRED:DSB_MISS:p"), 0);
	assert_int_equal(pmc_value(32), 0x11);
	message_catch();
	assert_int_equal(assign(SKYLAKE, "FRONTEND_RETIRED:DSB_MISS:p,"
					 "FRONTEND_RETIRED:L1I_MISS:p"),
			 -1);
	message_expect("another event has it with another value", NULL);
	events_free(&parsed_list);
}

static void refuse_assignment(const char *text, const char *why)
{
	message_catch();
	assert_int_equal(assign(SKYLAKE, text), -1);
	message_expect(why, NULL);
	events_free(&parsed_list);
}

static void what_counters_cannot_do_is_told(void **state)
{
	(void)state;
	use_pmu("skylake");
	refuse_assignment("instructions:p", "this kernel uses no PEBS");
	use_pmu("pebs");
	refuse_assignment("r0c0:p,r0c4:p,r0c5:p,r1c0:p,r1d1:p",
			  "count fewer events at once");
	/* Of all that count it, two make records. */
	map.pmc[17].reserved = ~0x3ull;
	refuse_assignment("r0c0:p,r0c4:p,r0c5:p", "count fewer events at once");
	info.set_avail_pmcs[0] &= ~(1ull << 17);
	refuse_assignment("instructions:p", "PEBS has another user");
	parse(SKYLAKE, "instructions:p");
	message_catch();
	assert_int_equal(samplers_check_counted(&parsed_list), -1);
	message_expect("instructions:p: has precise samples and no count",
		       NULL);
	assert_true(samplers_has_records(&parsed_list));
	events_free(&parsed_list);
	parse(ZEN1, "cycles:p");
	assert_false(samplers_has_records(&parsed_list));
	assert_true(samplers_any(&parsed_list));
	events_free(&parsed_list);
}

static int choose(struct periods *periods, const struct sample_wish *wish,
		  double cpu_hz)
{
	struct event_set set = { .plan = plan, .events = { 0, 1 } };

	return periods_make(periods, wish, &parsed_list, &set, cpu_hz);
}

static const struct {
	const char *event;
	uint64_t given; /* 0: by frequency */
	unsigned int hertz;
	double cpu_hz;
	uint64_t every; /* 0: refused */
	const char *why;
} period_rows[] = {
	{ "instructions:p", 997, 0, 0, 997, NULL },
	{ "instructions:p", 3, 0, 0, 3, NULL },
	{ "branches:p", 0x80000000, 0, 0, 0x80000000, NULL },
	{ "instructions:p", 2, 0, 0, 0, "from 3 to 2147483648" },
	{ "instructions:p", 0x80000001, 0, 0, 0, "from 3 to 2147483648" },
	{ "instructions:p", 0, 0, 2400000000.0, 600011, NULL },
	{ "cycles:p", 0, 4000, 2400000000.0, 600011, NULL },
	{ "instructions:p", 0, 0, 0, 1000003, NULL },
	{ "branches:p", 0, 0, 2400000000.0, 1000003, NULL },
	{ "mem-loads:p", 0, 0, 2400000000.0, 10007, NULL },
	{ "branches:p", 0, 100, 2400000000.0, 0, "use -c" },
};

static void expect_registers(const struct period *period, uint64_t every)
{
	/* The sample is of the event behind the overflow. */
	assert_int_equal(period->pmd.reg_value, 1 - every);
	assert_int_equal(periods_begin(period, 7), 1 - every);
	assert_int_equal(period->attr.reg_long_reset, 1 - every);
	assert_int_equal(period->attr.reg_short_reset, 1 - every);
	assert_int_equal(period->attr.reg_random_mask, 0);
	assert_int_equal(period->attr.reg_smpl_rate, 0);
	assert_int_equal(period->pmd.reg_flags, PFM_REGFL_OVFL_NOTIFY);
}

static void samples_are_a_period_apart(void **state)
{
	struct periods periods;

	(void)state;
	use_pmu("pebs");
	for (size_t i = 0; i < ARRAY_SIZE(period_rows); i++) {
		const struct sample_wish wish = {
			.periods = { period_rows[i].given != 0,
				     { period_rows[i].given } },
			.hertz = period_rows[i].hertz,
			.vary = true,
		};
		int ret;

		assert_int_equal(assign(SKYLAKE, period_rows[i].event), 0);
		message_catch();
		ret = choose(&periods, &wish, period_rows[i].cpu_hz);
		if (period_rows[i].why) {
			assert_int_equal(ret, -1);
			message_expect(period_rows[i].why, NULL);
			continue;
		}
		message_expect_none();
		assert_int_equal(ret, 0);
		assert_int_equal(periods.list[0].every, period_rows[i].every);
		expect_registers(&periods.list[0], period_rows[i].every);
	}
	events_free(&parsed_list);
}

static void records_have_no_values(void **state)
{
	const struct sample_wish wish = { .periods = { 2, { 997, 0 } } };
	const struct sample_wish extra = { .periods = { 1, { 997 } },
					   .extra = { 1, { 2 } } };
	const struct sample_wish reset = { .periods = { 1, { 997 } },
					   .reset = true };
	struct periods periods;

	(void)state;
	use_pmu("pebs");
	assert_int_equal(assign(SKYLAKE, "instructions:p,branches"), 0);
	assert_int_equal(choose(&periods, &wish, 0), 0);
	assert_int_equal(periods.list[0].attr.reg_smpl_pmds[0], 0);
	assert_false(periods_has_values(&periods.list[0]));
	message_catch();
	assert_int_equal(choose(&periods, &extra, 0), -1);
	message_expect("leave --extra-smpl-pmds out", NULL);
	message_catch();
	assert_int_equal(choose(&periods, &reset, 0), -1);
	message_expect("leave --reset-non-smpl-periods out", NULL);
	/* Samples of interrupts have them. */
	assert_int_equal(assign(SKYLAKE, "instructions,branches"), 0);
	assert_int_equal(choose(&periods, &wish, 0), 0);
	assert_int_not_equal(periods.list[0].attr.reg_smpl_pmds[0], 0);
	events_free(&parsed_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_become_selectors),
		cmocka_unit_test(raw_values_keep_their_levels),
		cmocka_unit_test(events_without_records_are_refused),
		cmocka_unit_test(only_counters_that_make_records_sample),
		cmocka_unit_test(what_qualifies_an_event_is_written),
		cmocka_unit_test(what_counters_cannot_do_is_told),
		cmocka_unit_test(samples_are_a_period_apart),
		cmocka_unit_test(records_have_no_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
