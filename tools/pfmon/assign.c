// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events to counters, see assign.h.
 *
 * Each event has a set of counters that can count it. A counter for each event
 * is found by augmenting paths (bipartite matching): an event whose counters
 * are all taken makes the holder of one of them move to another.
 */
#include "assign.h"

#include <string.h>

#include "diag.h"
#include "selector.h"

#define BIT(n) (1u << (n))

struct matching {
	int count; /* events */
	uint32_t usable[COUNTERS_MAX]; /* by event: counters that can count it */
	int holder[COUNTERS_MAX]; /* by counter: its event, or -1 */
};

static bool is_available(const uint64_t *vector, unsigned int reg)
{
	return vector[reg / 64] >> (reg % 64) & 1;
}

/* Intel's layout, whose event 0 stands for the fixed counters. */
static bool is_perfevtsel(const struct reg *reg)
{
	return reg->present && !strncmp(reg->name, "PERFEVTSEL", 10);
}

static bool is_selector(const struct reg *reg)
{
	return is_perfevtsel(reg) ||
	       (reg->present && !strncmp(reg->name, "PERFSEL", 7));
}

/* The counters that the session can use, general and fixed. */
static uint32_t find_counters(const struct regmap *map,
			      const struct pfarg_setinfo *info)
{
	const struct reg *control = &map->pmc[FIXED_CTRL_PMC];
	bool fixed = control->present && !strcmp(control->name, "FIXED_CTRL") &&
		     is_available(info->set_avail_pmcs, FIXED_CTRL_PMC);
	uint32_t counters = 0;

	for (int i = 0; i < COUNTERS_MAX; i++) {
		bool controlled =
			i >= FIXED_FIRST ?
				fixed :
				is_selector(&map->pmc[i]) &&
					is_available(info->set_avail_pmcs, i);

		if (controlled && map->pmd[i].present &&
		    is_available(info->set_avail_pmds, i))
			counters |= BIT(i);
	}
	return counters;
}

/*
 * The fixed counter that counts the same as the selector, as a bit; 0 if none.
 * Fixed counters know neither edges nor thresholds. Event 0 is no event of the
 * general counters: its unit mask is the number of a fixed counter plus one.
 */
static uint32_t fixed_counter(uint64_t selector, bool *only)
{
	uint8_t event = SEL_EVENT(selector), umask = SEL_UMASK(selector);

	*only = event == 0 && umask > 0;
	if (selector & (SEL_EDGE | SEL_INVERT | SEL_CMASK))
		return 0;
	if (*only)
		return umask <= COUNTERS_MAX - FIXED_FIRST ?
			       BIT(FIXED_FIRST + umask - 1) :
			       0;
	if (event == 0xc0 && umask == 0) /* instructions retired */
		return BIT(FIXED_FIRST);
	if (event == 0x3c && umask == 0) /* core cycles */
		return BIT(FIXED_FIRST + 1);
	return 0;
}

/*
 * Bits that the register does not let the user choose as the event needs them.
 * Enable and interrupt are the kernel's affair where they are reserved.
 */
static uint64_t refused_bits(const struct event *event, const struct reg *reg)
{
	return (event->selector ^ reg->fixed_to) & reg->reserved &
	       ~(SEL_ENABLE | SEL_INT);
}

/* Finds the counters for an event. Returns 0, or -1 after a message. */
static int find_usable(uint32_t *usable, const struct event *event,
		       const struct regmap *map, uint32_t counters)
{
	uint64_t refused = 0;
	bool fixed_only;
	uint32_t fixed = fixed_counter(event->selector, &fixed_only);

	*usable = 0;
	for (int i = 0; i < FIXED_FIRST; i++) {
		const struct reg *reg = &map->pmc[i];

		if (!(counters & event->counters & BIT(i)) ||
		    (fixed_only && is_perfevtsel(reg)))
			continue;
		if (refused_bits(event, reg))
			refused |= refused_bits(event, reg);
		else
			*usable |= BIT(i);
	}
	/* The name of the map's selectors decides what event 0 means. */
	if (is_perfevtsel(&map->pmc[0]))
		*usable |= fixed & counters;

	if (*usable)
		return 0;
	if (refused)
		return diag(
			"event %s: selector bits 0x%llx are reserved on %s; choose another value",
			event->name, (unsigned long long)refused, map->model);
	return diag(
		"event %s: no counter of %s that is available can count it; choose another event",
		event->name, map->model);
}

/* Gives the event a counter, moving others if need be. */
static bool place(struct matching *m, int event, uint32_t *tried)
{
	for (int i = 0; i < COUNTERS_MAX; i++) {
		if (!(m->usable[event] & BIT(i)) || (*tried & BIT(i)))
			continue;
		*tried |= BIT(i);
		if (m->holder[i] < 0 || place(m, m->holder[i], tried)) {
			m->holder[i] = event;
			return true;
		}
	}
	return false;
}

/* A free counter is better than one that another event has to leave. */
static bool place_free(struct matching *m, int event)
{
	for (int i = 0; i < COUNTERS_MAX; i++) {
		if (m->usable[event] & BIT(i) && m->holder[i] < 0) {
			m->holder[i] = event;
			return true;
		}
	}
	return false;
}

static int match(struct matching *m, const struct event_list *list,
		 const struct regmap *map, uint32_t counters)
{
	for (int i = 0; i < COUNTERS_MAX; i++)
		m->holder[i] = -1;
	for (m->count = 0; m->count < list->count; m->count++) {
		const struct event *event = &list->events[m->count];
		uint32_t tried = 0;

		if (find_usable(&m->usable[m->count], event, map, counters))
			return -1;
		if (!place_free(m, m->count) && !place(m, m->count, &tried))
			return diag(
				"event %s: too many events, the counters that can count it are taken; %s has %d counters, count fewer events at once",
				event->name, map->model,
				__builtin_popcount(counters));
	}
	return 0;
}

/* Puts the event's levels into its part of the fixed counters' control. */
static uint64_t fixed_control(const struct event *event, int fixed)
{
	unsigned int levels = event_levels(event);
	uint64_t bits = (levels & LEVEL_KERNEL ? FIXED_OS : 0) |
			(levels & LEVEL_USER ? FIXED_USR : 0);

	return bits << (fixed * FIXED_BITS);
}

static void add_pmc(struct plan *plan, int pmc, uint64_t value, int event)
{
	plan->pmcs[plan->pmc_count] = (struct pfarg_pmr){
		.reg_num = (__u16)pmc,
		.reg_value = value,
	};
	plan->pmc_event[plan->pmc_count++] = event;
}

/*
 * P6: the enable bit of the first selector enables all counters, the others
 * have none. If no event uses the first it is written for that bit alone.
 */
static void add_shared_enable(struct plan *plan, const struct regmap *map)
{
	bool missing = false;

	for (int i = 0; i < plan->pmc_count; i++) {
		int pmc = plan->pmcs[i].reg_num;

		if (pmc == 0)
			return;
		if (is_selector(&map->pmc[pmc]) &&
		    map->pmc[pmc].reserved & SEL_ENABLE)
			missing = true;
	}
	if (missing)
		add_pmc(plan, 0, SEL_ENABLE, plan->pmc_event[0]);
}

static void make_plan(struct plan *plan, const struct matching *m,
		      const struct event_list *list, const struct regmap *map)
{
	uint64_t control = map->pmc[FIXED_CTRL_PMC].fixed_to;
	int fixed_event = -1;

	memset(plan, 0, sizeof(*plan));
	plan->event_count = m->count;
	for (int i = 0; i < COUNTERS_MAX; i++) {
		int event = m->holder[i];

		if (event < 0)
			continue;
		plan->pmds[event].reg_num = (__u16)i;
		if (i < FIXED_FIRST) {
			add_pmc(plan, i, list->events[event].selector, event);
		} else {
			control |= fixed_control(&list->events[event],
						 i - FIXED_FIRST);
			fixed_event = event;
		}
	}
	if (fixed_event >= 0)
		add_pmc(plan, FIXED_CTRL_PMC, control, fixed_event);
	add_shared_enable(plan, map);
}

int assign_events(struct plan *plan, const struct event_list *list,
		  const struct regmap *map, const struct pfarg_setinfo *info)
{
	uint32_t counters = find_counters(map, info);
	struct matching m;

	if (!counters)
		return diag(
			"no counters: pfmon cannot use those of %s, or all are taken",
			map->model);
	if (list->count > __builtin_popcount(counters))
		return diag(
			"too many events: %d given, %s has %d counters; count fewer at once",
			list->count, map->model, __builtin_popcount(counters));
	if (match(&m, list, map, counters))
		return -1;
	make_plan(plan, &m, list, map);
	return 0;
}
