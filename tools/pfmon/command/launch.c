// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starting a command, see launch.h.
 *
 * The child waits at a pipe until pfmon has seized it, and then executes the
 * command; ptrace stops it at the end of execve(), where the new program is
 * loaded and its first instruction is the next at user level. If pfmon dies
 * before, the child reads the end of the pipe and goes.
 */
#include "command/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "command/launch_child.h"
#include "engine/clocks.h"

#define EXEC_STOP (SIGTRAP | PTRACE_EVENT_EXEC << 8)

static void close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

int launch_make_pipes(struct launch_pipes *pipes)
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

/* What cannot be told could not be started. */
static void hand_over(int session)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", session);
	if (setenv(LAUNCH_SESSION, number, 1) || fcntl(session, F_SETFD, 0) < 0)
		_exit(STATUS_FAILED);
}

void launch_prepare_child(const struct launch *launch)
{
	signals_restore_child(launch->signals);
	if (launch->cpus)
		sched_setaffinity(0, sizeof(*launch->cpus), launch->cpus);
	if (launch->no_output)
		drop_output();
	if (launch->inherited)
		hand_over(launch->inherited);
}

static void become_command(const struct launch *launch,
			   const struct launch_pipes *pipes)
{
	int error;
	char go;

	launch_prepare_child(launch);
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

int launch_wait(pid_t pid, int *status)
{
	while (waitpid(pid, status, __WALL) < 0) {
		if (errno != EINTR)
			return diag("cannot wait for the command: %s",
				    strerror(errno));
	}
	return 0;
}

int launch_explain_exec(const char *command, int error)
{
	if (error == ENOENT) {
		diag("%s: not found; check its name and PATH", command);
		return STATUS_NOT_FOUND;
	}
	diag("%s: cannot be executed: %s", command, strerror(error));
	return STATUS_NOT_EXECUTABLE;
}

int launch_explain_death(const char *command, int wait_status)
{
	if (WIFSIGNALED(wait_status)) {
		diag("%s: killed by signal %d before it was executed", command,
		     WTERMSIG(wait_status));
		return STATUS_SIGNAL + WTERMSIG(wait_status);
	}
	diag("%s: ended before it was executed", command);
	return STATUS_FAILED;
}

/* The command ended before it began. Returns pfmon's exit status. */
static int explain_no_exec(const char *command, int wait_status, int error_pipe)
{
	int error;

	if (WIFSIGNALED(wait_status) ||
	    read(error_pipe, &error, sizeof(error)) != sizeof(error))
		return launch_explain_death(command, wait_status);
	return launch_explain_exec(command, error);
}

/* Lets the child run up to the exec stop; in *status how it ended instead. */
static int run_to_exec(pid_t pid, int *status)
{
	for (;;) {
		long sig;

		if (launch_wait(pid, status))
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
	while (!launch_wait(pid, &status) && WIFSTOPPED(status))
		;
}

/* A number of /proc/PID/status, 0 if it has none. */
static uint64_t number_in(const char *line, const char *name)
{
	size_t length = strlen(name);

	return strncmp(line, name, length) ? 0 :
					     strtoull(line + length, NULL, 10);
}

static uint64_t switches_of(pid_t pid)
{
	char path[32], line[256];
	uint64_t sum = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sum += number_in(line, "voluntary_ctxt_switches:") +
		       number_in(line, "nonvoluntary_ctxt_switches:");
	if (file)
		fclose(file);
	return sum;
}

void launch_used(pid_t pid, struct launch_used *used)
{
	unsigned long long minor = 0, major = 0;
	char path[32], line[1024], *end;
	FILE *file;

	*used = (struct launch_used){ .at = clocks_now(),
				      .ns = clocks_process(pid),
				      .switches = switches_of(pid) };
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	/* The name of the program may have anything in it. */
	if (fgets(line, sizeof(line), file) && (end = strrchr(line, ')')) &&
	    sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu", &minor,
		   &major) == 2) {
		used->faults = minor + major;
		used->major_faults = major;
	}
	fclose(file);
}

/* The parent's part. Returns 0 or pfmon's exit status. */
static int supervise(const struct launch *launch, pid_t pid,
		     const struct launch_pipes *pipes)
{
	const char *command = launch->argv[0];
	int status;

	if (ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXEC)) {
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
	struct launch_pipes pipes;
	int ret;

	if (launch_make_pipes(&pipes))
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
