/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that is tied to a processor and executes loops there on demand, for
 * tests that watch that processor from another one.
 */
#ifndef PFM_TEST_WORKER_H
#define PFM_TEST_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct worker {
	pthread_t thread;
	int cpu;
	int orders[2]; /* lengths of loops */
	int reports[2]; /* a byte for each that is done */
	pid_t tid;
};

/* Starts a worker, which sleeps. Returns 0 or -1. */
int worker_start(struct worker *worker, int cpu);

/* Lets it execute a counted_loop(), and does not wait for the end. */
int worker_order(struct worker *worker, unsigned long instructions);

/* Waits for the end of a loop. */
int worker_wait(struct worker *worker);

/* Both. */
int worker_run(struct worker *worker, unsigned long instructions);

void worker_stop(struct worker *worker);

/*
 * User instructions that a processor has executed so far, as the test machine
 * counts them; read through @msr when the processor has nothing left to do.
 */
uint64_t idle_cpu_user_instructions(int msr);

#endif
