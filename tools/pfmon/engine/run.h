/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a command so that it can be counted from its first instruction. */
#ifndef PFMON_RUN_H
#define PFMON_RUN_H

#include <stdint.h>
#include <sys/types.h>

struct run_result {
	int wait_status; /* as of waitpid(2) */
	uint64_t elapsed_ns; /* from the first instruction to the end */
};

/*
 * Runs the command and waits for its end. at_exec(thread, arg) is called when
 * the new program is in place and has not executed anything yet; the thread is
 * in a ptrace stop of the caller then. If at_exec returns non-zero the command
 * is killed.
 *
 * Returns 0, or after a message the status that pfmon has to exit with: the
 * command did not run.
 */
int run_command(char *const argv[], int (*at_exec)(pid_t thread, void *arg),
		void *arg, struct run_result *result);

/* The exit status of pfmon for the end of the command. */
int run_exit_status(int wait_status);

#endif /* PFMON_RUN_H */
