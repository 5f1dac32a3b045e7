/* SPDX-License-Identifier: GPL-2.0-only */
/* The options that mean the same in both grammars. */
#ifndef PFMON_SHARED_H
#define PFMON_SHARED_H

#include <getopt.h>

#include "request.h"

/* Options without a letter; those of one grammar begin at OPT_OWN. */
enum shared_option {
	OPT_APPEND = 256,
	OPT_COMMA,
	OPT_CONTROL,
	OPT_CSV,
	OPT_FOLLOW,
	OPT_HEX,
	OPT_INTERVAL_CLEAR,
	OPT_INTERVAL_COUNT,
	OPT_JSON_STRINGS,
	OPT_LAUNCH,
	OPT_LOG_FD,
	OPT_PIN,
	OPT_PMU,
	OPT_POINT,
	OPT_REFERENCE,
	OPT_START,
	OPT_SWITCH_EVENTS,
	OPT_SWITCH_TIMEOUT,
	OPT_TEXTFILE,
	OPT_WAIT_ALL,
	OPT_OWN = 512,
};

/* Their long names, ending with a row of zeros. */
extern const struct option shared_options[];

/* Follow all threads and children. */
void shared_follow_all(struct request *request);

/* The defaults of a request; those of a verb follow threads and children. */
void shared_defaults(struct request *request, const char *verb);
void shared_verb_defaults(struct request *request, const char *verb);

/*
 * Takes an option that getopt_long() has returned. Returns 0, -1 after a
 * message, or 1: it is none of them.
 */
int shared_take(struct request *request, int opt);

/*
 * What follows the options, or NULL: the command that is counted, or one that runs as
 * long as what is attached to is counted.
 */
void shared_command(struct request *request, char **command);

/*
 * -G is as -p with all processes of the cgroup, which perf's -a is meant for, too. Called
 * before the next ones. -1 after a message about options that do not go with it.
 */
int shared_settle_cgroup(struct request *request);

/*
 * What one option means depends on others, when all are known. Of a verb, whom it
 * follows, too.
 */
void shared_settle(struct request *request);
void shared_settle_verb(struct request *request);

#endif /* PFMON_SHARED_H */
