// SPDX-License-Identifier: GPL-2.0-only
/* Samples of periods that have doubled: readers keep as many as the last one has. */
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

#define PERIOD 997
#define BATCH 1000

/* Batches of samples whose periods had doubled so often. */
static char *file_of(const char *of, const int *doubled, int count, bool whole,
		     size_t *size)
{
	static uint64_t ips[BATCH + 1];
	struct writer writer;

	for (int i = 0; i < BATCH; i++)
		ips[i] = 0x401000;
	samples_begin(&writer, of);
	for (int i = 0; i < count; i++)
		samples_add(&writer,
			    &(struct samples_of){
				    .tgid = 71,
				    .tid = 71,
				    .time = 1000000u * (unsigned int)(i + 1),
				    .period = (uint64_t)PERIOD
					      << doubled[i] % 64,
				    .doubled = (uint8_t)doubled[i],
				    .ips = ips });
	if (whole)
		samples_end(&writer);
	return samples_bytes(&writer, size);
}

static const struct {
	const char *name;
	int doubled[6], batches;
	unsigned int last;
	double kept; /* in the mean */
} files[] = {
	{ "none has doubled", { 0, 0 }, 2, 0, 2000 },
	{ "once", { 0, 0, 0, 1 }, 4, 1, 2500 },
	{ "three times", { 0, 0, 0, 1, 2, 3 }, 6, 3, 2125 },
	{ "the earlier of a thread that came late", { 4, 4, 0 }, 3, 4, 2062.5 },
	{ "until none of the first is left", { 0, 40 }, 2, 40, 1000 },
};

static void read_whole(struct profile *profile, const char *bytes, size_t size)
{
	assert_int_equal(profile_read_stream(profile,
					     samples_stream(bytes, size), "f"),
			 0);
}

/* Four deviations, none where all or none are kept. */
static void expect_about(uint64_t count, double wanted, const char *name)
{
	double off = (double)count > wanted ? (double)count - wanted :
					      wanted - (double)count;

	if (off * off > 16 * 0.25 * 4 * BATCH)
		fail_msg("%s: %d samples, wanted about %.0f", name, (int)count,
			 wanted);
}

static void samples_of_shorter_periods_are_fewer(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct profile profile;
		uint64_t sum = 0, last = 0;
		size_t size;
		char *bytes = file_of(samples_meta_of_rate(), files[i].doubled,
				      files[i].batches, true, &size);

		read_whole(&profile, bytes, size);
		assert_int_equal(profile.events[0].period,
				 (uint64_t)PERIOD << files[i].last);
		expect_about(profile.sample_count, files[i].kept,
			     files[i].name);
		assert_int_equal(profile.sample_total, profile.sample_count);
		for (size_t n = 0; n < profile.sample_count; n++) {
			sum += profile.samples[n].period;
			last += profile.samples[n].doubled == files[i].last;
		}
		/* Each stands for as much, and none of the last is left out. */
		assert_int_equal(sum, profile.sample_count *
					      profile.events[0].period);
		assert_int_equal(last % BATCH, 0);
		assert_true(last > 0);
		profile_free(&profile);
		free(bytes);
	}
}

static void reading_again_keeps_the_same_ones(void **state)
{
	struct profile kept, scanned;
	size_t size;
	char *bytes = file_of(samples_meta_of_rate(), files[2].doubled,
			      files[2].batches, true, &size);

	(void)state;
	read_whole(&kept, bytes, size);
	assert_int_equal(profile_scan_stream(&scanned,
					     samples_stream(bytes, size), "f"),
			 0);
	assert_int_equal(scanned.events[0].period, kept.events[0].period);
	assert_int_equal(scanned.sample_total, kept.sample_count);
	samples_expect_kept(&scanned, &kept);
	profile_free(&scanned);
	profile_free(&kept);
	free(bytes);
}

static void
a_file_that_breaks_off_is_thinned_out_as_far_as_it_goes(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = file_of(samples_meta_of_rate(), files[2].doubled, 4,
			      false, &size);

	(void)state;
	message_catch();
	read_whole(&profile, bytes, size);
	message_expect("note: f: breaks off", NULL);
	assert_int_equal(profile.events[0].period, 2 * PERIOD);
	expect_about(profile.sample_count, 2500, "broken off");
	profile_free(&profile);
	free(bytes);
}

static void without_a_rate_nothing_is_left_out(void **state)
{
	struct profile profile;
	size_t size;
	char *bytes = file_of(SAMPLES_META, files[2].doubled, 6, true, &size);

	(void)state;
	read_whole(&profile, bytes, size);
	assert_int_equal(profile.sample_count, 6 * BATCH);
	assert_int_equal(profile.events[0].period, PERIOD);
	profile_free(&profile);
	free(bytes);
}

static void what_cannot_have_doubled_so_often_is_damaged(void **state)
{
	const int often[] = { 0, 64 };
	struct profile profile;
	size_t size;
	char *bytes = file_of(samples_meta_of_rate(), often, 2, true, &size);

	(void)state;
	message_catch();
	assert_int_equal(profile_read_stream(&profile,
					     samples_stream(bytes, size), "f"),
			 -1);
	message_expect("how often a period has doubled", NULL);
	profile_free(&profile);
	free(bytes);
}

/* What the recorder tells is what readers keep. */
static void who_writes_the_samples_knows_how_many_are_kept(void **state)
{
	struct thin thin = { 0 };
	uint64_t kept = 0;

	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		thin_see(&thin, i, i / 1000);
	for (uint32_t i = 0; i < 5000; i++)
		kept += thin_keeps(&thin, i, i / 1000);
	assert_int_equal(thin.doubled, 4);
	assert_int_equal(5000 - thin_left_out(&thin), kept);
	expect_about(kept, 1000 + 500 + 250 + 125 + 62.5, "kept");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_shorter_periods_are_fewer),
		cmocka_unit_test(reading_again_keeps_the_same_ones),
		cmocka_unit_test(
			a_file_that_breaks_off_is_thinned_out_as_far_as_it_goes),
		cmocka_unit_test(without_a_rate_nothing_is_left_out),
		cmocka_unit_test(what_cannot_have_doubled_so_often_is_damaged),
		cmocka_unit_test(
			who_writes_the_samples_knows_how_many_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
