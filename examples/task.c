// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts the user level instructions of another, running thread.
 *
 *	task [TID [MILLISECONDS]]
 *
 * Without TID it makes a child that computes. Whoever attaches a session to
 * another thread, or reads it, has to be its tracer and to have stopped it; in
 * between the thread runs as if nobody was there.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* "Instructions retired", user level, enabled; see self.c. */
#define INSTRUCTIONS 0x5100c0

static pid_t make_child(void)
{
	pid_t child = fork();

	if (child < 0)
		err(1, "cannot make a child");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			__asm__ volatile("");
	}
	return child;
}

/*
 * Becomes the thread's tracer and stops it; signals that arrive first are
 * delivered. Returns false if the thread has ended or cannot be traced.
 */
static bool seize(pid_t thread)
{
	int status;

	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) ||
	    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
		return false;
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

static void release(pid_t thread)
{
	ptrace(PTRACE_DETACH, thread, NULL, NULL);
}

static int create_session(void)
{
	struct pfarg_pmr pmc = { .reg_num = 0, .reg_value = INSTRUCTIONS };
	struct pfarg_pmr pmd = { .reg_num = 0, .reg_value = 0 };
	int fd = pfm_create_session(0);

	if (fd < 0)
		err(1, "cannot create a session");
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmc, 1) ||
	    pfm_write_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot set the registers");
	return fd;
}

int main(int argc, char **argv)
{
	pid_t thread = argc > 1 ? atoi(argv[1]) : make_child();
	int milliseconds = argc > 2 ? atoi(argv[2]) : 100;
	struct pfarg_pmr pmd = { .reg_num = 0 };
	int fd = create_session();

	if (!seize(thread))
		err(1, "cannot trace %d", thread);
	if (pfm_attach_session(fd, 0, thread) || pfm_start_session(fd, 0))
		err(1, "cannot count %d", thread);
	release(thread);

	poll(NULL, 0, milliseconds);

	/* If the thread has ended meanwhile its counts can be read all the same. */
	if (seize(thread)) {
		if (pfm_detach_session(fd, 0))
			err(1, "cannot detach from %d", thread);
		release(thread);
	}
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, &pmd, 1))
		err(1, "cannot read pmd0");
	printf("thread %d: %" PRIu64 " instructions\n", thread,
	       (uint64_t)pmd.reg_value);

	close(fd);
	if (argc <= 1)
		kill(thread, SIGKILL);
	return 0;
}
