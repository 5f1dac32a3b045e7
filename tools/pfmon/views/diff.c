// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon diff of two files of samples: which functions have another share. Samples of a
 * function are as many as chance has it (Poisson), and so is what is told of the
 * difference.
 */
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "report/json_text.h"
#include "report/plain.h"
#include "views/parts.h"
#include "views/verbs.h"

#define STATUS_ABOVE 1

/* Of the normal distribution, for 95 %. */
#define DEVIATIONS 1.96

struct diff {
	struct view view; /* the options and the output alone */
	struct parts parts;
	bool json;
	double above; /* of the share, in percent of the whole */
	const char *symbol; /* that must not be above; NULL: none */
	bool is_above, found;
};

struct shares {
	double a, b, low, high; /* percent; the last two of b - a */
	bool significant;
};

static void usage(FILE *out)
{
	fputs("usage: pfmon diff [--json] [--fail-above PERCENT SYMBOL] [OPTION...] A B\n"
	      "\n"
	      "Compares the samples of two files of pfmon record: the share of each function\n"
	      "in both, the difference, and its 95 % interval.\n"
	      "\n"
	      "  -j, --json            an array of objects\n"
	      "      --fail-above PERCENT SYMBOL\n"
	      "                        status 1 if the share of SYMBOL has grown by so many\n"
	      "                        percent of the whole, and not by chance\n",
	      out);
	fputs(view_usage, out);
}

static int take(int argc, char **argv, void *arg)
{
	struct diff *diff = arg;
	char *end;

	if (!strcmp(argv[0], "--json") || !strcmp(argv[0], "-j")) {
		diff->json = true;
		return 1;
	}
	if (strcmp(argv[0], "--fail-above") != 0)
		return 0;
	if (argc < 3)
		return diag("--fail-above: takes a percentage and a symbol");
	diff->above = strtod(argv[1], &end);
	if (end == argv[1] || *end || !(diff->above >= 0 && diff->above < 1e9))
		return diag("--fail-above %s: not a percentage", argv[1]);
	diff->symbol = argv[2];
	return 3;
}

/* Of none one more could have been seen as well. */
static double variance(uint64_t samples, uint64_t all)
{
	double count = samples ? (double)samples : 1;

	return count / (double)all / (double)all;
}

/* False: one of the files has no samples of the event. */
static bool compare(const struct parts *parts, const struct parts_row *row,
		    struct shares *shares)
{
	const uint64_t *all = parts->events[row->event].samples;
	double width, difference;

	if (!all[0] || !all[1])
		return false;
	shares->a = 100 * (double)row->samples[0] / (double)all[0];
	shares->b = 100 * (double)row->samples[1] / (double)all[1];
	difference = shares->b - shares->a;
	width = 100 * DEVIATIONS *
		sqrt(variance(row->samples[0], all[0]) +
		     variance(row->samples[1], all[1]));
	shares->low = difference - width;
	shares->high = difference + width;
	shares->significant = shares->low > 0 || shares->high < 0;
	return true;
}

static struct json_object *json_row(const struct parts *parts,
				    const struct parts_row *row,
				    const struct shares *shares)
{
	struct json_object *object = json_object_new_object();

#define ADD(key, value) json_object_object_add(object, key, value)
	ADD("event", json_text(parts->events[row->event].name));
	ADD("symbol", json_text(row->symbol));
	ADD("file", json_text(row->file));
	ADD("a", json_object_new_uint64(row->samples[0]));
	ADD("b", json_object_new_uint64(row->samples[1]));
	ADD("share_a", json_object_new_double(shares->a));
	ADD("share_b", json_object_new_double(shares->b));
	ADD("difference", json_object_new_double(shares->b - shares->a));
	ADD("low", json_object_new_double(shares->low));
	ADD("high", json_object_new_double(shares->high));
	ADD("certainty", json_text("95%"));
	ADD("significant", json_object_new_boolean(shares->significant));
#undef ADD
	return object;
}

static void print_row(const struct parts_row *row, const struct shares *shares,
		      FILE *out)
{
	fprintf(out,
		"%10" PRIu64 " %10" PRIu64
		" %7.2f %7.2f %+7.2f [%+.2f, %+.2f]%s  ",
		row->samples[0], row->samples[1], shares->a, shares->b,
		shares->b - shares->a, shares->low, shares->high,
		shares->significant ? "  " : " ~");
	plain_write(row->symbol, 0, out);
	fputs("  ", out);
	plain_write(*row->file ? row->file : "-", 0, out);
	fputc('\n', out);
}

/* In front of the rows of an event. */
static void print_event(const struct parts_event *event, FILE *out)
{
	fprintf(out, "# %s: %" PRIu64 " and %" PRIu64 " samples\n", event->name,
		event->samples[0], event->samples[1]);
	fprintf(out, "%10s %10s %7s %7s %7s %s\n", "A", "B", "A%", "B%",
		"B%-A%", "INTERVAL, SYMBOL, FILE");
}

static void order(struct parts *parts)
{
	struct shares shares;

	for (size_t i = 0; i < parts->row_count; i++) {
		if (compare(parts, &parts->rows[i], &shares))
			parts->rows[i].order = fabs(shares.b - shares.a);
	}
	parts_sort(parts);
}

static void compare_all(struct diff *diff, struct json_object *array)
{
	const struct parts *parts = &diff->parts;
	unsigned int last = PARTS_EVENTS_MAX;

	for (size_t i = 0; i < parts->row_count; i++) {
		const struct parts_row *row = &parts->rows[i];
		bool named = diff->symbol && !strcmp(diff->symbol, row->symbol);
		struct shares shares;

		if (!compare(parts, row, &shares))
			continue;
		diff->found |= named;
		diff->is_above |= named && shares.significant &&
				  shares.b - shares.a > diff->above;
		if (array) {
			json_object_array_add(array,
					      json_row(parts, row, &shares));
			continue;
		}
		if (row->event != last)
			print_event(&parts->events[row->event],
				    diff->view.output.stream);
		last = row->event;
		print_row(row, &shares, diff->view.output.stream);
	}
}

static void note_missing(const struct parts *parts)
{
	for (unsigned int i = 0; i < parts->event_count; i++) {
		const struct parts_event *event = &parts->events[i];

		if (!event->samples[0] || !event->samples[1])
			diag("note: event %s: has samples in %s", event->name,
			     event->samples[0] || event->samples[1] ?
				     "one of the files only" :
				     "none of the files");
	}
}

static int print_all(struct diff *diff)
{
	struct json_object *array = diff->json ? json_object_new_array() : NULL;

	order(&diff->parts);
	note_missing(&diff->parts);
	compare_all(diff, array);
	if (array)
		fprintf(diff->view.output.stream, "%s\n",
			json_object_to_json_string_ext(
				array, JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(array);
	if (diff->symbol && !diff->found)
		return diag("--fail-above: %s has samples in none of the files",
			    diff->symbol);
	return 0;
}

int verb_diff_samples(int argc, char **argv)
{
	struct diff diff = { .json = false };
	int ret, left = parts_own_words(argc, argv, take, &diff);

	if (left < 0)
		return STATUS_FAILED;
	ret = view_parse(&diff.view, left, argv);
	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret && left - optind != 2)
		ret = diag("diff: takes two files; see pfmon diff --help");
	if (!ret)
		ret = parts_read(&diff.parts, &diff.view, argv + optind, 2,
				 false);
	if (!ret)
		ret = print_all(&diff);
	parts_free(&diff.parts);
	ret = view_close(&diff.view, ret);
	return !ret && diff.is_above ? STATUS_ABOVE : ret;
}
