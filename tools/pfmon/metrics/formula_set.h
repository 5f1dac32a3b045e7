/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics that were chosen of the files, with those that they are made of, and the
 * events that all of them need.
 */
#ifndef PFMON_FORMULA_SET_H
#define PFMON_FORMULA_SET_H

#include "metrics/formula.h"
#include "metrics/formula_files.h"

#define FORMULA_EVENTS_MAX 120
#define FORMULA_ENTRIES_MAX 512
#define FORMULA_MISSING 640

/* What a node with a name stands for: in its c; the number is in its a. */
enum formula_meaning { UNBOUND, EVENT, METRIC, SECONDS, CYCLES, CONSTANT };

struct formula_entry {
	const struct formula_metric *metric;
	struct formula *formula;
	struct formula
		*threshold; /* NULL: none, or made of what was not chosen */
};

/* An event that was tried, and whether it can be counted. */
struct formula_tried {
	char *text;
	int sources; /* so many PMUs count it; 0: none */
};

struct formula_set {
	struct formula_files files;
	struct formula_entry entries[FORMULA_ENTRIES_MAX]; /* parts first */
	int count;
	char *events[FORMULA_EVENTS_MAX]; /* as of -e */
	int cluster[FORMULA_EVENTS_MAX]; /* the events of one metric have one number */
	int event_count;
	int clusters;
	bool core_wide; /* all CPUs are measured */
	char missing[FORMULA_MISSING]; /* why the last one cannot be computed */
	struct formula_tried *tried;
	size_t tried_count;
};

/* Reads the files. NULL after a message. */
struct formula_set *formula_set_new(bool core_wide);
void formula_set_free(struct formula_set *set);

/* Takes away all metrics that were added. */
void formula_set_clear(struct formula_set *set);

/*
 * Adds a metric. Returns its number among the entries, or -1 if it cannot be computed
 * here, for the reason in missing.
 */
int formula_set_add(struct formula_set *set,
		    const struct formula_metric *metric);

/* Finds what thresholds are made of, when all metrics have been added. */
void formula_set_thresholds(struct formula_set *set);

/* The number of the cluster of an event, 0: the set does not have it. */
int formula_set_cluster(const struct formula_set *set, const char *event);

/* What was counted. */
struct formula_counts {
	/* False: it was not seen. */
	bool (*event)(const char *text, double *count, void *arg);
	void *arg;
	double seconds;
	double hz; /* nominal; 0: not known */
};

/* The value of an entry in its unit. False: it has none. */
bool formula_set_value(const struct formula_set *set, int entry,
		       const struct formula_counts *counts, double *value);

/* Whether it is above its threshold. */
bool formula_set_exceeds(const struct formula_set *set, int entry,
			 const struct formula_counts *counts);

/* Calls act for the events of an entry and its parts. */
void formula_set_each_event(const struct formula_set *set, int entry,
			    void (*act)(const char *text, void *arg),
			    void *arg);

#endif /* PFMON_FORMULA_SET_H */
