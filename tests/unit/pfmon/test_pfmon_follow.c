// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running commands and following them: where counting begins and ends, what
 * happens to signals, and how the command ended. The commands are real processes
 * that are really traced; what would be a session is a number.
 */
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/launch.h"
#include "engine/measure.h"
#include "engine/waiting.h"
#include "message.h"
#include "scratch_dir.h"

/* What was done with threads, and what was seen at the first of them. */
struct seen {
	int begun, ended;
	bool fail; /* the first thread cannot be counted */
	char state; /* of the process, as in /proc/PID/stat */
	char program[256];
	bool file_exists; /* the file that the command makes */
	const char *file;
	int snapshots;
};

/* What is known when the command has ended. */
struct run_result {
	int wait_status;
	int left; /* threads that are not released */
};

static void look(pid_t thread, struct seen *seen)
{
	char path[64];
	ssize_t len;
	FILE *stat_file;

	snprintf(path, sizeof(path), "/proc/%d/stat", thread);
	stat_file = fopen(path, "r");
	assert_non_null(stat_file);
	assert_int_equal(fscanf(stat_file, "%*d (%*[^)]) %c", &seen->state), 1);
	fclose(stat_file);
	snprintf(path, sizeof(path), "/proc/%d/exe", thread);
	len = readlink(path, seen->program, sizeof(seen->program) - 1);
	seen->program[len > 0 ? len : 0] = '\0';
	seen->file_exists = seen->file && !access(seen->file, F_OK);
}

static void begin(struct task *task, void *arg)
{
	struct seen *seen = arg;

	if (!seen->begun++)
		look(task->tid, seen);
	task->session = seen->fail ? -1 : 1;
}

static void end(struct task *task, void *arg)
{
	struct seen *seen = arg;

	(void)task;
	seen->ended++;
}

/* What is told when counting goes on. */
static int command(enum control_verb verb, void *arg, const char **refusal)
{
	struct seen *seen = arg;
	sigset_t blocked;

	assert_true(verb == CONTROL_SNAPSHOT && !*refusal);
	/* No signal cuts short what is written now. */
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	assert_true(sigismember(&blocked, SIGUSR1));
	seen->snapshots++;
	return 0;
}

static const struct follow_ops ops = { .begin = begin, .end = end };
static const struct follow_rules nobody,
	everybody = { .forks = true, .vforks = true, .threads = true };

/* Returns what launch_command() does, or 125 if it cannot be counted. */
static int run_as(char *const argv[], const struct follow_rules *rules,
		  bool wait_all, struct seen *seen, struct run_result *result)
{
	struct signals signals;
	struct follow follow = { .rules = rules, .ops = &ops, .arg = seen };
	struct waiting waiting = { .follow = &follow,
				   .signals = &signals,
				   .wait_all = wait_all,
				   .command = command,
				   .arg = seen };
	const struct launch launch = { .argv = argv, .signals = &signals };
	pid_t pid;
	int ret;

	signals_take(&signals);
	ret = launch_command(&launch, &pid);
	if (!ret && follow_command(&follow, pid)) {
		launch_kill(pid);
		ret = 125;
	} else if (!ret) {
		assert_int_equal(waiting_run(&waiting), WAITING_DONE);
		follow_release(&follow);
		waiting_for_release(&waiting);
		result->wait_status = follow.wait_status;
		result->left = follow_traced(&follow);
	}
	tasks_free(&follow.tasks);
	signals_restore(&signals);
	return ret;
}

static int run(char *const argv[], struct seen *seen, struct run_result *result)
{
	return run_as(argv, &nobody, false, seen, result);
}

#define ARGV(...) ((char *const[]){ __VA_ARGS__, NULL })
#define W(text) ((char *)(text))

static void run_shell(const char *script, int wanted_status)
{
	struct seen seen = { 0 };
	struct run_result result;

	assert_int_equal(run(ARGV(W("sh"), W("-c"), W(script)), &seen, &result),
			 0);
	assert_int_equal(seen.begun, 1);
	assert_int_equal(measure_exit_status(result.wait_status),
			 wanted_status);
}

static void the_program_is_loaded_and_has_not_run(void **state)
{
	char *dir = scratch_make();
	char file[256], real[4096];
	struct seen seen = { .file = file };
	struct run_result result;

	(void)state;
	snprintf(file, sizeof(file), "%s/made", dir);
	assert_non_null(realpath("/usr/bin/touch", real));
	assert_int_equal(run(ARGV(W("touch"), file), &seen, &result), 0);
	assert_int_equal(seen.begun, 1);
	assert_int_equal(seen.state, 't');
	assert_string_equal(seen.program, real);
	assert_false(seen.file_exists);
	assert_int_equal(access(file, F_OK), 0);
	assert_int_equal(measure_exit_status(result.wait_status), 0);
	scratch_remove(dir);
}

static void the_status_is_that_of_the_command(void **state)
{
	(void)state;
	run_shell("exit 0", 0);
	run_shell("exit 7", 7);
	run_shell("exit 255", 255);
	run_shell("kill -KILL $$", 128 + SIGKILL);
	run_shell("kill -TERM $$", 128 + SIGTERM);
	/* The tracer is gone: this is no longer pfmon's business. */
	run_shell("kill -TRAP $$", 128 + SIGTRAP);
	run_shell("exec sh -c 'exit 3'", 3);
}

static void expect_no_run(char *const argv[], int wanted, const char *said)
{
	struct seen seen = { 0 };
	struct run_result result;

	message_catch();
	assert_int_equal(run(argv, &seen, &result), wanted);
	message_expect(argv[0], said, NULL);
	assert_int_equal(seen.begun, 0);
}

static void commands_that_cannot_run_are_told_apart(void **state)
{
	char *dir = scratch_make();
	char file[256];

	(void)state;
	scratch_write(dir, "plain", "text\n");
	snprintf(file, sizeof(file), "%s/plain", dir);
	expect_no_run(ARGV(W("no-such-command-here")), 127, "not found");
	expect_no_run(ARGV(W("/no/such/command")), 127, "not found");
	expect_no_run(ARGV(W("")), 127, "not found");
	expect_no_run(ARGV(W("/")), 126, "Permission denied");
	expect_no_run(ARGV(file), 126, "Permission denied");
	scratch_remove(dir);
}

/* As execvp(3) and the shells do it. */
static void scripts_without_interpreter_line_run(void **state)
{
	char *dir = scratch_make();
	char file[256];
	struct seen seen = { 0 };
	struct run_result result;

	(void)state;
	scratch_write(dir, "script", "exit 9\n");
	snprintf(file, sizeof(file), "%s/script", dir);
	assert_int_equal(chmod(file, 0755), 0);
	assert_int_equal(run(ARGV(file), &seen, &result), 0);
	assert_int_equal(measure_exit_status(result.wait_status), 9);
	scratch_remove(dir);
}

static void a_failed_attach_leaves_nothing_behind(void **state)
{
	char *dir = scratch_make();
	char file[256];
	struct seen seen = { .file = file, .fail = true };
	struct run_result result;

	(void)state;
	snprintf(file, sizeof(file), "%s/made", dir);
	assert_int_equal(run(ARGV(W("touch"), file), &seen, &result), 125);
	assert_int_equal(access(file, F_OK), -1);
	/* No child is left to wait for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	scratch_remove(dir);
}

/* The command signals its parent and waits for the signal to come back. */
#define ECHO_SIGNAL(name, status)                                    \
	"trap 'exit " #status "' " #name "; kill -" #name " $PPID; " \
	"i=0; while [ $i -lt 100 ]; do sleep 0.05; i=$((i + 1)); done"

static void signals_to_pfmon_are_passed_on(void **state)
{
	(void)state;
	run_shell(ECHO_SIGNAL(INT, 11), 11);
	run_shell(ECHO_SIGNAL(TERM, 12), 12);
	run_shell(ECHO_SIGNAL(HUP, 13), 13);
	run_shell(ECHO_SIGNAL(QUIT, 14), 14);
}

/* Else the command would end by it. */
static void a_snapshot_is_made_by_pfmon_alone(void **state)
{
	const struct follow_rules *const rules[] = { &nobody, &everybody };
	char script[] = "kill -USR1 $PPID; sleep 0.1; exit 15";
	char *const argv[] = { W("sh"), W("-c"), script, NULL };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct seen seen = { 0 };
		struct run_result result;

		run_as(argv, rules[i], false, &seen, &result);
		assert_int_equal(seen.snapshots, 1);
		assert_int_equal(measure_exit_status(result.wait_status), 15);
	}
}

static void ignored_signals_stay_ignored(void **state)
{
	void (*before)(int) = signal(SIGHUP, SIG_IGN);

	(void)state;
	run_shell("kill -HUP $PPID; kill -HUP $$; exit 4", 4);
	signal(SIGHUP, before);
}

static void the_status_survives_an_ignored_sigchld(void **state)
{
	void (*before)(int) = signal(SIGCHLD, SIG_IGN);

	(void)state;
	run_shell("exit 6", 6);
	assert_ptr_equal(signal(SIGCHLD, before), SIG_IGN);
}

static void signals_are_as_before_afterwards(void **state)
{
	sigset_t mask;

	(void)state;
	run_shell("exit 0", 0);
	assert_ptr_equal(signal(SIGINT, SIG_DFL), SIG_DFL);
	assert_ptr_equal(signal(SIGTERM, SIG_DFL), SIG_DFL);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	assert_false(sigismember(&mask, SIGINT));
}

static void the_command_has_default_signals(void **state)
{
	(void)state;
	/* Signals 32 and 33 belong to the C library, which leaves them alone. */
	run_shell("grep -q '^SigBlk:.*[08]0000000$' /proc/self/status", 0);
	run_shell("grep -q '^SigIgn:.*[08]0000000$' /proc/self/status", 0);
}

/* Runs a script with all that it makes; expects so many threads. */
static void follow_shell(const char *script, int threads, int wanted_status)
{
	struct seen seen = { 0 };
	struct run_result result;

	assert_int_equal(run_as(ARGV(W("sh"), W("-c"), W(script)), &everybody,
				true, &seen, &result),
			 0);
	assert_int_equal(seen.begun, threads);
	assert_int_equal(seen.ended, threads);
	assert_int_equal(result.left, 0);
	assert_int_equal(measure_exit_status(result.wait_status),
			 wanted_status);
}

static void children_are_followed_to_their_ends(void **state)
{
	(void)state;
	follow_shell("(exit 3)", 2, 3);
	follow_shell("(exit 1); (exit 2); (exit 3); exit 4", 4, 4);
	/* Beside each other, one in another, and by exec. */
	follow_shell("(:) & (:) & (:) & wait", 4, 0);
	follow_shell("( (:; :); : ); :", 3, 0);
	follow_shell("(exec /bin/true); exec /bin/true", 2, 0);
	follow_shell("(kill -KILL $$) & wait; sleep 10", 2, 128 + SIGKILL);
}

static void many_short_children_are_each_seen(void **state)
{
	(void)state;
	follow_shell("i=0; while [ $i -lt 200 ]; do (:) & i=$((i + 1)); done; "
		     "wait",
		     201, 0);
}

static void orphans_are_released_or_waited_for(void **state)
{
	char *const argv[] = { W("sh"), W("-c"), W("(sleep 0.3) & exit 5"),
			       NULL };
	struct seen seen = { 0 };
	struct run_result result;

	(void)state;
	assert_int_equal(run_as(argv, &everybody, false, &seen, &result), 0);
	assert_int_equal(measure_exit_status(result.wait_status), 5);
	assert_int_equal(seen.begun, seen.ended);
	assert_int_equal(result.left, 0);
	follow_shell("(sleep 0.3; exec /bin/true) & exit 6", 3, 6);
}

static void signals_of_followed_commands_are_theirs(void **state)
{
	(void)state;
	follow_shell("trap 'exit 9' USR1; kill -USR1 $$; exit 1", 1, 9);
	follow_shell("kill -TERM $$", 1, 128 + SIGTERM);
	follow_shell("(kill -SEGV $$) & wait; exit 1", 2, 128 + SIGSEGV);
	/* A stop is one, until somebody continues it. */
	follow_shell("(sleep 0.2; kill -CONT $$) & kill -STOP $$; wait; exit 7",
		     3, 7);
}

/* The timer that cuts waiting short is one of them. */
static void following_needs_no_queued_signals(void **state)
{
	struct rlimit before;

	(void)state;
	getrlimit(RLIMIT_SIGPENDING, &before);
	setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){ 0, before.rlim_max });
	follow_shell("(:; :) & (exit 3); wait; exit 4", 3, 4);
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &before), 0);
}

static char state_of(const char *file)
{
	char path[64], state;
	FILE *stat_file = fopen(file, "r");
	int pid;

	assert_non_null(stat_file);
	assert_int_equal(fscanf(stat_file, "%d", &pid), 1);
	fclose(stat_file);
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat_file = fopen(path, "r");
	assert_non_null(stat_file);
	assert_int_equal(fscanf(stat_file, "%*d (%*[^)]) %c", &state), 1);
	fclose(stat_file);
	return state;
}

/* In a group of its own, as a shell has it: else nothing is stopped. */
static pid_t follow_in_background(const char *script)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setpgid(0, 0);
	follow_shell(script, 1, 8);
	_exit(8);
}

static void a_stop_stops_the_command_and_then_pfmon(void **state)
{
	char *dir = scratch_make();
	char file[256], script[512];
	int status;
	pid_t pid;

	(void)state;
	snprintf(file, sizeof(file), "%s/pid", dir);
	snprintf(script, sizeof(script),
		 "echo $$ > %s; i=0; "
		 "while [ $i -lt 1000000 ]; do i=$((i + 1)); done; exit 8",
		 file);
	pid = follow_in_background(script);
	while (access(file, R_OK))
		usleep(1000);
	usleep(100000);
	kill(pid, SIGTSTP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	/* It has the signal, and takes it when it gets the CPU. */
	for (int i = 0; i < 200 && toupper(state_of(file)) != 'T'; i++)
		usleep(10000);
	assert_int_equal(toupper(state_of(file)), 'T');
	kill(pid, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 8);
	scratch_remove(dir);
}

static void programs_are_chosen_by_their_command_lines(void **state)
{
	struct follow_rules rules = everybody;
	struct seen seen = { 0 };
	struct run_result result;
	regex_t only;

	(void)state;
	assert_int_equal(regcomp(&only, "/bin/TRUE$",
				 REG_EXTENDED | REG_ICASE | REG_NOSUB),
			 0);
	rules.only = &only;
	assert_int_equal(run_as(ARGV(W("sh"), W("-c"),
				     W("(exec /bin/true); (:); exit 2")),
				&rules, false, &seen, &result),
			 0);
	assert_int_equal(seen.begun, 1);
	assert_int_equal(seen.ended, 1);
	assert_non_null(strstr(seen.program, "true"));
	assert_int_equal(measure_exit_status(result.wait_status), 2);
	regfree(&only);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_is_loaded_and_has_not_run),
		cmocka_unit_test(the_status_is_that_of_the_command),
		cmocka_unit_test(commands_that_cannot_run_are_told_apart),
		cmocka_unit_test(scripts_without_interpreter_line_run),
		cmocka_unit_test(a_failed_attach_leaves_nothing_behind),
		cmocka_unit_test(signals_to_pfmon_are_passed_on),
		cmocka_unit_test(a_snapshot_is_made_by_pfmon_alone),
		cmocka_unit_test(ignored_signals_stay_ignored),
		cmocka_unit_test(the_status_survives_an_ignored_sigchld),
		cmocka_unit_test(signals_are_as_before_afterwards),
		cmocka_unit_test(the_command_has_default_signals),
		cmocka_unit_test(children_are_followed_to_their_ends),
		cmocka_unit_test(many_short_children_are_each_seen),
		cmocka_unit_test(orphans_are_released_or_waited_for),
		cmocka_unit_test(signals_of_followed_commands_are_theirs),
		cmocka_unit_test(following_needs_no_queued_signals),
		cmocka_unit_test(a_stop_stops_the_command_and_then_pfmon),
		cmocka_unit_test(programs_are_chosen_by_their_command_lines),
	};

	/* Whatever the program was started with. */
	for (int sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, SIG_DFL);
	return cmocka_run_group_tests_name("pfmon_follow", tests, NULL, NULL);
}
