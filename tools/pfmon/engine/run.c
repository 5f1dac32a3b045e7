// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running a command, see run.h.
 *
 * The child asks to be traced and stops; it is continued to the stop that
 * ptrace makes at the end of execve(), where the new program is loaded and its
 * first instruction is the next at user level. There the caller attaches its
 * session, then the child is released and runs untraced.
 *
 * Signals that a terminal sends reach the command too, so pfmon only has to
 * survive them; those that a process sends to pfmon are passed on.
 */
#include "engine/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diag.h"

#define EXEC_STOP (SIGTRAP | PTRACE_EVENT_EXEC << 8)

static const int passed_signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
#define PASSED_COUNT ((int)(sizeof(passed_signals) / sizeof(int)))

/* The command, for the signal handler; set while signals are blocked. */
static volatile pid_t signal_target;

struct signals {
	struct sigaction actions[PASSED_COUNT];
	struct sigaction child;
	sigset_t mask;
};

/* Why the child could not execute the command, sent through a pipe. */
struct exec_error {
	enum { STEP_TRACE, STEP_EXEC } step;
	int error;
};

static void pass_on(int sig, siginfo_t *info, void *context)
{
	int saved_errno = errno;

	(void)context;
	/* The terminal and the kernel have sent it to the command as well. */
	if (info->si_code <= 0 && signal_target > 0)
		kill(signal_target, sig);
	errno = saved_errno;
}

/*
 * Leaves the signals blocked. Those that are ignored stay so, for the command
 * as well: it may have been started in the background or by nohup(1).
 */
static void take_signals(struct signals *saved)
{
	struct sigaction action = { .sa_sigaction = pass_on,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction wait_default = { .sa_handler = SIG_DFL };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (int i = 0; i < PASSED_COUNT; i++)
		sigaddset(&blocked, passed_signals[i]);
	sigprocmask(SIG_BLOCK, &blocked, &saved->mask);

	signal_target = 0;
	for (int i = 0; i < PASSED_COUNT; i++) {
		sigaction(passed_signals[i], NULL, &saved->actions[i]);
		if (saved->actions[i].sa_handler != SIG_IGN)
			sigaction(passed_signals[i], &action, NULL);
	}
	/* If SIGCHLD is ignored the command's status is lost. */
	sigaction(SIGCHLD, &wait_default, &saved->child);
}

static void restore_signals(const struct signals *saved)
{
	for (int i = 0; i < PASSED_COUNT; i++)
		sigaction(passed_signals[i], &saved->actions[i], NULL);
	sigaction(SIGCHLD, &saved->child, NULL);
	sigprocmask(SIG_SETMASK, &saved->mask, NULL);
}

static void become_command(char *const argv[], const struct signals *saved,
			   int error_pipe)
{
	struct exec_error report = { .step = STEP_TRACE };

	restore_signals(saved);
	if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL)) {
		raise(SIGSTOP);
		execvp(argv[0], argv);
		report.step = STEP_EXEC;
	}
	report.error = errno;
	/* If this fails too, the parent still sees that exec did not happen. */
	if (write(error_pipe, &report, sizeof(report)) < 0)
		_exit(STATUS_FAILED);
	_exit(report.error == ENOENT ? STATUS_NOT_FOUND :
				       STATUS_NOT_EXECUTABLE);
}

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return diag("cannot wait for the command: %s",
				    strerror(errno));
	}
	return 0;
}

/* The command ended before it began. Returns pfmon's exit status. */
static int explain_no_exec(const char *command, int wait_status, int error_pipe)
{
	struct exec_error report;

	if (WIFSIGNALED(wait_status)) {
		diag("%s: killed by signal %d before it was executed", command,
		     WTERMSIG(wait_status));
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	}
	if (read(error_pipe, &report, sizeof(report)) != sizeof(report)) {
		diag("%s: ended before it was executed", command);
		return STATUS_FAILED;
	}
	if (report.step == STEP_TRACE) {
		diag("%s: cannot be traced: %s; pfmon needs ptrace(2)", command,
		     strerror(report.error));
		return STATUS_FAILED;
	}
	if (report.error == ENOENT) {
		diag("%s: not found; check its name and PATH", command);
		return STATUS_NOT_FOUND;
	}
	diag("%s: cannot be executed: %s", command, strerror(report.error));
	return STATUS_NOT_EXECUTABLE;
}

/* Lets the child run up to the exec stop; in *status how it ended instead. */
static int run_to_exec(pid_t pid, int *status)
{
	bool first = true;
	long options = PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

	for (;;) {
		long sig;

		if (wait_for(pid, status))
			return -1;
		if (!WIFSTOPPED(*status) || *status >> 8 == EXEC_STOP)
			return 0;
		sig = WSTOPSIG(*status);
		if (first && sig == SIGSTOP) {
			/* Fails only if the child was killed meanwhile. */
			ptrace(PTRACE_SETOPTIONS, pid, NULL, options);
			first = false;
			sig = 0;
		}
		ptrace(PTRACE_CONT, pid, NULL, sig);
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void kill_command(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (!wait_for(pid, &status) && WIFSTOPPED(status))
		;
}

/* The parent's part. Returns 0 or pfmon's exit status. */
static int supervise(const char *command, pid_t pid, int error_pipe,
		     int (*at_exec)(pid_t thread, void *arg), void *arg,
		     struct run_result *result)
{
	uint64_t start;

	if (run_to_exec(pid, &result->wait_status)) {
		kill_command(pid);
		return STATUS_FAILED;
	}
	if (!WIFSTOPPED(result->wait_status))
		return explain_no_exec(command, result->wait_status,
				       error_pipe);
	if (at_exec(pid, arg)) {
		kill_command(pid);
		return STATUS_FAILED;
	}
	start = now_ns();
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
	if (wait_for(pid, &result->wait_status))
		return STATUS_FAILED;
	result->elapsed_ns = now_ns() - start;
	return 0;
}

int run_command(char *const argv[], int (*at_exec)(pid_t thread, void *arg),
		void *arg, struct run_result *result)
{
	struct signals saved;
	int error_pipe[2];
	pid_t pid;
	int ret;

	if (pipe2(error_pipe, O_CLOEXEC)) {
		diag("cannot make a pipe: %s", strerror(errno));
		return STATUS_FAILED;
	}
	take_signals(&saved);
	pid = fork();
	if (!pid)
		become_command(argv, &saved, error_pipe[1]);
	close(error_pipe[1]);
	if (pid < 0) {
		diag("cannot make a process: %s", strerror(errno));
		ret = STATUS_FAILED;
	} else {
		signal_target = pid;
		sigprocmask(SIG_SETMASK, &saved.mask, NULL);
		ret = supervise(argv[0], pid, error_pipe[0], at_exec, arg,
				result);
		signal_target = 0;
	}
	restore_signals(&saved);
	close(error_pipe[0]);
	return ret;
}

int run_exit_status(int wait_status)
{
	if (WIFSIGNALED(wait_status))
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	return WEXITSTATUS(wait_status);
}
