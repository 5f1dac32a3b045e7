// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map in sysfs, and which counter counts which event on it.
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
#include "registers/assign.h"
#include "fake_pmu.h"
#include "message.h"
#include "scratch_dir.h"
#include "events/modifiers.h"
#include "events/tables.h"

static struct event_list list;
static struct regmap map;
static struct pfarg_setinfo info;
static struct plan plan;

/* The map that the kernel has for a processor, and libpfm's events of it. */
static void use_pmu(const char *name)
{
	static const struct {
		const char *map;
		const char *model;
	} rows[] = {
		{ "zen", "16,23,1,0" }, { "k8", "16,15,5,1" },
		{ "core2", "36" },	{ "nehalem", "40" },
		{ "p6", "32" },
	};
	char *sysfs = scratch_make();

	fake_pmu_write(sysfs, name);
	assert_int_equal(regmap_read(&map, sysfs), 0);
	info = fake_pmu_info(name);
	scratch_remove(sysfs);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(rows[i].map, name))
			assert_int_equal(tables_init(rows[i].model), 0);
	}
}

/* What the user asks for; until the next call. */
static void want(const char *events)
{
	events_free(&list);
	assert_int_equal(events_parse(&list, events, LEVEL_USER), 0);
}

static void expect_pmd(int event, unsigned int pmd)
{
	assert_int_equal(plan.pmds[event].reg_num, pmd);
	assert_int_equal(plan.pmds[event].reg_value, 0);
}

static void expect_pmc(int i, unsigned int pmc, uint64_t value, int event)
{
	assert_int_equal(plan.pmcs[i].reg_num, pmc);
	assert_int_equal(plan.pmcs[i].reg_value, value);
	assert_int_equal(plan.pmc_event[i], event);
}

static void assign_or_fail(void)
{
	assert_int_equal(assign_events(&plan, &list, &map, &info), 0);
	assert_int_equal(plan.event_count, list.count);
}

static void assign(const char *events)
{
	want(events);
	assign_or_fail();
}

static void refuse(const char *events, const char *text, const char *more)
{
	want(events);
	message_catch();
	assert_int_equal(assign_events(&plan, &list, &map, &info), -1);
	message_expect(text, more, NULL);
}

static void the_map_is_read_from_sysfs(void **state)
{
	(void)state;
	use_pmu("core2");
	assert_string_equal(map.model, "Intel Core");
	assert_true(map.pmc[0].present && map.pmc[1].present);
	assert_string_equal(map.pmc[1].name, "PERFEVTSEL1");
	assert_int_equal(map.pmc[0].reserved, 0xffffffff00300000);
	assert_int_equal(map.pmc[0].fixed_to, 0x100000);
	assert_int_equal(map.pmc[16].fixed_to, 0x888);
	assert_string_equal(map.pmd[18].name, "FIXED_CTR2");
	assert_false(map.pmc[2].present || map.pmd[2].present ||
		     map.pmd[19].present);
}

static void a_broken_map_gets_one_line(void **state)
{
	static const struct {
		const char *attr;
		const char *text;
	} cases[] = {
		{ "pmu_desc/model", "" },
		{ "pmu_desc/model", "\n" },
		{ "pmu_desc/pmc0/name", "no newline" },
		{ "pmu_desc/pmc1/rsvd_msk", "12\n" },
		{ "pmu_desc/pmc1/rsvd_msk", "0x\n" },
		{ "pmu_desc/pmd1/dfl_val", "0x12g\n" },
		{ "pmu_desc/pmd1/dfl_val", "0x11112222333344445\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *sysfs = scratch_make();

		fake_pmu_write(sysfs, "zen");
		scratch_write(sysfs, cases[i].attr, cases[i].text);
		message_catch();
		assert_int_equal(regmap_read(&map, sysfs), -1);
		message_expect(cases[i].attr, "unexpected content", NULL);
		scratch_unlink(sysfs, cases[i].attr);
		if (!strstr(cases[i].attr, "name")) {
			message_catch();
			assert_int_equal(regmap_read(&map, sysfs), -1);
			message_expect(cases[i].attr, "No such file", NULL);
		}
		scratch_remove(sysfs);
	}
}

static void the_owner_is_read_from_sysfs(void **state)
{
	char owner[REGMAP_TEXT];
	char *sysfs = scratch_make();

	(void)state;
	assert_false(regmap_owner(owner, sysfs));
	scratch_write(sysfs, "pmu_owner", "none\n");
	assert_false(regmap_owner(owner, sysfs));
	scratch_write(sysfs, "pmu_owner", "perf_event\n");
	assert_true(regmap_owner(owner, sysfs));
	assert_string_equal(owner, "perf_event");
	scratch_remove(sysfs);
}

static void counters_are_given_in_order(void **state)
{
	(void)state;
	use_pmu("zen");
	assign("rc0,rc1,rc2,rc3,rc4,rc5");
	assert_int_equal(plan.pmc_count, 6);
	for (int i = 0; i < 6; i++) {
		expect_pmd(i, (unsigned int)i);
		expect_pmc(i, (unsigned int)i, 0x5100c0 + (uint64_t)i, i);
		assert_int_equal(plan.selectors[i], 0x5100c0 + (uint64_t)i);
	}
}

static void too_many_events_are_refused_with_the_number(void **state)
{
	char many[256] = "rc0";

	(void)state;
	use_pmu("zen");
	refuse("rc0,rc0,rc0,rc0,rc0,rc0,rc0", "too many events: 7 given",
	       "6 counters");
	refuse("rc0,rc0,RETIRED_INSTRUCTIONS,rc0,rc0,rc0,CYCLES_NOT_IN_HALT",
	       "too many events: 7 given", "6 counters");
	for (int i = 1; i < 40; i++)
		strcat(many, ",rc0");
	refuse(many, "too many events: 40 given", "6 counters");
}

/* libpfm chooses first; values that it does not know get what is left. */
static void names_and_raw_values_share_the_counters(void **state)
{
	(void)state;
	use_pmu("zen");
	assign("rff,RETIRED_INSTRUCTIONS:k,rfe,CYCLES_NOT_IN_HALT");
	expect_pmd(0, 2);
	expect_pmd(1, 0);
	expect_pmd(2, 3);
	expect_pmd(3, 1);
	assert_int_equal(plan.selectors[0], 0x5100ff);
	assert_int_equal(plan.selectors[1], 0x5200c0);
	assert_int_equal(plan.selectors[2], 0x5100fe);
	assert_int_equal(plan.selectors[3], 0x510076);
	expect_pmc(0, 0, 0x5200c0, 1);
	expect_pmc(1, 1, 0x510076, 3);
	expect_pmc(2, 2, 0x5100ff, 0);
}

/* The other counter has to be set, or the kernel does not switch it on. */
static void flops_of_zen_take_two_counters(void **state)
{
	(void)state;
	use_pmu("zen");
	assign("RETIRED_INSTRUCTIONS,RETIRED_SSE_AVX_OPERATIONS:DP_ADD_SUB_FLOPS");
	expect_pmd(0, 0);
	expect_pmd(1, 2);
	assert_int_equal(plan.pmd_count, 3);
	expect_pmd(2, 3);
	assert_int_equal(plan.selectors[1], 0x511003);
	assert_int_equal(plan.pmc_count, 3);
	expect_pmc(2, 3, 0xf004000ff, 1);
	/* Raw values, too. */
	assign("RETIRED_INSTRUCTIONS,r1003,rc0");
	expect_pmd(1, 2);
	expect_pmd(2, 1);
	assert_int_equal(plan.pmd_count, 4);
	expect_pmd(3, 3);
	expect_pmc(2, 3, 0xf004000ff, 1);
	refuse("r1003,r1003,r1003,rc0", "too many events", "6 counters");
	assign("rc0");
	assert_int_equal(plan.pmd_count, 1);
}

static void modifiers_reach_the_selector(void **state)
{
	(void)state;
	use_pmu("zen");
	assign("RETIRED_INSTRUCTIONS,CYCLES_NOT_IN_HALT:c=2:i:e,"
	       "CYCLES_NOT_IN_HALT:h");
	assert_int_equal(plan.selectors[0], 0x5100c0);
	assert_int_equal(plan.selectors[1], 0x2d50076);
	assert_int_equal(plan.selectors[2], 0x20000510076);
	refuse("CYCLES_NOT_IN_HALT:t", "CYCLES_NOT_IN_HALT:t", "modifiers");
	use_pmu("p6");
	assign("INST_RETIRED:c=1:e");
	assert_int_equal(plan.selectors[0], 0x15500c0);
	use_pmu("core2");
	refuse("L1I_MISSES:h", "L1I_MISSES:h", "modifiers");
	assert_int_equal(tables_init("33"), 0);
	refuse("GLOBAL_POWER_EVENTS:RUNNING:e", "GLOBAL_POWER", "modifiers");
}

/* They take the input of Nehalem, as all since then. */
static void the_newest_types_have_modifiers(void **state)
{
	static const int types[] = {
		PFMLIB_INTEL_SPR_PMU, PFMLIB_INTEL_GLC_PMU,
		PFMLIB_INTEL_GRT_PMU, PFMLIB_INTEL_RWC_PMU,
		PFMLIB_INTEL_CMT_PMU, PFMLIB_INTEL_LNC_PMU,
		PFMLIB_INTEL_SKT_PMU,
	};
	struct modifiers modifiers = { 0 };
	union modifiers_input input;

	(void)state;
	assert_true(modifiers_parse(&modifiers, "c=2", 3));
	assert_true(modifiers_parse(&modifiers, "i", 1));
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		memset(&input, 0, sizeof(input));
		assert_true(modifiers_add(&input, types[i], 1, &modifiers));
		assert_int_equal(input.nhm.pfp_nhm_counters[1].cnt_mask, 2);
		assert_int_equal(input.nhm.pfp_nhm_counters[1].flags,
				 PFM_NHM_SEL_INV);
	}
	assert_false(modifiers_add(&input, PFMLIB_TSC_PMU, 1, &modifiers));
}

static void counters_that_others_hold_are_not_used(void **state)
{
	(void)state;
	use_pmu("k8");
	info.set_avail_pmcs[0] = 0xd; /* pmc1 is taken */
	info.set_avail_pmds[0] = 0x7; /* and so is pmd3 */
	assign("RETIRED_INSTRUCTIONS,r76");
	expect_pmd(0, 0);
	expect_pmd(1, 2);
	assign("RETIRED_INSTRUCTIONS,CPU_CLK_UNHALTED");
	expect_pmd(1, 2);
	refuse("rc0,r76,r41", "3 given", "2 counters");
	info.set_avail_pmcs[0] = 0;
	refuse("rc0", "no counters", "AMD64");
}

static void fixed_counters_are_used_with_the_levels(void **state)
{
	(void)state;
	use_pmu("core2");
	assign("INSTRUCTIONS_RETIRED:k,L1I_MISSES,UNHALTED_CORE_CYCLES:u:k,"
	       "L1I_READS,UNHALTED_REFERENCE_CYCLES");
	expect_pmd(0, 16);
	expect_pmd(1, 0);
	expect_pmd(2, 17);
	expect_pmd(3, 1);
	expect_pmd(4, 18);
	assert_int_equal(plan.pmc_count, 3);
	expect_pmc(0, 16, 0xab9, 0);
	assert_int_equal(plan.selectors[2], 0xab9);
	refuse("rc4,L1I_MISSES,L1I_READS", "counters that can count it",
	       "Intel Core has 5 counters");
	refuse("UNHALTED_REFERENCE_CYCLES,UNHALTED_REFERENCE_CYCLES",
	       "counters that can count it are taken", "count fewer");
}

/* Not programmed into the map: no fixed counter without its control. */
static void fixed_counters_need_their_control(void **state)
{
	(void)state;
	use_pmu("core2");
	info.set_avail_pmcs[0] = 0x3;
	assign("INSTRUCTIONS_RETIRED,UNHALTED_CORE_CYCLES");
	expect_pmd(0, 0);
	expect_pmd(1, 1);
	refuse("INSTRUCTIONS_RETIRED,UNHALTED_CORE_CYCLES,MUL", "3 given",
	       "2 counters");
}

static void constrained_events_get_their_counters(void **state)
{
	(void)state;
	use_pmu("core2");
	assign("L1I_MISSES,FP_COMP_OPS_EXE");
	expect_pmd(0, 1);
	expect_pmd(1, 0);
	refuse("L1I_MISSES,FP_COMP_OPS_EXE,CYCLES_DIV_BUSY",
	       "CYCLES_DIV_BUSY: too many events", "count fewer");
	/* As raw values, too: 0x10 is FP_COMP_OPS_EXE, 0x12 is MUL. */
	assign("r80,r10");
	expect_pmd(0, 1);
	expect_pmd(1, 0);
	refuse("r10,r14", "r14: too many events", "count fewer");
	info.set_avail_pmcs[0] &= ~1ull;
	refuse("FP_COMP_OPS_EXE", "FP_COMP_OPS_EXE: no counter", "choose");
}

static void masks_that_exclude_each_other_are_named_as_the_reason(void **state)
{
	(void)state;
	use_pmu("nehalem");
	assign("L2_LINES_OUT:DEMAND_DIRTY,L2_LINES_OUT:PREFETCH_DIRTY");
	refuse("L2_LINES_OUT:DEMAND_DIRTY:PREFETCH_DIRTY",
	       "L2_LINES_OUT:DEMAND_DIRTY:PREFETCH_DIRTY: its unit masks",
	       "count each");
}

static void reserved_bits_are_refused(void **state)
{
	(void)state;
	use_pmu("k8");
	refuse("r1000100c0", "bits 0x100000000 are reserved on AMD64",
	       "choose another");
	refuse("r2100c0", "bits 0x200000 are reserved", "choose another");
	/* The same selector is fine where the bits exist. */
	use_pmu("zen");
	assign("r1000100c0");
}

static void the_shared_enable_bit_of_p6_is_always_set(void **state)
{
	(void)state;
	use_pmu("p6");
	assign("rc0,r12");
	assert_int_equal(plan.pmc_count, 2);
	expect_pmc(0, 1, 0x510012, 1);
	expect_pmc(1, 0, 0x5100c0, 0);
	/* Only the second counter is used: the first selector enables it. */
	assign("r12");
	expect_pmd(0, 1);
	assert_int_equal(plan.pmc_count, 2);
	expect_pmc(0, 1, 0x510012, 0);
	expect_pmc(1, 0, 0x400000, 0);
	assign("MUL");
	assert_int_equal(plan.pmc_count, 2);
	expect_pmc(0, 1, 0x110012, 0);
	expect_pmc(1, 0, 0x400000, 0);
}

static void add_reg(struct reg *reg, const char *name, uint64_t *vector,
		    int num)
{
	reg->present = true;
	snprintf(reg->name, sizeof(reg->name), "%s", name);
	vector[num / 64] |= 1ull << (num % 64);
}

/* Two control registers for each event, of other numbers than its counter. */
static void events_of_the_pentium_4_own_their_registers(void **state)
{
	(void)state;
	memset(&map, 0, sizeof(map));
	memset(&info, 0, sizeof(info));
	add_reg(&map.pmc[6], "FSB_ESCR0", info.set_avail_pmcs, 6);
	add_reg(&map.pmc[20], "CRU_ESCR0", info.set_avail_pmcs, 20);
	add_reg(&map.pmc[23], "BPU_CCCR0", info.set_avail_pmcs, 23);
	add_reg(&map.pmc[29], "IQ_CCCR0", info.set_avail_pmcs, 29);
	add_reg(&map.pmd[0], "BPU_CTR0", info.set_avail_pmds, 0);
	add_reg(&map.pmd[6], "IQ_CTR0", info.set_avail_pmds, 6);
	assert_int_equal(tables_init("33"), 0);
	assign("INSTR_RETIRED:NBOGUSNTAG,GLOBAL_POWER_EVENTS:RUNNING");
	expect_pmd(0, 6);
	expect_pmd(1, 0);
	assert_int_equal(plan.pmc_count, 4);
	assert_int_equal(plan.pmcs[0].reg_num, 20);
	assert_int_equal(plan.pmcs[1].reg_num, 29);
	assert_int_equal(plan.pmcs[2].reg_num, 6);
	assert_int_equal(plan.pmcs[3].reg_num, 23);
	assert_int_equal(plan.pmc_event[1], 0);
	assert_int_equal(plan.pmc_event[3], 1);
	assert_int_equal(plan.selectors[1], 0x26000204);
	/* However many counters are left. */
	snprintf(map.model, sizeof(map.model), "Intel P4");
	refuse("rc0", "event rc0: Intel P4 has no event select registers",
	       "name the event");
}

/* IBS and other registers that are no event counters. */
static void other_registers_are_no_counters(void **state)
{
	(void)state;
	use_pmu("k8");
	map.pmc[4] = (struct reg){ .present = true, .name = "IBSFETCHCTL" };
	map.pmd[4] = map.pmc[4];
	info.set_avail_pmcs[0] = 0x1f;
	info.set_avail_pmds[0] = 0x1f;
	refuse("rc0,rc0,rc0,rc0,rc0", "5 given", "4 counters");
}

static void forget_events(void)
{
	events_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_map_is_read_from_sysfs),
		cmocka_unit_test(a_broken_map_gets_one_line),
		cmocka_unit_test(the_owner_is_read_from_sysfs),
		cmocka_unit_test(counters_are_given_in_order),
		cmocka_unit_test(too_many_events_are_refused_with_the_number),
		cmocka_unit_test(names_and_raw_values_share_the_counters),
		cmocka_unit_test(flops_of_zen_take_two_counters),
		cmocka_unit_test(modifiers_reach_the_selector),
		cmocka_unit_test(the_newest_types_have_modifiers),
		cmocka_unit_test(counters_that_others_hold_are_not_used),
		cmocka_unit_test(fixed_counters_are_used_with_the_levels),
		cmocka_unit_test(fixed_counters_need_their_control),
		cmocka_unit_test(constrained_events_get_their_counters),
		cmocka_unit_test(
			masks_that_exclude_each_other_are_named_as_the_reason),
		cmocka_unit_test(reserved_bits_are_refused),
		cmocka_unit_test(the_shared_enable_bit_of_p6_is_always_set),
		cmocka_unit_test(events_of_the_pentium_4_own_their_registers),
		cmocka_unit_test(other_registers_are_no_counters),
	};

	atexit(forget_events);
	return cmocka_run_group_tests_name("pfmon_assign", tests, NULL, NULL);
}
