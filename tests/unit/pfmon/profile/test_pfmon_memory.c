// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses to memory: what registers of AMD's IBS say of them, how files have them, and
 * what reports and perf show. Values of registers are made up by Linux' asm/amd-ibs.h.
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
#include "views/access.h"
#include "views/verbs.h"

/* Of IBSOPDATA3. */
#define LOAD 0x1ull
#define STORE 0x2ull
#define TLB1_MISS 0x4ull
#define TLB2_MISS 0x8ull
#define MISS 0x80ull
#define UNCACHED (1ull << 14)
#define LOCKED (1ull << 15)
#define NO_BUFFER (1ull << 16)
#define LINEAR (1ull << 17)
#define MISS2 (1ull << 20)
#define PREFETCH (1ull << 21)
#define BEHIND (MISS | MISS2)

/* IBSOPDATA2, in the high half: the source with its upper bits, and the remote node. */
#define FROM(code) ((((code)&7ull) | ((code) >> 3 & 3ull) << 6) << 32)
#define REMOTE (1ull << 36)

static const struct profile_processor zen1 = { 0x3ff, 0x17, 1, false };
static const struct profile_processor zen3 = { 0x3ff, 0x19, 1, false };
static const struct profile_processor zen4 = { 0xfff, 0x19, 0x61, false };

static const struct {
	const struct profile_processor *processor;
	uint64_t source;
	enum access_source expected;
} sources[] = {
	{ &zen1, LOAD, ACCESS_L1 },
	{ &zen1, STORE, ACCESS_L1 },
	{ &zen1, LOAD | FROM(3), ACCESS_L1 },
	{ &zen1, LOAD | MISS, ACCESS_L2 },
	{ &zen1, LOAD | MISS | NO_BUFFER, ACCESS_L2 },
	{ &zen1, LOAD | BEHIND | FROM(2), ACCESS_L3 },
	{ &zen1, LOAD | BEHIND | FROM(3), ACCESS_MEMORY },
	{ &zen1, LOAD | BEHIND | FROM(3) | REMOTE, ACCESS_REMOTE_MEMORY },
	{ &zen1, LOAD | BEHIND | FROM(4), ACCESS_FAR },
	{ &zen1, LOAD | BEHIND | FROM(7), ACCESS_IO },
	{ &zen1, LOAD | BEHIND, ACCESS_UNKNOWN },
	{ &zen1, LOAD | BEHIND | FROM(1), ACCESS_UNKNOWN },
	/* The upper bits came with Zen 4. */
	{ &zen1, LOAD | BEHIND | FROM(8 + 3), ACCESS_MEMORY },
	{ &zen1, LOAD | BEHIND | NO_BUFFER, ACCESS_MISS_BUFFER },
	{ &zen1, LOAD | BEHIND | NO_BUFFER | FROM(3), ACCESS_MEMORY },
	/* Only loads have a source. */
	{ &zen1, STORE | BEHIND | FROM(3), ACCESS_UNKNOWN },
	{ &zen1, LOAD | UNCACHED | BEHIND | FROM(3), ACCESS_UNCACHED },
	{ &zen1, LOAD | UNCACHED | BEHIND | FROM(7), ACCESS_IO },
	{ &zen3, LOAD | MISS, ACCESS_L2 },
	{ &zen3, LOAD | MISS | PREFETCH, ACCESS_UNKNOWN },
	{ &zen3, LOAD | MISS | NO_BUFFER | FROM(3), ACCESS_MISS_BUFFER },
	{ &zen4, LOAD | MISS | NO_BUFFER, ACCESS_L2 },
	{ &zen4, LOAD | BEHIND | FROM(1), ACCESS_L3 },
	{ &zen4, LOAD | BEHIND | FROM(2), ACCESS_NEAR },
	{ &zen4, LOAD | BEHIND | FROM(3), ACCESS_MEMORY },
	{ &zen4, LOAD | BEHIND | FROM(3) | REMOTE, ACCESS_REMOTE_MEMORY },
	{ &zen4, LOAD | BEHIND | FROM(5), ACCESS_FAR },
	{ &zen4, LOAD | BEHIND | FROM(6), ACCESS_PERSISTENT },
	{ &zen4, LOAD | BEHIND | FROM(7), ACCESS_IO },
	{ &zen4, LOAD | BEHIND | FROM(8), ACCESS_EXTENSION },
	{ &zen4, LOAD | BEHIND | FROM(4), ACCESS_UNKNOWN },
	{ &zen4, LOAD | BEHIND | FROM(12), ACCESS_UNKNOWN },
	{ &zen4, LOAD | BEHIND | FROM(31), ACCESS_UNKNOWN },
};

static void sources_are_as_linux_reads_them(void **state)
{
	struct access access;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct profile_memory memory = {
			.source = sources[i].source,
		};

		assert_true(
			access_decode(sources[i].processor, &memory, &access));
		if (access.source != sources[i].expected)
			fail_msg("row %zu: %s", i,
				 access_source_name(access.source));
	}
}

static void other_bits_are_read(void **state)
{
	static const struct {
		uint64_t source;
		uint32_t miss;
		struct access expected;
	} rows[] = {
		{ LOAD | LINEAR,
		  9,
		  { .load = true, .tlb = ACCESS_TLB_L1, .source = ACCESS_L1 } },
		{ LOAD | MISS | LINEAR | TLB1_MISS,
		  14,
		  { .load = true,
		    .tlb = ACCESS_TLB_L2,
		    .source = ACCESS_L2,
		    .miss_latency = 14 } },
		{ STORE | MISS | LINEAR | TLB1_MISS | TLB2_MISS,
		  14,
		  { .store = true,
		    .tlb = ACCESS_TLB_WALK,
		    .source = ACCESS_L2 } },
		{ LOAD | STORE | LOCKED,
		  0,
		  { .load = true,
		    .store = true,
		    .locked = true,
		    .tlb = ACCESS_TLB_UNKNOWN,
		    .source = ACCESS_L1 } },
	};
	const struct profile_memory none = { .source = LINEAR | MISS };
	struct access access;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct profile_memory memory = {
			.source = rows[i].source,
			.miss_latency = rows[i].miss,
		};

		memset(&access, 0xff, sizeof(access));
		assert_true(access_decode(&zen1, &memory, &access));
		assert_int_equal(access.load, rows[i].expected.load);
		assert_int_equal(access.store, rows[i].expected.store);
		assert_int_equal(access.locked, rows[i].expected.locked);
		assert_int_equal(access.tlb, rows[i].expected.tlb);
		assert_int_equal(access.source, rows[i].expected.source);
		assert_int_equal(access.miss_latency,
				 rows[i].expected.miss_latency);
	}
	assert_false(access_decode(&zen1, &none, &access));
	assert_false(access_decode(&zen1, NULL, &access));
}

static void perf_gets_the_same(void **state)
{
	static const struct {
		struct access access;
		uint64_t expected;
	} rows[] = {
		{ { .load = true, .tlb = ACCESS_TLB_L1, .source = ACCESS_L1 },
		  PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, L1) |
			  PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, L1) |
			  PERF_MEM_S(TLB, L1) | PERF_MEM_S(TLB, HIT) |
			  PERF_MEM_S(LOCK, NA) | PERF_MEM_S(SNOOP, NA) },
		{ { .store = true,
		    .locked = true,
		    .tlb = ACCESS_TLB_WALK,
		    .source = ACCESS_REMOTE_MEMORY },
		  PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVL, REM_RAM1) |
			  PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVLNUM, RAM) |
			  PERF_MEM_S(REMOTE, REMOTE) | PERF_MEM_S(HOPS, 1) |
			  PERF_MEM_S(TLB, L2) | PERF_MEM_S(TLB, MISS) |
			  PERF_MEM_S(LOCK, LOCKED) | PERF_MEM_S(SNOOP, NA) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(access_for_perf(&rows[i].access),
				 rows[i].expected);
}

/* An entry with blocks. */
struct access_entry {
	struct pfm_precise_smpl_entry entry;
	struct pfm_precise_smpl_blocks blocks;
	uint8_t bytes[sizeof(struct pfm_precise_smpl_gprs) +
		      sizeof(struct pfm_precise_smpl_mem)];
};

static struct access_entry entry_of(uint64_t ip, uint64_t address,
				    uint64_t source, uint64_t latency,
				    bool with_registers)
{
	const struct pfm_precise_smpl_mem block = { .daddr = address,
						    .source = source,
						    .latency = latency };
	const size_t before =
		with_registers ? sizeof(struct pfm_precise_smpl_gprs) : 0;
	struct access_entry made = {
		.entry = { .pid = 71,
			   .tgid = 71,
			   .ovfl_pmd = 9,
			   .flags = PFM_PRECISE_SMPL_EXACT |
				    (address ? PFM_PRECISE_SMPL_DADDR : 0),
			   .last_reset_val = (uint64_t)-992,
			   .ip = ip,
			   .tstamp = 5 },
		.blocks = { .present = PFM_PRECISE_SMPL_MEM |
				       (with_registers ? PFM_PRECISE_SMPL_GPRS :
							 0),
			    .bytes = (uint32_t)(before + sizeof(block)) },
	};

	memset(made.bytes, 0xee, sizeof(made.bytes));
	memcpy(made.bytes + before, &block, sizeof(block));
	made.entry.size = (uint16_t)(sizeof(made.entry) + sizeof(made.blocks) +
				     before + sizeof(block));
	return made;
}

/* Four samples of a Zen 4: a load of a miss, two stores, and no access. */
static void write_file(void)
{
	static const char meta[] =
		"{\"version\":1,\"host\":\"h\",\"blocks\":2,\"ibs\":{"
		"\"caps\":4095,\"family\":25,\"model\":97},\"events\":[{"
		"\"id\":0,\"name\":\"ops:p\",\"native\":null,\"level\":"
		"\"user\",\"period\":992,\"precise\":\"ibs_op\",\"pmd\":9,"
		"\"smpl_pmds\":[]}]}";
	const struct access_entry entries[] = {
		entry_of(PROFILED_FA, PROFILED_BOARD + 8,
			 LOAD | BEHIND | FROM(3) | LINEAR, 40ull << 32 | 55,
			 true),
		entry_of(PROFILED_FB, PROFILED_BOARD + 70, STORE | LINEAR, 5,
			 false),
		entry_of(PROFILED_FB, PROFILED_BOARD + 140, STORE | LINEAR, 5,
			 false),
		entry_of(PROFILED_FC, 0, 0, 5, false),
	};

	profiled_write_precise(profiled_directory, meta, entries,
			       ARRAY_SIZE(entries), sizeof(entries[0]));
}

static void files_have_accesses_of_samples(void **state)
{
	const struct profile_memory *memory;
	struct profile profile;
	char *path;

	(void)state;
	write_file();
	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	assert_int_equal(profile_read(&profile, path), 0);
	assert_int_equal(profile.sample_count, 4);
	assert_int_equal(profile.processor.ibs_caps, 4095);
	assert_int_equal(profile.processor.family, 25);
	memory = profile_memory(&profile, &profile.samples[0]);
	assert_true(memory->has_address);
	assert_int_equal(memory->address, PROFILED_BOARD + 8);
	assert_int_equal(memory->latency, 55);
	assert_int_equal(memory->miss_latency, 40);
	memory = profile_memory(&profile, &profile.samples[3]);
	assert_false(memory->has_address);
	profile_free(&profile);
	free(path);
}

static char *output_of(int (*verb)(int argc, char **argv), const char *word)
{
	const char *const words[] = { word, NULL };

	return profiled_run(profiled_directory, verb, words, NULL);
}

/* Lines of a table: samples, loads, stores, latency, and the rest of the line. */
static void expect_rows(const char *word, const char *const *rows)
{
	char *output = output_of(verb_report, word), *at = output;

	for (; *rows; rows++) {
		at = strstr(at, *rows);
		if (!at)
			fail_msg("%s: no \"%s\" in\n%s", word, *rows, output);
	}
	free(output);
}

static void reports_sum_accesses_up(void **state)
{
	static const char head[] =
		"# ops:pu: 4 samples, 3 of them of instructions that access memory\n";

	(void)state;
	write_file();
	expect_rows(
		"--mem",
		(const char *const[]){
			head,
			"   SAMPLES  SHARE%      LOADS     STORES   LATENCY  SOURCE\n",
			"         2   66.67          0          2         -  L1\n",
			"         1   33.33          1          0      40.0  memory\n",
			NULL });
	expect_rows("--mem=symbol",
		    (const char *const[]){
			    head, "         2 ", "          2         -  fb  /",
			    "         1 ", "          0      40.0  fa  /",
			    NULL });
	expect_rows(
		"--mem=data",
		(const char *const[]){
			"         2   66.67          1          1      40.0  board  /",
			"[stack, heap or another mapping]\n", NULL });
	expect_rows("--mem=line",
		    (const char *const[]){ "  405000  board  /",
					   "  405040  board+0x40  /",
					   "  405080  [stack,", NULL });
}

static void samples_without_accesses_are_told(void **state)
{
	char *output, *path;

	(void)state;
	profiled_write(profiled_directory);
	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	message_catch();
	assert_int_not_equal(verb_report(3, (char *[]){ (char *)"report",
							(char *)"--mem", path,
							NULL }),
			     0);
	message_expect("--mem: ", "record them with -d", NULL);
	free(path);
	write_file();
	output = output_of(verb_script, "--no-demangle");
	assert_non_null(strstr(output, ") load 405008 memory latency 40\n"));
	assert_non_null(strstr(output, ") store 405046 L1\n"));
	free(output);
}

static void perf_reads_addresses_weights_and_sources(void **state)
{
	static const char *const words[] = { "perfdata", NULL };
	const uint64_t type = PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |
			      PERF_SAMPLE_DATA_SRC;
	struct perf_event_header header;
	struct perf_event_attr attr;
	uint64_t at, record[11] = { 0 };
	size_t size;
	char *bytes;

	(void)state;
	write_file();
	bytes = profiled_run(profiled_directory, verb_export, words, &size);
	/* The header of the file has 104 bytes, and one number of an event follows. */
	memcpy(&attr, bytes + 104 + 8, sizeof(attr));
	assert_int_equal(attr.sample_type & type, type);
	memcpy(&at, bytes + 40, sizeof(at));
	memcpy(&header, bytes + at, sizeof(header));
	while (header.type != PERF_RECORD_SAMPLE) {
		at += header.size;
		memcpy(&header, bytes + at, sizeof(header));
	}
	assert_int_equal(header.size, 10 * 8);
	memcpy(record, bytes + at, header.size);
	/* Header, identifier, ip, ids, time, address, CPU, period, weight, source. */
	assert_int_equal(record[2], PROFILED_FA);
	assert_int_equal(record[5], PROFILED_BOARD + 8);
	assert_int_equal(record[7], 992);
	assert_int_equal(record[8], 40);
	assert_int_equal(record[9] & PERF_MEM_S(LVL, LOC_RAM),
			 PERF_MEM_S(LVL, LOC_RAM));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sources_are_as_linux_reads_them),
		cmocka_unit_test(other_bits_are_read),
		cmocka_unit_test(perf_gets_the_same),
		cmocka_unit_test(files_have_accesses_of_samples),
		cmocka_unit_test(reports_sum_accesses_up),
		cmocka_unit_test(samples_without_accesses_are_told),
		cmocka_unit_test(perf_reads_addresses_weights_and_sources),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
