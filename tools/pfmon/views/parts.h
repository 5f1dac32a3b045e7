/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of many files by function: each file is a part of the whole, as a rank of a
 * parallel program, or one of two that are compared.
 */
#ifndef PFMON_PARTS_H
#define PFMON_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "views/view.h"

#define PARTS_EVENTS_MAX 64

/* A function of a file, in all parts: of whatever build, if it has a name. */
struct parts_row {
	unsigned int event;
	char *symbol, *file;
	/* Of places without symbols, which another build has elsewhere; else zeros. */
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	uint64_t *samples; /* of each part */
	uint64_t sum;
	double order; /* rows with more come first */
};

struct parts_event {
	char *name;
	bool *has; /* which parts have sampled it */
	uint64_t *samples; /* of each part */
	uint64_t *periods; /* likewise */
	unsigned int parts;
	uint64_t sum;
};

struct parts {
	unsigned int count;
	char (*names)[96]; /* "rank 3 on host", or the file's */
	long *ranks; /* -1: none */
	bool exact; /* nothing was lost in any of them */
	struct parts_event events[PARTS_EVENTS_MAX];
	unsigned int event_count;
	struct parts_row *rows;
	size_t row_count;
};

/*
 * Reads the files, as the options of the view say, whose output is open then. Those
 * that are for a sum must be of different ranks, if of any, and their samples are as many
 * as if all had had the longest period of an event. 0, or -1 after a message;
 * parts_free() in both cases. Parts are in the order of the files, rows in none.
 */
int parts_read(struct parts *parts, struct view *whole, char *const *files,
	       unsigned int count, bool is_sum);
void parts_free(struct parts *parts);

/* By event, order, symbol and file. */
void parts_sort(struct parts *parts);

/*
 * Words of a verb that it has beside those of views are taken out, in place; what
 * begins with one of them is not: take returns how many words it has taken, 0: none
 * of its own, -1 after a message. Returns the number of words left, or -1.
 */
int parts_own_words(int argc, char **argv,
		    int (*take)(int argc, char **argv, void *arg), void *arg);

#endif /* PFMON_PARTS_H */
