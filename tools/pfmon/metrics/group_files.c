// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where groups are: a folder of the user's, then those that came with pfmon, in
 * which each model can have a folder beside the one for all.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/tables.h"
#include "metrics/folders.h"
#include "metrics/formula_choice.h"
#include "metrics/groups.h"

#define TEXT_MAX 65536
#define FOLDERS 3

struct folders {
	char list[FOLDERS][PATH_MAX];
};

/* "Intel Core" is intel-core as a folder. */
static void model_folder(char *name, size_t size)
{
	const char *model = tables_pmu();

	snprintf(name, size, "%s", model ? model : "none");
	for (; *name; name++)
		*name = isalnum((unsigned char)*name) ?
				(char)tolower((unsigned char)*name) :
				'-';
}

static void find_folders(struct folders *folders)
{
	char shared[PATH_MAX - 80], model[64];

	model_folder(model, sizeof(model));
	folder_of_pfmon(shared, sizeof(shared), "groups", "PFMON_GROUPS");
	folder_of_user(folders->list[0], PATH_MAX, "groups");
	snprintf(folders->list[1], PATH_MAX, "%s/%s", shared, model);
	snprintf(folders->list[2], PATH_MAX, "%s/all", shared);
}

static bool is_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)name[i]) && name[i] != '_' &&
		    name[i] != '-')
			return false;
	}
	return len;
}

/* The text of a group, to be freed; NULL if it is not there. */
static char *read_group(const char *folder, const char *name)
{
	char path[PATH_MAX], *text;
	size_t len;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path))
		return NULL;
	file = fopen(path, "re");
	if (!file)
		return NULL;
	text = calloc(1, TEXT_MAX);
	len = text ? fread(text, 1, TEXT_MAX - 1, file) : 0;
	fclose(file);
	if (len)
		return text;
	free(text);
	return NULL;
}

/* 1: the model has none of this name. */
static int choose_one(struct group_choice *choice, const char *name)
{
	struct folders folders;
	bool there = false;

	find_folders(&folders);
	for (int i = 0; i < FOLDERS; i++) {
		char *text = read_group(folders.list[i], name);
		int ret;

		if (!text)
			continue;
		there = true;
		ret = groups_parse(choice, name, text, NULL);
		free(text);
		if (ret <= 0)
			return ret;
	}
	if (there)
		return diag("group %s: %s has not its events", name,
			    tables_pmu());
	return diag("group %s: there is none; see pfmon list --groups", name);
}

static int for_each_word(struct group_choice *choice, const char *names,
			 int (*choose)(struct group_choice *, const char *))
{
	for (;;) {
		size_t len = strcspn(names, ",");
		char name[80];

		if (!is_name(names, len) || len >= sizeof(name))
			return diag(
				"-g, -M %s: a list of names, separated by commas, is expected",
				names);
		memcpy(name, names, len);
		name[len] = '\0';
		if (choose(choice, name))
			return -1;
		if (!names[len])
			return 0;
		names += len + 1;
	}
}

int groups_choose(struct group_choice *choice, const char *names)
{
	int ret = for_each_word(choice, names, choose_one);

	if (choice->formulas)
		formula_set_thresholds(choice->formulas);
	return ret;
}

static int is_group(const struct dirent *entry)
{
	return is_name(entry->d_name, strlen(entry->d_name));
}

/* Calls act for each group of each folder, until it returns no 1. */
static int for_each_group(int (*act)(const char *name, const char *text,
				     void *arg),
			  void *arg)
{
	struct folders folders;
	int ret = 1;

	find_folders(&folders);
	for (int i = 0; i < FOLDERS && ret > 0; i++) {
		struct dirent **entries;
		int count =
			scandir(folders.list[i], &entries, is_group, alphasort);

		for (int j = 0; j < count; j++) {
			char *text = ret > 0 ? read_group(folders.list[i],
							  entries[j]->d_name) :
					       NULL;

			if (text)
				ret = act(entries[j]->d_name, text, arg);
			free(text);
			free(entries[j]);
		}
		if (count >= 0)
			free(entries);
	}
	return ret;
}

struct metric_search {
	struct group_choice *choice;
	const char *metric;
};

static int search(const char *name, const char *text, void *arg)
{
	const struct metric_search *search = arg;

	return groups_parse(search->choice, name, text, search->metric);
}

static int choose_metric(struct group_choice *choice, const char *metric)
{
	struct metric_search search_for = { choice, metric };
	int ret = for_each_group(search, &search_for);

	if (ret > 0)
		ret = formula_choose(choice, metric);
	if (ret <= 0)
		return ret;
	return diag(
		"metric %s: no group of this processor has it, nor its metric files; see pfmon list --groups and --metrics",
		metric);
}

int groups_choose_metrics(struct group_choice *choice, const char *names)
{
	int ret = for_each_word(choice, names, choose_metric);

	if (choice->formulas)
		formula_set_thresholds(choice->formulas);
	return ret;
}

void groups_free(struct group_choice *choice)
{
	formula_set_free(choice->formulas);
	choice->formulas = NULL;
}

/* The text behind "short". */
static void print_short(const char *text, FILE *out)
{
	const char *line =
		strncmp(text, "short ", 6) ? strstr(text, "\nshort ") : text;

	if (!line)
		return;
	line += *line == '\n';
	line += strlen("short ");
	fprintf(out, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static int print_group(const char *name, const char *text, void *arg)
{
	struct group_choice choice = { .metric_count = 0 };
	FILE *out = arg;

	int ret;

	diag_quiet(true);
	ret = groups_parse(&choice, name, text, NULL);
	diag_quiet(false);
	if (!ret) {
		fprintf(out, "%-16s ", name);
		print_short(text, out);
		fputc('\n', out);
		for (int i = 0; i < choice.metric_count; i++)
			fprintf(out, "    %-24s %s\n", choice.metrics[i].name,
				choice.metrics[i].unit);
	}
	groups_free(&choice);
	return 1;
}

int groups_list(FILE *out)
{
	for_each_group(print_group, out);
	return 0;
}
