/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of samples by function or by place, for each event. */
#ifndef PFMON_ROWS_H
#define PFMON_ROWS_H

#include "views/range.h"
#include "views/steps.h"
#include "views/view.h"

struct row {
	const struct function *function;
	const struct place *place; /* the first one of it */
	uint64_t samples;
	uint64_t periods; /* events that the samples stand for */
	uint64_t total; /* samples of it and of what it called, each once */
	uint64_t total_periods; /* events that these stand for */
	uint64_t last; /* the sample that was added to total last */
};

struct rows {
	struct row *rows;
	size_t count;
	uint64_t samples; /* of all */
	uint64_t periods;
	double squares; /* of what each sample counts for */
	bool by_periods; /* a sample counts for its period, else for 1 */
	bool chains; /* some of them have call chains */
	struct steps *steps; /* NULL: periods vary, so that none is kept */
	struct chains told; /* by them, of ROWS_TOTAL */
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

/* What the samples of a row count for, and with what it called, and all of the rows. */
uint64_t rows_self(const struct rows *rows, const struct row *row);
uint64_t rows_total(const struct rows *rows, const struct row *row);
uint64_t rows_all(const struct rows *rows);

/* Where the true share of a row is; there are samples. */
struct range rows_range(const struct rows *rows, const struct row *row);

/* Whether the samples keep step with a loop of the program. */
bool rows_keep_step(const struct rows *rows);

/* The same by most in total first. */
void rows_sort_by_total(struct rows *rows);

/* Those of all events; NULL is nothing. */
void rows_free(struct rows *rows, const struct view *view);

#endif /* PFMON_ROWS_H */
