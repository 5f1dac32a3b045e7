/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of a session: programming and reading those of all its sets.
 *
 * turn says which set begins, so that many short threads do not all count the
 * same one; it has to be the same for all calls of a session. Each function
 * returns 0, unless its comment says otherwise, or -1 after a message.
 */
#ifndef PFMON_TURNS_H
#define PFMON_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "registers/sets.h"

/* What a session has counted. */
struct turns_counts {
	/* For each set; so many of them are in use, and the others are 0: */
	int sets;
	uint64_t reference[SETS_MAX];
	uint64_t active_ns[SETS_MAX];
	uint64_t runs[SETS_MAX]; /* turns that it had */
	/* CPU time in ns: */
	uint64_t counted_ns;
	uint64_t blind_ns; /* masked while the target ran on */
	uint64_t throttled_ns; /* stopped for interrupting too much */
	uint64_t missed; /* samples that are not there */
	uint64_t unknown; /* of these: records of several events at once, or late ones */
	/* On CPUs of each kind of core, if an event is for one kind only. */
	uint64_t kind_ns[2];
	unsigned int left; /* programs with more rights, which ended it */
	/* Of a session that is inherited: */
	unsigned int parts; /* threads and children that were counted, too */
	unsigned int lost; /* and that were not */
	unsigned int departed; /* by their rights, or to sessions of their own */
	/* Of the events, in their order; so many of them are set. */
	int events;
	uint64_t counts[EVENTS_MAX];
};

/* Writes the control registers and sets the counters to 0. */
int turns_program(int fd, const struct event_sets *sets, unsigned int turn,
		  const struct event_list *events);

/* The same; -1 with errno and without a message. */
int turns_write(int fd, const struct event_sets *sets, unsigned int turn);

/*
 * Makes a new session that of one more thread of a measurement: programmed, attached
 * and, unless it is idle, started; running: nobody has stopped the thread. Returns the
 * descriptor, or -1 with errno and without a message; it is closed then.
 */
int turns_join(int fd, const struct event_sets *sets, unsigned int turn,
	       pid_t thread, bool running, bool idle);

/* The same with a session that is programmed already, and is closed if it fails. */
int turns_attach(int fd, pid_t thread, bool running, bool idle);

/*
 * In any state of the session; running: its thread may run. Times are 0 if they
 * cannot be told.
 */
int turns_read(int fd, const struct event_sets *sets, unsigned int turn,
	       bool running, struct turns_counts *counts);

/*
 * The same of a session that is inherited, with turn 0: the sums of its thread and of
 * all that came from it, running or not.
 */
int turns_read_family(int fd, const struct event_sets *sets,
		      struct turns_counts *counts);

/* CPU time that the thread alone was counted; 0 if it cannot be told. */
uint64_t turns_own_ns(int fd, const struct event_sets *sets);

/* Whether one of the events is of one kind of core only. */
bool turns_for_one_kind(const struct event_sets *sets);

/* Adds all of the other to sum. */
void turns_add(struct turns_counts *sum, const struct turns_counts *other);

/* Takes all of the other off; it was read before. */
void turns_subtract(struct turns_counts *counts,
		    const struct turns_counts *before);

#endif /* PFMON_TURNS_H */
