/* SPDX-License-Identifier: MIT */
/*
 * Counters and selectors as Intel processors have them since Core Duo: generic
 * counters with a selector each and, in most models, fixed counters that share
 * one control register.
 *
 * Used by dispatch_coreduo.c, core_family.c, dispatch_atom.c, dispatch_arch.c,
 * dispatch_nhm.c and dispatch_intel.c.  Such a dispatcher starts a call, says
 * which counters each event may use, has them assigned, composes the selectors
 * and emits the registers.
 */
#ifndef PFMLIB_INTEL_COUNTERS_H
#define PFMLIB_INTEL_COUNTERS_H

#include "dispatch.h"

#define INTEL_COUNTER(n) (1ULL << (n))
#define INTEL_COUNTERS(first, count) (((1ULL << (count)) - 1) << (first))

/* Generic counters come first; 16 is also the PMC of all fixed counters. */
#define INTEL_FIXED 16
#define INTEL_MAX_FIXED 4
#define INTEL_MAX_EVENTS (INTEL_FIXED + INTEL_MAX_FIXED)
#define INTEL_ALL_GENERIC INTEL_COUNTERS(0, INTEL_FIXED)
#define INTEL_ALL_FIXED INTEL_COUNTERS(INTEL_FIXED, INTEL_MAX_FIXED)

/* What the fixed counters count. */
#define INTEL_FIXED_INSTRUCTIONS INTEL_COUNTER(16)
#define INTEL_FIXED_CYCLES INTEL_COUNTER(17)
#define INTEL_FIXED_REFERENCE INTEL_COUNTER(18)
#define INTEL_FIXED_SLOTS INTEL_COUNTER(19)

/* Flags of all models' inputs. */
#define INTEL_INV 0x1
#define INTEL_EDGE 0x2
#define INTEL_ANYTHR 0x4
#define INTEL_OCC_RST 0x8

/* An entry of the counters in the inputs of all these models. */
struct intel_modifiers {
	unsigned long cnt_mask;
	unsigned int flags;
};

/* A call of pfm_dispatch_events(); arrays are by position of the event. */
struct intel_call {
	const struct pfmlib_pmu *pmu;
	const pfmlib_input_param_t *in;
	struct intel_modifiers modifiers[INTEL_MAX_EVENTS];
	bool has_any_thread; /* selectors have that bit */

	/* Counters are bit masks by number of their PMD. */
	uint64_t generic; /* the model's */
	uint64_t usable; /* all those whose PMC the caller lets us use */
	uint64_t allowed[INTEL_MAX_EVENTS];
	bool constrained[INTEL_MAX_EVENTS]; /* not all generic ones will do */

	unsigned int counter[INTEL_MAX_EVENTS]; /* the result */
	uint64_t selector[INTEL_MAX_EVENTS];
};

/* What an event or one of its masks is said to be; for constraint tables. */
#define INTEL_IS_INSTRUCTIONS 0x1 /* what a fixed counter counts */
#define INTEL_IS_CYCLES 0x2
#define INTEL_IS_REFERENCE 0x4
#define INTEL_ONLY_0 0x8 /* generic counters that can count it */
#define INTEL_ONLY_1 0x10
#define INTEL_ONLY_2 0x20
#define INTEL_ONLY_3 0x40
#define INTEL_ONLY_0_1 0x80
#define INTEL_ONLY_1_7 0x100
#define INTEL_PEBS 0x200 /* can be sampled precisely */
#define INTEL_ONE_MASK 0x400 /* masks cannot be combined */
#define INTEL_ANY_MASKS 0x800 /* masks can be combined, where that is rare */
#define INTEL_BY_CORE 0x1000 /* unit mask says which core */
#define INTEL_MESI 0x2000 /* unit mask has bits for the state of a line */
#define INTEL_OFFCORE_0 0x4000 /* masks go to an off-core register */
#define INTEL_OFFCORE_1 0x8000
#define INTEL_LATENCY 0x10000 /* needs the threshold of load latency */
#define INTEL_UNCORE_FIXED 0x20000
#define INTEL_FIXED_ALONE 0x40000 /* generic counters cannot */

/* A mask that is special, by name; for what is true of all masks, see above. */
struct intel_mask_bits {
	const char *event;
	const char *mask;
	unsigned int bits;
};

/* The bits of one mask of an event: 0 if it is in no row. */
unsigned int pfmlib_intel_mask_bits(const struct pfmlib_pmu *pmu,
				    const struct intel_mask_bits *rows,
				    unsigned int num_rows, unsigned int event,
				    unsigned int mask);

/*
 * The bits that are true of an event as it is used: those of the event itself
 * and those that all the masks chosen have.
 */
unsigned int pfmlib_intel_bits(const struct pfmlib_pmu *pmu,
			       unsigned int event_bits,
			       const struct intel_mask_bits *rows,
			       unsigned int num_rows,
			       const pfmlib_event_t *event);

/* Of the event itself, as setup found them. */
unsigned int pfmlib_intel_event_bits(const struct pfmlib_pmu *pmu,
				     unsigned int event);

/* The registers of a model that has no others than generic and fixed ones. */
void pfmlib_intel_describe(struct pfmlib_pmu *pmu, unsigned int num_generic,
			   unsigned int num_fixed, unsigned int width);
/* To be called when impl_counters has all bits. */
void pfmlib_intel_count_counters(struct pfmlib_pmu *pmu);

/* modifiers: the counters of the model's input, NULL if there is none. */
void pfmlib_intel_start(struct intel_call *call, const struct pfmlib_pmu *pmu,
			const pfmlib_input_param_t *in, const void *modifiers);

/* Whether the model's input asks anything of this event. */
bool pfmlib_intel_has_options(const struct intel_call *call, unsigned int i);

/* The same, except for "any thread" alone, which fixed counters can do. */
bool pfmlib_intel_needs_selector(const struct intel_call *call, unsigned int i);

/* The counters for an event with these bits, if the model has them. */
uint64_t pfmlib_intel_generic_for(unsigned int bits);
uint64_t pfmlib_intel_fixed_for(unsigned int bits);

/* Says where event i may be counted; counters that are not usable are left out. */
void pfmlib_intel_allow(struct intel_call *call, unsigned int i,
			uint64_t counters);

/*
 * Fills in call->counter: events with one choice first, then those with few,
 * then fixed counters, then the lowest that are free; if that order fails, any
 * assignment that there is.  PFMLIB_ERR_NOASSIGN if there is none.
 */
int pfmlib_intel_assign(struct intel_call *call);

bool pfmlib_intel_is_generic(const struct intel_call *call, unsigned int i);
bool pfmlib_intel_is_fixed(const struct intel_call *call, unsigned int i);

/* Code and masks of event i at their places in a selector. */
uint64_t pfmlib_intel_code(const struct intel_call *call, unsigned int i);

/*
 * Composes selectors: the code, then what the model's input adds where the code
 * does not say otherwise.  The first leaves out levels and threads, which not all
 * selectors have; the second sets call->selector[i].
 */
int pfmlib_intel_modify(const struct intel_call *call, unsigned int i,
			uint64_t code, uint64_t *value);
int pfmlib_intel_select(struct intel_call *call, unsigned int i, uint64_t code);

/* Unit masks of Core Duo and Core: this core and all states are the default. */
uint64_t pfmlib_intel_default_masks(uint64_t code, unsigned int bits);

/* PMC 16, if it is needed; selectors of generic counters; PMDs of all events. */
void pfmlib_intel_emit_fixed(const struct intel_call *call,
			     pfmlib_output_param_t *out);
void pfmlib_intel_emit_generic(const struct intel_call *call,
			       pfmlib_output_param_t *out);
void pfmlib_intel_emit_pmd(const struct intel_call *call, unsigned int i,
			   pfmlib_output_param_t *out);
void pfmlib_intel_emit_pmds(const struct intel_call *call,
			    pfmlib_output_param_t *out);

/* For event_counters(): adds those of the counters that the model has. */
void pfmlib_intel_add_counters(const struct pfmlib_pmu *pmu,
			       pfmlib_regmask_t *mask, uint64_t counters);

#endif /* PFMLIB_INTEL_COUNTERS_H */
