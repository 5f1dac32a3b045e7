// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classic text, for people and for the scripts of pfmon 3.x: a count begins each
 * line, an event follows, and who it belongs to if that is not the whole.
 */
#include <inttypes.h>
#include <string.h>

#include "report/cells.h"
#include "report/plain.h"

static void write_header(const struct report *report, FILE *out)
{
	fputs("# command line     :", out);
	for (char *const *arg = report->command; arg && *arg; arg++)
		fprintf(out, " %s", *arg);
	fprintf(out, "\n# PMU              : %s\n", report->model);
	fprintf(out, "# followed by      : %s\n", report->follow);
	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		if (event->has_counter)
			fprintf(out, "# PMD%u: %s = %s\n", event->counter,
				event->native, event->level);
		if (report->sets > 1 && event->has_counter)
			fprintf(out, "# %s: set %d of %d, by %s\n", event->name,
				event->set, report->sets,
				report->reference ? report->reference : "time");
	}
}

static void write_time(const char *name, uint64_t ns, FILE *out)
{
	uint64_t seconds = ns / 1000000000;

	fprintf(out,
		"%s %" PRIu64 "h%02" PRIu64 "m%02" PRIu64 ".%03" PRIu64 "s",
		name, seconds / 3600, seconds % 3600 / 60, seconds % 60,
		ns / 1000000 % 1000);
}

/* Of the command, as the shell's time has it. */
static void write_times(const struct report *report, FILE *out)
{
	write_time("real", report->elapsed_ns, out);
	write_time(" user", report->user_ns, out);
	write_time(" sys", report->sys_ns, out);
	fputc('\n', out);
}

static void write_row(const struct report *report, const struct report_row *row,
		      const struct report_style *style, FILE *out)
{
	char number[CELL_NUMBER], spread[32], estimate[CELL_ESTIMATE], comm[32];

	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		if (!cell_is_own(report, row, i))
			continue;
		if (style->timed)
			fprintf(out, "%12.6f ",
				(double)report->elapsed_ns / 1e9);
		if (row->scope == SCOPE_CPU)
			fprintf(out, "CPU%-3d ", row->cpu);
		else if (row->scope > SCOPE_CPU)
			fprintf(out, "%-10s ", row->place);
		fprintf(out, "%20s  %-11s  %s",
			cell_count(row, i, style->digits, number), event->level,
			event->name);
		if (row->scope == SCOPE_THREAD || row->scope == SCOPE_PROCESS)
			fprintf(out, " %s (%d,%d,%d)",
				plain(row->comm, comm, sizeof(comm)), row->pid,
				row->tid, row->ppid);
		cell_estimate(report, row, i, estimate, sizeof(estimate));
		if (estimate[0])
			fprintf(out, "  (%s)", estimate);
		if (report->spreads)
			fprintf(out, "  %s in %u runs",
				cell_spread(report, i, spread, sizeof(spread)),
				report->spreads[i].runs);
		fputc('\n', out);
	}
}

void report_table(const struct report *report, const struct report_style *style,
		  FILE *out)
{
	char note[256];

	if (style->times)
		write_times(report, out);
	if (style->header && style->first)
		write_header(report, out);
	if (!coverage_is_exact(&report->coverage))
		fprintf(out, "# note: %s\n",
			coverage_note(&report->coverage, report->advice, note,
				      sizeof(note)));
	if (coverage_kinds(&report->coverage, note, sizeof(note)))
		fprintf(out, "# note: of the time counted, %s\n", note);
	if (style->first)
		fprintf(out, "%20s  %-11s  %s\n", "COUNT", "LEVEL", "EVENT");
	for (int i = 0; i < report->row_count; i++)
		write_row(report, &report->rows[i], style, out);
}
