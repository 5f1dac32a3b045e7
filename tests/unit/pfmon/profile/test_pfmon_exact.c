// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise samples of a file: their exact addresses, their chains and blocks,
 * files that are refused, and what reports and other tools say of them.
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

#define EXACT PFM_PRECISE_SMPL_EXACT
#define KERNEL 0xffffffff81000000ull
#define META_OF(name, level, more)                                         \
	"{\"version\":1,\"host\":\"h\"," more "\"events\":[{\"id\":0,"     \
	"\"name\":\"" name "\",\"native\":\"ibs_op//\",\"level\":\"" level \
	"\",\"period\":992,\"precise\":\"ibs_op\",\"pmd\":9,"              \
	"\"smpl_pmds\":[]}]}"
#define META META_OF("cycles:p", "user", "")

/* An entry with what follows it. */
struct precise {
	struct pfm_precise_smpl_entry entry;
	uint64_t words[16];
};

static struct precise precise_of(uint64_t ip, uint16_t flags, uint16_t nr,
				 uint16_t nr_kernel, const uint64_t *ips)
{
	struct precise precise = {
		.entry = { .pid = 71,
			   .tgid = 71,
			   .ovfl_pmd = 9,
			   .flags = flags,
			   .last_reset_val = (uint64_t)-992,
			   .ip = ip,
			   .tstamp = 5,
			   .nr = nr,
			   .nr_kernel = nr_kernel,
			   .size = (uint16_t)(sizeof(precise.entry) + 8 * nr) },
	};

	for (unsigned int i = 0; i < nr; i++)
		precise.words[i] = ips[i];
	return precise;
}

/* Reads a file with this one sample. */
static int read_one(struct profile *profile, const char *meta,
		    const struct precise *precise)
{
	struct writer writer;
	size_t size;
	char *bytes;
	int ret;

	samples_begin(&writer, meta);
	samples_add_precise(&writer, 71, &precise->entry);
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	ret = profile_read_stream(profile, samples_stream(bytes, size), "f");
	free(bytes);
	return ret;
}

static const struct {
	uint64_t ip;
	uint16_t flags, nr, nr_kernel;
	uint64_t ips[4];
	uint16_t frames, kernel_frames;
	uint64_t chain[4];
} chains[] = {
	/* Interrupted where it was sampled, some instructions later. */
	{ 0x10, EXACT, 2, 0, { 0x14, 0x80 }, 2, 0, { 0x10, 0x80 } },
	/* It has called the kernel meanwhile. */
	{ 0x10,
	  EXACT,
	  4,
	  2,
	  { KERNEL, KERNEL + 8, 0x14, 0x80 },
	  2,
	  0,
	  { 0x10, 0x80 } },
	{ 0x10, EXACT, 1, 1, { KERNEL }, 1, 0, { 0x10 } },
	{ KERNEL,
	  EXACT,
	  3,
	  2,
	  { KERNEL + 4, KERNEL + 32, 0x80 },
	  3,
	  2,
	  { KERNEL, KERNEL + 32, 0x80 } },
	/* The kernel has returned meanwhile. */
	{ KERNEL, EXACT, 1, 0, { 0x80 }, 2, 1, { KERNEL, 0x80 } },
	/* The processor does not know where it was. */
	{ 0x14, 0, 2, 0, { 0x14, 0x80 }, 2, 0, { 0x14, 0x80 } },
	{ 0x10, EXACT, 0, 0, { 0 }, 0, 0, { 0 } },
};

static void chains_begin_with_the_sampled_instruction(void **state)
{
	struct profile profile;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(chains); i++) {
		struct precise precise =
			precise_of(chains[i].ip, chains[i].flags, chains[i].nr,
				   chains[i].nr_kernel, chains[i].ips);
		const struct profile_sample *sample;

		assert_int_equal(read_one(&profile, META, &precise), 0);
		assert_int_equal(profile.sample_count, 1);
		sample = profile.samples;
		assert_int_equal(sample->ip, chains[i].ip);
		assert_int_equal(sample->exact, chains[i].flags == EXACT);
		assert_int_equal(profile.events->inexact, !chains[i].flags);
		assert_int_equal(sample->period, 992);
		assert_int_equal(sample->frames, chains[i].frames);
		assert_int_equal(sample->kernel_frames,
				 chains[i].kernel_frames);
		assert_int_equal(profile.ip_count, chains[i].frames);
		for (unsigned int j = 0; j < sample->frames; j++)
			assert_int_equal(profile.ips[sample->stack + j],
					 chains[i].chain[j]);
		profile_free(&profile);
	}
}

/* A record is of the event behind the overflow, and a reset value does not count it. */
static void samples_stand_for_whole_periods(void **state)
{
	static const char meta[] =
		"{\"version\":1,\"host\":\"h\",\"events\":[{\"id\":0,"
		"\"name\":\"instructions:p\",\"native\":null,"
		"\"level\":\"user\",\"period\":993,\"precise\":\"pebs\","
		"\"after\":1,\"pmd\":9,\"smpl_pmds\":[]}]}";
	struct precise precise = precise_of(0x10, EXACT, 0, 0, NULL);
	struct profile profile;

	(void)state;
	assert_int_equal(read_one(&profile, meta, &precise), 0);
	assert_int_equal(profile.samples[0].period, 993);
	profile_free(&profile);
	assert_int_equal(read_one(&profile, META, &precise), 0);
	assert_int_equal(profile.samples[0].period, 992);
	profile_free(&profile);
}

static void blocks_are_passed_over(void **state)
{
	static const uint64_t ips[] = { 0x14, 0x80 };
	struct precise precise = precise_of(0x10, EXACT, 2, 0, ips);
	struct pfm_precise_smpl_blocks blocks = { .bytes = 48 };
	struct profile profile;

	(void)state;
	memcpy(precise.words + 2, &blocks, sizeof(blocks));
	precise.entry.size += sizeof(blocks) + 48;
	assert_int_equal(read_one(&profile,
				  META_OF("cycles:p", "user", "\"blocks\":2,"),
				  &precise),
			 0);
	assert_int_equal(profile.sample_count, 1);
	assert_int_equal(profile.ips[1], 0x80);
	profile_free(&profile);
}

static void refuse(struct precise precise, const char *more)
{
	struct profile profile;

	message_catch();
	assert_int_equal(read_one(&profile, more, &precise), -1);
	message_expect("is damaged: ", "sample", NULL);
	profile_free(&profile);
}

static void entries_that_contradict_themselves_are_refused(void **state)
{
	static const char blocks_meta[] =
		META_OF("cycles:p", "user", "\"blocks\":2,");
	static const uint64_t ips[] = { 0x14, 0x80 };
	const struct precise good = precise_of(0x10, EXACT, 2, 0, ips);
	struct pfm_precise_smpl_blocks blocks = { .bytes = 0xfffffff8 };
	struct precise bad = good;

	(void)state;
	bad.entry.nr = 3;
	refuse(bad, META);
	bad = good;
	bad.entry.nr_kernel = 3;
	refuse(bad, META);
	bad = good;
	bad.entry.size -= 8;
	refuse(bad, META);
	bad = good;
	bad.entry.size = 8;
	refuse(bad, META);
	bad = good;
	bad.entry.ovfl_pmd = 8;
	refuse(bad, META);
	/* No room for the word that tells what blocks there are. */
	refuse(good, blocks_meta);
	bad = good;
	memcpy(bad.words + 2, &blocks, sizeof(blocks));
	bad.entry.size += sizeof(blocks);
	refuse(bad, blocks_meta);
}

static void events_have_the_names_that_perf_gives_them(void **state)
{
	static const uint64_t none[1];
	const struct precise precise = precise_of(0x10, EXACT, 0, 0, none);
	static const char *const rows[][2] = {
		{ META_OF("cycles:p", "user", ""), "cycles:pu" },
		{ META_OF("cycles:pp", "all", ""), "cycles:ppuk" },
		{ META_OF("cycles:ppu", "user", ""), "cycles:ppu" },
		{ META_OF("r76:p:u", "user", ""), "r76:p:u" },
		{ META_OF("ibs_op//", "all", ""), "ibs_op//uk" },
		{ META_OF("ibs_op/cnt_ctl=1/u", "user", ""),
		  "ibs_op/cnt_ctl=1/u" },
		{ META_OF("ibs_op//p", "user", ""), "ibs_op//pu" },
		{ META_OF("cycles", "user", ""), "cycles:u" },
		{ META_OF("cycles:u", "user", ""), "cycles:u" },
		{ META_OF("cycles:c=2", "user", ""), "cycles:c=2:u" },
	};
	struct profile profile;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(read_one(&profile, rows[i][0], &precise), 0);
		assert_string_equal(profile.events->name, rows[i][1]);
		assert_string_equal(profile.events->precise, "ibs_op");
		profile_free(&profile);
	}
}

/* Two samples of fa, and so many are exact. */
static void write_two(unsigned int exact)
{
	static const uint64_t none[1];
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct writer writer;
	char *path;

	profiled_build_id(profiled_directory, build_id);
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	samples_begin(&writer, META);
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, path,
		    build_id);
	free(path);
	for (unsigned int i = 0; i < 2; i++) {
		struct precise precise = precise_of(
			PROFILED_FA + 5, i < exact ? EXACT : 0, 0, 0, none);

		samples_add_precise(&writer, 71, &precise.entry);
	}
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
}

static void expect_output(int (*verb)(int argc, char **argv), const char *text,
			  bool there)
{
	static const char *const none[] = { NULL };
	char *output = profiled_run(profiled_directory, verb, none, NULL);

	if (!strstr(output, text) == there)
		fail_msg("%s: %s", text, output);
	free(output);
}

static void reports_say_what_addresses_are(void **state)
{
	static const char precise[] =
		"# precise (ibs_op): a sample is at the instruction that was sampled";

	(void)state;
	write_two(2);
	expect_output(verb_report, precise, true);
	expect_output(verb_report, "but for", false);
	expect_output(verb_script, "fa+0x5 ", true);
	expect_output(verb_script, "interrupted", false);
	write_two(1);
	expect_output(verb_report,
		      "sampled, but for 1 at the one that was interrupted\n",
		      true);
	expect_output(verb_script, ") interrupted\n", true);
	profiled_write(profiled_directory);
	expect_output(verb_report, "precise", false);
}

static void perf_is_told_that_addresses_are_exact(void **state)
{
	static const char *const words[] = { "perfdata", NULL };
	struct perf_event_attr attr;
	struct perf_event_header header;
	unsigned int exact = 0, samples = 0;
	size_t size, at;
	char *bytes;

	(void)state;
	write_two(1);
	bytes = profiled_run(profiled_directory, verb_export, words, &size);
	/* The header of the file has 104 bytes, and one number of an event follows. */
	memcpy(&attr, bytes + 104 + 8, sizeof(attr));
	assert_int_equal(attr.precise_ip, 2);
	memcpy(&at, bytes + 40, sizeof(at));
	for (; at + sizeof(header) <= size; at += header.size) {
		memcpy(&header, bytes + at, sizeof(header));
		if (header.size < sizeof(header) ||
		    header.type > PERF_RECORD_MMAP2)
			break;
		if (header.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		exact += header.misc & PERF_RECORD_MISC_EXACT_IP ? 1 : 0;
	}
	assert_int_equal(samples, 2);
	assert_int_equal(exact, 1);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_begin_with_the_sampled_instruction),
		cmocka_unit_test(samples_stand_for_whole_periods),
		cmocka_unit_test(blocks_are_passed_over),
		cmocka_unit_test(
			entries_that_contradict_themselves_are_refused),
		cmocka_unit_test(events_have_the_names_that_perf_gives_them),
		cmocka_unit_test(reports_say_what_addresses_are),
		cmocka_unit_test(perf_is_told_that_addresses_are_exact),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
