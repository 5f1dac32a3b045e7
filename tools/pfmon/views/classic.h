/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples as pfmon 3.9 prints them: session by session. */
#ifndef PFMON_CLASSIC_H
#define PFMON_CLASSIC_H

#include "views/view.h"

/* Of which pfmon itself makes the words, see verbs/sample.c. */
struct classic_wish {
	const char *module;
	const char *split; /* name of the files of sessions, NULL: one output */
	unsigned int top; /* rows, 0: all */
	unsigned int cum_threshold; /* percent, 0: all */
	bool per_function;
	bool ignore_pids;
	bool resolve;
	bool header;
	bool aggregate; /* all sessions are one */
};

/* A sample and where it is. */
struct classic_hit {
	const struct profile_sample *sample;
	const struct place *place;
	unsigned int section;
	size_t number; /* in the order of time */
};

/* The samples of a session, or of all. */
struct classic_section {
	struct classic_hit *hits;
	size_t count;
	uint32_t stream; /* of them, if they are not aggregated */
	bool cpu; /* it is one, not a thread */
};

/* "name+0x12<file>", or "name<file>" of the whole function. */
void classic_symbol(const struct place *place, bool whole, FILE *out);

/* Rows by samples. 0, or -1 after a message. */
int classic_histogram(const struct view *view, const struct classic_wish *wish,
		      const struct classic_section *section, FILE *out);

#endif /* PFMON_CLASSIC_H */
