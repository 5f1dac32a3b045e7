/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of pfmon stat, which has the letters of perf stat. */
#ifndef PFMON_STAT_H
#define PFMON_STAT_H

#include <stdio.h>

#include "request.h"

struct stat_options {
	struct request request;
	bool help;
};

/* argv[0] is "stat". Returns 0, or -1 after a message. */
int stat_parse(struct stat_options *opts, int argc, char **argv);

void stat_usage(FILE *out);

#endif /* PFMON_STAT_H */
