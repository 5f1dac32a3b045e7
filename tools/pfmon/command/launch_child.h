/* SPDX-License-Identifier: GPL-2.0-only */
/* What both ways to start a command share: launch.c and launch_self.c. */
#ifndef PFMON_LAUNCH_CHILD_H
#define PFMON_LAUNCH_CHILD_H

#include "command/launch.h"

/* Pipes between pfmon and the child, each closed by execve(). */
struct launch_pipes {
	int go[2]; /* one byte: execute the command */
	int error[2]; /* what the child has to tell */
};

/* -1 after a message. */
int launch_make_pipes(struct launch_pipes *pipes);

/* In the child: all that is to be as the command wants it. */
void launch_prepare_child(const struct launch *launch);

/* -1 after a message. */
int launch_wait(pid_t pid, int *status);

/* The command could not be executed. Returns pfmon's exit status. */
int launch_explain_exec(const char *command, int error);

/* It ended without a word before that. Returns pfmon's exit status. */
int launch_explain_death(const char *command, int wait_status);

#endif /* PFMON_LAUNCH_CHILD_H */
