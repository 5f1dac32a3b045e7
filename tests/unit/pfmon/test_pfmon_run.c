// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running commands: where the session is attached, what happens to signals,
 * and which status pfmon exits with. The commands are real processes.
 */
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "message.h"
#include "engine/run.h"
#include "scratch_dir.h"

/* What the callback at the exec stop saw. */
struct seen {
	int calls;
	char state; /* of the process, as in /proc/PID/stat */
	char program[256];
	bool file_exists; /* the file that the command makes */
	const char *file;
	int ret;
};

static int look(pid_t thread, void *arg)
{
	struct seen *seen = arg;
	char path[64];
	ssize_t len;
	FILE *stat_file;

	seen->calls++;
	snprintf(path, sizeof(path), "/proc/%d/stat", thread);
	stat_file = fopen(path, "r");
	assert_non_null(stat_file);
	assert_int_equal(fscanf(stat_file, "%*d (%*[^)]) %c", &seen->state), 1);
	fclose(stat_file);
	snprintf(path, sizeof(path), "/proc/%d/exe", thread);
	len = readlink(path, seen->program, sizeof(seen->program) - 1);
	seen->program[len > 0 ? len : 0] = '\0';
	seen->file_exists = seen->file && !access(seen->file, F_OK);
	return seen->ret;
}

static int run(char *const argv[], struct seen *seen, struct run_result *result)
{
	return run_command(argv, look, seen, result);
}

#define ARGV(...) ((char *const[]){ __VA_ARGS__, NULL })
#define W(text) ((char *)(text))

static void run_shell(const char *script, int wanted_status)
{
	struct seen seen = { 0 };
	struct run_result result;

	assert_int_equal(run(ARGV(W("sh"), W("-c"), W(script)), &seen, &result),
			 0);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(run_exit_status(result.wait_status), wanted_status);
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
	assert_int_equal(seen.calls, 1);
	assert_int_equal(seen.state, 't');
	assert_string_equal(seen.program, real);
	assert_false(seen.file_exists);
	assert_int_equal(access(file, F_OK), 0);
	assert_int_equal(run_exit_status(result.wait_status), 0);
	assert_true(result.elapsed_ns > 0);
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
	assert_int_equal(seen.calls, 0);
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
	assert_int_equal(run_exit_status(result.wait_status), 9);
	scratch_remove(dir);
}

static void a_failed_attach_leaves_nothing_behind(void **state)
{
	char *dir = scratch_make();
	char file[256];
	struct seen seen = { .file = file, .ret = -1 };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_is_loaded_and_has_not_run),
		cmocka_unit_test(the_status_is_that_of_the_command),
		cmocka_unit_test(commands_that_cannot_run_are_told_apart),
		cmocka_unit_test(scripts_without_interpreter_line_run),
		cmocka_unit_test(a_failed_attach_leaves_nothing_behind),
		cmocka_unit_test(signals_to_pfmon_are_passed_on),
		cmocka_unit_test(ignored_signals_stay_ignored),
		cmocka_unit_test(the_status_survives_an_ignored_sigchld),
		cmocka_unit_test(signals_are_as_before_afterwards),
		cmocka_unit_test(the_command_has_default_signals),
	};

	/* Whatever the program was started with. */
	for (int sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, SIG_DFL);
	return cmocka_run_group_tests_name("pfmon_run", tests, NULL, NULL);
}
