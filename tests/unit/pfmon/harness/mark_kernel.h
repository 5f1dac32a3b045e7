/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel for the marks of a test: it has no state pages, and two counters, which
 * go on when they are read; the second has three times what the first has.
 */
#ifndef MARK_KERNEL_H
#define MARK_KERNEL_H

#include <stdint.h>

/* What is counted of a mark before and behind the moment of reading. */
#define BEFORE 7
#define BEHIND 5

/* The first counter of the calling thread. */
extern _Thread_local uint64_t counted;

/* What every second reading waits for: marks read before and behind their work. */
extern uint64_t longer;

extern int sessions; /* so far */
extern int attach_error; /* errno of all attachments, 0: they succeed */

/* A file that asks for both counters, which are those of events 1 and 0. */
int mark_kernel_ask(void);
extern const int mark_kernel_places[2];

#endif /* MARK_KERNEL_H */
