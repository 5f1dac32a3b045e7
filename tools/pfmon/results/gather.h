/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of many files together: each file is a part of the whole, a rank of a
 * parallel program as a rule. The order of the files does not matter.
 */
#ifndef PFMON_GATHER_H
#define PFMON_GATHER_H

#include "results/results.h"

/* An event over all parts that have it. */
struct gathered_event {
	const struct result_event *event; /* of the first part: its names */
	int parts; /* that have it */
	uint64_t sum; /* UINT64_MAX: as much or more */
	uint64_t min, max;
	const char *min_part, *max_part; /* where these are */
	double mean;
	double imbalance; /* max / mean, 0 if there is none */
	bool estimated; /* some are estimates */
};

struct gathered {
	struct results *files;
	int count;
	struct gathered_event *events;
	int event_count;
	char (*names)[64]; /* of the parts, in their order: rank, host or file */
	bool exact; /* all of them are */
	unsigned int ranks; /* that there should be, 0: not known */
};

/* Reads and gathers. -1 after a message; gather_free() must follow. */
int gather_read(struct gathered *gathered, char *const files[], int count);

/* The same for what was read; takes the results over. */
int gather_results(struct gathered *gathered, struct results *files, int count);

void gather_free(struct gathered *gathered);

/*
 * The ranks that are missing, as a list ("3,5-7"); "" if none is, or if it is
 * not known how many there should be. Returns text.
 */
char *gather_missing(const struct gathered *gathered, char *text, size_t size);

#endif /* PFMON_GATHER_H */
