// SPDX-License-Identifier: GPL-2.0-only
/* CPUs, see cpus.h. */
#include "cpus.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static bool parse_number(const char **text, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoul(*text, &end, 10);
	*text = end;
	return *number < CPU_SETSIZE;
}

int cpus_parse(const char *text, cpu_set_t *cpus)
{
	unsigned long first, last;

	CPU_ZERO(cpus);
	for (;;) {
		if (!parse_number(&text, &first))
			return -1;
		last = first;
		if (*text == '-') {
			text++;
			if (!parse_number(&text, &last) || last < first)
				return -1;
		}
		for (; first <= last; first++)
			CPU_SET(first, cpus);
		if (*text != ',')
			break;
		text++;
	}
	return *text && *text != '\n' ? -1 : 0;
}

int cpus_pin(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus);
}

int cpus_next(const cpu_set_t *cpus, int cpu)
{
	for (cpu++; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, cpus))
			return cpu;
	}
	return -1;
}

int cpus_siblings(int cpu, cpu_set_t *cpus)
{
	char path[96], line[256];
	FILE *file;
	int ret = -1;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fgets(line, sizeof(line), file))
		ret = cpus_parse(line, cpus);
	fclose(file);
	return ret;
}

/* Returns the column of a CPU; the header names those that are on line. */
static int find_column(const char *header, int cpu)
{
	int column = 0, number;
	const char *name = strstr(header, "CPU");

	for (; name; name = strstr(name + 3, "CPU"), column++) {
		number = (int)strtol(name + 3, NULL, 10);
		if (number == cpu)
			return column;
	}
	return -1;
}

/* "LAPIC: 1 2 3 text": the number in a column, 0 if there are no such. */
static uint64_t read_column(const char *line, int column)
{
	const char *text = strchr(line, ':');
	unsigned long long value = 0;
	char *end;

	/* These lines count no CPU's interrupts. */
	if (!text || strstr(line, "ERR:") || strstr(line, "MIS:"))
		return 0;
	text++;
	for (int i = 0; i <= column; i++) {
		value = strtoull(text, &end, 10);
		if (end == text)
			return 0;
		text = end;
	}
	return value;
}

uint64_t cpus_count_interrupts(FILE *file, int cpu)
{
	char *line = NULL;
	size_t size = 0;
	uint64_t count = 0;
	int column = -1;

	if (getline(&line, &size, file) > 0)
		column = find_column(line, cpu);
	while (column >= 0 && getline(&line, &size, file) > 0)
		count += read_column(line, column);
	free(line);
	return count;
}

/* Stands in for the file where it cannot be read: a tick each millisecond. */
static uint64_t ticks(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t cpus_disturbances(int cpu)
{
	FILE *file = fopen("/proc/interrupts", "re");
	struct rusage usage;
	uint64_t count = 0;

	if (file) {
		count = cpus_count_interrupts(file, cpu);
		fclose(file);
	}
	if (!count)
		count = ticks();
	if (!getrusage(RUSAGE_SELF, &usage))
		count += (uint64_t)(usage.ru_minflt + usage.ru_majflt);
	return count;
}
