/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results that pfmon has written before: the JSON of files, for those who compare
 * them or put them together.
 */
#ifndef PFMON_RESULTS_H
#define PFMON_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The count of an event in a run, of all threads or CPUs together. */
struct result_event {
	char *name; /* as the user wrote it */
	char *level;
	char *unit;
	bool seen; /* else there is no count */
	uint64_t value;
	uint64_t low, high; /* between these it is for certain */
	bool bounded; /* high is known */
};

/* A run: what its object says, or the sum of its intervals. */
struct result {
	char *host;
	char *rank; /* NULL: none */
	unsigned int ranks; /* that there were, 0: not known */
	unsigned int run;
	int exit_status;
	bool exact;
	struct result_event *events;
	int event_count;
};

struct results {
	const char *file;
	struct result *list;
	int count;
};

/* Reads all objects of a file ("-": standard input). -1 after a message. */
int results_read(struct results *results, const char *file);

/* The same of a text. file is for the messages. */
int results_parse(struct results *results, const char *file, const char *text,
		  size_t size);

void results_free(struct results *results);

/* Whether a run counts: runs that failed do not if another one has succeeded. */
bool results_count(const struct results *results, const struct result *result);

/* NULL: the run has no such event. */
const struct result_event *result_find(const struct result *result,
				       const struct result_event *like);

#endif /* PFMON_RESULTS_H */
