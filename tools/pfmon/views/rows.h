/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of samples by function or by place, for each event. */
#ifndef PFMON_ROWS_H
#define PFMON_ROWS_H

#include "views/view.h"

struct row {
	const struct function *function;
	const struct place *place; /* the first one of it */
	uint64_t samples;
	uint64_t periods; /* events that the samples stand for */
};

struct rows {
	struct row *rows;
	size_t count;
	uint64_t samples; /* of all */
	uint64_t periods;
};

/* Whose samples are summed up. */
enum rows_by {
	ROWS_FUNCTION,
	ROWS_PLACE,
};

/*
 * Of one event, by most samples, then symbol, file and place. 0, or -1 after a
 * message; rows_free() in both cases.
 */
int rows_sum(struct rows *rows, struct view *view, unsigned int event,
	     enum rows_by by);
void rows_free(struct rows *rows);

#endif /* PFMON_ROWS_H */
