// SPDX-License-Identifier: GPL-2.0-only
/*
 * What libpfm 3.10 answered, case by case: values, registers, and their order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <perfmon/pfmlib_amd64.h>
#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_i386_p6.h>
#include <perfmon/pfmlib_intel_nhm.h>

#include "array_size.h"
#include "dispatched.h"
#include "force_pmu.h"

#define USER PFM_PLM3
#define BOTH (PFM_PLM0 | PFM_PLM3)

struct dispatch_case {
	const char *model;
	const char *events;
	unsigned int plm;
	void *model_in;
	const char *expected;
};

static pfmlib_i386_p6_input_param_t p6_options = {
	.pfp_i386_p6_counters = {
		{ PFM_I386_P6_CNT_MASK_2, PFM_I386_P6_SEL_INV },
		{ PFM_I386_P6_CNT_MASK_1,
		  PFM_I386_P6_SEL_INV | PFM_I386_P6_SEL_EDGE },
	},
};
static pfmlib_amd64_input_param_t guest_option = {
	.pfp_amd64_counters = { { 0, PFM_AMD64_SEL_GUEST } },
};
static pfmlib_amd64_input_param_t guest_and_host = {
	.pfp_amd64_counters = { { 0, PFM_AMD64_SEL_GUEST },
				{ 0, PFM_AMD64_SEL_HOST } },
};
static pfmlib_core_input_param_t core_pebs = {
	.pfp_core_pebs = { .pebs_used = 1 },
};
static pfmlib_core_input_param_t core_options = {
	.pfp_core_counters = {
		{ 2, PFM_CORE_SEL_INV | PFM_CORE_SEL_EDGE },
		{ 0, PFM_CORE_SEL_EDGE },
	},
};
static pfmlib_gen_ia32_input_param_t arch_options = {
	.pfp_gen_ia32_counters = {
		{ 0, PFM_GEN_IA32_SEL_ANYTHR },
		{ 2, PFM_GEN_IA32_SEL_ANYTHR | PFM_GEN_IA32_SEL_INV },
	},
};
static pfmlib_nhm_input_param_t nhm_pebs = {
	.pfp_nhm_pebs = { .pebs_used = 1 },
};

/* clang-format off */
static const struct dispatch_case cases[] = {
	{ "37",
	  "CPU_CLK_UNHALTED INST_RETIRED",
	  BOTH, NULL,
	  "0=0x530079 1=0x1300c0 | 0 1" },
	{ "38",
	  "FP_ASSIST",
	  USER, NULL,
	  "1=0x110011 0=0x400000 | 1" },
	{ "32",
	  "CPU_CLK_UNHALTED FLOPS",
	  USER, NULL,
	  "1=0x110079 0=0x5100c1 | 1 0" },
	{ "35",
	  "FLOPS FP_COMP_OPS_EXE",
	  USER, NULL,
	  "error -5" },
	{ "35",
	  "L2_LD:M:E:NON_HW_PREFETCH",
	  BOTH, NULL,
	  "0=0x532c29 | 0" },
	{ "32",
	  "CPU_CLK_UNHALTED INST_RETIRED",
	  USER, &p6_options,
	  "0=0x2d10079 1=0x19500c0 | 0 1" },
	{ "38",
	  "BUS_TRANS_BRD:SELF:ANY",
	  USER, NULL,
	  "error -9" },
	{ "16,6,1,0",
	  "CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS "
	  "DATA_CACHE_ACCESSES DATA_CACHE_MISSES",
	  USER, NULL,
	  "0=0x510076 1=0x5100c0 2=0x510040 3=0x510041 | 0 1 2 3" },
	{ "16,15,65,0",
	  "CPU_CLK_UNHALTED",
	  USER, &guest_option,
	  "error -19" },
	{ "16,16,2,2",
	  "CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS",
	  USER, &guest_and_host,
	  "0=0x10000510076 1=0x200005100c0 | 0 1" },
	{ "16,16,4,2",
	  "RETIRED_X87_OPS:ADD_SUB_OPS LFENCE_INST_RETIRED",
	  BOTH, NULL,
	  "0=0x1005301c0 1=0x1005300d3 | 0 1" },
	{ "16,21,1,0",
	  "CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS "
	  "DATA_CACHE_ACCESSES RETIRED_BRANCH_INSTRUCTIONS "
	  "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS RETIRED_UOPS",
	  USER, NULL,
	  "0=0x510076 1=0x5100c0 2=0x510040 3=0x5100c2 4=0x5100c3 "
	  "5=0x5100c1 | 0 1 2 3 4 5" },
	{ "33",
	  "GLOBAL_POWER_EVENTS:RUNNING "
	  "INSTR_RETIRED:NBOGUSNTAG:NBOGUSTAG",
	  BOTH, NULL,
	  "6=0x2600020c 23=0x403d000 20=0x400060c 29=0x4039000 | 0 6" },
	{ "33",
	  "REPLAY_EVENT:NBOGUS:L1_LD_MISS:DTLB_ST_MISS "
	  "GLOBAL_POWER_EVENTS:RUNNING",
	  USER, NULL,
	  "64=0x1000005 63=0x3 21=0x12000204 29=0x403b000 "
	  "6=0x26000204 23=0x403d000 | 6 0" },
	{ "33",
	  "BSQ_ALLOCATION:REQ_TYPE0 BSQ_ALLOCATION:REQ_TYPE0",
	  USER, NULL,
	  "error -5" },
	{ "33",
	  "X87_FP_UOP:ALL:TAG0 EXECUTION_EVENT:NBOGUS0",
	  USER, NULL,
	  "12=0x9000034 27=0x4033000 21=0x18000204 29=0x403b000 | 4 6" },
	{ "34",
	  "L2_ST:BOTH_CORES:M_STATE FP_COMP_INSTR_RET",
	  USER, NULL,
	  "1=0x51c82a 0=0x5100c1 | 1 0" },
	{ "36",
	  "UNHALTED_CORE_CYCLES INSTRUCTIONS_RETIRED "
	  "UNHALTED_REFERENCE_CYCLES LOAD_BLOCK:STA FP_ASSIST",
	  BOTH, NULL,
	  "16=0xbbb 0=0x530203 1=0x530011 | 17 16 18 0 1" },
	{ "36",
	  "LOAD_BLOCK:STA INST_RETIRED:ANY_P",
	  USER, &core_pebs,
	  "1=0x510203 0=0x5100c0 17=0x1 | 1 0" },
	{ "36",
	  "UNHALTED_CORE_CYCLES LOAD_BLOCK:STA",
	  USER, &core_options,
	  "0=0x2d5003c 1=0x550203 | 0 1" },
	{ "63",
	  "LAST_LEVEL_CACHE_MISSES BRANCH_INSTRUCTIONS_RETIRED "
	  "UNHALTED_REFERENCE_CYCLES",
	  BOTH, NULL,
	  "16=0xb00 0=0x53412e 1=0x5300c4 | 0 1 18" },
	{ "63",
	  "UNHALTED_CORE_CYCLES LAST_LEVEL_CACHE_REFERENCES",
	  USER, &arch_options,
	  "16=0xe0 0=0x2f14f2e | 17 0" },
	{ "39",
	  "UNHALTED_CORE_CYCLES INSTRUCTIONS_RETIRED "
	  "UNHALTED_REFERENCE_CYCLES ICACHE:MISSES "
	  "STORE_FORWARDS:GOOD",
	  USER, NULL,
	  "16=0xaaa 0=0x510280 1=0x518102 | 17 16 18 0 1" },
	{ "40",
	  "L1D:REPL ARITH:MUL LOAD_HIT_PRE",
	  USER, NULL,
	  "0=0x510151 2=0x510214 1=0x51014c | 0 2 1" },
	{ "40",
	  "UNC_LLC_MISS:READ UNC_CLK_UNHALTED UNHALTED_CORE_CYCLES",
	  BOTH, NULL,
	  "16=0xb0 20=0x5 21=0x500109 | 21 20 17" },
	{ "40",
	  "MEM_INST_RETIRED:LOADS",
	  USER, &nhm_pebs,
	  "0=0x51010b 17=0x1 | 0" },
	{ "41",
	  "OFFCORE_RESPONSE_1:DMND_DATA_RD:NON_DRAM "
	  "OFFCORE_RESPONSE_0:PF_IFETCH:UNCORE_HIT",
	  USER, NULL,
	  "0=0x5101bb 1=0x5101b7 19=0x140 31=0x8001 | 0 1" },
};
/* clang-format on */

#define NUM_CASES ARRAY_SIZE(cases)

static void gives_what_3_10_gave(void **state)
{
	const struct dispatch_case *c = *state;

	force_pmu(c->model);
	assert_string_equal(dispatched_with(events_at(c->plm, c->events),
					    c->model_in, NULL),
			    c->expected);
}

static void an_unavailable_counter_is_passed_over(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("16,15,5,1");
	in = events("CPU_CLK_UNHALTED RETIRED_INSTRUCTIONS");
	without_pmc(in, 1);
	assert_string_equal(dispatched(in), "0=0x530076 2=0x5300c0 | 0 2");
}

static void ibs_of_the_models_input_comes_after_the_counters(void **state)
{
	pfmlib_amd64_input_param_t ibs = {
		.flags = PFMLIB_AMD64_USE_IBSFETCH | PFMLIB_AMD64_USE_IBSOP,
		.ibsfetch = { 0x10000, IBS_OPTIONS_RANDEN },
		.ibsop = { 0x20000, IBS_OPTIONS_UOPS },
	};
	pfmlib_amd64_output_param_t bases = { .ibsfetch_base = 0 };

	(void)state;
	force_pmu("16,16,4,2");
	assert_string_equal(dispatched_with(events_at(USER, "CPU_CLK_UNHALTED"),
					    &ibs, &bases),
			    "0=0x510076 6=0x201000000001000 7=0xa2000 | 0 6 9");
	assert_int_equal(bases.ibsfetch_base, 1);
	assert_int_equal(bases.ibsop_base, 2);
}

static void an_event_has_levels_of_its_own(void **state)
{
	pfmlib_input_param_t *in;

	(void)state;
	force_pmu("36");
	in = events("INSTRUCTIONS_RETIRED UNHALTED_CORE_CYCLES "
		    "UNHALTED_REFERENCE_CYCLES");
	in->pfp_events[0].plm = PFM_PLM0;
	in->pfp_events[1].plm = PFM_PLM3;
	assert_string_equal(dispatched(in), "16=0xba9 | 16 17 18");
}

static int run_table(void)
{
	struct CMUnitTest tests[NUM_CASES];
	unsigned int i;

	for (i = 0; i < NUM_CASES; i++)
		tests[i] = (struct CMUnitTest){
			.name = cases[i].events,
			.test_func = gives_what_3_10_gave,
			.initial_state = (void *)&cases[i],
		};
	return cmocka_run_group_tests_name("dispatch: known cases", tests, NULL,
					   NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unavailable_counter_is_passed_over),
		cmocka_unit_test(
			ibs_of_the_models_input_comes_after_the_counters),
		cmocka_unit_test(an_event_has_levels_of_its_own),
	};
	int failed = run_table();

	return failed +
	       cmocka_run_group_tests_name("dispatch: more known cases", tests,
					   NULL, NULL);
}
