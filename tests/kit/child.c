// SPDX-License-Identifier: GPL-2.0-only
/* Children to be monitored, traced and untraced. */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop.h"

int child_sleep(void *arg)
{
	(void)arg;
	for (;;)
		pause();
}

int child_spin(void *arg)
{
	(void)arg;
	for (;;)
		asm volatile(NO_OPERATIONS(500));
}

static int wait_for_stop(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, __WALL) != pid)
		return -1;
	return WIFSTOPPED(status) ? 0 : -1;
}

/* Also if it has died meanwhile. */
static void die_with_parent(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

pid_t child_start(child_fn fn, void *arg)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		die_with_parent(parent);
		_exit(fn(arg));
	}
	return pid;
}

pid_t child_start_stopped(child_fn fn, void *arg)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		die_with_parent(parent);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(fn(arg));
	}
	if (pid < 0)
		return -1;
	if (wait_for_stop(pid) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL)) {
		child_kill(pid);
		return -1;
	}
	return pid;
}

int child_continue(pid_t pid)
{
	return (int)ptrace(PTRACE_CONT, pid, NULL, NULL);
}

int child_stop(pid_t pid)
{
	return kill(pid, SIGSTOP) ? -1 : wait_for_stop(pid);
}

int child_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, __WALL) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int child_wait_zombie(pid_t pid)
{
	siginfo_t info;

	return waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
}

void child_kill(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status))
		;
}
