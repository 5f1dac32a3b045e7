// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who was born is known from its parent's report on, which may come long before its
 * own first stop. The commands are real, and really traced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "command/launch.h"
#include "engine/waiting.h"

static void begin(struct task *task, void *arg)
{
	int *begun = arg;

	(*begun)++;
	task->session = 1;
}

static void end(struct task *task, void *arg)
{
	(void)task;
	(void)arg;
}

static const struct follow_ops ops = { .begin = begin, .end = end };
static const struct follow_rules everybody = { .forks = true,
					       .vforks = true,
					       .threads = true };

static pid_t next_report(struct follow *follow, int *status)
{
	struct rusage usage;
	const pid_t tid = wait4(-1, status, __WALL, &usage);

	if (tid > 0)
		follow_event(follow, tid, *status, &usage);
	return tid;
}

/* A child that lives on, of a shell that does not. */
static void follow_a_birth(bool nameless)
{
	char *const argv[] = { (char *)"sh", (char *)"-c",
			       (char *)"sleep 0.2 & exit 5", NULL };
	int status, births = 0, begun = 0;
	struct signals signals;
	struct follow follow = { .rules = &everybody,
				 .ops = &ops,
				 .arg = &begun,
				 .nameless = nameless };
	const struct launch launch = { .argv = argv, .signals = &signals };
	pid_t pid;

	signals_take(&signals);
	assert_int_equal(launch_command(&launch, &pid), 0);
	assert_int_equal(follow_command(&follow, pid), 0);
	while (next_report(&follow, &status) > 0) {
		if (status >> 16 != PTRACE_EVENT_FORK &&
		    status >> 16 != PTRACE_EVENT_VFORK &&
		    status >> 16 != PTRACE_EVENT_CLONE)
			continue;
		births++;
		assert_int_equal(follow.tasks.count, 2);
	}
	assert_int_equal(births, 1);
	assert_int_equal(begun, 2);
	assert_int_equal(follow.tasks.count, 0);
	assert_int_equal(WEXITSTATUS(follow.wait_status), 5);
	tasks_free(&follow.tasks);
	signals_restore(&signals);
}

static void a_birth_is_known_before_the_first_stop(void **state)
{
	(void)state;
	follow_a_birth(false);
}

static void also_where_nobody_wants_names(void **state)
{
	(void)state;
	follow_a_birth(true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_birth_is_known_before_the_first_stop),
		cmocka_unit_test(also_where_nobody_wants_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
