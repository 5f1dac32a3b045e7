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
	uint64_t total; /* samples of it and of what it called, each once */
	uint64_t last; /* the sample that was added to total last */
};

struct rows {
	struct row *rows;
	size_t count;
	uint64_t samples; /* of all */
	uint64_t periods;
	bool chains; /* some of them have call chains */
};

/* Whose samples are summed up. */
enum rows_by {
	ROWS_FUNCTION,
	ROWS_PLACE,
	ROWS_TOTAL, /* functions, also those that have only called others */
};

/*
 * Of each event of the profile, by most samples, then most in total, symbol, file and
 * place. NULL after a message.
 */
struct rows *rows_sum(struct view *view, enum rows_by by);

/* The same by most in total first. */
void rows_sort_by_total(struct rows *rows);

/* Those of all events; NULL is nothing. */
void rows_free(struct rows *rows, const struct view *view);

#endif /* PFMON_ROWS_H */
