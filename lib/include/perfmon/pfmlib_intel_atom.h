/* SPDX-License-Identifier: MIT */
/*
 * Atom (2008): inputs of pfm_dispatch_events() in addition to the event, and
 * the layout of the selectors.
 */
#ifndef __PFMLIB_INTEL_ATOM_H__
#define __PFMLIB_INTEL_ATOM_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_INTEL_ATOM_NUM_COUNTERS 5

typedef union {
	unsigned long long val;
	__extension__ struct {
		unsigned long sel_event_select : 8;
		unsigned long sel_unit_mask : 8;
		unsigned long sel_usr : 1;
		unsigned long sel_os : 1;
		unsigned long sel_edge : 1;
		unsigned long sel_pc : 1;
		unsigned long sel_int : 1;
		unsigned long sel_any : 1;
		unsigned long sel_en : 1;
		unsigned long sel_inv : 1;
		unsigned long sel_cnt_mask : 8;
		unsigned long sel_res2 : 32;
	} perfevtsel;
} pfm_intel_atom_sel_reg_t;

/* flags */
#define PFM_INTEL_ATOM_SEL_INV 1
#define PFM_INTEL_ATOM_SEL_EDGE 2
#define PFM_INTEL_ATOM_SEL_ANYTHR 4 /* any thread of the core */

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_intel_atom_counter_t;

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfmlib_intel_atom_counter_t
		pfp_intel_atom_counters[PMU_INTEL_ATOM_NUM_COUNTERS];
	unsigned int pfp_intel_atom_pebs_used; /* precise sampling */
	uint64_t reserved[4];
} pfmlib_intel_atom_input_param_t;

#pragma GCC visibility push(default)

/* 1 if the event, with its masks, can be sampled precisely; else 0. */
int pfm_intel_atom_has_pebs(pfmlib_event_t *e);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_INTEL_ATOM_H__ */
