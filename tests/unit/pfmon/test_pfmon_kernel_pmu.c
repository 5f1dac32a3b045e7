// SPDX-License-Identifier: GPL-2.0-only
/* Events of PMUs outside the cores, in directories as the kernel has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events/kernel_pmu.h"
#include "message.h"
#include "scratch_dir.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct {
	const char *path, *text;
} files[] = {
	{ "cpu/type", "4\n" },
	{ "cpu/events/instructions", "event=0xc0\n" },
	{ "software/type", "1\n" },
	{ "power/type", "10\n" },
	{ "power/cpumask", "0,28\n" },
	{ "power/format/event", "config:0-7\n" },
	{ "power/events/energy-pkg", "event=0x02\n" },
	{ "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n" },
	{ "power/events/energy-pkg.unit", "Joules\n" },
	{ "uncore_imc_0/type", "20\n" },
	{ "uncore_imc_2/type", "21\n" },
	{ "uncore_imc_10/type", "30\n" },
	{ "uncore_imc_free_running_0/type", "99\n" },
	{ "uncore_imc_0/cpumask", "0\n" },
	{ "uncore_imc_2/cpumask", "0\n" },
	{ "uncore_imc_10/cpumask", "18\n" },
	{ "msr/type", "12\n" },
	{ "msr/events/thermal", "event=0x05\n" },
	{ "msr/events/thermal.snapshot", "1\n" },
	{ "msr/events/odd", "event=0x06\n" },
	{ "msr/events/odd.scale", "two\n" },
	{ "msr/events/none", "event=0x07\n" },
	{ "msr/events/none.scale", "0\n" },
	{ "msr/events/cut", "event=0x07\n" },
	{ "msr/events/cut.scale", "1e-3x\n" },
	{ "msr/events/hot", "event=0x08\n" },
	{ "msr/events/hot.scale", "1e-2\n" },
	{ "msr/events/hot.unit", "C\n" },
	{ "msr/format/event", "config:0-7\n" },
};

/* The same in each instance. */
static const char *const instances[] = { "uncore_imc_0", "uncore_imc_2",
					 "uncore_imc_10" };
static const struct {
	const char *path, *text;
} instance_files[] = {
	{ "format/event", "config:0-7\n" },
	{ "format/umask", "config:8-15\n" },
	{ "format/inv", "config:23\n" },
	{ "format/filter", "config1:0-3,32-35\n" },
	{ "format/opc", "config2:60-63\n" },
	{ "events/cas_count_read", "event=0x04,umask=0x03\n" },
	{ "events/cas_count_read.scale", "6.103515625e-5\n" },
	{ "events/cas_count_read.unit", "MiB\n" },
	{ "events/clockticks", "event=0x00" },
};

static char *directory;

static int make(void **state)
{
	char path[128];

	(void)state;
	directory = scratch_make();
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		scratch_write(directory, files[i].path, files[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(instances); i++)
		for (size_t j = 0; j < ARRAY_SIZE(instance_files); j++) {
			snprintf(path, sizeof(path), "%s/%s", instances[i],
				 instance_files[j].path);
			scratch_write(directory, path, instance_files[j].text);
		}
	kernel_pmu_directory = directory;
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	scratch_remove(directory);
	return 0;
}

static void pmus_outside_the_cores_are_known(void **state)
{
	static const struct {
		const char *name;
		bool has;
	} rows[] = {
		{ "power/energy-pkg/", true },
		{ "power/x/", true },
		{ "uncore_imc/clockticks/", true },
		{ "uncore_imc_2/clockticks/", true },
		{ "uncore_im/clockticks/", false },
		{ "uncore_imc_/clockticks/", false },
		{ "uncore_imc_3/clockticks/", false },
		{ "cpu/instructions/", false },
		{ "software/x/", false },
		{ "power", false },
		{ "power:energy-pkg", false },
		{ "/energy-pkg/", false },
		{ "../power/energy-pkg/", false },
		{ "./energy-pkg/", false },
		{ "instructions", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (kernel_pmu_has(rows[i].name) != rows[i].has)
			fail_msg("%s: %d", rows[i].name, !rows[i].has);
	assert_true(kernel_pmu_known());
}

static void an_event_is_what_the_kernel_says(void **state)
{
	static const struct {
		const char *name;
		int instances;
		uint64_t config;
		const char *cpumask, *unit;
		double scale;
	} rows[] = {
		{ "power/energy-pkg/", 1, 2, "0,28", "uJ", 1e6 / 4294967296.0 },
		{ "power/event=2/", 1, 2, "0,28", "", 1 },
		{ "power/config=0x1234/", 1, 0x1234, "0,28", "", 1 },
		{ "msr/hot/", 1, 8, "", "C", 0.01 },
		{ "uncore_imc/cas_count_read/", 3, 0x304, "0", "B", 64 },
		{ "uncore_imc_2/cas_count_read/", 1, 0x304, "0", "B", 64 },
		{ "uncore_imc/clockticks/", 3, 0, "0", "", 1 },
		{ "uncore_imc/clockticks,inv/", 3, 1 << 23, "0", "", 1 },
		{ "uncore_imc/event=0xff,umask=0x10/", 3, 0x10ff, "0", "", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kernel_event *event = kernel_pmu_find(rows[i].name);

		assert_non_null(event);
		assert_int_equal(event->count, rows[i].instances);
		assert_true(event->config[0] == rows[i].config);
		assert_true(event->config[1] == 0 && event->config[2] == 0);
		assert_string_equal(event->instances[0].cpumask,
				    rows[i].cpumask);
		assert_string_equal(event->unit, rows[i].unit);
		assert_true(event->scale > rows[i].scale * 0.999999 &&
			    event->scale < rows[i].scale * 1.000001);
		kernel_pmu_free(event);
	}
}

static void a_term_may_be_in_several_places(void **state)
{
	struct kernel_event *event =
		kernel_pmu_find("uncore_imc/event=1,filter=0xa5,opc=9/");

	(void)state;
	assert_non_null(event);
	assert_true(event->config[0] == 1);
	assert_true(event->config[1] == (5ull | 0xaull << 32));
	assert_true(event->config[2] == 9ull << 60);
	kernel_pmu_free(event);
}

/* Each has its own CPU: memory controllers of AMD's are of one socket. */
static const struct {
	const char *name, *alone, *cpumask;
	uint32_t type;
} controllers[] = {
	{ "uncore_imc_0", "uncore_imc_0/clockticks/", "0", 20 },
	{ "uncore_imc_2", "uncore_imc_2/clockticks/", "0", 21 },
	{ "uncore_imc_10", "uncore_imc_10/clockticks/", "18", 30 },
};

static void all_instances_are_there_in_the_order_of_their_numbers(void **state)
{
	struct kernel_event *event = kernel_pmu_find("uncore_imc/clockticks/");

	(void)state;
	assert_non_null(event);
	assert_int_equal(event->count, ARRAY_SIZE(controllers));
	for (int i = 0; i < event->count; i++) {
		assert_string_equal(event->instances[i].name,
				    controllers[i].name);
		assert_string_equal(event->instances[i].cpumask,
				    controllers[i].cpumask);
		assert_int_equal(event->instances[i].type, controllers[i].type);
	}
	kernel_pmu_free(event);
}

static void an_instance_can_be_an_event_of_its_own(void **state)
{
	struct kernel_event *event =
		kernel_pmu_find("uncore_imc/cas_count_read/");
	struct kernel_event *one;
	char *name;

	(void)state;
	assert_non_null(event);
	one = kernel_pmu_one(event, "uncore_imc/cas_count_read/", 2, &name);
	assert_non_null(one);
	assert_string_equal(name, "uncore_imc_10/cas_count_read/");
	assert_int_equal(one->count, 1);
	assert_string_equal(one->instances[0].cpumask, "18");
	assert_int_equal(one->instances[0].type, 30);
	assert_true(one->config[0] == 0x304);
	assert_string_equal(one->unit, "B");
	free(name);
	kernel_pmu_free(one);
	kernel_pmu_free(event);
}

static void wrong_events_get_one_line(void **state)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{ "power/energy-cores/", "power has no term energy-cores" },
		{ "power//", "write it as PMU/EVENT/" },
		{ "power/energy-pkg", "write it as PMU/EVENT/" },
		{ "power/energy-pkg/u", "without modifiers" },
		{ "power/event=0x100/", "does not fit into config:0-7" },
		{ "power/event=x/", "not a number" },
		{ "power/event=-1/", "not a number" },
		{ "power/event=99999999999999999999/", "not a number" },
		{ "power/event=1,,event=2/", "a term is missing" },
		{ "power/umask=1/", "has no term umask" },
		{ "msr/thermal/", "a state and no count" },
		{ "msr/odd/", "scale is no number: two" },
		{ "msr/none/", "scale is no number: 0" },
		{ "msr/cut/", "scale is no number: 1e-3x" },
		{ "gone/event=1/", "PMU gone has gone" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		message_catch();
		assert_null(kernel_pmu_find(rows[i].name));
		message_expect(rows[i].name, rows[i].text, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pmus_outside_the_cores_are_known),
		cmocka_unit_test(an_event_is_what_the_kernel_says),
		cmocka_unit_test(a_term_may_be_in_several_places),
		cmocka_unit_test(
			all_instances_are_there_in_the_order_of_their_numbers),
		cmocka_unit_test(an_instance_can_be_an_event_of_its_own),
		cmocka_unit_test(wrong_events_get_one_line),
	};

	return cmocka_run_group_tests(tests, make, unmake);
}
