/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that measure themselves at the same time. They share the memory of
 * their results, and end with the process that made them.
 */
#ifndef PFMON_SELFTEST_CREW_H
#define PFMON_SELFTEST_CREW_H

#include <stdbool.h>
#include <sys/types.h>

#include "judge.h"

#define CREW_MAX 16

/* The results of a member. */
struct member {
	pid_t pid;
	bool done;
	int error; /* errno of what failed, 0: nothing */
	const char *counter; /* the one it used, NULL: none */
	struct runs runs;
	struct sampled sampled; /* period 0: it did not sample */
};

struct crew {
	volatile int ready, go;
	int size;
	struct member members[CREW_MAX];
};

/* Memory that later members share; NULL if there is none. */
struct crew *crew_new(void);
void crew_free(struct crew *crew);

/*
 * Starts a member, which calls work(member, arg) when crew_run() says so, and
 * ends with that. Returns 0, or -1 if there can be no more.
 */
int crew_add(struct crew *crew, void (*work)(struct member *member, void *arg),
	     void *arg);

/* Starts all members and waits for their ends. */
void crew_run(struct crew *crew);

#endif /* PFMON_SELFTEST_CREW_H */
