// SPDX-License-Identifier: GPL-2.0-only
/* The formats of the results, see report.h. */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static void write_table(const struct report *report, FILE *out)
{
	fprintf(out, "%20s  %-11s  %s\n", "COUNT", "LEVEL", "EVENT");
	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		fprintf(out, "%20" PRIu64 "  %-11s  %s\n", event->count,
			event->level, event->name);
	}
}

/* Quotes as RFC 4180 wants it, if the text needs it. */
static void write_csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void write_csv(const struct report *report, FILE *out)
{
	fputs("event,level,count,counter,selector\n", out);
	for (int i = 0; i < report->event_count; i++) {
		const struct report_event *event = &report->events[i];

		write_csv_text(event->name, out);
		fprintf(out, ",%s,%" PRIu64 ",pmd%u,0x%" PRIx64 "\n",
			event->level, event->count, event->counter,
			event->selector);
	}
}

/* Length of the valid UTF-8 sequence that text begins with; 0 if it is none. */
static size_t utf8_length(const unsigned char *text)
{
	unsigned int code;
	size_t len;

	if (text[0] < 0x80)
		return 1;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	len = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	code = text[0] & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	/* Overlong forms, surrogates, and what is beyond Unicode. */
	if ((len == 3 && code < 0x800) || (len == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return len;
}

/*
 * JSON text has to be valid UTF-8, the arguments of a command need not: bytes
 * that are not become U+FFFD.
 */
static struct json_object *json_text(const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd";
	struct json_object *object = NULL;
	char *valid = malloc(3 * strlen(text) + 1);
	char *end = valid;

	if (!valid)
		return NULL;
	while (*text) {
		size_t len = utf8_length((const unsigned char *)text);
		const char *source = len ? text : replacement;
		size_t written = len ? len : sizeof(replacement) - 1;

		memcpy(end, source, written);
		end += written;
		text += len ? len : 1;
	}
	object = json_object_new_string_len(valid, (int)(end - valid));
	free(valid);
	return object;
}

static struct json_object *json_event(const struct report_event *event)
{
	struct json_object *object = json_object_new_object();
	char counter[16], selector[32];

	snprintf(counter, sizeof(counter), "pmd%u", event->counter);
	snprintf(selector, sizeof(selector), "0x%" PRIx64, event->selector);
	json_object_object_add(object, "event", json_text(event->name));
	json_object_object_add(object, "level", json_text(event->level));
	json_object_object_add(object, "count",
			       json_object_new_uint64(event->count));
	json_object_object_add(object, "counter", json_text(counter));
	json_object_object_add(object, "selector", json_text(selector));
	return object;
}

static void write_json(const struct report *report, FILE *out)
{
	struct json_object *root = json_object_new_object();
	struct json_object *command = json_object_new_array();
	struct json_object *events = json_object_new_array();

	for (char *const *arg = report->command; *arg; arg++)
		json_object_array_add(command, json_text(*arg));
	for (int i = 0; i < report->event_count; i++)
		json_object_array_add(events, json_event(&report->events[i]));

	json_object_object_add(root, "command", command);
	json_object_object_add(root, "pmu", json_text(report->model));
	json_object_object_add(root, "exit_status",
			       json_object_new_int(report->exit_status));
	json_object_object_add(root, "elapsed_ns",
			       json_object_new_uint64(report->elapsed_ns));
	json_object_object_add(root, "events", events);
	fputs(json_object_to_json_string_ext(
		      root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
				    JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
	fputc('\n', out);
	json_object_put(root);
}

int report_write(const struct report *report, enum report_format format,
		 FILE *out)
{
	errno = 0;
	switch (format) {
	case REPORT_TABLE:
		write_table(report, out);
		break;
	case REPORT_CSV:
		write_csv(report, out);
		break;
	case REPORT_JSON:
		write_json(report, out);
		break;
	}
	if (fflush(out) || ferror(out)) {
		if (!errno)
			errno = EIO;
		return -1;
	}
	return 0;
}
