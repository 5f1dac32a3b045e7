/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters for events that are values of an event select register; part of assign.c. */
#ifndef PFMON_VALUES_H
#define PFMON_VALUES_H

#include "registers/assign.h"
#include "registers/available.h"

/*
 * Gives those of the list the registers that the plan has not used, which has the
 * named ones already. Returns 0, or -1 after a message.
 */
int values_assign(struct plan *plan, const struct event_list *list,
		  const struct available *regs);

/*
 * Gives one event the fixed counter that its coding names. Returns 1; 0 if a selector has
 * to count it; or -1 after a message.
 */
int values_assign_fixed(struct plan *plan, const struct event *event,
			int number, const struct available *regs);

/*
 * Gives one event, number in its list, a counter of the ones that are allowed, bit n for
 * PMD n. Returns 0, or -1 after a message.
 */
int values_assign_on(struct plan *plan, const struct event *event, int number,
		     const struct available *regs, uint32_t allowed);

/*
 * A counter of an event that no list has, but that has to be counted with the one of this
 * number. Returns 0, or -1 after a message.
 */
int values_add_counter(struct plan *plan, const struct event *event, int number,
		       const struct available *regs);

/* One more control register for an event. -1 after a message: there are too many. */
int plan_add_pmc(struct plan *plan, unsigned int pmc, uint64_t value,
		 int event);

/* One more counter, which is merged into the one before it. */
void plan_add_merged(struct plan *plan, unsigned int pmd);

#endif /* PFMON_VALUES_H */
