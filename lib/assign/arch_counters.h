/* SPDX-License-Identifier: MIT */
/*
 * The counters and selectors of architectural performance monitoring ("arch" in the names
 * of the library), which every Intel processor since the Core Duo has: generic counters
 * with one selector each and, in most models, fixed counters that share one control
 * register.  arch_counters.c assigns events to counters, arch_registers.c composes and
 * emits the values.
 *
 * Used by dispatch_coreduo.c, dispatch_core.c, dispatch_arch.c, dispatch_nhm.c and
 * dispatch_snb.c.  Each of them starts a call, allows each event the counters that can
 * count it, lets this code assign them, composes the selectors and emits the registers.
 */
#ifndef PFMLIB_ARCH_COUNTERS_H
#define PFMLIB_ARCH_COUNTERS_H

#include "dispatch.h"

#define ARCH_COUNTER(n) (1ULL << (n))
#define ARCH_COUNTERS(first, count) (((1ULL << (count)) - 1) << (first))

/* Generic counters have numbers below this; 16 is also the PMC of all fixed counters. */
#define ARCH_FIXED 16
#define ARCH_MAX_FIXED 4
#define ARCH_MAX_EVENTS (ARCH_FIXED + ARCH_MAX_FIXED)
#define ARCH_ALL_GENERIC ARCH_COUNTERS(0, ARCH_FIXED)
#define ARCH_ALL_FIXED ARCH_COUNTERS(ARCH_FIXED, ARCH_MAX_FIXED)

/* The fixed counters, named after their events. */
#define ARCH_FIXED_INSTRUCTIONS ARCH_COUNTER(16)
#define ARCH_FIXED_CYCLES ARCH_COUNTER(17)
#define ARCH_FIXED_REFERENCE ARCH_COUNTER(18)

/* Flags in the inputs of all models. */
#define ARCH_INV 0x1
#define ARCH_EDGE 0x2
#define ARCH_ANYTHR 0x4
#define ARCH_OCC_RST 0x8

/* An element of the counters array in the inputs of all these models. */
struct arch_modifiers {
	unsigned long cnt_mask;
	unsigned int flags;
};

/*
 * A call of pfm_dispatch_events(); arrays are indexed by the event's position in the
 * input.
 */
struct arch_call {
	const struct pfmlib_pmu *pmu;
	const pfmlib_input_param_t *in;
	struct arch_modifiers modifiers[ARCH_MAX_EVENTS];
	bool has_any_thread; /* selectors have this bit */

	/* Masks of counters, by the number of their PMD. */
	uint64_t generic; /* all of the model */
	uint64_t usable; /* counters whose PMC the caller does not exclude */
	uint64_t allowed[ARCH_MAX_EVENTS];
	bool constrained[ARCH_MAX_EVENTS]; /* not all generic ones can */

	unsigned int counter[ARCH_MAX_EVENTS]; /* the result of the assignment */
	uint64_t selector[ARCH_MAX_EVENTS];
};

/* Properties of an event or of one of its masks, for the tables. */
#define ARCH_IS_INSTRUCTIONS 0x1 /* a fixed counter counts it */
#define ARCH_IS_CYCLES 0x2
#define ARCH_IS_REFERENCE 0x4
#define ARCH_ONLY_0 0x8 /* its generic counters, see pfmlib_arch_only() */
#define ARCH_ONLY_1 0x10
#define ARCH_ONLY_0_1 0x20
#define ARCH_PEBS 0x200 /* can be sampled precisely */
#define ARCH_ONE_MASK 0x400 /* masks cannot be combined */
#define ARCH_ANY_MASKS 0x800 /* masks can be combined, where most cannot */
#define ARCH_BY_CORE 0x1000 /* the unit mask chooses the core */
#define ARCH_MESI 0x2000 /* the unit mask has bits for cache line states */
#define ARCH_OFFCORE_0 0x4000 /* masks go to an off-core register */
#define ARCH_OFFCORE_1 0x8000
#define ARCH_LATENCY 0x10000 /* load latency: needs precise sampling */
#define ARCH_UNCORE_FIXED 0x20000
#define ARCH_FIXED_ALONE 0x40000 /* generic counters cannot count it */

/* Properties of one mask, by its name. */
struct arch_mask_bits {
	const char *event;
	const char *mask;
	unsigned int bits;
};

/* The ARCH_* bits of one mask of an event, 0 if no row has the mask. */
unsigned int pfmlib_arch_mask_bits(const struct pfmlib_pmu *pmu,
				   const struct arch_mask_bits *rows,
				   unsigned int num_rows, unsigned int event,
				   unsigned int mask);

/*
 * The bits of an event with its chosen masks: the bits of the event itself, and the bits
 * that all of the masks have.
 */
unsigned int pfmlib_arch_bits(const struct pfmlib_pmu *pmu,
			      unsigned int event_bits,
			      const struct arch_mask_bits *rows,
			      unsigned int num_rows,
			      const pfmlib_event_t *event);

/* The bits of the event itself, as found by setup. */
unsigned int pfmlib_arch_event_bits(const struct pfmlib_pmu *pmu,
				    unsigned int event);

static inline unsigned int pfmlib_at_most(unsigned int number,
					  unsigned int limit)
{
	return number < limit ? number : limit;
}

/* Describes the registers of a model with generic and fixed counters only. */
void pfmlib_arch_describe(struct pfmlib_pmu *pmu, unsigned int num_generic,
			  unsigned int num_fixed, unsigned int width);
/* Call this after all bits of impl_counters have been set. */
void pfmlib_arch_count_counters(struct pfmlib_pmu *pmu);

/* modifiers: the counters of the model's input, NULL if there is no input. */
void pfmlib_arch_start(struct arch_call *call, const struct pfmlib_pmu *pmu,
		       const pfmlib_input_param_t *in, const void *modifiers);

/* True if the model's input has options for this event. */
bool pfmlib_arch_has_options(const struct arch_call *call, unsigned int i);

/* The same, but ignores "any thread", which fixed counters can do. */
bool pfmlib_arch_needs_selector(const struct arch_call *call, unsigned int i);

/* The generic counters for a code, and the fixed ones for an event with these bits. */
uint64_t pfmlib_arch_generic_for(const struct pfmlib_pmu *pmu, uint64_t code);
uint64_t pfmlib_arch_fixed_for(unsigned int bits);

/* The generic counters that can count the event with any of its masks. */
uint64_t pfmlib_arch_generic_of_event(const struct pfmlib_pmu *pmu,
				      unsigned int event);

/* The ARCH_ONLY_* bit of a code, 0 if it has none. */
unsigned int pfmlib_arch_only(const struct pfmlib_pmu *pmu, uint64_t code);

/* Sets the counters that event i may have, among the usable ones. */
void pfmlib_arch_allow(struct arch_call *call, unsigned int i,
		       uint64_t counters);

/*
 * Fills in call->counter.  First come events with one choice, then events with few, then
 * fixed counters, then the lowest free counters.  If that order fails, takes any
 * assignment.  PFMLIB_ERR_NOASSIGN if there is none.
 */
int pfmlib_arch_assign(struct arch_call *call);

bool pfmlib_arch_is_generic(const struct arch_call *call, unsigned int i);
bool pfmlib_arch_is_fixed(const struct arch_call *call, unsigned int i);

/* Code and masks of event i, in the bits of a selector. */
uint64_t pfmlib_arch_code(const struct arch_call *call, unsigned int i);

/*
 * Compose selectors: the code, and the options of the model's input that do not
 * contradict the code.  The first omits levels and threads, which not all selectors have;
 * the second sets call->selector[i].
 */
int pfmlib_arch_modify(const struct arch_call *call, unsigned int i,
		       uint64_t code, uint64_t *value);
int pfmlib_arch_select(struct arch_call *call, unsigned int i, uint64_t code);

/* Default unit masks of Core Duo and Core: this core, and all states. */
uint64_t pfmlib_arch_default_masks(uint64_t code, unsigned int bits);

/* Emit PMC 16, if it is needed; selectors of generic counters; PMDs of all events. */
void pfmlib_arch_emit_fixed(const struct arch_call *call,
			    pfmlib_output_param_t *out);
void pfmlib_arch_emit_generic(const struct arch_call *call,
			      pfmlib_output_param_t *out);
void pfmlib_arch_emit_pmd(const struct arch_call *call, unsigned int i,
			  pfmlib_output_param_t *out);
void pfmlib_arch_emit_pmds(const struct arch_call *call,
			   pfmlib_output_param_t *out);

/* For event_counters(): adds the given counters that the model has. */
void pfmlib_arch_add_counters(const struct pfmlib_pmu *pmu,
			      pfmlib_regmask_t *mask, uint64_t counters);

#endif /* PFMLIB_ARCH_COUNTERS_H */
