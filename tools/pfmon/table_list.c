// SPDX-License-Identifier: GPL-2.0-only
/* The lists that pfmon -l and -L print, see tables.h. */
#include <regex.h>
#include <string.h>

#include "diag.h"
#include "libpfm4.h"
#include "tables.h"

struct listing {
	const regex_t *pattern; /* NULL: everything matches */
	FILE *out;
	int lines;
};

static void list_name(struct listing *list, const char *event,
		      const char *umask, const char *text)
{
	char name[256];

	snprintf(name, sizeof(name), "%s%s%s", event, umask ? ":" : "",
		 umask ? umask : "");
	if (list->pattern && regexec(list->pattern, name, 0, NULL, 0))
		return;
	fprintf(list->out, "%-48s  %s\n", name, text ? text : "");
	list->lines++;
}

/* One line for each unit mask; an event without any gets one line. */
static void list_event(struct listing *list, int index)
{
	pfm_event_info_t event = { .size = sizeof(event) };
	bool has_umask = false;

	if (pfm_get_event_info(index, PFM_OS_NONE, &event) != PFM_SUCCESS)
		return;
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr) !=
			    PFM_SUCCESS ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		list_name(list, event.name, attr.name, attr.desc);
		has_umask = true;
	}
	if (!has_umask)
		list_name(list, event.name, NULL, event.desc);
}

static int list_current(struct listing *list)
{
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };

	if (tables_current == PFM_PMU_NONE)
		return diag(
			"no table of event names for this processor; choose one with --pmu, pfmon -L lists them");
	if (pfm_get_pmu_info(tables_current, &pmu) != PFM_SUCCESS)
		return diag("libpfm4 does not describe its own table");
	for (int i = pmu.first_event; i != -1; i = pfm_get_event_next(i))
		list_event(list, i);
	return 0;
}

int tables_list_events(const char *pattern, FILE *out)
{
	struct listing list = { .out = out };
	regex_t compiled;
	int ret;

	if (!pattern)
		return list_current(&list);
	if (regcomp(&compiled, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		return diag("-l %s: not a regular expression; see regex(7)",
			    pattern);
	list.pattern = &compiled;
	ret = list_current(&list);
	regfree(&compiled);
	if (!ret && !list.lines)
		ret = diag("-l %s: no event of %s matches; pfmon -l lists all",
			   pattern, tables_pmu());
	return ret;
}

int tables_list_pmus(FILE *out)
{
	pfm_pmu_info_t pmu;
	int i;

	pfm_for_all_pmus(i)
	{
		memset(&pmu, 0, sizeof(pmu));
		pmu.size = sizeof(pmu);
		if (pfm_get_pmu_info(i, &pmu) != PFM_SUCCESS ||
		    pmu.type != PFM_PMU_TYPE_CORE)
			continue;
		fprintf(out, "%-28s  %s%s\n", pmu.name, pmu.desc,
			i == (int)tables_current ? " (in use)" : "");
	}
	return 0;
}
