/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of pfmon top: lines with a number in each column and somebody whom they are
 * of; made of a line of pfmon stat -j, or of the text of pfmon report.
 */
#ifndef PFMON_TOP_TABLE_H
#define PFMON_TOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 32

struct table_line {
	char *who;
	double numbers[TABLE_COLUMNS_MAX]; /* negative: none */
};

struct table {
	char *columns[TABLE_COLUMNS_MAX];
	unsigned int column_count;
	bool vertical; /* one line, whose columns are shown as lines */
	struct table_line *lines;
	size_t count;
	uint64_t elapsed_ns; /* since the begin of counting */
	bool exact;
};

/*
 * The counts of an interval, by second: before is when the one before it ended. 0, or
 * -1 if it is no object of pfmon stat; table_free() in both cases.
 */
int table_of_counts(struct table *table, const char *text, uint64_t before_ns);

/* The functions in a report of samples. */
int table_of_report(struct table *table, FILE *in);

/* By the numbers of a column, the most first, then by name. */
void table_sort(struct table *table, unsigned int column);

/*
 * The heading, or a line, as it is shown; "" behind the last one. Returns text.
 */
char *table_heading(const struct table *table, unsigned int column, char *text,
		    size_t size);
char *table_text(const struct table *table, size_t line, char *text,
		 size_t size);

void table_free(struct table *table);

#endif /* PFMON_TOP_TABLE_H */
