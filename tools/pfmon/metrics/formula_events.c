// SPDX-License-Identifier: GPL-2.0-only
/* What formulas say of the machine, see formula_events.h. */
#include "metrics/formula_events.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
#include "engine/topology.h"
#include "events/event.h"
#include "events/tables.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define PLACES_MAX 1024

/* A processor with one kind of core has no PMU of the name of a kind. */
static const char *pmu_of(const char *name, size_t *len)
{
	const struct processor *processor = tables_processor();

	if ((*len != 8 || (strncmp(name, "cpu_core", 8) != 0 &&
			   strncmp(name, "cpu_atom", 8) != 0)) ||
	    (processor->core && processor->atom))
		return name;
	*len = 3;
	return "cpu";
}

bool formula_event_spell(const char *name, const char *core, bool all_levels,
			 char *text, size_t size)
{
	size_t len = strcspn(name, "@"), terms = 0;
	const char *levels = "", *pmu = name;
	size_t pmu_len = len;
	int written;

	if (!tables_processor()->core || !tables_processor()->atom)
		core = "";
	pmu = pmu_of(name, &pmu_len);
	if (name[len])
		terms = strcspn(name + len + 1, "@");
	if (all_levels && !strchr(name, ':'))
		levels = name[len] ? "uk" : ":uk";
	if (!name[len] && *core && !strchr(name, ':'))
		written = snprintf(text, size, "%s/%s/%s", core, name,
				   all_levels ? "uk" : "");
	else if (!name[len])
		written = snprintf(text, size, "%s%s", name, levels);
	/* NAME@TERMS@: the PMU has no capitals and no dots. */
	else if (strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.") &&
		 strpbrk(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.") < name + len)
		written = snprintf(text, size, "%s/%.*s,%.*s/%s",
				   *core ? core : "cpu", (int)len, name,
				   (int)terms, name + len + 1, levels);
	else
		written = snprintf(text, size, "%.*s/%.*s/%s%s", (int)pmu_len,
				   pmu, (int)terms, name + len + 1,
				   name + len + 1 + terms +
					   !!name[len + 1 + terms],
				   levels);
	return written > 0 && (size_t)written < size;
}

/* The part that says what an event is. */
static bool has_part(const char *text, const char *part)
{
	const char *open = strchr(text, '/');

	return !strncasecmp(open ? open + 1 : text, part, strlen(part));
}

/* Why none of the events that pfmon knows has the name. */
static const char *reason(const char *text)
{
	static const char *const cores[] = { "cpu/", "cpu_core/", "cpu_atom/" };
	bool core = !strchr(text, '/');

	if (has_part(text, "topdown-") || has_part(text, "slots"))
		return "PERF_METRICS is not supported yet";
	if (has_part(text, "UNC_") || has_part(text, "umc_") ||
	    strstr(text, "_beats_"))
		return "a PMU outside the cores counts it, which pfmon does not know by this name";
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		core = core || !strncmp(text, cores[i], strlen(cores[i]));
	return core ? "pfmon does not count it on this model" :
		      "the machine does not have this PMU";
}

int formula_event_sources(const char *text, const char **why)
{
	struct event_list list;
	int sources = 0;

	*why = reason(text);
	if (has_part(text, "topdown-") || has_part(text, "slots"))
		return 0;
	diag_quiet(true);
	if (!events_parse(&list, text, LEVEL_USER) && list.count == 1)
		sources = list.events->kernel ? list.events->kernel->count : 1;
	diag_quiet(false);
	events_free(&list);
	return sources;
}

/* How many places of a kind the CPUs that are on line are in. */
static double count_places(enum grouping grouping)
{
	static char seen[PLACES_MAX][TOPOLOGY_PLACE];
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int count = 0, i;

	for (int cpu = 0; cpu < cpus && count < PLACES_MAX; cpu++) {
		topology_place(cpu, grouping, seen[count]);
		if (strstr(seen[count], "-1"))
			continue;
		for (i = 0; i < count; i++)
			if (!strcmp(seen[i], seen[count]))
				break;
		count += i == count;
	}
	return count;
}

static double smt_on(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/smt/active", "re");
	int active = 0;

	if (file) {
		if (fscanf(file, "%d", &active) != 1)
			active = 0;
		fclose(file);
	}
	return active;
}

bool formula_literal(const char *name, bool core_wide, double *value)
{
	if (!strcasecmp(name, "#SMT_on"))
		*value = smt_on();
	else if (!strcasecmp(name, "#core_wide"))
		*value = core_wide;
	else if (!strcasecmp(name, "#num_cpus"))
		*value = (double)sysconf(_SC_NPROCESSORS_CONF);
	else if (!strcasecmp(name, "#num_cpus_online"))
		*value = (double)sysconf(_SC_NPROCESSORS_ONLN);
	else if (!strcasecmp(name, "#num_cores"))
		*value = count_places(GROUP_CORES);
	else if (!strcasecmp(name, "#num_dies"))
		*value = count_places(GROUP_DIES);
	else if (!strcasecmp(name, "#num_packages"))
		*value = count_places(GROUP_SOCKETS);
	else if (!strcasecmp(name, "#system_tsc_freq"))
		*value = clocks_cpu_hz();
	else if (!strcasecmp(name, "#has_pmem"))
		*value = !access("/sys/firmware/acpi/tables/NFIT", F_OK);
	else
		return false;
	return true;
}

bool formula_is_cpu(const char *pattern)
{
	const struct processor *processor = tables_processor();
	char cpu[64], whole[512];
	regex_t regex;
	bool is;

	snprintf(cpu, sizeof(cpu), "%s-%u-%X-%X",
		 processor->vendor == PROCESSOR_AMD ? "AuthenticAMD" :
						      "GenuineIntel",
		 processor->family, processor->model, processor->stepping);
	snprintf(whole, sizeof(whole), "^(%s)(-[0-9A-F]+)?$", pattern);
	if (regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB))
		return false;
	is = !regexec(&regex, cpu, 0, NULL, 0);
	regfree(&regex);
	return is;
}
