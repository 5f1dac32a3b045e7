// SPDX-License-Identifier: GPL-2.0-only
/* Files of samples together: pfmon diff and pfmon merge of what pfmon record wrote. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "diag.h"
#include "message.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define FIRST "first"
#define SECOND "second"

static char first[256], second[256];

#define RUN(verb, ...)                         \
	profiled_run(profiled_directory, verb, \
		     (const char *const[]){ __VA_ARGS__ }, NULL)

/* So many samples of fa, fb and fc. */
static void write_file(const char *name, int fa, int fb, int fc)
{
	uint64_t ips[2000] = { 0 };
	char command[64], path[256];
	int count = 0;

	while (fa-- > 0)
		ips[count++] = PROFILED_FA;
	while (fb-- > 0)
		ips[count++] = PROFILED_FB;
	while (fc-- > 0)
		ips[count++] = PROFILED_FC;
	snprintf(path, sizeof(path), "%s/prof", profiled_directory);
	profiled_write_ips(profiled_directory, path, NULL, ips);
	snprintf(command, sizeof(command), "mv pfmon.data %s", name);
	profiled_shell(profiled_directory, command);
}

static int make_files(void **state)
{
	profiled_set_up(state);
	snprintf(first, sizeof(first), "%s/" FIRST, profiled_directory);
	snprintf(second, sizeof(second), "%s/" SECOND, profiled_directory);
	write_file(FIRST, 600, 300, 100);
	write_file(SECOND, 400, 100, 0);
	return 0;
}

static void expect(char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("not there: %s\n%s", wanted, text);
	free(text);
}

/* 1.96 * sqrt(600 / 1000^2 + 400 / 500^2) is 9.19 % of the whole, and so on. */
static void shares_are_compared_with_what_chance_does(void **state)
{
	(void)state;
	expect(RUN(verb_diff_samples, first, second, NULL),
	       "# instructions:u: 1000 and 500 samples\n");
	expect(RUN(verb_diff_samples, first, second, NULL),
	       "       600        400   60.00   80.00  +20.00 [+10.81, "
	       "+29.19]    fa  ");
	expect(RUN(verb_diff_samples, first, second, NULL),
	       "       100          0   10.00    0.00  -10.00 [-12.00, "
	       "-8.00]    fc  ");
	expect(RUN(verb_diff_samples, first, first, NULL),
	       "+0.00 [-6.79, +6.79] ~  fa  ");
	expect(RUN(verb_diff_samples, first, second, "--json", NULL),
	       "\"significant\": true");
}

static int status_of(const char *percent, const char *symbol)
{
	char *argv[] = { (char *)"diff",
			 (char *)"-o",
			 (char *)"/dev/null",
			 (char *)"--fail-above",
			 (char *)percent,
			 (char *)symbol,
			 first,
			 second,
			 NULL };

	return verb_diff_samples(8, argv);
}

static void a_share_that_grew_is_a_status(void **state)
{
	(void)state;
	assert_int_equal(status_of("5", "fa"), 1);
	assert_int_equal(status_of("25", "fa"), 0);
	assert_int_equal(status_of("0", "fb"), 0);
	message_catch();
	assert_int_equal(status_of("0", "fz"), STATUS_FAILED);
	message_expect("--fail-above: fz has samples in none", NULL);
	message_catch();
	assert_int_equal(status_of("much", "fa"), STATUS_FAILED);
	message_expect("--fail-above much: not a percentage", NULL);
}

static void functions_of_all_parts_are_summed_up(void **state)
{
	(void)state;
	expect(RUN(verb_merge_samples, first, second, NULL),
	       "2 parts\n# instructions:u: 1500 samples in 2 parts\n");
	expect(RUN(verb_merge_samples, first, second, NULL),
	       "        1000   66.67        400        500.0        600     "
	       "1.200  fa  ");
	expect(RUN(verb_merge_samples, first, second, NULL),
	       "         100    6.67          0         50.0        100     "
	       "2.000  fc  ");
	expect(RUN(verb_merge_samples, first, second, "--csv", NULL),
	       ",2,400,100,200.000,300,1.500000\n");
	expect(RUN(verb_merge_samples, first, second, "-j", NULL),
	       "\"sum\": 1000,");
}

/* A whole output, in which "@" stands for the directory. */
static void expect_all(char *text, const char *wanted)
{
	const size_t length = strlen(profiled_directory);
	char *at;

	while ((at = strstr(text, profiled_directory))) {
		*at = '@';
		memmove(at + 1, at + length, strlen(at + length) + 1);
	}
	assert_string_equal(text, wanted);
	free(text);
}

static void each_form_has_heads_and_all_columns(void **state)
{
	(void)state;
	expect_all(
		RUN(verb_diff_samples, first, second, NULL),
		"# instructions:u: 1000 and 500 samples\n"
		"         A          B      A%      B%   B%-A% INTERVAL, SYMBOL, FILE\n"
		"       600        400   60.00   80.00  +20.00 [+10.81, +29.19]    fa  @/prof\n"
		"       300        100   30.00   20.00  -10.00 [-15.19, -4.81]    fb  @/prof\n"
		"       100          0   10.00    0.00  -10.00 [-12.00, -8.00]    fc  @/prof\n");
	expect_all(
		RUN(verb_merge_samples, first, second, NULL),
		"2 parts\n"
		"# instructions:u: 1500 samples in 2 parts\n"
		"         SUM   SELF%      LEAST         MEAN       MOST IMBALANCE  SYMBOL, FILE\n"
		"        1000   66.67        400        500.0        600     1.200  fa  @/prof, most in @/first\n"
		"         400   26.67        100        200.0        300     1.500  fb  @/prof, most in @/first\n"
		"         100    6.67          0         50.0        100     2.000  fc  @/prof, most in @/first\n");
	expect_all(
		RUN(verb_merge_samples, first, second, "--csv", NULL),
		"event,symbol,file,min_part,max_part,parts,sum,min,mean,max,imbalance\n"
		"\"instructions:u\",\"fa\",\"@/prof\",\"@/second\",\"@/first\",2,1000,400,500.000,600,1.200000\n"
		"\"instructions:u\",\"fb\",\"@/prof\",\"@/second\",\"@/first\",2,400,100,200.000,300,1.500000\n"
		"\"instructions:u\",\"fc\",\"@/prof\",\"@/second\",\"@/first\",2,100,0,50.000,100,2.000000\n");
}

static void the_order_of_the_files_does_not_matter(void **state)
{
	char *one = RUN(verb_merge_samples, first, second, first, NULL);
	char *other = RUN(verb_merge_samples, second, first, first, NULL);

	(void)state;
	assert_string_equal(one, other);
	free(one);
	free(other);
}

#define RANKS 64

static char ranked[RANKS][sizeof(first) + 8];

/* Samples of fa as many as the rank and ten, and of fb every third time. */
static void write_rank(int rank)
{
	uint64_t ips[RANKS + 16] = { 0 };
	struct writer writer;
	char meta[512], command[64], path[256];
	int count = 0;

	snprintf(meta, sizeof(meta), "{\"rank\":%d,%s", rank, SAMPLES_META + 1);
	snprintf(path, sizeof(path), "%s/prof", profiled_directory);
	while (count < rank + 10)
		ips[count++] = PROFILED_FA;
	if (rank % 3 == 0)
		ips[count++] = PROFILED_FB;
	samples_begin(&writer, meta);
	samples_map(&writer, 2, 71, PROFILED_FA, 0x1000, 0x1000, path, NULL);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 5,
						   .period = 997,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	snprintf(command, sizeof(command), "mv pfmon.data rank%d", rank);
	profiled_shell(profiled_directory, command);
	snprintf(ranked[rank], sizeof(ranked[rank]), "%s/rank%d",
		 profiled_directory, rank);
}

static char *merge_ranks(const int *order, int count)
{
	char *argv[RANKS + 4] = { (char *)"merge", (char *)"-o" }, *out;

	assert_true(asprintf(&out, "%s/out", profiled_directory) > 0);
	argv[2] = out;
	for (int i = 0; i < count; i++)
		argv[3 + i] = ranked[order[i]];
	assert_int_equal(verb_merge_samples(3 + count, argv), 0);
	free(out);
	return profiled_read(profiled_directory, "out", NULL);
}

static void shuffle(int *order, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int other = (int)(random() % (i + 1)), kept = order[i];

		order[i] = order[other];
		order[other] = kept;
	}
}

/* The sum of 10 to 73, and the 22 ranks that 3 divides. */
static void many_ranks_in_any_order_give_the_same(void **state)
{
	int order[RANKS];
	char *text;

	(void)state;
	srandom(1);
	for (int rank = 0; rank < RANKS; rank++) {
		write_rank(rank);
		order[rank] = rank;
	}
	text = merge_ranks(order, RANKS);
	assert_non_null(strstr(text, "64 parts\n# instructions:u: 2678 samples "
				     "in 64 parts\n"));
	assert_non_null(strstr(text, "        2656   99.18         10         "
				     "41.5         73     1.759  fa  "));
	assert_non_null(strstr(text, "          22    0.82          0          "
				     "0.3          1     2.909  fb  "));
	assert_non_null(strstr(text, ", most in rank 63 on h\n"));
	for (int round = 0; round < 3; round++) {
		char *other;

		shuffle(order, RANKS);
		other = merge_ranks(order, RANKS);
		assert_string_equal(other, text);
		free(other);
	}
	free(text);
	/* The highest is told only if there are others above it. */
	for (int i = 0; i < RANKS; i++)
		order[i] = i + (i >= 17);
	message_catch();
	free(merge_ranks(order, RANKS - 1));
	message_expect("note: missing: rank 17", NULL);
}

/* A thousand samples of this period, of a thread that nothing is known about. */
static void write_period(const char *name, unsigned int period)
{
	uint64_t ips[1001] = { 0 };
	char meta[1024], command[64];
	struct writer writer;

	for (int i = 0; i < 1000; i++)
		ips[i] = PROFILED_FA;
	snprintf(meta, sizeof(meta),
		 "{\"version\":1,\"events\":[{\"name\":\"cycles\",\"level\":"
		 "\"user\",\"period\":%u,\"pmd\":0,\"smpl_pmds\":[]}]}",
		 period);
	samples_begin(&writer, meta);
	samples_add(&writer, &(struct samples_of){ .tgid = 71,
						   .tid = 71,
						   .time = 1,
						   .period = period,
						   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	snprintf(command, sizeof(command), "mv pfmon.data %s", name);
	profiled_shell(profiled_directory, command);
}

static void samples_of_shorter_periods_are_less_of_the_sum(void **state)
{
	char one[300], other[300], *text;

	(void)state;
	write_period("short", 1000);
	write_period("long", 4000);
	snprintf(one, sizeof(one), "%s/short", profiled_directory);
	snprintf(other, sizeof(other), "%s/long", profiled_directory);
	text = RUN(verb_merge_samples, one, other, NULL);
	assert_non_null(strstr(text, "# cycles:u: 1250 samples in 2 parts\n"));
	expect(text, "1250  100.00        250        625.0       1000     "
		     "1.600  ");
	/* Shares are no sum. */
	expect(RUN(verb_diff_samples, one, other, NULL),
	       "# cycles:u: 1000 and 1000 samples\n");
}

/* So many samples at an address of a build of a file, which is not there. */
static void write_build(const char *name, uint8_t build, int count)
{
	uint8_t id[PFMD_BUILD_ID_SIZE] = { build };
	uint64_t ips[16] = { 0 };
	struct writer writer;
	char command[64];

	while (count--)
		ips[count] = 0x7010;
	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 0, 5, 0x7000, 0x1000, 0, "/gone", id);
	samples_add(&writer,
		    &(struct samples_of){ .tgid = 5, .tid = 5, .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	snprintf(command, sizeof(command), "mv pfmon.data %s", name);
	profiled_shell(profiled_directory, command);
}

/* The same address is another function there. */
static void places_of_two_builds_are_two_rows(void **state)
{
	char one[300], other[300], *text;

	(void)state;
	write_build("old", 1, 7);
	write_build("new", 2, 5);
	snprintf(one, sizeof(one), "%s/old", profiled_directory);
	snprintf(other, sizeof(other), "%s/new", profiled_directory);
	text = RUN(verb_merge_samples, one, other, NULL);
	assert_non_null(strstr(text, "           7   58.33          0 "));
	expect(text, "           5   41.67          0 ");
	expect(RUN(verb_diff_samples, one, other, NULL),
	       "         7          0  100.00    0.00 -100.00 ");
	expect(RUN(verb_merge_samples, one, one, NULL),
	       "          14  100.00          7 ");
}

/* One that was recorded with a period that it never reached. */
static void a_part_without_samples_takes_none_from_the_others(void **state)
{
	char none[300], empty[400], *text;
	struct writer writer;

	(void)state;
	samples_begin(&writer,
		      "{\"version\":1,\"events\":[{\"name\":\"instructions\","
		      "\"level\":\"user\",\"period\":99700000,\"pmd\":0,"
		      "\"smpl_pmds\":[]}]}");
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	profiled_shell(profiled_directory, "mv pfmon.data never");
	snprintf(none, sizeof(none), "%s/never", profiled_directory);
	snprintf(empty, sizeof(empty), "%s: has no samples", none);
	message_catch();
	text = RUN(verb_merge_samples, first, none, NULL);
	message_expect(empty, NULL);
	assert_non_null(
		strstr(text, "# instructions:u: 1000 samples in 2 parts\n"));
	expect(text,
	       "         600   60.00          0        300.0        600     "
	       "2.000  fa  ");
	message_catch();
	text = RUN(verb_merge_samples, none, NULL);
	message_expect(empty, NULL);
	expect(text, "1 part, without samples\n");
}

/* Less than half of one sample of a long period is left of them: 0, and no "nan". */
static void numbers_of_rows_without_samples_are_numbers(void **state)
{
	char one[300], other[300], *text;

	(void)state;
	write_period("short", 1);
	write_period("long", 40000000);
	snprintf(one, sizeof(one), "%s/short", profiled_directory);
	snprintf(other, sizeof(other), "%s/long", profiled_directory);
	for (int json = 0; json < 2; json++) {
		text = RUN(verb_merge_samples, one, other, json ? "-j" : NULL,
			   NULL);
		for (char *c = text; *c; c++)
			*c = (char)tolower(*c);
		assert_null(strstr(text, "nan"));
		assert_null(strstr(text, "inf"));
		free(text);
	}
}

static void
of_files_with_equal_samples_the_first_by_name_has_the_most(void **state)
{
	char twin[sizeof(first) + 8], *one, *other;

	(void)state;
	snprintf(twin, sizeof(twin), "%s.twin", first);
	assert_int_equal(link(first, twin), 0);
	one = RUN(verb_merge_samples, first, twin, NULL);
	other = RUN(verb_merge_samples, twin, first, NULL);
	unlink(twin);
	assert_string_equal(one, other);
	assert_non_null(strstr(one, "/" FIRST "\n"));
	free(one);
	free(other);
}

static void what_does_not_go_together_is_refused(void **state)
{
	char *both[] = { (char *)"merge", (char *)"-j", (char *)"--csv", first,
			 NULL };
	char *three[] = { (char *)"diff", first, first, first, NULL };
	char none[300];
	char *absent[] = { (char *)"merge", first, none, NULL };

	(void)state;
	message_catch();
	assert_int_equal(verb_merge_samples(4, both), STATUS_FAILED);
	message_expect("--json and --csv: both given", NULL);
	message_catch();
	assert_int_equal(verb_diff_samples(4, three), STATUS_FAILED);
	message_expect("diff: takes two files", NULL);
	snprintf(none, sizeof(none), "%s/none", profiled_directory);
	message_catch();
	assert_int_equal(verb_merge_samples(3, absent), STATUS_FAILED);
	message_expect("none", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_compared_with_what_chance_does),
		cmocka_unit_test(a_share_that_grew_is_a_status),
		cmocka_unit_test(functions_of_all_parts_are_summed_up),
		cmocka_unit_test(each_form_has_heads_and_all_columns),
		cmocka_unit_test(the_order_of_the_files_does_not_matter),
		cmocka_unit_test(many_ranks_in_any_order_give_the_same),
		cmocka_unit_test(
			of_files_with_equal_samples_the_first_by_name_has_the_most),
		cmocka_unit_test(
			samples_of_shorter_periods_are_less_of_the_sum),
		cmocka_unit_test(places_of_two_builds_are_two_rows),
		cmocka_unit_test(
			a_part_without_samples_takes_none_from_the_others),
		cmocka_unit_test(numbers_of_rows_without_samples_are_numbers),
		cmocka_unit_test(what_does_not_go_together_is_refused),
	};

	return cmocka_run_group_tests(tests, make_files, profiled_tear_down);
}
