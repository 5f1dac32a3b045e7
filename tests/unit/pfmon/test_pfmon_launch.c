// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that attach their session themselves, and threads that are counted
 * while they run: what is done in which order, and what is said if it fails. The
 * commands are real processes; the kernel's part is the fakes below.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <perfmon/perfmon.h>

#include "engine/clocks.h"
#include "command/launch.h"
#include "engine/measure.h"
#include "engine/waiting.h"
#include "message.h"
#include "scratch_dir.h"

#define SESSION 42

/* Shared with the children, which make the calls. */
static struct calls {
	int attach_error, start_error;
	int session, flags;
	pid_t attached;
	bool forked_before; /* the parent was told before that */
	bool forked;
} * calls;

int pfm_attach_session(int fd, int flags, int target)
{
	(void)flags;
	calls->session = fd;
	calls->attached = target;
	calls->forked_before = calls->forked;
	errno = calls->attach_error;
	return errno ? -1 : 0;
}

int pfm_start_session(int fd, int flags)
{
	(void)fd;
	calls->flags = flags;
	errno = calls->start_error;
	return errno ? -1 : 0;
}

static void note_fork(pid_t pid, void *arg)
{
	(void)pid;
	(void)arg;
	calls->forked = true;
}

static int ended, taken;

static void begin(struct task *task, void *arg)
{
	task->session = 1;
	task->error = *(int *)arg;
	if (task->error)
		task->session = -1;
}

static void end(struct task *task, void *arg)
{
	(void)task;
	(void)arg;
	ended++;
}

/* As the kernel's message: there is a zombie. */
static bool has_ended(const struct task *task, void *arg)
{
	siginfo_t info = { .si_pid = 0 };

	(void)arg;
	taken++;
	return !waitid(P_PID, (id_t)task->tid, &info,
		       WEXITED | WNOHANG | WNOWAIT) &&
	       info.si_pid == task->tid;
}

static bool refuse_stop;

static bool stop(struct task *task, void *arg)
{
	(void)task;
	(void)arg;
	return !refuse_stop;
}

static const struct follow_ops ops = { .begin = begin,
				       .end = end,
				       .has_ended = has_ended,
				       .stop = stop };
static const struct follow_rules nobody;

static bool heirs;

/* As the kernel's message, which comes after the last of them. */
static bool no_heirs(const struct task *task, void *arg)
{
	(void)task;
	(void)arg;
	return !heirs;
}

static const struct follow_ops heir_ops = { .begin = begin,
					    .end = end,
					    .has_ended = no_heirs };

static int prepare(void **state)
{
	(void)state;
	memset(calls, 0, sizeof(*calls));
	ended = taken = 0;
	return 0;
}

/* Descriptor of a session that the command gets, 0: none. */
static int inherited;

#define ARGV(...) ((char *const[]){ __VA_ARGS__, NULL })
#define W(text) ((char *)(text))

/* Returns what launch_self() does; *status is that of the command. */
static int run(char *const argv[], int *status)
{
	struct signals signals;
	struct follow follow = { .rules = &nobody, .ops = &ops };
	struct waiting waiting = { .follow = &follow, .signals = &signals };
	const struct launch launch = { .argv = argv,
				       .signals = &signals,
				       .inherited = inherited,
				       .forked = note_fork };
	struct launch_used used = { 0 };
	struct task *task;
	pid_t pid;
	int ret;

	signals_take(&signals);
	ret = launch_self(&launch, SESSION, &pid, &used);
	if (!ret) {
		assert_true(used.ns > 0);
		assert_true(used.faults > 0);
		assert_int_equal(calls->attached, pid);
		task = follow_launched(&follow, pid);
		assert_non_null(task);
		task->session = SESSION;
		assert_int_equal(waiting_run(&waiting), WAITING_DONE);
		*status = follow.wait_status;
	} else {
		/* Nothing is left to wait for. */
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
	tasks_free(&follow.tasks);
	signals_restore(&signals);
	return ret;
}

static void the_command_attaches_itself(void **state)
{
	int status;

	(void)state;
	assert_int_equal(run(ARGV(W("sh"), W("-c"), W("exit 7")), &status), 0);
	assert_int_equal(measure_exit_status(status), 7);
	assert_int_equal(calls->session, SESSION);
	assert_int_equal(calls->flags, PFM_STFL_AT_EXEC);
	assert_true(calls->forked_before);
	assert_int_equal(ended, 1);
	assert_int_equal(
		run(ARGV(W("sh"), W("-c"), W("kill -TERM $$")), &status), 0);
	assert_int_equal(measure_exit_status(status), 128 + SIGTERM);
}

static void nobody_traces_it(void **state)
{
	int status;

	(void)state;
	assert_int_equal(run(ARGV(W("grep"), W("-q"), W("^TracerPid:.0$"),
				  W("/proc/self/status")),
			     &status),
			 0);
	assert_int_equal(measure_exit_status(status), 0);
}

static void a_session_can_be_handed_over(void **state)
{
	/* Without a number the path is the directory of all, which exists. */
	static char both[] = "[ \"$(readlink /proc/$$/fd/\"$PFMON_SESSION\")\""
			     " = /dev/null ]",
		    none[] = "[ -z \"$PFMON_SESSION\" ]";
	int status;

	(void)state;
	inherited = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(inherited > 0);
	assert_int_equal(run(ARGV(W("sh"), W("-c"), both), &status), 0);
	assert_int_equal(measure_exit_status(status), 0);
	close(inherited);
	inherited = 0;
	assert_int_equal(run(ARGV(W("sh"), W("-c"), none), &status), 0);
	assert_int_equal(measure_exit_status(status), 0);
}

static void expect_no_run(char *const argv[], int wanted, const char *said)
{
	int status;

	message_catch();
	assert_int_equal(run(argv, &status), wanted);
	message_expect(said, NULL);
}

static void commands_that_cannot_run_are_told_apart(void **state)
{
	(void)state;
	expect_no_run(ARGV(W("no-such-command-here")), 127, "not found");
	expect_no_run(ARGV(W("/")), 126, "Permission denied");
}

static void what_the_session_refuses_is_told(void **state)
{
	char *dir = scratch_make();
	char file[256];

	(void)state;
	snprintf(file, sizeof(file), "%s/made", dir);
	calls->attach_error = EBUSY;
	expect_no_run(ARGV(W("touch"), file), 125, "system-wide session");
	calls->attach_error = EEXIST;
	expect_no_run(ARGV(W("touch"), file), 125, "counts it already");
	calls->attach_error = ENOMEM;
	expect_no_run(ARGV(W("touch"), file), 125, "raise ulimit -l");
	calls->attach_error = 0;
	calls->start_error = EPERM;
	expect_no_run(ARGV(W("touch"), file), 125, "cannot start counting");
	assert_int_equal(access(file, F_OK), -1);
	scratch_remove(dir);
}

/* pfmon traces then; whether it may, only the request knows. */
static void an_older_kernel_is_no_error(void **state)
{
	int status;

	(void)state;
	calls->start_error = EINVAL;
	message_catch();
	assert_int_equal(run(ARGV(W("true")), &status), LAUNCH_NOT_HERE);
	message_expect_none();
}

/* The command, which is counted, exits with 3. */
static void end_command(struct follow *follow)
{
	const struct rusage usage = { .ru_nvcsw = 5 };
	struct task *task = follow_launched(follow, getpid());

	assert_non_null(task);
	task->session = SESSION;
	follow_event(follow, getpid(), 3 << 8, &usage);
	assert_true(follow->command_ended);
	assert_int_equal(follow->wait_status, 3 << 8);
	assert_int_equal(follow->usage.ru_nvcsw, 5);
}

static void who_inherits_the_session_is_waited_for(void **state)
{
	struct follow follow = { .rules = &nobody,
				 .ops = &heir_ops,
				 .awaits_heirs = true };

	(void)state;
	heirs = true;
	end_command(&follow);
	assert_int_equal(ended, 0);
	assert_int_equal(follow_watched(&follow), 1);
	follow_look(&follow);
	assert_int_equal(ended, 0);
	heirs = false;
	follow_look(&follow);
	assert_int_equal(ended, 1);
	assert_int_equal(follow_watched(&follow), 0);
	/* There is none. */
	end_command(&follow);
	assert_int_equal(ended, 2);
	tasks_free(&follow.tasks);
}

static void nobody_waits_for_heirs_unasked(void **state)
{
	struct follow follow = { .rules = &nobody, .ops = &heir_ops };

	(void)state;
	heirs = true;
	end_command(&follow);
	assert_int_equal(ended, 1);
	assert_int_equal(follow.tasks.count, 0);
	tasks_free(&follow.tasks);
}

static pid_t spawn(void)
{
	pid_t pid = fork();

	if (!pid) {
		execlp("sleep", "sleep", "0.2", NULL);
		_exit(1);
	}
	return pid;
}

/* By its session: it is no child of pfmon's, nor traced. */
static void the_end_of_a_watched_thread_is_seen(void **state)
{
	int error = 0, status;
	struct signals signals;
	struct follow follow = {
		.rules = &nobody, .ops = &ops, .arg = &error, .remote = true
	};
	struct waiting waiting = { .follow = &follow, .signals = &signals };
	pid_t pid;

	(void)state;
	signals_take(&signals);
	pid = spawn();
	assert_int_equal(follow_watch(&follow, pid), 0);
	assert_int_equal(follow_watched(&follow), 1);
	assert_int_equal(follow_traced(&follow), 0);
	waiting.deadline = clocks_now() + NS_PER_MS;
	assert_int_equal(waiting_run(&waiting), WAITING_TIMEOUT);
	assert_int_equal(ended, 0);
	/* What becomes ready here is the signal of the child. */
	while (!has_ended(&follow.tasks.list[0], NULL))
		usleep(1000);
	follow_look(&follow);
	assert_int_equal(ended, 1);
	assert_int_equal(follow_watched(&follow), 0);
	assert_int_equal(waiting_run(&waiting), WAITING_DONE);
	waitpid(pid, &status, 0);
	tasks_free(&follow.tasks);
	signals_restore(&signals);
}

static void watched_threads_are_released_where_they_are(void **state)
{
	int error = 0;
	struct follow follow = {
		.rules = &nobody, .ops = &ops, .arg = &error, .remote = true
	};
	pid_t pid = spawn();

	(void)state;
	assert_int_equal(follow_watch(&follow, pid), 0);
	follow_release(&follow);
	assert_int_equal(ended, 1);
	assert_int_equal(follow.tasks.count, 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	tasks_free(&follow.tasks);
}

/* A kernel may leave to ptrace what it does not do itself for this user. */
static void who_cannot_be_stopped_is_traced_for_it(void **state)
{
	int error = 0;
	struct signals signals;
	struct follow follow = {
		.rules = &nobody, .ops = &ops, .arg = &error, .remote = true
	};
	struct waiting waiting = { .follow = &follow, .signals = &signals };
	pid_t pid;

	(void)state;
	signals_take(&signals);
	pid = spawn();
	refuse_stop = true;
	assert_int_equal(follow_watch(&follow, pid), 0);
	follow_release(&follow);
	assert_int_equal(ended, 0);
	assert_int_equal(follow_traced(&follow), 1);
	waiting_for_release(&waiting);
	assert_int_equal(ended, 1);
	assert_int_equal(follow.tasks.count, 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	refuse_stop = false;
	tasks_free(&follow.tasks);
	signals_restore(&signals);
}

static void a_thread_that_cannot_be_watched_is_not_kept(void **state)
{
	int error = EPERM;
	struct follow follow = {
		.rules = &nobody, .ops = &ops, .arg = &error, .remote = true
	};

	(void)state;
	assert_int_equal(follow_watch(&follow, getpid()), EPERM);
	assert_int_equal(follow.tasks.count, 0);
	tasks_free(&follow.tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(who_inherits_the_session_is_waited_for,
				       prepare),
		cmocka_unit_test_setup(nobody_waits_for_heirs_unasked, prepare),
		cmocka_unit_test_setup(the_command_attaches_itself, prepare),
		cmocka_unit_test_setup(nobody_traces_it, prepare),
		cmocka_unit_test_setup(a_session_can_be_handed_over, prepare),
		cmocka_unit_test_setup(commands_that_cannot_run_are_told_apart,
				       prepare),
		cmocka_unit_test_setup(what_the_session_refuses_is_told,
				       prepare),
		cmocka_unit_test_setup(an_older_kernel_is_no_error, prepare),
		cmocka_unit_test_setup(the_end_of_a_watched_thread_is_seen,
				       prepare),
		cmocka_unit_test_setup(
			watched_threads_are_released_where_they_are, prepare),
		cmocka_unit_test_setup(who_cannot_be_stopped_is_traced_for_it,
				       prepare),
		cmocka_unit_test_setup(
			a_thread_that_cannot_be_watched_is_not_kept, prepare),
	};

	calls = mmap(NULL, sizeof(*calls), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return calls == MAP_FAILED ?
		       1 :
		       cmocka_run_group_tests_name("pfmon_launch", tests, NULL,
						   NULL);
}
