// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_dispatch_events() with random calls for Intel's processors since Core Duo. A
 * second implementation of the rules (dispatch_reference.h) judges them up to
 * Westmere, since Sandy Bridge the dispatch of each event alone.
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
#include "dispatch_case.h"
#include "dispatch_reference.h"

#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_coreduo.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>

#define CALLS 8000
#define NEWER_CALLS 300

struct random_model {
	int type;
	const char *with;
};

static const struct random_model models[] = {
	{ PFMLIB_COREDUO_PMU, "" },
	{ PFMLIB_CORE_PMU, "" },
	{ PFMLIB_INTEL_ATOM_PMU, "" },
	{ PFMLIB_INTEL_NHM_PMU, "" },
	{ PFMLIB_INTEL_WSM_PMU, "" },
	{ PFMLIB_GEN_IA32_PMU, "version=1" },
	{ PFMLIB_GEN_IA32_PMU, "version=2 fixed=0" },
	{ PFMLIB_GEN_IA32_PMU, "version=3" },
	{ PFMLIB_GEN_IA32_PMU, "version=4 generic=4" },
	{ PFMLIB_GEN_IA32_PMU, "version=5 generic=8 fixed=4" },
};

/* Events with rules of their own are drawn more often than others. */
static const char *const favourites[] = {
	"UNHALTED_CORE_CYCLES",
	"INSTRUCTIONS_RETIRED",
	"UNHALTED_REFERENCE_CYCLES",
	"CPU_CLK_UNHALTED",
	"INST_RETIRED",
	"MEM_LOAD_RETIRED",
	"MEM_INST_RETIRED",
	"FP_ASSIST",
	"MUL",
	"DIV",
	"FP_COMP_OPS_EXE",
	"FP_COMP_INSTR_RET",
	"CYCLES_DIV_BUSY",
	"L1D",
	"LOAD_HIT_PRE",
	"CACHE_LOCK_CYCLES",
	"OFFCORE_RESPONSE_0",
	"OFFCORE_RESPONSE_1",
	"OFFCORE_REQUESTS_OUTSTANDING",
	"UNC_CLK_UNHALTED",
	"UNC_LLC_MISS",
	"UOPS_RETIRED",
	"L2_LD",
	"RS_UOPS_DISPATCHED_NONE",
	"L1D_PEND_MISS",
	"CYCLE_ACTIVITY",
	"MEM_TRANS_RETIRED",
	"TOPDOWN",
};

static union {
	pfmlib_core_input_param_t core;
	pfmlib_coreduo_input_param_t coreduo;
	pfmlib_gen_ia32_input_param_t arch;
	pfmlib_intel_atom_input_param_t atom;
	pfmlib_nhm_input_param_t nhm;
} model_in;

static pfmlib_input_param_t in, alone;
static pfmlib_output_param_t out;
static uint64_t state = 0x9e3779b97f4a7c15;

static unsigned int draw(unsigned int limit)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned int)(state >> 33) % limit;
}

static bool one_in(unsigned int number)
{
	return draw(number) == 0;
}

static unsigned int draw_event(const struct pfmlib_pmu *pmu)
{
	unsigned int event;

	if (one_in(2) &&
	    pfm_find_event(favourites[draw(ARRAY_SIZE(favourites))], &event) ==
		    PFMLIB_SUCCESS)
		return event;
	return draw(pmu->num_events);
}

static unsigned int masks_of(const pfmlib_event_t *event)
{
	unsigned int num_masks;

	assert_int_equal(pfm_get_num_event_masks(event->event, &num_masks), 0);
	return num_masks;
}

static void draw_masks(pfmlib_event_t *event)
{
	unsigned int num_masks = masks_of(event);
	unsigned int i, mask, wanted = 1 + one_in(3) + one_in(6);

	if (!num_masks)
		return;
	while (wanted--) {
		mask = draw(num_masks);
		for (i = 0; i < event->num_masks; i++)
			if (event->unit_masks[i] == mask)
				break;
		if (i == event->num_masks)
			event->unit_masks[event->num_masks++] = mask;
	}
}

static void set_modifiers(int type, unsigned int i, unsigned int flags,
			  unsigned long cnt_mask)
{
	switch (type) {
	case PFMLIB_COREDUO_PMU:
		model_in.coreduo.pfp_coreduo_counters[i].flags = flags;
		model_in.coreduo.pfp_coreduo_counters[i].cnt_mask = cnt_mask;
		break;
	case PFMLIB_CORE_PMU:
		model_in.core.pfp_core_counters[i].flags = flags;
		model_in.core.pfp_core_counters[i].cnt_mask = cnt_mask;
		break;
	case PFMLIB_INTEL_ATOM_PMU:
		model_in.atom.pfp_intel_atom_counters[i].flags = flags;
		model_in.atom.pfp_intel_atom_counters[i].cnt_mask = cnt_mask;
		break;
	case PFMLIB_GEN_IA32_PMU:
		model_in.arch.pfp_gen_ia32_counters[i].flags = flags;
		model_in.arch.pfp_gen_ia32_counters[i].cnt_mask = cnt_mask;
		break;
	default:
		model_in.nhm.pfp_nhm_counters[i].flags = flags;
		model_in.nhm.pfp_nhm_counters[i].cnt_mask = cnt_mask;
		break;
	}
}

static void set_pebs(struct reference_call *call)
{
	switch (call->type) {
	case PFMLIB_CORE_PMU:
		model_in.core.pfp_core_pebs.pebs_used = call->pebs;
		break;
	case PFMLIB_INTEL_ATOM_PMU:
		model_in.atom.pfp_intel_atom_pebs_used = call->pebs;
		break;
	case PFMLIB_INTEL_NHM_PMU:
	case PFMLIB_INTEL_WSM_PMU:
		model_in.nhm.pfp_nhm_pebs.pebs_used = call->pebs;
		model_in.nhm.pfp_nhm_pebs.ld_lat_thres = call->threshold;
		model_in.nhm.pfp_nhm_lbr.lbr_used = call->lbr;
		break;
	default:
		break;
	}
}

static void draw_use(const struct pfmlib_pmu *pmu, struct reference_call *call,
		     unsigned int i)
{
	static const unsigned int levels[] = { 1, 8, 9, 2 };
	struct reference_use *use = &call->uses[i];
	pfmlib_event_t *event = &in.pfp_events[i];
	const struct pfmlib_event_desc *desc;
	unsigned int mask;

	event->event = draw_event(pmu);
	draw_masks(event);
	event->plm = one_in(4) ? levels[one_in(12) ? 3 : draw(3)] : 0;
	event->flags = one_in(60) ? 1U << draw(5) : 0;
	desc = &pmu->events[event->event];
	*use = (struct reference_use){
		.event = desc->name,
		.num_masks = event->num_masks,
		.code = desc->code,
		.is_uncore = desc->flags & PFMLIB_EV_UNCORE,
		.own_plm = event->plm,
		.event_flags = event->flags,
		.flags = one_in(5) ? draw(one_in(10) ? 16 : 8) : 0,
		.cnt_mask = one_in(6) ? draw(one_in(20) ? 300 : 4) : 0,
	};
	for (mask = 0; mask < event->num_masks; mask++) {
		unsigned int number = event->unit_masks[mask];

		use->masks[mask] = desc->masks[number].name;
		use->mask_codes[mask] = desc->masks[number].code;
	}
	set_modifiers(call->type, i, use->flags, use->cnt_mask);
}

static void draw_call(const struct pfmlib_pmu *pmu, struct reference_call *call)
{
	static const unsigned int levels[] = { 8, 9, 9, 1 };
	pfmlib_regmask_t pmcs = pmu->impl_pmcs;
	unsigned int i, pmc;

	memset(call, 0, sizeof(*call));
	memset(&in, 0, sizeof(in));
	memset(&model_in, 0, sizeof(model_in));
	call->type = pmu->model->type;
	call->version = pmu->cpu.arch_version;
	call->plm = in.pfp_dfl_plm = levels[draw(4)];
	while (pfm_regmask_isset((pfmlib_regmask_t *)&pmu->impl_counters,
				 call->num_generic))
		call->num_generic++;
	while (pfm_regmask_isset((pfmlib_regmask_t *)&pmu->impl_counters,
				 16 + call->num_fixed) &&
	       call->num_fixed < 4)
		call->num_fixed++;
	in.pfp_event_count = call->num_uses =
		draw(pmu->num_counters < 7 ? pmu->num_counters + 1 : 8);
	for (i = 0; i < call->num_uses; i++)
		draw_use(pmu, call, i);
	for (pmc = 0; one_in(2) && pmc < REFERENCE_PMCS; pmc++) {
		if (!pfm_regmask_isset(&pmcs, pmc) || !one_in(6))
			continue;
		call->unavailable[pmc] = true;
		pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);
	}
	call->pebs = one_in(3);
	call->threshold = one_in(2) ? draw(12) : 0;
	call->lbr = one_in(10);
	set_pebs(call);
}

static void print_call(const struct reference_call *call)
{
	unsigned int i, mask;

	print_message("type %d plm %u pebs %d lat %u:", call->type, call->plm,
		      call->pebs, call->threshold);
	for (i = 0; i < call->num_uses; i++) {
		print_message(" %s", call->uses[i].event);
		for (mask = 0; mask < call->uses[i].num_masks; mask++)
			print_message(":%s", call->uses[i].masks[mask]);
		print_message(",p=%u,f=%x,c=%lu", call->uses[i].own_plm,
			      call->uses[i].flags, call->uses[i].cnt_mask);
	}
	for (i = 0; i < REFERENCE_PMCS; i++)
		if (call->unavailable[i])
			print_message(" -%u", i);
	print_message("\n");
}

static bool is_as_expected(const struct reference_call *call,
			   const struct reference_result *expected)
{
	unsigned int i;

	if (out.pfp_pmc_count != expected->num_pmcs)
		return false;
	for (i = 0; i < expected->num_pmcs; i++)
		if (out.pfp_pmcs[i].reg_num != expected->pmcs[i].num ||
		    out.pfp_pmcs[i].reg_value != expected->pmcs[i].value)
			return false;
	if (out.pfp_pmd_count < call->num_uses)
		return false;
	for (i = 0; i < call->num_uses; i++)
		if (out.pfp_pmds[i].reg_num != expected->counter[i])
			return false;
	return true;
}

/* No counter twice, each for its event. */
static bool is_legal(const struct reference_call *call)
{
	uint64_t used = 0;
	unsigned int i;

	for (i = 0; i < call->num_uses; i++) {
		unsigned int counter = out.pfp_pmds[i].reg_num;

		if (used >> counter & 1 ||
		    !reference_is_legal(call, i, counter))
			return false;
		used |= 1ULL << counter;
	}
	return true;
}

static void judge(const struct reference_call *call, int error)
{
	struct reference_result expected;
	bool steps_failed = reference_dispatch(call, &expected);
	bool right;

	if (steps_failed && reference_can_assign(call))
		right = !error && is_legal(call);
	else if (expected.error)
		right = error == expected.error;
	else
		right = !error && is_as_expected(call, &expected);
	if (!right) {
		print_call(call);
		fail_msg("returns %d, expected %d%s", error, expected.error,
			 steps_failed ? " unless there is another way" : "");
	}
}

static void random_calls_are_dispatched_by_the_rules(void **unused)
{
	unsigned int successes = 0;

	(void)unused;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		const struct pfmlib_pmu *pmu =
			dispatch_use(models[i].type, models[i].with);
		struct reference_call call;
		unsigned int n;
		int error;

		for (n = 0; n < CALLS; n++) {
			draw_call(pmu, &call);
			error = pfm_dispatch_events(&in, &model_in, &out, NULL);
			judge(&call, error);
			successes += !error;
		}
	}
	/* The judge is not to see errors only. */
	assert_true(successes > CALLS);
}

/* The counters that can count event i of the call, were it alone. */
static uint64_t counters_alone(const struct pfmlib_pmu *pmu, unsigned int i)
{
	uint64_t counters = 0;
	unsigned int counter, other;

	alone.pfp_dfl_plm = in.pfp_dfl_plm;
	alone.pfp_event_count = 1;
	alone.pfp_events[0] = in.pfp_events[i];
	/* 16 stands for all fixed counters. */
	for (counter = 0; counter <= 16; counter++) {
		if (!pfm_regmask_isset((pfmlib_regmask_t *)&pmu->impl_counters,
				       counter))
			continue;
		alone.pfp_unavail_pmcs = in.pfp_unavail_pmcs;
		for (other = 0; other <= 16; other++)
			if (other != counter)
				pfm_regmask_set(&alone.pfp_unavail_pmcs, other);
		if (pfm_dispatch_events(&alone, NULL, &out, NULL) ==
		    PFMLIB_SUCCESS)
			counters |= 1ULL << out.pfp_pmds[0].reg_num;
	}
	return counters;
}

static bool can_assign(const uint64_t *counters, unsigned int num_events,
		       uint64_t used)
{
	unsigned int counter;

	if (!num_events)
		return true;
	for (counter = 0; counter < 32; counter++)
		if (*counters & ~used & 1ULL << counter &&
		    can_assign(counters + 1, num_events - 1,
			       used | 1ULL << counter))
			return true;
	return false;
}

static bool shares_a_register(const struct pfmlib_pmu *pmu)
{
	static const char *const sharers[] = { "OFFCORE_RESPONSE_0",
					       "OFFCORE_RESPONSE_1", "OCR",
					       "FRONTEND_RETIRED" };
	unsigned int i, name, count = 0;

	for (i = 0; i < in.pfp_event_count; i++)
		for (name = 0; name < ARRAY_SIZE(sharers); name++)
			count += !strcmp(
				pmu->events[in.pfp_events[i].event].name,
				sharers[name]);
	return count > 1;
}

static void draw_newer_call(const struct pfmlib_pmu *pmu)
{
	unsigned int i, pmc, num_masks;

	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = one_in(2) ? PFM_PLM3 : PFM_PLM0 | PFM_PLM3;
	in.pfp_event_count = draw(pmu->num_counters + 1);
	for (i = 0; i < in.pfp_event_count; i++) {
		in.pfp_events[i].event = draw_event(pmu);
		num_masks = masks_of(&in.pfp_events[i]);
		if (num_masks) {
			in.pfp_events[i].num_masks = 1;
			in.pfp_events[i].unit_masks[0] = draw(num_masks);
		}
	}
	for (pmc = 0; one_in(2) && pmc <= 16; pmc++)
		if (one_in(6))
			pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);
}

static void check_newer_assignment(const uint64_t *counters)
{
	uint64_t used = 0;
	unsigned int i, pmc;

	assert_int_equal(out.pfp_pmd_count, in.pfp_event_count);
	for (i = 0; i < in.pfp_event_count; i++) {
		unsigned int counter = out.pfp_pmds[i].reg_num;
		unsigned int control = counter < 16 ? counter : 16;

		assert_true(counters[i] >> counter & 1);
		assert_false(used >> counter & 1);
		used |= 1ULL << counter;
		for (pmc = 0; pmc < out.pfp_pmc_count; pmc++)
			if (out.pfp_pmcs[pmc].reg_num == control)
				break;
		assert_true(pmc < out.pfp_pmc_count);
	}
}

static void newer_models_find_counters_wherever_there_are_any(void **unused)
{
	unsigned int successes = 0;

	(void)unused;
	for (int type = PFMLIB_INTEL_SNB_PMU; type <= PFMLIB_INTEL_KNL_PMU;
	     type++) {
		const struct pfmlib_pmu *pmu = dispatch_use(type, "");

		for (unsigned int n = 0; n < NEWER_CALLS; n++) {
			uint64_t counters[REFERENCE_EVENTS];
			unsigned int i;
			bool possible;
			int error;

			draw_newer_call(pmu);
			for (i = 0; i < in.pfp_event_count; i++)
				counters[i] = counters_alone(pmu, i);
			possible = can_assign(counters, in.pfp_event_count, 0);
			error = pfm_dispatch_events(&in, NULL, &out, NULL);
			if (!error)
				check_newer_assignment(counters);
			else if (!shares_a_register(pmu))
				assert_false(possible);
			successes += !error;
		}
	}
	assert_true(successes > NEWER_CALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_calls_are_dispatched_by_the_rules),
		cmocka_unit_test(
			newer_models_find_counters_wherever_there_are_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
