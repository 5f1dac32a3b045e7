// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples that stand for several periods, since these were over before the overflow was
 * handled: readers have as many samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "message.h"
#include "profile/read_profile.h"
#include "samples.h"

#define BATCH 500

/* A batch of samples for each number; the period of each batch has doubled. */
static char *file_of(const char *meta, const uint8_t *repeat,
		     unsigned int count, bool doubles, size_t *size)
{
	static uint64_t ips[BATCH + 1];
	struct writer writer;

	for (unsigned int i = 0; i < BATCH; i++)
		ips[i] = 0x401000 + i;
	samples_begin(&writer, meta);
	for (unsigned int i = 0; i < count; i++)
		samples_add(&writer,
			    &(struct samples_of){
				    .tgid = 71,
				    .tid = 71,
				    .time = 1000000u * (i + 1),
				    .period = 997u << (doubles ? i : 0),
				    .doubled = doubles ? (uint8_t)i : 0,
				    .repeat = repeat[i],
				    .ips = ips });
	samples_end(&writer);
	return samples_bytes(&writer, size);
}

static void a_sample_is_as_many_as_periods_were_over(void **state)
{
	static const uint8_t repeat[] = { 0, 3, 255 };
	struct profile profile;
	size_t size, at = 0;
	char *bytes = file_of(SAMPLES_META, repeat, 3, false, &size);

	(void)state;
	assert_int_equal(profile_read_stream(&profile,
					     samples_stream(bytes, size), "f"),
			 0);
	assert_int_equal(profile.sample_count, BATCH * (1 + 4 + 256));
	assert_int_equal(profile.sample_total, profile.sample_count);
	for (unsigned int batch = 0; batch < 3; batch++)
		for (unsigned int i = 0; i < BATCH; i++)
			for (unsigned int n = 0; n <= repeat[batch];
			     n++, at++) {
				assert_int_equal(profile.samples[at].ip,
						 0x401000 + i);
				assert_int_equal(profile.samples[at].period,
						 997);
			}
	profile_free(&profile);
	free(bytes);
}

/* A sample that is left out takes all of its periods with it, in each pass. */
static void those_of_shorter_periods_are_thinned_out_together(void **state)
{
	static const uint8_t repeat[] = { 2, 0, 5 };
	struct profile kept, scanned;
	size_t size;
	char *bytes = file_of(samples_meta_of_rate(), repeat, 3, true, &size);

	(void)state;
	assert_int_equal(profile_read_stream(&kept, samples_stream(bytes, size),
					     "f"),
			 0);
	assert_int_equal(profile_scan_stream(&scanned,
					     samples_stream(bytes, size), "f"),
			 0);
	assert_int_equal(kept.sample_total, kept.sample_count);
	assert_int_equal(scanned.sample_total, kept.sample_count);
	/* All of the last batch, and a part of the others. */
	assert_in_range(kept.sample_count, BATCH * 6 + 1,
			BATCH * (3 + 1 + 6) - 1);
	assert_int_equal(kept.samples[0].repeat, 2);
	samples_expect_kept(&scanned, &kept);
	profile_free(&scanned);
	profile_free(&kept);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_as_many_as_periods_were_over),
		cmocka_unit_test(
			those_of_shorter_periods_are_thinned_out_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
