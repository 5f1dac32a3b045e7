/* SPDX-License-Identifier: MIT */
/* From the names of events to registers: what the examples ask of libpfm. */
#ifndef EXAMPLES_EVENTS_H
#define EXAMPLES_EVENTS_H

#include <perfmon/pfmlib.h>
#include <stdint.h>

/*
 * Chooses registers for count events, at user level. An event is named as the
 * processor calls it, or is "instructions" or "cycles", whatever it calls those.
 * avail_pmcs has the control registers that may be used, PFM_PMC_BV words of
 * bits. Says what is wrong and exits if that is not possible.
 */
void assign_events(const char *const *events, unsigned int count,
		   const uint64_t *avail_pmcs, pfmlib_output_param_t *out);

#endif /* EXAMPLES_EVENTS_H */
