// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon report: functions by their samples, with call chains also by those of what
 * they have called. The same file gives the same bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "report/plain.h"
#include "views/branches.h"
#include "views/calls.h"
#include "views/report_words.h"
#include "views/rows.h"
#include "views/verbs.h"

/* Symbols that are longer move only their own line. */
#define SYMBOL_WIDTH_MAX 60

/* Symbols of calls have one of them before them. */
#define FROM "<- "
#define TO "-> "

/* Fewer give a rough picture only. */
#define FEW_SAMPLES 100

/* What else than a view it has. */
struct listing {
	struct view view;
	struct report_words words;
	struct calls from, to;
	bool printed;
};

static void usage(FILE *out)
{
	fputs("usage: pfmon report [OPTION...] [FILE]\n"
	      "\n"
	      "Tells where the samples of a file of pfmon record are: of each function how\n"
	      "many samples, their share, and the share of all up to its line. With call\n"
	      "chains (pfmon record -g) TOTAL has those of what the function has called, too.\n"
	      "\n",
	      out);
	fputs(report_words_usage, out);
	fputs(view_usage, out);
}

static int width_of(const struct listing *report, const struct rows *rows)
{
	size_t mark = report->words.callers || report->words.callees ?
			      strlen(FROM) :
			      0;
	size_t width = report->words.callers ? strlen(FROM CALLS_ROOT) :
					       strlen("SYMBOL");

	for (size_t i = 0; i < report->from.count; i++) {
		if (report->from.rows[i].broken)
			width = strlen(FROM CALLS_BROKEN);
	}
	for (size_t i = 0; i < rows->count; i++) {
		size_t length = mark + strlen(rows->rows[i].function->name);

		if (length > width && length <= SYMBOL_WIDTH_MAX)
			width = length;
	}
	return (int)width;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* What stands for a function that is not there is named by none. */
static void print_symbol(const char *mark, int width,
			 const struct function *function, const char *none,
			 FILE *out)
{
	const char *file = function && *function->file ? function->file : "-";

	fprintf(out, "  %s", mark);
	plain_write(function ? function->name : none, width - (int)strlen(mark),
		    out);
	fputs("  ", out);
	plain_write(file, 0, out);
	fputc('\n', out);
}

/* Its samples have no columns of their own: they are part of the function's. */
static void print_calls(const struct calls *calls, unsigned int event,
			const struct row *row, uint64_t all, int width,
			FILE *out)
{
	bool from = calls->by == CALLS_CALLERS;
	size_t count;
	const struct call *call = calls_of(calls, event, row->function, &count);

	for (; count; count--, call++) {
		fprintf(out, "%40s %10" PRIu64 " %7.2f", "", call->samples,
			percent(call->samples, all));
		print_symbol(from ? FROM : TO, width,
			     from ? call->caller : call->callee,
			     call->broken ? CALLS_BROKEN : CALLS_ROOT, out);
	}
}

static void print_row(const struct rows *rows, const struct row *row,
		      uint64_t sum, FILE *out)
{
	struct range range = rows_range(rows, row);
	char text[32];

	snprintf(text, sizeof(text), "%.2f-%.2f", 100 * range.low,
		 100 * range.high);
	fprintf(out, "%10" PRIu64 " %7.2f %13s %7.2f", row->samples,
		percent(rows_self(rows, row), rows_all(rows)), text,
		percent(sum, rows_all(rows)));
	if (rows->chains)
		fprintf(out, " %10" PRIu64 " %7.2f", row->total,
			percent(rows_total(rows, row), rows_all(rows)));
}

/* Of what the addresses are. */
static void print_exact(const struct profile_event *event, FILE *out)
{
	if (!event->precise)
		return;
	fprintf(out,
		"# precise (%s): a sample is at the instruction %s was sampled",
		event->precise,
		event->has_next ? "behind the one that" : "that");
	if (event->inexact)
		fprintf(out,
			", but for %" PRIu64 " at the one that was interrupted",
			event->inexact);
	fputc('\n', out);
}

/* Why the shares may be wrong, or are not worth much. */
static void print_doubts(const struct profile_event *event,
			 const struct rows *rows, FILE *out)
{
	if (rows_keep_step(rows))
		fputs("# note: the samples keep step with a loop of the program, so that the shares are wrong; record again, without --no-random\n",
		      out);
	else if (rows->samples && !event->varies)
		fputs("# the periods did not vary: RANGE% holds unless the program repeats itself in step with them\n",
		      out);
	if (rows->samples && rows->samples < FEW_SAMPLES)
		fprintf(out,
			"# only %" PRIu64
			" sample%s, see RANGE%%; a smaller -c or a greater -F takes more\n",
			rows->samples, rows->samples == 1 ? "" : "s");
}

static void print_head(const struct view *view, unsigned int event,
		       const struct rows *rows, int width)
{
	const struct profile_event *sampled = &view->profile.events[event];
	FILE *out = view->output.stream;

	fprintf(out, "# %s", sampled->name);
	if (sampled->native)
		fprintf(out, " (%s)", sampled->native);
	fprintf(out, ": %" PRIu64 " samples, %" PRIu64 " events\n",
		rows->samples, rows->periods);
	print_exact(sampled, out);
	print_doubts(sampled, rows, out);
	fprintf(out, "%10s %7s %13s %7s", "SAMPLES", "SELF%", "RANGE%", "CUM%");
	if (rows->chains)
		fprintf(out, " %10s %7s", "TOTAL", "TOTAL%");
	fprintf(out, "  %-*s  %s\n", width, "SYMBOL", "FILE");
}

static void print_event(struct listing *report, unsigned int event,
			const struct rows *rows)
{
	FILE *out = report->view.output.stream;
	int width = width_of(report, rows);
	uint64_t sum = 0;

	print_head(&report->view, event, rows, width);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->rows[i];

		sum += rows_self(rows, row);
		if (!function_is_named(row->function, report->words.symbol))
			continue;
		report->printed = true;
		print_row(rows, row, sum, out);
		print_symbol("", width, row->function, "", out);
		if (report->words.callers)
			print_calls(&report->from, event, row, rows->samples,
				    width, out);
		if (report->words.callees)
			print_calls(&report->to, event, row, rows->samples,
				    width, out);
	}
}

/* Who asks for what chains tell shall not be left without an answer. */
static int check_chains(const struct listing *report, const struct rows *rows)
{
	const char *option = report->words.callers  ? "--callers" :
			     report->words.callees  ? "--callees" :
			     report->words.by_total ? "--children" :
						      NULL;
	uint64_t samples = 0;

	for (unsigned int i = 0; i < report->view.profile.event_count; i++) {
		samples += rows[i].samples;
		if (rows[i].chains)
			return 0;
	}
	return option && samples ?
		       diag("%s: the samples have no call chains; record them with -g",
			    option) :
		       0;
}

static void print_chains(const struct view *view, const struct rows *rows)
{
	struct chains all = { 0 };

	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		all.samples += rows[i].told.samples;
		all.alone += rows[i].told.alone;
	}
	if (chains_alone(&all))
		fprintf(view->output.stream,
			"# note: %u %% " CHAINS_NOTE "%s\n", chains_alone(&all),
			functions_by_pointers(view->functions) ? CHAINS_WHY :
								 "");
}

static void print_tables(struct listing *report, struct rows *rows)
{
	const struct view *view = &report->view;
	bool first = true, none = !view->found;
	char losses[256];

	if (*view_losses(view, losses, sizeof(losses)))
		fprintf(view->output.stream, "# note: %s\n", losses);
	print_chains(view, rows);
	for (unsigned int i = 0; i < view->profile.event_count; i++) {
		/* Events that are only counted have none. */
		if (!rows[i].samples && view->profile.event_count > 1 &&
		    !(none && view->profile.events[i].period))
			continue;
		if (!first)
			fputc('\n', view->output.stream);
		if (report->words.by_total)
			rows_sort_by_total(&rows[i]);
		print_event(report, i, &rows[i]);
		first = false;
	}
}

static int print_all(struct listing *report)
{
	struct rows *rows = rows_sum(&report->view, report->words.no_total ?
							    ROWS_FUNCTION :
							    ROWS_TOTAL);
	int ret = rows ? check_chains(report, rows) : -1;

	for (unsigned int i = 0; rows && report->words.no_total &&
				 i < report->view.profile.event_count;
	     i++)
		rows[i].chains = false;
	if (!ret && report->words.callers)
		ret = calls_sum(&report->from, &report->view, CALLS_CALLERS);
	if (!ret && report->words.callees)
		ret = calls_sum(&report->to, &report->view, CALLS_CALLEES);
	if (!ret)
		print_tables(report, rows);
	if (!ret)
		view_tell_none(&report->view);
	if (!ret && report->words.symbol && !report->printed)
		ret = diag("report: %s: no function of this name has samples",
			   report->words.symbol);
	calls_free(&report->from);
	calls_free(&report->to);
	rows_free(rows, &report->view);
	return ret;
}

static int check_words(const struct listing *report)
{
	if (report->words.memory && report->words.branches)
		return diag("--mem and --branches: both given; choose one");
	if ((report->words.memory || report->words.branches) &&
	    (report->words.by_total || report->words.callers ||
	     report->words.callees || report->words.symbol))
		return diag("%s and %s: both given; choose one",
			    report->words.memory ? "--mem" : "--branches",
			    report->words.by_total ? "--children" :
			    report->words.callers  ? "--callers" :
			    report->words.callees  ? "--callees" :
						     "--symbols");
	if (report->words.no_total &&
	    (report->words.by_total || report->words.callers ||
	     report->words.callees))
		return diag("--no-children and %s: both given; choose one",
			    report->words.by_total ? "--children" :
			    report->words.callers  ? "--callers" :
						     "--callees");
	return 0;
}

int verb_report(int argc, char **argv)
{
	struct listing report = { .printed = false };
	int ret = report_words_parse(&report.words, &report.view, argc, argv);

	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret)
		ret = check_words(&report);
	if (!ret)
		ret = view_take_file(&report.view, "report", argc, argv);
	if (!ret)
		ret = view_open(&report.view);
	if (!ret && report.words.branches)
		ret = branches_report(&report.view);
	else if (!ret)
		ret = report.words.memory ?
			      memory_report(&report.view, report.words.memory) :
			      print_all(&report);
	return view_close(&report.view, ret);
}
