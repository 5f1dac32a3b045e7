// SPDX-License-Identifier: GPL-2.0-only
/* A file of 64 KiB that breaks off: at each byte what is whole before is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diag.h"
#include "profile/read_profile.h"
#include "profiled.h"
#include "samples.h"
#include "stacked.h"
#include "views/verbs.h"

#define SIZE_LEAST (64 * 1024)
#define BATCH 20 /* samples of a chunk without chains */
#define CHAINS 10 /* chunks with one behind it */

/* Both kinds of samples; each chunk with chains has one. */
static char *write_file(size_t *size)
{
	uint64_t ips[BATCH + 1];
	struct writer writer;

	for (int i = 0; i < BATCH; i++)
		ips[i] = PROFILED_FA +
			 (uint64_t)i % 3 * (PROFILED_FB - PROFILED_FA);
	ips[BATCH] = 0;
	stacked_begin(&writer);
	for (uint64_t time = 1; writer.bytes < SIZE_LEAST; time += 100) {
		const struct stacked stack = stacked_of(8, ips);

		samples_add(&writer, &(struct samples_of){ .tgid = 71,
							   .tid = 71,
							   .time = time,
							   .period = 997,
							   .ips = ips });
		for (int i = 0; i < CHAINS; i++)
			stacked_add(&writer, &stack);
	}
	samples_end(&writer);
	return samples_bytes(&writer, size);
}

/* Of a file that was cut: those of its whole chunks, by their headers alone. */
static size_t whole_samples(const char *bytes, size_t size)
{
	size_t at = PFMD_MAGIC_SIZE, count = 0;
	struct pfmd_chunk header;

	while (at + sizeof(header) <= size) {
		memcpy(&header, bytes + at, sizeof(header));
		at += sizeof(header) + (header.length + PFMD_ALIGN - 1) /
					       PFMD_ALIGN * PFMD_ALIGN;
		if (at > size)
			break;
		if (header.type == PFMD_SAMPLES)
			count += BATCH;
		else if (header.type == PFMD_STACKS)
			count++;
	}
	return count;
}

/* Where the first sample can be: with META it is a file. */
static size_t behind_meta(const char *bytes)
{
	struct pfmd_chunk header;

	memcpy(&header, bytes + PFMD_MAGIC_SIZE, sizeof(header));
	return PFMD_MAGIC_SIZE + sizeof(header) +
	       (header.length + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
}

/* They are counted when the file is read first, and read again now and then. */
static void expect_scanned(const char *bytes, size_t size, bool readable)
{
	const struct profile_sample *sample;
	size_t wanted = whole_samples(bytes, size), count = 0;
	struct profile profile;

	if (profile_scan_stream(&profile, samples_stream(bytes, size), "f")) {
		assert_false(readable);
	} else {
		assert_true(readable);
		assert_false(profile.complete);
		assert_int_equal(profile.sample_total, wanted);
		while (size % 101 == 0 && profile_next(&profile, &sample) > 0)
			count++;
		assert_int_equal(count, size % 101 ? 0 : wanted);
	}
	profile_free(&profile);
}

static void each_byte_may_be_the_last(void **state)
{
	size_t size;
	char *bytes = write_file(&size);
	size_t meta = behind_meta(bytes);

	(void)state;
	assert_true(size > SIZE_LEAST);
	diag_quiet(true);
	for (size_t length = 1; length < size; length++)
		expect_scanned(bytes, length, length >= meta);
	diag_quiet(false);
	free(bytes);
}

/* The sum of all functions of the report of what was cut. */
static size_t reported(const char *bytes, size_t size)
{
	static const char *const words[] = { NULL };
	size_t sum = 0;
	char *path, *text;
	FILE *out;

	assert_true(asprintf(&path, "%s/pfmon.data", profiled_directory) > 0);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
	diag_quiet(true);
	text = profiled_run(profiled_directory, verb_report, words, NULL);
	diag_quiet(false);
	assert_non_null(strstr(text, "the file breaks off"));
	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		if (*line == ' ')
			sum += strtoul(line, NULL, 10);
	}
	free(text);
	free(path);
	return sum;
}

/* Around each begin of a chunk, and at some places between. */
static void the_report_is_of_what_was_whole(void **state)
{
	size_t size, before = 0;
	char *bytes = write_file(&size);

	(void)state;
	for (size_t length = behind_meta(bytes) + 1; length < size; length++) {
		size_t wanted = whole_samples(bytes, length);

		if (wanted == before && length % 997)
			continue;
		before = wanted;
		assert_int_equal(reported(bytes, length), wanted);
		assert_int_equal(reported(bytes, length - 1),
				 whole_samples(bytes, length - 1));
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_may_be_the_last),
		cmocka_unit_test(the_report_is_of_what_was_whole),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
