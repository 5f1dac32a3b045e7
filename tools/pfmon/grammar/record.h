/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of pfmon record, which has the letters of perf record. */
#ifndef PFMON_GRAMMAR_RECORD_H
#define PFMON_GRAMMAR_RECORD_H

#include <stdio.h>

#include "request.h"

struct record_options {
	struct request request;
	bool help;
};

/* argv[0] is "record". Returns 0, or -1 after a message. */
int record_parse(struct record_options *opts, int argc, char **argv);

void record_usage(FILE *out);

#endif /* PFMON_GRAMMAR_RECORD_H */
