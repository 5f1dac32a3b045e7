// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon report: functions by their samples. The same file gives the same bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "views/rows.h"
#include "views/verbs.h"

/* Symbols that are longer move only their own line. */
#define SYMBOL_WIDTH_MAX 60

static void usage(FILE *out)
{
	fputs("usage: pfmon report [OPTION...] [FILE]\n"
	      "\n"
	      "Tells where the samples of a file of pfmon record are: of each function how\n"
	      "many samples, their share, and the share of all up to its line.\n"
	      "\n",
	      out);
	fputs(view_usage, out);
}

static int width_of(const struct rows *rows)
{
	int width = (int)strlen("SYMBOL");

	for (size_t i = 0; i < rows->count; i++) {
		size_t length = strlen(rows->rows[i].function->name);

		if (length > (size_t)width && length <= SYMBOL_WIDTH_MAX)
			width = (int)length;
	}
	return width;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static void print_event(const struct view *view, unsigned int event,
			const struct rows *rows)
{
	const struct profile_event *sampled = &view->profile.events[event];
	int width = width_of(rows);
	FILE *out = view->output.stream;
	uint64_t sum = 0;

	fprintf(out, "# %s", sampled->name);
	if (sampled->native)
		fprintf(out, " (%s)", sampled->native);
	fprintf(out, ": %" PRIu64 " samples, %" PRIu64 " events\n",
		rows->samples, rows->periods);
	fprintf(out, "%10s %7s %7s  %-*s  %s\n", "SAMPLES", "SELF%", "CUM%",
		width, "SYMBOL", "FILE");
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->rows[i];

		sum += row->samples;
		fprintf(out, "%10" PRIu64 " %7.2f %7.2f  %-*s  %s\n",
			row->samples, percent(row->samples, rows->samples),
			percent(sum, rows->samples), width, row->function->name,
			*row->function->file ? row->function->file : "-");
	}
}

static int print_all(struct view *view)
{
	char losses[256];
	bool first = true;

	if (*view_losses(view, losses, sizeof(losses)))
		fprintf(view->output.stream, "# note: %s\n", losses);
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		struct rows rows;
		int ret = rows_sum(&rows, view, i, ROWS_FUNCTION);

		/* Events that are only counted have none. */
		if (!ret && (rows.samples || view->profile.event_count == 1)) {
			if (!first)
				fputc('\n', view->output.stream);
			print_event(view, i, &rows);
			first = false;
		}
		rows_free(&rows);
		if (ret)
			return ret;
	}
	return 0;
}

int verb_report(int argc, char **argv)
{
	return view_run("report", argc, argv, usage, print_all);
}
