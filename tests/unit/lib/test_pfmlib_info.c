// SPDX-License-Identifier: GPL-2.0-only
/* What the library tells of events and registers, on Core unless said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "all_pmus.h"
#include "force_pmu.h"
#include "pmu/pfmlib_pmu.h"

#define NO_EVENT 100000u
#define INVAL PFMLIB_ERR_INVAL

static unsigned int event_called(const char *name)
{
	unsigned int index;

	assert_int_equal(pfm_find_event_byname(name, &index), PFMLIB_SUCCESS);
	return index;
}

static void a_name_needs_room_for_its_end(void **state)
{
	unsigned int mul, lines;
	char name[32];

	(void)state;
	force_pmu("36");
	mul = event_called("MUL");
	assert_int_equal(pfm_get_event_name(mul, name, 4), PFMLIB_SUCCESS);
	assert_string_equal(name, "MUL");
	assert_int_equal(pfm_get_event_name(mul, name, 3), INVAL);
	assert_int_equal(pfm_get_event_name(mul, name, 0), INVAL);
	assert_int_equal(pfm_get_event_name(mul, NULL, 4), INVAL);
	assert_int_equal(pfm_get_event_name(NO_EVENT, name, 4), INVAL);

	lines = event_called("L2_LINES_IN");
	assert_int_equal(pfm_get_event_mask_name(lines, 0, name, 5), 0);
	assert_string_equal(name, "SELF");
	assert_int_equal(pfm_get_event_mask_name(lines, 0, name, 4),
			 PFMLIB_ERR_FULL);
	assert_int_equal(pfm_get_event_mask_name(lines, 0, name, 0), INVAL);
	assert_int_equal(pfm_get_event_mask_name(lines, 0, NULL, 5), INVAL);
	assert_int_equal(pfm_get_event_mask_name(lines, 48, name, 5), INVAL);
	assert_int_equal(pfm_get_event_mask_name(NO_EVENT, 0, name, 5), INVAL);
	assert_int_equal(pfm_get_event_mask_name(mul, 0, name, 5),
			 PFMLIB_ERR_NOTSUPP);
}

static void names_are_in_upper_case(void **state)
{
	char name[32];

	(void)state;
	force_pmu("33");
	assert_int_equal(pfm_get_event_name(0, name, sizeof(name)), 0);
	assert_string_equal(name, "TC_DELIVER_MODE");
}

static void a_full_name_is_that_of_the_event_and_its_masks(void **state)
{
	pfmlib_event_t event;
	char name[32] = "x";

	(void)state;
	force_pmu("36");
	assert_int_equal(pfm_find_full_event("L2_LINES_IN:SELF", &event), 0);
	assert_int_equal(pfm_get_full_event_name(&event, name, 17), 0);
	assert_string_equal(name, "L2_LINES_IN:SELF");
	for (size_t len = 1; len < 17; len++)
		assert_int_equal(pfm_get_full_event_name(&event, name, len),
				 PFMLIB_ERR_FULL);
	assert_int_equal(pfm_get_full_event_name(&event, name, 0), INVAL);
	assert_int_equal(pfm_get_full_event_name(&event, NULL, 17), INVAL);
	assert_int_equal(pfm_get_full_event_name(NULL, name, 17), INVAL);

	event.unit_masks[0] = 48;
	assert_int_equal(pfm_get_full_event_name(&event, name, 17),
			 PFMLIB_ERR_UMASK);
	event.num_masks = 0;
	assert_int_equal(pfm_get_full_event_name(&event, name, 17),
			 PFMLIB_ERR_UMASK);
	event.num_masks = PFMLIB_MAX_MASKS_PER_EVENT + 1;
	assert_int_equal(pfm_get_full_event_name(&event, name, 17),
			 PFMLIB_ERR_UMASK);
	event.event = NO_EVENT;
	assert_int_equal(pfm_get_full_event_name(&event, name, 17), INVAL);
	assert_string_equal(name, "");
}

/* The longest possible name is one with all masks of an event. */
static void no_full_name_is_longer_than_the_longest(void **state)
{
	unsigned int num, masks;
	size_t longest = 0, len;

	(void)state;
	force_pmu("33");
	assert_int_equal(pfm_get_num_events(&num), 0);
	for (unsigned int i = 0; i < num; i++) {
		pfmlib_event_t event = { .event = i };
		char name[512];

		assert_int_equal(pfm_get_num_event_masks(i, &masks), 0);
		for (unsigned int m = 0; m < masks; m++)
			event.unit_masks[event.num_masks++] = m;
		assert_int_equal(
			pfm_get_full_event_name(&event, name, sizeof(name)), 0);
		if (strlen(name) > longest)
			longest = strlen(name);
	}
	assert_int_equal(pfm_get_max_event_name_len(&len), 0);
	assert_int_equal(len, longest);
	assert_int_equal(pfm_get_max_event_name_len(NULL), INVAL);
}

static void codes_are_told_for_real_counters_only(void **state)
{
	static const struct {
		const char *pmu;
		const char *event;
		unsigned int counter;
		int ret;
	} rows[] = {
		{ "36", "MUL", 0, 0 },
		{ "36", "MUL", 1, 0 },
		{ "36", "MUL", 18, 0 },
		{ "36", "MUL", 2, INVAL },
		{ "36", "MUL", -1u, 0 },
		{ "36", "MUL", 512, INVAL },
		{ "32", "FLOPS", 1, 0 },
		{ "32", "FLOPS", 2, INVAL },
		{ "63", "LLC_MISSES", 1, 0 },
		{ "63", "LLC_MISSES", 2, INVAL },
		{ "39", "MUL", 1, 0 },
		{ "39", "MUL", 15, INVAL },
		/* On the P4 the event decides. */
		{ "33", "BNR", 0, 0 },
		{ "33", "BNR", 10, 0 },
		{ "33", "BNR", 4, INVAL },
		{ "33", "BNR", -1u, 0 },
	};
	int code;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		unsigned int event;

		force_pmu(rows[i].pmu);
		event = event_called(rows[i].event);
		if (pfm_get_event_code_counter(event, rows[i].counter, &code) !=
		    rows[i].ret)
			fail_msg("%s %s on %u", rows[i].pmu, rows[i].event,
				 rows[i].counter);
	}
	assert_int_equal(pfm_get_event_code_counter(NO_EVENT, 0, &code), INVAL);
	assert_int_equal(pfm_get_event_code_counter(0, 0, NULL), INVAL);
	assert_int_equal(pfm_get_event_code(NO_EVENT, &code), INVAL);
	assert_int_equal(pfm_get_event_code(0, NULL), INVAL);
}

static void masks_have_numbers_and_codes(void **state)
{
	unsigned int num, code, lines, mul;

	(void)state;
	force_pmu("36");
	lines = event_called("L2_LINES_IN");
	mul = event_called("MUL");
	assert_int_equal(pfm_get_num_event_masks(lines, &num), 0);
	assert_int_equal(num, 5);
	assert_int_equal(pfm_get_num_event_masks(mul, &num), 0);
	assert_int_equal(num, 0);
	assert_int_equal(pfm_get_num_event_masks(NO_EVENT, &num), INVAL);
	assert_int_equal(pfm_get_num_event_masks(lines, NULL), INVAL);

	assert_int_equal(pfm_get_event_mask_code(lines, 1, &code), 0);
	assert_int_equal(code, 0xc0);
	assert_int_equal(pfm_get_event_mask_code(lines, 5, &code), INVAL);
	assert_int_equal(pfm_get_event_mask_code(mul, 0, &code), INVAL);
	assert_int_equal(pfm_get_event_mask_code(NO_EVENT, 0, &code), INVAL);
	assert_int_equal(pfm_get_event_mask_code(lines, 0, NULL), INVAL);
	assert_int_equal(pfm_get_num_events(NULL), INVAL);
}

static void descriptions_belong_to_the_caller(void **state)
{
	unsigned int lines;
	char *text;

	(void)state;
	force_pmu("36");
	lines = event_called("L2_LINES_IN");
	assert_int_equal(pfm_get_event_description(lines, &text), 0);
	assert_true(strlen(text) > 0);
	free(text);
	assert_int_equal(pfm_get_event_mask_description(lines, 0, &text), 0);
	assert_true(strlen(text) > 0);
	free(text);

	assert_int_equal(pfm_get_event_description(NO_EVENT, &text), INVAL);
	assert_int_equal(pfm_get_event_description(lines, NULL), INVAL);
	assert_int_equal(pfm_get_event_mask_description(NO_EVENT, 0, &text),
			 INVAL);
	assert_int_equal(pfm_get_event_mask_description(lines, 48, &text),
			 INVAL);
	assert_int_equal(pfm_get_event_mask_description(lines, 0, NULL), INVAL);
}

static void expect_counters(const char *name, const char *wanted)
{
	pfmlib_regmask_t counters;
	char got[128] = "";

	memset(&counters, 0xff, sizeof(counters));
	assert_int_equal(pfm_get_event_counters(event_called(name), &counters),
			 0);
	for (unsigned int i = 0; i < PFMLIB_REG_MAX; i++) {
		char number[8];

		if (!pfm_regmask_isset(&counters, i))
			continue;
		snprintf(number, sizeof(number), "%s%u", *got ? "," : "", i);
		strcat(got, number);
	}
	assert_string_equal(got, wanted);
}

static void the_counters_of_an_event_are_those_that_can_count_it(void **state)
{
	pfmlib_regmask_t counters;

	(void)state;
	force_pmu("36");
	expect_counters("INSTRUCTIONS_RETIRED", "0,1,16");
	expect_counters("UNHALTED_CORE_CYCLES", "0,1,17");
	expect_counters("UNHALTED_REFERENCE_CYCLES", "18");
	expect_counters("CPU_CLK_UNHALTED", "18");
	expect_counters("MUL", "1");
	expect_counters("CYCLES_DIV_BUSY", "0");
	assert_int_equal(pfm_get_event_counters(NO_EVENT, &counters), INVAL);
	assert_int_equal(pfm_get_event_counters(0, NULL), INVAL);
	force_pmu("41");
	expect_counters("UNC_CLK_UNHALTED", "20");
	expect_counters("UNC_PROCHOT_ASSERTION", "21,22,23,24,25,26,27,28");
	force_pmu("54");
	expect_counters("RETURNS", "0");
	expect_counters("DATA_READ", "0,1");
	force_pmu("58");
	expect_counters("INTERNAL_CLOCKS", "1");
}

static void every_model_has_its_cycles_and_instructions(void **state)
{
	static const struct {
		const char *pmu;
		const char *cycles;
		const char *instructions;
	} rows[] = {
		{ "37", "CPU_CLK_UNHALTED", "INST_RETIRED" },
		{ "34", "UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED" },
		{ "16,6,1,0", "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS" },
		{ "16,23,1,0", "CYCLES_NOT_IN_HALT", "RETIRED_INSTRUCTIONS" },
		{ "16,26,2,0", "CYCLES_NOT_IN_HALT", "RETIRED_INSTRUCTIONS" },
		{ "33", "GLOBAL_POWER_EVENTS:RUNNING",
		  "INSTR_RETIRED:NBOGUSNTAG:NBOGUSTAG" },
		{ "33,15,4,0", "GLOBAL_POWER_EVENTS:RUNNING",
		  "INSTR_COMPLETED:NBOGUS" },
		{ "36", "UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED" },
		{ "40", "UNHALTED_CORE_CYCLES", "INSTRUCTION_RETIRED" },
		{ "48", "UNHALTED_CORE_CYCLES", "INSTRUCTION_RETIRED" },
		{ "53", "CLOCKS", "INSTRUCTIONS_EXECUTED" },
		{ "56", "INTERNAL_CLOCKS", "X86_INSTRUCTIONS" },
	};
	pfmlib_event_t event;
	char name[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		force_pmu(rows[i].pmu);
		assert_int_equal(pfm_get_cycle_event(&event), 0);
		assert_int_equal(
			pfm_get_full_event_name(&event, name, sizeof(name)), 0);
		assert_string_equal(name, rows[i].cycles);
		assert_int_equal(pfm_get_inst_retired_event(&event), 0);
		assert_int_equal(
			pfm_get_full_event_name(&event, name, sizeof(name)), 0);
		assert_string_equal(name, rows[i].instructions);
	}
	assert_int_equal(pfm_get_cycle_event(NULL), INVAL);
	assert_int_equal(pfm_get_inst_retired_event(NULL), INVAL);
	force_pmu("59");
	assert_int_equal(pfm_get_inst_retired_event(&event),
			 PFMLIB_ERR_NOTSUPP);
}

/* What pfmon counts if it is not told otherwise. */
static void no_model_lacks_its_cycles_and_instructions(void **state)
{
	/* The TSC alone. */
	static const char *const none[] = { "59" };
	pfmlib_event_t event;
	char name[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all_pmus); i++) {
		bool has = true;

		for (size_t n = 0; n < ARRAY_SIZE(none); n++)
			has = has && strcmp(all_pmus[i], none[n]) != 0;
		force_pmu(all_pmus[i]);
		if (pfm_get_cycle_event(&event) != 0 ||
		    (pfm_get_inst_retired_event(&event) == 0) != has)
			fail_msg("%s", all_pmus[i]);
		if (has)
			assert_int_equal(pfm_get_full_event_name(&event, name,
								 sizeof(name)),
					 0);
	}
}

static void registers_need_a_place_to_be_told(void **state)
{
	(void)state;
	force_pmu("36");
	assert_int_equal(pfm_get_impl_pmcs(NULL), INVAL);
	assert_int_equal(pfm_get_impl_pmds(NULL), INVAL);
	assert_int_equal(pfm_get_impl_counters(NULL), INVAL);
	assert_int_equal(pfm_get_num_pmcs(NULL), INVAL);
	assert_int_equal(pfm_get_num_pmds(NULL), INVAL);
	assert_int_equal(pfm_get_num_counters(NULL), INVAL);
	assert_int_equal(pfm_get_hw_counter_width(NULL), INVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_needs_room_for_its_end),
		cmocka_unit_test(names_are_in_upper_case),
		cmocka_unit_test(
			a_full_name_is_that_of_the_event_and_its_masks),
		cmocka_unit_test(no_full_name_is_longer_than_the_longest),
		cmocka_unit_test(codes_are_told_for_real_counters_only),
		cmocka_unit_test(masks_have_numbers_and_codes),
		cmocka_unit_test(descriptions_belong_to_the_caller),
		cmocka_unit_test(
			the_counters_of_an_event_are_those_that_can_count_it),
		cmocka_unit_test(every_model_has_its_cycles_and_instructions),
		cmocka_unit_test(no_model_lacks_its_cycles_and_instructions),
		cmocka_unit_test(registers_need_a_place_to_be_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
