// SPDX-License-Identifier: GPL-2.0-only
/* The table of events; see known_events.h. No C library behind it. */
#include "known_events.h"

#include <stddef.h>
#include <string.h>

/* "Instructions retired" of the processors with selectors like the P6's. */
#define SELECTORS(map, n)                                                      \
	{                                                                      \
		.model = map, .first = 0, .last = (n)-1, .pmc = 0,             \
		.user = 0xc0 | SEL_USER | SEL_ENABLE,                          \
		.kernel = 0xc0 | SEL_USER | SEL_KERNEL | SEL_ENABLE, .num = 1, \
		.den = 1, .selector = true                                     \
	}

/* Fixed counter n: bits 0 (kernel) and 1 (user) of its field of PMC 16. */
#define FIXED(map, n, events, instructions)                                   \
	{                                                                     \
		.model = map, .first = 16 + (n), .last = 16 + (n), .pmc = 16, \
		.user = 2ULL << 4 * (n), .kernel = 3ULL << 4 * (n),           \
		.num = events, .den = instructions, .fixed = true             \
	}

/* Instructions, cycles, reference cycles. */
#define FIXED_COUNTERS(map) \
	FIXED(map, 0, 1, 1), FIXED(map, 1, 3, 2), FIXED(map, 2, 3, 2)

/*
 * The control register of the P5 is two halves, each with an event and bits
 * for privileged (6) and user level (7). The WinChip has no such bits, and
 * neither has the only selector of the C3.
 */
#define HALVES(map)                                                            \
	{                                                                      \
		.model = map, .first = 0, .last = 1, .pmc = 0,                 \
		.user = 0x16 | 0x80, .kernel = 0x16 | 0xc0, .num = 1, .den = 1 \
	}

static const struct known_event events[] = {
	SELECTORS("Intel P6 processor Family", 2),
	SELECTORS("AMD64", 4),
	SELECTORS("AMD Core Perfctr", 16),
	SELECTORS("Intel Core", 2),
	FIXED_COUNTERS("Intel Core"),
	SELECTORS("Intel Atom", 2),
	FIXED_COUNTERS("Intel Atom"),
	SELECTORS("Intel architectural", 16),
	FIXED_COUNTERS("Intel architectural"),
	HALVES("Intel P5"),
	HALVES("Cyrix MII"),
	{ .model = "Centaur WinChip",
	  .first = 0,
	  .last = 1,
	  .pmc = 0,
	  .user = 0x16,
	  .num = 1,
	  .den = 1,
	  .any_level = true },
	{ .model = "VIA C3",
	  .first = 1,
	  .last = 1,
	  .pmc = 1,
	  .user = 0xc0,
	  .num = 1,
	  .den = 1,
	  .any_level = true },
};

const struct known_event *known_event(const char *model, unsigned int pmd)
{
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (!strcmp(events[i].model, model) && pmd >= events[i].first &&
		    pmd <= events[i].last)
			return &events[i];
	return NULL;
}
