// SPDX-License-Identifier: GPL-2.0-only
/* Files of metrics, see formula_files.h. */
#include "metrics/formula_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/tables.h"
#include "metrics/folders.h"

#define FILE_BYTES_MAX (4u << 20)
#define METRICS_MAX 10000

/* A file that is being read. */
struct taking {
	struct formula_files *files;
	const char *name;
	unsigned int line;
	int model; /* number of the processor, -1: the file has not told it */
	bool skipped; /* the metric is of other models */
};

static int wrong(const struct taking *taking, const char *what)
{
	return diag("%s: line %u: %s", taking->name, taking->line, what);
}

/* "model NUMBER NAME VENDOR FAMILY FIRST-LAST STEPPING-STEPPING" */
static int take_model(struct taking *taking, const char *text)
{
	const struct processor *processor = tables_processor();
	unsigned int number, family, first, last, low, high;
	char vendor[16];

	if (sscanf(text, "%u %*s %15s %u %u-%u %u-%u", &number, vendor, &family,
		   &first, &last, &low, &high) != 7 ||
	    number > 63)
		return wrong(taking, "not a model");
	if (processor->vendor == (!strcmp(vendor, "AMD") ? PROCESSOR_AMD :
							   PROCESSOR_INTEL) &&
	    processor->family == family && processor->model >= first &&
	    processor->model <= last && processor->stepping >= low &&
	    processor->stepping <= high && taking->model < 0)
		taking->model = (int)number;
	return 0;
}

static int take_name(struct taking *taking, const char *name)
{
	struct formula_files *files = taking->files;
	struct formula_metric *grown;

	if (!*name || strpbrk(name, " \t,"))
		return wrong(taking, "the name of a metric is one word");
	if (files->count == METRICS_MAX)
		return wrong(taking, "too many metrics");
	grown = reallocarray(files->metrics, files->count + 1, sizeof(*grown));
	if (!grown)
		return diag("out of memory");
	files->metrics = grown;
	grown[files->count++] = (struct formula_metric){
		name, "", "", "", "", "", "",
	};
	taking->skipped = false;
	return 0;
}

/* Which models have it: a bit each. */
static int take_models(struct taking *taking, const char *text)
{
	char *end;
	uint64_t models = strtoull(text, &end, 16);

	if (*end || end == text)
		return wrong(taking, "not a number of models");
	if (taking->model >= 0 && models >> taking->model & 1)
		return 0;
	taking->skipped = true;
	taking->files->count--;
	return 0;
}

/* Whether the processor has cores of this kind. */
static int take_core(struct taking *taking, struct formula_metric *metric,
		     const char *core)
{
	const struct processor *processor = tables_processor();
	bool atom = !strcmp(core, "cpu_atom");

	if (!atom && strcmp(core, "cpu_core") != 0)
		return wrong(taking, "cpu_core or cpu_atom is expected");
	metric->core = core;
	if (!(atom ? processor->atom : processor->core)) {
		taking->skipped = true;
		taking->files->count--;
	}
	return 0;
}

static int take_part(struct taking *taking, const char *word, char *rest)
{
	struct formula_metric *metric;

	if (taking->skipped)
		return 0;
	if (!taking->files->count)
		return wrong(taking, "metric is expected first");
	metric = &taking->files->metrics[taking->files->count - 1];
	if (!strcmp(word, "in"))
		return take_models(taking, rest);
	if (!strcmp(word, "core"))
		return take_core(taking, metric, rest);
	if (!strcmp(word, "of"))
		metric->groups = rest;
	else if (!strcmp(word, "unit"))
		metric->unit = rest;
	else if (!strcmp(word, "above"))
		metric->threshold = rest;
	else if (!strcmp(word, "short"))
		metric->about = rest;
	else if (!strcmp(word, "="))
		metric->text = rest;
	else
		return wrong(taking,
			     "metric, in, core, of, unit, above, short or = "
			     "is expected");
	return 0;
}

static int take_line(struct taking *taking, char *line)
{
	char *word = line + strspn(line, " \t"), *rest;

	taking->line++;
	if (!*word || *word == '#')
		return 0;
	rest = word + strcspn(word, " \t");
	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (!strcmp(word, "model"))
		return take_model(taking, rest);
	if (!strcmp(word, "metric"))
		return take_name(taking, rest);
	return take_part(taking, word, rest);
}

int formula_files_take(struct formula_files *files, const char *name,
		       char *text)
{
	struct taking taking = { .files = files, .name = name, .model = -1 };
	char *line;

	while ((line = strsep(&text, "\n"))) {
		line[strcspn(line, "\r")] = '\0';
		if (take_line(&taking, line))
			return -1;
	}
	return 0;
}

/* The text of a file, to be freed. NULL after a message. */
static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(FILE_BYTES_MAX + 1) : NULL, *shrunk;
	size_t len = text ? fread(text, 1, FILE_BYTES_MAX + 1, file) : 0;

	if (!text || ferror(file))
		diag("%s: %s", path, strerror(errno));
	else if (len > FILE_BYTES_MAX)
		diag("%s: too large for a metric file", path);
	else
		text[len] = '\0';
	if (!text || ferror(file) || len > FILE_BYTES_MAX) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	shrunk = text ? realloc(text, len + 1) : NULL;
	return shrunk ? shrunk : text;
}

static int read_file(struct formula_files *files, const char *path)
{
	char **grown = reallocarray(files->texts, files->text_count + 1,
				    sizeof(*grown));
	char *text;

	if (!grown)
		return diag("out of memory");
	files->texts = grown;
	text = read_text(path);
	if (!text)
		return -1;
	grown[files->text_count++] = text;
	return formula_files_take(files, path, text);
}

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && !strchr(entry->d_name, '~');
}

static int read_folder(struct formula_files *files, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_file, alphasort), ret = 0;
	char path[PATH_MAX + 300];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (!ret)
			ret = read_file(files, path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ret;
}

int formula_files_read(struct formula_files *files)
{
	char path[PATH_MAX];

	*files = (struct formula_files){ 0 };
	folder_of_user(path, sizeof(path), "formulas");
	if (read_folder(files, path))
		return -1;
	folder_of_pfmon(path, sizeof(path), "formulas", "PFMON_FORMULAS");
	return read_folder(files, path);
}

void formula_files_free(struct formula_files *files)
{
	for (size_t i = 0; i < files->text_count; i++)
		free(files->texts[i]);
	free(files->texts);
	free(files->metrics);
	*files = (struct formula_files){ 0 };
}

const struct formula_metric *
formula_files_find(const struct formula_files *files, const char *name,
		   const char *core)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct formula_metric *metric = &files->metrics[i];

		if (!strcasecmp(metric->name, name) &&
		    (!*metric->core || !*core || !strcmp(metric->core, core)))
			return metric;
	}
	return NULL;
}

bool formula_metric_is_in(const struct formula_metric *metric,
			  const char *group)
{
	const char *word = metric->groups;
	size_t wanted = strlen(group);

	while (*word) {
		size_t len = strcspn(word, " \t");

		if (len == wanted && !strncasecmp(word, group, len))
			return true;
		word += len;
		word += strspn(word, " \t");
	}
	return false;
}
