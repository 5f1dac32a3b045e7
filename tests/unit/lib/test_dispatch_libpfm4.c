// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register values of every event, each with one of its masks, beside those that
 * libpfm4 composes itself: for the models whose values its encoder knows, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "force_pmu.h"
#include "events/pfmlib_events.h"

/* Of the Pentium 4: what libpfm4 leaves to the kernel. */
#define ESCR_THREAD1_LEVELS 0x3ULL
#define CCCR_OVF_PMI_T0 (1ULL << 26)

/* Family 10h has masks in groups, of which libpfm4 adds those left out. */
static const char *const models[] = {
	"33",	      "33,15,3,0",  "16,6,1,0",	  "16,15,5,1",	"16,15,5,8",
	"16,15,21,0", "16,15,35,0", "16,15,65,0", "16,15,80,0", "16,17,3,0",
	"16,18,1,0",  "16,20,1,0",  "16,21,1,0",  "16,22,0,0",	"16,23,1,0",
	"16,23,49,0", "16,25,1,0",  "16,25,17,0",
};

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

/* The values of the PMCs that are the event's alone, of the output. */
static unsigned int output_values(const struct pfmlib_pmu *pmu,
				  uint64_t *values)
{
	unsigned int first, i;

	/* A counter that is merged into the event's has a selector of its own. */
	if (pmu->model->type == PFMLIB_AMD64_PMU) {
		values[0] = out.pfp_pmcs[0].reg_value;
		return 1;
	}
	/* Replay tags come before the ESCR; libpfm4 does not know them. */
	first = out.pfp_pmc_count > 2 ? out.pfp_pmc_count - 2 : 0;
	for (i = first; i < out.pfp_pmc_count; i++)
		*values++ = out.pfp_pmcs[i].reg_value;
	return out.pfp_pmc_count - first;
}

/* False if one of the two has no values: the event is not of the processor. */
static bool compare(const struct pfmlib_pmu *pmu)
{
	const pfmlib_event_t *event = &in.pfp_events[0];
	uint64_t ours[2], theirs[2];
	unsigned int i;
	int count, ret;

	if (pmu->events[event->event].libpfm4 < 0)
		return false;
	count = pfmlib_encode(pmu, event, PFM_PLM3, theirs);
	ret = pfm_dispatch_events(&in, NULL, &out, NULL);
	if (count < 0 || ret == PFMLIB_ERR_EVTINCOMP)
		return false;
	assert_int_equal(ret, PFMLIB_SUCCESS);
	assert_int_equal(output_values(pmu, ours), count);
	if (pmu->model->type == PFMLIB_PENTIUM4_PMU) {
		theirs[0] &= ~ESCR_THREAD1_LEVELS;
		theirs[1] |= CCCR_OVF_PMI_T0;
	}
	for (i = 0; i < (unsigned int)count; i++)
		if (ours[i] != theirs[i])
			fail_msg("%s mask %u: 0x%llx, libpfm4 has 0x%llx",
				 pmu->events[event->event].name,
				 event->unit_masks[0],
				 (unsigned long long)ours[i],
				 (unsigned long long)theirs[i]);
	return true;
}

static void values_are_those_of_libpfm4(void **state)
{
	unsigned int num_masks, compared = 0, others = 0, i;
	const struct pfmlib_pmu *pmu;
	pfmlib_event_t *event = &in.pfp_events[0];

	force_pmu(*state);
	pmu = pfmlib_current();
	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	for (event->event = 0; event->event < pmu->num_events; event->event++) {
		assert_int_equal(
			pfm_get_num_event_masks(event->event, &num_masks), 0);
		event->num_masks = num_masks ? 1 : 0;
		for (i = 0; i < num_masks || !i; i++) {
			event->unit_masks[0] = i;
			if (compare(pmu))
				compared++;
			else
				others++;
		}
	}
	/* INSTR_COMPLETED, which the first Pentium 4 models do not have. */
	assert_in_range(others, 0, 2);
	assert_in_range(compared, 39, 1000);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_SIZE(models)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(models); i++)
		tests[i] = (struct CMUnitTest){
			.name = models[i],
			.test_func = values_are_those_of_libpfm4,
			.initial_state = (void *)models[i],
		};
	return cmocka_run_group_tests_name("dispatch: libpfm4's values", tests,
					   NULL, NULL);
}
