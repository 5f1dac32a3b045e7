/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Groups of events, and the metrics that are computed from them: files that come
 * with pfmon, and those of the user. pfmon(1) describes them.
 */
#ifndef PFMON_GROUPS_H
#define PFMON_GROUPS_H

#include <stdbool.h>
#include <stdio.h>

#define GROUP_METRICS_MAX 96
#define GROUP_EVENTS_MAX 8192

struct formula_set;

struct metric {
	char name[80];
	char unit[48];
	char expression[512]; /* "": a formula of a file of metrics */
	int formula; /* its number */
};

/* What is chosen of one group or several. */
struct group_choice {
	char events[GROUP_EVENTS_MAX]; /* as of -e */
	struct metric metrics[GROUP_METRICS_MAX];
	int metric_count;
	/* Of formulas, to be freed by groups_free(); NULL: there are none. */
	struct formula_set *formulas;
	bool all_cpus; /* are measured */
};

/*
 * Adds groups by a list of their names, for the model in use. -1 after a
 * message.
 */
int groups_choose(struct group_choice *choice, const char *names);

/*
 * Adds metrics by a list of their names, each from the first group with it; else from the
 * files of metrics, by its name, or all of a group there.
 */
int groups_choose_metrics(struct group_choice *choice, const char *names);
void groups_free(struct group_choice *choice);

/* Lists the groups of the model. -1 after a message. */
int groups_list(FILE *out);

/*
 * Adds a group's text: name is for the messages; metric, the only one that is
 * wanted, may be NULL: then formulas that the text names come with it. Returns 1 if
 * the model has not its events and formulas, or not the metric; -1 after a message.
 */
int groups_parse(struct group_choice *choice, const char *name,
		 const char *text, const char *metric);

#endif /* PFMON_GROUPS_H */
