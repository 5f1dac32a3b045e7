// SPDX-License-Identifier: GPL-2.0-only
/* Lists of numbers, see idlist.h. */
#include "engine/idlist.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

#include "diag.h"

/* Reads a number; NULL if there is none. */
static const char *read_number(const char *text, long max, long *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	*number = strtol(text, &end, 10);
	return *number <= max ? end : NULL;
}

int idlist_cpus(const char *text, const char *option, cpu_set_t *cpus)
{
	const char *next = text;
	long first, last;

	CPU_ZERO(cpus);
	for (;;) {
		next = read_number(next, CPU_SETSIZE - 1, &first);
		last = first;
		if (next && *next == '-')
			next = read_number(next + 1, CPU_SETSIZE - 1, &last);
		if (!next || last < first || (*next && *next != ','))
			return diag("%s %s: not a list of CPUs like 0,2-5",
				    option, text);
		for (long cpu = first; cpu <= last; cpu++)
			CPU_SET((int)cpu, cpus);
		if (!*next++)
			return 0;
	}
}

int idlist_pids(const char *text, const char *option, pid_t pids[IDLIST_MAX])
{
	const char *next = text;
	int count = 0;
	long number;

	for (;;) {
		next = read_number(next, INT_MAX, &number);
		if (!next || !number || (*next && *next != ','))
			return diag("%s %s: not a list of numbers like 17,18",
				    option, text);
		if (count == IDLIST_MAX)
			return diag("%s: more than %d numbers", option,
				    IDLIST_MAX);
		pids[count++] = (pid_t)number;
		if (!*next++)
			return count;
	}
}
