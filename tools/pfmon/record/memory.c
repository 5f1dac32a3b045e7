// SPDX-License-Identifier: GPL-2.0-only
/* Samples that have the addresses of data, see memory.h. */
#include "record/memory.h"

#include <stdio.h>

#include "diag.h"
#include "events/tables.h"
#include "registers/regmap.h"
#include "registers/samplers.h"

int memory_check(const struct event_list *events)
{
	for (int i = 0; i < events->count; i++)
		if (events->events[i].sampler == SAMPLER_IBS_OP)
			return 0;
	if (samplers_has_records(events))
		return diag(
			"-d: pfmon has addresses of data of processors of AMD only; leave -d out");
	return diag(
		"-d: no event has precise samples of accesses to memory; use -e cycles:p");
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

struct json_object *memory_describe(void)
{
	const struct processor *processor = tables_processor();
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "caps",
			       json_object_new_int64(read_caps()));
	json_object_object_add(object, "family",
			       json_object_new_int64(processor->family));
	json_object_object_add(object, "model",
			       json_object_new_int64(processor->model));
	return object;
}
