// SPDX-License-Identifier: GPL-2.0-only
/* Event names to event select values by libpfm4, see tables.h. */
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "libpfm4.h"

/* libpfm4's table of the events that all Intel processors have. */
#define ARCHITECTURAL "ix86arch"

pfm_pmu_t tables_current = PFM_PMU_NONE;

char *pfm4_getenv(const char *name);

/*
 * What libpfm4 sees of the environment (its calls of getenv lead here): nothing
 * that the user set. The tables of other processors can be used, and those of
 * perf_event are left out.
 */
char *pfm4_getenv(const char *name)
{
	static char enabled[] = "1";
	static char perf[] = "perf";

	if (!strcmp(name, "LIBPFM_ENCODE_INACTIVE"))
		return enabled;
	if (!strcmp(name, "LIBPFM_DISABLED_PMUS"))
		return perf;
	return NULL;
}

static int pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info(pmu, info);
}

/* The present processor's own table is preferred to the architectural one. */
static void find_present(void)
{
	pfm_pmu_info_t info;
	int i;

	pfm_for_all_pmus(i)
	{
		if (pmu_info(i, &info) != PFM_SUCCESS || !info.is_present ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		if (tables_current == PFM_PMU_NONE ||
		    strcmp(info.name, ARCHITECTURAL) != 0)
			tables_current = i;
	}
}

static int find_named(const char *name)
{
	pfm_pmu_info_t info;
	int i;

	pfm_for_all_pmus(i)
	{
		if (pmu_info(i, &info) != PFM_SUCCESS ||
		    info.type != PFM_PMU_TYPE_CORE ||
		    strcmp(info.name, name) != 0)
			continue;
		tables_current = i;
		return 0;
	}
	return diag("--pmu %s: no such table; pfmon -L lists them", name);
}

int tables_init(const char *name)
{
	int ret = pfm_initialize();

	tables_current = PFM_PMU_NONE;
	/* Without any PMU that it knows libpfm4 can still encode. */
	if (ret != PFM_SUCCESS && ret != PFM_ERR_NOTSUPP)
		return diag("event tables: libpfm4: %s", pfm_strerror(ret));
	if (name)
		return find_named(name);
	find_present();
	return 0;
}

const char *tables_pmu(void)
{
	pfm_pmu_info_t info;

	if (tables_current == PFM_PMU_NONE ||
	    pmu_info(tables_current, &info) != PFM_SUCCESS)
		return NULL;
	return info.name;
}

static int explain(const char *event, int error)
{
	switch (error) {
	case PFM_ERR_NOTFOUND:
		return diag(
			"event %s: not in the table %s; pfmon -l lists the events",
			event, tables_pmu());
	case PFM_ERR_UMASK:
		return diag(
			"event %s: unit mask missing or unknown; pfmon -l lists them",
			event);
	case PFM_ERR_ATTR:
		return diag(
			"event %s: unknown unit mask or modifier; pfmon -l lists the unit masks",
			event);
	default:
		return diag("event %s: %s", event, pfm_strerror(error));
	}
}

/* The part of the name that libpfm4 needs to look in our table only. */
static char *qualify(const char *event)
{
	char *full;

	if (strstr(event, "::"))
		return strdup(event);
	if (asprintf(&full, "%s::%s", tables_pmu(), event) < 0)
		return NULL;
	return full;
}

/* Refuses tables of other processors, and of units outside the core. */
static int check_table(const char *event, int index)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_pmu_info_t pmu;

	if (pfm_get_event_info(index, PFM_OS_NONE, &info) != PFM_SUCCESS ||
	    pmu_info(info.pmu, &pmu) != PFM_SUCCESS)
		return diag("event %s: libpfm4 does not describe it", event);
	if (pmu.type != PFM_PMU_TYPE_CORE)
		return diag(
			"event %s: counted by %s, not by the processor core; choose another event",
			event, pmu.name);
	if (info.pmu != tables_current && !pmu.is_present)
		return diag(
			"event %s: from the table of another processor; use it with --pmu %s if you are sure",
			event, pmu.name);
	return 0;
}

static int take_codes(const char *event, const pfm_pmu_encode_arg_t *codes,
		      uint64_t *selector)
{
	if (codes->count != 1)
		return diag(
			"event %s: needs %d registers, pfmon programs one for an event; choose another event",
			event, codes->count);
	*selector = codes->codes[0];
	return check_table(event, codes->idx);
}

int tables_encode(const char *event, bool user, bool kernel, uint64_t *selector,
		  char **full_name)
{
	int levels = (user ? PFM_PLM3 : 0) | (kernel ? PFM_PLM0 : 0);
	pfm_pmu_encode_arg_t codes = { .size = sizeof(codes),
				       .fstr = full_name };
	char *qualified;
	int ret;

	*full_name = NULL;
	if (tables_current == PFM_PMU_NONE)
		return diag(
			"event %s: no table of event names for this processor; use raw events (r5100c0) or choose a table with --pmu",
			event);
	qualified = qualify(event);
	if (!qualified)
		return diag("out of memory");

	ret = pfm_get_os_event_encoding(qualified, levels, PFM_OS_NONE, &codes);
	free(qualified);
	if (ret != PFM_SUCCESS)
		return explain(event, ret);
	ret = take_codes(event, &codes, selector);
	free(codes.codes);
	return ret;
}
