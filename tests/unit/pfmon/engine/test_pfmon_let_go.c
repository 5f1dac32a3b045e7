// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that pfmon has stopped and then lets go, and commands that it keeps: who is
 * traced, and which sessions end. The commands are real.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "command/launch.h"
#include "engine/waiting.h"

/* The session that a thread gets, and the sessions that have ended. */
static struct {
	int session;
	int begun, ended;
	int last;
} counted;

static void begin(struct task *task, void *arg)
{
	(void)arg;
	counted.begun++;
	task->session = counted.session;
}

static void end(struct task *task, void *arg)
{
	(void)arg;
	counted.ended++;
	counted.last = task->session;
}

static const struct follow_ops ops = { .begin = begin, .end = end };
static const struct follow_rules follow_none,
	follow_threads = { .threads = true };

/* Of a process; -1: it is not there. */
static pid_t tracer_of(pid_t pid)
{
	char path[64], line[200];
	pid_t tracer = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "TracerPid: %d", &tracer);
	if (file)
		fclose(file);
	return tracer;
}

/* A command that ends when its standard input does. */
static char *const reader[] = { (char *)"cat", NULL };

struct command {
	struct follow follow;
	struct signals signals;
	pid_t pid;
	int end; /* of its input */
	int input; /* of the test, to come back to */
};

static void launch_reader(struct command *command,
			  const struct follow_rules *rules)
{
	const struct launch launch = { .argv = reader,
				       .signals = &command->signals };
	int ends[2];

	memset(command, 0, sizeof(*command));
	command->follow = (struct follow){ .rules = rules, .ops = &ops };
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	command->end = ends[1];
	command->input = dup(STDIN_FILENO);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	signals_take(&command->signals);
	assert_int_equal(launch_command(&launch, &command->pid), 0);
	assert_int_equal(tracer_of(command->pid), getpid());
}

static void end_reader(struct command *command)
{
	struct rusage usage;
	int status;
	pid_t tid;

	close(command->end);
	while ((tid = wait4(-1, &status, __WALL, &usage)) > 0)
		follow_event(&command->follow, tid, status, &usage);
	assert_true(command->follow.command_ended);
	assert_int_equal(command->follow.wait_status, 0);
	assert_int_equal(command->follow.tasks.count, 0);
	signals_restore(&command->signals);
	dup2(command->input, STDIN_FILENO);
	close(command->input);
	tasks_free(&command->follow.tasks);
}

static void who_is_not_followed_is_not_traced(void **state)
{
	struct command command;

	(void)state;
	counted = (typeof(counted)){ .session = 5 };
	launch_reader(&command, &follow_none);
	assert_int_equal(follow_command(&command.follow, command.pid), 0);
	assert_int_equal(tracer_of(command.pid), 0);
	end_reader(&command);
	launch_reader(&command, &follow_threads);
	assert_int_equal(follow_command(&command.follow, command.pid), 0);
	assert_int_equal(tracer_of(command.pid), getpid());
	end_reader(&command);
}

static void who_is_adopted_is_neither_traced_nor_counted(void **state)
{
	struct command command;

	(void)state;
	counted = (typeof(counted)){ .session = 5 };
	launch_reader(&command, &follow_threads);
	assert_int_equal(follow_adopt(&command.follow, command.pid), 0);
	assert_int_equal(command.follow.command, command.pid);
	assert_int_equal(tracer_of(command.pid), 0);
	end_reader(&command);
	assert_int_equal(counted.begun, 0);
	assert_int_equal(counted.ended, 0);
}

/* Also the session whose descriptor is the first of all. */
static void each_session_ends_once(void **state)
{
	static const int sessions[] = { 0, 1, 5 };
	static const struct follow_rules *const rules[] = { &follow_none,
							    &follow_threads };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sessions) * ARRAY_SIZE(rules); i++) {
		struct command command;

		counted = (typeof(counted)){ .session = sessions[i / 2],
					     .last = -1 };
		launch_reader(&command, rules[i % 2]);
		assert_int_equal(follow_command(&command.follow, command.pid),
				 0);
		follow_describe(&command.follow);
		end_reader(&command);
		assert_int_equal(counted.begun, 1);
		assert_int_equal(counted.ended, 1);
		assert_int_equal(counted.last, sessions[i / 2]);
	}
}

/* What makes something new, and whether rules follow it: forks, vforks, threads. */
static void *end_thread(void *arg)
{
	return arg;
}

static void make_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, end_thread, NULL))
		pthread_join(thread, NULL);
}

/* This program again, with a word; it does not come back. */
static void make(const char *word)
{
	pid_t pid = 0;

	if (!strcmp(word, "thread"))
		make_thread();
	else if (!strcmp(word, "fork"))
		pid = fork();
	else if (!(pid = vfork()))
		_exit(0);
	if (pid)
		waitpid(pid, NULL, 0);
	_exit(0);
}

static int begun_with(const struct follow_rules *rules, const char *word)
{
	char *const argv[] = { (char *)"/proc/self/exe", (char *)word, NULL };
	struct signals signals;
	struct follow follow = { .rules = rules, .ops = &ops };
	const struct launch launch = { .argv = argv, .signals = &signals };
	struct rusage usage;
	pid_t pid, tid;
	int status;

	counted = (typeof(counted)){ .session = 5 };
	signals_take(&signals);
	assert_int_equal(launch_command(&launch, &pid), 0);
	assert_int_equal(follow_command(&follow, pid), 0);
	while ((tid = wait4(-1, &status, __WALL, &usage)) > 0)
		follow_event(&follow, tid, status, &usage);
	assert_int_equal(follow.wait_status, 0);
	assert_int_equal(counted.ended, counted.begun);
	signals_restore(&signals);
	tasks_free(&follow.tasks);
	return counted.begun;
}

static void each_rule_follows_its_own(void **state)
{
	static const struct {
		const char *word;
		bool fork, vfork, thread;
	} rows[] = {
		{ "fork", true, false, false },
		{ "vfork", false, true, false },
		{ "thread", false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int rule = 0; rule < 8; rule++) {
			const struct follow_rules rules = {
				.forks = rule & 1,
				.vforks = rule & 2,
				.threads = rule & 4,
			};
			const bool follows = (rows[i].fork && rules.forks) ||
					     (rows[i].vfork && rules.vforks) ||
					     (rows[i].thread && rules.threads);

			if (begun_with(&rules, rows[i].word) != 1 + follows)
				fail_msg("%s, rules %d", rows[i].word, rule);
		}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_not_followed_is_not_traced),
		cmocka_unit_test(who_is_adopted_is_neither_traced_nor_counted),
		cmocka_unit_test(each_session_ends_once),
		cmocka_unit_test(each_rule_follows_its_own),
	};

	if (argc > 1)
		make(argv[1]);
	return cmocka_run_group_tests_name("pfmon_let_go", tests, NULL, NULL);
}
