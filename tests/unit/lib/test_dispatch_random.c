// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_dispatch_events() with random lists of events on all models.  The seed is
 * constant, so every run tests the same lists; DISPATCH_SEED=number sets
 * another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "dispatch_oracle.h"
#include "force_pmu.h"

#define NUM_LISTS 100000
#define PMC_TAG_FIRST 63 /* Pentium 4 replay tags: not in impl_pmcs */
#define PMC_TAG_LAST 64
#define SELECT_MERGE 0xf004000ffULL /* AMD: the event 0xfff, enabled */

static const char *const models[] = {
	/* K7, K8 revision B to G */
	"16,6,1,0", "16,15,5,1", "16,15,5,8", "16,15,21,0", "16,15,35,0",
	"16,15,65,0", "16,15,105,0",
	/* family 10h: Barcelona, Shanghai, Istanbul, revision E */
	"16,16,2,2", "16,16,4,2", "16,16,8,0", "16,16,10,0",
	/* 11h to 16h, Zen 1 to 5 */
	"16,17,3,0", "16,18,1,0", "16,20,1,0", "16,21,1,0", "16,22,0,0",
	"16,23,1,0", "16,23,49,0", "16,25,1,0", "16,25,17,0", "16,26,2,0",
	/* P6, Pentium 4, Core to Westmere */
	"32", "35", "37", "38", "33", "33,15,3,0", "34", "36", "39", "40",
	"40,6,46,0", "41", "41,6,44,0",
	/* Sandy Bridge to Knights Landing */
	"42", "43", "44", "45", "46", "47", "48", "49", "50", "51", "52",
	/* Emerald Rapids, Snow Ridge, and what came since */
	"48,6,207,0", "51,6,134,0", "60", "61", "62", "62,6,170,0", "79",
	"79,6,170,0", "80", "81", "82", "82,6,170,0", "82,6,198,0",
	/* P5, Cyrix, WinChip, C3, TSC, and the architectural one */
	"53", "54", "55", "56", "57", "58", "59", "63"
};

#define NUM_MODELS ARRAY_SIZE(models)

static uint64_t random_state;
static pfmlib_input_param_t in;
static pfmlib_output_param_t out;
static unsigned int num_events, num_counters;
static int type;

static uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % limit;
}

static void random_masks(pfmlib_event_t *event)
{
	unsigned int num_masks, wanted, i;

	pfm_get_num_event_masks(event->event, &num_masks);
	if (!num_masks)
		return;
	wanted = random_below(4) ? 1 : 1 + random_below(3);
	for (i = 0; i < wanted; i++)
		event->unit_masks[i] = random_below(num_masks);
	event->num_masks = wanted;
}

static void random_event(unsigned int i, unsigned int around)
{
	static const unsigned int levels[] = { 0,	 0,
					       0,	 PFM_PLM0,
					       PFM_PLM3, PFM_PLM0 | PFM_PLM3 };
	pfmlib_event_t *event = &in.pfp_events[i];

	memset(event, 0, sizeof(*event));
	if (i && !random_below(6)) {
		*event = in.pfp_events[random_below(i)];
		return;
	}
	/* Neighbours in the table often want the same counters. */
	event->event = random_below(3) ?
			       random_below(num_events) :
			       (around + random_below(5)) % num_events;
	event->plm = levels[random_below(6)];
	random_masks(event);
}

static void random_list(void)
{
	unsigned int around = random_below(num_events), pmc, i;

	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = random_below(2) ? PFM_PLM3 : PFM_PLM0 | PFM_PLM3;
	in.pfp_event_count = random_below(num_counters + 2);
	for (i = 0; i < in.pfp_event_count; i++)
		random_event(i, around);
	if (random_below(2))
		return;
	for (i = random_below(6); i; i--) {
		pmc = random_below(random_below(3) ? 20 : 65);
		pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);
	}
}

static void print_list(void)
{
	char name[512];
	unsigned int i;

	for (i = 0; i < in.pfp_event_count; i++) {
		pfm_get_full_event_name(&in.pfp_events[i], name, sizeof(name));
		print_message("  %s plm %u\n", name, in.pfp_events[i].plm);
	}
	for (i = 0; i < PFMLIB_MAX_PMCS; i++)
		if (pfm_regmask_isset(&in.pfp_unavail_pmcs, i))
			print_message("  without PMC%u\n", i);
	for (i = 0; i < out.pfp_pmc_count; i++)
		print_message("  PMC%u=0x%llx\n", out.pfp_pmcs[i].reg_num,
			      out.pfp_pmcs[i].reg_value);
	for (i = 0; i < out.pfp_pmd_count; i++)
		print_message("  PMD%u\n", out.pfp_pmds[i].reg_num);
}

#define check(condition, ...)                  \
	do {                                   \
		if (!(condition)) {            \
			print_list();          \
			fail_msg(__VA_ARGS__); \
		}                              \
	} while (0)

static bool is_tag(unsigned int pmc)
{
	return type == PFMLIB_PENTIUM4_PMU && pmc >= PMC_TAG_FIRST &&
	       pmc <= PMC_TAG_LAST;
}

static bool has_pmc(unsigned int pmc)
{
	unsigned int i;

	for (i = 0; i < out.pfp_pmc_count; i++)
		if (out.pfp_pmcs[i].reg_num == pmc)
			return true;
	return false;
}

/* Behind the counters of events, in the same order: upper parts of some. */
static void check_merged(void)
{
	unsigned int merged = in.pfp_event_count, i, pmd, pmc;

	for (i = 0; i < in.pfp_event_count; i++) {
		if (!oracle_is_pair(in.pfp_events[i].event))
			continue;
		pmd = out.pfp_pmds[i].reg_num + 1;
		check(out.pfp_pmds[merged++].reg_num == pmd, "no PMD%u", pmd);
		for (pmc = 0; pmc < out.pfp_pmc_count; pmc++)
			if (out.pfp_pmcs[pmc].reg_num == pmd)
				break;
		check(out.pfp_pmcs[pmc].reg_value == SELECT_MERGE,
		      "PMC%u does not merge", pmd);
	}
	check(out.pfp_pmd_count == merged, "%u counters for %u events",
	      out.pfp_pmd_count, in.pfp_event_count);
}

static void check_counters(void)
{
	unsigned int i, j, pmd;
	int control;

	check_merged();
	for (i = 0; i < out.pfp_pmd_count; i++) {
		pmd = out.pfp_pmds[i].reg_num;
		for (j = 0; j < i; j++)
			check(out.pfp_pmds[j].reg_num != pmd, "PMD%u twice",
			      pmd);
		check(i >= in.pfp_event_count || oracle_legal(&in, i, pmd),
		      "PMD%u cannot count event %u", pmd, i);
		control = oracle_control(pmd);
		check(control < 0 || has_pmc((unsigned int)control),
		      "PMD%u without its PMC", pmd);
	}
}

static void check_controls(void)
{
	pfmlib_regmask_t impl;
	unsigned int i, j, pmc;

	pfm_get_impl_pmcs(&impl);
	for (i = 0; i < out.pfp_pmc_count; i++) {
		pmc = out.pfp_pmcs[i].reg_num;
		check(!pfm_regmask_isset(&in.pfp_unavail_pmcs, pmc),
		      "PMC%u is unavailable", pmc);
		check(is_tag(pmc) || pfm_regmask_isset(&impl, pmc), "no PMC%u",
		      pmc);
		for (j = 0; j < i && !is_tag(pmc); j++)
			check(out.pfp_pmcs[j].reg_num != pmc, "PMC%u twice",
			      pmc);
	}
	/* An ESCR and a CCCR for each event. */
	if (type == PFMLIB_PENTIUM4_PMU) {
		for (i = 0, j = 0; i < out.pfp_pmc_count; i++)
			j += !is_tag(out.pfp_pmcs[i].reg_num);
		check(j == 2 * in.pfp_event_count, "%u registers", j);
	}
}

static void check_rest_is_zero(void)
{
	static const pfmlib_output_param_t zero;
	size_t pmcs =
		(PFMLIB_MAX_PMCS - out.pfp_pmc_count) * sizeof(pfmlib_reg_t);
	size_t pmds =
		(PFMLIB_MAX_PMDS - out.pfp_pmd_count) * sizeof(pfmlib_reg_t);

	check(!memcmp(&out.pfp_pmcs[out.pfp_pmc_count], &zero, pmcs) &&
		      !memcmp(&out.pfp_pmds[out.pfp_pmd_count], &zero, pmds) &&
		      !memcmp(out.reserved, zero.reserved,
			      sizeof(zero.reserved)),
	      "what is not used is not zero");
}

/* Whether an event of the list has this error for itself. */
static bool is_error_of_one_event(int error)
{
	static pfmlib_input_param_t one;
	static pfmlib_output_param_t ignored;
	unsigned int i;

	memset(&one, 0, sizeof(one));
	one.pfp_dfl_plm = in.pfp_dfl_plm;
	one.pfp_event_count = 1;
	for (i = 0; i < in.pfp_event_count; i++) {
		one.pfp_events[0] = in.pfp_events[i];
		if (pfm_dispatch_events(&one, NULL, &ignored, NULL) == error)
			return true;
	}
	return false;
}

static void check_list(unsigned int *assigned)
{
	int ret;

	memset(&out, 0x5a, sizeof(out));
	ret = pfm_dispatch_events(&in, NULL, &out, NULL);
	if (ret == PFMLIB_SUCCESS) {
		check_counters();
		check_controls();
		check_rest_is_zero();
		(*assigned)++;
		return;
	}
	out.pfp_pmc_count = 0;
	out.pfp_pmd_count = 0;
	if (ret == PFMLIB_ERR_NOASSIGN) {
		check(oracle_no_assignment(&in), "an assignment exists");
	} else if (in.pfp_event_count) {
		check(is_error_of_one_event(ret), "error %d of no event", ret);
	} else {
		check(type == PFMLIB_AMD64_PMU && ret == PFMLIB_ERR_INVAL,
		      "error %d without events", ret);
	}
}

static void lists_are_assigned_if_that_is_possible(void **state)
{
	const char *model = *state;
	unsigned int assigned = 0, i;

	force_pmu(model);
	pfm_get_num_events(&num_events);
	pfm_get_num_counters(&num_counters);
	pfm_get_pmu_type(&type);
	oracle_learn();
	for (i = 0; i < NUM_LISTS / NUM_MODELS + 1; i++) {
		random_list();
		check_list(&assigned);
	}
	/* The lists must not be so odd that hardly any can be assigned. */
	assert_true(assigned > NUM_LISTS / NUM_MODELS / 20);
}

int main(void)
{
	struct CMUnitTest tests[NUM_MODELS];
	const char *seed = getenv("DISPATCH_SEED");
	unsigned int i;

	random_state = seed ? strtoull(seed, NULL, 0) : 20061;
	random_state = (random_state + 1) * 0x9e3779b97f4a7c15ULL;
	for (i = 0; i < NUM_MODELS; i++)
		tests[i] = (struct CMUnitTest){
			.name = models[i],
			.test_func = lists_are_assigned_if_that_is_possible,
			.initial_state = (void *)models[i],
		};
	return cmocka_run_group_tests_name("dispatch: random lists", tests,
					   NULL, NULL);
}
