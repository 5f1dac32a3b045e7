// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of loads and stores, see loads.h. The codes are Linux' own
 * (events/intel/core.c, events/intel/ds.c).
 */
#include "events/loads.h"

#include <string.h>
#include <strings.h>

#include "events/selector.h"
#include "events/tables.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Loads above a latency. */
#define LATENCY_NEHALEM 0x100b
#define LATENCY 0x1cd

/* Stores, and an event that is counted beside loads so that they have a source. */
#define STORES 0x82d0
#define BESIDE 0x8203

/* Retired instructions, whose records the same counters make. */
#define CODE_RETIRED 0xc0

/* Of these codes a unit mask has 1 for loads and 2 for stores. */
#define CODE_INSTRUCTIONS 0xd0
#define MASK_LOADS 0x1
#define MASK_STORES 0x2
/* And these are of loads, the last one since Ice Lake. */
#define CODE_LOADS_FIRST 0xd1
#define CODE_LOADS_LAST 0xd3
#define CODE_LOADS_LOCAL 0xd4

#define ALL_COUNTERS UINT32_MAX
#define NOT_THE_FIRST (~1u)
#define THE_FOURTH (1u << 3)

static const struct model {
	int type; /* PFMLIB_*_PMU */
	uint64_t latency, stores, beside;
	uint32_t counters; /* that record the latency of loads, and instructions */
} models[] = {
	{ PFMLIB_INTEL_NHM_PMU, LATENCY_NEHALEM, 0, 0, ALL_COUNTERS },
	{ PFMLIB_INTEL_WSM_PMU, LATENCY_NEHALEM, 0, 0, ALL_COUNTERS },
	{ PFMLIB_INTEL_SNB_PMU, LATENCY, 0, 0, THE_FOURTH },
	{ PFMLIB_INTEL_IVB_PMU, LATENCY, 0, 0, THE_FOURTH },
	{ PFMLIB_INTEL_HSW_PMU, LATENCY, STORES, 0, THE_FOURTH },
	{ PFMLIB_INTEL_BDW_PMU, LATENCY, STORES, 0, THE_FOURTH },
	{ PFMLIB_INTEL_SKL_PMU, LATENCY, STORES, 0, ALL_COUNTERS },
	{ PFMLIB_INTEL_ICL_PMU, LATENCY, STORES, 0, ALL_COUNTERS },
	{ PFMLIB_INTEL_SPR_PMU, LATENCY, STORES, BESIDE, NOT_THE_FIRST },
	{ PFMLIB_INTEL_GLC_PMU, LATENCY, STORES, BESIDE, NOT_THE_FIRST },
	{ PFMLIB_INTEL_RWC_PMU, LATENCY, STORES, 0, NOT_THE_FIRST },
};

static unsigned int wanted_latency;

static const struct model *model_here(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (models[i].type == tables_type())
			return &models[i];
	return NULL;
}

static bool is(const char *name, size_t len, const char *word)
{
	return strlen(word) == len && !strncasecmp(name, word, len);
}

bool loads_find(const char *name, size_t len, struct coding *coding)
{
	const struct model *model = model_here();

	if (!model)
		return false;
	if (is(name, len, "mem-loads")) {
		*coding = (struct coding){ .selector = model->latency,
					   .kind = CODING_LATENCY,
					   .value = loads_latency() };
		return true;
	}
	if (!is(name, len, "mem-stores") || !model->stores)
		return false;
	*coding = (struct coding){ .selector = model->stores };
	return true;
}

void loads_choose_latency(unsigned int cycles)
{
	wanted_latency = cycles;
}

unsigned int loads_latency(void)
{
	return wanted_latency ? wanted_latency : LOADS_LATENCY;
}

static bool is_of_loads(uint64_t selector)
{
	const unsigned int code = SEL_EVENT(selector);

	return (code >= CODE_LOADS_FIRST && code <= CODE_LOADS_LAST) ||
	       (code == CODE_LOADS_LOCAL &&
		tables_type() != PFMLIB_INTEL_HSW_PMU &&
		tables_type() != PFMLIB_INTEL_BDW_PMU &&
		tables_type() != PFMLIB_INTEL_SKL_PMU);
}

enum loads_access loads_access(const struct event *event)
{
	const struct model *model = model_here();
	const uint64_t selector = event->selector;

	if (!model || event->sampler != SAMPLER_PEBS)
		return LOADS_NOTHING;
	if (event->coding.kind == CODING_LATENCY)
		return LOADS_LATENCY_OF_LOAD;
	/* Records of other events have no addresses before Haswell. */
	if (!model->stores)
		return LOADS_NOTHING;
	if (is_of_loads(selector))
		return LOADS_LOAD;
	if (SEL_EVENT(selector) != CODE_INSTRUCTIONS)
		return LOADS_NOTHING;
	switch (SEL_UMASK(selector) & (MASK_LOADS | MASK_STORES)) {
	case MASK_LOADS:
		return LOADS_LOAD;
	case MASK_STORES:
		return LOADS_STORE;
	default:
		return LOADS_NOTHING;
	}
}

uint32_t loads_counters(const struct event *event)
{
	const struct model *model = model_here();

	if (model && (event->coding.kind == CODING_LATENCY ||
		      (model->counters == NOT_THE_FIRST &&
		       SEL_EVENT(event->selector) == CODE_RETIRED)))
		return model->counters;
	return ALL_COUNTERS;
}

uint64_t loads_beside(void)
{
	const struct model *model = model_here();

	return model ? model->beside : 0;
}

const char *loads_default(void)
{
	return model_here() ? "mem-loads:p" : "cycles:p";
}
