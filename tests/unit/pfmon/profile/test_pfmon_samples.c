// SPDX-License-Identifier: GPL-2.0-only
/* Files of samples: what is written is read, and nothing that is damaged does harm. */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "diag.h"
#include "message.h"
#include "profile/read_places.h"
#include "profile/read_profile.h"
#include "samples.h"

static const uint64_t three_ips[] = { 0x40100a, 0x401010, 0x40100a, 0 };
static const uint64_t one_ip[] = { 0x40100a, 0 };
static const uint8_t id[PFMD_BUILD_ID_SIZE] = { 1, 2, 3 };

/* A process that runs /x/prof, of two threads. */
static char *small_file(size_t *size)
{
	static const struct pfmd_symbol rows[] = { { 0x1000, 16, 0 },
						   { 0x1010, 32, 3 } };
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_FORK, 71, 71, 0, "sh");
	samples_task(&writer, 2, PFMD_EXEC, 71, 71, 0, "prof");
	samples_map(&writer, 2, 71, 0x401000, 0x1000, 0x1000, "/x/prof", id);
	samples_task(&writer, 3, PFMD_FORK, 71, 72, 71, NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 72,
						   .time = 20,
						   .period = 997,
						   .ips = three_ips });
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 10,
						   .period = 900,
						   .ips = one_ip });
	samples_symbols(&writer, "/x/prof", id, rows, 2, "fa\0fb", 6);
	samples_end(&writer);
	return samples_bytes(&writer, size);
}

static int read_bytes(struct profile *profile, const char *bytes, size_t size)
{
	return profile_read_stream(profile, samples_stream(bytes, size), "f");
}

static void what_is_written_is_read(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = small_file(&size);

	(void)state;
	message_catch();
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	message_expect_none();
	assert_true(profile.complete);
	assert_string_equal(profile.events[0].name, "instructions:u");
	assert_int_equal(profile.sample_count, 4);
	assert_int_equal(profile.samples[0].tid, 71);
	assert_int_equal(profile.samples[0].time, 10);
	assert_int_equal(profile.samples[0].period, 900);
	assert_int_equal(profile.samples[3].time, 22);
	assert_int_equal(profile.samples[3].cpu, 1);
	assert_string_equal(profile.maps[0].path, "/x/prof");
	assert_memory_equal(profile.maps[0].build_id, id, sizeof(id));
	assert_int_equal(profile.symbols[0].count, 2);
	assert_string_equal(profile.symbols[0].path, "/x/prof");
	assert_string_equal(profile.symbols[0].names +
				    profile.symbols[0].rows[1].name,
			    "fb");
	profile_free(&profile);
	free(bytes);
}

static void values_follow_the_samples_of_their_event_only(void **state)
{
	const uint64_t value = 4711;
	struct writer writer;
	struct profile profile;
	size_t size;
	char *bytes;

	(void)state;
	samples_begin(&writer, SAMPLES_META_TWO);
	samples_add(&writer, &(struct samples_of){ .pmd = 1,
						   .time = 1,
						   .ips = three_ips,
						   .value = &value });
	samples_add(&writer,
		    &(struct samples_of){ .pmd = 0, .time = 9, .ips = one_ip });
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	assert_int_equal(profile.value_count, 3);
	assert_int_equal(profile.samples[2].event, 1);
	assert_int_equal(profile.values[profile.samples[2].values], 4711);
	assert_int_equal(profile.samples[3].event, 0);
	profile_free(&profile);
	free(bytes);
}

/* Whatever is there is read, and the samples of whole chunks are all there. */
static void
a_file_that_breaks_off_anywhere_is_read_to_its_last_chunk(void **state)
{
	struct profile profile;
	size_t size, before = 0;
	char *bytes = small_file(&size);

	(void)state;
	for (size_t length = 0; length < size; length++) {
		char *part = malloc(length + 1);
		int ret;

		memcpy(part, bytes, length);
		diag_quiet(true);
		ret = profile_read_stream(&profile,
					  length ?
						  samples_stream(part, length) :
						  fopen("/dev/null", "r"),
					  "f");
		diag_quiet(false);
		assert_int_equal(ret, before ? 0 : ret);
		assert_false(profile.complete);
		assert_true(profile.sample_count >= (before ? before - 1 : 0));
		if (!ret)
			before = profile.sample_count + 1;
		profile_free(&profile);
		free(part);
	}
	assert_int_equal(before - 1, 4);
	message_catch();
	assert_int_equal(read_bytes(&profile, bytes, size - 1), 0);
	message_expect("note: f: breaks off at byte", NULL);
	profile_free(&profile);
	free(bytes);
}

/* Bytes that are changed at random; a sanitizer tells of harm. */
static void damage_does_no_harm(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = small_file(&size);
	char *copy = malloc(size);

	(void)state;
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		memcpy(copy, bytes, size);
		for (long i = random() % 4; i >= 0; i--) {
			size_t at = (size_t)random() % (size - 24);

			copy[at] =
				(char)(random() % 3 ? random() : copy[at] ^ 1);
		}
		diag_quiet(true);
		if (!read_bytes(&profile, copy, size - 32)) {
			struct places *places = places_new(&profile);

			for (size_t i = 0; i < profile.sample_count; i++) {
				const struct profile_sample *sample =
					&profile.samples[i];

				places_find(places, sample->tgid, sample->ip,
					    sample->time);
				places_comm(places, sample->tgid, sample->tid,
					    sample->time);
			}
			places_free(places);
		}
		diag_quiet(false);
		profile_free(&profile);
	}
	free(copy);
	free(bytes);
}

static void a_wrong_checksum_is_an_error(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = small_file(&size);

	(void)state;
	bytes[size - 60] ^= 1; /* a name, which nobody checks otherwise */
	message_catch();
	assert_int_equal(read_bytes(&profile, bytes, size), -1);
	message_expect("f: is damaged", NULL);
	profile_free(&profile);
	free(bytes);
}

static void other_files_are_told_by_what_they_are(void **state)
{
	static const struct {
		const char *bytes, *message;
	} cases[] = {
		{ "PERFILE2........", "a file of perf record" },
		{ "#!/bin/sh\n", "not a file of samples" },
		{ "PFM", "not a file of samples" },
		{ PFMD_MAGIC, "breaks off at byte 8" },
	};
	struct profile profile;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases) - 1; i++) {
		message_catch();
		assert_int_equal(read_bytes(&profile, cases[i].bytes,
					    strlen(cases[i].bytes)),
				 -1);
		message_expect("f: ", cases[i].message, NULL);
		profile_free(&profile);
	}
	message_catch();
	assert_int_equal(profile_read(&profile, "/nonexistent"), -1);
	message_expect("/nonexistent: cannot be opened: No such file", NULL);
}

static void types_of_later_versions_are_skipped(void **state)
{
	struct writer writer;
	struct profile profile;
	size_t size;
	char *bytes;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	assert_int_equal(writer_text(&writer, (enum pfmd_type)99, "news"), 0);
	samples_add(&writer, &(struct samples_of){ .ips = one_ip });
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	assert_int_equal(profile.sample_count, 1);
	profile_free(&profile);
	free(bytes);
}

static void a_pipe_is_read_as_a_file_is(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = small_file(&size);
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, size), size);
	close(ends[1]);
	assert_int_equal(
		profile_read_stream(&profile, fdopen(ends[0], "r"), "f"), 0);
	assert_true(profile.complete);
	profile_free(&profile);
	free(bytes);
}

/* What contradicts itself, by the chunk that does. */
static void parts_that_contradict_themselves_are_refused(void **state)
{
	static const struct {
		enum pfmd_type type;
		const char *text, *message;
	} cases[] = {
		{ PFMD_META, SAMPLES_META, "a second META" },
		{ PFMD_TASK, "short", "TASK is too short" },
		{ PFMD_MAP, "short", "MAP is too short" },
		{ PFMD_SAMPLES, "sh", "SAMPLES is too short" },
		{ PFMD_SAMPLES, "\0\0\0\0\0\0\0\0x", "SAMPLES is too short" },
		{ PFMD_LOSS, "short", "LOSS is too short" },
		{ PFMD_COUNTS, "[1]", "its JSON" },
		{ PFMD_SYMBOLS, "short", "SYMBOLS is too short" },
	};
	struct writer writer;
	struct profile profile;
	size_t size;
	char *bytes;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		samples_begin(&writer, SAMPLES_META);
		writer_text(&writer, cases[i].type, cases[i].text);
		bytes = samples_bytes(&writer, &size);
		message_catch();
		assert_int_equal(read_bytes(&profile, bytes, size), -1);
		message_expect("is damaged: ", cases[i].message, NULL);
		profile_free(&profile);
		free(bytes);
	}
}

static void versions_and_metas_that_are_none_are_refused(void **state)
{
	static const struct {
		const char *meta, *message;
	} cases[] = {
		{ "{\"version\":2,\"events\":[]}", "another version" },
		{ "{\"version\":1}", "no events" },
		{ "{\"version\":1,\"events\":[]}", "number of events" },
		{ "{\"version\":1,\"events\":[{}]}", "an event of META" },
		{ "{\"version\":1", "its JSON" },
		{ "7", "its JSON" },
	};
	struct writer writer;
	struct profile profile;
	size_t size;
	char *bytes;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		samples_begin(&writer, cases[i].meta);
		bytes = samples_bytes(&writer, &size);
		message_catch();
		assert_int_equal(read_bytes(&profile, bytes, size), -1);
		message_expect("f: ", cases[i].message, NULL);
		profile_free(&profile);
		free(bytes);
	}
}

/* Reads what was written so far, and asks for a place. */
static const char *path_of(struct writer *writer, uint32_t tgid, uint64_t ip,
			   uint64_t time)
{
	static char path[64];
	struct profile profile;
	struct places *places;
	const struct profile_map *map;
	size_t size;
	char *bytes = malloc(64 * 1024);

	size = (size_t)pread(writer->fd, bytes, 64 * 1024, 0);
	diag_quiet(true);
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	diag_quiet(false);
	places = places_new(&profile);
	map = places_find(places, tgid, ip, time);
	snprintf(path, sizeof(path), "%s", map ? map->path : "none");
	places_free(places);
	profile_free(&profile);
	free(bytes);
	return path;
}

static void mappings_are_those_of_their_time(void **state)
{
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_FORK, 5, 5, 0, "a");
	samples_map(&writer, 10, 5, 0x1000, 0x2000, 0, "/first", NULL);
	samples_map(&writer, 20, 5, 0x2000, 0x1000, 0, "/over", NULL);
	samples_task(&writer, 25, PFMD_FORK, 6, 6, 5, "a");
	samples_task(&writer, 30, PFMD_EXEC, 5, 5, 0, "b");
	samples_map(&writer, 31, 5, 0x8000, 0x1000, 0, "/second", NULL);
	samples_map(&writer, 40, PFMD_KERNEL, 0xffffffff80000000, 0x1000000, 0,
		    "[kernel]", NULL);

	assert_string_equal(path_of(&writer, 5, 0x2000, 15), "/first");
	assert_string_equal(path_of(&writer, 5, 0x2000, 20), "/over");
	assert_string_equal(path_of(&writer, 5, 0x1fff, 20), "/first");
	/* Found later than it was there. */
	assert_string_equal(path_of(&writer, 5, 0x1000, 5), "/first");
	/* Another program begins without mappings; a child has its parent's. */
	assert_string_equal(path_of(&writer, 5, 0x1000, 32), "none");
	assert_string_equal(path_of(&writer, 5, 0x8000, 30), "/second");
	assert_string_equal(path_of(&writer, 5, 0x8000, 15), "none");
	assert_string_equal(path_of(&writer, 6, 0x2000, 50), "/over");
	assert_string_equal(path_of(&writer, 6, 0x8000, 50), "none");
	assert_string_equal(path_of(&writer, 5, 0xffffffff80000123, 1),
			    "[kernel]");
	assert_string_equal(path_of(&writer, 9, 0x1000, 50), "none");
	close(writer.fd);
}

static void names_are_those_of_their_time(void **state)
{
	struct writer writer;
	struct profile profile;
	struct places *places;
	size_t size;
	char *bytes;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_task(&writer, 1, PFMD_FORK, 5, 5, 0, "sh");
	samples_task(&writer, 10, PFMD_EXEC, 5, 5, 0, "prof");
	samples_task(&writer, 12, PFMD_FORK, 5, 6, 5, NULL);
	samples_task(&writer, 20, PFMD_COMM, 5, 6, 0, "worker");
	samples_task(&writer, 22, PFMD_FORK, 7, 7, 6, NULL);
	samples_task(&writer, 24, PFMD_FORK, 9, 9, 7, NULL);
	samples_task(&writer, 30, PFMD_EXEC, 7, 7, 0, "other");
	samples_end(&writer);
	bytes = samples_bytes(&writer, &size);
	assert_int_equal(read_bytes(&profile, bytes, size), 0);
	places = places_new(&profile);
	assert_string_equal(places_comm(places, 5, 5, 9), "sh");
	assert_string_equal(places_comm(places, 5, 5, 10), "prof");
	assert_string_equal(places_comm(places, 5, 6, 13), "prof");
	assert_string_equal(places_comm(places, 5, 6, 25), "worker");
	/* Of those who made them, until they execute a program. */
	assert_string_equal(places_comm(places, 7, 7, 29), "worker");
	assert_string_equal(places_comm(places, 9, 9, 40), "worker");
	assert_string_equal(places_comm(places, 7, 7, 30), "other");
	assert_string_equal(places_comm(places, 5, 7, 15), "prof");
	assert_string_equal(places_comm(places, 8, 8, 15), "");
	places_free(places);
	profile_free(&profile);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(values_follow_the_samples_of_their_event_only),
		cmocka_unit_test(
			a_file_that_breaks_off_anywhere_is_read_to_its_last_chunk),
		cmocka_unit_test(damage_does_no_harm),
		cmocka_unit_test(a_wrong_checksum_is_an_error),
		cmocka_unit_test(other_files_are_told_by_what_they_are),
		cmocka_unit_test(types_of_later_versions_are_skipped),
		cmocka_unit_test(a_pipe_is_read_as_a_file_is),
		cmocka_unit_test(parts_that_contradict_themselves_are_refused),
		cmocka_unit_test(versions_and_metas_that_are_none_are_refused),
		cmocka_unit_test(mappings_are_those_of_their_time),
		cmocka_unit_test(names_are_those_of_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
