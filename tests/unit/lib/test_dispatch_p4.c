// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the Pentium 4: ESCRs, CCCRs and their counters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "dispatched.h"
#include "force_pmu.h"

static void every_event_gets_an_escr_and_a_counter_of_its_group(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(
		dispatched(events(
			"BPU_FETCH_REQUEST:TCMISS BPU_FETCH_REQUEST:TCMISS")),
		"0=0x600020c 23=0x4031000 32=0x600020c 54=0x4031000 | 0 9");
}

static void the_counters_of_a_group_have_an_order(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(
		dispatched(events("INSTR_RETIRED:NBOGUSNTAG "
				  "RESOURCE_STALL:SBFULL "
				  "UOPS_TYPE:TAGLOADS")),
		"20=0x400020c 29=0x4039000 17=0x200400c 31=0x4033000 "
		"18=0x400040c 30=0x4035000 | 6 8 7");
}

static void an_escr_serves_one_event(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(dispatched(events("BSQ_ACTIVE_ENTRIES:REQ_TYPE0 "
					      "BSQ_ACTIVE_ENTRIES:REQ_TYPE0")),
			    "error -5");
	assert_string_equal(
		dispatched(
			events("X87_FP_UOP:ALL X87_FP_UOP:ALL X87_FP_UOP:ALL")),
		"error -5");
}

static void an_event_makes_room_for_one_that_has_no_other_escr(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(
		dispatched(events("BSQ_CACHE_REFERENCE:RD_2NDL_HITS "
				  "BSQ_ALLOCATION:REQ_TYPE0")),
		"39=0x1800020c 54=0x403f000 7=0xa00020c 23=0x403f000 | 9 0");
}

static void unavailable_registers_are_passed_over(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("33");
	in = events("GLOBAL_POWER_EVENTS:RUNNING");
	without_pmc(in, 23);
	assert_string_equal(dispatched(in), "6=0x2600020c 24=0x403d000 | 1");
	without_pmc(in, 6);
	assert_string_equal(dispatched(in), "38=0x2600020c 54=0x403d000 | 9");
	without_pmc(in, 38);
	assert_string_equal(dispatched(in), "error -5");
}

static void tags_set_the_tag_bits(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(dispatched(events("X87_FP_UOP:ALL:TAG0:TAG3")),
			    "12=0x900013c 27=0x4033000 | 4");
}

static void replay_tags_need_their_registers(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("33");
	in = events("REPLAY_EVENT:NBOGUS:BR_MSP");
	assert_string_equal(
		dispatched(in),
		"64=0x1018001 63=0x10 21=0x1200020c 29=0x403b000 | 6");
	without_pmc(in, 63);
	assert_string_equal(dispatched(in), "error -5");
	in = events("REPLAY_EVENT:NBOGUS");
	without_pmc(in, 63);
	assert_string_equal(dispatched(in), "21=0x1200020c 29=0x403b000 | 6");
}

static void some_bus_events_need_no_mask(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(dispatched(events("B2B_CYCLES")),
			    "6=0x2c00000c 23=0x4037000 | 0");
	assert_string_equal(dispatched(events("BNR")),
			    "6=0x1000000c 23=0x4037000 | 0");
	assert_string_equal(dispatched(events("SNOOP")),
			    "6=0xc00000c 23=0x4037000 | 0");
	assert_string_equal(dispatched(events("RESPONSE")),
			    "6=0x800000c 23=0x4037000 | 0");
}

static void instr_completed_is_of_later_models(void **state)
{
	static const struct {
		const char *pmu;
		bool has_event;
	} models[] = {
		{ "33", false },	{ "33,15,0,0", false },
		{ "33,15,1,0", false }, { "33,15,2,0", false },
		{ "33,15,3,0", true },	{ "33,15,4,0", true },
		{ "33,15,5,0", false }, { "33,15,6,0", true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		force_pmu(models[i].pmu);
		assert_string_equal(
			dispatched(events("INSTR_COMPLETED:NBOGUS")),
			models[i].has_event ? "20=0xe00020c 29=0x4039000 | 6" :
					      "error -11");
	}
}

static void errors_come_in_the_order_of_the_events(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("33");
	in = events("INSTR_COMPLETED:NBOGUS GLOBAL_POWER_EVENTS:RUNNING");
	in->pfp_events[1].plm = PFM_PLM2;
	assert_string_equal(dispatched(in), "error -11");
	in = events("BSQ_ALLOCATION:REQ_TYPE0 BSQ_ALLOCATION:REQ_TYPE0 "
		    "INSTR_COMPLETED:NBOGUS");
	assert_string_equal(dispatched(in), "error -5");
}

static void addresses_are_those_of_the_registers(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(addresses(events("INSTR_RETIRED:NBOGUSNTAG "
					     "INSTR_RETIRED:NBOGUSNTAG")),
			    "20@0x3b8 29@0x36c 51@0x3b9 60@0x36e | 6@0x30c/0xc "
			    "15@0x30e/0xe");
	assert_string_equal(
		addresses(events("REPLAY_EVENT:NBOGUS:L1_LD_MISS")),
		"64@0x3f1 63@0x3f2 21@0x3cc 29@0x36c | 6@0x30c/0xc");
}

static void the_counters_of_an_event_are_those_of_its_escrs(void **state)
{
	(void)state;
	force_pmu("33");
	assert_string_equal(counters_of("INSTR_RETIRED"), "6 7 8 15 16 17");
	assert_string_equal(counters_of("BSQ_ALLOCATION"), "0 1");
	assert_string_equal(counters_of("BSQ_ACTIVE_ENTRIES"), "9 10");
}

static void later_models_lack_two_escrs(void **state)
{
	static const struct {
		const char *pmu;
		unsigned int num_pmcs;
	} models[] = {
		{ "33", 63 },	     { "33,15,0,0", 63 }, { "33,15,1,0", 63 },
		{ "33,15,2,0", 63 }, { "33,15,3,0", 61 }, { "33,15,4,0", 61 },
		{ "33,15,6,0", 61 },
	};
	pfmlib_regmask_t pmcs;
	unsigned int count;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(models); i++) {
		force_pmu(models[i].pmu);
		pfm_get_num_pmcs(&count);
		assert_int_equal(count, models[i].num_pmcs);
		pfm_get_impl_pmcs(&pmcs);
		assert_int_equal(pfm_regmask_isset(&pmcs, 16), count == 63);
		assert_int_equal(pfm_regmask_isset(&pmcs, 48), count == 63);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			every_event_gets_an_escr_and_a_counter_of_its_group),
		cmocka_unit_test(the_counters_of_a_group_have_an_order),
		cmocka_unit_test(an_escr_serves_one_event),
		cmocka_unit_test(
			an_event_makes_room_for_one_that_has_no_other_escr),
		cmocka_unit_test(unavailable_registers_are_passed_over),
		cmocka_unit_test(tags_set_the_tag_bits),
		cmocka_unit_test(replay_tags_need_their_registers),
		cmocka_unit_test(some_bus_events_need_no_mask),
		cmocka_unit_test(instr_completed_is_of_later_models),
		cmocka_unit_test(errors_come_in_the_order_of_the_events),
		cmocka_unit_test(addresses_are_those_of_the_registers),
		cmocka_unit_test(
			the_counters_of_an_event_are_those_of_its_escrs),
		cmocka_unit_test(later_models_lack_two_escrs),
	};

	return cmocka_run_group_tests_name("dispatch: Pentium 4", tests, NULL,
					   NULL);
}
