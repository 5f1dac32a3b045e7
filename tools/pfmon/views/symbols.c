// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbols that samples hit, as chunks of their file: pfmon record executes this
 * and adds them, so that the file can be read on other machines. The standard input has
 * the files that pfmon has held open (profile/kept.h).
 *
 * Each file is read by a process of its own (symbols_process.h), so that one that does
 * not answer, or is too large, costs no other one its symbols.
 */
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "views/symbols_process.h"
#include "views/verbs.h"
#include "views/view.h"

/* More are not held open. */
#define KEPT_MAX 65536

/* What samples and their callers hit, each place once. */
struct hits {
	struct chains chains;
	const struct place **places;
	size_t count;
	bool *seen; /* by index of places */
	size_t room;
};

/* By image, in an order that is always the same, then by place. */
static int compare(const void *one, const void *other)
{
	const struct place *a = *(const struct place *const *)one;
	const struct place *b = *(const struct place *const *)other;
	int order;

	if (a->image != b->image) {
		order = strcmp(a->image->path, b->image->path);
		if (!order)
			order = memcmp(a->image->build_id, b->image->build_id,
				       PFMD_BUILD_ID_SIZE);
		return order ? order : a->image < b->image ? -1 : 1;
	}
	return a->place < b->place ? -1 : a->place > b->place;
}

static int add(struct hits *hits, const struct place *place)
{
	if (place->index >= hits->room) {
		size_t room = 2UL * place->index + 64;
		bool *seen = realloc(hits->seen, room);
		const struct place **places =
			reallocarray(hits->places, room, sizeof(*places));

		hits->seen = seen ? seen : hits->seen;
		hits->places = places ? places : hits->places;
		if (!seen || !places)
			return diag("no memory for the symbols");
		memset(seen + hits->room, 0, room - hits->room);
		hits->room = room;
	}
	if (place->image && !hits->seen[place->index])
		hits->places[hits->count++] = place;
	hits->seen[place->index] = true;
	return 0;
}

static int collect(struct hits *hits, struct view *view)
{
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0) {
		unsigned int depth = functions_depth(view->functions, sample);

		for (unsigned int i = 0; i < depth; i++) {
			if (add(hits, functions_caller(view->functions, i)))
				return -1;
		}
		if (!depth)
			return -1;
		functions_judge(view->functions, sample, depth, &hits->chains);
	}
	if (hits->count)
		qsort(hits->places, hits->count, sizeof(struct place *),
		      compare);
	return ret;
}

static void print_chains(const struct chains *chains, FILE *out)
{
	const struct pfmd_chunk chunk = { .type = CHAINS_CHUNK,
					  .length = sizeof(*chains) };

	fwrite(&chunk, sizeof(chunk), 1, out);
	fwrite(chains, sizeof(*chains), 1, out);
}

static int print_all(struct view *view)
{
	struct hits hits = { 0 };
	size_t end;
	int ret = collect(&hits, view);

	for (size_t first = 0; !ret && first < hits.count; first = end) {
		for (end = first + 1; end < hits.count; end++) {
			if (hits.places[end]->image !=
			    hits.places[first]->image)
				break;
		}
		symbols_of_image(hits.places + first, end - first,
				 view->output.stream);
	}
	if (!ret && hits.chains.samples)
		print_chains(&hits.chains, view->output.stream);
	free(hits.places);
	free(hits.seen);
	return ret;
}

/* NULL: there are none. */
static struct kept_file *read_kept(size_t *count)
{
	struct kept_file *kept = calloc(KEPT_MAX, sizeof(*kept));

	*count = kept ? fread(kept, sizeof(*kept), KEPT_MAX, stdin) : 0;
	return kept;
}

static int take_kept(struct view_options *options, int option, void *arg)
{
	(void)option;
	*(struct kept_file **)arg = read_kept(&options->images.kept_count);
	options->images.kept = *(struct kept_file **)arg;
	return 0;
}

/* The file has no end yet, which is no news. */
int verb_symbols(int argc, char **argv)
{
	static const struct option options[] = {
		{ "kept", no_argument, NULL, VIEW_OPT_OWN },
		{ NULL, 0, NULL, 0 },
	};
	struct kept_file *kept = NULL;
	const struct view_words own = { options, "", take_kept, &kept };
	struct view view;
	int ret = view_parse_with(&view, argc, argv, &own);

	view.options.functions.no_symbols = true;
	diag_quiet(true);
	if (!ret)
		ret = view_open(&view);
	if (!ret)
		ret = print_all(&view);
	diag_quiet(false);
	ret = view_close(&view, ret);
	free(kept);
	return ret;
}
