/* SPDX-License-Identifier: GPL-2.0-only */
/* Periods of units that make precise samples: the control of the unit has them. */
#ifndef PFMON_PRECISE_PERIOD_H
#define PFMON_PRECISE_PERIOD_H

#include "record/periods.h"

/* Samples a second, if nothing was said. The kernel does not adapt these periods. */
#define PRECISE_HERTZ 4000

/*
 * Chooses the period of an event with a sampler. longest: what its unit can have; cpu_hz:
 * 0 if it is not known. 0, or -1 after a message.
 */
int precise_period(struct period *period, const struct sample_wish *wish,
		   const struct event *event, uint64_t longest, double cpu_hz);

/* Puts the periods into the controls of the units. */
void precise_program(struct plan *plan, const struct periods *periods);

#endif /* PFMON_PRECISE_PERIOD_H */
