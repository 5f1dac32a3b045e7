// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export folded: lines "COMM;FUNCTION SAMPLES", or with all callers, the
 * outermost first, as flame graphs and speedscope read them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/folds.h"
#include "export/formats.h"

/* The signs that the format is made of are none of a name. */
static void append(char *line, const char *name)
{
	char *out = line + strlen(line);

	for (; *name; name++)
		*out++ = (char)(*name == ';'  ? ':' :
				*name == '\n' ? ' ' :
						*name);
	*out = '\0';
}

/* NULL without memory. */
static char *line_of(const struct fold *fold)
{
	size_t size = strlen(fold->comm) + 1;
	char *line;

	for (unsigned int i = 0; i < fold->depth; i++)
		size += strlen(fold->stack[i]->name) + sizeof(";_[k]") - 1;
	line = malloc(size);
	if (!line)
		return NULL;
	*line = '\0';
	append(line, fold->comm);
	for (unsigned int i = 0; i < fold->depth; i++) {
		strcat(line, ";");
		append(line, fold->stack[i]->name);
		if (fold->stack[i]->kernel)
			strcat(line, "_[k]");
	}
	return line;
}

struct line {
	char *text;
	uint64_t samples;
};

static int by_text(const void *one, const void *other)
{
	const struct line *a = one, *b = other;

	return strcmp(a->text, b->text);
}

/* Functions of equal names in different files are one line. */
static void print_lines(struct line *lines, size_t count, FILE *out)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < count; i++) {
		samples += lines[i].samples;
		if (i + 1 < count && !strcmp(lines[i].text, lines[i + 1].text))
			continue;
		fprintf(out, "%s %" PRIu64 "\n", lines[i].text, samples);
		samples = 0;
	}
}

static int print_folds(const struct folds *folds, FILE *out)
{
	struct line *lines = calloc(folds->count + 1, sizeof(*lines));
	size_t count = 0;

	if (!lines)
		return diag("no memory for the lines");
	for (; count < folds->count; count++) {
		lines[count].samples = folds->rows[count].samples;
		lines[count].text = line_of(&folds->rows[count]);
		if (!lines[count].text)
			break;
	}
	if (count == folds->count) {
		qsort(lines, count, sizeof(*lines), by_text);
		print_lines(lines, count, out);
	}
	for (size_t i = 0; i < count; i++)
		free(lines[i].text);
	free(lines);
	return count == folds->count ? 0 : diag("no memory for the lines");
}

int export_folded(struct view *view)
{
	struct folds folds;
	int ret = folds_sum(&folds, view);

	if (!ret)
		ret = print_folds(&folds, view->output.stream);
	folds_free(&folds);
	return ret;
}
