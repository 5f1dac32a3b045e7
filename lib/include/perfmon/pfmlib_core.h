/* SPDX-License-Identifier: MIT */
/*
 * Core (2006): inputs of pfm_dispatch_events() in addition to the event, and
 * the layout of the selectors.
 */
#ifndef __PFMLIB_CORE_H__
#define __PFMLIB_CORE_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_CORE_NUM_FIXED_COUNTERS 3
#define PMU_CORE_NUM_GEN_COUNTERS 2
#define PMU_CORE_NUM_COUNTERS \
	(PMU_CORE_NUM_FIXED_COUNTERS + PMU_CORE_NUM_GEN_COUNTERS)

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
		unsigned long sel_res1 : 1;
		unsigned long sel_en : 1;
		unsigned long sel_inv : 1;
		unsigned long sel_cnt_mask : 8;
		unsigned long sel_res2 : 32;
	} perfevtsel;
} pfm_core_sel_reg_t;

/* flags */
#define PFM_CORE_SEL_INV 1
#define PFM_CORE_SEL_EDGE 2

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_core_counter_t;

/* Precise event-based sampling. */
typedef struct {
	unsigned int pebs_used;
} pfmlib_core_pebs_t;

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfmlib_core_counter_t pfp_core_counters[PMU_CORE_NUM_COUNTERS];
	pfmlib_core_pebs_t pfp_core_pebs;
	uint64_t reserved[4];
} pfmlib_core_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_core_output_param_t;

#pragma GCC visibility push(default)

/* 1 if the event, with its masks, can be sampled precisely; else 0. */
int pfm_core_is_pebs(pfmlib_event_t *e);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_CORE_H__ */
