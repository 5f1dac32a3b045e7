/* SPDX-License-Identifier: MIT */
/*
 * Threads that somebody else counts. Whoever attaches a session to another
 * thread has to be its tracer and to have stopped it; the same holds for reading
 * its counters while it exists. In between it runs as if nobody was there.
 */
#ifndef EXAMPLES_TRACEE_H
#define EXAMPLES_TRACEE_H

#include <stdbool.h>
#include <sys/types.h>

/* A child that is stopped before the first instruction of the command. */
pid_t start_command(char **argv);

/* A child that is stopped and will then call function(argument) and end. */
pid_t start_function(void (*function)(unsigned long), unsigned long argument);

/* Stops a running thread. Returns false if it has ended or may not be traced. */
bool stop_thread(pid_t thread);

/* Lets a stopped thread go on. */
void release_thread(pid_t thread);

/* Waits for the end of a child; returns false if it was not a good one. */
bool wait_for_child(pid_t child);

#endif /* EXAMPLES_TRACEE_H */
