/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of pfmon top: what to show, of whom, and how. */
#ifndef PFMON_TOP_WISH_H
#define PFMON_TOP_WISH_H

#include <stdbool.h>
#include <stdint.h>

#define WISH_WORDS_MAX 48

/* What the lines of the table are. */
enum top_view {
	VIEW_EVENTS,
	VIEW_CPUS,
	VIEW_THREADS,
	VIEW_FUNCTIONS,
	VIEW_COUNT
};

struct wish {
	const char *pfmon; /* the program that counts */
	enum top_view view;
	unsigned int interval_ms;
	unsigned int updates; /* 0: until the user has enough */
	unsigned int rows; /* at most, of a table in a batch; 0: all */
	unsigned int column; /* by which lines are sorted, from 0 */
	bool batch; /* tables one after the other, without a terminal */
	const char *processes, *threads, *cpus;
	const char *events; /* NULL: those of pfmon stat */
	const char *period, *hertz; /* NULL: those of pfmon record */
	bool user, kernel; /* neither: as pfmon stat and record have it */
	bool help;
};

extern const char *const wish_views[VIEW_COUNT];

/* 0, or -1 after a message. */
int wish_parse(struct wish *wish, int argc, char **argv);

/* Whether the view is there of those whom the user wants to see. */
bool wish_can_show(const struct wish *wish, enum top_view view);

/*
 * The command line of pfmon that counts for the view, or samples into the file; ends
 * with NULL. The words are valid until the next call.
 */
char **wish_command(const struct wish *wish, const char *file);

#endif /* PFMON_TOP_WISH_H */
