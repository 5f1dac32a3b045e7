// SPDX-License-Identifier: GPL-2.0-only
/* pfmon diff, see diff.h. */
#include "verbs/diff.h"

#include <errno.h>
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "grammar/words.h"
#include "report/json_text.h"
#include "results/compare.h"
#include "verbs/profile.h"

#define STATUS_ABOVE 1

struct diff {
	struct results a, b;
	bool json;
	double above; /* percent */
	const char *event; /* that must not be above, NULL: none */
	bool is_above;
	bool found; /* the event */
};

enum { OPT_FAIL_ABOVE = 256 };

static void usage(FILE *out)
{
	fputs("usage: pfmon diff [--json] [--fail-above PERCENT EVENT] A B\n"
	      "\n"
	      "Compares two results of pfmon --json (or two files of pfmon record, with\n"
	      "options of pfmon report), event by event: the means of all runs\n"
	      "that succeeded, their difference, and its 95 % interval if both have several\n"
	      "runs (-r). Counts that are the same in each run are compared as numbers; of\n"
	      "estimates, the interval is certain.\n"
	      "\n"
	      "  -j, --json            an array of objects\n"
	      "      --fail-above PERCENT EVENT\n"
	      "                        status 1 if B has so much more of EVENT, and not by\n"
	      "                        chance\n",
	      out);
}

static int parse_percent(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	if (end == text || *end || !(*percent >= 0 && *percent < 1e9))
		return diag("--fail-above %s: not a percentage", text);
	return 0;
}

static int parse_fail_above(struct diff *diff, int argc, char **argv)
{
	if (parse_percent(optarg, &diff->above))
		return -1;
	if (optind >= argc)
		return diag("--fail-above %s: name an event behind it", optarg);
	diff->event = argv[optind++];
	return 0;
}

/* 0, 1 for help, -1 after a message. */
static int parse(struct diff *diff, int argc, char **argv)
{
	static const struct option options[] = {
		{ "fail-above", required_argument, NULL, OPT_FAIL_ABOVE },
		{ "help", no_argument, NULL, 'h' },
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	int opt;

	words_begin("diff");
	while ((opt = words_next(argc, argv, "+:hj", options)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (opt == 'h')
			return 1;
		if (opt == 'j')
			diff->json = true;
		else if (parse_fail_above(diff, argc, argv))
			return -1;
	}
	if (argc - optind != 2)
		return diag("diff: takes two files; see pfmon diff --help");
	return 0;
}

static const char *const certainties[] = {
	[CERTAIN_NOT] = "unknown",
	[CERTAIN_EXACT] = "exact",
	[CERTAIN_BOUNDS] = "bounds",
	[CERTAIN_95] = "95%",
};

static void add_double(struct json_object *object, const char *key,
		       double value)
{
	json_object_object_add(object, key, json_object_new_double(value));
}

static struct json_object *json_row(const struct result_event *event,
				    const struct difference *d)
{
	struct json_object *object = json_object_new_object();
	double difference = d->b - d->a;

	json_object_object_add(object, "event", json_text(event->name));
	json_object_object_add(object, "level", json_text(event->level));
	add_double(object, "a", d->a);
	add_double(object, "b", d->b);
	add_double(object, "difference", difference);
	if (d->a > 0)
		add_double(object, "percent", compare_percent(d, difference));
	if (d->certainty != CERTAIN_NOT) {
		add_double(object, "low", d->low);
		add_double(object, "high", d->high);
	}
	json_object_object_add(object, "certainty",
			       json_text(certainties[d->certainty]));
	json_object_object_add(object, "significant",
			       json_object_new_boolean(d->significant));
	return object;
}

/* A difference of nothing has no percentage. */
static void print_interval(const struct difference *d)
{
	const char *mark = d->significant ? "  " : "  ~";

	if (d->a > 0)
		printf("[%+.2f, %+.2f] %%%s", compare_percent(d, d->low),
		       compare_percent(d, d->high), mark);
	else
		printf("[%+.1f, %+.1f]%s", d->low, d->high, mark);
}

/* Digits behind the point: means of runs need not be whole. */
static int digits_of(const struct difference *d)
{
	return d->a > (double)(uint64_t)d->a || d->b > (double)(uint64_t)d->b;
}

static void print_row(const struct result_event *event,
		      const struct difference *d)
{
	double difference = d->b - d->a;
	int digits = digits_of(d);

	printf("%20.*f %20.*f %+20.*f ", digits, d->a, digits, d->b, digits,
	       difference);
	if (d->a > 0)
		printf("%+9.2f %% ", compare_percent(d, difference));
	else
		printf("%11s ", "");
	if (d->certainty == CERTAIN_EXACT)
		printf("%-23s", difference != 0 ? "exact" : "=");
	else if (d->certainty == CERTAIN_NOT)
		printf("%-23s", "one run: may be chance");
	else
		print_interval(d);
	printf("  %s (%s)\n", event->name, event->level);
}

/* Without a level it is that event at each level. */
static bool is_named(const struct diff *diff, const struct result_event *event)
{
	size_t length = diff->event ? strlen(diff->event) : 0;

	return length && !strncasecmp(diff->event, event->name, length) &&
	       (!event->name[length] || event->name[length] == ':');
}

static void note_absent(const struct results *from, const struct results *other,
			const struct result_event *event)
{
	if (result_find(&other->list[0], event))
		diag("note: event %s: not seen in all runs of both",
		     event->name);
	else
		diag("note: event %s: only in %s", event->name, from->file);
}

/* What the second file has alone. */
static void note_others(const struct diff *diff)
{
	const struct result *second = &diff->b.list[0];

	for (int i = 0; i < second->event_count; i++) {
		const struct result_event *event = &second->events[i];

		if (!result_find(&diff->a.list[0], event))
			note_absent(&diff->b, &diff->a, event);
	}
}

static void compare_all(struct diff *diff, struct json_object *array)
{
	const struct result *first = &diff->a.list[0];

	for (int i = 0; i < first->event_count; i++) {
		const struct result_event *event = &first->events[i];
		struct difference d;
		bool named = is_named(diff, event);

		if (!compare_event(&diff->a, &diff->b, event, &d)) {
			note_absent(&diff->a, &diff->b, event);
			continue;
		}
		diff->found |= named;
		diff->is_above |= named && d.significant &&
				  (d.b - d.a) > d.a * diff->above / 100;
		if (array)
			json_object_array_add(array, json_row(event, &d));
		else
			print_row(event, &d);
	}
	note_others(diff);
}

static void note_inexact(const struct results *results)
{
	for (int i = 0; i < results->count; i++) {
		if (results->list[i].exact)
			continue;
		diag("note: %s: not all was counted, or it is estimated",
		     results->file);
		return;
	}
}

static int print_all(struct diff *diff)
{
	struct json_object *array = NULL;

	if (diff->json)
		array = json_object_new_array();
	else
		printf("%20s %20s %20s %11s %-23s  EVENT\n", "A", "B",
		       "DIFFERENCE", "", "INTERVAL");
	compare_all(diff, array);
	if (array)
		puts(json_object_to_json_string_ext(
			array, JSON_C_TO_STRING_PRETTY |
				       JSON_C_TO_STRING_SPACED |
				       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(array);
	if (fflush(stdout))
		return diag("cannot write the differences: %s",
			    strerror(errno));
	if (diff->event && !diff->found)
		return diag("--fail-above: event %s is not in both results",
			    diff->event);
	return 0;
}

int verb_diff(int argc, char **argv)
{
	struct diff diff = { .json = false };
	int ret;

	if (profile_has_samples(argc, argv))
		return verb_profile(argc, argv);
	ret = parse(&diff, argc, argv);

	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret)
		ret = results_read(&diff.a, argv[optind]) ||
		      results_read(&diff.b, argv[optind + 1]);
	if (!ret) {
		note_inexact(&diff.a);
		note_inexact(&diff.b);
		ret = print_all(&diff);
	}
	results_free(&diff.a);
	results_free(&diff.b);
	if (ret)
		return STATUS_FAILED;
	return diff.is_above ? STATUS_ABOVE : 0;
}
