/* SPDX-License-Identifier: MIT */
/*
 * Intel's architectural PMU: inputs of pfm_dispatch_events() in addition to the
 * event, and the layout of the selectors.
 */
#ifndef __PFMLIB_GEN_IA32_H__
#define __PFMLIB_GEN_IA32_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_GEN_IA32_MAX_COUNTERS PFMLIB_MAX_PMCS
#define PMU_GEN_IA32_COUNTER_WIDTH 32

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
} pfm_gen_ia32_sel_reg_t;

/* flags */
#define PFM_GEN_IA32_SEL_INV 1
#define PFM_GEN_IA32_SEL_EDGE 2
#define PFM_GEN_IA32_SEL_ANYTHR 4 /* any thread of the core; version 3 */

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_gen_ia32_counter_t;

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfmlib_gen_ia32_counter_t
		pfp_gen_ia32_counters[PMU_GEN_IA32_MAX_COUNTERS];
	uint64_t reserved[4];
} pfmlib_gen_ia32_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_gen_ia32_output_param_t;

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_GEN_IA32_H__ */
