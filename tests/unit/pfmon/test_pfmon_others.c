// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads and children that nobody follows are noticed: by the reports of their
 * births, or by their time where these are not allowed. The commands are real.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/clocks.h"
#include "command/launch.h"
#include "engine/waiting.h"

static void begin(struct task *task, void *arg)
{
	(void)arg;
	task->session = 1;
}

static void end(struct task *task, void *arg)
{
	(void)task;
	(void)arg;
}

static const struct follow_ops ops = { .begin = begin, .end = end };
static const struct follow_rules nobody;

/* What is seen of the others of a shell's script; with a timeout until it. */
static enum coverage_others watch(const char *script, bool reported,
				  uint64_t timeout, bool *has_ring)
{
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)script,
			       NULL };
	struct signals signals;
	struct others others;
	struct follow follow = { .rules = &nobody, .ops = &ops };
	struct waiting waiting = { .follow = &follow,
				   .signals = &signals,
				   .others = &others };
	struct launch launch = { .argv = argv, .signals = &signals };
	enum coverage_others seen;
	pid_t pid;

	signals_take(&signals);
	assert_int_equal(launch_command(&launch, &pid), 0);
	others_watch(&others, pid, reported);
	*has_ring = others.ring;
	assert_int_equal(follow_command(&follow, pid), 0);
	waiting.deadline = timeout ? clocks_now() + timeout : 0;
	assert_int_equal(waiting_run(&waiting),
			 timeout ? WAITING_TIMEOUT : WAITING_DONE);
	follow_release(&follow);
	waiting_for_release(&waiting);
	seen = others_end(&others);
	waiting.others = NULL;
	waiting.deadline = 0;
	if (timeout)
		assert_int_equal(waiting_run(&waiting), WAITING_DONE);
	tasks_free(&follow.tasks);
	signals_restore(&signals);
	return seen;
}

static void one_birth_is_enough(void **state)
{
	bool has_ring;
	enum coverage_others seen = watch(":", true, 0, &has_ring);

	(void)state;
	if (!has_ring)
		skip();
	assert_int_equal(seen, OTHERS_NONE);
	assert_int_equal(watch("(:); :", true, 0, &has_ring), OTHERS_SOME);
	assert_int_equal(watch("exec true", true, 0, &has_ring), OTHERS_NONE);
	/* More than the ring has room for. */
	assert_int_equal(watch("i=0; while [ $i -lt 300 ]; do (:); "
			       "i=$((i + 1)); done",
			       true, 0, &has_ring),
			 OTHERS_SOME);
}

static void births_after_the_end_of_counting_do_not_matter(void **state)
{
	bool has_ring;
	enum coverage_others seen =
		watch("i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; "
		      "(:); :",
		      true, 50 * NS_PER_MS, &has_ring);

	(void)state;
	if (!has_ring)
		skip();
	assert_int_equal(seen, OTHERS_NONE);
}

static void without_reports_the_time_of_others_tells(void **state)
{
	static const char busy[] =
		"(i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done); :";
	bool has_ring;

	(void)state;
	assert_int_equal(watch(busy, false, 0, &has_ring), OTHERS_SOME);
	assert_false(has_ring);
	/* Nobody was seen, which is no proof. */
	assert_int_equal(watch(":", false, 0, &has_ring), OTHERS_UNKNOWN);
}

/* Its stop to be read at the timeout must not be waited for in vain. */
static void a_released_command_is_waited_for(void **state)
{
	bool has_ring;

	(void)state;
	watch("sleep 0.3; (:); :", true, 50 * NS_PER_MS, &has_ring);
	watch("sleep 0.3; (:); :", false, 50 * NS_PER_MS, &has_ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_birth_is_enough),
		cmocka_unit_test(
			births_after_the_end_of_counting_do_not_matter),
		cmocka_unit_test(without_reports_the_time_of_others_tells),
		cmocka_unit_test(a_released_command_is_waited_for),
	};

	return cmocka_run_group_tests_name("pfmon_others", tests, NULL, NULL);
}
