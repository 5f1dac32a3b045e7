/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One event of each kind of counter whose number the tests can predict. The
 * only place that knows processors apart; pmu.c asks it about each counter
 * that it finds.
 */
#ifndef PFM_TEST_KNOWN_EVENTS_H
#define PFM_TEST_KNOWN_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Fields that the event selectors of P6, and of all built like it, share. */
#define SEL_USER (1ULL << 16)
#define SEL_KERNEL (1ULL << 17)
#define SEL_INTERRUPT (1ULL << 20)
#define SEL_ENABLE (1ULL << 22)

struct known_event {
	const char *model; /* of pmu_desc/model */
	uint16_t first, last; /* the PMDs that this is about */
	uint16_t pmc; /* of the first PMD; the others have the next ones, */
	bool shared; /* or have the same */
	uint64_t user; /* PMC value: count at user level */
	uint64_t kernel; /* PMC value: count at user and kernel level */
	uint64_t user_level; /* the bit of these that is for user level */
	uint64_t interrupt; /* bits of PMC, or of value2, that can be switched
			     * off: they enable the overflow interrupt */
	bool silent; /* there is no such interrupt */
	/* num events in den instructions of the test machine */
	unsigned int num, den;
	bool selector; /* the PMC has the fields SEL_... */
	bool fixed; /* counts nothing else */
	bool any_level; /* counts all levels whatever it is told */
	uint16_t pmc2; /* another PMC of the first PMD, and so on, that has */
	uint64_t value2; /* to be this; 0: there is none */
	uint8_t cpuid_model; /* only on processors of this model; 0: all */
};

/* What is known of the PMD of a register map; NULL if nothing is. */
const struct known_event *known_event(const char *model, unsigned int pmd);

#endif
