/* SPDX-License-Identifier: GPL-2.0-only */
/* What both grammars do with the words of a command line. */
#ifndef PFMON_WORDS_H
#define PFMON_WORDS_H

#include <getopt.h>

#include "request.h"

/* After a message; no option has this value. */
#define WORDS_BAD '?'

/*
 * Begins a command line, of a verb or "" for the classic one: words_next() finds its
 * first option, and names its help in messages.
 */
void words_begin(const char *verb);

/*
 * The next option, as getopt_long() returns it: -1 after the last one. WORDS_BAD
 * after a message about one that is refused. Letters begin with a colon, behind
 * a plus sign if there is one.
 */
int words_next(int argc, char **argv, const char *letters,
	       const struct option *known);

/*
 * Numbers of options: option names it in the message. They return 0, or -1
 * after one.
 */
int words_number(const char *text, const char *option, unsigned int min,
		 unsigned int max, unsigned int *number);
int words_seconds(const char *text, const char *option, uint64_t *ns);
int words_milliseconds(const char *text, const char *option, uint64_t *ns);

/* Adds a list of events to those that were given before, behind a mark. */
int words_add_events(struct request *request, const char *list,
		     const char *mark);

/* Adds a list of names to the groups or the metrics that were given before. */
int words_add_names(struct request *request, const char **given,
		    const char *list);

/* Only one format can be chosen. */
int words_format(struct request *request, enum report_format format);

/* Refuses what does not go together, before anything starts. */
int words_conflicts(const struct request *request);

#endif /* PFMON_WORDS_H */
