// SPDX-License-Identifier: GPL-2.0-only
/* The metrics that were chosen, see formula_set.h. */
#include "metrics/formula_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "metrics/formula_events.h"

/* A metric of a metric of a metric. */
#define PARTS_DEPTH_MAX 48
#define TEXT_SIZE 320

/* The metrics that are being added, each a part of the one before. */
struct adding {
	struct formula_set *set;
	const struct formula_metric *path[PARTS_DEPTH_MAX];
	int depth;
};

static int lacks(struct formula_set *set, const char *what, const char *why)
{
	snprintf(set->missing, sizeof(set->missing), "%s: %s", what, why);
	return -1;
}

struct formula_set *formula_set_new(bool core_wide)
{
	struct formula_set *set = calloc(1, sizeof(*set));

	if (!set) {
		diag("out of memory");
		return NULL;
	}
	set->core_wide = core_wide;
	if (!formula_files_read(&set->files))
		return set;
	formula_set_free(set);
	return NULL;
}

/* Those behind the first ones, which remain. */
static void drop(struct formula_set *set, int entries, int events)
{
	while (set->count > entries) {
		formula_free(set->entries[--set->count].formula);
		formula_free(set->entries[set->count].threshold);
	}
	while (set->event_count > events)
		free(set->events[--set->event_count]);
}

void formula_set_clear(struct formula_set *set)
{
	drop(set, 0, 0);
}

void formula_set_free(struct formula_set *set)
{
	if (!set)
		return;
	drop(set, 0, 0);
	for (size_t i = 0; i < set->tried_count; i++)
		free(set->tried[i].text);
	free(set->tried);
	formula_files_free(&set->files);
	free(set);
}

/* Metrics of one model name the same events again and again. */
static int sources_of(struct formula_set *set, const char *text)
{
	struct formula_tried *grown;
	const char *why;
	size_t i;

	for (i = 0; i < set->tried_count; i++)
		if (!strcmp(set->tried[i].text, text))
			return set->tried[i].sources;
	grown = reallocarray(set->tried, i + 1, sizeof(*grown));
	if (!grown)
		return 0;
	set->tried = grown;
	grown[i].text = strdup(text);
	if (!grown[i].text)
		return 0;
	grown[i].sources = formula_event_sources(text, &why);
	set->tried_count++;
	return grown[i].sources;
}

/* What does not change while events are counted. */
static bool constant(const struct formula_node *node, double *value, void *arg)
{
	struct formula_set *set = arg;
	char text[TEXT_SIZE];

	switch (node->op) {
	case FORMULA_LITERAL:
		return formula_literal(node->name, set->core_wide, value);
	case FORMULA_IS_CPU:
		*value = formula_is_cpu(node->name);
		return true;
	case FORMULA_HAS_EVENT:
	case FORMULA_SOURCE_COUNT:
		*value = formula_event_spell(node->name, "", false, text,
					     sizeof(text)) ?
				 sources_of(set, text) :
				 0;
		if (node->op == FORMULA_HAS_EVENT)
			*value = *value > 0;
		return true;
	default:
		return false;
	}
}

static int bind_event(struct formula_set *set, struct formula_node *node,
		      const char *core, bool all_levels)
{
	const char *why;
	char text[TEXT_SIZE];
	int i;

	if (!formula_event_spell(node->name, core, all_levels, text,
				 sizeof(text)))
		return lacks(set, node->name, "too long");
	if (!sources_of(set, text)) {
		formula_event_sources(text, &why);
		return lacks(set, text, why);
	}
	for (i = 0; i < set->event_count; i++)
		if (!strcmp(set->events[i], text))
			break;
	if (i == FORMULA_EVENTS_MAX)
		return lacks(set, text, "too many events together");
	if (i == set->event_count) {
		set->events[i] = strdup(text);
		if (!set->events[i])
			return lacks(set, text, "out of memory");
		set->cluster[i] = set->clusters;
		set->event_count++;
	}
	node->c = EVENT;
	node->a = i;
	return 0;
}

static int add_metric(struct adding *adding,
		      const struct formula_metric *metric);

static int bind_name(struct adding *adding, struct formula_node *node,
		     const struct formula_metric *metric)
{
	const struct formula_metric *part;

	if (!strcmp(node->name, "duration_time") ||
	    !strcmp(node->name, "TSC")) {
		node->c = *node->name == 'd' ? SECONDS : CYCLES;
		return 0;
	}
	part = formula_files_find(&adding->set->files, node->name,
				  metric->core);
	if (part) {
		node->c = METRIC;
		node->a = add_metric(adding, part);
		return node->a < 0 ? -1 : 0;
	}
	return bind_event(adding->set, node, metric->core,
			  strstr(metric->text, ":k") ||
				  strstr(metric->text, ":u"));
}

static int bind_node(struct adding *adding, struct formula_node *node,
		     const struct formula_metric *metric)
{
	if (!node->name)
		return 0;
	if (node->op == FORMULA_NAME)
		return bind_name(adding, node, metric);
	if (!constant(node, &node->number, adding->set))
		return lacks(adding->set, node->name, "not known here");
	node->c = CONSTANT;
	return 0;
}

static int bind_all(struct adding *adding, struct formula *formula,
		    const struct formula_metric *metric)
{
	bool needed[FORMULA_NODES_MAX];

	formula_needs(formula, constant, adding->set, needed);
	for (int i = 0; i < formula->count; i++)
		if (needed[i] && bind_node(adding, &formula->nodes[i], metric))
			return -1;
	return 0;
}

/* A metric that is a part of itself would have no end. */
static int check_path(struct adding *adding,
		      const struct formula_metric *metric)
{
	if (adding->depth == PARTS_DEPTH_MAX)
		return lacks(adding->set, metric->name,
			     "too many metrics are made of each other");
	for (int i = 0; i < adding->depth; i++)
		if (adding->path[i] == metric)
			return lacks(adding->set, metric->name,
				     "the metric is a part of itself");
	adding->path[adding->depth++] = metric;
	return 0;
}

static int add_metric(struct adding *adding,
		      const struct formula_metric *metric)
{
	struct formula_set *set = adding->set;
	struct formula *formula;
	const char *why;

	for (int i = 0; i < set->count; i++)
		if (set->entries[i].metric == metric)
			return i;
	if (check_path(adding, metric))
		return -1;
	formula = formula_parse(metric->text, &why);
	if (!formula)
		return lacks(set, metric->name, why);
	if (bind_all(adding, formula, metric)) {
		formula_free(formula);
		return -1;
	}
	adding->depth--;
	if (set->count == FORMULA_ENTRIES_MAX) {
		formula_free(formula);
		return lacks(set, metric->name, "too many metrics together");
	}
	set->entries[set->count] = (struct formula_entry){
		.metric = metric,
		.formula = formula,
	};
	return set->count++;
}

int formula_set_add(struct formula_set *set,
		    const struct formula_metric *metric)
{
	struct adding adding = { .set = set };
	int entries = set->count, events = set->event_count, number;

	set->clusters++;
	number = add_metric(&adding, metric);
	if (number < 0)
		drop(set, entries, events);
	return number;
}

/* Only of chosen metrics: a threshold adds no event. */
static void bind_threshold(struct formula_set *set,
			   const struct formula_metric *metric,
			   struct formula_node *node)
{
	if (!node->name || node->op != FORMULA_NAME) {
		if (node->name && constant(node, &node->number, set))
			node->c = CONSTANT;
		return;
	}
	for (int i = 0; i < set->count; i++) {
		const struct formula_metric *other = set->entries[i].metric;

		if (strcasecmp(other->name, node->name) != 0 ||
		    strcmp(other->core, metric->core) != 0)
			continue;
		node->c = METRIC;
		node->a = i;
		return;
	}
}

void formula_set_thresholds(struct formula_set *set)
{
	const char *why;

	for (int i = 0; i < set->count; i++) {
		struct formula_entry *entry = &set->entries[i];

		if (!*entry->metric->threshold || entry->threshold)
			continue;
		entry->threshold =
			formula_parse(entry->metric->threshold, &why);
		for (int j = 0; entry->threshold && j < entry->threshold->count;
		     j++)
			bind_threshold(set, entry->metric,
				       &entry->threshold->nodes[j]);
	}
}

int formula_set_cluster(const struct formula_set *set, const char *event)
{
	for (int i = 0; i < set->event_count; i++)
		if (!strcmp(set->events[i], event))
			return set->cluster[i];
	return 0;
}
