// SPDX-License-Identifier: GPL-2.0-only
/* The choice of metrics by name and by group, and their list: see formula_choice.h. */
#include "metrics/formula_choice.h"

#include <regex.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/pattern.h"
#include "events/tables.h"
#include "events/terms.h"

/* The number in front of a unit is a factor, which the value has. */
static const char *unit_of(const struct formula_metric *metric)
{
	const char *unit = metric->unit + strspn(metric->unit, "0123456789.");

	if (unit > metric->unit && *unit == 'e') {
		size_t sign = 1 + (unit[1] == '-' || unit[1] == '+');
		size_t digits = strspn(unit + sign, "0123456789");

		if (digits)
			unit += sign + digits;
	}
	return unit;
}

/* A list of events has the commas of terms, too. */
static bool has_event(const char *list, const char *event)
{
	size_t wanted = strlen(event);

	while (*list) {
		size_t len = terms_length(list);

		if (len == wanted && !strncmp(list, event, len))
			return true;
		list += len;
		list += strspn(list, ",;{}");
	}
	return false;
}

static bool add_event(struct group_choice *choice, const char *event)
{
	size_t used = strlen(choice->events), len = strlen(event);

	if (has_event(choice->events, event))
		return true;
	if (used + len + 2 > sizeof(choice->events))
		return false;
	if (used)
		choice->events[used++] = strchr(choice->events, ';') ? ';' :
								       ',';
	strcpy(choice->events + used, event);
	return true;
}

/* The metric is among the entries. */
static int take(struct group_choice *choice, int number)
{
	const struct formula_set *set = choice->formulas;
	const struct formula_metric *source = set->entries[number].metric;
	struct metric *metric = &choice->metrics[choice->metric_count];

	for (int i = 0; i < choice->metric_count; i++)
		if (!*choice->metrics[i].expression &&
		    choice->metrics[i].formula == number)
			return 0;
	if (choice->metric_count == GROUP_METRICS_MAX)
		return diag("metric %s: too many metrics together",
			    source->name);
	for (int i = 0; i < set->event_count; i++)
		if (!add_event(choice, set->events[i]))
			return diag("metric %s: too many events together",
				    source->name);
	*metric = (struct metric){ .formula = number };
	snprintf(metric->name, sizeof(metric->name), "%s", source->name);
	snprintf(metric->unit, sizeof(metric->unit), "%s", unit_of(source));
	choice->metric_count++;
	return 0;
}

int formula_choose(struct group_choice *choice, const char *name)
{
	struct formula_set *set;
	int found = 0, taken = 0;

	if (!choice->formulas)
		choice->formulas = formula_set_new(choice->all_cpus);
	set = choice->formulas;
	if (!set)
		return -1;
	for (size_t i = 0; i < set->files.count; i++) {
		const struct formula_metric *metric = &set->files.metrics[i];
		int number;

		/* The user's is before the other one of its name. */
		if ((strcasecmp(metric->name, name) != 0 &&
		     !formula_metric_is_in(metric, name)) ||
		    formula_files_find(&set->files, metric->name,
				       metric->core) != metric)
			continue;
		found++;
		number = formula_set_add(set, metric);
		if (number < 0)
			diag("%smetric %s cannot be computed here: %s",
			     strcasecmp(metric->name, name) ? "note: " : "",
			     metric->name, set->missing);
		else if (take(choice, number))
			return -1;
		taken += number >= 0;
	}
	if (!found)
		return 1;
	return taken ? 0 : -1;
}

static void print(struct formula_set *set, const struct formula_metric *metric,
		  FILE *out)
{
	const char *unit = unit_of(metric);
	int number = formula_set_add(set, metric);

	fprintf(out, "%-40s %s%s%s", metric->name, metric->core,
		*metric->core ? " " : "", unit);
	if (*metric->groups)
		fprintf(out, " [%s]", metric->groups);
	fprintf(out, "\n    %s\n", metric->about);
	if (number < 0)
		fprintf(out, "    not here: %s\n", set->missing);
	/* Each is looked at by itself. */
	formula_set_clear(set);
}

int formula_list(const char *pattern, FILE *out)
{
	struct formula_set *set = formula_set_new(false);
	const char *wrong;
	regex_t regex;
	int listed = 0;

	if (!set)
		return -1;
	wrong = pattern_compile(pattern ? pattern : "", &regex);
	if (wrong) {
		formula_set_free(set);
		return diag("--metrics %s: %s", pattern, wrong);
	}
	for (size_t i = 0; i < set->files.count; i++) {
		const struct formula_metric *metric = &set->files.metrics[i];

		if (regexec(&regex, metric->name, 0, NULL, 0) &&
		    regexec(&regex, metric->groups, 0, NULL, 0))
			continue;
		print(set, metric, out);
		listed++;
	}
	regfree(&regex);
	formula_set_free(set);
	if (listed)
		return 0;
	return diag("--metrics%s%s: this processor has none of this name",
		    pattern ? " " : "", pattern ? pattern : "");
}
