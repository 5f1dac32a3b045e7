// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two formats of fields: --csv with the names of its columns, and -x with
 * the fields of perf stat -x.
 */
#include <inttypes.h>
#include <string.h>

#include "report/cells.h"
#include "report/regions.h"

/* Columns are only ever added, at the end. */
static const char columns[] =
	"event,level,count,counter,selector,native,set,estimate,stderr,seen,"
	"scope,run,time_ns,unit,covered\n";

/* In the notation of C, whatever the locale; a whole is 1. */
static void write_share(double share, FILE *out)
{
	unsigned int millionths = (unsigned int)(share * 1e6 + 0.5);

	if (millionths == 1000000)
		fputc('1', out);
	else
		fprintf(out, "0.%06u", millionths);
}

static void write_csv_line(const struct report *report,
			   const struct report_row *row, int i, FILE *out)
{
	const struct report_event *event = &report->events[i];
	unsigned int permille = coverage_permille(&report->coverage);
	const struct estimate *estimate = row->estimates ? &row->estimates[i] :
							   NULL;
	char scope[32];

	cell_quoted(event->name, ",", out);
	fprintf(out, ",%s,%" PRIu64, event->level,
		estimate ? estimate->counted : row->counts[i]);
	if (event->has_counter)
		fprintf(out, ",pmd%u,0x%" PRIx64 ",", event->counter,
			event->selector);
	else
		fputs(",,,", out);
	cell_quoted(event->native, ",", out);
	fprintf(out, ",%d,", event->set);
	/* One set counts all the time: nothing is estimated. */
	if (estimate && estimate_is_seen(estimate))
		fprintf(out, "%" PRIu64, estimate->value);
	fputs(",,", out);
	write_share(estimate ? estimate->seen : 1, out);
	fprintf(out, ",%s,%u,%" PRIu64 ",%s,%u.%03u\n",
		cell_scope(report, row, scope, sizeof(scope)), report->run,
		report->elapsed_ns, event->unit, permille / 1000,
		permille % 1000);
}

void report_csv(const struct report *report, const struct report_style *style,
		FILE *out)
{
	if (report->regions) {
		report_regions_csv(report, style, out);
		return;
	}
	if (style->first)
		fputs(columns, out);
	for (int i = 0; i < report->row_count; i++) {
		const struct report_row *row = &report->rows[i];

		for (int event = 0; event < report->event_count; event++)
			if (cell_is_own(report, row, event))
				write_csv_line(report, row, event, out);
	}
}

/* What instructions are per cycle, if both were counted. */
static void write_metric(const struct report *report,
			 const struct report_row *row, int i, const char *sep,
			 FILE *out)
{
	double value = 0;

	if (!cell_per_cycle(report, row, i, &value))
		return;
	fprintf(out, "%s%.2f%sinsn per cycle", sep, value, sep);
}

static void write_separated_line(const struct report *report,
				 const struct report_row *row, int i,
				 const struct report_style *style, FILE *out)
{
	const struct report_event *event = &report->events[i];
	const char *sep = style->separator;
	char who[64];

	if (style->timed)
		fprintf(out, "%" PRIu64 ".%09u%s",
			report->elapsed_ns / 1000000000,
			(unsigned int)(report->elapsed_ns % 1000000000), sep);
	if (row->scope == SCOPE_CPU) {
		fprintf(out, "CPU%d%s", row->cpu, sep);
	} else if (row->scope > SCOPE_CPU) {
		fprintf(out, "%s%s%d%s", row->place, sep, row->cpus, sep);
	} else if (row->scope != SCOPE_TOTAL) {
		snprintf(who, sizeof(who), "%s-%d", row->comm,
			 row->scope == SCOPE_THREAD ? row->tid : row->pid);
		cell_quoted(who, sep, out);
		fputs(sep, out);
	}
	if (cell_is_seen(row, i))
		fprintf(out, "%" PRIu64, row->counts[i]);
	else
		fputs("<not counted>", out);
	fprintf(out, "%s%s%s", sep, event->unit, sep);
	cell_quoted(event->name, sep, out);
	fprintf(out, "%s%" PRIu64 "%s%.2f", sep, row->counted_ns, sep,
		row->estimates ? 100 * row->estimates[i].seen : 100);
	if (report->spreads)
		fprintf(out, "%s%.2f%%", sep,
			spread_percent(&report->spreads[i]));
	write_metric(report, row, i, sep, out);
	fputc('\n', out);
}

/*
 * As perf has them: a line without an event. The share that was seen is there if an event
 * of the metric is an estimate.
 */
static void write_metrics(const struct report *report,
			  const struct report_style *style, FILE *out)
{
	const char *sep = style->separator;

	for (int i = 0; i < report->metric_count; i++) {
		const struct metric *metric = &report->metrics[i];
		char name[sizeof(metric->name) + sizeof(metric->unit) + 1];
		double value, seen;

		if (!report_metric(report, i, &value))
			continue;
		if (style->timed)
			fprintf(out, "%" PRIu64 ".%09u%s",
				report->elapsed_ns / 1000000000,
				(unsigned int)(report->elapsed_ns % 1000000000),
				sep);
		snprintf(name, sizeof(name), "%s %s", metric->name,
			 metric->unit);
		fprintf(out, "%s%s%s%s", sep, sep, sep, sep);
		if (report_metric_sets(report, i, &seen))
			fprintf(out, "%.2f", 100 * seen);
		fprintf(out, "%s%s%.6f%s", sep, report->spreads ? sep : "",
			value, sep);
		cell_quoted(name, sep, out);
		fputc('\n', out);
	}
}

void report_separated(const struct report *report,
		      const struct report_style *style, FILE *out)
{
	char note[256];

	if (!coverage_is_exact(&report->coverage))
		fprintf(out, "# %s\n",
			coverage_note(&report->coverage, report->advice, note,
				      sizeof(note)));
	for (int i = 0; i < report->row_count; i++) {
		const struct report_row *row = &report->rows[i];

		/* Beside rows a sum would lack their first field; perf has none. */
		bool beside = row->scope == SCOPE_TOTAL &&
			      report->row_count > 1;

		for (int event = 0; event < report->event_count; event++)
			if (!beside && cell_is_own(report, row, event))
				write_separated_line(report, row, event, style,
						     out);
	}
	write_metrics(report, style, out);
}
