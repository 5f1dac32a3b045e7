// SPDX-License-Identifier: GPL-2.0-only
/* The results, see tap.h. */
#include "tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "selftest.h"

/* One fault shows on many counters and CPUs; the first ones say enough. */
#define FINDINGS_MAX 16

/* UINT64_MAX, as the upper end of what would have been right. */
#define NO_LIMIT "18446744073709551615"

static const char *const verdict_names[] = {
	[VERDICT_RIGHT] = "right",
	[VERDICT_UNSURE] = "inconclusive",
	[VERDICT_WRONG] = "wrong",
};

void tap_open(struct tap *tap, FILE *out)
{
	memset(tap, 0, sizeof(*tap));
	tap->out = out;
	tap->tests = json_object_new_array();
	fputs("TAP version 13\n", out);
}

void tap_close(struct tap *tap)
{
	json_object_put(tap->tests);
	tap->tests = NULL;
}

void tap_begin(struct tap *tap, const char *name)
{
	tap->name = name;
	tap->verdict = VERDICT_RIGHT;
	tap->left_out = 0;
	tap->skip = false;
	tap->reason[0] = '\0';
	tap->test = json_object_new_object();
	tap->findings = json_object_new_array();
	tap->notes = json_object_new_array();
	json_object_object_add(tap->test, "name", json_object_new_string(name));
}

static void worsen(struct tap *tap, enum verdict verdict)
{
	if (verdict > tap->verdict)
		tap->verdict = verdict;
}

static void add_text(struct json_object *object, const char *key,
		     const char *text)
{
	if (text)
		json_object_object_add(object, key,
				       json_object_new_string(text));
}

static struct json_object *new_finding(const struct place *place,
				       const struct ruling *ruling)
{
	struct json_object *finding = json_object_new_object();

	add_text(finding, "verdict", verdict_names[ruling->verdict]);
	if (place->cpu >= 0)
		json_object_object_add(finding, "cpu",
				       json_object_new_int(place->cpu));
	add_text(finding, "counter", place->counter);
	add_text(finding, "event", place->event);
	json_object_object_add(finding, "expected_min",
			       json_object_new_uint64(ruling->low));
	json_object_object_add(finding, "expected_max",
			       json_object_new_uint64(ruling->high));
	json_object_object_add(finding, "got",
			       json_object_new_uint64(ruling->got));
	add_text(finding, "cause", ruling->cause);
	return finding;
}

void tap_ruling(struct tap *tap, const struct place *place,
		const struct ruling *ruling)
{
	if (ruling->verdict == VERDICT_RIGHT)
		return;
	worsen(tap, ruling->verdict);
	if (ruling->verdict == VERDICT_UNSURE)
		snprintf(tap->reason, sizeof(tap->reason), "%s", ruling->cause);
	if (json_object_array_length(tap->findings) >= FINDINGS_MAX)
		tap->left_out++;
	else
		json_object_array_add(tap->findings,
				      new_finding(place, ruling));
}

void tap_failed(struct tap *tap, const struct place *place, const char *what,
		int error)
{
	struct json_object *finding = json_object_new_object();
	char cause[160];

	worsen(tap, VERDICT_WRONG);
	snprintf(cause, sizeof(cause), "%s: %s", what, strerror(error));
	add_text(finding, "verdict", verdict_names[VERDICT_WRONG]);
	if (place->cpu >= 0)
		json_object_object_add(finding, "cpu",
				       json_object_new_int(place->cpu));
	add_text(finding, "counter", place->counter);
	add_text(finding, "event", place->event);
	add_text(finding, "cause", cause);
	json_object_array_add(tap->findings, finding);
}

void tap_unsure(struct tap *tap, const char *format, ...)
{
	va_list args;

	worsen(tap, VERDICT_UNSURE);
	va_start(args, format);
	vsnprintf(tap->reason, sizeof(tap->reason), format, args);
	va_end(args);
}

void tap_skip(struct tap *tap, const char *format, ...)
{
	va_list args;

	tap->skip = true;
	va_start(args, format);
	vsnprintf(tap->reason, sizeof(tap->reason), format, args);
	va_end(args);
}

void tap_note(struct tap *tap, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	json_object_array_add(tap->notes, json_object_new_string(text));
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return NULL;
	return json_object_get_string(value);
}

static void print_finding(FILE *out, struct json_object *finding)
{
	const char *cpu = text_of(finding, "cpu");
	const char *counter = text_of(finding, "counter");
	const char *event = text_of(finding, "event");
	const char *low = text_of(finding, "expected_min");
	const char *high = text_of(finding, "expected_max");

	fputs("# ", out);
	if (cpu)
		fprintf(out, "CPU %s, ", cpu);
	if (counter)
		fprintf(out, "%s, ", counter);
	if (event)
		fprintf(out, "%s: ", event);
	if (low && !strcmp(low, high))
		fprintf(out, "expected %s, ", low);
	else if (low && !strcmp(high, NO_LIMIT))
		fprintf(out, "expected at least %s, ", low);
	else if (low)
		fprintf(out, "expected %s to %s, ", low, high);
	if (low)
		fprintf(out, "got %s: ", text_of(finding, "got"));
	fprintf(out, "%s\n", text_of(finding, "cause"));
}

static void print_test(struct tap *tap)
{
	size_t i;

	fprintf(tap->out, "%s %d - %s",
		tap->verdict == VERDICT_RIGHT ? "ok" : "not ok", tap->count,
		tap->name);
	if (tap->skip && tap->verdict == VERDICT_RIGHT)
		fprintf(tap->out, " # SKIP %s", tap->reason);
	else if (tap->verdict == VERDICT_UNSURE)
		fprintf(tap->out, " # TODO inconclusive: %s", tap->reason);
	fputc('\n', tap->out);
	for (i = 0; i < json_object_array_length(tap->findings); i++)
		print_finding(tap->out,
			      json_object_array_get_idx(tap->findings, i));
	if (tap->left_out)
		fprintf(tap->out, "# and %d more of this kind\n",
			tap->left_out);
	for (i = 0; i < json_object_array_length(tap->notes); i++)
		fprintf(tap->out, "# %s\n",
			json_object_get_string(
				json_object_array_get_idx(tap->notes, i)));
	fflush(tap->out);
}

void tap_end(struct tap *tap)
{
	bool skipped = tap->skip && tap->verdict == VERDICT_RIGHT;

	tap->count++;
	tap->wrong += tap->verdict == VERDICT_WRONG;
	tap->unsure += tap->verdict == VERDICT_UNSURE;
	tap->skipped += skipped;
	if ((int)tap->verdict > tap->worst)
		tap->worst = tap->verdict;
	print_test(tap);
	add_text(tap->test, "verdict",
		 skipped ? "skipped" : verdict_names[tap->verdict]);
	add_text(tap->test, "reason", tap->reason[0] ? tap->reason : NULL);
	json_object_object_add(tap->test, "findings", tap->findings);
	json_object_object_add(tap->test, "notes", tap->notes);
	json_object_array_add(tap->tests, tap->test);
	tap->name = NULL;
}

void tap_plan(struct tap *tap)
{
	fprintf(tap->out, "1..%d\n", tap->count);
}

int tap_status(const struct tap *tap)
{
	if (tap->worst == VERDICT_WRONG)
		return SELFTEST_WRONG;
	return tap->worst == VERDICT_UNSURE ? SELFTEST_UNSURE : SELFTEST_RIGHT;
}
