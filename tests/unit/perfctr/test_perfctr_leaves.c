// SPDX-License-Identifier: GPL-2.0-only
/*
 * What CPUID leaves 10 and 35 say of the counters, and do not say: which of them the
 * low-level core drives.
 */
#include "detect_case.h"

/* Version 1 has neither fixed counters nor global registers. */
static void global_and_fixed_registers_come_with_version_2(void **unused)
{
	const struct machine_case v1 = { ARCH("v1", 15),
					 LEAF10(1u, 2u, 40u, 3u),
					 FOUND("Intel Core 2", 2) };
	const struct machine_case v2 = { ARCH("v2", 15),
					 LEAF10(2u, 2u, 40u, 3u),
					 FOUND("Intel Core 2", 2), .fixed = 3 };
	/* Its registers are those of a P6: nothing is where they would be. */
	const struct machine_case bare = {
		CPU("v2 without fixed counters", "p6", INTEL, 6, 200),
		.cpuid_level = 10, LEAF10(2u, 2u, 40u, 0u),
		FOUND("Intel architectural", 2), .perf_uses_pmu = true
	};

	(void)unused;
	detect_check(&v1, 1);
	detect_check(&v2, 1);
	detect_check(&bare, 1);
	assert_int_equal(detect_in_child(&v1).reserve_writes, 2);
	/* Two selectors, fixed control, status and control. */
	assert_int_equal(detect_in_child(&v2).reserve_writes, 5);
}

/* There is room for 18 counters in a state, and 16 of each kind. */
static void more_counters_than_a_state_has_are_not_used(void **unused)
{
	const struct machine_case cases[] = {
		{ ARCH("huge", 200), LEAF10(5u, 255u, 48u, 31u),
		  .perf_uses_pmu = true, FOUND("Intel architectural", 16),
		  .fixed = 2 },
		{ ARCH("many fixed ones", 200), LEAF10(5u, 2u, 48u, 31u),
		  .perf_uses_pmu = true, FOUND("Intel architectural", 2),
		  .fixed = 16 },
		{ ARCH("just right", 200), LEAF10(5u, 10u, 48u, 8u),
		  .perf_uses_pmu = true, FOUND("Intel architectural", 10),
		  .fixed = 8 },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

#define LEAF35(subleaves_, bitmap_, fixed_)                                  \
	.own_cpuid35 = true, .subleaves = (subleaves_), .bitmap = (bitmap_), \
	.fixed_bitmap = (fixed_)
#define GRANITE(name_) CPU(name_, "gnr", INTEL, 6, 173)

static void version_6_says_which_counters_there_are(void **unused)
{
	static const struct machine_case cases[] = {
		{ GRANITE("both leaves"), .cpuid_level = 35,
		  FOUND("Intel architectural", 8), .fixed = 4 },
		{ GRANITE("fewer"), .cpuid_level = 35, LEAF35(3, 0x3f, 0x7),
		  FOUND("Intel architectural", 6), .fixed = 3 },
		{ GRANITE("up to the first hole"), .cpuid_level = 35,
		  LEAF35(3, 0xf7, 0xf), FOUND("Intel architectural", 3),
		  .fixed = 4 },
		{ GRANITE("no second subleaf"), .cpuid_level = 35,
		  LEAF35(1, 0x3f, 0x7), FOUND("Intel architectural", 8),
		  .fixed = 4 },
		{ GRANITE("empty"), .cpuid_level = 35, LEAF35(3, 0, 0),
		  FOUND("Intel architectural", 8), .fixed = 4 },
		{ GRANITE("a lower level"), .cpuid_level = 34,
		  LEAF35(3, 0x3f, 0x7), FOUND("Intel architectural", 8),
		  .fixed = 4 },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

/* Some BIOSes hide the PMU of a Core 2, others its fixed counters. */
static void what_a_bios_keeps_silent_about_is_found(void **unused)
{
	const struct machine_case cases[] = {
		{ ARCH("no leaf", 15), LEAF10(0u, 0u, 0u, 0u),
		  FOUND("Intel Core 2", 2), .fixed = 3 },
		{ ARCH("no fixed counters", 15), LEAF10(2u, 2u, 40u, 0u),
		  FOUND("Intel Core 2", 2), .fixed = 3 },
		{ ARCH("nor their width", 23), .own_cpuid10 = true,
		  .eax = 0x07280202, FOUND("Intel Core 2", 2), .fixed = 3 },
		{ ARCH("a machine without a PMU", 15), LEAF10(0u, 0u, 0u, 0u),
		  .pmu_kind = PMU_SWALLOWS, GENERIC },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			global_and_fixed_registers_come_with_version_2),
		cmocka_unit_test(more_counters_than_a_state_has_are_not_used),
		cmocka_unit_test(version_6_says_which_counters_there_are),
		cmocka_unit_test(what_a_bios_keeps_silent_about_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
