// SPDX-License-Identifier: GPL-2.0-only
/* Loops on another processor. */
#include "worker.h"

#include <time.h>
#include <unistd.h>

#include "loop.h"
#include "machine.h"
#include "msr.h"

static void *work(void *arg)
{
	struct worker *worker = arg;
	unsigned long instructions;
	char done = 0;

	worker->tid = gettid();
	if (pin_to_cpu(worker->cpu))
		return NULL;
	while (write(worker->reports[1], &done, 1) == 1 &&
	       read(worker->orders[0], &instructions, sizeof(instructions)) >
		       0 &&
	       instructions)
		counted_loop(instructions);
	return NULL;
}

int worker_start(struct worker *worker, int cpu)
{
	worker->cpu = cpu;
	if (pipe(worker->orders) || pipe(worker->reports) ||
	    pthread_create(&worker->thread, NULL, work, worker))
		return -1;
	return worker_wait(worker);
}

int worker_order(struct worker *worker, unsigned long instructions)
{
	return write(worker->orders[1], &instructions, sizeof(instructions)) ==
			       sizeof(instructions) ?
		       0 :
		       -1;
}

int worker_wait(struct worker *worker)
{
	char done;

	return read(worker->reports[0], &done, 1) == 1 ? 0 : -1;
}

int worker_run(struct worker *worker, unsigned long instructions)
{
	return worker_order(worker, instructions) || worker_wait(worker);
}

void worker_stop(struct worker *worker)
{
	worker_order(worker, 0);
	pthread_join(worker->thread, NULL);
	close(worker->orders[0]);
	close(worker->orders[1]);
	close(worker->reports[0]);
	close(worker->reports[1]);
}

uint64_t idle_cpu_user_instructions(int msr)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	uint64_t before, now = msr_stat(msr, PMU_STAT_USER_INSNS);

	do {
		before = now;
		nanosleep(&pause, NULL);
		now = msr_stat(msr, PMU_STAT_USER_INSNS);
	} while (now != before);
	return now;
}
