// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of a report, see report.h. */
#include <string.h>

#include "metrics/expression.h"
#include "metrics/formula_set.h"
#include "report/cells.h"

static bool is(const char *word, const char *name, size_t len)
{
	return strlen(word) == len && !strncmp(word, name, len);
}

static const struct report_row *whole(const struct report *report)
{
	for (int i = 0; i < report->row_count; i++) {
		if (report->rows[i].scope == SCOPE_TOTAL)
			return &report->rows[i];
	}
	return NULL;
}

static enum expression_end look_up(const char *name, size_t len, double *value,
				   void *arg)
{
	const struct report *report = arg;
	const struct report_row *row = whole(report);

	if (is("time", name, len))
		*value = (double)report_time(report) / 1e9;
	else if (is("cpu_hz", name, len))
		*value = report->cpu_hz;
	for (int i = 0; i < report->event_count; i++) {
		if (!is(report->events[i].given, name, len))
			continue;
		if (!cell_is_own(report, row, i) || !cell_is_seen(row, i))
			return EXPRESSION_NO_VALUE;
		*value = (double)row->counts[i];
	}
	return EXPRESSION_DONE;
}

/* An event of a formula. */
static bool look_up_event(const char *text, double *count, void *arg)
{
	const struct report *report = arg;
	const struct report_row *row = whole(report);

	for (int i = 0; i < report->event_count; i++) {
		if (strcmp(report->events[i].given, text) != 0)
			continue;
		*count = (double)row->counts[i];
		return cell_is_own(report, row, i) && cell_is_seen(row, i);
	}
	return false;
}

static struct formula_counts counts_of(const struct report *report)
{
	return (struct formula_counts){
		.event = look_up_event,
		.arg = (void *)(uintptr_t)report,
		.seconds = (double)report_time(report) / 1e9,
		.hz = report->cpu_hz,
	};
}

static bool is_formula(const struct report *report, int metric)
{
	return report->formulas && !*report->metrics[metric].expression;
}

bool report_metric(const struct report *report, int metric, double *value)
{
	struct formula_counts counts = counts_of(report);

	if (!whole(report))
		return false;
	if (is_formula(report, metric))
		return formula_set_value(report->formulas,
					 report->metrics[metric].formula,
					 &counts, value);
	return expression_value(report->metrics[metric].expression, look_up,
				(void *)(uintptr_t)report,
				value) == EXPRESSION_DONE;
}

bool report_metric_exceeds(const struct report *report, int metric)
{
	struct formula_counts counts = counts_of(report);

	return whole(report) && is_formula(report, metric) &&
	       formula_set_exceeds(report->formulas,
				   report->metrics[metric].formula, &counts);
}

/* How far the events of a metric were seen. */
struct seen {
	const struct report *report;
	double least;
	uint64_t sets; /* a bit each */
};

static void see(struct seen *seen, const char *text, size_t len)
{
	const struct report_row *row = whole(seen->report);

	for (int i = 0; row && i < seen->report->event_count; i++) {
		if (!is(seen->report->events[i].given, text, len) ||
		    !row->estimates || estimate_is_exact(&row->estimates[i]))
			continue;
		if (seen->least > row->estimates[i].seen)
			seen->least = row->estimates[i].seen;
		seen->sets |= UINT64_C(1) << (seen->report->events[i].set & 63);
	}
}

static void see_event(const char *text, void *arg)
{
	see(arg, text, strlen(text));
}

static enum expression_end see_name(const char *name, size_t len, double *value,
				    void *arg)
{
	see(arg, name, len);
	*value = 1;
	return EXPRESSION_DONE;
}

int report_metric_sets(const struct report *report, int metric, double *least)
{
	struct seen seen = { .report = report, .least = 1 };
	double unused;

	if (is_formula(report, metric))
		formula_set_each_event(report->formulas,
				       report->metrics[metric].formula,
				       see_event, &seen);
	else
		expression_value(report->metrics[metric].expression, see_name,
				 &seen, &unused);
	*least = seen.least;
	return __builtin_popcountll(seen.sets);
}

char *report_metric_estimate(const struct report *report, int metric,
			     char *text, size_t size)
{
	double least;
	int sets = report_metric_sets(report, metric, &least);

	text[0] = '\0';
	if (sets > 1)
		snprintf(text, size, "estimate of %d sets, seen %.1f %%", sets,
			 100 * least);
	else if (sets)
		snprintf(text, size, "estimate, seen %.1f %%", 100 * least);
	return text;
}
