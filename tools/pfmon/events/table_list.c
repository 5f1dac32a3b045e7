// SPDX-License-Identifier: GPL-2.0-only
/* The lists that pfmon -l and -L print, see tables.h. */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/pattern.h"
#include "events/tables.h"

/* Longer than any name of an event with one unit mask. */
#define NAME_MAX_LEN 256

struct listing {
	const regex_t *pattern; /* NULL: everything matches */
	FILE *out;
	bool json;
	int lines;
};

/* Names and descriptions are ASCII; only these two have to be marked. */
static void write_string(const char *text, FILE *out)
{
	fputc('"', out);
	for (; text && *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	fputc('"', out);
}

static void write_object(const struct listing *list, const char *name,
			 const char *text)
{
	fputs(list->lines ? ",\n  {\"event\": " : "[\n  {\"event\": ",
	      list->out);
	write_string(name, list->out);
	fputs(", \"description\": ", list->out);
	write_string(text, list->out);
	fputc('}', list->out);
}

static void list_name(struct listing *list, const char *name, const char *text)
{
	if (list->pattern && regexec(list->pattern, name, 0, NULL, 0))
		return;
	if (list->json)
		write_object(list, name, text);
	else
		fprintf(list->out, "%-48s  %s\n", name, text ? text : "");
	list->lines++;
}

static void list_mask(struct listing *list, unsigned int event,
		      unsigned int mask)
{
	pfmlib_event_t found = { .event = event, .num_masks = 1 };
	char name[NAME_MAX_LEN], *text = NULL;

	found.unit_masks[0] = mask;
	if (pfm_get_full_event_name(&found, name, sizeof(name)) !=
	    PFMLIB_SUCCESS)
		return;
	pfm_get_event_mask_description(event, mask, &text);
	list_name(list, name, text);
	free(text);
}

/* One line for each unit mask; an event without any gets one line. */
static void list_event(struct listing *list, unsigned int event)
{
	char name[NAME_MAX_LEN], *text = NULL;
	unsigned int num_masks = 0;

	pfm_get_num_event_masks(event, &num_masks);
	for (unsigned int mask = 0; mask < num_masks; mask++)
		list_mask(list, event, mask);
	if (num_masks ||
	    pfm_get_event_name(event, name, sizeof(name)) != PFMLIB_SUCCESS)
		return;
	pfm_get_event_description(event, &text);
	list_name(list, name, text);
	free(text);
}

static int list_current(struct listing *list)
{
	unsigned int num = 0;

	if (!tables_pmu())
		return diag(
			"no events are known for this processor; choose a model with --pmu, pfmon -I lists them");
	pfm_get_num_events(&num);
	for (unsigned int event = 0; event < num; event++)
		list_event(list, event);
	return 0;
}

static int list_matching(struct listing *list, const char *pattern)
{
	const char *wrong;
	regex_t compiled;
	int ret;

	if (!pattern)
		return list_current(list);
	wrong = pattern_compile(pattern, &compiled);
	if (wrong)
		return diag("-l %s: %s", pattern, wrong);
	list->pattern = &compiled;
	ret = list_current(list);
	regfree(&compiled);
	if (!ret && !list->lines)
		ret = diag("-l %s: no event of %s matches; pfmon -l lists all",
			   pattern, tables_pmu());
	return ret;
}

int tables_list_events(const char *pattern, FILE *out)
{
	struct listing list = { .out = out };

	return list_matching(&list, pattern);
}

int tables_list_json(const char *pattern, FILE *out)
{
	struct listing list = { .out = out, .json = true };
	int ret = list_matching(&list, pattern);

	if (!ret)
		fputs("\n]\n", out);
	return ret;
}

int tables_list_pmus(FILE *out)
{
	char name[64];

	for (int type = 0; type <= TABLES_LAST_TYPE; type++) {
		if (pfm_get_pmu_name_bytype(type, name, sizeof(name)) ==
		    PFMLIB_SUCCESS)
			fprintf(out, "%3d  %s%s\n", type, name,
				tables_pmu() && type == tables_type() ?
					" (in use)" :
					"");
	}
	return 0;
}
