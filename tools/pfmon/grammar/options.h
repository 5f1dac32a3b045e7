/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of pfmon. */
#ifndef PFMON_OPTIONS_H
#define PFMON_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

enum action {
	ACTION_COUNT,
	ACTION_LIST_EVENTS,
	ACTION_LIST_PMUS,
	ACTION_SELF_TEST,
	ACTION_HELP,
	ACTION_VERSION,
};

struct options {
	enum action action;
	const char *events; /* the list as given */
	unsigned int levels; /* LEVEL_*, never 0 */
	const char *pmu; /* model to use, NULL: that of this processor */
	const char *pattern; /* of the events to list, NULL: all */
	const char *outfile; /* NULL: standard output */
	enum report_format format;
	bool verbose;
	bool full; /* of the self-test */
	const char *cpus; /* of the self-test, NULL: all */
	char **command;
};

/* Returns 0, or -1 after a message. The strings are those of argv. */
int options_parse(struct options *opts, int argc, char **argv);

void options_usage(FILE *out);

#endif /* PFMON_OPTIONS_H */
