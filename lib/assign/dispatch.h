/* SPDX-License-Identifier: MIT */
/*
 * Functions common to the dispatchers of all models (dispatch.c): reading the input,
 * assigning counters, and adding registers to the output.
 *
 * An assignment is found in two steps.  First each model assigns counters in a simple
 * order, which programs expect.  If that order fails, pfmlib_match_counters() tries all
 * assignments.
 */
#ifndef PFMLIB_DISPATCH_H
#define PFMLIB_DISPATCH_H

#include "pmu/pfmlib_pmu.h"

#define PFMLIB_PLM_MIDDLE (PFM_PLM1 | PFM_PLM2) /* not on x86 */

/* Bits of event selectors, common to all but the oldest processors. */
#define PFMLIB_SEL_UMASK_SHIFT 8
#define PFMLIB_SEL_USR (1ULL << 16)
#define PFMLIB_SEL_OS (1ULL << 17)
#define PFMLIB_SEL_EDGE (1ULL << 18)
#define PFMLIB_SEL_INT (1ULL << 20)
#define PFMLIB_SEL_ANY (1ULL << 21)
/* Not in the hardware: the kernel lets the selector count on one kind of core. */
#define PFMLIB_SEL_CORE (1ULL << 62)
#define PFMLIB_SEL_ATOM (1ULL << 63)
/* The same for registers that qualify events. */
#define PFMLIB_EXTRA_CORE (1ULL << 60)
#define PFMLIB_EXTRA_ATOM (1ULL << 61)
#define PFMLIB_SEL_EN (1ULL << 22)
#define PFMLIB_SEL_INV (1ULL << 23)
#define PFMLIB_SEL_CMASK_SHIFT 24

/* The levels at which event number i of the input counts: PFM_PLM0, PFM_PLM3. */
unsigned int pfmlib_plm(const pfmlib_input_param_t *in, unsigned int i);

/* The same levels as PFMLIB_SEL_USR and PFMLIB_SEL_OS. */
uint64_t pfmlib_plm_bits(const pfmlib_input_param_t *in, unsigned int i);

/* The combined codes of the event's masks; without a mask, the event's default. */
unsigned int pfmlib_mask_codes(const struct pfmlib_pmu *pmu,
			       const pfmlib_event_t *event);

/* False if the input excludes the PMC. */
bool pfmlib_pmc_usable(const pfmlib_input_param_t *in, unsigned int pmc);

/*
 * Adds a register to the output, after the others.  addr is its MSR; alt_addr is the
 * RDPMC index if the counter has one, else the MSR again.
 */
void pfmlib_emit_pmc(pfmlib_output_param_t *out, unsigned int num,
		     uint64_t value, unsigned int addr);
void pfmlib_emit_pmd(pfmlib_output_param_t *out, unsigned int num,
		     unsigned int addr, unsigned int alt_addr);

/* Sets bits first to first + count - 1. */
void pfmlib_mask_add_range(pfmlib_regmask_t *mask, unsigned int first,
			   unsigned int count);

/* A constraint of an event. */
struct pfmlib_event_bits {
	const char *event;
	unsigned int bits; /* defined by each model */
};

/*
 * One unsigned int per event of the model: the bits of all rows with its name, or 0.  The
 * caller frees it; NULL without memory.  Names that the model does not have are ignored,
 * so related models can share a table.
 */
unsigned int *pfmlib_find_event_bits(const struct pfmlib_pmu *pmu,
				     const struct pfmlib_event_bits *rows,
				     unsigned int num_rows);

/*
 * For models without fixed counters, in the order that programs expect: first the events
 * that only one counter can count; then each other event gets the lowest free counter.
 * allowed[i]: usable counters of event i.  False if an event gets none.
 */
bool pfmlib_assign_lowest(const uint64_t *allowed, unsigned int num_events,
			  unsigned int *counter);

#define PFMLIB_MATCH_COUNTERS 64

/*
 * Gives every event its own counter, if any assignment exists.  allowed[i] has a bit for
 * each counter that event i can use; counter[i] becomes one of them.
 */
bool pfmlib_match_counters(const uint64_t *allowed, unsigned int num_events,
			   unsigned int *counter);

/* True if an AMD family has six counters with their own addresses. */
bool pfmlib_amd64_has_core_counters(unsigned int family);

/* The dispatchers, for the list of models. */
extern const struct pfmlib_dispatch pfmlib_dispatch_p6;
extern const struct pfmlib_dispatch pfmlib_dispatch_amd64;
extern const struct pfmlib_dispatch pfmlib_dispatch_p4;
extern const struct pfmlib_dispatch pfmlib_dispatch_p5; /* and Cyrix, WinChip */
extern const struct pfmlib_dispatch pfmlib_dispatch_c3;
extern const struct pfmlib_dispatch pfmlib_dispatch_tsc;
extern const struct pfmlib_dispatch pfmlib_dispatch_coreduo;
extern const struct pfmlib_dispatch pfmlib_dispatch_core;
extern const struct pfmlib_dispatch pfmlib_dispatch_atom;
extern const struct pfmlib_dispatch pfmlib_dispatch_arch;
extern const struct pfmlib_dispatch pfmlib_dispatch_nhm; /* and Westmere */
extern const struct pfmlib_dispatch pfmlib_dispatch_snb; /* since Sandy Bridge */

#endif /* PFMLIB_DISPATCH_H */
