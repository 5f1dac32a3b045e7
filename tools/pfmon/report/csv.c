// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two formats of fields: --csv with the names of its columns, and -x with
 * the fields of perf stat -x.
 */
#include <inttypes.h>
#include <string.h>

#include "report/cells.h"

/* Columns are only ever added, at the end. */
static const char columns[] =
	"event,level,count,counter,selector,native,set,estimate,stderr,seen,"
	"scope,run,time_ns,unit,covered\n";

static void write_csv_line(const struct report *report,
			   const struct report_row *row, int i, FILE *out)
{
	const struct report_event *event = &report->events[i];
	unsigned int permille = coverage_permille(&report->coverage);
	char scope[32];

	cell_quoted(event->name, ",", out);
	fprintf(out, ",%s,%" PRIu64, event->level, row->counts[i]);
	if (event->has_counter)
		fprintf(out, ",pmd%u,0x%" PRIx64 ",", event->counter,
			event->selector);
	else
		fputs(",,,", out);
	cell_quoted(event->native, ",", out);
	/* One set, which counts all the time: nothing is estimated. */
	fprintf(out, ",0,,,1,%s,%u,%" PRIu64 ",%s,%u.%03u\n",
		cell_scope(report, row, scope, sizeof(scope)), report->run,
		report->elapsed_ns, event->unit, permille / 1000,
		permille % 1000);
}

void report_csv(const struct report *report, const struct report_style *style,
		FILE *out)
{
	if (style->first)
		fputs(columns, out);
	for (int row = 0; row < report->row_count; row++) {
		for (int i = 0; i < report->event_count; i++)
			write_csv_line(report, &report->rows[row], i, out);
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
	} else if (row->scope != SCOPE_TOTAL) {
		snprintf(who, sizeof(who), "%s-%d", row->comm,
			 row->scope == SCOPE_THREAD ? row->tid : row->pid);
		cell_quoted(who, sep, out);
		fputs(sep, out);
	}
	fprintf(out, "%" PRIu64 "%s%s%s", row->counts[i], sep, event->unit,
		sep);
	cell_quoted(event->name, sep, out);
	fprintf(out, "%s%" PRIu64 "%s100.00", sep, row->counted_ns, sep);
	if (report->spreads)
		fprintf(out, "%s%.2f%%", sep,
			spread_percent(&report->spreads[i]));
	write_metric(report, row, i, sep, out);
	fputc('\n', out);
}

void report_separated(const struct report *report,
		      const struct report_style *style, FILE *out)
{
	char note[256];

	if (!coverage_is_exact(&report->coverage))
		fprintf(out, "# %s\n",
			coverage_note(&report->coverage, report->advice, note,
				      sizeof(note)));
	for (int row = 0; row < report->row_count; row++) {
		for (int i = 0; i < report->event_count; i++)
			write_separated_line(report, &report->rows[row], i,
					     style, out);
	}
}
