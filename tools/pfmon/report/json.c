// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON: one object for each run or interval, see pfmon(1). Members are only ever
 * added.
 */
#include <inttypes.h>
#include <json-c/json.h>

#include "report/cells.h"
#include "report/json_strings.h"
#include "report/json_text.h"
#include "report/regions.h"

#define JSON_VERSION 1

static void add_number(struct json_object *object, const char *key,
		       uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static void add_text(struct json_object *object, const char *key,
		     const char *text)
{
	json_object_object_add(object, key, json_text(text));
}

static void add_counter(struct json_object *object,
			const struct report_event *event)
{
	char counter[16], selector[32];

	if (!event->has_counter)
		return;
	snprintf(counter, sizeof(counter), "pmd%u", event->counter);
	snprintf(selector, sizeof(selector), "0x%" PRIx64, event->selector);
	add_text(object, "counter", counter);
	add_text(object, "selector", selector);
}

/* As many digits as mean something. */
static struct json_object *json_ratio(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", value);
	return json_object_new_double_s(value, text);
}

static void add_estimate(struct json_object *object,
			 const struct estimate *estimate)
{
	struct json_object *interval;

	if (!estimate || estimate->seen >= 1)
		json_object_object_add(object, "seen", json_object_new_int(1));
	else
		json_object_object_add(object, "seen",
				       json_ratio(estimate->seen));
	if (!estimate)
		return;
	if (!estimate_is_seen(estimate)) {
		json_object_object_add(object, "estimate", NULL);
		return;
	}
	add_number(object, "estimate", estimate->value);
	interval = json_object_new_array();
	json_object_array_add(interval, json_object_new_uint64(estimate->low));
	json_object_array_add(interval,
			      estimate->bounded ?
				      json_object_new_uint64(estimate->high) :
				      NULL);
	json_object_object_add(object, "interval", interval);
}

static struct json_object *json_event(const struct report *report,
				      const struct report_row *row, int i)
{
	const struct report_event *event = &report->events[i];
	struct json_object *object = json_object_new_object();
	char scope[32];

	add_text(object, "event", event->name);
	add_text(object, "level", event->level);
	add_number(object, "count",
		   row->estimates ? row->estimates[i].counted : row->counts[i]);
	add_counter(object, event);
	add_text(object, "native", event->native);
	json_object_object_add(object, "set", json_object_new_int(event->set));
	if (row->estimates && row->set_runs && event->has_counter) {
		add_number(object, "set_runs", row->set_runs[event->set]);
		add_number(object, "set_ns", row->set_ns[event->set]);
	}
	add_estimate(object, row->estimates ? &row->estimates[i] : NULL);
	add_text(object, "unit", event->unit);
	add_text(object, "scope",
		 cell_scope(report, row, scope, sizeof(scope)));
	if (row->comm)
		add_text(object, "comm", row->comm);
	return object;
}

static struct json_object *json_coverage(const struct coverage *coverage)
{
	struct json_object *object = json_object_new_object();

	add_number(object, coverage->system_wide ? "cpus" : "threads",
		   coverage->threads + coverage->lost);
	add_number(object, "counted", coverage->threads);
	add_number(object, "cpu_ns", coverage->cpu_ns);
	add_number(object, "counted_ns", coverage->counted_ns);
	add_number(object, "blind_ns", coverage->blind_ns);
	add_number(object, "throttled_ns", coverage->throttled_ns);
	add_number(object, "lost_children", coverage->lost);
	add_number(object, "lost_samples", coverage->missed);
	if (coverage->kind_ns[0] || coverage->kind_ns[1]) {
		add_number(object, "cpu_core_ns", coverage->kind_ns[0]);
		add_number(object, "cpu_atom_ns", coverage->kind_ns[1]);
	}
	return object;
}

static struct json_object *json_command(char *const *command)
{
	struct json_object *array = json_object_new_array();

	for (char *const *arg = command; arg && *arg; arg++)
		json_object_array_add(array, json_text(*arg));
	return array;
}

static struct json_object *json_events(const struct report *report)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < report->row_count; i++) {
		const struct report_row *row = &report->rows[i];

		for (int event = 0; event < report->event_count; event++)
			if (cell_is_own(report, row, event))
				json_object_array_add(
					array, json_event(report, row, event));
	}
	return array;
}

/* null: it has no value. */
static struct json_object *json_metrics(const struct report *report)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < report->metric_count; i++) {
		const struct metric *metric = &report->metrics[i];
		struct json_object *object = json_object_new_object();
		double value, seen;

		add_text(object, "metric", metric->name);
		add_text(object, "unit", metric->unit);
		json_object_object_add(object, "value",
				       report_metric(report, i, &value) ?
					       json_ratio(value) :
					       NULL);
		if (report_metric_sets(report, i, &seen))
			json_object_object_add(object, "seen",
					       json_ratio(seen));
		if (report_metric_exceeds(report, i))
			json_object_object_add(object, "above_threshold",
					       json_object_new_boolean(true));
		json_object_array_add(array, object);
	}
	return array;
}

static void add_origin(struct json_object *root, const struct report *report)
{
	struct json_object *version = json_object_new_int(JSON_VERSION);

	json_object_object_add(root, "version", version);
	add_text(root, "verb", report->verb);
	if (report->host)
		add_text(root, "host", report->host);
	if (report->kernel)
		add_text(root, "kernel", report->kernel);
	if (report->rank)
		add_text(root, "rank", report->rank);
	if (report->ranks)
		add_number(root, "ranks", report->ranks);
	if (report->job)
		add_text(root, "job", report->job);
	if (report->started)
		add_text(root, "started", report->started);
	add_text(root, "follow", report->follow);
	if (report->sets > 1)
		add_text(root, "reference",
			 report->reference ? report->reference : "time");
	add_number(root, "run", report->run);
	add_text(root, "part",
		 report->snapshot ? "snapshot" :
		 report->interval ? "interval" :
				    "whole");
	if (report->interval)
		add_number(root, "number", report->interval);
}

/* Several objects are one on each line, a single one is for people as well. */
static void print_json(struct json_object *root, bool lines, FILE *out)
{
	int flags = lines ? JSON_C_TO_STRING_PLAIN :
			    JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;

	fputs(json_object_to_json_string_ext(
		      root, flags | JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	fputc('\n', out);
}

void report_json(const struct report *report, const struct report_style *style,
		 FILE *out)
{
	struct json_object *root = json_object_new_object();
	bool exact = report_is_exact(report);

	json_object_object_add(root, "command", json_command(report->command));
	add_text(root, "pmu", report->model);
	json_object_object_add(root, "exit_status",
			       json_object_new_int(report->exit_status));
	add_number(root, "elapsed_ns", report->elapsed_ns);
	json_object_object_add(root, "events", json_events(report));
	if (report->regions)
		report_regions_json(report, root);
	if (report->metric_count)
		json_object_object_add(root, "metrics", json_metrics(report));
	add_origin(root, report);
	add_number(root, "user_ns", report->user_ns);
	add_number(root, "sys_ns", report->sys_ns);
	json_object_object_add(root, "coverage",
			       json_coverage(&report->coverage));
	if (report->skew_ns)
		add_number(root, "skew_ns", report->skew_ns);
	json_object_object_add(root, "exact", json_object_new_boolean(exact));
	if (style->strings)
		json_strings(root);
	print_json(root, style->timed || style->lines, out);
	json_object_put(root);
}
