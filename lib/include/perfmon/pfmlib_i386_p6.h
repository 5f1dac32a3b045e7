/* SPDX-License-Identifier: MIT */
/*
 * Pentium Pro, Pentium II, Pentium III and Pentium M: inputs of
 * pfm_dispatch_events() in addition to the event, and the layout of the
 * registers.
 */
#ifndef __PFMLIB_I386_P6_H__
#define __PFMLIB_I386_P6_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_I386_P6_NUM_COUNTERS 2
#define PMU_I386_P6_NUM_PERFSEL 2
#define PMU_I386_P6_NUM_PERFCTR 2
#define PMU_I386_P6_COUNTER_WIDTH 32

typedef union {
	unsigned long val;
	__extension__ struct {
		unsigned long sel_event_mask : 8;
		unsigned long sel_unit_mask : 8;
		unsigned long sel_usr : 1;
		unsigned long sel_os : 1;
		unsigned long sel_edge : 1;
		unsigned long sel_pc : 1;
		unsigned long sel_int : 1;
		unsigned long sel_res1 : 1;
		unsigned long sel_en : 1; /* register 0 only: for both */
		unsigned long sel_inv : 1;
		unsigned long sel_cnt_mask : 8;
	} perfsel;
} pfm_i386_p6_sel_reg_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		unsigned long ctr_count : 32;
		unsigned long ctr_res1 : 32;
	} perfctr;
} pfm_i386_p6_ctr_reg_t;

/* Count cycles with at least this many occurrences; 0: count occurrences. */
typedef enum {
	PFM_I386_P6_CNT_MASK_0,
	PFM_I386_P6_CNT_MASK_1,
	PFM_I386_P6_CNT_MASK_2,
	PFM_I386_P6_CNT_MASK_3
} pfm_i386_p6_cnt_mask_t;

/* flags */
#define PFM_I386_P6_SEL_INV 0x1
#define PFM_I386_P6_SEL_EDGE 0x2

typedef struct {
	pfm_i386_p6_cnt_mask_t cnt_mask;
	unsigned int flags;
} pfmlib_i386_p6_counter_t;

/* One entry for each event, in the order of the events. */
typedef struct {
	pfmlib_i386_p6_counter_t pfp_i386_p6_counters[PMU_I386_P6_NUM_COUNTERS];
	uint64_t reserved[4];
} pfmlib_i386_p6_input_param_t;

typedef struct {
	uint64_t reserved[8];
} pfmlib_i386_p6_output_param_t;

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_I386_P6_H__ */
