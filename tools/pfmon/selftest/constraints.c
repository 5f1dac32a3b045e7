// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of each event: the test puts the events of libpfm's table one after
 * the other on all counters. A counter that reads zero where others count cannot
 * have the event, and libpfm has to know that.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "tests.h"

#define TURNS 200ul
#define MAPS_MAX 16

/* Events with the same counters, of the machine and of libpfm: bit n for PMD n. */
struct map {
	uint32_t found, known;
	int events;
	char names[160]; /* of the first ones */
};

struct maps {
	struct map map[MAPS_MAX];
	int count;
	int silent; /* events that did not happen in the loops */
	int refused; /* by the kernel */
};

/* Returns the counters that libpfm would choose. */
static uint32_t known_counters(const struct pmu *pmu,
			       const pfmlib_event_t *event)
{
	uint32_t known = 0;

	for (int i = 0; i < pmu->count; i++) {
		if (counter_has_selector(pmu, &pmu->counters[i]) &&
		    counter_is_chosen(pmu, &pmu->counters[i], event))
			known |= 1u << pmu->counters[i].pmd;
	}
	return known;
}

static void add_event(struct maps *maps, uint32_t found, uint32_t known,
		      const char *name)
{
	struct map *map = maps->map;
	size_t used;

	for (; map < maps->map + maps->count; map++) {
		if (map->found == found && map->known == known)
			break;
	}
	if (map == maps->map + MAPS_MAX)
		return;
	if (map == maps->map + maps->count) {
		memset(map, 0, sizeof(*map));
		maps->count++;
	}
	map->found = found;
	map->known = known;
	map->events++;
	used = strlen(map->names);
	if (map->events <= 4)
		snprintf(map->names + used, sizeof(map->names) - used, "%s%s",
			 used ? ", " : "", name);
	else if (map->events == 5)
		snprintf(map->names + used, sizeof(map->names) - used, " ...");
}

/* Puts the event on all counters with a selector. False if one cannot have it. */
static bool program_all(const struct pmu *pmu, const pfmlib_event_t *event,
			struct program *program)
{
	memset(program, 0, sizeof(*program));
	for (int i = 0; i < pmu->count; i++) {
		if (counter_has_selector(pmu, &pmu->counters[i]) &&
		    program_add(program, pmu, &pmu->counters[i], event,
				LEVELS_USER))
			return false;
	}
	return program->pmd_count > 1;
}

static uint32_t found_counters(const struct program *program,
			       const uint64_t *counts)
{
	uint32_t counting = judge_counting(counts, program->pmd_count);
	uint32_t found = 0;

	for (int i = 0; i < program->pmd_count; i++) {
		if (counting >> i & 1)
			found |= 1u << program->pmds[i].reg_num;
	}
	return found;
}

/* Names the first counter that libpfm would choose and that does not count. */
static void judge_event(struct selftest *st, const char *name, uint32_t found,
			uint32_t known)
{
	uint32_t wrong = known & ~found;
	char counter[16];
	struct place place = { st->first_cpu, counter, name };
	struct ruling ruling = {
		VERDICT_WRONG, 1, UINT64_MAX, 0,
		"this counter cannot count the event, others do, and libpfm would choose it: libpfm lacks a constraint of this processor"
	};

	if (!wrong)
		return;
	snprintf(counter, sizeof(counter), "pmd%d", __builtin_ctz(wrong));
	tap_ruling(&st->tap, &place, &ruling);
}

static void try_event(struct selftest *st, pfmlib_event_t *event,
		      struct maps *maps)
{
	uint64_t counts[COUNTERS_MAX];
	struct program program;
	uint32_t found, known;
	char name[96];
	int fd;

	if (!program_all(&st->pmu, event, &program))
		return;
	fd = measure_open(&program);
	if (fd < 0) {
		maps->refused++;
		return;
	}
	if (measure_once(fd, &program, &loop_mixture, TURNS, counts))
		memset(counts, 0, sizeof(counts));
	close(fd);
	found = found_counters(&program, counts);
	if (!found) {
		maps->silent++;
		return;
	}
	known = known_counters(&st->pmu, event);
	if (pfm_get_full_event_name(event, name, sizeof(name)))
		snprintf(name, sizeof(name), "event %u", event->event);
	judge_event(st, name, found, known);
	add_event(maps, found, known, name);
}

/* Writes a bit mask as "0-3,7". */
static const char *list_of(uint32_t mask, char text[64])
{
	int size = 0, last;

	snprintf(text, 64, "none");
	for (int i = 0; i < 32; i++) {
		if (!(mask >> i & 1))
			continue;
		for (last = i; last < 31 && mask >> (last + 1) & 1;)
			last++;
		size += snprintf(text + size, 64 - (size_t)size,
				 last > i ? "%s%d-%d" : "%s%d", size ? "," : "",
				 i, last);
		i = last;
	}
	return text;
}

static void note_maps(struct selftest *st, const struct maps *maps)
{
	char found[64], known[64];

	for (int i = 0; i < maps->count; i++) {
		const struct map *map = &maps->map[i];

		tap_note(&st->tap,
			 "%d events count on counters %s, libpfm says %s: %s",
			 map->events, list_of(map->found, found),
			 list_of(map->known, known), map->names);
	}
	tap_note(&st->tap,
		 "%d events did not happen in the loops, %d the kernel refused",
		 maps->silent, maps->refused);
}

void test_constraints(struct selftest *st)
{
	static struct maps maps;
	unsigned int events = 0, masks = 0;
	int selectors = 0;

	for (int i = 0; i < st->pmu.count; i++)
		selectors +=
			counter_has_selector(&st->pmu, &st->pmu.counters[i]);
	if (selectors < 2) {
		tap_skip(&st->tap,
			 "needs two counters with event select registers");
		return;
	}
	if (cpus_pin(st->first_cpu) || pfm_get_num_events(&events))
		return;
	memset(&maps, 0, sizeof(maps));
	for (unsigned int i = 0; i < events && !selftest_stopped(); i++) {
		pfmlib_event_t event = { .event = i };

		if (pfm_get_num_event_masks(i, &masks))
			continue;
		event.num_masks = masks ? 1 : 0;
		/* Quick: the first unit mask; full: each of them. */
		do {
			try_event(st, &event, &maps);
		} while (st->full && ++event.unit_masks[0] < masks);
	}
	note_maps(st, &maps);
}
