/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that do anything that can be done with sessions, at random and for
 * ever: for tests that look at what becomes of the kernel meanwhile.
 */
#ifndef PFM_TEST_CHURN_H
#define PFM_TEST_CHURN_H

#include <stdint.h>
#include <sys/types.h>

/* Descriptors that the threads of a process share. */
#define CHURN_SLOTS 6

#define CHURN_PEERS 3

struct churn {
	uint64_t seed;
	const volatile pid_t *peers; /* CHURN_PEERS processes to take some of */
	int slots[CHURN_SLOTS]; /* -1: empty */
};

/*
 * Runs @threads threads until the process is killed. Ends it with status 1 and
 * a line on standard output if a call fails in a way that it never should.
 */
void churn_forever(struct churn *churn, unsigned int threads)
	__attribute__((noreturn));

/* What the programs do that are executed on the way: main() calls it. */
#define CHURN_EXEC "churn-exec"
int churn_exec(void);

#endif
