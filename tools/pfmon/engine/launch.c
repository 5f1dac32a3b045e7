// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting a command, see launch.h.
 *
 * The child waits at a pipe until pfmon has seized it, and then executes the
 * command; ptrace stops it at the end of execve(), where the new program is
 * loaded and its first instruction is the next at user level. If pfmon dies
 * before, the child reads the end of the pipe and goes.
 */
#include "engine/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"

#define EXEC_STOP (SIGTRAP | PTRACE_EVENT_EXEC << 8)

/* Pipes between pfmon and the child, each closed by execve(). */
struct pipes {
	int go[2]; /* one byte: execute the command */
	int error[2]; /* errno of a failed execve() */
};

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static int make_pipes(struct pipes *pipes)
{
	if (pipe2(pipes->go, O_CLOEXEC))
		return diag("cannot make a pipe: %s", strerror(errno));
	if (!pipe2(pipes->error, O_CLOEXEC))
		return 0;
	diag("cannot make a pipe: %s", strerror(errno));
	close_both(pipes->go);
	return -1;
}

static void drop_output(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
}

static void become_command(const struct launch *launch,
			   const struct pipes *pipes)
{
	int error;
	char go;

	signals_restore_child(launch->signals);
	if (launch->cpus)
		sched_setaffinity(0, sizeof(*launch->cpus), launch->cpus);
	if (launch->no_output)
		drop_output();
	close(pipes->go[1]);
	if (read(pipes->go[0], &go, 1) != 1)
		_exit(STATUS_FAILED);
	execvp(launch->argv[0], launch->argv);
	error = errno;
	/* If this fails too, the parent still sees that exec did not happen. */
	if (write(pipes->error[1], &error, sizeof(error)) < 0)
		_exit(STATUS_FAILED);
	_exit(error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
}

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, __WALL) < 0) {
		if (errno != EINTR)
			return diag("cannot wait for the command: %s",
				    strerror(errno));
	}
	return 0;
}

/* The command ended before it began. Returns pfmon's exit status. */
static int explain_no_exec(const char *command, int wait_status, int error_pipe)
{
	int error;

	if (WIFSIGNALED(wait_status)) {
		diag("%s: killed by signal %d before it was executed", command,
		     WTERMSIG(wait_status));
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	}
	if (read(error_pipe, &error, sizeof(error)) != sizeof(error)) {
		diag("%s: ended before it was executed", command);
		return STATUS_FAILED;
	}
	if (error == ENOENT) {
		diag("%s: not found; check its name and PATH", command);
		return STATUS_NOT_FOUND;
	}
	diag("%s: cannot be executed: %s", command, strerror(error));
	return STATUS_NOT_EXECUTABLE;
}

/* Lets the child run up to the exec stop; in *status how it ended instead. */
static int run_to_exec(pid_t pid, int *status)
{
	for (;;) {
		long sig;

		if (wait_for(pid, status))
			return -1;
		if (!WIFSTOPPED(*status) || *status >> 8 == EXEC_STOP)
			return 0;
		sig = *status >> 16 ? 0 : WSTOPSIG(*status);
		ptrace(PTRACE_CONT, pid, NULL, sig);
	}
}

void launch_kill(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (!wait_for(pid, &status) && WIFSTOPPED(status))
		;
}

/* The parent's part. Returns 0 or pfmon's exit status. */
static int supervise(const struct launch *launch, pid_t pid,
		     const struct pipes *pipes)
{
	long options = PTRACE_O_TRACEEXEC | launch->ptrace_options;
	const char *command = launch->argv[0];
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, options)) {
		diag("%s: cannot be traced: %s; pfmon needs ptrace(2)", command,
		     strerror(errno));
		launch_kill(pid);
		return STATUS_FAILED;
	}
	/* A child that has died already is found by the wait. */
	if (write(pipes->go[1], "", 1) < 0 && errno != EPIPE)
		diag("cannot write to a pipe: %s", strerror(errno));
	if (run_to_exec(pid, &status)) {
		launch_kill(pid);
		return STATUS_FAILED;
	}
	if (WIFSTOPPED(status))
		return 0;
	return explain_no_exec(command, status, pipes->error[0]);
}

int launch_command(const struct launch *launch, pid_t *pid)
{
	struct pipes pipes;
	int ret;

	if (make_pipes(&pipes))
		return STATUS_FAILED;
	*pid = fork();
	if (!*pid)
		become_command(launch, &pipes);
	close(pipes.error[1]);
	if (*pid < 0) {
		diag("cannot make a process: %s", strerror(errno));
		ret = STATUS_FAILED;
	} else {
		ret = supervise(launch, *pid, &pipes);
	}
	close(pipes.error[0]);
	close_both(pipes.go);
	return ret;
}
