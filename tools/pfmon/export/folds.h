/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sums of samples by thread's name and stack, for formats that have no more; without
 * call chains the stack is the function of the sample.
 */
#ifndef PFMON_FOLDS_H
#define PFMON_FOLDS_H

#include "views/view.h"

struct fold {
	const char *comm;
	const struct function **stack; /* the outermost first */
	unsigned int depth; /* at least 1 */
	const struct function *function; /* the innermost */
	uint64_t samples;
	uint64_t periods;
};

struct folds {
	struct fold *rows;
	size_t count;
	uint64_t samples;
	unsigned int event;
	unsigned int depth; /* of the deepest */
	void *tree; /* of search.h, has the stacks */
};

/*
 * Of the event that was asked for, or the only one that has samples, by comm, file
 * and stack. 0, or -1 after a message; folds_free() in both cases.
 */
int folds_sum(struct folds *folds, struct view *view);
void folds_free(struct folds *folds);

#endif /* PFMON_FOLDS_H */
