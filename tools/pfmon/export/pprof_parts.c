// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parts of a profile of pprof, see pprof_parts.h. The numbers of fields are those
 * of pprof's profile.proto.
 */
#include "export/pprof_parts.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
};

enum { TYPE_TYPE = 1, TYPE_UNIT = 2 };

enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };

enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3 };

enum {
	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
};

enum {
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4
};

enum { LINE_FUNCTION = 1 };

enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4
};

struct string {
	uint64_t index;
	char text[];
};

static int by_text(const void *one, const void *other)
{
	const struct string *a = one, *b = other;

	return strcmp(a->text, b->text);
}

/* The number of a text; 0, which is "", without memory. */
static uint64_t string(struct pprof *pprof, const char *text)
{
	struct string *kept = malloc(sizeof(*kept) + strlen(text) + 1);
	struct string **node;

	if (!kept) {
		pprof->failed = true;
		return 0;
	}
	strcpy(kept->text, text);
	kept->index = pprof->string_count;
	node = tsearch(kept, &pprof->strings, by_text);
	if (!node || *node != kept)
		free(kept);
	if (!node) {
		pprof->failed = true;
		return 0;
	}
	if (*node == kept) {
		pprof->string_count++;
		message_bytes(&pprof->profile, PROFILE_STRING, text,
			      strlen(text));
	}
	return (*node)->index;
}

static void value_type(struct pprof *pprof, unsigned int field,
		       const char *type, const char *unit)
{
	uint64_t type_string = string(pprof, type);
	uint64_t unit_string = string(pprof, unit);

	message_number(&pprof->part, TYPE_TYPE, type_string);
	message_number(&pprof->part, TYPE_UNIT, unit_string);
	message_part(&pprof->profile, field, &pprof->part);
}

/* "samples" alone if one event is all that there is. */
static void event_types(struct pprof *pprof)
{
	unsigned int sampled = 0;
	char name[256];

	for (unsigned int i = 0; i < pprof->source->event_count; i++)
		sampled += pprof->source->events[i].period != 0;
	for (unsigned int i = 0; i < pprof->source->event_count; i++) {
		const struct profile_event *event = &pprof->source->events[i];

		if (!event->period)
			continue;
		snprintf(name, sizeof(name), "samples%s%s",
			 sampled > 1 ? " of " : "",
			 sampled > 1 ? event->name : "");
		value_type(pprof, PROFILE_SAMPLE_TYPE, name, "count");
		value_type(pprof, PROFILE_SAMPLE_TYPE, event->name, "count");
	}
}

void pprof_begin(struct pprof *pprof, const struct profile *source)
{
	*pprof = (struct pprof){ .source = source };
	string(pprof, "");
	event_types(pprof);
	pprof->has_mapping = calloc(source->map_count + 1, sizeof(bool));
	if (!pprof->has_mapping)
		pprof->failed = true;
	for (unsigned int i = 0; i < source->event_count; i++) {
		if (!source->events[i].period)
			continue;
		value_type(pprof, PROFILE_PERIOD_TYPE, source->events[i].name,
			   "count");
		message_number(&pprof->profile, PROFILE_PERIOD,
			       source->events[i].period);
		break;
	}
}

/* Whether an index is new; remembers it. */
static bool is_new(struct pprof *pprof, uint8_t **known, size_t *count,
		   size_t index)
{
	uint8_t *more;

	if (index >= *count) {
		size_t wanted = 2 * index + 64;

		more = realloc(*known, wanted);
		if (!more) {
			pprof->failed = true;
			return false;
		}
		memset(more + *count, 0, wanted - *count);
		*known = more;
		*count = wanted;
	}
	if ((*known)[index])
		return false;
	(*known)[index] = 1;
	return true;
}

/* The id of a mapping, 0: none. */
static uint64_t mapping(struct pprof *pprof, const struct profile_map *map)
{
	char build_id[2 * PFMD_BUILD_ID_SIZE + 1] = "";
	uint64_t file_string, id_string;
	size_t index;

	if (!map || !pprof->has_mapping)
		return 0;
	index = (size_t)(map - pprof->source->maps);
	if (pprof->has_mapping[index])
		return index + 1;
	pprof->has_mapping[index] = true;
	for (int i = 0; map->has_build_id && i < PFMD_BUILD_ID_SIZE; i++)
		sprintf(build_id + 2 * i, "%02x", map->build_id[i]);
	file_string = string(pprof, map->path);
	id_string = string(pprof, build_id);
	message_number(&pprof->part, MAPPING_ID, index + 1);
	message_number(&pprof->part, MAPPING_START, map->addr);
	message_number(&pprof->part, MAPPING_LIMIT, map->addr + map->len);
	message_number(&pprof->part, MAPPING_OFFSET, map->pgoff);
	message_number(&pprof->part, MAPPING_FILE, file_string);
	message_number(&pprof->part, MAPPING_BUILD_ID, id_string);
	message_number(&pprof->part, MAPPING_HAS_FUNCTIONS, 1);
	message_part(&pprof->profile, PROFILE_MAPPING, &pprof->part);
	return index + 1;
}

void pprof_program(struct pprof *pprof, uint32_t tgid)
{
	for (size_t i = 0; i < pprof->source->map_count; i++) {
		const struct profile_map *map = &pprof->source->maps[i];

		if (map->tgid == tgid && *map->path == '/') {
			mapping(pprof, map);
			break;
		}
	}
}

static uint64_t function_id(struct pprof *pprof,
			    const struct function *function)
{
	uint64_t name, file;

	if (!is_new(pprof, &pprof->has_function, &pprof->function_count,
		    function->index))
		return function->index + 1UL;
	name = string(pprof, function->name);
	file = string(pprof, function->file);
	message_number(&pprof->part, FUNCTION_ID, function->index + 1UL);
	message_number(&pprof->part, FUNCTION_NAME, name);
	message_number(&pprof->part, FUNCTION_SYSTEM_NAME, name);
	message_number(&pprof->part, FUNCTION_FILE, file);
	message_part(&pprof->profile, PROFILE_FUNCTION, &pprof->part);
	return function->index + 1UL;
}

static uint64_t location(struct pprof *pprof, const struct place *place)
{
	uint64_t map, function;

	if (!is_new(pprof, &pprof->has_location, &pprof->location_count,
		    place->index))
		return place->index + 1UL;
	map = mapping(pprof, place->map);
	function = function_id(pprof, place->function);
	message_number(&pprof->part, LOCATION_ID, place->index + 1UL);
	message_number(&pprof->part, LOCATION_MAPPING, map);
	message_number(&pprof->part, LOCATION_ADDRESS, place->ip);
	message_number(&pprof->inner, LINE_FUNCTION, function);
	message_part(&pprof->part, LOCATION_LINE, &pprof->inner);
	message_part(&pprof->profile, PROFILE_LOCATION, &pprof->part);
	return place->index + 1UL;
}

static void label(struct pprof *pprof, const char *key, const char *text,
		  uint64_t number)
{
	message_number(&pprof->inner, LABEL_KEY, string(pprof, key));
	if (text)
		message_number(&pprof->inner, LABEL_TEXT, string(pprof, text));
	else
		message_number(&pprof->inner, LABEL_NUMBER, number);
	message_part(&pprof->part, SAMPLE_LABEL, &pprof->inner);
}

static void labels_of_source(struct pprof *pprof)
{
	const char *host = profile_meta(pprof->source, "host");
	struct json_object *rank;

	if (host)
		label(pprof, "host", host, 0);
	if (json_object_object_get_ex(pprof->source->meta, "rank", &rank) &&
	    json_object_is_type(rank, json_type_int))
		label(pprof, "rank", NULL, json_object_get_uint64(rank));
}

void pprof_sample(struct pprof *pprof, const struct place *const *stack,
		  unsigned int depth, const uint64_t *values,
		  const struct pprof_labels *labels)
{
	/* All first: each is a part that is made in the same place. */
	for (unsigned int i = 0; i < depth; i++)
		location(pprof, stack[i]);
	for (unsigned int i = 0; i < depth; i++)
		message_varint(&pprof->inner, stack[i]->index + 1UL);
	message_part(&pprof->part, SAMPLE_LOCATION, &pprof->inner);
	for (unsigned int i = 0; i < pprof->source->event_count; i++) {
		if (!pprof->source->events[i].period)
			continue;
		message_varint(&pprof->inner, values[2 * i]);
		message_varint(&pprof->inner, values[2 * i + 1]);
	}
	message_part(&pprof->part, SAMPLE_VALUE, &pprof->inner);
	label(pprof, "comm", labels->comm, 0);
	label(pprof, "pid", NULL, labels->pid);
	label(pprof, "tid", NULL, labels->tid);
	labels_of_source(pprof);
	message_part(&pprof->profile, PROFILE_SAMPLE, &pprof->part);
}

int pprof_end(struct pprof *pprof)
{
	return pprof->failed || pprof->profile.failed ? -1 : 0;
}

void pprof_free(struct pprof *pprof)
{
	tdestroy(pprof->strings, free);
	free(pprof->profile.bytes);
	free(pprof->part.bytes);
	free(pprof->inner.bytes);
	free(pprof->has_location);
	free(pprof->has_function);
	free(pprof->has_mapping);
}
