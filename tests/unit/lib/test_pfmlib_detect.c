// SPDX-License-Identifier: GPL-2.0-only
/* Which model a processor is, and what the library reads of the one it runs on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "models/pfmlib_models.h"

#define NONE 0
#define INTEL PFMLIB_VENDOR_INTEL
#define AMD PFMLIB_VENDOR_AMD
#define CYRIX PFMLIB_VENDOR_CYRIX
#define CENTAUR PFMLIB_VENDOR_CENTAUR
#define OTHER PFMLIB_VENDOR_OTHER

struct row {
	enum pfmlib_vendor vendor;
	unsigned int family, model;
	int type;
};

/* As pfm_initialize() does it. */
static int type_of(const struct pfmlib_cpu *cpu)
{
	const struct pfmlib_model *model = pfmlib_models;

	while (model->name && !model->detect(cpu))
		model++;
	return model->name ? model->type : NONE;
}

static void expect_types(const struct row *rows, size_t count,
			 struct pfmlib_cpu cpu)
{
	for (size_t i = 0; i < count; i++) {
		cpu.vendor = rows[i].vendor;
		cpu.family = rows[i].family;
		cpu.model = rows[i].model;
		if (type_of(&cpu) != rows[i].type)
			fail_msg("vendor %d, family %u, model %u: type %d",
				 rows[i].vendor, rows[i].family, rows[i].model,
				 type_of(&cpu));
	}
}

#define EXPECT_TYPES(rows, ...) \
	expect_types(rows, ARRAY_SIZE(rows), (struct pfmlib_cpu){ __VA_ARGS__ })

static const struct row intel_rows[] = {
	{ INTEL, 5, 1, 53 },
	{ INTEL, 5, 2, 53 },
	{ INTEL, 5, 7, 53 },
	{ INTEL, 5, 4, 54 },
	{ INTEL, 5, 8, 54 },
	{ INTEL, 5, 9, NONE },
	{ INTEL, 6, 0, NONE },
	{ INTEL, 6, 1, 37 },
	{ INTEL, 6, 3, 38 },
	{ INTEL, 6, 5, 38 },
	{ INTEL, 6, 6, 38 },
	{ INTEL, 6, 7, 32 },
	{ INTEL, 6, 8, 32 },
	{ INTEL, 6, 10, 32 },
	{ INTEL, 6, 11, 32 },
	{ INTEL, 6, 9, 35 },
	{ INTEL, 6, 13, 35 },
	{ INTEL, 6, 14, 34 },
	{ INTEL, 15, 0, 33 },
	{ INTEL, 15, 6, 33 },
	{ INTEL, 6, 15, 36 },
	{ INTEL, 6, 23, 36 },
	{ INTEL, 6, 29, 36 },
	{ INTEL, 6, 28, 39 },
	{ INTEL, 6, 54, 39 },
	{ INTEL, 6, 26, 40 },
	{ INTEL, 6, 30, 40 },
	{ INTEL, 6, 46, 40 },
	{ INTEL, 6, 37, 41 },
	{ INTEL, 6, 44, 41 },
	{ INTEL, 6, 42, 42 },
	{ INTEL, 6, 45, 42 },
	{ INTEL, 6, 58, 43 },
	{ INTEL, 6, 63, 44 },
	{ INTEL, 6, 79, 45 },
	{ INTEL, 6, 85, 46 },
	{ INTEL, 6, 94, 46 },
	{ INTEL, 6, 106, 47 },
	{ INTEL, 6, 143, 48 },
	{ INTEL, 6, 77, 49 },
	{ INTEL, 6, 92, 50 },
	{ INTEL, 6, 150, 51 },
	{ INTEL, 6, 133, 52 },
	{ INTEL, 11, 1, NONE },
	{ INTEL, 6, 134, 51 },
	{ INTEL, 6, 167, 47 },
	{ INTEL, 6, 207, 48 },
	/* Where not every CPU is of the one kind, all are of the other. */
	{ INTEL, 6, 151, 60 },
	{ INTEL, 6, 154, 60 },
	{ INTEL, 6, 183, 60 },
	{ INTEL, 6, 186, 60 },
	{ INTEL, 6, 191, 60 },
	{ INTEL, 6, 190, 61 },
	{ INTEL, 6, 170, 62 },
	{ INTEL, 6, 172, 62 },
	{ INTEL, 6, 181, 62 },
	{ INTEL, 6, 173, 62 },
	{ INTEL, 6, 174, 62 },
	{ INTEL, 6, 175, 79 },
	{ INTEL, 6, 182, 79 },
	{ INTEL, 6, 189, 80 },
	{ INTEL, 6, 198, 80 },
	/* A Clearwater Forest is not known, and this one has no leaf 0xa. */
	{ INTEL, 6, 221, NONE },
};

static void intel_is_known_by_family_and_model(void **state)
{
	(void)state;
	EXPECT_TYPES(intel_rows, .stepping = 0);
}

static void unknown_intel_processors_are_architectural(void **state)
{
	static const struct row rows[] = {
		{ INTEL, 6, 197, 63 }, { INTEL, 6, 221, 63 },
		{ INTEL, 19, 1, 63 },  { INTEL, 6, 15, 36 },
		{ INTEL, 6, 22, 63 },  { AMD, 7, 0, NONE },
	};

	(void)state;
	EXPECT_TYPES(rows, .arch_version = 5);
}

/* What is right on one kind of core may be wrong on the next. */
static void hybrid_processors_have_what_both_kinds_have(void **state)
{
	static const struct row rows[] = {
		{ INTEL, 6, 151, 82 },
		{ INTEL, 6, 154, 82 },
		{ INTEL, 6, 183, 82 },
		{ INTEL, 6, 170, 82 },
		{ INTEL, 6, 189, 82 },
		{ INTEL, 6, 198, 82 },
		/* Of the future. */
		{ INTEL, 6, 204, 63 },
	};

	(void)state;
	EXPECT_TYPES(rows, .arch_version = 5, .is_hybrid = true);
}

static void amd_is_known_by_family(void **state)
{
	static const struct row known[] = {
		{ AMD, 6, 1, 16 },    { AMD, 15, 5, 16 },
		{ AMD, 16, 2, 16 },   { AMD, 17, 3, 16 },
		{ AMD, 18, 1, 16 },   { AMD, 20, 2, 16 },
		{ AMD, 21, 1, 16 },   { AMD, 22, 0, 16 },
		{ AMD, 23, 1, 16 },   { AMD, 25, 17, 16 },
		{ AMD, 5, 8, NONE },  { AMD, 7, 0, NONE },
		{ AMD, 26, 2, 16 },   { AMD, 24, 0, NONE },
		{ AMD, 27, 0, NONE }, { OTHER, 23, 1, NONE },
	};
	static const struct row extended[] = {
		{ AMD, 26, 2, 16 },
		{ AMD, 24, 0, 16 },
		{ OTHER, 26, 2, NONE },
	};

	(void)state;
	EXPECT_TYPES(known, .stepping = 0);
	EXPECT_TYPES(extended, .has_core_ext = true);
}

static void others_have_their_own_or_a_tsc(void **state)
{
	static const struct row rows[] = {
		{ CYRIX, 6, 0, 55 },	{ CYRIX, 5, 2, 59 },
		{ CENTAUR, 5, 4, 56 },	{ CENTAUR, 5, 8, 57 },
		{ CENTAUR, 5, 9, 57 },	{ CENTAUR, 5, 3, 59 },
		{ CENTAUR, 6, 6, 58 },	{ CENTAUR, 6, 9, 58 },
		{ CENTAUR, 6, 10, 59 }, { OTHER, 6, 6, 59 },
		{ INTEL, 6, 8, 32 },	{ AMD, 7, 0, 59 },
	};

	(void)state;
	EXPECT_TYPES(rows, .has_tsc = true);
}

/* The value of the first line of /proc/cpuinfo that begins with key. */
static bool cpuinfo(const char *key, char value[128])
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[4096];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		size_t len = strlen(key);

		if (strncmp(line, key, len) != 0 ||
		    (line[len] != '\t' && line[len] != ' '))
			continue;
		found = sscanf(strchr(line, ':') + 1, " %127s", value) == 1;
	}
	if (file)
		fclose(file);
	return found;
}

static void the_kernel_sees_the_same_processor(void **state)
{
	static const char *const vendors[] = {
		[PFMLIB_VENDOR_INTEL] = "GenuineIntel",
		[PFMLIB_VENDOR_AMD] = "AuthenticAMD",
		[PFMLIB_VENDOR_CYRIX] = "CyrixInstead",
		[PFMLIB_VENDOR_CENTAUR] = "CentaurHauls",
	};
	char family[128], model[128], stepping[128], vendor[128];
	struct pfmlib_cpu cpu;

	(void)state;
	if (!cpuinfo("vendor_id", vendor) || !cpuinfo("cpu family", family) ||
	    !cpuinfo("model", model) || !cpuinfo("stepping", stepping))
		skip();
	pfmlib_read_cpu(&cpu);
	assert_int_equal(cpu.family, atoi(family));
	assert_int_equal(cpu.model, atoi(model));
	assert_int_equal(cpu.stepping, atoi(stepping));
	assert_true(cpu.is_host);
	if (vendors[cpu.vendor] && strcmp(vendor, "HygonGenuine") != 0)
		assert_string_equal(vendors[cpu.vendor], vendor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_is_known_by_family_and_model),
		cmocka_unit_test(unknown_intel_processors_are_architectural),
		cmocka_unit_test(hybrid_processors_have_what_both_kinds_have),
		cmocka_unit_test(amd_is_known_by_family),
		cmocka_unit_test(others_have_their_own_or_a_tsc),
		cmocka_unit_test(the_kernel_sees_the_same_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
