// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit masks of libpfm4's tables: the library asks for those of an event when the
 * first call needs them.  Linked with --wrap, so that the questions are counted and
 * memory may be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "force_pmu.h"
#include "pmu/pfmlib_pmu.h"

#include <perfmon/pfmlib_intel_nhm.h>

/* Of Skylake, where it has several masks, this one among them. */
#define EVENT "BR_INST_RETIRED"
#define MASK "CONDITIONAL"

static unsigned int questions;
static bool refuse;

int __real_pfm4_pfm_get_event_attr_info(int event, int attr, int os,
					void *info);
int __wrap_pfm4_pfm_get_event_attr_info(int event, int attr, int os,
					void *info);
int __wrap_pfm4_pfm_get_event_attr_info(int event, int attr, int os, void *info)
{
	questions++;
	return __real_pfm4_pfm_get_event_attr_info(event, attr, os, info);
}

void *__real_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size);
void *__wrap_calloc(size_t num, size_t size)
{
	return refuse ? NULL : __real_calloc(num, size);
}

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
	return refuse ? NULL : __real_realloc(old, size);
}

/* A stepping of its own has a table of its own. Returns the event's index. */
static unsigned int fresh_table(void)
{
	static int stepping;
	unsigned int event;
	char pmu[32];

	snprintf(pmu, sizeof(pmu), "46,6,94,%d", ++stepping);
	force_pmu(pmu);
	assert_int_equal(pfm_find_event_byname(EVENT, &event), 0);
	return event;
}

/* Each returns a number or an error that depends on the event's masks. */

static int number_of_masks(unsigned int event)
{
	unsigned int num;
	int ret = pfm_get_num_event_masks(event, &num);

	return ret ? ret : (int)num;
}

static int code_of_mask(unsigned int event)
{
	unsigned int code;
	int ret = pfm_get_event_mask_code(event, 1, &code);

	return ret ? ret : (int)code;
}

static int name_of_mask(unsigned int event)
{
	char name[64];
	int ret = pfm_get_event_mask_name(event, 1, name, sizeof(name));

	return ret ? ret : *name;
}

static int description_of_mask(unsigned int event)
{
	char *text = NULL;
	int ret = pfm_get_event_mask_description(event, 1, &text);

	if (!ret)
		ret = text ? *text : 0;
	free(text);
	return ret;
}

static int mask_by_name(unsigned int event)
{
	unsigned int mask;
	int ret = pfm_find_event_mask(event, MASK, &mask);

	return ret ? ret : 1 + (int)mask;
}

static int event_and_mask_by_name(unsigned int event)
{
	pfmlib_event_t found;
	int ret = pfm_find_full_event(EVENT ":" MASK, &found);

	return ret || found.event != event ? ret : 1 + (int)found.unit_masks[0];
}

static int full_name(unsigned int event)
{
	pfmlib_event_t one = { .event = event,
			       .num_masks = 1,
			       .unit_masks = { 1 } };
	char name[128];
	int ret = pfm_get_full_event_name(&one, name, sizeof(name));

	return ret ? ret : (int)strlen(name);
}

static int longest_name(unsigned int event)
{
	size_t len;
	int ret = pfm_get_max_event_name_len(&len);

	(void)event;
	return ret ? ret : (int)len;
}

static int counters(unsigned int event)
{
	pfmlib_regmask_t mask;
	unsigned int num;
	int ret = pfm_get_event_counters(event, &mask);

	if (ret)
		return ret;
	pfm_regmask_weight(&mask, &num);
	return (int)num;
}

static int dispatched(unsigned int event)
{
	pfmlib_input_param_t in = { .pfp_event_count = 1,
				    .pfp_dfl_plm = PFM_PLM3 };
	static pfmlib_output_param_t out;
	int ret;

	in.pfp_events[0].event = event;
	in.pfp_events[0].num_masks = 1;
	in.pfp_events[0].unit_masks[0] = 1;
	ret = pfm_dispatch_events(&in, NULL, &out, NULL);
	return ret ? ret : (int)out.pfp_pmcs[0].reg_value;
}

static int precise(unsigned int event)
{
	pfmlib_event_t one = { .event = event,
			       .num_masks = 1,
			       .unit_masks = { 1 } };

	return pfm_nhm_is_pebs(&one);
}

static int (*const calls[])(unsigned int event) = {
	number_of_masks,	code_of_mask, name_of_mask, description_of_mask,
	mask_by_name,		full_name,    longest_name, counters,
	event_and_mask_by_name, dispatched,   precise,
};

static void each_call_finds_the_masks_that_nobody_asked_for_yet(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		unsigned int event = fresh_table();
		int first = calls[i](event);

		/* By now another call has asked for them. */
		assert_true(number_of_masks(event) > 2);
		if (first <= 0 || calls[i](event) != first)
			fail_msg("call %zu: %d, then %d", i, first,
				 calls[i](event));
	}
}

/* Its one mask binds an event of Sandy Bridge to a counter. */
static void the_counters_of_an_event_are_those_of_its_masks(void **state)
{
	unsigned int event;

	(void)state;
	force_pmu("42,6,42,1");
	assert_int_equal(pfm_find_event_byname("L1D_PEND_MISS", &event), 0);
	assert_int_equal(counters(event), 1);
}

static void without_memory_a_call_says_so_and_the_next_one_works(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int event = (int)fresh_table(), ret;

		refuse = true;
		ret = calls[i]((unsigned int)event);
		refuse = false;
		if (calls[i] == precise)
			assert_int_equal(ret, PFMLIB_ERR_INVAL);
		else
			assert_int_equal(ret, PFMLIB_ERR_NOMEM);
		assert_true(calls[i]((unsigned int)event) > 0);
	}
}

/* Big models and small ones, and those whose tables are changed afterwards. */
static void
a_program_pays_for_the_masks_of_the_events_that_it_names(void **state)
{
	static const char *const pmus[] = { "16,23,1,9", "40,6,26,9",
					    "46,6,85,9", "47,6,106,9",
					    "48,6,143,9" };
	pfmlib_event_t event;
	unsigned int num;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		questions = 0;
		force_pmu(pmus[i]);
		assert_int_equal(pfm_get_num_events(&num), 0);
		if (questions > num + 10)
			fail_msg("%s: %u questions for %u events", pmus[i],
				 questions, num);
		questions = 0;
		assert_int_equal(pfm_get_inst_retired_event(&event), 0);
		assert_true(questions <= 2);
		assert_int_equal(pfm_get_inst_retired_event(&event), 0);
		assert_true(questions <= 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			each_call_finds_the_masks_that_nobody_asked_for_yet),
		cmocka_unit_test(
			the_counters_of_an_event_are_those_of_its_masks),
		cmocka_unit_test(
			without_memory_a_call_says_so_and_the_next_one_works),
		cmocka_unit_test(
			a_program_pays_for_the_masks_of_the_events_that_it_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
