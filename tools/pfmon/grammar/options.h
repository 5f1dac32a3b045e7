/* SPDX-License-Identifier: GPL-2.0-only */
/* The classic command line of pfmon, that of pfmon 3.x. */
#ifndef PFMON_OPTIONS_H
#define PFMON_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "grammar/sampling.h"
#include "request.h"

enum action {
	ACTION_COUNT,
	ACTION_LIST_EVENTS,
	ACTION_LIST_PMUS,
	ACTION_DESCRIBE_EVENT,
	ACTION_DESCRIBE_MODULE,
	ACTION_SELF_TEST,
	ACTION_HELP,
	ACTION_HELP_CLASSIC,
	ACTION_VERSION,
};

struct options {
	enum action action;
	struct request request; /* of ACTION_COUNT */
	bool aggregate; /* --aggregate-results */
	bool per_cpu; /* series of each CPU */
	bool full, hotplug; /* of the self-test */
	const char *cpus; /* of the self-test, NULL: all */
	const char *pattern; /* of the events to list, NULL: all */
	struct sampling_view smpl; /* if the request has samples */
	regex_t only, except; /* of --follow-exec, where the request has them */
};

/* Returns 0, or -1 after a message. The strings are those of argv. */
int options_parse(struct options *opts, int argc, char **argv);

/* What pfmon can do, on one screen. */
void options_help(FILE *out);

/* All options of the classic command line. */
void options_usage(FILE *out);

#endif /* PFMON_OPTIONS_H */
