/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dispatching events that are given by name on the current model, and the
 * result as text; for the tests of the dispatchers.
 */
#ifndef DISPATCHED_H
#define DISPATCHED_H

#include <perfmon/pfmlib.h>

/* An input with these events, "EVENT:MASK EVENT ...", for both levels. */
pfmlib_input_param_t *events(const char *list);

/* The same with a default of these levels. */
pfmlib_input_param_t *events_at(unsigned int plm, const char *list);

/* Makes a PMC unavailable. */
void without_pmc(pfmlib_input_param_t *in, unsigned int pmc);

/*
 * What becomes of the input: "error -5", or the PMCs as "number=value" and the
 * PMDs behind a bar, "0=0x530079 1=0x1300c0 | 0 1".  Fails if what is not used
 * of the output is not zero, or if an address is.
 */
const char *dispatched(pfmlib_input_param_t *in);
const char *dispatched_with(pfmlib_input_param_t *in, void *model_in,
			    void *model_out);

/* The addresses instead, with the index for RDPMC: "0@0x186 | 0@0xc1/0x0". */
const char *addresses(pfmlib_input_param_t *in);

/* The counters of an event, as "0 1". */
const char *counters_of(const char *name);

#endif /* DISPATCHED_H */
