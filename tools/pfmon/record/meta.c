// SPDX-License-Identifier: GPL-2.0-only
/* What was recorded, see meta.h and profile/pfmd.h. */
#include "record/meta.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "engine/means.h"
#include "record/memory.h"
#include "registers/sampler_kinds.h"
#include "report/json_text.h"
#include "report/rank.h"

#define META_VERSION 1

static void add_text(struct json_object *object, const char *key,
		     const char *text)
{
	json_object_object_add(object, key, text ? json_text(text) : NULL);
}

static void add_number(struct json_object *object, const char *key,
		       uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static struct json_object *words(char *const argv[])
{
	struct json_object *array = json_object_new_array();

	for (char *const *word = argv; word && *word; word++)
		json_object_array_add(array, json_text(*word));
	return array;
}

/* What programs the counter at this place of the plan. */
static struct json_object *controls(const struct plan *plan, int place)
{
	struct json_object *array = json_object_new_array();

	for (int i = 0; i < plan->pmc_count; i++) {
		struct json_object *pair;

		if (plan->pmc_event[i] != place)
			continue;
		pair = json_object_new_array();
		json_object_array_add(
			pair, json_object_new_int(plan->pmcs[i].reg_num));
		json_object_array_add(
			pair, json_object_new_uint64(plan->pmcs[i].reg_value));
		json_object_array_add(array, pair);
	}
	return array;
}

static struct json_object *recorded(const struct periods *periods,
				    const struct period *of)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int pmd = 0; periods_has_values(of) && pmd < PFM_MAX_PMDS;
	     pmd++) {
		if (periods_records(periods, pmd))
			json_object_array_add(array,
					      json_object_new_int((int)pmd));
	}
	return array;
}

static const char *level(const struct event *event)
{
	bool kernel = event->levels & LEVEL_KERNEL;

	return event->levels & LEVEL_USER ? kernel ? "all" : "user" : "kernel";
}

static struct json_object *describe(const struct recording *recording,
				    int place)
{
	const struct period *period = &recording->periods.list[place];
	const struct measurement *m = recording->measurement;
	const struct event *event = &m->hardware.events[period->event];
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "id", json_object_new_int(place));
	add_text(object, "name", event->name);
	add_text(object, "native", event->full_name);
	add_text(object, "level", level(event));
	add_number(object, "period", period->every);
	add_number(object, "short", period->shortly);
	add_number(object, "random", period->random);
	json_object_object_add(object, "varies",
			       json_object_new_boolean(period->varies));
	add_number(object, "rate", period->rate);
	if (period->sampler)
		add_text(object, "precise",
			 sampler_kind(period->sampler)->name);
	if (recording->kind.blocks && memory_access(event))
		add_text(object, "access", memory_access(event));
	if (period->after)
		add_number(object, "after", period->after);
	add_number(object, "pmd", period->pmd.reg_num);
	json_object_object_add(object, "pmcs",
			       controls(&m->sets.list[0].plan, place));
	json_object_object_add(object, "smpl_pmds",
			       recorded(&recording->periods, period));
	return object;
}

static const char *follow(const struct measurement *m)
{
	return m->request->system_wide ? "cpus" : means_name(m->means);
}

static void add_origin(struct json_object *object,
		       const struct recording *recording)
{
	time_t now = time(NULL);
	const char *rank = rank_own();
	struct utsname host;
	struct tm utc;
	char start[32];

	if (!uname(&host)) {
		add_text(object, "host", host.nodename);
		add_text(object, "kernel", host.release);
	}
	add_text(object, "model", recording->measurement->map.model);
	add_text(object, "clock", recording->clock.known ? "sched" : "none");
	strftime(start, sizeof(start), "%Y-%m-%dT%H:%M:%SZ",
		 gmtime_r(&now, &utc));
	add_text(object, "start", start);
	add_number(object, "start_ns", clock_stamp(&recording->clock));
	json_object_object_add(
		object, "rank",
		rank ? json_object_new_uint64(strtoull(rank, NULL, 10)) : NULL);
}

int meta_write(struct recording *recording, char *const argv[])
{
	const struct request *request = recording->measurement->request;
	struct json_object *object = json_object_new_object();
	struct json_object *events = json_object_new_array();
	int ret;

	json_object_object_add(object, "version",
			       json_object_new_int(META_VERSION));
	json_object_object_add(object, "argv", words(argv));
	json_object_object_add(object, "command", words(request->command));
	add_origin(object, recording);
	add_text(object, "follow", follow(recording->measurement));
	add_text(object, "mappings", recording->by_perf ? "perf" : "maps");
	add_text(object, "streams",
		 request->system_wide || recording->kind.inherits ? "cpus" :
								    "threads");
	add_number(object, "buffer", recording->kind.size);
	add_number(object, "frames", recording->kind.frames);
	if (recording->kind.precise)
		add_number(object, "blocks", recording->kind.blocks);
	if (recording->kind.blocks & PFM_PRECISE_SMPL_MEM)
		memory_describe(object, &recording->measurement->hardware);
	if (recording->kind.frames)
		add_text(object, "chains",
			 recording->kind.stack_bytes ? "dwarf" : "fp");
	for (int i = 0; i < recording->periods.count; i++)
		json_object_array_add(events, describe(recording, i));
	json_object_object_add(object, "events", events);
	ret = writer_text(
		&recording->writer, PFMD_META,
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
	return ret;
}
