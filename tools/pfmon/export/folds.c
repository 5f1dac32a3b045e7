// SPDX-License-Identifier: GPL-2.0-only
/* Sums of samples by thread's name and stack, see folds.h. */
#include "export/folds.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* Where two functions have the same name, the file and their places tell them apart. */
static int compare_functions(const struct function *a, const struct function *b)
{
	int names;

	if (a == b)
		return 0;
	names = strcmp(a->file, b->file);
	if (!names)
		names = strcmp(a->name, b->name);
	if (names)
		return names;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* A stack comes before those that go on from it. */
static int compare(const void *one, const void *other)
{
	const struct fold *a = one, *b = other;
	int ret = strcmp(a->comm, b->comm);

	for (unsigned int i = 0; !ret && i < a->depth && i < b->depth; i++)
		ret = compare_functions(a->stack[i], b->stack[i]);
	if (ret)
		return ret;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

static struct fold *fold_of(void **tree, const struct fold *key)
{
	struct fold **node = tfind(key, tree, compare);
	struct fold *kept;

	if (node)
		return *node;
	kept = malloc(sizeof(*kept) + key->depth * sizeof(*kept->stack));
	if (!kept)
		return NULL;
	*kept = *key;
	kept->stack = (const struct function **)(kept + 1);
	memcpy(kept->stack, key->stack, key->depth * sizeof(*kept->stack));
	if (tsearch(kept, tree, compare))
		return kept;
	free(kept);
	return NULL;
}

/* The stack of a sample, to where key->stack says. -1 after a message. */
static int fill(struct fold *key, struct view *view,
		const struct profile_sample *sample)
{
	key->comm = functions_comm(view->functions, sample);
	key->depth = functions_depth(view->functions, sample);
	if (!key->depth)
		return -1;
	for (unsigned int i = 0; i < key->depth; i++)
		key->stack[key->depth - 1 - i] =
			functions_caller(view->functions, i)->function;
	key->function = key->stack[key->depth - 1];
	return 0;
}

static int sum(struct folds *folds, void **tree, struct view *view)
{
	static const struct function *stack[UINT16_MAX];
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0) {
		struct fold key = { .stack = stack };
		struct fold *fold;

		if (fill(&key, view, sample))
			return -1;
		fold = fold_of(tree, &key);
		if (!fold)
			return diag("no memory for the sums");
		if (folds->samples && folds->event != sample->event)
			return diag(
				"%s: has samples of several events; choose one with -e",
				view->profile.name);
		folds->event = sample->event;
		if (key.depth > folds->depth)
			folds->depth = key.depth;
		folds->count += !fold->samples;
		folds->samples++;
		fold->samples++;
		fold->periods += profile_worth(&view->profile, sample);
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
	ret = view_rewind(view) ? -1 : sum(folds, &tree, view);
	folds->rows = calloc(folds->count + 1, sizeof(*folds->rows));
	folds->count = 0;
	if (folds->rows) {
		walked = folds;
		twalk(tree, take);
	} else if (!ret) {
		ret = diag("no memory for the sums");
	}
	folds->tree = tree;
	return ret;
}

void folds_free(struct folds *folds)
{
	tdestroy(folds->tree, free);
	free(folds->rows);
	*folds = (struct folds){ 0 };
}
