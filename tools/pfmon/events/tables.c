// SPDX-License-Identifier: GPL-2.0-only
/* Events by name, see tables.h. */
#include "events/tables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/modifiers.h"
#include "events/selector.h"
#include "events/suggest.h"

/* Longer than any name of a model. */
#define NAME_MAX_LEN 64

static char pmu_name[NAME_MAX_LEN];
static struct processor processor;

/* Raw values whose counters were asked for: that is dear, and done for each try. */
static struct {
	uint64_t selector;
	uint32_t counters;
} known_raw[64];
static unsigned int known_raw_count;

static int unknown_pmu(const char *pmu)
{
	return diag("--pmu %s: no such model; pfmon -I lists them", pmu);
}

static int force_number(const char *pmu)
{
	int ret;

	if (setenv("LIBPFM_FORCE_PMU", pmu, 1))
		return diag("out of memory");
	ret = pfm_initialize();
	unsetenv("LIBPFM_FORCE_PMU");
	return ret == PFMLIB_SUCCESS ? 0 : unknown_pmu(pmu);
}

static int force_name(const char *pmu)
{
	char name[NAME_MAX_LEN];

	for (int type = 0; type <= TABLES_LAST_TYPE; type++) {
		if (pfm_get_pmu_name_bytype(type, name, sizeof(name)) ==
			    PFMLIB_SUCCESS &&
		    !strcasecmp(name, pmu) &&
		    pfm_force_pmu(type) == PFMLIB_SUCCESS)
			return 0;
	}
	return unknown_pmu(pmu);
}

int tables_init(const char *pmu)
{
	int ret = 0;

	*pmu_name = '\0';
	known_raw_count = 0;
	if (!pmu)
		pfm_initialize();
	else if (isdigit((unsigned char)*pmu))
		ret = force_number(pmu);
	else
		ret = force_name(pmu);
	if (!ret)
		pfm_get_pmu_name(pmu_name, sizeof(pmu_name));
	processor = processor_of(tables_type(), pmu);
	return ret;
}

const struct processor *tables_processor(void)
{
	return &processor;
}

const char *tables_pmu(void)
{
	return *pmu_name ? pmu_name : NULL;
}

int tables_type(void)
{
	int type = PFMLIB_NO_PMU;

	pfm_get_pmu_type(&type);
	return type;
}

static int explain_unknown(const char *event, const char *name)
{
	char *base = strndup(name, strcspn(name, ":"));
	char names[320] = "";

	if (base)
		suggest_events(base, names, sizeof(names));
	free(base);
	if (*names)
		return diag("event %s: not an event of %s; did you mean %s?",
			    event, tables_pmu(), names);
	return diag("event %s: not an event of %s; pfmon -l lists the events",
		    event, tables_pmu());
}

static int explain(const char *event, const char *name, int error)
{
	switch (error) {
	case PFMLIB_ERR_NOTFOUND:
		return explain_unknown(event, name);
	case PFMLIB_ERR_UMASK:
		return diag(
			"event %s: unit mask missing or unknown, or no modifier; pfmon -l lists the unit masks",
			event);
	default:
		return diag("event %s: %s", event, pfm_strerror(error));
	}
}

/*
 * Asking how long names get would take the unit masks of all events, most of what
 * pfmon executes.
 */
char *tables_full_name(pfmlib_event_t *event)
{
	char *name = NULL, *grown;
	int ret = PFMLIB_ERR_FULL;

	for (size_t size = 128; ret == PFMLIB_ERR_FULL; size *= 2) {
		grown = realloc(name, size);
		if (!grown)
			break;
		name = grown;
		ret = pfm_get_full_event_name(event, name, size);
	}
	if (ret == PFMLIB_SUCCESS)
		return name;
	free(name);
	return NULL;
}

int tables_find(const char *event, const char *as_written,
		pfmlib_event_t *found, char **full_name)
{
	int ret;

	if (!tables_pmu())
		return diag(
			"event %s: no events are known for this processor; use raw events (r5100c0) or choose a model with --pmu",
			as_written);
	ret = pfm_find_full_event(event, found);
	if (ret != PFMLIB_SUCCESS)
		return explain(as_written, event, ret);
	*full_name = tables_full_name(found);
	return *full_name ? 0 : diag("out of memory");
}

bool tables_has_event(const char *event)
{
	unsigned int index;

	return tables_pmu() &&
	       pfm_find_event_byname(event, &index) == PFMLIB_SUCCESS;
}

bool tables_has_mask(const char *event, const char *mask, size_t len)
{
	char *name = strndup(mask, len);
	unsigned int index, mask_index;
	bool has;

	has = name && pfm_find_event_byname(event, &index) == PFMLIB_SUCCESS &&
	      pfm_find_event_mask(index, name, &mask_index) == PFMLIB_SUCCESS;
	free(name);
	return has;
}

/* SSE and AVX operations: AMD counts them with two counters since Zen. */
#define EVENT_FLOPS 0x003

/* AMD's event numbers have twelve bits, four of them far up in the selector. */
static int event_number(uint64_t selector)
{
	int number = SEL_EVENT(selector);

	if (tables_type() == PFMLIB_AMD64_PMU)
		number |= (int)(selector >> SEL_EVENT_HIGH & 0xf) << 8;
	return number;
}

static uint32_t counters_of(unsigned int event)
{
	pfmlib_regmask_t mask;
	uint32_t counters = 0;

	if (pfm_get_event_counters(event, &mask) != PFMLIB_SUCCESS)
		return 0;
	for (unsigned int i = 0; i < 32; i++)
		counters |= (uint32_t)pfm_regmask_isset(&mask, i) << i;
	return counters;
}

/* The same of one unit mask: the event is tried on each counter of the others. */
static uint32_t counters_of_mask(unsigned int event, unsigned int mask,
				 uint32_t tried)
{
	pfmlib_input_param_t *in = calloc(1, sizeof(*in));
	pfmlib_output_param_t *out = malloc(sizeof(*out));
	uint32_t counters = 0;

	for (unsigned int i = 0; in && out && i < 32; i++) {
		if (!(tried >> i & 1))
			continue;
		memset(in, 0, sizeof(*in));
		in->pfp_event_count = 1;
		in->pfp_dfl_plm = PFM_PLM3;
		in->pfp_events[0].event = event;
		in->pfp_events[0].num_masks = 1;
		in->pfp_events[0].unit_masks[0] = mask;
		for (unsigned int other = 0; other < 32; other++) {
			if (tried >> other & 1 && other != i)
				pfm_regmask_set(&in->pfp_unavail_pmcs, other);
		}
		if (pfm_dispatch_events(in, NULL, out, NULL) ==
			    PFMLIB_SUCCESS &&
		    out->pfp_pmds[0].reg_num == i)
			counters |= UINT32_C(1) << i;
	}
	free(in);
	free(out);
	return counters;
}

/* Of the unit mask that the selector has; 0 if the event has none like it. */
static uint32_t exact_counters(unsigned int event, uint64_t selector)
{
	unsigned int num = 0, code;
	uint32_t counters = 0;

	/* There PMC n is not the selector of PMD n. */
	if (tables_type() == PFMLIB_PENTIUM4_PMU)
		return 0;
	pfm_get_num_event_masks(event, &num);
	for (unsigned int i = 0; i < num; i++) {
		if (pfm_get_event_mask_code(event, i, &code) ==
			    PFMLIB_SUCCESS &&
		    SEL_UMASK(selector) == (uint8_t)code)
			counters |=
				counters_of_mask(event, i, counters_of(event));
	}
	return counters;
}

static uint32_t raw_counters(uint64_t selector)
{
	int mask = tables_type() == PFMLIB_AMD64_PMU ? 0xfff : 0xff;
	uint32_t counters = 0, exact = 0;
	unsigned int num = 0;
	int code;

	pfm_get_num_events(&num);
	for (unsigned int i = 0; i < num; i++) {
		if (pfm_get_event_code(i, &code) != PFMLIB_SUCCESS ||
		    (code & mask) != event_number(selector))
			continue;
		counters |= counters_of(i);
		exact |= exact_counters(i, selector);
	}
	if (exact)
		return exact;
	return counters ? counters : UINT32_MAX;
}

uint32_t tables_raw_counters(uint64_t selector)
{
	uint32_t counters;

	for (unsigned int i = 0; i < known_raw_count; i++) {
		if (known_raw[i].selector == selector)
			return known_raw[i].counters;
	}
	counters = raw_counters(selector);
	if (known_raw_count < sizeof(known_raw) / sizeof(*known_raw)) {
		known_raw[known_raw_count].selector = selector;
		known_raw[known_raw_count++].counters = counters;
	}
	return counters;
}

bool tables_raw_is_pair(uint64_t selector)
{
	/* Any counter of an older family can count its event 3, or one alone. */
	return tables_type() == PFMLIB_AMD64_PMU &&
	       event_number(selector) == EVENT_FLOPS &&
	       (tables_raw_counters(selector) & 0x3) == 0x1;
}
