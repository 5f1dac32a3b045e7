// SPDX-License-Identifier: GPL-2.0-only
/* Samples that have the addresses of data, see memory.h. */
#include "record/memory.h"

#include <stdio.h>

#include "diag.h"
#include "events/loads.h"
#include "events/tables.h"
#include "registers/regmap.h"
#include "registers/samplers.h"

const char *memory_access(const struct event *event)
{
	switch (loads_access(event)) {
	case LOADS_LATENCY_OF_LOAD:
		return "latency";
	case LOADS_LOAD:
		return "load";
	case LOADS_STORE:
		return "store";
	default:
		return NULL;
	}
}

int memory_check(const struct event_list *events)
{
	for (int i = 0; i < events->count; i++)
		if (events->events[i].sampler == SAMPLER_IBS_OP ||
		    memory_access(&events->events[i]))
			return 0;
	return diag(
		"-d: no event has precise samples of accesses to memory; use -e %s",
		samplers_has_records(events) ? "mem-loads:p" : loads_default());
}

/* The capabilities of IBS, 0: not known. */
static unsigned int read_caps(void)
{
	FILE *file = fopen(REGMAP_SYSFS "/pmu_desc/ibs", "re");
	unsigned int caps = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%x", &caps) != 1)
		caps = 0;
	fclose(file);
	return caps;
}

void memory_describe(struct json_object *meta, const struct event_list *events)
{
	const struct processor *processor = tables_processor();
	struct json_object *object = json_object_new_object();
	const bool pebs = samplers_has_records(events);

	if (!pebs)
		json_object_object_add(object, "caps",
				       json_object_new_int64(read_caps()));
	json_object_object_add(object, "family",
			       json_object_new_int64(processor->family));
	json_object_object_add(object, "model",
			       json_object_new_int64(processor->model));
	json_object_object_add(meta, pebs ? "pebs" : "ibs", object);
}
