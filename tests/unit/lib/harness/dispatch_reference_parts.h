/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the reference (dispatch_reference.h), for its own files only:
 * the documented properties of events, the counters that they get, and the
 * registers that make these count.
 */
#ifndef DISPATCH_REFERENCE_PARTS_H
#define DISPATCH_REFERENCE_PARTS_H

#include <stdbool.h>

#include "dispatch_reference.h"
#include "pmu/pfmlib_pmu.h"

#define NONE (~0U)

static inline bool is_core_duo(const struct reference_call *call)
{
	return call->type == PFMLIB_COREDUO_PMU;
}

static inline bool is_core(const struct reference_call *call)
{
	return call->type == PFMLIB_CORE_PMU;
}

static inline bool is_atom(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_ATOM_PMU;
}

static inline bool is_arch(const struct reference_call *call)
{
	return call->type == PFMLIB_GEN_IA32_PMU;
}

static inline bool is_westmere(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_WSM_PMU;
}

static inline bool has_uncore(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_NHM_PMU || is_westmere(call);
}

/* Whether "EVENT", or with a mask "EVENT:MASK", is a word of the list. */
bool lists(const char *list, const char *event, const char *mask);

/* Properties of event i of the call. */
bool is_precise(const struct reference_call *call, unsigned int i);
bool needs_0(const struct reference_call *call, unsigned int i);
bool needs_1(const struct reference_call *call, unsigned int i);
bool needs_2(const struct reference_call *call, unsigned int i);
bool wants_latency(const struct reference_call *call, unsigned int i);
bool needs_0_or_1(const struct reference_call *call, unsigned int i);
bool is_uncore_clock(const struct reference_call *call, unsigned int i);
bool is_reference_cycles(const struct reference_call *call, unsigned int i);

/* The fixed counter for the event, or NONE. */
unsigned int fixed_of(const struct reference_call *call, unsigned int i);

/* The PMC that holds the masks of an offcore event, or NONE. */
unsigned int offcore_pmc(const struct reference_use *use);

/* The codes of all masks, as bits. */
unsigned int all_masks(const struct reference_use *use);

/* Gives each event a counter, step by step; false if a step finds none. */
bool reference_hand_out(const struct reference_call *call,
			unsigned int *counter);

/* Adds the PMCs for the counters of the result.  Returns a PFMLIB error. */
int reference_emit(const struct reference_call *call,
		   struct reference_result *result);

#endif /* DISPATCH_REFERENCE_PARTS_H */
