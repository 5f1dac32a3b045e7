/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of lines that several formats share. */
#ifndef PFMON_CELLS_H
#define PFMON_CELLS_H

#include "report/report.h"

/* Longest number with its marks, and the NUL. */
#define CELL_ESTIMATE 96
#define CELL_NUMBER 40

/* The number as the user wants it. Returns text. */
char *cell_number(uint64_t number, enum report_digits digits,
		  char text[CELL_NUMBER]);

/* Who a row belongs to: "command", "thread:7", "process:7", "cpu:3". */
char *cell_scope(const struct report *report, const struct report_row *row,
		 char *text, size_t size);

/* "=" or "+-1.20%" for the spread of runs; "" for one run. Returns text. */
char *cell_spread(const struct report *report, int i, char *text, size_t size);

/* Writes text, quoted as RFC 4180 wants it if it has the separator in it. */
void cell_quoted(const char *text, const char *separator, FILE *out);

/*
 * What event i of the row is per cycle, if it is instructions and cycles of the
 * same level were counted and seen. False if not.
 */
bool cell_per_cycle(const struct report *report, const struct report_row *row,
		    int i, double *value);

/* The number of a row as text has it: "<not seen>" if it is none. */
char *cell_count(const struct report_row *row, int i, enum report_digits digits,
		 char text[CELL_NUMBER]);

/*
 * What marks a count that is no exact one: "estimate, seen 50.1 %, 10 to 20", of
 * several runs without the interval; "" for exact ones. Returns text.
 */
char *cell_estimate(const struct report *report, const struct report_row *row,
		    int i, char *text, size_t size);

/*
 * Whether event i has a value for this row: the switches and faults that the kernel
 * tells of a command are those of all its threads.
 */
bool cell_is_own(const struct report *report, const struct report_row *row,
		 int i);

/* False if the event's set had no turn: its count is none. */
bool cell_is_seen(const struct report_row *row, int i);

#endif /* PFMON_CELLS_H */
