// SPDX-License-Identifier: GPL-2.0-only
/* pfmon merge, see merge.h. */
#include "verbs/merge.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "grammar/words.h"
#include "report/cells.h"
#include "report/json_text.h"
#include "results/gather.h"
#include "verbs/profile.h"

enum merge_format {
	MERGE_TEXT,
	MERGE_CSV,
	MERGE_JSON,
};

enum { OPT_CSV = 256 };

static void usage(FILE *out)
{
	fputs("usage: pfmon merge [--json | --csv] FILE...\n"
	      "\n"
	      "Puts the results of pfmon --json of many ranks, hosts or runs together: of\n"
	      "each event the sum, and the least, the mean and the most of a part, over the\n"
	      "parts that have it. The imbalance is the most by the mean. The order of the\n"
	      "files does not matter; ranks that are missing are named. Of files of pfmon\n"
	      "record the same is told of each function, with options of pfmon report.\n"
	      "\n"
	      "  -j, --json            an object\n"
	      "      --csv             lines with the names of the columns first\n",
	      out);
}

/* 0, 1 for help, -1 after a message. */
static int parse(enum merge_format *format, int argc, char **argv)
{
	static const struct option options[] = {
		{ "csv", no_argument, NULL, OPT_CSV },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	words_begin("merge");
	while ((opt = words_next(argc, argv, "+:hj", options)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (opt == 'h')
			return 1;
		if (*format != MERGE_TEXT &&
		    *format != (opt == 'j' ? MERGE_JSON : MERGE_CSV))
			return diag("--json and --csv: both given; choose one");
		*format = opt == 'j' ? MERGE_JSON : MERGE_CSV;
	}
	if (optind == argc)
		return diag("merge: takes files; see pfmon merge --help");
	return 0;
}

static void print_text(const struct gathered *gathered)
{
	printf("%d part%s%s\n", gathered->count,
	       gathered->count == 1 ? "" : "s",
	       gathered->exact ? "" : ", not all of them exact");
	printf("%20s %20s %20s %20s %9s  %6s  EVENT\n", "SUM", "LEAST", "MEAN",
	       "MOST", "IMBALANCE", "PARTS");
	for (int i = 0; i < gathered->event_count; i++) {
		const struct gathered_event *event = &gathered->events[i];

		if (!event->parts) {
			printf("%20s %85s  %s (%s)\n", "<not seen>", "",
			       event->event->name, event->event->level);
			continue;
		}
		printf("%20" PRIu64 " %20" PRIu64 " %20.0f %20" PRIu64
		       " %9.3f  %6d  %s (%s)%s%s\n",
		       event->sum, event->min, event->mean, event->max,
		       event->imbalance, event->parts, event->event->name,
		       event->event->level,
		       event->parts > 1 ? ", most in " : "",
		       event->parts > 1 ? event->max_part : "");
	}
}

static void print_csv(const struct gathered *gathered)
{
	puts("event,level,unit,parts,sum,min,mean,max,imbalance,min_part,"
	     "max_part");
	for (int i = 0; i < gathered->event_count; i++) {
		const struct gathered_event *event = &gathered->events[i];

		if (!event->parts)
			continue;
		cell_quoted(event->event->name, ",", stdout);
		putchar(',');
		cell_quoted(event->event->level, ",", stdout);
		putchar(',');
		cell_quoted(event->event->unit, ",", stdout);
		printf(",%d,%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%.6f,",
		       event->parts, event->sum, event->min, event->mean,
		       event->max, event->imbalance);
		cell_quoted(event->min_part, ",", stdout);
		putchar(',');
		cell_quoted(event->max_part, ",", stdout);
		putchar('\n');
	}
}

static struct json_object *json_event(const struct gathered_event *event)
{
	struct json_object *object = json_object_new_object();

#define ADD(key, value) json_object_object_add(object, key, value)
	ADD("event", json_text(event->event->name));
	ADD("level", json_text(event->event->level));
	ADD("unit", json_text(event->event->unit));
	ADD("parts", json_object_new_int(event->parts));
	if (event->parts) {
		ADD("sum", json_object_new_uint64(event->sum));
		ADD("min", json_object_new_uint64(event->min));
		ADD("mean", json_object_new_double(event->mean));
		ADD("max", json_object_new_uint64(event->max));
		ADD("imbalance", json_object_new_double(event->imbalance));
		ADD("min_part", json_text(event->min_part));
		ADD("max_part", json_text(event->max_part));
		ADD("estimated", json_object_new_boolean(event->estimated));
	}
#undef ADD
	return object;
}

static void print_json(const struct gathered *gathered, const char *missing)
{
	struct json_object *root = json_object_new_object();
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < gathered->event_count; i++)
		json_object_array_add(array, json_event(&gathered->events[i]));
	json_object_object_add(root, "version", json_object_new_int(1));
	json_object_object_add(root, "verb", json_text("merge"));
	json_object_object_add(root, "parts",
			       json_object_new_int(gathered->count));
	json_object_object_add(root, "missing", json_text(missing));
	json_object_object_add(root, "exact",
			       json_object_new_boolean(gathered->exact));
	json_object_object_add(root, "merged", array);
	puts(json_object_to_json_string_ext(
		root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
			      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}

static int print_all(const struct gathered *gathered, enum merge_format format)
{
	char missing[256];

	if (*gather_missing(gathered, missing, sizeof(missing)))
		diag("note: missing: rank %s", missing);
	switch (format) {
	case MERGE_TEXT:
		print_text(gathered);
		break;
	case MERGE_CSV:
		print_csv(gathered);
		break;
	case MERGE_JSON:
		print_json(gathered, missing);
		break;
	}
	if (fflush(stdout))
		return diag("cannot write the sums: %s", strerror(errno));
	return 0;
}

int verb_merge(int argc, char **argv)
{
	enum merge_format format = MERGE_TEXT;
	struct gathered gathered;
	int ret;

	if (profile_has_samples(argc, argv))
		return verb_profile(argc, argv);
	ret = parse(&format, argc, argv);

	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (ret)
		return STATUS_FAILED;
	ret = gather_read(&gathered, argv + optind, argc - optind);
	if (!ret)
		ret = print_all(&gathered, format);
	gather_free(&gathered);
	return ret ? STATUS_FAILED : 0;
}
