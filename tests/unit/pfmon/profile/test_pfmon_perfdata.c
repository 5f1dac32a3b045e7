// SPDX-License-Identifier: GPL-2.0-only
/* Samples as perf.data: what perf makes of them, and what it does not show. */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

/* The bytes of "out"; to be freed. */
static char *export_sized(size_t *size)
{
	return profiled_run(profiled_directory, verb_export,
			    (const char *const[]){ "perfdata", NULL }, size);
}

static char *export_it(void)
{
	return export_sized(NULL);
}

static void perf_reads_the_same_samples(void **state)
{
	char *text;

	(void)state;
	if (system("perf --version > /dev/null 2>&1"))
		skip();
	profiled_write(profiled_directory);
	text = export_it();
	free(text);
	/* It ends with a tip in a comment, some of which are about per cent. */
	profiled_shell(
		profiled_directory,
		"perf report --stdio -n -i out 2> /dev/null | "
		"awk '!/^#/ && /%/ { print $2, $3, $4, $6 }' > perf.txt");
	text = profiled_read(profiled_directory, "perf.txt", NULL);
	assert_string_equal(text, "601 prof prof fa\n"
				  "301 prof prof fb\n"
				  "101 prof prof fc\n");
	free(text);
}

/* Processes, threads and names as perf script tells them. */
static void perf_knows_threads_and_their_names(void **state)
{
	const uint64_t ips[] = { 0x401000, 0 };
	struct writer writer;

	(void)state;
	if (system("perf --version > /dev/null 2>&1"))
		skip();
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_FORK, 71, 71, 0, "sh");
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, 0x401000, 0x1000, 0x1000, "/gone", NULL);
	samples_task(&writer, 3, PFMD_FORK, 72, 72, 71, "prof");
	samples_task(&writer, 4, PFMD_FORK, 72, 73, 72, "prof");
	samples_task(&writer, 5, PFMD_COMM, 72, 73, 0, "worker");
	samples_task(&writer, 9, PFMD_EXIT, 72, 72, 0, NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 72,
						   .tid = 73,
						   .time = 1000000,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	free(export_it());
	profiled_shell(
		profiled_directory,
		"perf script -F comm,pid,tid,time,period,event,ip,dso -i out 2> /dev/null | "
		"grep -q '^ *worker *72/73 *0.001000: *997 instructions:u: *401000 (/gone)'");
}

/* As the ABI has a mapping. */
struct mapping {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint8_t identity[24];
	uint32_t protection, flags;
	char path[];
};

/* Where it was then: perf takes symbols of today's kernel as far from it as they are. */
static void perf_is_told_where_the_kernel_was(void **state)
{
	const uint64_t begin = 0xffffffff81000000;
	const uint64_t ips[] = { begin + 16, 0 };
	static const char path[] = "[kernel.kallsyms]_stext";
	const struct mapping *mapping;
	struct writer writer;
	char *bytes, *found;
	size_t size;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 0, PFMD_KERNEL, begin, 0x1000, 0, "[kernel]",
		    NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 5,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	bytes = export_sized(&size);
	found = memmem(bytes, size, path, sizeof(path));
	assert_non_null(found);
	mapping = (const void *)(found - offsetof(struct mapping, path));
	assert_int_equal(mapping->header.type, PERF_RECORD_MMAP2);
	assert_int_equal(mapping->address, begin);
	assert_int_equal(mapping->offset, begin);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perf_reads_the_same_samples),
		cmocka_unit_test(perf_knows_threads_and_their_names),
		cmocka_unit_test(perf_is_told_where_the_kernel_was),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
