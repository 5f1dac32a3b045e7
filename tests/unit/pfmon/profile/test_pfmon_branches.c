// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches before samples: how files have them, and what reports, script and perf show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/perf_event.h>
#include <perfmon/perfmon_precise_smpl.h>

#include "array_size.h"
#include "message.h"
#include "profile/read_profile.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define PREDICTED PFM_PRECISE_SMPL_BR_PREDICTED
#define MISPREDICTED PFM_PRECISE_SMPL_BR_MISPREDICTED
#define CYCLES(n) ((uint64_t)(n) << 16)

/* An entry with the block of registers, which is not read, and at most two branches. */
struct branched_entry {
	struct pfm_precise_smpl_entry entry;
	struct pfm_precise_smpl_blocks blocks;
	struct pfm_precise_smpl_gprs gprs;
	struct pfm_precise_smpl_branches head;
	struct pfm_precise_smpl_branch branches[2];
};

static struct branched_entry entry_of(uint64_t ip, unsigned int nr,
				      uint64_t info)
{
	struct branched_entry made = {
		.entry = { .pid = 71,
			   .tgid = 71,
			   .ovfl_pmd = 1,
			   .last_reset_val = (uint64_t)-997,
			   .ip = ip,
			   .tstamp = 5 },
		.blocks.present = PFM_PRECISE_SMPL_GPRS |
				  PFM_PRECISE_SMPL_BRANCHES,
		.head.nr = nr,
		.branches = { { PROFILED_FB + 4, PROFILED_FA, info },
			      { PROFILED_FA + 8, PROFILED_FB, PREDICTED } },
	};

	memset(&made.gprs, 0xee, sizeof(made.gprs));
	made.blocks.bytes = (uint32_t)(sizeof(made.gprs) + sizeof(made.head) +
				       nr * sizeof(made.branches[0]));
	made.entry.size = (uint16_t)(sizeof(made.entry) + sizeof(made.blocks) +
				     made.blocks.bytes);
	return made;
}

/* One whose block has fewer branches than it says. */
static struct branched_entry too_short(void)
{
	struct branched_entry made = entry_of(PROFILED_FA, 2, 0);

	made.head.nr = 3;
	return made;
}

static void write_file(void)
{
	static const char meta[] =
		"{\"version\":1,\"host\":\"h\",\"blocks\":4,\"events\":[{"
		"\"id\":0,\"name\":\"cycles\",\"native\":null,\"level\":"
		"\"user\",\"period\":997,\"pmd\":1,\"smpl_pmds\":[]}]}";
	const struct branched_entry entries[] = {
		entry_of(PROFILED_FA, 2, MISPREDICTED | CYCLES(7)),
		entry_of(PROFILED_FA, 1, PREDICTED | CYCLES(10)),
		entry_of(PROFILED_FB, 0, 0),
		too_short(),
	};

	profiled_write_precise(profiled_directory, meta, entries,
			       ARRAY_SIZE(entries), sizeof(entries[0]));
}

static void files_have_branches_of_samples(void **state)
{
	const unsigned int expected[] = { 2, 1, 0, 0 };
	const struct pfm_precise_smpl_branch *branches;
	struct profile profile;
	char *path;

	(void)state;
	write_file();
	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	assert_int_equal(profile_read(&profile, path), 0);
	assert_true(profile.has_branches);
	assert_false(profile.has_memory);
	assert_int_equal(profile.sample_count, 4);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_int_equal(profile.samples[i].branch_count, expected[i]);
	branches = profile_branches(&profile, &profile.samples[0]);
	assert_int_equal(branches[0].from, PROFILED_FB + 4);
	assert_int_equal(branches[0].to, PROFILED_FA);
	assert_int_equal(branches[0].info, MISPREDICTED | CYCLES(7));
	assert_int_equal(branches[1].to, PROFILED_FB);
	branches = profile_branches(&profile, &profile.samples[1]);
	assert_int_equal(branches[0].info, PREDICTED | CYCLES(10));
	assert_null(profile_branches(&profile, &profile.samples[2]));
	profile_free(&profile);
	free(path);
}

static void expect_in(char *output, const char *const *texts)
{
	char *at = output;

	for (; *texts; texts++) {
		at = strstr(at, *texts);
		if (!at)
			fail_msg("no \"%s\" in\n%s", *texts, output);
	}
	free(output);
}

static void reports_sum_branches_up(void **state)
{
	static const char *const words[] = { "--branches", NULL };
	static const char *const texts[] = {
		"# cycles:u: 4 samples, 3 branches before them\n",
		"  BRANCHES  SHARE% MISPRED%    CYCLES  FROM -> TO\n",
		"         2   66.67    50.00       8.5  fb+0x4 -> fa+0x0  /",
		"         1   33.33     0.00         -  fa+0x8 -> fb+0x0  /",
		NULL,
	};

	(void)state;
	write_file();
	expect_in(profiled_run(profiled_directory, verb_report, words, NULL),
		  texts);
}

static void script_has_a_line_for_each(void **state)
{
	static const char *const words[] = { "--no-demangle", NULL };
	static const char *const texts[] = {
		"401000 fa+0x0 (",
		"\n\tbranch 401044 fb+0x4 -> 401000 fa+0x0 mispredicted cycles 7\n"
		"\tbranch 401008 fa+0x8 -> 401040 fb+0x0\nprof",
		"\n\tbranch 401044 fb+0x4 -> 401000 fa+0x0 cycles 10\nprof",
		NULL,
	};

	(void)state;
	write_file();
	expect_in(profiled_run(profiled_directory, verb_script, words, NULL),
		  texts);
}

static void samples_without_branches_have_no_report_of_them(void **state)
{
	char *path;

	(void)state;
	profiled_write(profiled_directory);
	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	message_catch();
	assert_int_not_equal(verb_report(3, (char *[]){ (char *)"report",
							(char *)"-b", path,
							NULL }),
			     0);
	message_expect("--branches: ", "record them with -b", NULL);
	free(path);
}

static void perf_reads_branches(void **state)
{
	static const char *const words[] = { "perfdata", NULL };
	struct perf_event_header header;
	struct perf_event_attr attr;
	uint64_t at, features, record[14] = { 0 };
	size_t size;
	char *bytes;

	(void)state;
	write_file();
	bytes = profiled_run(profiled_directory, verb_export, words, &size);
	/* The header of the file has 104 bytes, and one number of an event follows. */
	memcpy(&attr, bytes + 104 + 8, sizeof(attr));
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_false(attr.sample_type & PERF_SAMPLE_DATA_SRC);
	assert_true(attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY);
	/* perf looks for this when it decides what a row is. */
	memcpy(&features, bytes + 72, sizeof(features));
	assert_true(features >> 15 & 1);
	memcpy(&at, bytes + 40, sizeof(at));
	memcpy(&header, bytes + at, sizeof(header));
	while (header.type != PERF_RECORD_SAMPLE) {
		at += header.size;
		memcpy(&header, bytes + at, sizeof(header));
	}
	assert_int_equal(header.size, 14 * 8);
	memcpy(record, bytes + at, header.size);
	/* Header, identifier, ip, ids, time, CPU, period, their number, branches. */
	assert_int_equal(record[7], 2);
	assert_int_equal(record[8], PROFILED_FB + 4);
	assert_int_equal(record[9], PROFILED_FA);
	assert_int_equal(record[10], 0x1 | 7 << 4);
	assert_int_equal(record[13], 0x2);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_branches_of_samples),
		cmocka_unit_test(reports_sum_branches_up),
		cmocka_unit_test(script_has_a_line_for_each),
		cmocka_unit_test(
			samples_without_branches_have_no_report_of_them),
		cmocka_unit_test(perf_reads_branches),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
