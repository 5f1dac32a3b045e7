/* SPDX-License-Identifier: GPL-2.0-only */
/* From the names of events to registers, by libpfm. */
#ifndef TESTS_V281_EVENTS_H
#define TESTS_V281_EVENTS_H

#include <perfmon/pfmlib.h>
#include <stdint.h>

/*
 * Chooses registers for count events, at user level. An event is named as the
 * processor calls it, or is "instructions" or "cycles", whatever it calls those.
 * avail_pmcs has the control registers that may be used, PFM_PMC_BV words of
 * bits. Prints the reason and exits if that is not possible.
 */
void assign_events(const char *const *events, unsigned int count,
		   const uint64_t *avail_pmcs, pfmlib_output_param_t *out);

#endif /* TESTS_V281_EVENTS_H */
