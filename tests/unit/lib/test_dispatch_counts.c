// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether what pfm_dispatch_events() programs counts: the model of the PMU
 * (machine/pmu/constraint.h) says which counters can count a selector.  Its rules
 * are made from Linux' driver, those of the library from Intel's event files where
 * there are any, so the two judge each other.
 *
 * ASSIGN_LISTS=number sets how many random lists each processor gets, DISPATCH_SEED
 * another start of them.
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
#include "constraint.h"
#include "dispatch_case.h"
#include "force_pmu.h"

#define NUM_LISTS "300"
#define MAX_USES 2048
#define FIXED_CONTROL 16
#define PMD_REFERENCE 18
#define NUM_COUNTERS 24 /* generic and fixed */
#define SELECT_MERGE 0xf004000ffULL

/* Selectors that count on one kind of core, and the counters that both kinds have. */
#define KIND_CORE (1ULL << 62)
#define KIND_ATOM (1ULL << 63)
#define KIND_BITS (KIND_CORE | KIND_ATOM)
#define COMMON_COUNTERS 0x3fULL

/* What LIBPFM_FORCE_PMU says, and the name of the model; or eight counters. */
static const struct processor {
	const char *name;
	const char *model;
	int eight;
} processors[] = {
	{ "32", "p6", 0 },
	{ "34", "coreduo", 0 },
	{ "36", "core2", 0 },
	{ "40", "nehalem", 0 },
	{ "40,6,46,0", "nehalem", 0 },
	{ "41", "westmere", 0 },
	{ "41,6,44,0", "westmere", 0 },
	{ "41,6,47,0", "westmere", 0 },
	{ "42", "sandybridge", 0 },
	{ "42,6,45,0", "sandybridge", 0 },
	{ "43", "ivybridge", 0 },
	{ "43,6,62,0", "ivybridge", 0 },
	{ "44", "haswell", 0 },
	{ "44,6,63,0", "haswell", 0 },
	{ "45", "broadwell", 0 },
	{ "45,6,79,0", "broadwell", 0 },
	{ "46", "skylake", 0 },
	{ "46,6,85,4", "skylake", 0 },
	{ "46,6,85,7", "skylake", 0 },
	{ "42 with 8", "sandybridge-8", PFMLIB_INTEL_SNB_PMU },
	{ "43 with 8", "ivybridge-8", PFMLIB_INTEL_IVB_PMU },
	{ "44 with 8", "haswell-8", PFMLIB_INTEL_HSW_PMU },
	{ "45 with 8", "broadwell-8", PFMLIB_INTEL_BDW_PMU },
	{ "46 with 8", "skylake-8", PFMLIB_INTEL_SKL_PMU },
	{ "47", "icelake", 0 },
	{ "47,6,106,0", "icelake", 0 },
	{ "47,6,140,0", "icelake", 0 },
	{ "48", "spr", 0 },
	{ "48,6,207,0", "spr", 0 },
	{ "51,6,134,0", "arch2", 0 },
	{ "60", "spr", 0 },
	{ "61", "gracemont", 0 },
	{ "62", "gnr", 0 },
	{ "62,6,170,0", "gnr", 0 },
	{ "79", "srf", 0 },
	{ "79,6,170,0", "srf", 0 },
	{ "80", "lioncove", 0 },
	{ "81", "srf", 0 },
	{ "82", "spr", 0 },
	{ "82,6,170,0", "gnr", 0 },
	{ "82,6,198,0", "lioncove", 0 },
	{ "16,21,1,0", "fam15h", 0 },
	{ "16,23,1,0", "zen", 0 },
	{ "16,23,49,0", "zen", 0 },
	{ "16,25,1,0", "zen", 0 },
	{ "16,25,17,0", "zen4", 0 },
	{ "16,26,2,0", "zen4", 0 },
};

/* The model of the other kind of core of hybrid processors. */
static const struct {
	const char *name;
	const char *model;
} atoms[] = {
	{ "82", "gracemont" },
	{ "82,6,170,0", "srf" },
	{ "82,6,198,0", "srf" },
};

/* Where the event file is stricter than the driver: what the file says. */
static const struct {
	const char *model; /* the name begins so */
	uint64_t select, first, last; /* unit masks */
	uint64_t counters;
} stricter[] = {
	{ "nehalem", 0x4c, 0x01, 0x01, 0x03 },
	{ "nehalem", 0x52, 0x01, 0x01, 0x03 },
	{ "nehalem", 0x53, 0x01, 0x01, 0x03 },
	{ "westmere", 0x4c, 0x01, 0x01, 0x03 },
	{ "westmere", 0x4e, 0x01, 0x04, 0x03 },
	{ "westmere", 0x52, 0x01, 0x01, 0x03 },
	{ "ivybridge", 0xcd, 0x02, 0x02, 0x08 },
	{ "broadwell", 0xc0, 0x01, 0x01, 0x02 },
	{ "spr", 0xa3, 0x05, 0x06, 0x0f },
	{ "spr", 0xa3, 0x0c, 0x0c, 0x0f },
	{ "gnr", 0xa3, 0x05, 0x06, 0x0f },
	{ "gnr", 0xa3, 0x0c, 0x0c, 0x0f },
	/* Loads with their addresses; of eight counters, where the driver has a gap. */
	{ "broadwell", 0xd3, 0x00, 0xff, 0x0f },
	{ "skylake", 0xd3, 0x00, 0xff, 0x0f },
	{ "skylake", 0xd4, 0x00, 0xff, 0x0f },
};

/* An event with at most one mask, and what it needs when it is alone. */
struct use {
	pfmlib_event_t event;
	uint64_t counters; /* where the library lets it count */
	uint64_t selector; /* 0: fixed counters only */
	bool is_pair;
	unsigned int extra_pmc; /* beside the selector; 0: none */
	uint64_t extra_value;
};

static struct use uses[MAX_USES];
static unsigned int num_uses;
static const struct processor *processor;
static pfmlib_input_param_t in;
static pfmlib_output_param_t out;
static unsigned int chosen[NUM_COUNTERS]; /* the uses of a list */
static uint64_t state;

static unsigned int draw(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % limit;
}

static unsigned int control_of(unsigned int pmd)
{
	return pmd >= FIXED_CONTROL ? FIXED_CONTROL : pmd;
}

static const pfmlib_reg_t *find_pmc(unsigned int num)
{
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++)
		if (out.pfp_pmcs[i].reg_num == num)
			return &out.pfp_pmcs[i];
	return NULL;
}

/* Learns one counter of the event from its dispatch. */
static void learn_from_output(struct use *use)
{
	unsigned int pmd = out.pfp_pmds[0].reg_num, i;

	use->counters |= 1ULL << pmd;
	use->is_pair = out.pfp_pmd_count == 2;
	if (pmd < FIXED_CONTROL)
		use->selector = find_pmc(pmd)->reg_value;
	for (i = 0; i < out.pfp_pmc_count; i++) {
		if (out.pfp_pmcs[i].reg_num <= FIXED_CONTROL)
			continue;
		use->extra_pmc = out.pfp_pmcs[i].reg_num;
		use->extra_value = out.pfp_pmcs[i].reg_value;
	}
}

/* Dispatches the event alone for each of its counters. */
static void learn_use(const pfmlib_event_t *event)
{
	struct use *use = &uses[num_uses];
	unsigned int pmc, other;

	memset(use, 0, sizeof(*use));
	use->event = *event;
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	in.pfp_events[0] = *event;
	if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS ||
	    out.pfp_pmds[0].reg_num >= NUM_COUNTERS)
		return;
	for (pmc = 0; pmc <= FIXED_CONTROL; pmc++) {
		memset(&in.pfp_unavail_pmcs, 0, sizeof(in.pfp_unavail_pmcs));
		for (other = 0; other <= FIXED_CONTROL; other++)
			if (other != pmc &&
			    !(out.pfp_pmd_count == 2 && other == pmc + 1))
				pfm_regmask_set(&in.pfp_unavail_pmcs, other);
		if (pfm_dispatch_events(&in, NULL, &out, NULL) ==
			    PFMLIB_SUCCESS &&
		    control_of(out.pfp_pmds[0].reg_num) == pmc)
			learn_from_output(use);
		else
			out.pfp_pmd_count = use->is_pair ? 2 : 1;
	}
	if (use->counters)
		num_uses++;
	assert_true(num_uses < MAX_USES);
}

static void learn(const struct processor *which)
{
	pfmlib_event_t event = { 0 };
	unsigned int num_events, num_masks, i;
	char name[256];

	processor = which;
	num_uses = 0;
	/* A processor that was changed is not forced. */
	dispatch_use(PFMLIB_GEN_IA32_PMU, "");
	if (which->eight)
		dispatch_use(which->eight, "generic=8");
	else
		force_pmu(which->name);
	assert_int_equal(pfm_get_num_events(&num_events), 0);
	for (event.event = 0; event.event < num_events; event.event++) {
		pfm_get_event_name(event.event, name, sizeof(name));
		if (!strncmp(name, "UNC_", 4))
			continue;
		event.num_masks = 0;
		learn_use(&event);
		pfm_get_num_event_masks(event.event, &num_masks);
		event.num_masks = 1;
		for (i = 0; i < num_masks; i++) {
			event.unit_masks[0] = i;
			learn_use(&event);
		}
	}
	assert_true(num_uses > 30);
}

/* What the model says, and the event file where it is stricter. */
static uint64_t counters_of_model(const char *model, uint64_t selector)
{
	uint64_t select = selector & 0xff, umask = selector >> 8 & 0xff;
	uint64_t counters = pmu_model_counters(model, selector);

	for (size_t i = 0; i < ARRAY_SIZE(stricter); i++)
		if (!strncmp(stricter[i].model, model,
			     strlen(stricter[i].model)) &&
		    stricter[i].select == select &&
		    stricter[i].first <= umask && stricter[i].last >= umask)
			counters &= stricter[i].counters;
	return counters;
}

/* Of a hybrid processor, those of the kind of core, or of both. */
static uint64_t expected_counters(uint64_t selector)
{
	uint64_t code = selector & ~KIND_BITS, counters = ~0ULL;

	if (!(selector & KIND_ATOM))
		counters &= counters_of_model(processor->model, code);
	for (size_t i = 0; i < ARRAY_SIZE(atoms); i++) {
		if (strcmp(atoms[i].name, processor->name) != 0)
			continue;
		counters &= COMMON_COUNTERS;
		if (!(selector & KIND_CORE))
			counters &= counters_of_model(atoms[i].model, code);
	}
	return counters;
}

static void events_have_the_counters_that_can_count_them(void **unused)
{
	uint64_t expected, all;
	char name[256];
	unsigned int i, wrong = 0;

	learn(*unused);
	for (i = 0; i < num_uses; i++) {
		if (!uses[i].selector)
			continue;
		expected = expected_counters(uses[i].selector);
		all = uses[i].counters & ((1ULL << FIXED_CONTROL) - 1);
		if (all == expected)
			continue;
		pfm_get_full_event_name(&uses[i].event, name, sizeof(name));
		print_message("%s 0x%llx: 0x%llx, of the model 0x%llx\n", name,
			      (unsigned long long)uses[i].selector,
			      (unsigned long long)all,
			      (unsigned long long)expected);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void draw_list(void)
{
	unsigned int num_counters, i;

	assert_int_equal(pfm_get_num_counters(&num_counters), 0);
	if (num_counters > NUM_COUNTERS)
		num_counters = NUM_COUNTERS;
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1 + draw(num_counters);
	for (i = 0; i < in.pfp_event_count; i++) {
		chosen[i] = draw(num_uses);
		in.pfp_events[i] = uses[chosen[i]].event;
	}
}

static void check_counts(void)
{
	uint64_t used = 0, pmd;
	unsigned int i;

	for (i = 0; i < out.pfp_pmd_count; i++) {
		pmd = out.pfp_pmds[i].reg_num;
		assert_false(used >> pmd & 1);
		used |= 1ULL << pmd;
		assert_non_null(find_pmc(control_of(pmd)));
		if (pmd < FIXED_CONTROL)
			assert_true(
				expected_counters(find_pmc(pmd)->reg_value) >>
					pmd &
				1);
		if (i >= in.pfp_event_count)
			assert_int_equal(find_pmc(pmd)->reg_value,
					 SELECT_MERGE);
	}
}

/* One register, two values; or the one event that has the reference cycles. */
static bool is_refused_for_registers(void)
{
	unsigned int i, j, reference = 0;

	for (i = 0; i < in.pfp_event_count; i++) {
		const struct use *a = &uses[chosen[i]];

		reference += a->counters >> PMD_REFERENCE & 1;
		for (j = 0; j < i; j++)
			if (a->extra_pmc &&
			    a->extra_pmc == uses[chosen[j]].extra_pmc &&
			    a->extra_value != uses[chosen[j]].extra_value)
				return true;
	}
	return reference > 1;
}

static bool can_assign(unsigned int i, uint64_t used)
{
	const struct use *use;
	uint64_t left, wanted;

	if (i == in.pfp_event_count)
		return true;
	use = &uses[chosen[i]];
	for (left = use->counters; left; left &= left - 1) {
		wanted = (left & -left) * (use->is_pair ? 3 : 1);
		if (!(used & wanted) && can_assign(i + 1, used | wanted))
			return true;
	}
	return false;
}

static void every_event_of_a_list_is_counted(void **unused)
{
	const char *lists = getenv("ASSIGN_LISTS");
	const char *seed = getenv("DISPATCH_SEED");
	unsigned int number = strtoul(lists ? lists : NUM_LISTS, NULL, 0);
	unsigned int assigned = 0, n;
	int ret;

	learn(*unused);
	state = ((seed ? strtoull(seed, NULL, 0) : 1) + 1) * 0x9e3779b97f4a7c15;
	for (n = 0; n < number; n++) {
		draw_list();
		ret = pfm_dispatch_events(&in, NULL, &out, NULL);
		if (ret == PFMLIB_SUCCESS) {
			check_counts();
			assigned++;
			continue;
		}
		assert_int_equal(ret, PFMLIB_ERR_NOASSIGN);
		assert_true(is_refused_for_registers() || !can_assign(0, 0));
	}
	assert_true(assigned > number / 10);
}

int main(void)
{
	struct CMUnitTest tests[2 * ARRAY_SIZE(processors)];

	for (size_t i = 0; i < ARRAY_SIZE(processors); i++) {
		tests[2 * i] = (struct CMUnitTest){
			.name = processors[i].name,
			.test_func =
				events_have_the_counters_that_can_count_them,
			.initial_state = (void *)&processors[i],
		};
		tests[2 * i + 1] = tests[2 * i];
		tests[2 * i + 1].test_func = every_event_of_a_list_is_counted;
	}
	return cmocka_run_group_tests_name("dispatch: what counts", tests, NULL,
					   NULL);
}
