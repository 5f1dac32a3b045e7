// SPDX-License-Identifier: GPL-2.0-only
/* By what means pfmon follows: the kernel where it can, and why it cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/means.h"
#include "message.h"

#define ALL                                                    \
	{                                                      \
		.forks = true, .vforks = true, .threads = true \
	}

static char *command[] = { (char *)"true", NULL };
static regex_t pattern;

/* A request for totals of a command, all of it, by any means. */
static struct request totals(void)
{
	return (struct request){ .command = command, .follow = ALL };
}

/* The means that are chosen without a message. */
static enum follow_means choose(const struct request *request,
				const char *events, bool inherits)
{
	enum follow_means means = FOLLOW_AUTO;

	message_catch();
	assert_int_equal(means_choose(request, events, inherits, &means), 0);
	message_expect_none();
	return means;
}

static void totals_are_counted_by_the_kernel_where_it_can(void **state)
{
	struct request request = totals();

	(void)state;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
	assert_int_equal(choose(&request, NULL, false), FOLLOW_PTRACE);
	assert_int_equal(choose(&request, "sets", true), FOLLOW_PTRACE);
	request.means = FOLLOW_PTRACE;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_PTRACE);
	request.means = FOLLOW_KERNEL;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
	/* Times, commands from outside and the end of the counting are no obstacle. */
	request = totals();
	request.interval_ns = request.delay_ns = request.timeout_ns = 1;
	request.control = "fd:3";
	request.wait_all = true;
	request.repeat = 3;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
	/* Nor that it runs already. */
	request = (struct request){ .processes = "1", .follow = ALL };
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
}

static void nothing_to_follow_needs_no_means(void **state)
{
	struct request request = totals();

	(void)state;
	request.follow = (struct follow_rules){ .forks = false };
	assert_int_equal(choose(&request, NULL, true), FOLLOW_NONE);
	request.means = FOLLOW_NONE;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_NONE);
}

/* What one sum of all has no answer to, and a word of what is said of it. */
static const struct {
	struct request request;
	const char *said;
} obstacles[] = {
	{ { .follow = { .forks = true,
			.vforks = true,
			.threads = true,
			.only = &pattern } },
	  "--follow-exec: " },
	{ { .follow = { .forks = true,
			.vforks = true,
			.threads = true,
			.except = &pattern } },
	  "--follow-exec: " },
	{ { .follow = { .forks = true } }, "--follow-fork or " },
	{ { .follow = { .vforks = true } }, "--follow-fork or " },
	{ { .follow = { .forks = true, .vforks = true } },
	  "--follow-fork or " },
	{ { .follow = { .forks = true, .threads = true } },
	  "--follow-fork or " },
	{ { .follow = ALL, .grouping = GROUP_THREADS }, "rows of threads" },
	{ { .follow = ALL, .grouping = GROUP_PROCESSES }, "rows of threads" },
	{ { .follow = ALL, .switch_events = 5000 }, "--switch-events: " },
};

static void what_a_sum_does_not_answer_is_traced(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(obstacles); i++) {
		struct request request = obstacles[i].request;
		enum follow_means means;

		request.command = command;
		assert_ptr_equal(strstr(means_obstacle(&request),
					obstacles[i].said),
				 means_obstacle(&request));
		assert_int_equal(choose(&request, NULL, true), FOLLOW_PTRACE);
		request.means = FOLLOW_KERNEL;
		message_catch();
		assert_int_equal(means_choose(&request, NULL, true, &means),
				 -1);
		message_expect("--follow=kernel and ", obstacles[i].said, NULL);
	}
}

/* What is said of samples; waits: the kernel lets those wait who find no room. */
static const char *of_samples(const struct request *request, bool waits)
{
	return means_obstacle_of_samples(request, waits);
}

static void samples_are_followed_by_who_loses_none(void **state)
{
	struct request request = totals();

	(void)state;
	assert_null(of_samples(&request, false));
	request.samples.wanted = true;
	assert_null(of_samples(&request, true));
	request.processes = "1";
	assert_non_null(strstr(of_samples(&request, true), "for each CPU"));
	request.means = FOLLOW_KERNEL;
	assert_null(of_samples(&request, true));
	request.processes = NULL;
	request.means = FOLLOW_AUTO;
	assert_non_null(strstr(of_samples(&request, false), "samples: "));
	/* Unless the user does without. */
	request.samples.block = BLOCK_NEVER;
	assert_null(of_samples(&request, false));
	request.samples.block = BLOCK_DEFAULT;
	request.means = FOLLOW_KERNEL;
	assert_null(of_samples(&request, false));
	request.samples.block = BLOCK_ALWAYS;
	assert_null(of_samples(&request, true));
	assert_non_null(
		strstr(of_samples(&request, false), "--overflow-block: "));
}

static void a_buffer_that_stays_full_is_of_one_thread(void **state)
{
	struct request request = totals();
	enum follow_means means;

	(void)state;
	request.samples.wanted = request.samples.saturate = true;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_PTRACE);
	request.means = FOLLOW_KERNEL;
	message_catch();
	assert_int_equal(means_choose(&request, NULL, true, &means), -1);
	message_expect("--follow=kernel and --saturate-smpl-buffer: ", NULL);
}

static void threads_alone_can_inherit(void **state)
{
	struct request request = totals();

	(void)state;
	request.follow = (struct follow_rules){ .threads = true };
	assert_null(means_obstacle(&request));
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
}

static void events_can_be_an_obstacle(void **state)
{
	struct request request = totals();
	enum follow_means means;

	(void)state;
	assert_null(means_obstacle_of_events(false, false, false));
	assert_non_null(strstr(means_obstacle_of_events(true, false, false),
			       "by events"));
	assert_non_null(strstr(means_obstacle_of_events(false, true, false),
			       "kind of core"));
	assert_non_null(strstr(means_obstacle_of_events(false, false, true),
			       "single threads only"));
	request.means = FOLLOW_KERNEL;
	message_catch();
	assert_int_equal(
		means_choose(&request,
			     means_obstacle_of_events(true, false, false), true,
			     &means),
		-1);
	message_expect("--follow=kernel and sets", "--switch-timeout", NULL);
}

static void what_only_a_newer_kernel_does_is_refused(void **state)
{
	struct request request = totals();
	enum follow_means means;

	(void)state;
	request.means = FOLLOW_KERNEL;
	message_catch();
	assert_int_equal(means_choose(&request, NULL, false, &means), -1);
	message_expect("--follow=kernel: this kernel", "(E2)",
		       "use --follow=ptrace", NULL);
	/* Who launches itself is not traced, hence followed by nobody else. */
	request.means = FOLLOW_AUTO;
	request.launch = LAUNCH_SELF;
	assert_int_equal(choose(&request, NULL, true), FOLLOW_KERNEL);
	message_catch();
	assert_int_equal(means_choose(&request, NULL, false, &means), -1);
	message_expect("--launch=self: this kernel", "use --launch=ptrace",
		       NULL);
}

static void running_threads_need_a_newer_kernel(void **state)
{
	static const struct {
		struct request request;
		const char *said;
	} rows[] = {
		{ { .interval_ns = 1 },
		  "-I: this kernel cannot read running threads (E1); use -a" },
		{ { .delay_ns = 1 },
		  "-D: this kernel cannot start running threads (E1); use -a" },
		{ { .control = "fd:3" },
		  "--control: this kernel cannot start running threads (E1); use -a" },
	};
	struct request request = totals();

	(void)state;
	message_catch();
	assert_int_equal(means_check_running(&request, false), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		request = rows[i].request;
		assert_int_equal(means_check_running(&request, true), 0);
		request.system_wide = true;
		assert_int_equal(means_check_running(&request, false), 0);
	}
	message_expect_none();
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		message_catch();
		assert_int_equal(means_check_running(&rows[i].request, false),
				 -1);
		message_expect(rows[i].said, NULL);
	}
}

static void each_means_has_its_name(void **state)
{
	(void)state;
	assert_string_equal(means_name(FOLLOW_AUTO), "auto");
	assert_string_equal(means_name(FOLLOW_KERNEL), "kernel");
	assert_string_equal(means_name(FOLLOW_PTRACE), "ptrace");
	assert_string_equal(means_name(FOLLOW_NONE), "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_are_counted_by_the_kernel_where_it_can),
		cmocka_unit_test(nothing_to_follow_needs_no_means),
		cmocka_unit_test(what_a_sum_does_not_answer_is_traced),
		cmocka_unit_test(samples_are_followed_by_who_loses_none),
		cmocka_unit_test(a_buffer_that_stays_full_is_of_one_thread),
		cmocka_unit_test(threads_alone_can_inherit),
		cmocka_unit_test(events_can_be_an_obstacle),
		cmocka_unit_test(what_only_a_newer_kernel_does_is_refused),
		cmocka_unit_test(running_threads_need_a_newer_kernel),
		cmocka_unit_test(each_means_has_its_name),
	};

	return cmocka_run_group_tests_name("pfmon_means", tests, NULL, NULL);
}
