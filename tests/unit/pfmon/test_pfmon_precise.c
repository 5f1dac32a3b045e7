// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples: which events have them on which processor, the registers that take
 * them, and their periods.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "assigned.h"
#include "events/tables.h"
#include "message.h"
#include "parsed.h"
#include "record/precise_period.h"
#include "registers/samplers.h"

#define OP SAMPLER_IBS_OP
#define FETCH SAMPLER_IBS_FETCH
#define OPS (1ull << 19)
#define USER LEVEL_USER
#define BOTH (LEVEL_USER | LEVEL_KERNEL)

#define FAM10H "16,16,2,3"
#define ZEN5 "16,26,2,1"

static void cycles_and_ops_have_precise_samples(void **state)
{
	static const struct {
		const char *model, *text;
		enum event_sampler sampler;
		uint64_t control;
		unsigned int levels;
		const char *full_name;
	} rows[] = {
		{ ZEN1, "cycles:p", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cpu-cycles:pp", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cycles:ppu", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cycles:u:pp", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cycles:P", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cycles:puk", OP, 0, BOTH, "ibs_op//" },
		{ ZEN1, "r76:p", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "cpu/event=0x76/ppuk", OP, 0, BOTH, "ibs_op//" },
		{ ZEN1, "ops:p", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ ZEN1, "rc1:pp", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ FAM10H, "ops:pp", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ ZEN2, "ops:pp", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ ZEN4, "ex_ret_ops:pp", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ ZEN5, "ops:p", OP, OPS, USER, "ibs_op/cnt_ctl=1/" },
		{ ZEN1, "ibs_op//", OP, 0, USER, "ibs_op//" },
		{ ZEN1, "ibs_op/cnt_ctl=0/", OP, 0, USER, "ibs_op/cnt_ctl=0/" },
		{ ZEN1, "ibs_op/cnt_ctl/u", OP, OPS, USER, "ibs_op/cnt_ctl/" },
		{ ZEN4, "ibs_op/cnt_ctl=1,l3missonly=1/ppuk", OP, OPS | 1 << 16,
		  BOTH, "ibs_op/cnt_ctl=1,l3missonly=1/" },
		{ ZEN1, "ibs_fetch//", FETCH, 0, USER, "ibs_fetch//" },
		{ ZEN1, "ibs_fetch/rand_en=1/u", FETCH, 1ull << 57, USER,
		  "ibs_fetch/rand_en=1/" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct event *event = parse(rows[i].model, rows[i].text);

		if (event->sampler != rows[i].sampler ||
		    event->sampler_control != rows[i].control ||
		    event->levels != rows[i].levels)
			fail_msg("%s: %d, 0x%llx, %u", rows[i].text,
				 event->sampler,
				 (unsigned long long)event->sampler_control,
				 event->levels);
		assert_string_equal(event->full_name, rows[i].full_name);
		events_free(&parsed_list);
	}
	assert_int_equal(parse(ZEN1, "cycles")->sampler, SAMPLER_COUNTER);
	events_free(&parsed_list);
	assert_int_equal(parse(ZEN1, "ops")->sampler, SAMPLER_COUNTER);
	events_free(&parsed_list);
}

static void other_precise_samples_get_one_line(void **state)
{
	static const char *const rows[][3] = {
		{ CORE2, "cycles:p", "no precise samples (p) of this" },
		{ P6, "rc0:pp", "no precise samples (p) of this" },
		{ PENTIUM_4, "cycles:p", "no precise samples (p) of this" },
		{ SKYLAKE, "ibs_op//", "of processors of AMD only" },
		{ ZEN1, "instructions:p", "only cycles:p and ops:p have" },
		{ ZEN1, "rc0:p", "only cycles:p and ops:p have" },
		{ ZEN1, "branch-misses:pp", "only cycles:p and ops:p have" },
		{ ZEN1, "r1c1:p", "only cycles:p and ops:p have" },
		{ ZEN1, "cycles:ppp", "does not spread its samples" },
		{ ZEN1, "cycles:p:pp", "does not spread its samples" },
		{ ZEN1, "ibs_op//ppp", "does not spread its samples" },
		{ ZEN1, "cycles:pppp", "no modifier" },
		{ ZEN1, "cycles:pk", "does not sample the kernel alone" },
		{ ZEN1, "ibs_fetch//k", "does not sample the kernel alone" },
		{ ZEN1, "cycles:pe", "no modifiers but u, k and p" },
		{ ZEN1, "cycles:p:c=2", "no modifiers but u, k and p" },
		{ ZEN1, "r8000c1:p", "only cycles:p and ops:p have" },
		{ ZEN1, "rc1:px", "a raw event takes :u, :k and :p" },
		{ ZEN1, "ibs_op/rand_en/",
		  "ibs_op has cnt_ctl and l3missonly" },
		{ ZEN1, "ibs_fetch/cnt_ctl/", "has rand_en and l3missonly" },
		{ ZEN1, "ibs_op/cnt_ctl=2/", "cnt_ctl=2: must be 0 or 1" },
		{ ZEN1, "ibs_op/cnt_ctl=/", "must be 0 or 1" },
		{ ZEN1, "ibs_op/cnt_ctl=10/", "must be 0 or 1" },
		{ ZEN1, "ibs_op/cnt_ctl", "a slash must end the terms" },
		{ ZEN1, "ibs_op//x", "there are u, k and p" },
	};

	(void)state;
	expect_refusals(rows, ARRAY_SIZE(rows));
}

static void units_have_their_own_registers(void **state)
{
	(void)state;
	use_pmu("ibs");
	assert_int_equal(assign(ZEN1, "ops:p"), 0);
	assert_int_equal(plan.pmd_count, 1);
	assert_int_equal(plan.pmds[0].reg_num, 9);
	assert_int_equal(plan.pmc_count, 1);
	assert_int_equal(plan.pmcs[0].reg_num, 7);
	assert_int_equal(plan.pmcs[0].reg_value, 0xaffff);
	assert_int_equal(plan.pmcs[0].reg_flags, PFM_REGFL_USER_ONLY);
	assert_int_equal(plan.longest[0], 0x7fffff0);
	assert_int_equal(assign(ZEN1, "ibs_fetch//uk"), 0);
	assert_int_equal(plan.pmds[0].reg_num, 6);
	assert_int_equal(plan.pmcs[0].reg_num, 6);
	assert_int_equal(plan.pmcs[0].reg_value, 1ull << 48 | 0xffff);
	assert_int_equal(plan.pmcs[0].reg_flags, 0);
	assert_int_equal(plan.longest[0], 0xffff0);
	events_free(&parsed_list);
}

static void units_take_no_counter_from_others(void **state)
{
	(void)state;
	use_pmu("ibs");
	assert_int_equal(assign(ZEN1,
				"instructions,cycles:p,cycles,branches,rc0,rc1,"
				"ibs_fetch//,branch-misses"),
			 0);
	assert_int_equal(plan.pmds[1].reg_num, 9);
	assert_int_equal(plan.pmds[6].reg_num, 6);
	for (int i = 0; i < plan.event_count; i++) {
		assert_int_equal(plan.longest[i] != 0, i == 1 || i == 6);
		if (!plan.longest[i])
			assert_in_range(plan.pmds[i].reg_num, 0, 5);
	}
	message_catch();
	assert_int_equal(assign(ZEN1,
				"cycles,cycles,cycles,cycles,cycles,cycles,"
				"ops:p,cycles"),
			 -1);
	message_expect("7 given", "has 6 counters", NULL);
	events_free(&parsed_list);
}

static void refuse_assignment(const char *pmu, const char *text,
			      const char *why)
{
	use_pmu(pmu);
	message_catch();
	assert_int_equal(assign(ZEN1, text), -1);
	message_expect(why, NULL);
	events_free(&parsed_list);
}

static void what_units_cannot_do_is_told(void **state)
{
	(void)state;
	refuse_assignment("zen", "cycles:p", "this processor has no IBS");
	refuse_assignment("ibs", "cycles:p,ops:p",
			  "another event has ibs_op already");
	refuse_assignment("ibs", "ibs_op/l3missonly=1/",
			  "this processor cannot do so");
	use_pmu("ibs");
	info.set_avail_pmcs[0] &= ~(1ull << 7);
	message_catch();
	assert_int_equal(assign(ZEN1, "cycles:p"), -1);
	message_expect("IBS has another user", NULL);
	message_catch();
	assert_int_equal(samplers_check_counted(&parsed_list), -1);
	message_expect("cycles:p: has precise samples and no count", NULL);
	events_free(&parsed_list);
	parse(ZEN1, "cycles");
	assert_int_equal(samplers_check_counted(&parsed_list), 0);
	events_free(&parsed_list);
}

/* Chooses the period of the first event; the registers are assigned. */
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
	{ "ops:p", 992, 0, 0, 992, NULL },
	{ "ops:p", 144, 0, 0, 144, NULL },
	{ "ops:p", 0x7fffff0, 0, 0, 0x7fffff0, NULL },
	{ "ibs_fetch//", 16, 0, 0, 16, NULL },
	{ "ops:p", 1000, 0, 0, 0, "steps of 16: 992 or 1008" },
	{ "ops:p", 128, 0, 0, 0, "from 144 to 134217712" },
	{ "ops:p", 0x8000000, 0, 0, 0, "from 144 to 134217712" },
	{ "ibs_fetch//", 0x100000, 0, 0, 0, "from 16 to 1048560" },
	/* 16 * 37501 is 600016, and 37501 is a prime. */
	{ "cycles:p", 0, 0, 2400000000.0, 600016, NULL },
	{ "ops:p", 0, 4000, 2400000000.0, 600016, NULL },
	{ "ops:p", 0, 0, 0, 1000016, NULL },
	{ "cycles:p", 0, 20000000, 2400000000.0, 144, NULL },
	{ "ops:p", 0, 100, 0, 0, "use -c" },
	{ "ibs_fetch//", 0, 0, 2400000000.0, 100112, NULL },
	{ "ibs_fetch//", 0, 100, 2400000000.0, 0, "use -c" },
};

static void periods_are_what_units_can_have(void **state)
{
	struct periods periods;

	(void)state;
	use_pmu("ibs");
	for (size_t i = 0; i < ARRAY_SIZE(period_rows); i++) {
		const struct sample_wish wish = {
			.periods = { period_rows[i].given != 0,
				     { period_rows[i].given } },
			.hertz = period_rows[i].hertz,
			.vary = true,
		};
		int ret;

		assert_int_equal(assign(ZEN1, period_rows[i].event), 0);
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
		assert_int_equal(periods.list[0].random, 0);
		assert_int_equal(periods.list[0].rate, 0);
	}
	events_free(&parsed_list);
}

static void refuse_periods(const struct sample_wish *wish, const char *why)
{
	struct periods periods;

	assert_int_equal(assign(ZEN1, "cycles:p"), 0);
	message_catch();
	assert_int_equal(choose(&periods, wish, 0), -1);
	message_expect(why, NULL);
	events_free(&parsed_list);
}

static void periods_that_the_kernel_changes_are_refused(void **state)
{
	const struct sample_wish counted = { .periods = { 1, { 0 } } };
	const struct sample_wish random = { .periods = { 1, { 992 } },
					    .random = { 1, { 15 } } };
	const struct sample_wish shorter = { .short_periods = { 1, { 992 } } };

	(void)state;
	use_pmu("ibs");
	refuse_periods(&counted, "need a period; to count it, leave the p out");
	refuse_periods(&random, "leave --smpl-periods-random out");
	refuse_periods(&shorter, "leave --short-smpl-periods out");
}

static void a_rate_that_is_too_low_is_noted(void **state)
{
	const struct sample_wish wish = { .hertz = 1, .vary = true };
	struct periods periods;

	(void)state;
	use_pmu("ibs");
	assert_int_equal(assign(ZEN1, "cycles:p"), 0);
	message_catch();
	assert_int_equal(choose(&periods, &wish, 2400000000.0), 0);
	message_expect("its longest period is 134217712", NULL);
	assert_int_equal(periods.list[0].every, 0x7fffff0);
	events_free(&parsed_list);
}

static void the_controls_of_units_have_the_periods(void **state)
{
	const struct sample_wish wish = { .periods = { 1, { 0x100000 } } };
	struct periods periods;

	(void)state;
	use_pmu("ibs");
	assert_int_equal(assign(ZEN1, "instructions,ops:p"), 0);
	assert_int_equal(choose(&periods, &wish, 0), 0);
	precise_program(&plan, &periods);
	for (int i = 0; i < plan.pmc_count; i++)
		if (plan.pmcs[i].reg_num == 7)
			assert_int_equal(plan.pmcs[i].reg_value,
					 1 << 20 | OPS | 1 << 17);
		else
			assert_int_equal(plan.pmcs[i].reg_value & 0xff, 0xc0);
	events_free(&parsed_list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_and_ops_have_precise_samples),
		cmocka_unit_test(other_precise_samples_get_one_line),
		cmocka_unit_test(units_have_their_own_registers),
		cmocka_unit_test(units_take_no_counter_from_others),
		cmocka_unit_test(what_units_cannot_do_is_told),
		cmocka_unit_test(periods_are_what_units_can_have),
		cmocka_unit_test(periods_that_the_kernel_changes_are_refused),
		cmocka_unit_test(a_rate_that_is_too_low_is_noted),
		cmocka_unit_test(the_controls_of_units_have_the_periods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
