// SPDX-License-Identifier: GPL-2.0-only
/* Event strings: which event and which unit masks they mean. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "force_pmu.h"
#include "pmu/pfmlib_pmu.h"

#define CORE "36"

/* A string with its masks, and how the library says the same. */
struct row {
	const char *string;
	int ret;
	const char *name;
};

static void expect_events(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		pfmlib_event_t event;
		char name[256] = "";
		int ret;

		memset(&event, 0xff, sizeof(event));
		ret = pfm_find_full_event(rows[i].string, &event);
		if (ret != rows[i].ret)
			fail_msg("%s: %s", rows[i].string, pfm_strerror(ret));
		if (ret != PFMLIB_SUCCESS)
			continue;
		assert_int_equal(event.plm, 0);
		assert_int_equal(event.flags, 0);
		assert_int_equal(pfm_get_full_event_name(&event, name,
							 sizeof(name)),
				 PFMLIB_SUCCESS);
		assert_string_equal(name, rows[i].name);
	}
}

static void masks_are_named_in_any_case(void **state)
{
	static const struct row rows[] = {
		{ "L2_LINES_IN:SELF:ANY", 0, "L2_LINES_IN:SELF:ANY" },
		{ "L2_LINES_IN:ANY:SELF", 0, "L2_LINES_IN:ANY:SELF" },
		{ "L2_LINES_IN:EXCL_PREFETCH", 0, "L2_LINES_IN:EXCL_PREFETCH" },
		/* Twice is as good as once. */
		{ "l2_lines_in:self:SELF", 0, "L2_LINES_IN:SELF" },
		{ "unhalted_core_cycles", 0, "UNHALTED_CORE_CYCLES" },
		{ "FP_ASSIST", 0, "FP_ASSIST" },
	};

	(void)state;
	force_pmu(CORE);
	expect_events(rows, ARRAY_SIZE(rows));
}

static void masks_must_be_complete_and_known(void **state)
{
	static const struct row rows[] = {
		{ "L2_LINES_IN", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN::SELF", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:SELF:", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:sel", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:SELFX", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:SELF.ANY", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN: SELF", PFMLIB_ERR_UMASK, NULL },
		{ "UNHALTED_CORE_CYCLES:X", PFMLIB_ERR_UMASK, NULL },
		{ "UNHALTED_CORE_CYCLES:", PFMLIB_ERR_UMASK, NULL },
	};

	(void)state;
	force_pmu(CORE);
	expect_events(rows, ARRAY_SIZE(rows));
}

static void a_number_stands_for_all_masks_it_contains(void **state)
{
	static const struct row rows[] = {
		/* The code of one mask means this mask only. */
		{ "L2_LINES_IN:0xc0", 0, "L2_LINES_IN:BOTH_CORES" },
		{ "L2_LINES_IN:0x70", 0, "L2_LINES_IN:SELF:ANY:PREFETCH" },
		{ "L2_LINES_IN:112", 0, "L2_LINES_IN:SELF:ANY:PREFETCH" },
		{ "L2_LINES_IN:0160", 0, "L2_LINES_IN:SELF:ANY:PREFETCH" },
		/* What other items said is not asked for again. */
		{ "L2_LINES_IN:ANY:0x70", 0, "L2_LINES_IN:ANY:SELF:PREFETCH" },
		{ "L2_LINES_IN:0x71", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:0x70z", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:0x", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:+0x70", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:-1", PFMLIB_ERR_UMASK, NULL },
		{ "L2_LINES_IN:0x10000000000000070", PFMLIB_ERR_UMASK, NULL },
		/* A mask of this code has come with libpfm4. */
		{ "L2_LINES_IN:0x0", PFMLIB_ERR_UMASK, NULL },
	};

	(void)state;
	force_pmu(CORE);
	expect_events(rows, ARRAY_SIZE(rows));
}

static void a_number_without_any_mask_is_refused(void **state)
{
	pfmlib_event_t event;

	(void)state;
	force_pmu("16,6,1,0");
	assert_int_equal(pfm_find_full_event("DATA_CACHE_REFILLS:0x0", &event),
			 PFMLIB_ERR_UMASK);
	assert_int_equal(pfm_find_full_event("DATA_CACHE_REFILLS:0x1f", &event),
			 PFMLIB_SUCCESS);
}

static void unknown_events_are_not_found(void **state)
{
	static const struct row rows[] = {
		{ "UNHALTED_CORE", PFMLIB_ERR_NOTFOUND, NULL },
		{ "UNHALTED_CORE_CYCLESX", PFMLIB_ERR_NOTFOUND, NULL },
		{ "", PFMLIB_ERR_NOTFOUND, NULL },
		{ ":", PFMLIB_ERR_NOTFOUND, NULL },
		{ "0x3c", PFMLIB_ERR_NOTFOUND, NULL },
		{ NULL, PFMLIB_ERR_INVAL, NULL },
	};
	pfmlib_event_t event;

	(void)state;
	force_pmu(CORE);
	expect_events(rows, ARRAY_SIZE(rows) - 1);
	assert_int_equal(pfm_find_full_event(NULL, &event), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_full_event("FP_ASSIST", NULL),
			 PFMLIB_ERR_INVAL);
}

/* The response of a request on Broadwell servers has 54 masks. */
static void more_masks_than_an_event_can_hold_are_too_many(void **state)
{
	char string[4096] = "OFFCORE_RESPONSE_0";
	unsigned int index, count;
	pfmlib_event_t event;

	(void)state;
	force_pmu("45,6,79,0");
	assert_int_equal(pfm_find_event(string, &index), PFMLIB_SUCCESS);
	assert_int_equal(pfm_get_num_event_masks(index, &count),
			 PFMLIB_SUCCESS);
	assert_true(count > PFMLIB_MAX_MASKS_PER_EVENT);
	for (unsigned int i = 0; i < count; i++) {
		char name[128];

		assert_int_equal(pfm_get_event_mask_name(index, i, name,
							 sizeof(name)),
				 PFMLIB_SUCCESS);
		strcat(strcat(string, ":"), name);
		assert_int_equal(pfm_find_full_event(string, &event),
				 i < PFMLIB_MAX_MASKS_PER_EVENT ?
					 PFMLIB_SUCCESS :
					 PFMLIB_ERR_TOOMANY);
	}
}

static void masks_of_the_pentium_4_buses_may_be_left_out(void **state)
{
	static const struct row rows[] = {
		{ "B2B_CYCLES", 0, "B2B_CYCLES" },
		{ "bnr", 0, "BNR" },
		{ "snoop", 0, "SNOOP" },
		{ "Response", 0, "RESPONSE" },
		{ "SNOOP:BIT2", 0, "SNOOP:BIT2" },
		{ "SNOOP:", PFMLIB_ERR_UMASK, NULL },
		{ "TC_MISC", PFMLIB_ERR_UMASK, NULL },
		/* A name may begin with a digit. */
		{ "64bit_mmx_uop:ALL", 0, "64BIT_MMX_UOP:ALL" },
	};

	(void)state;
	force_pmu("33");
	expect_events(rows, ARRAY_SIZE(rows));
}

static void an_event_is_found_by_name_or_number(void **state)
{
	static const struct {
		const char *string;
		int ret;
		int code;
	} rows[] = {
		{ "0x3c", 0, 0x3c },
		{ "36", 0, 0x24 },
		{ "044", 0, 0x24 },
		{ "UNHALTED_CORE_CYCLES:foo", 0, 0x3c },
		{ "unhalted_core_cycles", 0, 0x3c },
		{ "0x3cz", PFMLIB_ERR_INVAL, 0 },
		{ "0xffffffff", PFMLIB_ERR_INVAL, 0 },
		{ "99999999999999999999", PFMLIB_ERR_INVAL, 0 },
		{ "0x7fffffff", PFMLIB_ERR_NOTFOUND, 0 },
		{ "", PFMLIB_ERR_NOTFOUND, 0 },
		{ "UNHALTED", PFMLIB_ERR_NOTFOUND, 0 },
	};
	unsigned int index;
	int code;

	(void)state;
	force_pmu(CORE);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int ret = pfm_find_event(rows[i].string, &index);

		if (ret != rows[i].ret)
			fail_msg("%s: %s", rows[i].string, pfm_strerror(ret));
		if (ret != PFMLIB_SUCCESS)
			continue;
		assert_int_equal(pfm_get_event_code(index, &code),
				 PFMLIB_SUCCESS);
		assert_int_equal(code, rows[i].code);
	}
	assert_int_equal(pfm_find_event(NULL, &index), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event("0x3c", NULL), PFMLIB_ERR_INVAL);
}

static void a_name_is_no_number_where_a_name_is_wanted(void **state)
{
	unsigned int index;

	(void)state;
	force_pmu(CORE);
	assert_int_equal(pfm_find_event_byname("FP_ASSIST", &index), 0);
	assert_int_equal(pfm_find_event_byname("0x3c", &index),
			 PFMLIB_ERR_NOTFOUND);
	assert_int_equal(pfm_find_event_byname(NULL, &index), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_byname("FP_ASSIST", NULL),
			 PFMLIB_ERR_INVAL);
}

/* Instructions have three names and one code on Core. */
static void events_of_one_code_are_found_in_turn(void **state)
{
	unsigned int index, found = 0, last = 0;
	int code, ret;

	(void)state;
	force_pmu(CORE);
	ret = pfm_find_event_bycode(0xc0, &index);
	while (ret == PFMLIB_SUCCESS) {
		assert_int_equal(pfm_get_event_code(index, &code), 0);
		assert_int_equal(code, 0xc0);
		assert_true(!found || index > last);
		last = index;
		found++;
		ret = pfm_find_event_bycode_next(0xc0, last, &index);
	}
	assert_int_equal(ret, PFMLIB_ERR_NOTFOUND);
	assert_int_equal(found, 3);

	assert_int_equal(pfm_find_event_bycode(0xfff, &index),
			 PFMLIB_ERR_NOTFOUND);
	assert_int_equal(pfm_find_event_bycode(0xc0, NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_bycode_next(0xc0, 0, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_bycode_next(0xc0, (unsigned int)-1,
						    &index),
			 PFMLIB_ERR_NOTFOUND);
}

static void a_mask_is_found_by_name_or_code(void **state)
{
	static const struct {
		const char *string;
		int ret;
		unsigned int code;
	} rows[] = {
		{ "SELF", 0, 0x40 },
		{ "both_cores", 0, 0xc0 },
		{ "0x40", 0, 0x40 },
		{ "64", 0, 0x40 },
		{ "0x70", PFMLIB_ERR_UMASK, 0 },
		{ "", PFMLIB_ERR_UMASK, 0 },
		{ "SEL", PFMLIB_ERR_UMASK, 0 },
		{ "SELF:ANY", PFMLIB_ERR_UMASK, 0 },
	};
	unsigned int event, mask, code;

	(void)state;
	force_pmu(CORE);
	assert_int_equal(pfm_find_event("L2_LINES_IN", &event), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(pfm_find_event_mask(event, rows[i].string,
						     &mask),
				 rows[i].ret);
		if (rows[i].ret != PFMLIB_SUCCESS)
			continue;
		assert_int_equal(pfm_get_event_mask_code(event, mask, &code),
				 0);
		assert_int_equal(code, rows[i].code);
	}
	assert_int_equal(pfm_find_event_mask(event, NULL, &mask),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_mask(event, "SELF", NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event_mask(100000, "SELF", &mask),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_find_event("FP_ASSIST", &event), 0);
	assert_int_equal(pfm_find_event_mask(event, "SELF", &mask),
			 PFMLIB_ERR_UMASK);
}

/* A program may look at the errno of a call that it made before. */
static void numbers_leave_errno_alone(void **state)
{
	static const char *const numbers[] = { "36", "0x3c", "7x",
					       "99999999999999999999" };
	pfmlib_event_t found;
	unsigned int event;

	(void)state;
	force_pmu(CORE);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		char name[64];

		errno = EDOM;
		pfm_find_event(numbers[i], &event);
		assert_int_equal(errno, EDOM);
		snprintf(name, sizeof(name), "L2_LINES_IN:%s", numbers[i]);
		pfm_find_full_event(name, &found);
		assert_int_equal(errno, EDOM);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masks_are_named_in_any_case),
		cmocka_unit_test(masks_must_be_complete_and_known),
		cmocka_unit_test(a_number_stands_for_all_masks_it_contains),
		cmocka_unit_test(a_number_without_any_mask_is_refused),
		cmocka_unit_test(unknown_events_are_not_found),
		cmocka_unit_test(
			more_masks_than_an_event_can_hold_are_too_many),
		cmocka_unit_test(masks_of_the_pentium_4_buses_may_be_left_out),
		cmocka_unit_test(an_event_is_found_by_name_or_number),
		cmocka_unit_test(a_name_is_no_number_where_a_name_is_wanted),
		cmocka_unit_test(events_of_one_code_are_found_in_turn),
		cmocka_unit_test(a_mask_is_found_by_name_or_code),
		cmocka_unit_test(numbers_leave_errno_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
