// SPDX-License-Identifier: MIT
/*
 * Counts what happens on every CPU, whoever does it.
 *
 *	system-wide [MILLISECONDS]
 *
 * A system-wide session belongs to one CPU, so that there is one for each. This
 * needs CAP_PERFMON. Without an argument it works itself meanwhile, on the last
 * CPU, which has to have counted that.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "program.h"
#include "work.h"

#define PASSES 20000000

static const char *const events[] = { "instructions" };

struct cpu_session {
	int cpu;
	int fd;
	pfarg_pmr_t pmd;
};

static void open_session(struct cpu_session *session, int cpu)
{
	session->cpu = cpu;
	session->fd = pfm_create_session(PFM_FL_SYSTEM_WIDE | PFM_FL_CLOEXEC);
	if (session->fd < 0)
		err(1, "cannot create a session");
	program_events(session->fd, 0, events, 1, &session->pmd);
	if (pfm_write_pmrs(session->fd, PFM_RWFL_PMD, &session->pmd, 1))
		err(1, "cannot clear the counter");
	/* The target is the number of a CPU; it does not have to be ours. */
	if (pfm_attach_session(session->fd, 0, cpu))
		err(1, "cannot attach to CPU %d", cpu);
}

/* Opens a session for each CPU that we may run on; returns their number. */
static int open_sessions(struct cpu_session *sessions)
{
	cpu_set_t cpus;
	int n = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot list the CPUs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			open_session(&sessions[n++], cpu);
	return n;
}

static void work_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot go to CPU %d", cpu);
	work(PASSES);
}

int main(int argc, char **argv)
{
	static struct cpu_session sessions[CPU_SETSIZE];
	int n = open_sessions(sessions);
	struct cpu_session *last = &sessions[n - 1];

	for (int i = 0; i < n; i++)
		if (pfm_start_session(sessions[i].fd, 0))
			err(1, "cannot start on CPU %d", sessions[i].cpu);

	if (argc > 1)
		poll(NULL, 0, atoi(argv[1]));
	else
		work_on(last->cpu);

	for (int i = 0; i < n; i++) {
		struct cpu_session *session = &sessions[i];

		if (pfm_stop_session(session->fd, 0))
			err(1, "cannot stop on CPU %d", session->cpu);
		if (pfm_read_pmrs(session->fd, PFM_RWFL_PMD, &session->pmd, 1))
			err(1, "cannot read the counter");
		close(session->fd);
		printf("CPU %d: %" PRIu64 " instructions\n", session->cpu,
		       session->pmd.reg_value);
	}

	if (argc <= 1 && last->pmd.reg_value < PASSES * WORK_INSTRUCTIONS)
		errx(1, "CPU %d: the loop alone has %llu", last->cpu,
		     PASSES * WORK_INSTRUCTIONS);
	return 0;
}
