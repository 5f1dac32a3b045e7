/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting a command, up to the first instruction of its program. */
#ifndef PFMON_LAUNCH_H
#define PFMON_LAUNCH_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

#include "engine/signals.h"

struct launch {
	char *const *argv;
	const struct signals *signals; /* taken */
	const cpu_set_t *cpus; /* where the command runs, NULL: anywhere */
	bool no_output; /* what it writes is thrown away */
	long ptrace_options; /* of the tracee, besides those of the launch */
};

/*
 * Starts the command as a tracee of the caller and waits until its program is
 * in place and has not executed anything yet: it is in the exec stop then, and
 * *pid is its number. Returns 0, or after a message the status that pfmon has to
 * exit with: the command did not run and nothing of it is left.
 */
int launch_command(const struct launch *launch, pid_t *pid);

/* Ends a command that must not run. */
void launch_kill(pid_t pid);

#endif /* PFMON_LAUNCH_H */
