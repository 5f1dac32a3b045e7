/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starting a command, up to the first instruction of its program: as a tracee,
 * which is stopped there, or as a process that has attached a session to itself.
 */
#ifndef PFMON_LAUNCH_H
#define PFMON_LAUNCH_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "engine/signals.h"

/* The variable that tells a command the number of its inherited session. */
#define LAUNCH_SESSION "PFMON_SESSION"

struct launch {
	char *const *argv;
	const struct signals *signals; /* taken */
	const cpu_set_t *cpus; /* where the command runs, NULL: anywhere */
	bool no_output; /* what it writes is thrown away */
	bool idle; /* launch_self() leaves it to others to start the session */
	/* A session that the command has as well, see LAUNCH_SESSION; 0: none. */
	int inherited;
	/* Called by launch_self() before the child goes on; NULL: no matter. */
	void (*forked)(pid_t pid, void *arg);
	void *arg;
};

/* What a command has used before its first instruction, when it was pfmon's. */
struct launch_used {
	uint64_t at; /* when that was, as of clocks_now() */
	uint64_t ns; /* CPU time */
	uint64_t switches, faults, major_faults;
};

/* The kernel does not know how; nothing was said, and nothing has run. */
#define LAUNCH_NOT_HERE (-1)

/*
 * Starts the command as a tracee of the caller and waits until its program is
 * in place and has not executed anything yet: it is in the exec stop then, and
 * *pid is its number. Returns 0, or after a message the status that pfmon has to
 * exit with: the command did not run and nothing of it is left.
 */
int launch_command(const struct launch *launch, pid_t *pid);

/*
 * Starts the command as a process that attaches the session, which is
 * programmed, to itself: it is counted from its first instruction on, and runs.
 * *used is what it had used shortly before. Returns 0, or
 * LAUNCH_NOT_HERE, or after a message the status that pfmon has to exit with:
 * the command did not run then and nothing of it is left.
 */
int launch_self(const struct launch *launch, int session, pid_t *pid,
		struct launch_used *used);

/* What a command that waits in its exec stop has used up to there. */
void launch_used(pid_t pid, struct launch_used *used);

/* Ends a command that must not run. */
void launch_kill(pid_t pid);

#endif /* PFMON_LAUNCH_H */
