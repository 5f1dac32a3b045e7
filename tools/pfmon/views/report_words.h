/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of pfmon report: its own, and those of perf report. One of perf's is taken
 * where it means the same, and otherwise refused with a hint at what does it here.
 */
#ifndef PFMON_REPORT_WORDS_H
#define PFMON_REPORT_WORDS_H

#include <stdbool.h>

#include "views/memory.h"
#include "views/view.h"

struct report_words {
	bool by_total, no_total;
	bool callers, callees; /* a line for each, below each function */
	const char *symbol; /* only this function; NULL: all */
	enum memory_by memory; /* loads and stores in the place of functions */
	bool branches; /* likewise: the branches before samples */
};

/* As view_parse(): 0; 1: help was asked for; -1 after a message. */
int report_words_parse(struct report_words *words, struct view *view, int argc,
		       char **argv);

/* What they are, for the usage. */
extern const char report_words_usage[];

#endif /* PFMON_REPORT_WORDS_H */
