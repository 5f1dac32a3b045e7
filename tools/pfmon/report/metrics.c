// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of a report, see report.h. */
#include <string.h>

#include "metrics/expression.h"
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

bool report_metric(const struct report *report, int metric, double *value)
{
	return whole(report) &&
	       expression_value(report->metrics[metric].expression, look_up,
				(void *)(uintptr_t)report,
				value) == EXPRESSION_DONE;
}
