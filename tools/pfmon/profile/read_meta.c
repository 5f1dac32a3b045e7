// SPDX-License-Identifier: GPL-2.0-only
/* META and COUNTS of a file of samples: the chunks that are JSON, see read_parts.h. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_parts.h"

/* Events have numbers of 16 bits in samples. */
#define EVENTS_MAX 1024
#define PMDS_MAX 1024

/* META's word for both levels, and the one of COUNTS. */
#define LEVEL_ALL "all"
#define LEVEL_BOTH "user+kernel"

/* NULL after a message. */
static struct json_object *parse(const struct profile *profile,
				 const struct chunk *chunk)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object = NULL;

	if (tokener && chunk->length)
		object = json_tokener_parse_ex(tokener,
					       (const char *)chunk->payload,
					       (int)chunk->length);
	if (tokener)
		json_tokener_free(tokener);
	if (object && json_object_is_type(object, json_type_object))
		return object;
	json_object_put(object);
	part_damaged(profile, chunk, "its JSON");
	return NULL;
}

static const char *string_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

static uint64_t number_of(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return 0;
	return json_object_get_uint64(value);
}

/*
 * What perf's modifiers at the end of a name begin with: a colon, or the last slash of
 * terms. NULL: there are none.
 */
static const char *modifiers_of(const char *name)
{
	const char *begin = strrchr(name, strchr(name, '/') ? '/' : ':');

	return begin && !begin[1 + strspn(begin + 1, "ukp")] ? begin : NULL;
}

/* A name that tells the level: "cycles:u". */
static char *full_name(const char *name, const char *level)
{
	const char *suffix = !strcmp(level, "user")    ? ":u" :
			     !strcmp(level, "kernel")  ? ":k" :
			     !strcmp(level, LEVEL_ALL) ? ":uk" :
							 "";
	const char *modifiers = modifiers_of(name);
	char *full;

	if (modifiers ? strpbrk(modifiers, "uk") != NULL :
			strlen(name) > 2 && name[strlen(name) - 2] == ':')
		suffix = "";
	/* As perf has it: "cycles:pu", "ibs_op//u". */
	else if (modifiers)
		suffix += *suffix == ':';
	return asprintf(&full, "%s%s", name, suffix) < 0 ? NULL : full;
}

/* How much its periods differ. */
static void fill_periods(struct profile_event *event,
			 struct json_object *object)
{
	struct json_object *varies;

	event->period = number_of(object, "period");
	event->doubles = number_of(object, "rate") != 0;
	event->is_mixed = number_of(object, "short") &&
			  number_of(object, "short") != event->period;
	event->varies = json_object_object_get_ex(object, "varies", &varies) &&
			json_object_get_boolean(varies);
}

static enum profile_access access_of_name(const char *name)
{
	static const char *const names[] = {
		[PROFILE_ACCESS_LATENCY] = "latency",
		[PROFILE_ACCESS_LOAD] = "load",
		[PROFILE_ACCESS_STORE] = "store",
	};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && !strcmp(names[i], name))
			return (enum profile_access)i;
	return PROFILE_ACCESS_NONE;
}

static int fill_event(struct profile_event *event, struct json_object *object)
{
	struct json_object *pmds;
	const char *name = string_of(object, "name");
	const char *level = string_of(object, "level");

	if (!name || !level)
		return -1;
	event->level = level;
	event->native = string_of(object, "native");
	event->precise = string_of(object, "precise");
	event->access = access_of_name(string_of(object, "access"));
	event->after = number_of(object, "after");
	fill_periods(event, object);
	event->pmd = (unsigned int)number_of(object, "pmd");
	event->name = full_name(name, level);
	if (!event->name)
		return -1;
	if (!json_object_object_get_ex(object, "smpl_pmds", &pmds))
		return 0;
	if (!json_object_is_type(pmds, json_type_array) ||
	    json_object_array_length(pmds) > PMDS_MAX)
		return -1;
	event->smpl_pmds = calloc(json_object_array_length(pmds) + 1,
				  sizeof(*event->smpl_pmds));
	if (!event->smpl_pmds)
		return -1;
	for (size_t i = 0; i < json_object_array_length(pmds); i++)
		event->smpl_pmds[event->smpl_pmd_count++] =
			(unsigned int)json_object_get_int(
				json_object_array_get_idx(pmds, i));
	return 0;
}

/* What the blocks of samples are read by. */
static void fill_processor(struct profile *profile)
{
	struct json_object *maker;
	bool pebs;

	pebs = json_object_object_get_ex(profile->meta, "pebs", &maker);
	if (!pebs && !json_object_object_get_ex(profile->meta, "ibs", &maker))
		return;
	if (!json_object_is_type(maker, json_type_object))
		return;
	profile->processor = (struct profile_processor){
		.pebs = pebs,
		.ibs_caps = (uint32_t)number_of(maker, "caps"),
		.family = (unsigned int)number_of(maker, "family"),
		.model = (unsigned int)number_of(maker, "model"),
	};
}

int part_meta(struct profile *profile, const struct chunk *chunk)
{
	struct json_object *events;
	uint64_t blocks;
	size_t count;

	if (profile->meta)
		return part_damaged(profile, chunk, "a second META");
	profile->meta = parse(profile, chunk);
	if (!profile->meta)
		return -1;
	if (number_of(profile->meta, "version") != 1)
		return diag("%s: is of another version; use a newer pfmon",
			    profile->name);
	if (!json_object_object_get_ex(profile->meta, "events", &events) ||
	    !json_object_is_type(events, json_type_array))
		return part_damaged(profile, chunk, "META has no events");
	blocks = number_of(profile->meta, "blocks");
	profile->has_blocks = blocks != 0;
	profile->has_memory = blocks & PFM_PRECISE_SMPL_MEM;
	profile->has_branches = blocks & PFM_PRECISE_SMPL_BRANCHES;
	fill_processor(profile);
	count = json_object_array_length(events);
	if (!count || count > EVENTS_MAX)
		return part_damaged(profile, chunk, "the number of events");
	profile->events = calloc(count, sizeof(*profile->events));
	if (!profile->events)
		return diag("%s: no memory for it", profile->name);
	for (size_t i = 0; i < count; i++) {
		profile->event_count++;
		if (fill_event(&profile->events[i],
			       json_object_array_get_idx(events, i)))
			return part_damaged(profile, chunk, "an event of META");
	}
	return 0;
}

/* An event may have its level behind modifiers. */
static bool is_event(struct json_object *row, const struct profile_event *event)
{
	const char *name = string_of(row, "event");
	const char *level = string_of(row, "level");
	const char *wanted = strcmp(event->level, LEVEL_ALL) != 0 ?
				     event->level :
				     LEVEL_BOTH;
	size_t length = strlen(event->name);

	return name && level && !strcmp(level, wanted) &&
	       !strncmp(name, event->name, length) &&
	       (!name[length] || name[length] == ':');
}

uint64_t part_counted(const struct profile *profile,
		      const struct profile_event *event)
{
	struct json_object *events;

	if (!profile->counts ||
	    !json_object_object_get_ex(profile->counts, "events", &events) ||
	    !json_object_is_type(events, json_type_array))
		return 0;
	for (size_t i = 0; i < json_object_array_length(events); i++) {
		struct json_object *row = json_object_array_get_idx(events, i);

		if (is_event(row, event))
			return number_of(row, "count");
	}
	return 0;
}

int part_counts(struct profile *profile, const struct chunk *chunk)
{
	struct json_object *counts = parse(profile, chunk);

	if (!counts)
		return -1;
	json_object_put(profile->counts);
	profile->counts = counts;
	return 0;
}
