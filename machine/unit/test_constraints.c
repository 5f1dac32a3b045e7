// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which counters count which events. The table of the rules is made from Linux'
 * driver; here are events that manuals and errata name, as samples of it.
 */

#include "pmu_harness.h"

static const struct {
	const char *model;
	uint64_t select, counters;
} documented[] = {
	{ "p6", 0x10, 0x1 }, /* FP_COMP_OPS_EXE */
	{ "p6", 0x13, 0x2 }, /* DIV */
	{ "coreduo", 0x14, 0x1 }, /* CYCLES_DIV_BUSY */
	{ "core2", 0xcb, 0x1 }, /* MEM_LOAD_RETIRED */
	{ "core2", 0x12, 0x2 }, /* MUL */
	{ "nehalem", 0x0f40, 0x3 }, /* L1D_CACHE_LD */
	{ "nehalem", 0x01b7, 0xf }, /* OFFCORE_RESPONSE_0 */
	{ "westmere", 0x01b3, 0x1 }, /* SNOOPQ_REQUESTS_OUTSTANDING */
	{ "sandybridge", 0x01c0, 0x2 }, /* INST_RETIRED.PREC_DIST */
	{ "sandybridge", 0x02cd, 0x8 }, /* PRECISE_STORE */
	{ "sandybridge-8", 0x81d0, 0x0f }, /* MEM_UOPS_RETIRED */
	{ "sandybridge-8", 0x00c0, 0xff },
	{ "ivybridge-8", 0x0279, 0x0f }, /* IDQ.EMPTY */
	{ "ivybridge-8", 0x0479, 0xff }, /* IDQ.MITE_UOPS */
	{ "haswell", 0x08a3, 0x4 }, /* CYCLES_L1D_PENDING */
	{ "haswell-8", 0x04a3, 0x0f },
	{ "haswell-8", 0x01a3, 0xff },
	/* A bit of the unit mask, whatever the others are. */
	{ "broadwell", 0x0ca3, 0x4 },
	{ "broadwell", 0x04a3, 0xf },
	{ "skylake-8", 0x01c6, 0x0f }, /* FRONTEND_RETIRED */
	{ "skylake-8", 0x01d4, 0xff },
	{ "icelake", 0x01d1, 0x0f }, /* MEM_LOAD_RETIRED */
	{ "icelake", 0x0151, 0x0f }, /* L1D.REPLACEMENT */
	{ "icelake", 0x14a3, 0xff }, /* an exception among 0xa3 */
	{ "icelake", 0x0ca3, 0x0f },
	{ "icelake", 0x0400, 0x00 }, /* slots: fixed counter only */
	{ "spr", 0x02cd, 0x01 }, /* STORE_SAMPLE */
	{ "spr", 0x08a4, 0x01 }, /* BR_MISPREDICT_SLOTS */
	{ "spr", 0x4f2e, 0xff }, /* an exception below 0x90 */
	{ "spr", 0x3c, 0xff },
	{ "spr", 0x0151, 0x0f },
	{ "spr", 0x01c4, 0xff },
	{ "gnr", 0x0151, 0x0f },
	{ "lioncove", 0x02cd, 0x03 }, /* STORE_SAMPLE */
	{ "lioncove", 0x10a4, 0x08 }, /* MEMORY_BOUND_SLOTS */
	{ "lioncove", 0x87d0, 0x3ff }, /* an exception among 0xd0 to 0xdf */
	{ "lioncove", 0x01d1, 0x0f },
	{ "srf", 0x01d1, 0xff },
	{ "goldencove", 0x01d1, 0x0f },
	{ "gracemont", 0x01d1, 0x3f },
	{ "fam15h", 0x0f03, 0x08 }, /* floating point: 3 only */
	{ "fam15h", 0x1000, 0x38 }, /* one pipe each */
	{ "fam15h", 0x1100, 0x08 }, /* several */
	{ "fam15h", 0x0176, 0x07 }, /* cycles: as all of this unit */
	{ "fam15h", 0xc0, 0x3f },
	{ "fam15h", 0x1000000c0, 0x38 },
	{ "fam15h", 0xe0, 0x00 }, /* north bridge: other registers */
	{ "zen", 0xff03, 0x15 }, /* needs a counter beside it */
	{ "zen", 0xf000000ff, 0x2a }, /* which merges */
	{ "zen", 0xff04, 0x3f },
	{ "zen4", 0xff03, 0x15 },
	{ "zen5", 0xff03, 0x15 },
	{ "k10", 0xe1, 0xf },
};

static void documented_events_are_restricted_to_their_counters(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(documented); i++)
		assert_int_equal(pmu_model_counters(documented[i].model,
						    documented[i].select),
				 documented[i].counters);
}

static void levels_and_filters_do_not_matter(void **state)
{
	const uint64_t filters = USR | OS | EDGE | INT | EN | INV | CMASK(3);

	(void)state;
	assert_int_equal(pmu_model_counters("icelake", 0x1d1 | filters), 0xf);
	assert_int_equal(pmu_model_counters("fam15h", 3 | filters), 0x8);
	/* Bits about transactions are not bits of the event. */
	assert_int_equal(pmu_model_counters("haswell", 0x1cd | 3ull << 32),
			 0x8);
}

static void unknown_models_have_no_counters(void **state)
{
	(void)state;
	assert_int_equal(pmu_model_counters("perfect", INSNS_EVENT), 0);
	assert_int_equal(pmu_model_counters("none", INSNS_EVENT), 0);
}

static void instructions_count_on_all_counters_of_all_models(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++)
		assert_int_equal(pmu_model_counters(models[i].name,
						    INSNS_EVENT),
				 (1ull << models[i].counters) - 1);
}

/* What a counter says of an event after many instructions. */
static bool moves(const struct model *m, unsigned int i, uint64_t select)
{
	struct pmu pmu;

	start_model(&pmu, m);
	start_counter(&pmu, m, i, select | OS);
	run(&pmu, 10000);
	return rd(&pmu, counter_msr(m, i)) != 0;
}

static void counters_stand_still_with_events_of_others(void **state)
{
	unsigned int model, i;
	uint64_t event, counters;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++)
		for (event = 1; event <= 0xff; event++) {
			const struct model *m = &models[model];

			counters = pmu_model_counters(m->name, 0x500 | event);
			for (i = 0; i < m->counters; i++)
				assert_int_equal(moves(m, i, 0x500 | event),
						 counters >> i & 1);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			documented_events_are_restricted_to_their_counters),
		cmocka_unit_test(levels_and_filters_do_not_matter),
		cmocka_unit_test(unknown_models_have_no_counters),
		cmocka_unit_test(
			instructions_count_on_all_counters_of_all_models),
		cmocka_unit_test(counters_stand_still_with_events_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
