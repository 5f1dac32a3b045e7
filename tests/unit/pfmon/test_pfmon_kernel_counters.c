// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of PMUs outside the cores, on a machine of two sockets with four CPUs each:
 * sysfs is made up, and the kernel's counters are files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "events/instances.h"
#include "events/kernel_counters.h"
#include "message.h"
#include "scratch_dir.h"

#define CPUS 8
#define MS 1000000ull
#define OPEN_MAX_FILES 64

static const struct {
	const char *path, *text;
} files[] = {
	{ "power/type", "10\n" },
	{ "power/cpumask", "0,4\n" },
	{ "power/format/event", "config:0-7\n" },
	{ "power/events/energy-pkg", "event=0x02\n" },
	{ "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n" },
	{ "power/events/energy-pkg.unit", "Joules\n" },
	{ "amd_umc_0/type", "20\n" },
	{ "amd_umc_0/cpumask", "0\n" },
	{ "amd_umc_1/type", "21\n" },
	{ "amd_umc_1/cpumask", "4\n" },
	{ "cstate_core/type", "30\n" },
	{ "cstate_core/cpumask", "0-7\n" },
	{ "msr/type", "12\n" },
	{ "msr/format/event", "config:0-63\n" },
	{ "msr/events/tsc", "event=0x00\n" },
};

/* What was opened, in this order. */
static struct {
	uint32_t type;
	int cpu, fd;
} opened[OPEN_MAX_FILES];
static int open_count, open_error;
static int switched[4], switches;

long __wrap_syscall(long number, ...);
int __wrap_prctl(int option, ...);

long __wrap_syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	va_list list;
	int cpu;

	assert_int_equal(number, SYS_perf_event_open);
	va_start(list, number);
	attr = va_arg(list, const struct perf_event_attr *);
	assert_int_equal(va_arg(list, int), -1);
	cpu = va_arg(list, int);
	va_end(list);
	assert_true(attr->disabled);
	if (open_error) {
		errno = open_error;
		return -1;
	}
	assert_in_range(open_count, 0, OPEN_MAX_FILES - 1);
	opened[open_count].type = attr->type;
	opened[open_count].cpu = cpu;
	opened[open_count].fd = memfd_create("counter", MFD_CLOEXEC);
	return opened[open_count++].fd;
}

int __wrap_prctl(int option, ...)
{
	assert_in_range(switches, 0, (int)ARRAY_SIZE(switched) - 1);
	switched[switches++] = option;
	return 0;
}

/* What the counter says when it is read next. */
static void set(int number, uint64_t value, uint64_t enabled, uint64_t running)
{
	const struct kernel_reading reading = { value, enabled, running };
	int fd = opened[number].fd;

	assert_int_equal(pwrite(fd, &reading, sizeof(reading), 0),
			 sizeof(reading));
	lseek(fd, 0, SEEK_SET);
}

static char *directory;

static int make(void **state)
{
	char path[64], id[16];

	(void)state;
	directory = scratch_make();
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		scratch_write(directory, files[i].path, files[i].text);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path),
			 "cpu%d/topology/physical_package_id", cpu);
		snprintf(id, sizeof(id), "%d\n", cpu / 4);
		scratch_write(directory, path, id);
		snprintf(path, sizeof(path), "cpu%d/topology/die_id", cpu);
		snprintf(id, sizeof(id), "%d\n", cpu / 2 % 2);
		scratch_write(directory, path, id);
	}
	kernel_pmu_directory = topology_directory = directory;
	return 0;
}

static int unmake(void **state)
{
	(void)state;
	scratch_remove(directory);
	return 0;
}

/* What a test counts. */
static struct event_list list;
static struct kernel_counters counters;

/* A list of one event, as the user writes it. */
static void make_list(const char *name)
{
	list = (struct event_list){ calloc(1, sizeof(*list.events)), 1 };
	assert_non_null(list.events);
	list.events[0].name = strdup(name);
	list.events[0].kernel = kernel_pmu_find(name);
	assert_non_null(list.events[0].kernel);
}

/* For the CPUs from the first one on. */
static int try_open(int first)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	for (int cpu = first; cpu < CPUS; cpu++)
		CPU_SET(cpu, &cpus);
	open_count = switches = 0;
	return kernel_counters_open(&counters, &list, &cpus, GROUP_SOCKETS);
}

static void begin(const char *name, int first)
{
	make_list(name);
	assert_int_equal(try_open(first), 0);
}

static uint64_t count_of(const char *place)
{
	return kernel_counters_value(&counters, 0, -1, place).count;
}

static void finish(void)
{
	kernel_counters_close(&counters);
	events_free(&list);
}

static void each_socket_has_its_energy(void **state)
{
	struct kernel_value value;

	(void)state;
	begin("power/energy-pkg/", 0);
	assert_int_equal(open_count, 2);
	set(0, 3ull << 32, 10, 10);
	set(1, 5ull << 32, 10, 10);
	kernel_counters_read(&counters);
	assert_int_equal(count_of("S0"), 3000000);
	assert_int_equal(count_of("S1"), 5000000);
	assert_int_equal(count_of(NULL), 8000000);
	assert_true(kernel_counters_value(&counters, 0, 4, "").there);
	value = kernel_counters_value(&counters, 0, 3, "");
	assert_false(value.there || value.count);
	assert_false(kernel_counters_value(&counters, 0, -1, "S2").there);
	assert_false(kernel_counters_partial(&counters));
	finish();
}

static void an_instance_is_read_on_its_own_cpu(void **state)
{
	(void)state;
	begin("amd_umc/config=1/", 0);
	assert_int_equal(open_count, 2);
	assert_int_equal(opened[0].type, 20);
	assert_int_equal(opened[0].cpu, 0);
	assert_int_equal(opened[1].type, 21);
	assert_int_equal(opened[1].cpu, 4);
	kernel_counters_close(&counters);
	/* Of one socket. */
	assert_int_equal(try_open(4), 0);
	assert_int_equal(open_count, 1);
	assert_int_equal(opened[0].type, 21);
	finish();
}

static void instances_can_be_kept_apart(void **state)
{
	(void)state;
	make_list("amd_umc/config=1/");
	assert_int_equal(events_split_instances(&list), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.events[0].name, "amd_umc_0/config=1/");
	assert_string_equal(list.events[1].name, "amd_umc_1/config=1/");
	assert_int_equal(try_open(0), 0);
	set(0, 7, 10, 10);
	set(1, 9, 10, 10);
	kernel_counters_read(&counters);
	assert_int_equal(kernel_counters_value(&counters, 0, -1, "").count, 7);
	assert_int_equal(kernel_counters_value(&counters, 1, -1, "").count, 9);
	finish();
}

static void a_pmu_without_mask_is_read_on_each_cpu(void **state)
{
	(void)state;
	begin("msr/tsc/", 2);
	assert_int_equal(open_count, CPUS - 2);
	for (int i = 0; i < open_count; i++)
		set(i, 1ull << i, 10, 10);
	kernel_counters_read(&counters);
	assert_int_equal(count_of(NULL), 0x3f);
	assert_int_equal(count_of("S0"), 0x3);
	assert_int_equal(kernel_counters_value(&counters, 0, 3, "").count, 2);
	finish();
}

/* Each 1/2^32 J is less than a microjoule: no part of one is lost or counted twice. */
static void intervals_add_up_to_the_whole(void **state)
{
	const uint64_t unit = 1ull << 18, units = 1010;
	uint64_t sum = 0;

	(void)state;
	begin("power/energy-pkg/", 4);
	for (uint64_t i = 1; i <= units; i++) {
		set(0, i * unit, i, i);
		kernel_counters_read(&counters);
		sum += count_of(NULL);
		kernel_counters_begin_interval(&counters);
	}
	/* 2^-14 J each: 61645.5 uJ, and rounded up. */
	assert_int_equal(sum, (units * 1000000 + (1 << 13)) >> 14);
	assert_int_equal(count_of(NULL), 0);
	finish();
}

/* The kernel widens counters of 32 and 48 bits; its own have 64. */
static void a_large_count_is_exact(void **state)
{
	(void)state;
	begin("amd_umc_0/config=1/", 0);
	set(0, UINT64_MAX - 4, 1, 1);
	kernel_counters_read(&counters);
	assert_true(count_of(NULL) == UINT64_MAX - 4);
	kernel_counters_begin_interval(&counters);
	set(0, UINT64_MAX - 2, 2, 2);
	kernel_counters_read(&counters);
	assert_int_equal(count_of(NULL), 2);
	finish();
}

static void counters_that_others_had_are_told(void **state)
{
	struct kernel_value value;

	(void)state;
	begin("power/energy-pkg/", 0);
	set(0, 1ull << 32, 100, 100);
	set(1, 1ull << 32, 100, 25);
	kernel_counters_read(&counters);
	assert_true(kernel_counters_partial(&counters));
	value = kernel_counters_value(&counters, 0, -1, "S1");
	assert_int_equal(value.enabled, 100);
	assert_int_equal(value.running, 25);
	assert_int_equal(value.count, 1000000);
	kernel_counters_begin_interval(&counters);
	set(0, 2ull << 32, 200, 200);
	set(1, 2ull << 32, 200, 125);
	kernel_counters_read(&counters);
	assert_false(kernel_counters_partial(&counters));
	finish();
}

/* An interval up to there, in which the first counter counts all the time. */
static void pass(uint64_t ns)
{
	kernel_counters_begin_interval(&counters);
	set(0, ns, ns, ns);
	kernel_counters_read(&counters);
}

/* The second counter counts no longer than 60 ms, in two intervals of 100. */
static void stall(void)
{
	set(1, 50, 60 * MS, 60 * MS);
	pass(100 * MS);
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 2);
	set(1, 50, 60 * MS, 60 * MS);
	pass(200 * MS);
}

static void a_cpu_that_was_off_line_is_seen_in_part(void **state)
{
	struct kernel_value value;

	(void)state;
	begin("amd_umc/config=1/", 0);
	set(1, 50, 60 * MS, 60 * MS);
	pass(100 * MS);
	assert_true(kernel_counters_partial(&counters));
	value = kernel_counters_value(&counters, 0, -1, "S1");
	assert_int_equal(value.enabled, 100 * MS);
	assert_int_equal(value.running, 60 * MS);
	set(1, 50, 60 * MS, 60 * MS);
	pass(200 * MS);
	value = kernel_counters_value(&counters, 0, -1, "S1");
	assert_int_equal(value.enabled, 100 * MS);
	assert_int_equal(value.running, 0);
	assert_true(value.there);
	finish();
}

static void a_cpu_that_comes_back_is_counted_again(void **state)
{
	(void)state;
	begin("amd_umc/config=1/", 0);
	stall();
	open_error = ENODEV;
	kernel_counters_return(&counters);
	open_error = 0;
	/* The kernel is not asked for what it says that no CPU can read. */
	scratch_write(directory, "amd_umc_1/cpumask", "\n");
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 2);
	/* The next CPU of the same die reads it now, and none of the other dies can. */
	scratch_write(directory, "amd_umc_1/cpumask", "1,6-7\n");
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 2);
	scratch_write(directory, "amd_umc_1/cpumask", "1,5-7\n");
	kernel_counters_return(&counters);
	scratch_write(directory, "amd_umc_1/cpumask", "4\n");
	assert_int_equal(open_count, 3);
	assert_int_equal(opened[2].type, 21);
	assert_int_equal(opened[2].cpu, 5);
	set(2, 30, 99 * MS, 99 * MS);
	pass(300 * MS);
	assert_int_equal(count_of("S1"), 30);
	assert_false(kernel_counters_partial(&counters));
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 3);
	finish();
}

static void no_core_is_counted_in_the_place_of_another(void **state)
{
	(void)state;
	begin("cstate_core/config=1/", 6);
	stall();
	scratch_write(directory, "cstate_core/cpumask", "0-6\n");
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 2);
	scratch_write(directory, "cstate_core/cpumask", "0-7\n");
	kernel_counters_return(&counters);
	assert_int_equal(open_count, 3);
	assert_int_equal(opened[2].cpu, 7);
	finish();
}

/* One is started behind the other. */
static void a_skew_is_no_part(void **state)
{
	(void)state;
	begin("amd_umc/config=1/", 0);
	set(1, 50, 99 * MS, 99 * MS);
	pass(100 * MS);
	assert_false(kernel_counters_partial(&counters));
	set(1, 50, 100 * MS, 100 * MS);
	pass(102 * MS);
	assert_false(kernel_counters_partial(&counters));
	finish();
}

static void a_pmu_that_goes_is_named_once_and_its_rows_end(void **state)
{
	(void)state;
	begin("power/energy-pkg/", 0);
	set(0, 1ull << 32, 10, 10);
	set(1, 1ull << 32, 10, 10);
	kernel_counters_read(&counters);
	assert_true(kernel_counters_value(&counters, 0, -1, NULL).there);
	set(0, 2ull << 32, 20, 20);
	assert_int_equal(ftruncate(opened[1].fd, 0), 0);
	message_catch();
	kernel_counters_read(&counters);
	message_expect("power/energy-pkg/", "its PMU or CPU 4 has gone", NULL);
	assert_false(kernel_counters_value(&counters, 0, -1, NULL).there);
	assert_false(kernel_counters_value(&counters, 0, -1, "S1").there);
	assert_true(kernel_counters_value(&counters, 0, -1, "S0").there);
	set(0, 3ull << 32, 30, 30);
	message_catch();
	kernel_counters_read(&counters);
	message_expect_none();
	finish();
}

static void all_begin_and_end_by_one_call(void **state)
{
	struct kernel_counters none = { .count = 0 };

	(void)state;
	begin("msr/tsc/", 0);
	kernel_counters_run(&counters, true);
	kernel_counters_run(&counters, false);
	kernel_counters_run(&none, true);
	assert_int_equal(switches, 2);
	assert_int_equal(switched[0], PR_TASK_PERF_EVENTS_ENABLE);
	assert_int_equal(switched[1], PR_TASK_PERF_EVENTS_DISABLE);
	finish();
}

static void what_cannot_be_opened_has_its_reason(void **state)
{
	static const struct {
		const char *name;
		int first, error;
		const char *text;
	} rows[] = {
		{ "power/energy-pkg/", 5, 0, "only CPU 0,4 can count it" },
		{ "power/energy-pkg/", 0, EACCES, "perf_event_paranoid=0" },
		{ "power/energy-pkg/", 0, EPERM, "CAP_PERFMON" },
		{ "power/energy-pkg/", 0, ENODEV,
		  "CPU 0, which counts it, is off line" },
		{ "power/energy-pkg/", 4, ENXIO,
		  "CPU 4, which counts it, is off line" },
		{ "power/event=9/", 0, EINVAL, "does not count it here" },
		{ "msr/tsc/", 0, EMFILE, "cannot count it on CPU 0: Too many" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		make_list(rows[i].name);
		open_error = rows[i].error;
		message_catch();
		assert_int_equal(try_open(rows[i].first), -1);
		message_expect(rows[i].name, rows[i].text, NULL);
		open_error = 0;
		finish();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_socket_has_its_energy),
		cmocka_unit_test(an_instance_is_read_on_its_own_cpu),
		cmocka_unit_test(instances_can_be_kept_apart),
		cmocka_unit_test(a_pmu_without_mask_is_read_on_each_cpu),
		cmocka_unit_test(intervals_add_up_to_the_whole),
		cmocka_unit_test(a_large_count_is_exact),
		cmocka_unit_test(counters_that_others_had_are_told),
		cmocka_unit_test(a_cpu_that_was_off_line_is_seen_in_part),
		cmocka_unit_test(a_cpu_that_comes_back_is_counted_again),
		cmocka_unit_test(no_core_is_counted_in_the_place_of_another),
		cmocka_unit_test(a_skew_is_no_part),
		cmocka_unit_test(
			a_pmu_that_goes_is_named_once_and_its_rows_end),
		cmocka_unit_test(all_begin_and_end_by_one_call),
		cmocka_unit_test(what_cannot_be_opened_has_its_reason),
	};

	return cmocka_run_group_tests_name("pfmon_kernel_counters", tests, make,
					   unmake);
}
