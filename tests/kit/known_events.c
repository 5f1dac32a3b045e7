// SPDX-License-Identifier: GPL-2.0-only
/* The table of events; see known_events.h. No C library behind it. */
#include "known_events.h"

#include <cpuid.h>
#include <stddef.h>
#include <string.h>

#include "array_size.h"

/* "Instructions retired" of the processors with selectors like the P6's. */
#define SELECTORS(map, n)                                                     \
	{                                                                     \
		.model = map, .first = 0, .last = (n)-1, .pmc = 0,            \
		.user = 0xc0 | SEL_USER | SEL_ENABLE,                         \
		.kernel = 0xc0 | SEL_USER | SEL_KERNEL | SEL_ENABLE,          \
		.user_level = SEL_USER, .interrupt = SEL_INTERRUPT, .num = 1, \
		.den = 1, .selector = true                                    \
	}

/* Fixed counter n: bits 0 (kernel) and 1 (user) of its field of PMC 16. */
#define FIXED(map, n, events, instructions)                                   \
	{                                                                     \
		.model = map, .first = 16 + (n), .last = 16 + (n), .pmc = 16, \
		.user = 2ULL << 4 * (n), .kernel = 3ULL << 4 * (n),           \
		.user_level = 2ULL << 4 * (n), .num = events,                 \
		.den = instructions, .fixed = true, .shared = true            \
	}

/*
 * Instructions, cycles, reference cycles, slots of a machine that has one, and
 * parts of the slots, which stand for nothing here.
 */
#define FIXED_COUNTERS(map)                                                    \
	FIXED(map, 0, 1, 1), FIXED(map, 1, 3, 2), FIXED(map, 2, 3, 2),         \
		FIXED(map, 3, 3, 2), FIXED(map, 4, 1, 4), FIXED(map, 5, 1, 5), \
		FIXED(map, 6, 1, 6)

/*
 * The control register of the P5 is two halves, each with an event and bits
 * for privileged (6) and user level (7). The WinChip has no such bits, and
 * neither has the only selector of the C3.
 */
#define HALVES(map)                                                    \
	{                                                              \
		.model = map, .first = 0, .last = 1, .pmc = 0,         \
		.user = 0x16 | 0x80, .kernel = 0x16 | 0xc0,            \
		.user_level = 0x80, .silent = true, .num = 1, .den = 1 \
	}

/*
 * On the P4 an ESCR names event (bits 31:25), mask (24:9) and levels (user 2,
 * kernel 3), and the CCCR of a counter switches it on (12) and names the ESCR
 * (15:13); its bits 26 and 27 enable the interrupt. Each group of counters has
 * ESCRs of its own.
 */
#define P4(pmd, nr, escr, cccr, select, event, mask, events, instructions) \
	{                                                                  \
		.model = "Intel P4", .first = pmd, .last = (pmd) + (nr)-1, \
		.pmc = escr, .shared = true,                               \
		.user = (event) << 25 | (mask) << 9 | 0x4,                 \
		.kernel = (event) << 25 | (mask) << 9 | 0xc,               \
		.user_level = 0x4, .interrupt = 3ULL << 26, .num = events, \
		.den = instructions, .pmc2 = cccr,                         \
		.value2 = (select) << 13 | 1 << 12                         \
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
	/* The C6 has other events than its successors. */
	{ .model = "Centaur WinChip",
	  .first = 0,
	  .last = 1,
	  .user = 0x02,
	  .num = 1,
	  .den = 1,
	  .any_level = true,
	  .silent = true,
	  .cpuid_model = 4 },
	{ .model = "Centaur WinChip",
	  .first = 0,
	  .last = 1,
	  .user = 0x16,
	  .num = 1,
	  .den = 1,
	  .any_level = true,
	  .silent = true },
	{ .model = "VIA C3",
	  .first = 1,
	  .last = 1,
	  .pmc = 1,
	  .user = 0xc0,
	  .num = 1,
	  .den = 1,
	  .any_level = true,
	  .silent = true },
	/* Clocks, two events that the test machine makes, instructions. */
	P4(0, 2, 6, 23, 6, 0x13, 0x1, 3, 2),
	P4(2, 2, 8, 25, 0, 0x09, 0x2, 1, 1),
	P4(4, 2, 12, 27, 1, 0x04, 0x8000, 1, 1),
	P4(6, 3, 20, 29, 4, 0x02, 0x1, 1, 1),
	P4(9, 2, 38, 54, 6, 0x13, 0x1, 3, 2),
	P4(11, 2, 40, 56, 0, 0x09, 0x2, 1, 1),
	P4(13, 2, 44, 58, 1, 0x04, 0x8000, 1, 1),
	P4(15, 3, 51, 60, 4, 0x02, 0x1, 1, 1),
};

static unsigned int cpuid_model(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) ? eax >> 4 & 0xf : 0;
}

static bool is_about(const struct known_event *event, const char *model,
		     unsigned int pmd)
{
	return !strcmp(event->model, model) && pmd >= event->first &&
	       pmd <= event->last &&
	       (!event->cpuid_model || event->cpuid_model == cpuid_model());
}

const struct known_event *known_event(const char *model, unsigned int pmd)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (is_about(&events[i], model, pmd))
			return &events[i];
	return NULL;
}
