// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the library makes of CPUID: pfmlib_cpu.c, compiled into this file with
 * an instruction that says what the test wants.
 */
#include <cpuid.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"

/* Registers of one leaf. */
struct leaf {
	unsigned int eax, ebx, ecx, edx;
};

/* The processor; a leaf that it does not have is 0 here. */
static struct {
	const char *vendor;
	struct leaf version, arch_pmu, extended;
	bool has_arch_pmu, has_extended;
} processor;

static int fake_cpuid(unsigned int number, unsigned int *eax, unsigned int *ebx,
		      unsigned int *ecx, unsigned int *edx)
{
	struct leaf leaf = { 0 };

	switch (number) {
	case 0:
		memcpy(&leaf.ebx, processor.vendor, 4);
		memcpy(&leaf.edx, processor.vendor + 4, 4);
		memcpy(&leaf.ecx, processor.vendor + 8, 4);
		break;
	case 1:
		leaf = processor.version;
		break;
	case 0xa:
		if (!processor.has_arch_pmu)
			return 0;
		leaf = processor.arch_pmu;
		break;
	case 0x80000001:
		if (!processor.has_extended)
			return 0;
		leaf = processor.extended;
		break;
	default:
		fail_msg("leaf 0x%x", number);
	}
	*eax = leaf.eax;
	*ebx = leaf.ebx;
	*ecx = leaf.ecx;
	*edx = leaf.edx;
	return 1;
}

#define __get_cpuid fake_cpuid
#include "pmu/pfmlib_cpu.c"

static struct pfmlib_cpu cpu;

static void read_signature_of(const char *vendor, unsigned int eax)
{
	memset(&processor, 0, sizeof(processor));
	processor.vendor = vendor;
	processor.version.eax = eax;
	pfmlib_read_cpu(&cpu);
}

static void vendors_are_known_by_name(void **state)
{
	static const struct {
		const char *name;
		enum pfmlib_vendor vendor;
	} vendors[] = {
		{ "GenuineIntel", PFMLIB_VENDOR_INTEL },
		{ "AuthenticAMD", PFMLIB_VENDOR_AMD },
		{ "HygonGenuine", PFMLIB_VENDOR_AMD },
		{ "CyrixInstead", PFMLIB_VENDOR_CYRIX },
		{ "CentaurHauls", PFMLIB_VENDOR_CENTAUR },
		{ "GenuineTMx86", PFMLIB_VENDOR_OTHER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		read_signature_of(vendors[i].name, 0);
		assert_int_equal(cpu.vendor, vendors[i].vendor);
		assert_true(cpu.is_host);
	}
}

static void extended_fields_are_those_of_the_family(void **state)
{
	static const struct {
		const char *vendor;
		unsigned int eax, family, model, stepping;
	} rows[] = {
		{ "GenuineIntel", 0x000906e9, 6, 0x9e, 9 },
		{ "GenuineIntel", 0x00000f62, 15, 6, 2 },
		{ "GenuineIntel", 0x00000543, 5, 4, 3 },
		{ "AuthenticAMD", 0x00800f12, 23, 1, 2 },
		{ "AuthenticAMD", 0x00100f22, 16, 2, 2 },
		{ "AuthenticAMD", 0x00000681, 6, 8, 1 },
		/* AMD's family 6 has no extended model. */
		{ "AuthenticAMD", 0x000f0681, 6, 8, 1 },
		{ "GenuineIntel", 0x0ff00543, 5, 4, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_signature_of(rows[i].vendor, rows[i].eax);
		assert_int_equal(cpu.family, rows[i].family);
		assert_int_equal(cpu.model, rows[i].model);
		assert_int_equal(cpu.stepping, rows[i].stepping);
	}
}

static void read_arch(unsigned int version, unsigned int fixed)
{
	read_signature_of("GenuineIntel", 0x000906e9);
	processor.has_arch_pmu = true;
	processor.arch_pmu = (struct leaf){
		.eax = version | 4 << 8 | 48 << 16,
		.ebx = 0x22,
		.edx = fixed | 48 << 5,
	};
	pfmlib_read_cpu(&cpu);
}

static void an_architectural_pmu_tells_its_counters(void **state)
{
	(void)state;
	read_arch(2, 2);
	assert_int_equal(cpu.arch_version, 2);
	assert_int_equal(cpu.num_generic, 4);
	assert_int_equal(cpu.num_fixed, 2);
	assert_int_equal(cpu.arch_unavail, 0x22);
	read_arch(5, 4);
	assert_int_equal(cpu.arch_version, 5);
	assert_int_equal(cpu.num_fixed, 4);
}

static void version_1_has_no_fixed_counters(void **state)
{
	(void)state;
	read_arch(1, 3);
	assert_int_equal(cpu.num_fixed, 0);
}

static void no_fixed_counters_mean_three_from_version_2_on(void **state)
{
	(void)state;
	read_arch(2, 0);
	assert_int_equal(cpu.num_fixed, 3);
	read_arch(3, 0);
	assert_int_equal(cpu.num_fixed, 3);
}

static void without_the_leaf_there_is_no_architectural_pmu(void **state)
{
	(void)state;
	read_signature_of("GenuineIntel", 0x00000673);
	assert_int_equal(cpu.arch_version, 0);
	assert_int_equal(cpu.num_generic, 0);
}

/* Leaf 10 is Intel's: what another vendor says there means something else. */
static void other_vendors_have_no_architectural_pmu(void **state)
{
	(void)state;
	read_arch(2, 3);
	processor.vendor = "AuthenticAMD";
	pfmlib_read_cpu(&cpu);
	assert_int_equal(cpu.arch_version, 0);
	assert_int_equal(cpu.num_fixed, 0);
}

static void features_are_bits(void **state)
{
	(void)state;
	read_signature_of("AuthenticAMD", 0x00800f12);
	assert_false(cpu.has_tsc);
	assert_false(cpu.has_core_ext);
	processor.version.edx = 1u << 4;
	processor.has_extended = true;
	processor.extended.ecx = 1u << 23;
	pfmlib_read_cpu(&cpu);
	assert_true(cpu.has_tsc);
	assert_true(cpu.has_core_ext);
	processor.version.edx = ~(1u << 4);
	processor.extended.ecx = ~(1u << 23);
	pfmlib_read_cpu(&cpu);
	assert_false(cpu.has_tsc);
	assert_false(cpu.has_core_ext);
	processor.vendor = "GenuineIntel";
	processor.extended.ecx = ~0u;
	pfmlib_read_cpu(&cpu);
	assert_false(cpu.has_core_ext);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vendors_are_known_by_name),
		cmocka_unit_test(extended_fields_are_those_of_the_family),
		cmocka_unit_test(an_architectural_pmu_tells_its_counters),
		cmocka_unit_test(version_1_has_no_fixed_counters),
		cmocka_unit_test(
			no_fixed_counters_mean_three_from_version_2_on),
		cmocka_unit_test(
			without_the_leaf_there_is_no_architectural_pmu),
		cmocka_unit_test(other_vendors_have_no_architectural_pmu),
		cmocka_unit_test(features_are_bits),
	};

	return cmocka_run_group_tests_name("lib_cpu", tests, NULL, NULL);
}
