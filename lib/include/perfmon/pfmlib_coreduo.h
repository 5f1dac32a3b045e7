/* SPDX-License-Identifier: MIT */
/*
 * Core Duo and Core Solo: inputs of pfm_dispatch_events() in addition to the
 * event, and the layout of the selectors.
 */
#ifndef __PFMLIB_COREDUO_H__
#define __PFMLIB_COREDUO_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_COREDUO_NUM_COUNTERS 2

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
} pfm_coreduo_sel_reg_t;

/* flags */
#define PFM_COREDUO_SEL_INV 1
#define PFM_COREDUO_SEL_EDGE 2

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	unsigned long cnt_mask;
	unsigned int flags;
} pfm_coreduo_counter_t;

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfm_coreduo_counter_t pfp_coreduo_counters[PMU_COREDUO_NUM_COUNTERS];
	uint64_t reserved[4];
} pfmlib_coreduo_input_param_t;

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_COREDUO_H__ */
