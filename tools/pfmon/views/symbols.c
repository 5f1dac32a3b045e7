// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbols that samples hit, as chunks of their file: pfmon record executes this
 * and adds them, so that the file can be read on other machines.
 */
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "views/verbs.h"
#include "views/view.h"

struct hits {
	const struct function **rows; /* that have symbols */
	size_t count;
	bool *seen; /* by index of functions */
	size_t room;
};

/* By image, in the order of their first hits, then by place and name. */
static int compare(const void *one, const void *other)
{
	const struct function *a = *(const struct function *const *)one;
	const struct function *b = *(const struct function *const *)other;
	int paths;

	if (a->image != b->image) {
		paths = strcmp(a->file, b->file);
		if (!paths)
			paths = memcmp(a->image->build_id, b->image->build_id,
				       PFMD_BUILD_ID_SIZE);
		return paths ? paths : a->image < b->image ? -1 : 1;
	}
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int add(struct hits *hits, const struct function *function)
{
	if (function->index >= hits->room) {
		size_t room = 2UL * function->index + 64;
		bool *seen = realloc(hits->seen, room);
		const struct function **rows =
			reallocarray(hits->rows, room, sizeof(*rows));

		hits->seen = seen ? seen : hits->seen;
		hits->rows = rows ? rows : hits->rows;
		if (!seen || !rows)
			return diag("no memory for the symbols");
		memset(seen + hits->room, 0, room - hits->room);
		hits->room = room;
	}
	if (!hits->seen[function->index])
		hits->rows[hits->count++] = function;
	hits->seen[function->index] = true;
	return 0;
}

/*
 * The functions of a sample and its callers. What a process made has no name by
 * which it could be found.
 */
static int add_stack(struct hits *hits, struct view *view,
		     const struct profile_sample *sample)
{
	for (unsigned int i = 0; i < functions_depth(sample); i++) {
		const struct place *place =
			functions_caller(view->functions, sample, i);

		if (!place)
			return -1;
		if (place->function->has_symbol &&
		    place->function->image->kind != IMAGE_PROGRAM &&
		    add(hits, place->function))
			return -1;
	}
	return 0;
}

static int collect(struct hits *hits, struct view *view)
{
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0) {
		if (add_stack(hits, view, sample))
			return -1;
	}
	if (hits->count)
		qsort(hits->rows, hits->count, sizeof(*hits->rows), compare);
	return ret;
}

static struct pfmd_symbol row_of(const struct function *function, uint32_t name)
{
	return (struct pfmd_symbol){
		.offset = image_offset(function->image, function->start),
		.size = function->size < UINT32_MAX ? (uint32_t)function->size :
						      UINT32_MAX,
		.name = name,
	};
}

/* The functions of one image. */
static void print_chunk(const struct function *const *rows, size_t count,
			FILE *out)
{
	static const char zeros[PFMD_ALIGN];
	const struct image *image = rows[0]->image;
	struct pfmd_symbols header = { .count = (uint32_t)count };
	struct pfmd_chunk chunk = { .type = PFMD_SYMBOLS };
	uint32_t name = 0;

	for (size_t i = 0; i < count; i++)
		header.path += (uint32_t)strlen(rows[i]->name) + 1;
	memcpy(header.build_id, image->build_id, sizeof(header.build_id));
	chunk.length = sizeof(header) + count * sizeof(struct pfmd_symbol) +
		       header.path + strlen(image->path) + 1;
	fwrite(&chunk, sizeof(chunk), 1, out);
	fwrite(&header, sizeof(header), 1, out);
	for (size_t i = 0; i < count; i++) {
		const struct pfmd_symbol row = row_of(rows[i], name);

		fwrite(&row, sizeof(row), 1, out);
		name += (uint32_t)strlen(rows[i]->name) + 1;
	}
	for (size_t i = 0; i < count; i++)
		fwrite(rows[i]->name, 1, strlen(rows[i]->name) + 1, out);
	fwrite(image->path, 1, strlen(image->path) + 1, out);
	fwrite(zeros, 1, -chunk.length % PFMD_ALIGN, out);
}

static int print_all(struct view *view)
{
	struct hits hits = { 0 };
	size_t end;
	int ret = collect(&hits, view);

	for (size_t first = 0; !ret && first < hits.count; first = end) {
		for (end = first + 1; end < hits.count; end++) {
			if (hits.rows[end]->image != hits.rows[first]->image)
				break;
		}
		print_chunk(hits.rows + first, end - first,
			    view->output.stream);
	}
	free(hits.rows);
	free(hits.seen);
	return ret;
}

/* The file has no end yet, which is no news. */
int verb_symbols(int argc, char **argv)
{
	struct view view;
	int ret = view_parse(&view, argc, argv);

	view.options.functions.no_demangle = true;
	diag_quiet(true);
	if (!ret)
		ret = view_open(&view);
	if (!ret)
		ret = print_all(&view);
	diag_quiet(false);
	return view_close(&view, ret);
}
