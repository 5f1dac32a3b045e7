/* SPDX-License-Identifier: MIT */
/*
 * Core and Atom: two generic counters, three fixed ones, and precise sampling
 * with counter 0.  dispatch_core.c and dispatch_atom.c say how they differ.
 */
#ifndef PFMLIB_CORE_FAMILY_H
#define PFMLIB_CORE_FAMILY_H

#include "arch_counters.h"

struct core_family {
	const struct pfmlib_event_bits *events;
	unsigned int num_events;
	const struct arch_mask_bits *masks;
	unsigned int num_masks;
	unsigned int flags; /* that the model's input may have */
	unsigned int num_branch_records;
};

/* counters: those of the model's input, or NULL. */
int pfmlib_core_family_dispatch(const struct core_family *family,
				const struct pfmlib_pmu *pmu,
				const pfmlib_input_param_t *in,
				const void *counters, bool pebs_used,
				pfmlib_output_param_t *out);

void pfmlib_core_family_event_counters(const struct core_family *family,
				       const struct pfmlib_pmu *pmu,
				       unsigned int event,
				       pfmlib_regmask_t *counters);

int pfmlib_core_family_setup(const struct core_family *family,
			     struct pfmlib_pmu *pmu);

extern const struct core_family pfmlib_core;
extern const struct core_family pfmlib_atom;

/*
 * Whether the event can be sampled precisely with the masks that it has.  Of pmu
 * nothing but the events is needed.
 */
bool pfmlib_core_family_is_precise(const struct core_family *family,
				   const struct pfmlib_pmu *pmu,
				   const pfmlib_event_t *event);

#endif /* PFMLIB_CORE_FAMILY_H */
