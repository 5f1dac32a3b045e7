// SPDX-License-Identifier: GPL-2.0-only
/* Sums of samples by thread's name and function, see folds.h. */
#include "export/folds.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* Where two functions have the same name, the file and their places tell them apart. */
static int compare(const void *one, const void *other)
{
	const struct fold *a = one, *b = other;
	int names = strcmp(a->comm, b->comm);

	if (!names)
		names = strcmp(a->function->file, b->function->file);
	if (!names)
		names = strcmp(a->function->name, b->function->name);
	if (names)
		return names;
	return a->function->index < b->function->index ?
		       -1 :
		       a->function->index > b->function->index;
}

static struct fold *fold_of(void **tree, const struct fold *key)
{
	struct fold **node = tfind(key, tree, compare);
	struct fold *kept;

	if (node)
		return *node;
	kept = malloc(sizeof(*kept));
	if (!kept)
		return NULL;
	*kept = *key;
	if (tsearch(kept, tree, compare))
		return kept;
	free(kept);
	return NULL;
}

static int sum(struct folds *folds, void **tree, struct view *view)
{
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0) {
		const struct fold key = {
			.comm = functions_comm(view->functions, sample),
			.function = place->function,
		};
		struct fold *fold = fold_of(tree, &key);

		if (!fold)
			return diag("no memory for the sums");
		if (folds->samples && folds->event != sample->event)
			return diag(
				"%s: has samples of several events; choose one with -e",
				view->profile.name);
		folds->event = sample->event;
		folds->count += !fold->samples;
		folds->samples++;
		fold->samples++;
		fold->periods += sample->period;
	}
	return ret;
}

static struct folds *walked;

static void take(const void *node, VISIT visit, int depth)
{
	(void)depth;
	if (visit == postorder || visit == leaf)
		walked->rows[walked->count++] = **(struct fold *const *)node;
}

int folds_sum(struct folds *folds, struct view *view)
{
	void *tree = NULL;
	int ret;

	*folds = (struct folds){ 0 };
	view_rewind(view);
	ret = sum(folds, &tree, view);
	folds->rows = calloc(folds->count + 1, sizeof(*folds->rows));
	folds->count = 0;
	if (folds->rows) {
		walked = folds;
		twalk(tree, take);
	} else if (!ret) {
		ret = diag("no memory for the sums");
	}
	tdestroy(tree, free);
	return ret;
}

void folds_free(struct folds *folds)
{
	free(folds->rows);
	*folds = (struct folds){ 0 };
}
