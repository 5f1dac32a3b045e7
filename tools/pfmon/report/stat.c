// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text of pfmon stat: first what part was counted, then a line for each event
 * with its native name and what can be said of it, then the times.
 */
#include <inttypes.h>
#include <string.h>

#include "report/cells.h"
#include "report/plain.h"
#include "report/regions.h"

#define NS_PER_S 1e9

static void write_coverage(const struct report *report, FILE *out)
{
	char summary[128], note[256];

	if (coverage_is_exact(&report->coverage))
		fprintf(out, " counted: %s\n",
			coverage_summary(&report->coverage, summary,
					 sizeof(summary)));
	else
		fprintf(out, " NOT ALL COUNTED: %s\n",
			coverage_note(&report->coverage, report->advice, note,
				      sizeof(note)));
	if (coverage_kinds(&report->coverage, note, sizeof(note)))
		fprintf(out, " of that: %s\n", note);
}

/* What follows the number sign; nothing if there is nothing to tell. */
static void write_remark(const struct report *report,
			 const struct report_row *row, int i, FILE *out)
{
	const struct report_event *event = &report->events[i];
	char estimate[CELL_ESTIMATE];
	double value;

	cell_estimate(report, row, i, estimate, sizeof(estimate));
	if (cell_per_cycle(report, row, i, &value))
		fprintf(out, " # %6.3f per cycle%s%s", value,
			estimate[0] ? ", " : "", estimate);
	else if (estimate[0])
		fprintf(out, " # %s", estimate);
	else if (event->meaning == MEANS_TIME && report_time(report) &&
		 row->scope == SCOPE_TOTAL)
		fprintf(out, " # %6.3f CPUs used",
			(double)row->counts[i] / (double)report_time(report));
}

static void write_who(const struct report *report, const struct report_row *row,
		      FILE *out)
{
	char who[64], comm[32];

	if (report->row_count == 1 && row->scope == SCOPE_TOTAL)
		return;
	switch (row->scope) {
	case SCOPE_TOTAL:
		strcpy(who, "total");
		break;
	case SCOPE_CPU:
		snprintf(who, sizeof(who), "CPU%d", row->cpu);
		break;
	case SCOPE_CORE:
	case SCOPE_DIE:
	case SCOPE_SOCKET:
	case SCOPE_NODE:
		snprintf(who, sizeof(who), "%-12s %5d", row->place, row->cpus);
		break;
	case SCOPE_THREAD:
		snprintf(who, sizeof(who), "%s-%d",
			 plain(row->comm, comm, sizeof(comm)), row->tid);
		break;
	case SCOPE_PROCESS:
		snprintf(who, sizeof(who), "%s-%d",
			 plain(row->comm, comm, sizeof(comm)), row->pid);
		break;
	}
	fprintf(out, "%-22s", who);
}

static void write_row(const struct report *report, const struct report_row *row,
		      const struct report_style *style, FILE *out)
{
	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];
		char number[CELL_NUMBER], spread[32];

		if (!cell_is_own(report, row, i))
			continue;
		if (style->timed)
			fprintf(out, "%16.9f ",
				(double)report->elapsed_ns / NS_PER_S);
		write_who(report, row, out);
		fprintf(out, "%18s %-2s   %-23s",
			cell_count(row, i, style->digits, number), event->unit,
			event->name);
		if (report->spreads)
			fprintf(out, " %-9s",
				cell_spread(report, i, spread, sizeof(spread)));
		if (strcasecmp(event->name, event->native) != 0)
			fprintf(out, " %-28s", event->native);
		write_remark(report, row, i, out);
		fputc('\n', out);
	}
}

/* Nothing of a metric that has no value. */
static void write_metrics(const struct report *report,
			  const struct report_style *style, FILE *out)
{
	for (int i = 0; i < report->metric_count; i++) {
		const struct metric *metric = &report->metrics[i];
		char estimate[CELL_ESTIMATE];
		double value;
		bool above;

		if (!report_metric(report, i, &value))
			continue;
		if (style->timed)
			fprintf(out, "%16.9f ",
				(double)report->elapsed_ns / NS_PER_S);
		if (report->row_count > 1)
			fprintf(out, "%-22s", "total");
		fprintf(out, "%18.4f      %-23s %s", value, metric->name,
			metric->unit);
		above = report_metric_exceeds(report, i);
		report_metric_estimate(report, i, estimate, sizeof(estimate));
		if (above || *estimate)
			fprintf(out, " # %s%s%s",
				above ? "above its threshold" : "",
				above && *estimate ? ", " : "", estimate);
		fputc('\n', out);
	}
}

static void write_times(const struct report *report, FILE *out)
{
	if (report->spreads)
		fprintf(out, " %u runs, the last of them:\n", report->run);
	fprintf(out, "%13.6f s elapsed", (double)report->elapsed_ns / NS_PER_S);
	if (report->command)
		fprintf(out, "%13.6f s user%13.6f s sys",
			(double)report->user_ns / NS_PER_S,
			(double)report->sys_ns / NS_PER_S);
	fputc('\n', out);
}

void report_stat(const struct report *report, const struct report_style *style,
		 FILE *out)
{
	if (report->regions) {
		report_regions_text(report, style, out);
		return;
	}
	if (!style->timed)
		write_coverage(report, out);
	for (int i = 0; i < report->row_count; i++)
		write_row(report, &report->rows[i], style, out);
	write_metrics(report, style, out);
	if (!style->timed)
		write_times(report, out);
}
