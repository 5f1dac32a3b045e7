// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detection: which processors the low-level core drives, under which name and
 * with how many counters, and which it refuses.
 */
#include "detect_case.h"

#define CORE X86_FEATURE_PERFCTR_CORE
#define V2 (CORE | X86_FEATURE_PERFMON_V2)

static void the_name_and_the_counters_follow_from_the_processor(void **unused)
{
	static const struct machine_case cases[] = {
		{ CPU("K7", "k7", AMD, 6, 6), FOUND("AMD K7", 4) },
		{ CPU("K8", "k7", AMD, 0xf, 5), FOUND("AMD K8", 4) },
		{ CPU("fam10h", "k10", AMD, 0x10, 2),
		  FOUND("AMD Family 10h+", 4) },
		{ CPU("fam11h", "k10", AMD, 0x11, 3),
		  FOUND("AMD Family 10h+", 4) },
		{ CPU("fam14h", "k10", AMD, 0x14, 1),
		  FOUND("AMD Family 10h+", 4) },
		{ CPU("fam16h", "k10", AMD, 0x16, 0),
		  FOUND("AMD Family 10h+", 4) },
		/* In a virtual machine without the extensions. */
		{ CPU("fam1ah", "k10", AMD, 0x1a, 0x44),
		  FOUND("AMD Family 10h+", 4) },
		{ CPU("fam15h", "fam15h", AMD, 0x15, 1), .features = CORE,
		  FOUND("AMD Core Perfctr", 6) },
		{ CPU("zen", "zen", AMD, 0x17, 1), .features = CORE,
		  FOUND("AMD Core Perfctr", 6) },
		{ CPU("zen4", "zen4", AMD, 0x19, 0x11), .features = V2,
		  FOUND("AMD PerfMonV2", 6), .map_name = "AMD Core Perfctr" },
		{ CPU("zen5", "zen4", AMD, 0x1a, 0x44), .features = V2,
		  FOUND("AMD PerfMonV2", 6) },
		{ CPU("zen5 without V2", "zen", AMD, 0x1a, 0x44),
		  .features = CORE, FOUND("AMD Core Perfctr", 6) },
		{ CPU("hygon of the future", "zen4", HYGON, 0x18, 4),
		  .features = V2, FOUND("AMD PerfMonV2", 6) },
		{ CPU("dhyana", "zen", HYGON, 0x18, 0), .features = CORE,
		  FOUND("AMD Core Perfctr", 6) },
		{ CPU("zen without the extension", "zen", AMD, 0x17, 1),
		  FOUND("AMD Family 10h+", 4) },
		{ P6("Pentium Pro", 1), FOUND("Intel P6", 2) },
		{ P6("Klamath", 3), FOUND("Intel Pentium II", 2) },
		{ P6("Deschutes", 5), FOUND("Intel Pentium II", 2) },
		{ P6("Mendocino", 6), FOUND("Intel Pentium II", 2) },
		{ P6("Katmai", 7), FOUND("Intel Pentium III", 2) },
		{ P6("Coppermine", 8), FOUND("Intel Pentium III", 2) },
		{ P6("Cascades", 10), FOUND("Intel Pentium III", 2) },
		{ P6("Tualatin", 11), FOUND("Intel Pentium III", 2) },
		{ P6("Banias", 9), FOUND("Intel Pentium M", 2) },
		{ CPU("Yonah", "coreduo", INTEL, 6, 14), .cpuid_level = 10,
		  FOUND("Intel Core Duo", 2) },
		{ ARCH("core2", 15), FOUND("Intel Core 2", 2), .fixed = 3 },
		{ ARCH("Conroe L", 22), FOUND("Intel Core 2", 2), .fixed = 3 },
		{ CPU("nehalem", "nehalem", INTEL, 6, 26), .cpuid_level = 11,
		  FOUND("Intel architectural", 4), .fixed = 3 },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

static void a_pentium_m_has_counters_if_misc_enable_says_so(void **unused)
{
	static const struct machine_case cases[] = {
		{ P6("bit 7 set", 13), .has_misc_enable = true,
		  .misc_enable = 0x80, FOUND("Intel Pentium M", 2) },
		{ P6("bit 7 clear", 13), .has_misc_enable = true,
		  .misc_enable = ~0x80ull, GENERIC },
		{ P6("no such register", 13), GENERIC },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

/* They have a TSC, if nothing else; see test_perfctr_generic.c. */
static void unknown_processors_have_no_counters(void **unused)
{
	static const struct machine_case cases[] = {
		{ CPU("K6", "none", AMD, 5, 8), GENERIC },
		{ CPU("after the K8", "none", AMD, 0xe, 0), GENERIC },
		{ CPU("AMD of the future", "none", AMD, 0x1b, 0), GENERIC },
		{ CPU("V2 without the extension", "zen4", AMD, 0x19, 0x11),
		  .features = X86_FEATURE_PERFMON_V2, GENERIC },
		{ CPU("V2 that CPUID does not describe", "zen", AMD, 0x19, 1),
		  .features = V2, GENERIC },
		{ CPU("AMD by model as a P6", "none", AMD, 5, 1), GENERIC },
		{ CPU("Quark", "none", INTEL, 5, 9), .cpuid_level = 7,
		  GENERIC },
		{ P6("P6 of model 0", 0), GENERIC },
		{ P6("P6 of model 2", 2), GENERIC },
		{ P6("P6 of model 12", 12), GENERIC },
		{ CPU("Pentium 4", "none", INTEL, 15, 2), .cpuid_level = 2,
		  GENERIC },
		{ CPU("MediaGX", "none", CYRIX, 5, 4), GENERIC },
		{ CPU("WinChip of model 5", "none", CENTAUR, 5, 5), GENERIC },
		{ CPU("C3 of model 5", "none", CENTAUR, 6, 5), GENERIC },
		{ CPU("VIA C7", "none", CENTAUR, 6, 10), GENERIC },
		{ CPU("Crusoe", "none", TRANSMETA, 5, 4), GENERIC },
		{ ARCH("Core Duo without counters", 14),
		  LEAF10(1u, 0u, 40u, 0u), GENERIC },
		{ ARCH("Core Duo that hides them", 14), LEAF10(0u, 0u, 0u, 0u),
		  GENERIC },
		{ CPU("Core Duo with a short CPUID", "coreduo", INTEL, 6, 14),
		  .cpuid_level = 9, GENERIC },
		{ ARCH("no version", 23), LEAF10(0u, 2u, 40u, 0u), GENERIC },
		{ ARCH("no counters", 15), LEAF10(2u, 0u, 40u, 3u), GENERIC },
		{ CPU("leaf 10 out of range", "core2", INTEL, 6, 15),
		  .cpuid_level = 9, GENERIC },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

static void old_processors_are_known_by_vendor_family_and_model(void **unused)
{
	static const struct machine_case cases[] = {
		{ CPU("P5 60", "p5", INTEL, 5, 1), FOUND("Intel P5", 2) },
		{ CPU("P5 75", "p5", INTEL, 5, 2), FOUND("Intel P5", 2) },
		{ CPU("P5 OverDrive", "p5", INTEL, 5, 3),
		  FOUND("Intel P5", 2) },
		{ CPU("mobile P5", "p5", INTEL, 5, 7), FOUND("Intel P5", 2) },
		{ CPU("P5 MMX", "p5mmx", INTEL, 5, 4),
		  FOUND("Intel P5 MMX", 2) },
		{ CPU("mobile P5 MMX", "p5mmx", INTEL, 5, 8),
		  FOUND("Intel P5 MMX", 2) },
		{ CPU("6x86MX", "mii", CYRIX, 6, 1),
		  FOUND("Cyrix 6x86MX/MII/III", 2) },
		{ CPU("MII", "mii", CYRIX, 6, 2),
		  FOUND("Cyrix 6x86MX/MII/III", 2) },
		{ CPU("Cyrix III", "mii", CYRIX, 6, 5),
		  FOUND("Cyrix 6x86MX/MII/III", 2) },
		{ CPU("WinChip C6", "winchip-c6", CENTAUR, 5, 4),
		  FOUND("Centaur WinChip C6", 2) },
		{ CPU("WinChip 2", "winchip-2", CENTAUR, 5, 8),
		  FOUND("Centaur WinChip 2", 2) },
		{ CPU("WinChip 3", "winchip-2", CENTAUR, 5, 9),
		  FOUND("Centaur WinChip 3", 2) },
		/* Two numbers, of which the first one is not there. */
		{ CPU("Samuel", "c3", CENTAUR, 6, 6), FOUND("VIA C3", 2) },
		{ CPU("Ezra", "c3", CENTAUR, 6, 7), FOUND("VIA C3", 2) },
		{ CPU("Ezra-T", "c3", CENTAUR, 6, 8), FOUND("VIA C3", 2) },
		{ CPU("Nehemiah", "c3", CENTAUR, 6, 9), FOUND("VIA C3", 2) },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

static void the_map_is_named_after_family_and_model(void **unused)
{
	static const struct machine_case cases[] = {
		{ ARCH("Merom", 15), FOUND("Intel Core 2", 2), .fixed = 3,
		  .map_name = "Intel Core" },
		{ ARCH("Penryn", 23), FOUND("Intel Core 2", 2), .fixed = 3,
		  .map_name = "Intel Core" },
		{ ARCH("Dunnington", 29), FOUND("Intel Core 2", 2), .fixed = 3,
		  .map_name = "Intel Core" },
		{ ARCH("Bonnell", 28), FOUND("Intel architectural", 2),
		  .fixed = 3, .map_name = "Intel Atom" },
		{ ARCH("another", 30), FOUND("Intel architectural", 2),
		  .fixed = 3, .map_name = "Intel architectural" },
		{ CPU("another family", "core2", INTEL, 19, 15),
		  .cpuid_level = 32, FOUND("Intel architectural", 2),
		  .fixed = 3, .map_name = "Intel architectural" },
		{ ARCH("v1", 30), LEAF10(1u, 2u, 40u, 0u),
		  FOUND("Intel architectural", 2),
		  .map_name = "Intel architectural" },
		{ P6("Katmai", 7), FOUND("Intel Pentium III", 2),
		  .map_name = "Intel P6 processor Family" },
		{ CPU("Yonah", "coreduo", INTEL, 6, 14), .cpuid_level = 10,
		  FOUND("Intel Core Duo", 2),
		  .map_name = "Intel architectural" },
		{ CPU("K8", "k7", AMD, 0xf, 5), FOUND("AMD K8", 4),
		  .map_name = "AMD64" },
		{ CPU("zen", "zen", AMD, 0x17, 1), .features = CORE,
		  FOUND("AMD Core Perfctr", 6),
		  .map_name = "AMD Core Perfctr" },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

/* Without callbacks, CPUs that come up would be missed. */
static void a_kernel_without_room_for_callbacks_has_no_counters(void **unused)
{
	static const struct machine_case c = { CPU("zen", "zen", AMD, 0x17, 1),
					       .features = CORE,
					       .hotplug_error = -ENOSPC };

	(void)unused;
	detect_check(&c, 1);
}

/* What remains is the TSC, unless the processor has none that works. */
static void counters_that_do_not_work_are_refused(void **unused)
{
	static const struct machine_case cases[] = {
		{ CPU("faults", "zen", AMD, 0x17, 1), .features = CORE,
		  .pmu_kind = PMU_FAULTS, GENERIC },
		{ CPU("swallows", "zen", AMD, 0x17, 1), .features = CORE,
		  .pmu_kind = PMU_SWALLOWS, GENERIC },
		{ CPU("Intel faults", "arch2", INTEL, 6, 26), .cpuid_level = 11,
		  .pmu_kind = PMU_FAULTS, GENERIC },
		{ P6("P6 swallows", 8), .pmu_kind = PMU_SWALLOWS, GENERIC },
		{ CPU("P5 faults", "p5", INTEL, 5, 2), .pmu_kind = PMU_FAULTS,
		  GENERIC },
		{ CPU("P5 swallows", "p5", INTEL, 5, 2),
		  .pmu_kind = PMU_SWALLOWS, GENERIC },
		{ CPU("WinChip faults", "winchip-c6", CENTAUR, 5, 4),
		  .pmu_kind = PMU_FAULTS },
		{ CPU("WinChip swallows", "winchip-c6", CENTAUR, 5, 4),
		  .pmu_kind = PMU_SWALLOWS },
		{ CPU("C3 faults", "c3", CENTAUR, 6, 9), .pmu_kind = PMU_FAULTS,
		  GENERIC },
		{ CPU("C3 swallows", "c3", CENTAUR, 6, 9),
		  .pmu_kind = PMU_SWALLOWS, GENERIC },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

/* Nobody uses what does not exist; and it must not be touched now. */
static void counters_that_perf_uses_are_not_tried(void **unused)
{
	static const struct machine_case cases[] = {
		{ CPU("zen", "zen", AMD, 0x17, 1), .features = CORE,
		  .perf_uses_pmu = true, .pmu_kind = PMU_FAULTS,
		  FOUND("AMD Core Perfctr", 6) },
		{ CPU("nehalem", "arch2", INTEL, 6, 26), .cpuid_level = 11,
		  .perf_uses_pmu = true, .pmu_kind = PMU_FAULTS,
		  FOUND("Intel architectural", 4), .fixed = 3 },
	};

	(void)unused;
	detect_check(cases, ARRAY_SIZE(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_name_and_the_counters_follow_from_the_processor),
		cmocka_unit_test(
			a_pentium_m_has_counters_if_misc_enable_says_so),
		cmocka_unit_test(unknown_processors_have_no_counters),
		cmocka_unit_test(
			old_processors_are_known_by_vendor_family_and_model),
		cmocka_unit_test(the_map_is_named_after_family_and_model),
		cmocka_unit_test(
			a_kernel_without_room_for_callbacks_has_no_counters),
		cmocka_unit_test(counters_that_do_not_work_are_refused),
		cmocka_unit_test(counters_that_perf_uses_are_not_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
