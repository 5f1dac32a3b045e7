// SPDX-License-Identifier: GPL-2.0-only
/* Events of PMUs outside the cores, see kernel_pmu.h. */
#include "events/kernel_pmu.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

#define NAME_SIZE KERNEL_PMU_NAME
#define TEXT_SIZE KERNEL_PMU_TEXT

const char *kernel_pmu_directory = "/sys/bus/event_source/devices";

/* PMUs of the cores, and sources of events that are no PMUs. */
static const char *const others[] = {
	"cpu",	      "cpu_core", "cpu_atom", "software", "tracepoint",
	"breakpoint", "kprobe",	  "uprobe",   "intel_pt", "intel_bts",
};

/* Reads the line of PMU/FILE. False: there is none, or it is too long. */
static bool read_line(const char *pmu, const char *file, char text[TEXT_SIZE])
{
	char path[PATH_MAX];
	bool got;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s/%s", kernel_pmu_directory, pmu,
		 file);
	in = fopen(path, "re");
	if (!in)
		return false;
	got = fgets(text, TEXT_SIZE, in) && strlen(text) < TEXT_SIZE - 1;
	fclose(in);
	if (got)
		text[strcspn(text, "\n")] = '\0';
	return got;
}

static bool read_type(const char *pmu, uint32_t *type)
{
	char text[TEXT_SIZE];

	if (!read_line(pmu, "type", text) || !isdigit((unsigned char)*text))
		return false;
	*type = (uint32_t)strtoul(text, NULL, 10);
	return true;
}

/* Whether a directory is the PMU, or an instance of it: NAME_0. */
static bool is_instance(const char *directory, const char *pmu)
{
	size_t length = strlen(pmu);
	const char *number = directory + length + 1;

	if (strncmp(directory, pmu, length) != 0)
		return false;
	return !directory[length] || (directory[length] == '_' && *number &&
				      !number[strspn(number, "0123456789")]);
}

void kernel_pmu_cpumask(const struct kernel_instance *instance,
			char cpumask[TEXT_SIZE])
{
	if (!read_line(instance->name, "cpumask", cpumask))
		cpumask[0] = '\0';
}

/* False without memory. */
static bool add_instance(struct kernel_event *event, const char *name,
			 uint32_t type)
{
	struct kernel_instance *grown = reallocarray(
		event->instances, (size_t)event->count + 1, sizeof(*grown));

	if (!grown)
		return false;
	event->instances = grown;
	grown += event->count++;
	*grown = (struct kernel_instance){ .type = type };
	strcpy(grown->name, name);
	kernel_pmu_cpumask(grown, grown->cpumask);
	return true;
}

/* All of them, in the order of their numbers. False without memory. */
static bool find_instances(struct kernel_event *event, const char *pmu)
{
	struct dirent **found;
	int count = scandir(kernel_pmu_directory, &found, NULL, versionsort);
	bool kept = true;
	uint32_t type;

	for (int i = 0; i < count; i++) {
		const char *name = found[i]->d_name;

		if (strlen(name) < NAME_SIZE && is_instance(name, pmu) &&
		    read_type(name, &type))
			kept &= add_instance(event, name, type);
		free(found[i]);
	}
	if (count >= 0)
		free(found);
	return kept;
}

static bool is_other(const char *pmu)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(pmu, others[i]))
			return true;
	return *pmu == '.';
}

/* The PMU of a name, up to its slash. False: it has another form. */
static bool pmu_of(const char *name, char pmu[NAME_SIZE])
{
	size_t length = strcspn(name, "/");

	if (!name[length] || !length || length >= NAME_SIZE)
		return false;
	memcpy(pmu, name, length);
	pmu[length] = '\0';
	return !is_other(pmu);
}

bool kernel_pmu_known(void)
{
	return !access(kernel_pmu_directory, R_OK | X_OK);
}

bool kernel_pmu_has(const char *name)
{
	struct kernel_event event = { .count = 0 };
	char pmu[NAME_SIZE];

	if (!pmu_of(name, pmu))
		return false;
	find_instances(&event, pmu);
	free(event.instances);
	return event.count;
}

/* Puts a value into the bits of "config1:0-7,32-35". False: it has more bits. */
static bool put_bits(struct kernel_event *event, const char *format,
		     uint64_t value)
{
	unsigned int word = 0, from, to;
	int length;

	if (!strncmp(format, "config1", 7))
		word = 1;
	else if (!strncmp(format, "config2", 7))
		word = 2;
	format = strchr(format, ':');
	while (format && *format++) {
		if (sscanf(format, "%u-%u%n", &from, &to, &length) != 2) {
			if (sscanf(format, "%u%n", &from, &length) != 1)
				return false;
			to = from;
		}
		if (from > to || to > 63)
			return false;
		for (unsigned int bit = from; bit <= to; bit++, value >>= 1)
			event->config[word] |= (value & 1) << bit;
		format = strchr(format + length, ',');
	}
	return !value;
}

static int put_term(struct kernel_event *event, const char *name,
		    const char *pmu, const char *term, const char *text)
{
	static const char *const words[] = { "config", "config1", "config2" };
	char file[NAME_SIZE + 8], format[TEXT_SIZE];
	uint64_t value = 1;
	char *end;

	if (text) {
		errno = 0;
		value = strtoull(text, &end, 0);
		if (!isdigit((unsigned char)*text) || *end || errno)
			return diag("event %s: %s: not a number", name, text);
	}
	for (unsigned int i = 0; i < 3; i++) {
		if (strcmp(term, words[i]) != 0)
			continue;
		event->config[i] = value;
		return 0;
	}
	snprintf(file, sizeof(file), "format/%s", term);
	if (strchr(term, '/') || !read_line(pmu, file, format))
		return diag("event %s: %s has no term %s", name, pmu, term);
	if (!put_bits(event, format, value))
		return diag("event %s: %s does not fit into %s", name,
			    text ? text : term, format);
	return 0;
}

/* Terms with commas between them. An event's own terms have no event among them. */
static int put_terms(struct kernel_event *event, const char *name,
		     const char *pmu, const char *list, bool own);

/* Reads a file beside an event's terms: events/EVENT.scale and the like. */
static bool read_beside(const char *pmu, const char *term, const char *what,
			char text[TEXT_SIZE])
{
	char file[NAME_SIZE + 32];

	snprintf(file, sizeof(file), "events/%s.%s", term, what);
	return read_line(pmu, file, text);
}

/* As "2.3283064365386962890625e-10". */
static int put_scale(struct kernel_event *event, const char *name,
		     const char *text)
{
	char *end;

	event->scale = strtod(text, &end);
	if (end == text || *end || !isfinite(event->scale) || event->scale <= 0)
		return diag("event %s: the kernel's scale is no number: %s",
			    name, text);
	return 0;
}

/* Counts are whole numbers: of parts of what the kernel scales to. */
static void put_unit(struct kernel_event *event, const char *text)
{
	static const struct {
		const char *kernel, *unit;
		double scale;
	} units[] = { { "Joules", "uJ", 1e6 }, { "MiB", "B", 1048576 } };

	snprintf(event->unit, sizeof(event->unit), "%.15s", text);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(text, units[i].kernel) != 0)
			continue;
		event->scale *= units[i].scale;
		strcpy(event->unit, units[i].unit);
	}
}

/* An event that the PMU has a name for, with its unit. */
static int put_named(struct kernel_event *event, const char *name,
		     const char *pmu, const char *term)
{
	char file[NAME_SIZE + 16], terms[TEXT_SIZE], text[TEXT_SIZE];

	snprintf(file, sizeof(file), "events/%s", term);
	if (!read_line(pmu, file, terms))
		return 1;
	if (read_beside(pmu, term, "snapshot", text) && strcmp(text, "0") != 0)
		return diag(
			"event %s: a state and no count; it adds up to nothing",
			name);
	if (put_terms(event, name, pmu, terms, true))
		return -1;
	if (read_beside(pmu, term, "scale", text) &&
	    put_scale(event, name, text))
		return -1;
	if (read_beside(pmu, term, "unit", text))
		put_unit(event, text);
	return 0;
}

static int put_terms(struct kernel_event *event, const char *name,
		     const char *pmu, const char *list, bool own)
{
	char term[NAME_SIZE], *value;
	size_t length;
	int ret;

	for (; *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (!length || length >= sizeof(term))
			return diag("event %s: a term is missing or too long",
				    name);
		memcpy(term, list, length);
		term[length] = '\0';
		value = strchr(term, '=');
		if (value)
			*value++ = '\0';
		ret = value || own || strchr(term, '/') ?
			      1 :
			      put_named(event, name, pmu, term);
		if (ret < 0 || (ret && put_term(event, name, pmu, term, value)))
			return -1;
	}
	return 0;
}

/* The text between the slashes, to be freed; NULL after a message. */
static char *terms_between(const char *name)
{
	const char *open = strchr(name, '/') + 1;
	size_t length = strcspn(open, "/");

	if (!length || strcmp(open + length, "/") != 0)
		return diag("event %s: write it as PMU/EVENT/, without modifiers",
			    name),
		       NULL;
	return strndup(open, length);
}

struct kernel_event *kernel_pmu_find(const char *name)
{
	struct kernel_event *event = calloc(1, sizeof(*event));
	char *terms = terms_between(name);
	char pmu[NAME_SIZE];
	int ret = -1;

	if (event && terms && pmu_of(name, pmu)) {
		event->scale = 1;
		if (!find_instances(event, pmu))
			ret = diag("out of memory");
		else if (!event->count)
			ret = diag("event %s: PMU %s has gone", name, pmu);
		else
			ret = put_terms(event, name, event->instances[0].name,
					terms, false);
	}
	free(terms);
	if (!ret)
		return event;
	kernel_pmu_free(event);
	return NULL;
}

void kernel_pmu_free(struct kernel_event *event)
{
	if (event)
		free(event->instances);
	free(event);
}

struct kernel_event *kernel_pmu_one(const struct kernel_event *event,
				    const char *name, int instance,
				    char **one_name)
{
	const struct kernel_instance *from = &event->instances[instance];
	struct kernel_event *one = malloc(sizeof(*one));
	struct kernel_instance *copy = malloc(sizeof(*copy));

	if (asprintf(one_name, "%s%s", from->name, strchr(name, '/')) < 0)
		*one_name = NULL;
	if (!one || !copy || !*one_name) {
		free(one);
		free(copy);
		free(*one_name);
		return NULL;
	}
	*copy = *from;
	*one = *event;
	one->instances = copy;
	one->count = 1;
	return one;
}

static void list_pmu(const char *pmu, FILE *out)
{
	char path[PATH_MAX], file[NAME_SIZE + 16], unit[TEXT_SIZE];
	struct dirent **names;
	int count;

	snprintf(path, sizeof(path), "%s/%s/events", kernel_pmu_directory, pmu);
	count = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;
		bool has_unit;

		snprintf(file, sizeof(file), "events/%.*s.unit", NAME_SIZE,
			 name);
		has_unit = read_line(pmu, file, unit);
		if (!strchr(name, '.'))
			fprintf(out, "%s/%s/%s%s\n", pmu, name,
				has_unit ? "  " : "", has_unit ? unit : "");
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

void kernel_pmu_list(FILE *out)
{
	struct dirent **names;
	int count = scandir(kernel_pmu_directory, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		if (!is_other(names[i]->d_name) &&
		    strlen(names[i]->d_name) < NAME_SIZE)
			list_pmu(names[i]->d_name, out);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}
