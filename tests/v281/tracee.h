/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that another process counts. Only a tracer that has stopped the thread
 * can attach a context to it, or read its counters while it exists. In between
 * the thread runs untraced.
 */
#ifndef TESTS_V281_TRACEE_H
#define TESTS_V281_TRACEE_H

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

#endif /* TESTS_V281_TRACEE_H */
