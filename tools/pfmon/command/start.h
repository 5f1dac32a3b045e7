/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where counting of a command begins, if not at its first instruction: where the
 * loader enters its program, or a function.
 */
#ifndef PFMON_START_H
#define PFMON_START_H

#include <sys/types.h>

#include "engine/signals.h"

/* Entering the program; other words are functions. */
#define START_ENTRY "entry"

/*
 * Lets a command that launch_command() has started run until its first thread is about
 * to execute the first instruction of where, START_ENTRY or the name of a function
 * of its program, as in its symbols or as in its source; it is in a stop then. Nothing
 * in its memory changes: a register for breakpoints finds the place. Programs that it
 * executes on the way are looked at anew, signals are passed on. Returns 0, or after a
 * message the status that pfmon has to exit with: nothing of the command is left.
 */
int start_reach(pid_t pid, const char *command, const char *where,
		const struct signals *signals);

#endif /* PFMON_START_H */
