// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts a thread that is running already, for a while, with the v2.81 calls.
 *
 *	attach [TID [MILLISECONDS]]
 *
 * Without TID it counts a child that counts its own passes through a loop.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "program.h"
#include "tracee.h"
#include "work.h"

/* What interrupts may add on real processors. */
#define TOLERANCE 100

static const char *const events[] = { "instructions" };

/* Shared with the child. */
static unsigned long *passes;

/* How often the child, which is stopped, has been through its loop. */
static uint64_t passes_so_far(void)
{
	return passes ? *(volatile unsigned long *)passes : 0;
}

static pid_t start_child(void)
{
	pid_t child;

	passes = mmap(NULL, sizeof(*passes), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (passes == MAP_FAILED)
		err(1, "no memory");
	child = fork();
	if (child < 0)
		err(1, "cannot make a child");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		work_forever(passes);
	}
	/* It is to be in its loop. */
	while (!passes_so_far())
		sched_yield();
	return child;
}

int main(int argc, char **argv)
{
	pid_t thread = argc > 1 ? atoi(argv[1]) : start_child();
	int milliseconds = argc > 2 ? atoi(argv[2]) : 100;
	uint64_t begin, end = 0, expected;
	pfarg_pmd_t pmd;
	pfarg_ctx_t ctx = { 0 };
	pfarg_load_t load = { .load_pid = (uint32_t)thread };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	if (fd < 0)
		err(1, "cannot create a context");
	program_events(fd, 0, events, 1, &pmd);
	if (pfm_write_pmds(fd, &pmd, 1))
		err(1, "cannot clear the counter");

	if (!stop_thread(thread))
		err(1, "cannot trace %d", thread);
	begin = passes_so_far();
	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		err(1, "cannot count %d", thread);
	release_thread(thread);

	poll(NULL, 0, milliseconds);

	/* If the thread has ended meanwhile its counts can be read all the same. */
	if (stop_thread(thread)) {
		end = passes_so_far();
		if (pfm_unload_context(fd))
			err(1, "cannot detach from %d", thread);
		release_thread(thread);
	}
	if (pfm_read_pmds(fd, &pmd, 1))
		err(1, "cannot read the counter");
	close(fd);
	printf("thread %d: %" PRIu64 " instructions\n", thread, pmd.reg_value);
	if (argc > 1)
		return 0;

	kill(thread, SIGKILL);
	expected = (end - begin) * WORK_INSTRUCTIONS;
	printf("its loop has gone through %" PRIu64 "\n", expected);
	if (!expected || llabs((int64_t)(pmd.reg_value - expected)) > TOLERANCE)
		errx(1, "that cannot be");
	return 0;
}
