// SPDX-License-Identifier: GPL-2.0-only
/* Files of samples that are not kept in memory: they are read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "message.h"
#include "profile/read_profile.h"
#include "samples.h"

/* Four samples, in two chunks, whose times are not in order. */
static char *small_file(size_t *size)
{
	static const uint64_t ips[] = { 0x40100a, 0x401010, 0x40100a, 0 };
	struct writer writer;

	samples_begin(&writer, SAMPLES_META);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 72,
						   .time = 20,
						   .period = 997,
						   .ips = ips });
	samples_task(&writer, 1, PFMD_FORK, 71, 71, 0, "sh");
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 10,
						   .period = 900,
						   .ips = ips + 2 });
	samples_end(&writer);
	return samples_bytes(&writer, size);
}

static void expect_scanned(const struct profile *kept, struct profile *profile)
{
	const struct profile_sample *sample;
	size_t count = 0;

	for (; profile_next(profile, &sample) > 0; count++) {
		bool found = false;

		for (size_t i = 0; i < kept->sample_count; i++)
			found |= kept->samples[i].time == sample->time &&
				 kept->samples[i].tid == sample->tid &&
				 kept->samples[i].ip == sample->ip;
		assert_true(found);
	}
	assert_int_equal(count, kept->sample_count);
}

static void samples_are_read_again_where_they_are_not_kept(void **state)
{
	struct profile kept, scanned;
	size_t size;
	char *bytes = small_file(&size);
	int ends[2];

	(void)state;
	assert_int_equal(profile_read_stream(&kept, samples_stream(bytes, size),
					     "f"),
			 0);
	assert_int_equal(profile_scan_stream(&scanned,
					     samples_stream(bytes, size), "f"),
			 0);
	assert_int_equal(scanned.sample_total, 4);
	expect_scanned(&kept, &scanned);
	assert_int_equal(profile_rewind(&scanned), 0);
	expect_scanned(&kept, &scanned);
	profile_free(&scanned);
	/* A pipe cannot be read twice. */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, size), size);
	close(ends[1]);
	assert_int_equal(
		profile_scan_stream(&scanned, fdopen(ends[0], "r"), "f"), 0);
	expect_scanned(&kept, &scanned);
	assert_int_equal(profile_rewind(&scanned), 0);
	expect_scanned(&kept, &scanned);
	profile_free(&scanned);
	profile_free(&kept);
	free(bytes);
}

static void a_file_that_shrinks_meanwhile_is_told(void **state)
{
	const struct profile_sample *sample;
	struct profile profile;
	size_t size;
	char *bytes = small_file(&size);
	FILE *file = tmpfile();

	(void)state;
	assert_non_null(file);
	/* All of it would be in the buffer. */
	setvbuf(file, NULL, _IONBF, 0);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	rewind(file);
	assert_int_equal(profile_scan_stream(&profile, file, "f"), 0);
	assert_int_equal(ftruncate(fileno(file), 100), 0);
	message_catch();
	assert_int_equal(profile_next(&profile, &sample), -1);
	message_expect("has changed while it was read", NULL);
	profile_free(&profile);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			samples_are_read_again_where_they_are_not_kept),
		cmocka_unit_test(a_file_that_shrinks_meanwhile_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
