// SPDX-License-Identifier: GPL-2.0-only
/* Threads that somebody else counts, see tracee.h. */
#include "tracee.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t start_child(void)
{
	pid_t child = fork();

	if (child < 0)
		err(1, "cannot make a child");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	}
	return child;
}

static void wait_for_stop(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
		errx(1, "the child has ended");
}

pid_t start_command(char **argv)
{
	pid_t child = start_child();

	if (!child) {
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	wait_for_stop(child);
	return child;
}

pid_t start_function(void (*function)(unsigned long), unsigned long argument)
{
	pid_t child = start_child();

	if (!child) {
		raise(SIGSTOP);
		function(argument);
		_exit(0);
	}
	wait_for_stop(child);
	return child;
}

bool stop_thread(pid_t thread)
{
	int status;

	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) ||
	    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
		return false;
	/* Signals that arrive first are delivered. */
	for (;;) {
		if (waitpid(thread, &status, __WALL) < 0)
			err(1, "cannot wait for %d", thread);
		if (!WIFSTOPPED(status))
			return false;
		if (status >> 16 == PTRACE_EVENT_STOP)
			return true;
		ptrace(PTRACE_CONT, thread, NULL, (long)WSTOPSIG(status));
	}
}

void release_thread(pid_t thread)
{
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
}

bool wait_for_child(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}
