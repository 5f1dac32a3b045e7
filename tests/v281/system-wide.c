// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts what happens on every CPU, whoever does it, with the v2.81 calls.
 *
 *	system-wide [MILLISECONDS]
 *
 * A system-wide context belongs to one CPU, so that there is one for each. This
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

struct cpu_context {
	int cpu;
	int fd;
	pfarg_pmd_t pmd;
};

static void go_to(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot go to CPU %d", cpu);
}

static void open_context(struct cpu_context *context, int cpu)
{
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_SYSTEM_WIDE };
	pfarg_load_t load = { .load_pid = (uint32_t)cpu };

	context->cpu = cpu;
	context->fd = pfm_create_context(&ctx, NULL, NULL, 0);
	if (context->fd < 0)
		err(1, "cannot create a context");
	program_events(context->fd, 0, events, 1, &context->pmd);
	if (pfm_write_pmds(context->fd, &context->pmd, 1))
		err(1, "cannot clear the counter");
	/* A kernel with v2.81 wants the thread to be there; v3.0 does not care. */
	go_to(cpu);
	if (pfm_load_context(context->fd, &load))
		err(1, "cannot attach to CPU %d", cpu);
}

/* Opens a context for each CPU that we may run on; returns their number. */
static int open_contexts(struct cpu_context *contexts)
{
	cpu_set_t cpus;
	int n = 0;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		err(1, "cannot list the CPUs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			open_context(&contexts[n++], cpu);
	return n;
}

int main(int argc, char **argv)
{
	static struct cpu_context contexts[CPU_SETSIZE];
	int n = open_contexts(contexts);
	struct cpu_context *last = &contexts[n - 1];

	for (int i = 0; i < n; i++) {
		go_to(contexts[i].cpu);
		if (pfm_start(contexts[i].fd, NULL))
			err(1, "cannot start on CPU %d", contexts[i].cpu);
	}

	if (argc > 1)
		poll(NULL, 0, atoi(argv[1]));
	else
		work(PASSES); /* we are on the last CPU still */

	for (int i = 0; i < n; i++) {
		struct cpu_context *context = &contexts[i];

		go_to(context->cpu);
		if (pfm_stop(context->fd))
			err(1, "cannot stop on CPU %d", context->cpu);
		if (pfm_read_pmds(context->fd, &context->pmd, 1))
			err(1, "cannot read the counter");
		close(context->fd);
		printf("CPU %d: %" PRIu64 " instructions\n", context->cpu,
		       context->pmd.reg_value);
	}

	if (argc <= 1 && last->pmd.reg_value < PASSES * WORK_INSTRUCTIONS)
		errx(1, "CPU %d: the loop alone has %llu", last->cpu,
		     PASSES * WORK_INSTRUCTIONS);
	return 0;
}
