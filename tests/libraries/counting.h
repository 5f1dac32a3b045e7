/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of PAPI's component share: results as TAP, event sets, and work of
 * known length.
 */
#ifndef COUNTING_H
#define COUNTING_H

#include <papi.h>

/* Each pass of work() has so many instructions. */
#define PASS 2

void work(unsigned long passes);

/* Prints a result; the value that was wrong goes into the comment. */
void result(const char *name, int passed, long long value);
int failures(void);
void finish(void);

/* Names of the two events on this processor; NULL if it has none of the known ones. */
extern const char *instructions, *cycles;

int find_component(void);
void find_events(void);

/* An event set with events of the component; ends the program where PAPI fails. */
int event_set(const char *first, const char *second);
void free_set(int set);

/* Ends the program if PAPI has failed. */
void must(int rc, const char *what);

#endif /* COUNTING_H */
