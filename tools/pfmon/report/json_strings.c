// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts as strings, for readers whose numbers have 53 bits (--json-strings); they
 * are numbers in the object until it is complete.
 */
#include "report/json_strings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_count(const char *key)
{
	static const char *const counts[] = { "cost", "count", "estimate",
					      "interval" };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (!strcmp(counts[i], key))
			return true;
	}
	return false;
}

/* The same as a string, NULL: it is no number. */
static struct json_object *text_of(struct json_object *value)
{
	char text[32];

	if (!json_object_is_type(value, json_type_int))
		return NULL;
	snprintf(text, sizeof(text), "%" PRIu64, json_object_get_uint64(value));
	return json_object_new_string(text);
}

/* An array of counts, or one of objects with counts. */
static void change_array(struct json_object *array, bool counts)
{
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *value = json_object_array_get_idx(array, i);
		struct json_object *text = counts ? text_of(value) : NULL;

		if (text)
			json_object_array_put_idx(array, i, text);
		else
			json_strings(value);
	}
}

void json_strings(struct json_object *object)
{
	if (!json_object_is_type(object, json_type_object))
		return;
	json_object_object_foreach(object, key, value)
	{
		struct json_object *text = NULL;

		if (json_object_is_type(value, json_type_array))
			change_array(value, is_count(key));
		else if (is_count(key))
			text = text_of(value);
		else
			json_strings(value);
		/* It takes the place of the one of that name. */
		if (text)
			json_object_object_add(object, key, text);
	}
}
