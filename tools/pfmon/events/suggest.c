// SPDX-License-Identifier: GPL-2.0-only
/* Names that somebody may have meant, see suggest.h. */
#include "events/suggest.h"

#include <ctype.h>
#include <perfmon/pfmlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 3
#define DISTANCE_MAX 2
#define WORD_MAX 96

/* Names that do not depend on the model, which most people mean. */
static const char *const shared_names[] = {
	"instructions",
	"cycles",
	"cpu-cycles",
	"ref-cycles",
	"branches",
	"branch-instructions",
	"branch-misses",
	"cache-references",
	"cache-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"task-clock",
	"context-switches",
	"page-faults",
	"minor-faults",
	"major-faults",
	"L1-dcache-loads",
	"L1-dcache-load-misses",
	"L1-icache-load-misses",
	"LLC-loads",
	"LLC-load-misses",
	"dTLB-loads",
	"dTLB-load-misses",
	"iTLB-load-misses",
	"branch-loads",
	"branch-load-misses",
};

#define SHARED_NAMES (sizeof(shared_names) / sizeof(shared_names[0]))

static int min3(int a, int b, int c)
{
	int min = a < b ? a : b;

	return min < c ? min : c;
}

int suggest_distance(const char *a, const char *b, int max)
{
	int row[WORD_MAX + 1];
	int rows = (int)strlen(a), columns = (int)strlen(b);

	if (columns > WORD_MAX || rows - columns > max || columns - rows > max)
		return max + 1;
	for (int j = 0; j <= columns; j++)
		row[j] = j;
	for (int i = 1; i <= rows; i++) {
		int diagonal = row[0], least = i;

		row[0] = i;
		for (int j = 1; j <= columns; j++) {
			int same = toupper((unsigned char)a[i - 1]) ==
				   toupper((unsigned char)b[j - 1]);
			int next = min3(row[j] + 1, row[j - 1] + 1,
					diagonal + !same);

			diagonal = row[j];
			row[j] = next;
			least = next < least ? next : least;
		}
		if (least > max)
			return max + 1;
	}
	return row[columns] <= max ? row[columns] : max + 1;
}

/* Names that the models share, then names of the model. False: it has no name. */
static bool name_of(unsigned int number, char event[WORD_MAX])
{
	if (number < SHARED_NAMES) {
		snprintf(event, WORD_MAX, "%s", shared_names[number]);
		return true;
	}
	return pfm_get_event_name(number - SHARED_NAMES, event, WORD_MAX) ==
	       PFMLIB_SUCCESS;
}

char *suggest_events(const char *name, char *text, size_t size)
{
	char event[WORD_MAX];
	unsigned int count = 0;
	int found = 0;
	size_t used = 0;

	text[0] = '\0';
	pfm_get_num_events(&count);
	count += SHARED_NAMES;
	for (int distance = 1; distance <= DISTANCE_MAX; distance++) {
		for (unsigned int i = 0; i < count && found < NAMES_MAX; i++) {
			if (!name_of(i, event) ||
			    suggest_distance(name, event, DISTANCE_MAX) !=
				    distance)
				continue;
			used += (size_t)snprintf(text + used, size - used,
						 "%s%s", found ? ", " : "",
						 event);
			if (used >= size)
				return text;
			found++;
		}
	}
	return text;
}
