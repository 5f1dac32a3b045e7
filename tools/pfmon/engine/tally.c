// SPDX-License-Identifier: GPL-2.0-only
/* The tally of a run, see tally.h. */
#include "engine/tally.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

void tally_reset(struct tally *tally, enum grouping grouping, bool system_wide)
{
	tally->grouping = grouping;
	tally->count = 0;
	tally->total = (struct tally_row){ .scope = SCOPE_TOTAL };
	tally->coverage = (struct coverage){ .system_wide = system_wide };
}

void tally_free(struct tally *tally)
{
	free(tally->rows);
	tally->rows = NULL;
	tally->count = tally->capacity = 0;
}

static struct tally_row *new_row(struct tally *tally)
{
	if (tally->count == tally->capacity) {
		int capacity = tally->capacity ? 2 * tally->capacity : 16;
		struct tally_row *grown = reallocarray(
			tally->rows, (size_t)capacity, sizeof(*grown));

		if (!grown) {
			diag("out of memory");
			return NULL;
		}
		tally->rows = grown;
		tally->capacity = capacity;
	}
	return &tally->rows[tally->count++];
}

/* The threads of a process add up, with the name that came last. */
static struct tally_row *row_of_process(const struct tally *tally, pid_t pid)
{
	for (int i = 0; i < tally->count; i++) {
		if (tally->rows[i].pid == pid)
			return &tally->rows[i];
	}
	return NULL;
}

/* So do the CPUs of a core, socket or node. */
static struct tally_row *row_of_place(const struct tally *tally,
				      const char *place)
{
	for (int i = 0; i < tally->count; i++) {
		if (!strcmp(tally->rows[i].place, place))
			return &tally->rows[i];
	}
	return NULL;
}

static int keep_row(struct tally *tally, const struct tally_row *row)
{
	struct tally_row *kept = NULL;

	if (tally->grouping == GROUP_PROCESSES)
		kept = row_of_process(tally, row->pid);
	else if (row->place[0])
		kept = row_of_place(tally, row->place);
	if (kept) {
		turns_add(&kept->counted, &row->counted);
		kept->cpus += row->cpus;
		return 0;
	}
	kept = new_row(tally);
	if (!kept)
		return -1;
	*kept = *row;
	if (tally->grouping == GROUP_PROCESSES) {
		kept->scope = SCOPE_PROCESS;
		kept->tid = kept->pid;
	}
	return 0;
}

int tally_add(struct tally *tally, const struct tally_row *row)
{
	struct coverage *coverage = &tally->coverage;

	turns_add(&tally->total.counted, &row->counted);
	coverage->counted_ns += row->counted.counted_ns;
	coverage->blind_ns += row->counted.blind_ns;
	coverage->throttled_ns += row->counted.throttled_ns;
	coverage->missed += row->counted.missed;
	coverage->unknown += row->counted.unknown;
	for (int i = 0; i < 2; i++)
		coverage->kind_ns[i] += row->counted.kind_ns[i];
	coverage->rights += row->counted.left;
	coverage->departed += row->counted.departed;
	coverage->threads += 1 + row->counted.parts;
	return tally->grouping == GROUP_ALL ? 0 : keep_row(tally, row);
}
