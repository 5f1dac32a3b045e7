// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where counting of a command begins, see start.h.
 *
 * The breakpoint is one of the thread's debug registers, not an instruction in the
 * program: children and other threads run past it, and nobody has to put back what
 * was there.
 */
#include "command/start.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "command/launch.h"
#include "command/start_address.h"
#include "diag.h"

/* Of the control register: the first breakpoint, at an instruction. */
#define FIRST_ENABLED 1L

static int write_register(pid_t pid, size_t number, long value)
{
	size_t offset =
		offsetof(struct user, u_debugreg) + number * sizeof(long);

	return ptrace(PTRACE_POKEUSER, pid, (void *)offset, (void *)value) ?
		       -1 :
		       0;
}

/* Of the program that the process has now. 0, or -1 after a message. */
static int set_breakpoint(pid_t pid, const char *where)
{
	uint64_t address;

	if (start_address(pid, where, &address))
		return -1;
	if (write_register(pid, 0, (long)address) ||
	    write_register(pid, 7, FIRST_ENABLED))
		return diag("--start=%s: cannot set a breakpoint: %s", where,
			    strerror(errno));
	return 0;
}

static bool is_breakpoint(pid_t pid, int status)
{
	siginfo_t info;

	return status >> 8 == SIGTRAP &&
	       !ptrace(PTRACE_GETSIGINFO, pid, NULL, &info) &&
	       info.si_code == TRAP_HWBKPT;
}

/* Stopped by a signal it stays so until it is continued; others it gets. */
static void go_on(pid_t pid, int status)
{
	int event = status >> 16, sig = WSTOPSIG(status);

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP)
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, pid, NULL, event ? 0L : (long)sig);
}

/* The next report of the command; meanwhile it gets the signals of pfmon. */
static int next_report(pid_t pid, const struct signals *signals, int *status)
{
	for (;;) {
		pid_t found = waitpid(pid, status, WNOHANG | __WALL);
		siginfo_t info;
		int sig;

		if (found)
			return found == pid ? 0 : -1;
		sig = signals_wait(signals, 0, &info);
		if (sig && signals_are_passed(sig, &info))
			kill(pid, sig);
	}
}

static int explain_end(const char *command, const char *where, int status)
{
	diag("--start=%s: %s ended before it came there", where, command);
	return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) :
				     STATUS_FAILED;
}

int start_reach(pid_t pid, const char *command, const char *where,
		const struct signals *signals)
{
	int status = 0;

	if (set_breakpoint(pid, where)) {
		launch_kill(pid);
		return STATUS_FAILED;
	}
	ptrace(PTRACE_CONT, pid, NULL, 0L);
	for (;;) {
		if (next_report(pid, signals, &status)) {
			diag("cannot wait for the command: %s",
			     strerror(errno));
			return STATUS_FAILED;
		}
		if (!WIFSTOPPED(status))
			return explain_end(command, where, status);
		if (is_breakpoint(pid, status))
			break;
		/* The registers went with the program. */
		if (status >> 16 == PTRACE_EVENT_EXEC &&
		    set_breakpoint(pid, where)) {
			launch_kill(pid);
			return STATUS_FAILED;
		}
		go_on(pid, status);
	}
	write_register(pid, 7, 0);
	write_register(pid, 0, 0);
	return 0;
}
