// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon record, and the periods that follow from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/event.h"
#include "grammar/record.h"
#include "message.h"
#include "record/period_numbers.h"
#include "record/periods.h"
#include "words.h"

static struct record_options opts;
static const struct request *const request = &opts.request;
static const struct sample_wish *const wish = &opts.request.samples;

/* Parses "record" followed by the words. */
static int parse(const char *const words[ARGS_MAX])
{
	int argc;
	char **argv = words_of("record", words, &argc);

	return record_parse(&opts, argc, argv);
}

#define TAKE(...) \
	assert_int_equal(parse((const char *const[ARGS_MAX]){ __VA_ARGS__ }), 0)

/* Fails, with a message that has the text. */
#define REFUSE(text, ...)                                                    \
	do {                                                                 \
		message_catch();                                             \
		assert_int_equal(                                            \
			parse((const char *const[ARGS_MAX]){ __VA_ARGS__ }), \
			-1);                                                 \
		message_expect(text, NULL);                                  \
	} while (0)

static void a_command_is_followed_by_ptrace_into_a_file(void **state)
{
	(void)state;
	TAKE("ls", "-l");
	assert_true(request->follow.forks && request->follow.vforks &&
		    request->follow.threads);
	assert_int_equal(request->launch, LAUNCH_PTRACE);
	assert_string_equal(request->events, "cycles");
	assert_string_equal(request->destination.file, "pfmon.data");
	assert_int_equal(request->levels, LEVEL_USER);
	assert_int_equal(wish->mappings, MAPPINGS_AUTO);
	assert_string_equal(request->command[1], "-l");
}

static void command_lines_of_perf_record_are_understood(void **state)
{
	(void)state;
	TAKE("-e", "cycles", "-e", "instructions", "-c", "1000", "ls");
	assert_string_equal(request->events, "cycles,instructions");
	assert_int_equal(wish->periods.count, 1);
	assert_int_equal(wish->periods.values[0], 1000);
	TAKE("-F", "99", "-o", "out", "--", "ls");
	assert_int_equal(wish->hertz, 99);
	assert_string_equal(request->destination.file, "out");
	TAKE("-a", "-C0,2", "--timeout", "100");
	assert_true(request->system_wide);
	assert_string_equal(request->cpus, "0,2");
	assert_int_equal(request->launch, LAUNCH_AUTO);
	TAKE("-p", "12", "sleep", "1");
	assert_null(request->command);
	assert_string_equal(request->until[0], "sleep");
	TAKE("-i", "-p", "12,13");
	assert_false(request->follow.threads);
	assert_string_equal(request->processes, "12,13");
}

static void sampling_begins_where_it_was_said(void **state)
{
	(void)state;
	TAKE("--start=main", "ls");
	assert_string_equal(request->start, "main");
}

static void lists_of_periods_and_masks_are_understood(void **state)
{
	(void)state;
	TAKE("-c", "5,0,0x10", "--short-smpl-periods=4,1,3",
	     "--smpl-periods-random=0xff:7,3,0", "ls");
	assert_int_equal(wish->periods.count, 3);
	assert_int_equal(wish->periods.values[1], 0);
	assert_int_equal(wish->periods.values[2], 16);
	assert_int_equal(wish->short_periods.values[2], 3);
	assert_int_equal(wish->random.count, 3);
	assert_int_equal(wish->random.values[0], 255);
	assert_int_equal(wish->random.values[1], 3);
	TAKE("--long-smpl-periods=7", "ls");
	assert_int_equal(wish->periods.values[0], 7);
}

static void periods_vary_unless_that_is_refused(void **state)
{
	(void)state;
	TAKE("ls");
	assert_true(wish->vary);
	TAKE("--no-random", "ls");
	assert_false(wish->vary);
	REFUSE("choose one", "--no-random", "--smpl-periods-random=7", "ls");
}

static void nmis_can_be_done_without(void **state)
{
	(void)state;
	TAKE("ls");
	assert_false(wish->no_nmi);
	TAKE("--no-nmi", "ls");
	assert_true(wish->no_nmi);
}

static void branches_are_chosen_by_words_of_perf(void **state)
{
	static const struct {
		const char *list;
		unsigned int kinds, levels;
	} cases[] = {
		{ "any", BRANCHES_ALL, 0 },
		{ "any,u", BRANCHES_ALL, LEVEL_USER },
		{ "u", BRANCHES_ALL, LEVEL_USER },
		{ "k,u", BRANCHES_ALL, LEVEL_USER | LEVEL_KERNEL },
		{ "cond", BRANCHES_COND, 0 },
		{ "any_call,k",
		  BRANCHES_REL_CALL | BRANCHES_IND_CALL | BRANCHES_FAR,
		  LEVEL_KERNEL },
		{ "any_ret,ind_jmp",
		  BRANCHES_RETURN | BRANCHES_FAR | BRANCHES_IND_JMP, 0 },
		{ "call,ind_call", BRANCHES_REL_CALL | BRANCHES_IND_CALL, 0 },
	};

	(void)state;
	TAKE("ls");
	assert_int_equal(wish->branches, 0);
	TAKE("-b", "ls");
	assert_int_equal(wish->branches, BRANCHES_ALL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TAKE("-j", cases[i].list, "ls");
		assert_int_equal(wish->branches, cases[i].kinds);
		assert_int_equal(wish->branch_levels, cases[i].levels);
	}
	REFUSE("must be any", "-j", "", "ls");
	REFUSE("must be any", "-j", "any,", "ls");
	REFUSE("must be any", "-j", "anything", "ls");
	REFUSE("use -g", "--branch-filter=cond,call_stack", "ls");
	REFUSE("no level of", "-j", "any,hv", "ls");
}

static void a_seed_is_a_number_from_1(void **state)
{
	(void)state;
	TAKE("ls");
	assert_int_equal(wish->seed, 0);
	TAKE("--seed", "7", "ls");
	assert_int_equal(wish->seed, 7);
	TAKE("--seed=0xffffffffffffffff", "ls");
	assert_int_equal(wish->seed, UINT64_MAX);
	TAKE("--smpl-periods-random=7,3:9", "ls");
	assert_int_equal(wish->seed, 9);
	REFUSE("from 1", "--seed=0", "ls");
	REFUSE("from 1", "--seed=-1", "ls");
	REFUSE("from 1", "--seed=7x", "ls");
	REFUSE("from 1", "--seed=18446744073709551616", "ls");
	REFUSE("choose one", "--no-random", "--seed=7", "ls");
}

static void sizes_of_buffers_have_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = { { "4096", 4096 },
		      { "64K", 65536 },
		      { "1m", 1048576 },
		      { "1024M", 1u << 30 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		TAKE("-m", cases[i].text, "ls");
		assert_int_equal(wish->buffer, cases[i].bytes);
	}
}

static void samples_are_compressed_where_that_is_asked_for(void **state)
{
	(void)state;
	TAKE("-c", "7", "ls");
	assert_int_equal(wish->compression, 0);
	TAKE("-z", "ls");
	assert_int_equal(wish->compression, 1);
	TAKE("-z19", "ls");
	assert_int_equal(wish->compression, 19);
	TAKE("--compression-level=3", "ls");
	assert_int_equal(wish->compression, 3);
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	REFUSE("-c x", "-c", "x", "ls");
	REFUSE("-c 1,", "-c", "1,", "ls");
	REFUSE("-c -1", "-c", "-1", "ls");
	REFUSE("2^48", "-c", "281474976710657", "ls");
	REFUSE("2^48", "-c", "99999999999999999999", "ls");
	REFUSE("from 1", "--short-smpl-periods=0", "ls");
	REFUSE("masks", "--smpl-periods-random=", "ls");
	REFUSE("masks", "--smpl-periods-random=1:", "ls");
	REFUSE("size", "-m", "4095", "ls");
	REFUSE("size", "-m", "1025M", "ls");
	REFUSE("size", "-m", "4G", "ls");
	REFUSE("perf or maps", "--mappings=proc", "ls");
	REFUSE("-c and -F", "-c1", "-F1", "ls");
	REFUSE("-m and --smpl-entries", "-m64K", "--smpl-entries=9", "ls");
	REFUSE("--overflow-block", "-a", "--overflow-block");
	REFUSE("no command", "-c", "5");
	REFUSE("--wait-all: both given", "-p", "1", "--wait-all", "ls");
}

static void options_about_reports_are_refused_by_name(void **state)
{
	(void)state;
	REFUSE("-x: not of samples", "-x,", "ls");
	REFUSE("-r: not of samples", "-r", "3", "ls");
	REFUSE("--csv: not of samples", "--csv", "ls");
	REFUSE("--append: not of samples", "--append", "ls");
	REFUSE("must be auto, dwarf or fp", "--call-graph", "lbr", "ls");
	REFUSE("must be auto, dwarf or fp", "--call-graph", "f", "ls");
	REFUSE("--call-graph=fp,N", "--call-graph", "fp,128", "ls");
	REFUSE("--call-graph=fp,N", "--call-graph", "fp,0", "ls");
	REFUSE("--call-graph=fp,N", "--call-graph", "fp,", "ls");
	REFUSE("must be auto, dwarf or fp", "--call-graph", "autos", "ls");
	REFUSE("--call-graph: BYTES", "--call-graph", "auto,1000", "ls");
	REFUSE("-z 20: not a number from 1 to 19", "-z20", "ls");
	REFUSE("-z 0: not", "-z0", "ls");
	REFUSE("-z x: not", "--compression-level=x", "ls");
	REFUSE("counts one cgroup", "-G", "x,y", "ls");
}

/* Of a model with a counter for each of three events. */
static int make(struct periods *periods, double cpu_hz)
{
	static struct event events[3] = {
		{ .name = (char *)"cycles", .meaning = MEANS_CYCLES },
		{ .name = (char *)"instructions",
		  .meaning = MEANS_INSTRUCTIONS },
		{ .name = (char *)"other" },
	};
	static const struct event_set set = {
		.plan = { .event_count = 3,
			  .pmds = { { .reg_num = 2 },
				    { .reg_num = 70 },
				    { .reg_num = 1 } } },
		.events = { 0, 1, 2 },
	};
	const struct event_list list = { events, 3 };

	return periods_make(periods, wish, &list, &set, cpu_hz);
}

static void one_period_is_for_all_events(void **state)
{
	struct periods periods;

	(void)state;
	TAKE("-c", "1000", "--no-random", "ls");
	assert_int_equal(make(&periods, 0), 0);
	assert_int_equal(periods.count, 3);
	assert_int_equal(periods.recorded, 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(periods.list[i].every, 1000);
		assert_int_equal(periods.list[i].attr.reg_short_reset, -1000);
	}
	assert_int_equal(periods.place_of[70], 1);
	assert_int_equal(periods.place_of[0], -1);
}

static void events_without_a_period_are_part_of_the_samples(void **state)
{
	struct periods periods;
	const struct period *second = &periods.list[1];

	(void)state;
	TAKE("-c", "0,500,0", "--short-smpl-periods=1,400,1",
	     "--smpl-periods-random=0,7,0", "ls");
	assert_int_equal(make(&periods, 0), 0);
	assert_int_equal(periods.recorded, 2);
	assert_int_equal(second->attr.reg_smpl_pmds[0], 1 << 2 | 1 << 1);
	assert_int_equal(second->attr.reg_smpl_pmds[1], 0);
	assert_int_equal(second->pmd.reg_value, -500);
	assert_int_equal(second->attr.reg_long_reset, -500);
	assert_int_equal(second->attr.reg_short_reset, -400);
	assert_int_equal(second->attr.reg_random_mask, 7);
	assert_int_equal(second->pmd.reg_flags,
			 PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM);
}

static void varying_periods_have_their_number_as_the_mean(void **state)
{
	struct periods periods;
	const struct period *first = &periods.list[0];

	(void)state;
	TAKE("-c", "1000", "--short-smpl-periods=500,1000,1000", "ls");
	assert_int_equal(make(&periods, 0), 0);
	assert_true(first->varies);
	assert_int_equal(first->attr.reg_random_mask, 511);
	assert_int_equal(first->attr.reg_long_reset, 255 - 1000);
	assert_int_equal(first->attr.reg_short_reset, 255 - 500);
	assert_int_equal(periods.list[1].attr.reg_random_mask, 1023);
	assert_int_equal(first->pmd.reg_flags,
			 PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM);
	TAKE("-c", "1000", "--smpl-periods-random=7", "ls");
	assert_int_equal(make(&periods, 0), 0);
	assert_false(first->varies);
	assert_int_equal(first->attr.reg_random_mask, 7);
	assert_int_equal(first->attr.reg_long_reset, -1000);
}

static void events_have_a_frequency_if_nothing_is_said(void **state)
{
	struct periods periods;

	(void)state;
	TAKE("ls");
	assert_int_equal(make(&periods, 3e9), 0);
	/* A sixteenth of what it will be at the nominal frequency. */
	assert_int_equal(periods.list[0].every, 187507);
	assert_int_equal(periods.list[1].every, 187507);
	/* What may be rare begins with the shortest, and doubles. */
	assert_int_equal(periods.list[2].every, PERIOD_UNKNOWN);
	for (int i = 0; i < 3; i++) {
		assert_true(periods.list[i].varies);
		assert_int_equal(periods.list[i].rate, 1250);
		assert_int_equal(periods.list[i].attr.reg_smpl_rate, 1250);
	}
	assert_int_equal(make(&periods, 0), 0);
	assert_int_equal(periods.list[0].every, PERIOD_UNKNOWN);
	/* Of any event; and a great one does not begin with what is throttled. */
	TAKE("-F", "10000", "ls");
	assert_int_equal(make(&periods, 3e9), 0);
	assert_int_equal(periods.list[0].every, 150011);
	assert_int_equal(periods.list[2].every, PERIOD_UNKNOWN);
	assert_int_equal(periods.list[2].rate, 12500);
	TAKE("-F", "100000", "ls");
	assert_int_equal(make(&periods, 3e9), 0);
	assert_int_equal(periods.list[0].every, 30011);
	assert_int_equal(periods.list[0].rate, 0);
	/* Copies of stacks are large. */
	TAKE("-g", "ls");
	assert_int_equal(make(&periods, 3e9), 0);
	assert_int_equal(periods.list[0].every, 375017);
}

static void periods_that_were_asked_for_do_not_double(void **state)
{
	struct periods periods;

	(void)state;
	TAKE("-c", "5000", "ls");
	assert_int_equal(make(&periods, 3e9), 0);
	assert_int_equal(periods.list[0].attr.reg_smpl_rate, 0);
	TAKE("--no-random", "ls");
	assert_int_equal(make(&periods, 3e9), 0);
	assert_int_equal(periods.list[0].every, 3000017);
	assert_int_equal(periods.list[0].attr.reg_smpl_rate, 0);
	assert_int_equal(periods.list[2].every, PERIOD_DEFAULT);
}

static void numbers_that_do_not_fit_the_events_are_refused(void **state)
{
	struct periods periods;

	(void)state;
	TAKE("-c", "1,2", "ls");
	message_catch();
	assert_int_equal(make(&periods, 0), -1);
	message_expect("2 numbers for 3 events", NULL);
	TAKE("-c", "0", "ls");
	message_catch();
	assert_int_equal(make(&periods, 0), -1);
	message_expect("nothing is sampled", NULL);
	TAKE("-F", "100", "--no-random", "ls");
	message_catch();
	assert_int_equal(make(&periods, 3e9), -1);
	message_expect("-F: event", "use -c", NULL);
}

static void primes_are_primes(void **state)
{
	static const uint64_t cases[][2] = {
		{ 0, 2 },
		{ 2, 2 },
		{ 4, 5 },
		{ 9, 11 },
		{ 25, 29 },
		{ 90, 97 },
		{ 1000000, 1000003 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(period_numbers_prime(cases[i][0]),
				 cases[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_followed_by_ptrace_into_a_file),
		cmocka_unit_test(command_lines_of_perf_record_are_understood),
		cmocka_unit_test(sampling_begins_where_it_was_said),
		cmocka_unit_test(lists_of_periods_and_masks_are_understood),
		cmocka_unit_test(periods_vary_unless_that_is_refused),
		cmocka_unit_test(nmis_can_be_done_without),
		cmocka_unit_test(branches_are_chosen_by_words_of_perf),
		cmocka_unit_test(a_seed_is_a_number_from_1),
		cmocka_unit_test(sizes_of_buffers_have_units),
		cmocka_unit_test(
			samples_are_compressed_where_that_is_asked_for),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(options_about_reports_are_refused_by_name),
		cmocka_unit_test(one_period_is_for_all_events),
		cmocka_unit_test(
			events_without_a_period_are_part_of_the_samples),
		cmocka_unit_test(varying_periods_have_their_number_as_the_mean),
		cmocka_unit_test(events_have_a_frequency_if_nothing_is_said),
		cmocka_unit_test(periods_that_were_asked_for_do_not_double),
		cmocka_unit_test(
			numbers_that_do_not_fit_the_events_are_refused),
		cmocka_unit_test(primes_are_primes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
