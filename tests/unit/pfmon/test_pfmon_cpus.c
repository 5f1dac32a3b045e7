// SPDX-License-Identifier: GPL-2.0-only
/* The self-test's lists of CPUs and what it reads from /proc/interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "selftest/cpus.h"

static void lists_are_parsed(void **state)
{
	cpu_set_t cpus;

	(void)state;
	assert_int_equal(cpus_parse("0,2-4,9\n", &cpus), 0);
	assert_int_equal(CPU_COUNT(&cpus), 5);
	assert_int_equal(cpus_next(&cpus, -1), 0);
	assert_int_equal(cpus_next(&cpus, 0), 2);
	assert_int_equal(cpus_next(&cpus, 4), 9);
	assert_int_equal(cpus_next(&cpus, 9), -1);
}

static void what_is_no_list_is_refused(void **state)
{
	static const char *const texts[] = {
		"",    "a",   "1,",  "1-",   "-1",
		"3-2", "1 2", "0x1", "1024", "99999999999999999999"
	};
	cpu_set_t cpus;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!cpus_parse(texts[i], &cpus))
			fail_msg("'%s' was taken", texts[i]);
}

static const char interrupts[] =
	"           CPU0       CPU2       \n"
	"  0:         43          5   IO-APIC   2-edge      timer\n"
	"LOC:       1000       2000   Local timer interrupts\n"
	"PMI:          7          0   Performance monitoring interrupts\n"
	"ERR:          9\n"
	"MIS:          9\n";

static uint64_t count(int cpu)
{
	FILE *file = fmemopen((void *)interrupts, strlen(interrupts), "r");
	uint64_t number = cpus_count_interrupts(file, cpu);

	fclose(file);
	return number;
}

static void interrupts_are_those_of_the_cpu(void **state)
{
	(void)state;
	assert_int_equal(count(0), 1050);
	assert_int_equal(count(2), 2005);
	/* It is off line. */
	assert_int_equal(count(1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_parsed),
		cmocka_unit_test(what_is_no_list_is_refused),
		cmocka_unit_test(interrupts_are_those_of_the_cpu),
	};

	return cmocka_run_group_tests_name("pfmon_cpus", tests, NULL, NULL);
}
