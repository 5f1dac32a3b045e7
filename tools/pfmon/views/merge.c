// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon merge of files of samples: the functions of all ranks together. The order of
 * the files does not matter.
 */
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "report/json_text.h"
#include "report/plain.h"
#include "views/parts.h"
#include "views/verbs.h"

struct merge {
	struct view view; /* the options and the output alone */
	struct parts parts;
	bool json, csv;
};

/* A function over the parts that have sampled its event. */
struct spread_row {
	unsigned int parts;
	uint64_t min, max;
	const char *min_part, *max_part;
	double mean, imbalance;
};

static void usage(FILE *out)
{
	fputs("usage: pfmon merge [--json | --csv] [OPTION...] FILE...\n"
	      "\n"
	      "Puts the samples of many ranks, hosts or runs of pfmon record together: of\n"
	      "each function the sum, and the least, the mean and the most of a part, over\n"
	      "the parts that have sampled the event. The imbalance is the most by the mean.\n"
	      "\n"
	      "  -j, --json            an object\n"
	      "      --csv             lines with the names of the columns first\n",
	      out);
	fputs(view_usage, out);
}

static int take(int argc, char **argv, void *arg)
{
	struct merge *merge = arg;

	(void)argc;
	if (!strcmp(argv[0], "--json") || !strcmp(argv[0], "-j"))
		merge->json = true;
	else if (!strcmp(argv[0], "--csv"))
		merge->csv = true;
	else
		return 0;
	return merge->json && merge->csv ?
		       diag("--json and --csv: both given; choose one") :
		       1;
}

static struct spread_row spread_of(const struct parts *parts,
				   const struct parts_row *row)
{
	const struct parts_event *event = &parts->events[row->event];
	struct spread_row spread = { .parts = 0 };

	for (unsigned int i = 0; i < parts->count; i++) {
		uint64_t samples = row->samples[i];
		const char *name = parts->names[i];

		if (!event->has[i])
			continue;
		/* Of equal ones the first by name, whatever the order. */
		if (!spread.parts || samples < spread.min ||
		    (samples == spread.min &&
		     strcmp(name, spread.min_part) < 0)) {
			spread.min = samples;
			spread.min_part = name;
		}
		if (!spread.parts || samples > spread.max ||
		    (samples == spread.max &&
		     strcmp(name, spread.max_part) < 0)) {
			spread.max = samples;
			spread.max_part = name;
		}
		spread.parts++;
	}
	spread.mean = (double)row->sum / spread.parts;
	/* Of samples that are less than half of one of the longest period none is left. */
	spread.imbalance = spread.mean > 0 ? (double)spread.max / spread.mean :
					     0;
	return spread;
}

static void print_text(const struct parts *parts, FILE *out)
{
	unsigned int last = PARTS_EVENTS_MAX;

	fprintf(out, "%u part%s%s%s\n", parts->count,
		parts->count == 1 ? "" : "s",
		parts->exact ? "" : ", not all of them exact",
		parts->row_count ? "" : ", without samples");
	for (size_t i = 0; i < parts->row_count; i++) {
		const struct parts_row *row = &parts->rows[i];
		const struct parts_event *event = &parts->events[row->event];
		struct spread_row spread = spread_of(parts, row);

		if (row->event != last)
			fprintf(out,
				"# %s: %" PRIu64 " samples in %u parts\n"
				"%12s %7s %10s %12s %10s %9s  %s\n",
				event->name, event->sum, event->parts, "SUM",
				"SELF%", "LEAST", "MEAN", "MOST", "IMBALANCE",
				"SYMBOL, FILE");
		last = row->event;
		fprintf(out,
			"%12" PRIu64 " %7.2f %10" PRIu64 " %12.1f %10" PRIu64
			" %9.3f  ",
			row->sum,
			event->sum ?
				100 * (double)row->sum / (double)event->sum :
				0,
			spread.min, spread.mean, spread.max, spread.imbalance);
		plain_write(row->symbol, 0, out);
		fputs("  ", out);
		plain_write(*row->file ? row->file : "-", 0, out);
		fprintf(out, "%s%s\n", spread.parts > 1 ? ", most in " : "",
			spread.parts > 1 ? spread.max_part : "");
	}
}

/* As RFC 4180 has it. */
static void print_quoted(const char *text, FILE *out)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputs("\",", out);
}

static void print_csv(const struct parts *parts, FILE *out)
{
	fputs("event,symbol,file,min_part,max_part,parts,sum,min,mean,max,"
	      "imbalance\n",
	      out);
	for (size_t i = 0; i < parts->row_count; i++) {
		const struct parts_row *row = &parts->rows[i];
		struct spread_row spread = spread_of(parts, row);

		print_quoted(parts->events[row->event].name, out);
		print_quoted(row->symbol, out);
		print_quoted(row->file, out);
		print_quoted(spread.min_part, out);
		print_quoted(spread.max_part, out);
		fprintf(out,
			"%u,%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%.6f\n",
			spread.parts, row->sum, spread.min, spread.mean,
			spread.max, spread.imbalance);
	}
}

#define ADD(object, key, value) json_object_object_add(object, key, value)

static struct json_object *json_row(const struct parts *parts,
				    const struct parts_row *row)
{
	struct json_object *object = json_object_new_object();
	struct spread_row spread = spread_of(parts, row);
	const char *event = parts->events[row->event].name;

	ADD(object, "event", json_text(event));
	ADD(object, "symbol", json_text(row->symbol));
	ADD(object, "file", json_text(row->file));
	ADD(object, "parts", json_object_new_int64(spread.parts));
	ADD(object, "sum", json_object_new_uint64(row->sum));
	ADD(object, "min", json_object_new_uint64(spread.min));
	ADD(object, "mean", json_object_new_double(spread.mean));
	ADD(object, "max", json_object_new_uint64(spread.max));
	ADD(object, "imbalance", json_object_new_double(spread.imbalance));
	ADD(object, "min_part", json_text(spread.min_part));
	ADD(object, "max_part", json_text(spread.max_part));
	return object;
}

static void print_json(const struct parts *parts, FILE *out)
{
	struct json_object *root = json_object_new_object();
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < parts->row_count; i++)
		json_object_array_add(array, json_row(parts, &parts->rows[i]));
	ADD(root, "version", json_object_new_int(1));
	ADD(root, "verb", json_text("merge"));
	ADD(root, "parts", json_object_new_int64(parts->count));
	ADD(root, "exact", json_object_new_boolean(parts->exact));
	ADD(root, "merged", array);
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(
			root, JSON_C_TO_STRING_PRETTY |
				      JSON_C_TO_STRING_SPACED |
				      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}

/* One that is between others. */
static void note_missing(const struct parts *parts)
{
	long highest = -1;

	for (unsigned int i = 0; i < parts->count; i++)
		highest = parts->ranks[i] > highest ? parts->ranks[i] : highest;
	for (long rank = 0; rank < highest; rank++) {
		unsigned int i = 0;

		while (i < parts->count && parts->ranks[i] != rank)
			i++;
		if (i == parts->count)
			diag("note: missing: rank %ld", rank);
	}
}

static void print_all(struct merge *merge)
{
	struct parts *parts = &merge->parts;
	FILE *out = merge->view.output.stream;

	for (size_t i = 0; i < parts->row_count; i++)
		parts->rows[i].order = (double)parts->rows[i].sum;
	parts_sort(parts);
	note_missing(parts);
	if (merge->json)
		print_json(parts, out);
	else if (merge->csv)
		print_csv(parts, out);
	else
		print_text(parts, out);
}

int verb_merge_samples(int argc, char **argv)
{
	struct merge merge = { .json = false };
	int ret, left = parts_own_words(argc, argv, take, &merge);

	if (left < 0)
		return STATUS_FAILED;
	ret = view_parse(&merge.view, left, argv);
	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret && left == optind)
		ret = diag("merge: takes files; see pfmon merge --help");
	if (!ret)
		ret = parts_read(&merge.parts, &merge.view, argv + optind,
				 (unsigned int)(left - optind), true);
	if (!ret)
		print_all(&merge);
	parts_free(&merge.parts);
	return view_close(&merge.view, ret);
}
