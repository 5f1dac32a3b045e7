// SPDX-License-Identifier: GPL-2.0-only
/* Samples as pfmon 3.9 prints them, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <perfmon/perfmon_dfl_smpl.h>

#include "array_size.h"
#include "diag.h"
#include "message.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define RUN(size, ...)                                 \
	profiled_run(profiled_directory, verb_classic, \
		     (const char *const[]){ __VA_ARGS__, NULL }, size)

static void expect(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

#define TITLE                                 \
	"# results for [71:71<-[0]] (prof)\n" \
	"# total samples          : 1003\n"   \
	"#\n"                                 \
	"#                   event00 \n"      \
	"#     counts   %self    %cum          code addr"

static void functions_have_their_samples(void **state)
{
	(void)state;
	profiled_write(profiled_directory);
	expect(RUN(NULL, "--module=inst-hist", "--per-function", "--resolve"),
	       TITLE
	       " symbol\n"
	       "         601  59.92%  59.92% 0x0000000000401000 fa<prof>\n"
	       "         301  30.01%  89.93% 0x0000000000401040 fb<prof>\n"
	       "         101  10.07% 100.00% 0x0000000000401080 fc<prof>\n");
}

static void rows_end_where_it_was_asked_for(void **state)
{
	static const char two[] = TITLE
		"\n"
		"         601  59.92%  59.92% 0x0000000000401000\n"
		"         301  30.01%  89.93% 0x0000000000401040\n";

	(void)state;
	profiled_write(profiled_directory);
	expect(RUN(NULL, "--per-function", "--top=2"), two);
	expect(RUN(NULL, "--per-function", "--cum-threshold=89"),
	       TITLE "\n"
		     "         601  59.92%  59.92% 0x0000000000401000\n");
	expect(RUN(NULL, "--per-function", "--cum-threshold=90"), two);
}

static void addresses_are_rows_otherwise(void **state)
{
	static const uint64_t ips[] = { PROFILED_FA + 7, PROFILED_FB,
					PROFILED_FA + 7, PROFILED_FA,
					0x5000,		 0 };
	char *path;

	(void)state;
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	profiled_write_ips(profiled_directory, path, NULL, ips);
	expect(RUN(NULL, "--aggregate", "--resolve"),
	       "# aggregated results\n"
	       "# total samples          : 5\n"
	       "#\n"
	       "#                   event00 \n"
	       "#     counts   %self    %cum          code addr symbol\n"
	       "           2  40.00%  40.00% 0x0000000000401007 fa+0x7<prof>\n"
	       "           1  20.00%  60.00% 0x0000000000005000 [unknown 0x5000]\n"
	       "           1  20.00%  80.00% 0x0000000000401000 fa+0x0<prof>\n"
	       "           1  20.00% 100.00% 0x0000000000401040 fb+0x0<prof>\n");
	expect(RUN(NULL, "--module=detailed", "--resolve", "--pid=71"),
	       "entry 0 PID:71 TID:71 CPU:1 STAMP:0x499602d2 OVFL:0 LAST_VAL:997 SET:0 IIP:0x401007 fa+0x7<prof>\n"
	       "entry 1 PID:71 TID:71 CPU:1 STAMP:0x499602d3 OVFL:0 LAST_VAL:997 SET:0 IIP:0x401040 fb+0x0<prof>\n"
	       "entry 2 PID:71 TID:71 CPU:1 STAMP:0x499602d4 OVFL:0 LAST_VAL:997 SET:0 IIP:0x401007 fa+0x7<prof>\n"
	       "entry 3 PID:71 TID:71 CPU:1 STAMP:0x499602d5 OVFL:0 LAST_VAL:997 SET:0 IIP:0x401000 fa+0x0<prof>\n"
	       "entry 4 PID:71 TID:71 CPU:1 STAMP:0x499602d6 OVFL:0 LAST_VAL:997 SET:0 IIP:0x5000 [unknown 0x5000]\n");
	free(path);
}

static const uint64_t value = 4711;
static const uint64_t ips[] = { 0x10, 0x20, 0 };

/* Two threads of process 7, the second with an event that has a value. */
static void write_two(void)
{
	const struct pfmd_loss loss = { .stream = 8,
					.blind_ns = 1500000,
					.throttled_ns = 2000001,
					.lost = 3 };
	struct writer writer;

	samples_begin(&writer, SAMPLES_META_TWO);
	samples_task(&writer, 0, PFMD_FORK, 7, 7, 1, "sh");
	samples_task(&writer, 0, PFMD_FORK, 7, 8, 7, "");
	samples_add(&writer, &(struct samples_of){ .tgid = 7,
						   .tid = 8,
						   .pmd = 1,
						   .time = 1,
						   .period = 1000,
						   .ips = ips,
						   .value = &value });
	samples_add(&writer, &(struct samples_of){ .tgid = 7,
						   .tid = 7,
						   .time = 5,
						   .period = 997,
						   .ips = ips + 1 });
	writer_chunk(&writer, PFMD_LOSS,
		     (const struct iovec[]){
			     { (void *)(uintptr_t)&loss, sizeof(loss) } },
		     1);
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

#define NAMES                                                               \
	"#\n"                                                               \
	"#                   event00                    event01 \n"         \
	"#     counts   %self    %cum     counts   %self    %cum          " \
	"code addr\n"
#define FIRST                                                      \
	"# results for [7:7<-[1]] (sh)\n"                          \
	"# total samples          : 1\n" NAMES                     \
	"           1 100.00% 100.00%          0   0.00%   0.00% " \
	"0x0000000000000020\n"
#define SECOND                                                     \
	"# results for [7:8<-[1]] (sh)\n"                          \
	"# total samples          : 2\n"                           \
	"# lost samples           : 3\n"                           \
	"# not sampled for        : 1.500000 ms\n"                 \
	"# throttled for          : 2.000001 ms\n" NAMES           \
	"           0   0.00%   0.00%          1  50.00%  50.00% " \
	"0x0000000000000010\n"                                     \
	"           0   0.00%   0.00%          1  50.00% 100.00% " \
	"0x0000000000000020\n"

static void each_session_has_a_part_and_each_event_columns(void **state)
{
	(void)state;
	write_two();
	expect(RUN(NULL, "--module=inst-hist"), FIRST SECOND);
}

static void sessions_can_have_files(void **state)
{
	char *name, *text;

	(void)state;
	write_two();
	assert_true(asprintf(&name, "%s/part", profiled_directory) > 0);
	text = RUN(NULL, "--split", name);
	expect(text, "");
	expect(profiled_read(profiled_directory, "part.7.7", NULL), FIRST);
	expect(profiled_read(profiled_directory, "part.7.8", NULL), SECOND);
	free(name);
}

static void values_follow_their_sample(void **state)
{
	(void)state;
	write_two();
	expect(RUN(NULL, "--module=compact"),
	       "0 7 7 1 0x5 0 997 0 0x20\n"
	       "0 7 8 1 0x1 1 1000 0 0x10 0x1267\n"
	       "1 7 8 1 0x2 1 1000 0 0x20 0x1267\n");
	expect(RUN(NULL, "--module=detailed", "--aggregate"),
	       "entry 0 PID:7 TID:8 CPU:1 STAMP:0x1 OVFL:1 LAST_VAL:1000 SET:0 IIP:0x10\n"
	       "\tPMD0  :0x0000000000001267\n"
	       "entry 1 PID:7 TID:8 CPU:1 STAMP:0x2 OVFL:1 LAST_VAL:1000 SET:0 IIP:0x20\n"
	       "\tPMD0  :0x0000000000001267\n"
	       "entry 2 PID:7 TID:7 CPU:1 STAMP:0x5 OVFL:0 LAST_VAL:997 SET:0 IIP:0x20\n");
}

static void raw_samples_are_those_of_the_kernel(void **state)
{
	struct pfm_dfl_smpl_entry entry;
	size_t size;
	char *bytes;

	(void)state;
	write_two();
	bytes = RUN(&size, "--module=raw", "--aggregate", "--header");
	assert_int_equal(size, 3 * sizeof(entry) + 2 * sizeof(value));
	memcpy(&entry, bytes + sizeof(entry) + sizeof(value), sizeof(entry));
	assert_int_equal(entry.pid, 8);
	assert_int_equal(entry.tgid, 7);
	assert_int_equal(entry.cpu, 1);
	assert_int_equal(entry.ovfl_pmd, 1);
	assert_int_equal(entry.last_reset_val, -1000);
	assert_int_equal(entry.ip, 0x20);
	assert_int_equal(entry.tstamp, 2);
	assert_int_equal(entry.set, 0);
	assert_memory_equal(bytes + sizeof(entry), &value, sizeof(value));
	free(bytes);
}

static void a_header_tells_what_was_asked(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN(NULL, "--module=compact", "--header");
	assert_non_null(strstr(
		text, "# PMD0: RETIRED_INSTRUCTIONS = user, period 997\n"));
	assert_non_null(strstr(text, "# command line     : "));
	free(text);
}

static void nothing_sampled_is_told(void **state)
{
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 0, PFMD_FORK, 7, 7, 1, "true");
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	expect(RUN(NULL, "--module=inst-hist"),
	       "# results for [7:7<-[1]] (true)\n"
	       "# total samples          : 0\n"
	       "#\n"
	       "#                   event00 \n"
	       "#     counts   %self    %cum          code addr\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_have_their_samples),
		cmocka_unit_test(rows_end_where_it_was_asked_for),
		cmocka_unit_test(addresses_are_rows_otherwise),
		cmocka_unit_test(
			each_session_has_a_part_and_each_event_columns),
		cmocka_unit_test(sessions_can_have_files),
		cmocka_unit_test(values_follow_their_sample),
		cmocka_unit_test(raw_samples_are_those_of_the_kernel),
		cmocka_unit_test(a_header_tells_what_was_asked),
		cmocka_unit_test(nothing_sampled_is_told),
	};

	return cmocka_run_group_tests_name("pfmon_classic", tests,
					   profiled_set_up, profiled_tear_down);
}
