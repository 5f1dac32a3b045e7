// SPDX-License-Identifier: GPL-2.0-only
/* Reading results, see results.h. Nothing in a file is trusted. */
#include "results/results.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

#define FILE_BYTES_MAX (256u << 20)
#define VERSION_KNOWN 1

static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(object, json_type_object))
		json_object_object_get_ex(object, key, &value);
	return value;
}

/* To be freed; "" if it is not there. */
static char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key);

	return strdup(json_object_is_type(value, json_type_string) ?
			      json_object_get_string(value) :
			      "");
}

/* A count: a number, or a string of digits. False if it is neither. */
static bool count_of(struct json_object *value, uint64_t *count)
{
	const char *text;
	char *end;

	if (json_object_is_type(value, json_type_int)) {
		*count = json_object_get_uint64(value);
		/* A negative number is none. */
		return json_object_get_int64(value) >= 0;
	}
	if (!json_object_is_type(value, json_type_string))
		return false;
	text = json_object_get_string(value);
	errno = 0;
	*count = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Estimates of sets; what has none was counted. */
static bool take_value(struct result_event *event, struct json_object *object)
{
	struct json_object *estimate, *interval = member(object, "interval");

	event->bounded = true;
	event->seen = true;
	if (!count_of(member(object, "count"), &event->value))
		return false;
	event->low = event->high = event->value;
	if (!json_object_object_get_ex(object, "estimate", &estimate))
		return true;
	event->seen = estimate;
	if (!event->seen)
		return true;
	if (!count_of(estimate, &event->value) ||
	    !json_object_is_type(interval, json_type_array) ||
	    json_object_array_length(interval) != 2 ||
	    !count_of(json_object_array_get_idx(interval, 0), &event->low))
		return false;
	event->bounded = json_object_array_get_idx(interval, 1);
	return !event->bounded ||
	       (count_of(json_object_array_get_idx(interval, 1),
			 &event->high) &&
		event->low <= event->high);
}

static void free_event(struct result_event *event)
{
	free(event->name);
	free(event->level);
	free(event->unit);
}

static struct result_event *find(const struct result *result,
				 const struct result_event *like)
{
	for (int i = 0; i < result->event_count; i++) {
		struct result_event *event = &result->events[i];

		if (!strcmp(event->name, like->name) &&
		    !strcmp(event->level, like->level))
			return event;
	}
	return NULL;
}

const struct result_event *result_find(const struct result *result,
				       const struct result_event *like)
{
	return find(result, like);
}

bool results_count(const struct results *results, const struct result *result)
{
	if (!result->exit_status)
		return true;
	for (int i = 0; i < results->count; i++) {
		if (!results->list[i].exit_status)
			return false;
	}
	return true;
}

/* Saturates: a sum above 64 bits is no count that anybody has seen. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static void add_to(struct result_event *sum, const struct result_event *event)
{
	sum->value = plus(sum->value, event->value);
	sum->low = plus(sum->low, event->low);
	sum->high = plus(sum->high, event->high);
	sum->bounded &= event->bounded;
	sum->seen &= event->seen;
}

/* -1 after a message; the event belongs to the result or is freed. */
static int keep_event(struct result *result, struct result_event *event)
{
	struct result_event *sum, *grown;

	if (!event->name || !event->level || !event->unit) {
		free_event(event);
		return diag("out of memory");
	}
	sum = find(result, event);
	if (sum) {
		add_to(sum, event);
		free_event(event);
		return 0;
	}
	grown = reallocarray(result->events, (size_t)result->event_count + 1,
			     sizeof(*grown));
	if (!grown) {
		free_event(event);
		return diag("out of memory");
	}
	result->events = grown;
	grown[result->event_count++] = *event;
	return 0;
}

static bool is_whole(struct json_object *object)
{
	struct json_object *scope = member(object, "scope");

	/* "thread:7" and the like are parts; older files name no scope. */
	return !scope || !strchr(json_object_get_string(scope), ':');
}

/* The whole if it is told, or else the sum of the rows. */
static int take_events(struct result *result, struct json_object *array,
		       const char *file)
{
	size_t count = json_object_array_length(array);
	bool whole = false;

	for (size_t i = 0; i < count; i++)
		whole |= is_whole(json_object_array_get_idx(array, i));
	for (size_t i = 0; i < count; i++) {
		struct json_object *object =
			json_object_array_get_idx(array, i);
		struct result_event event = { .name = NULL };

		if (whole && !is_whole(object))
			continue;
		if (!json_object_is_type(object, json_type_object) ||
		    !take_value(&event, object))
			return diag("%s: event %zu has no count", file, i);
		event.name = text_of(object, "event");
		event.level = text_of(object, "level");
		event.unit = text_of(object, "unit");
		if (keep_event(result, &event))
			return -1;
	}
	return 0;
}

static unsigned int small_number(struct json_object *object, const char *key,
				 unsigned int otherwise)
{
	struct json_object *value = member(object, key);
	int64_t number = json_object_get_int64(value);

	return json_object_is_type(value, json_type_int) && number >= 0 &&
			       number <= INT32_MAX ?
		       (unsigned int)number :
		       otherwise;
}

/* To be freed; NULL if there is none, or none that a launcher would give. */
static char *rank_of(struct json_object *object)
{
	char *rank = text_of(object, "rank");

	if (rank && *rank && strlen(rank) < 10 &&
	    !rank[strspn(rank, "0123456789")])
		return rank;
	free(rank);
	return NULL;
}

static bool is_part(struct json_object *object, const char *kind)
{
	struct json_object *part = member(object, "part");

	return json_object_is_type(part, json_type_string) &&
	       !strcmp(json_object_get_string(part), kind);
}

/*
 * The run that has begun and that this is an interval of, NULL: none. A file may have
 * several runs with one number, which were appended. Older ones do not tell intervals
 * from runs.
 */
static struct result *begun(struct results *results, unsigned int run,
			    struct json_object *object)
{
	if (!results->count || is_part(object, "whole"))
		return NULL;
	if (is_part(object, "interval"))
		return small_number(object, "number", 1) == 1 ?
			       NULL :
			       &results->list[results->count - 1];
	for (int i = 0; i < results->count; i++) {
		if (results->list[i].run == run)
			return &results->list[i];
	}
	return NULL;
}

/* The run that an object is of: its intervals are one object each. */
static struct result *result_of(struct results *results, unsigned int run,
				struct json_object *object)
{
	struct result *grown, *result = begun(results, run, object);

	if (result)
		return result;
	grown = reallocarray(results->list, (size_t)results->count + 1,
			     sizeof(*grown));
	if (!grown) {
		diag("out of memory");
		return NULL;
	}
	results->list = grown;
	result = &grown[results->count++];
	*result = (struct result){ .run = run, .exact = true };
	result->host = text_of(object, "host");
	result->rank = rank_of(object);
	result->ranks = small_number(object, "ranks", 0);
	return result;
}

static int take_object(struct results *results, struct json_object *object)
{
	struct json_object *events = member(object, "events");
	struct json_object *exact = member(object, "exact");
	struct result *result;

	if (!json_object_is_type(events, json_type_array))
		return diag("%s: not a result of pfmon --json", results->file);
	if (small_number(object, "version", VERSION_KNOWN) != VERSION_KNOWN)
		return diag("%s: of a version that this pfmon does not know",
			    results->file);
	/* What it has is in the whole, or in the next one, once more. */
	if (is_part(object, "snapshot"))
		return 0;
	result = result_of(results, small_number(object, "run", 1), object);
	if (!result)
		return -1;
	result->exit_status = (int)small_number(object, "exit_status", 0);
	/* Files from before that member are of one thread. */
	result->exact &= !exact || json_object_get_boolean(exact);
	return take_events(result, events, results->file);
}

static int parse_all(struct results *results, struct json_tokener *tokener,
		     const char *text, size_t size)
{
	while (size) {
		struct json_object *object;
		size_t used;
		int ret;

		/* Between objects, and behind the last. */
		if (strchr(" \t\r\n", *text) && *text) {
			text++;
			size--;
			continue;
		}
		json_tokener_reset(tokener);
		object = json_tokener_parse_ex(tokener, text, (int)size);
		if (!object)
			return diag("%s: not JSON: %s", results->file,
				    json_tokener_error_desc(
					    json_tokener_get_error(tokener)));
		used = json_tokener_get_parse_end(tokener);
		ret = take_object(results, object);
		json_object_put(object);
		if (ret)
			return -1;
		text += used;
		size -= used;
	}
	return results->count ? 0 : diag("%s: no results", results->file);
}

int results_parse(struct results *results, const char *file, const char *text,
		  size_t size)
{
	struct json_tokener *tokener = json_tokener_new();
	int ret;

	*results = (struct results){ .file = file };
	if (!tokener)
		return diag("out of memory");
	ret = parse_all(results, tokener, text, size);
	json_tokener_free(tokener);
	return ret;
}

/* To be freed; NULL after a message. */
static char *read_all(FILE *in, const char *file, size_t *size)
{
	size_t capacity = 65536;
	char *text = malloc(capacity);

	*size = 0;
	while (text) {
		size_t got = fread(text + *size, 1, capacity - *size, in);
		char *grown;

		*size += got;
		if (!got && !ferror(in))
			return text;
		if (ferror(in) || *size > FILE_BYTES_MAX) {
			diag("%s: %s", file,
			     ferror(in) ? strerror(errno) : "too large");
			free(text);
			return NULL;
		}
		if (*size < capacity)
			continue;
		capacity *= 2;
		grown = realloc(text, capacity);
		if (!grown)
			free(text);
		text = grown;
	}
	diag("out of memory");
	return NULL;
}

int results_read(struct results *results, const char *file)
{
	bool is_stdin = !strcmp(file, "-");
	FILE *in = is_stdin ? stdin : fopen(file, "re");
	size_t size;
	char *text;
	int ret;

	*results = (struct results){ .file = file };
	if (!in)
		return diag("%s: %s", file, strerror(errno));
	text = read_all(in, file, &size);
	if (!is_stdin)
		fclose(in);
	if (!text)
		return -1;
	ret = results_parse(results, file, text, size);
	free(text);
	return ret;
}

void results_free(struct results *results)
{
	for (int i = 0; i < results->count; i++) {
		struct result *result = &results->list[i];

		for (int j = 0; j < result->event_count; j++)
			free_event(&result->events[j]);
		free(result->events);
		free(result->host);
		free(result->rank);
	}
	free(results->list);
	*results = (struct results){ .file = results->file };
}
