// SPDX-License-Identifier: GPL-2.0-only
/* The text of groups, see groups.h. Where the files are is in group_files.c. */
#include "metrics/groups.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "metrics/expression.h"
#include "metrics/formula_choice.h"

#define LINE_MAX_BYTES 1024
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A group that is being read. */
struct reader {
	struct group_choice
		*choice; /* of all groups: formulas go there at once */
	const char *name; /* of the group */
	int line;
	const char *only; /* metric, NULL: all */
	struct group_choice taken; /* of the first events that the model has */
	bool has_events; /* a line of them is the one that is used */
	bool in_use; /* the metrics below belong to it */
	bool found; /* a metric that is wanted */
	bool has_formulas; /* of a metric file, in the place of events */
};

static int wrong(const struct reader *reader, const char *what)
{
	return diag("group %s: line %d: %s", reader->name, reader->line, what);
}

/* The next word of a line, which is cut there. NULL: there is none. */
static char *word(char **rest)
{
	char *begin = *rest + strspn(*rest, " \t");
	size_t len = strcspn(begin, " \t");

	if (!len)
		return NULL;
	*rest = begin + len;
	if (**rest)
		*(*rest)++ = '\0';
	return begin;
}

static bool model_has(const char *events)
{
	struct event_list list;
	bool has;

	diag_quiet(true);
	has = !events_parse(&list, events, LEVEL_USER);
	diag_quiet(false);
	events_free(&list);
	return has;
}

/* Several lines are for several models: the first that fits is used. */
static int take_events(struct reader *reader, char *rest)
{
	const char *events = word(&rest);

	if (!events || word(&rest))
		return wrong(reader,
			     "events: one list without spaces is expected");
	reader->in_use = !reader->has_events && !reader->has_formulas &&
			 model_has(events);
	if (!reader->in_use)
		return 0;
	if (strlen(events) >= sizeof(reader->taken.events))
		return wrong(reader, "events: too many");
	strcpy(reader->taken.events, events);
	reader->has_events = true;
	return 0;
}

/* Whether a list of events has this one, as it is written. */
static bool list_has(const char *list, const char *name, size_t len)
{
	while (*list) {
		size_t item = strcspn(list, ",;{}");

		if (item == len && !strncmp(list, name, len))
			return true;
		list += item;
		list += strspn(list, ",;{}");
	}
	return false;
}

static enum expression_end known(const char *name, size_t len, double *value,
				 void *arg)
{
	const struct reader *reader = arg;
	static const char *const others[] = { "time", "cpu_hz" };

	*value = 1;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (strlen(others[i]) == len && !strncmp(others[i], name, len))
			return EXPRESSION_DONE;
	}
	return list_has(reader->taken.events, name, len) ? EXPRESSION_DONE :
							   EXPRESSION_WRONG;
}

static bool copy(char *to, size_t size, const char *from)
{
	return from && snprintf(to, size, "%s", from) < (int)size;
}

/* "NAME UNIT = EXPRESSION" */
static int take_metric(struct reader *reader, char *rest)
{
	struct group_choice *taken = &reader->taken;
	const char *name = word(&rest), *unit = word(&rest);
	const char *equals = word(&rest);
	struct metric *metric = &taken->metrics[taken->metric_count];
	double value;

	if (!reader->in_use)
		return 0;
	if (taken->metric_count == GROUP_METRICS_MAX)
		return wrong(reader, "too many metrics");
	if (!equals || strcmp(equals, "=") != 0 ||
	    !copy(metric->name, sizeof(metric->name), name) ||
	    !copy(metric->unit, sizeof(metric->unit), unit) ||
	    !copy(metric->expression, sizeof(metric->expression), rest))
		return wrong(reader,
			     "metric: NAME UNIT = EXPRESSION is expected");
	if (expression_value(metric->expression, known, reader, &value) ==
	    EXPRESSION_WRONG)
		return wrong(
			reader,
			"metric: no expression of the events above, time and cpu_hz");
	if (reader->only && strcasecmp(reader->only, name) != 0)
		return 0;
	reader->found = true;
	taken->metric_count++;
	return 0;
}

/*
 * The name of a formula of the metric files, or of a group there. The first that the
 * model has is used. Who wants one metric finds it there by its own name.
 */
static int take_formulas(struct reader *reader, char *rest)
{
	const char *formulas = word(&rest);
	int ret;

	if (!formulas || word(&rest))
		return wrong(reader, "formulas: one name is expected");
	reader->in_use = false;
	if (reader->has_events || reader->has_formulas || reader->only)
		return 0;
	ret = formula_choose(reader->choice, formulas);
	reader->has_formulas = !ret;
	return ret < 0 ? -1 : 0;
}

static int take_line(struct reader *reader, char *line)
{
	char *rest = line;
	const char *first = word(&rest);

	reader->line++;
	if (!first || *first == '#' || !strcmp(first, "short"))
		return 0;
	if (!strcmp(first, "events"))
		return take_events(reader, rest);
	if (!strcmp(first, "metric"))
		return take_metric(reader, rest);
	if (!strcmp(first, "formulas"))
		return take_formulas(reader, rest);
	return wrong(reader, "short, events, metric or formulas is expected");
}

static int take_lines(struct reader *reader, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\r\n");
		char line[LINE_MAX_BYTES];

		if (len >= sizeof(line))
			return wrong(reader, "too long");
		memcpy(line, text, len);
		line[len] = '\0';
		if (take_line(reader, line))
			return -1;
		text += len;
		text += *text == '\r';
		text += *text == '\n';
	}
	return 0;
}

static bool append(char *list, size_t size, char mark, const char *text,
		   size_t len)
{
	size_t used = strlen(list);

	if (used + len + 2 > size)
		return false;
	if (used)
		list[used++] = mark;
	memcpy(list + used, text, len);
	list[used + len] = '\0';
	return true;
}

/* Events that two groups share are counted once; sets are left as they are. */
static bool add_events(struct group_choice *choice, const char *events)
{
	if (strpbrk(events, ";{") || strpbrk(choice->events, ";"))
		return append(choice->events, sizeof(choice->events), ';',
			      events, strlen(events));
	while (*events) {
		size_t len = strcspn(events, ",");

		if (!list_has(choice->events, events, len) &&
		    !append(choice->events, sizeof(choice->events), ',', events,
			    len))
			return false;
		events += len + (events[len] == ',');
	}
	return true;
}

int groups_parse(struct group_choice *choice, const char *name,
		 const char *text, const char *metric)
{
	struct reader reader = { .choice = choice,
				 .name = name,
				 .only = metric };
	int first, count;

	if (take_lines(&reader, text))
		return -1;
	if (reader.has_formulas)
		return 0;
	first = choice->metric_count;
	if (!reader.has_events || (metric && !reader.found))
		return 1;
	count = reader.taken.metric_count;
	if (first + count > GROUP_METRICS_MAX ||
	    !add_events(choice, reader.taken.events))
		return diag("group %s: too many events or metrics together",
			    name);
	memcpy(&choice->metrics[first], reader.taken.metrics,
	       (size_t)count * sizeof(*choice->metrics));
	choice->metric_count += count;
	return 0;
}
