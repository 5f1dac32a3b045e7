/* SPDX-License-Identifier: MIT */
/*
 * AMD processors since the K7: inputs of pfm_dispatch_events() in addition to
 * the event, and the layout of the registers.
 */
#ifndef __PFMLIB_AMD64_H__
#define __PFMLIB_AMD64_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_AMD64_MAX_COUNTERS 6

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t sel_event_mask : 8;
		uint64_t sel_unit_mask : 8;
		uint64_t sel_usr : 1;
		uint64_t sel_os : 1;
		uint64_t sel_edge : 1;
		uint64_t sel_pc : 1;
		uint64_t sel_int : 1;
		uint64_t sel_res1 : 1;
		uint64_t sel_en : 1;
		uint64_t sel_inv : 1;
		uint64_t sel_cnt_mask : 8;
		uint64_t sel_event_mask2 : 4; /* bits 11:8 of the event */
		uint64_t sel_res2 : 4;
		uint64_t sel_guest : 1;
		uint64_t sel_host : 1;
		uint64_t sel_res3 : 22;
	} perfsel;
} pfm_amd64_sel_reg_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t ctr_count : 48;
		uint64_t ctr_res1 : 16;
	} perfctr;
} pfm_amd64_ctr_reg_t;

/*
 * Instruction-based sampling (IBS).
 */

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t ibsfetchmaxcnt : 16; /* period / 16 */
		uint64_t ibsfetchcnt : 16;
		uint64_t ibsfetchlat : 16; /* cycles */
		uint64_t ibsfetchen : 1;
		uint64_t ibsfetchval : 1;
		uint64_t ibsfetchcomp : 1;
		uint64_t ibsicmiss : 1;
		uint64_t ibsphyaddrvalid : 1;
		uint64_t ibsl1tlbpgsz : 2;
		uint64_t ibsl1tlbmiss : 1;
		uint64_t ibsl2tlbmiss : 1;
		uint64_t ibsranden : 1;
		uint64_t reserved : 6;
	} reg;
} ibsfetchctl_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t ibsopmaxcnt : 16; /* period / 16 */
		uint64_t reserved1 : 1;
		uint64_t ibsopen : 1;
		uint64_t ibsopval : 1;
		uint64_t ibsopcntl : 1; /* 1: micro-operations, 0: cycles */
		uint64_t reserved2 : 44;
	} reg;
} ibsopctl_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t ibscomptoretctr : 16;
		uint64_t ibstagtoretctr : 16;
		uint64_t ibsopbrnresync : 1;
		uint64_t ibsopmispreturn : 1;
		uint64_t ibsopreturn : 1;
		uint64_t ibsopbrntaken : 1;
		uint64_t ibsopbrnmisp : 1;
		uint64_t ibsopbrnret : 1;
		uint64_t reserved : 26;
	} reg;
} ibsopdata_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t nbibsreqsrc : 3;
		uint64_t reserved1 : 1;
		uint64_t nbibsreqdstproc : 1;
		uint64_t nbibsreqcachehitst : 1;
		uint64_t reserved2 : 58;
	} reg;
} ibsopdata2_t;

typedef union {
	uint64_t val;
	__extension__ struct {
		uint64_t ibsldop : 1;
		uint64_t ibsstop : 1;
		uint64_t ibsdcl1tlbmiss : 1;
		uint64_t ibsdcl2tlbmiss : 1;
		uint64_t ibsdcl1tlbhit2m : 1;
		uint64_t ibsdcl1tlbhit1g : 1;
		uint64_t ibsdcl2tlbhit2m : 1;
		uint64_t ibsdcmiss : 1;
		uint64_t ibsdcmissacc : 1;
		uint64_t ibsdcldbnkcon : 1;
		uint64_t ibsdcstbnkcon : 1;
		uint64_t ibsdcsttoldfwd : 1;
		uint64_t ibsdcsttoldcan : 1;
		uint64_t ibsdcucmemacc : 1;
		uint64_t ibsdcwcmemacc : 1;
		uint64_t ibsdclockedop : 1;
		uint64_t ibsdcmabhit : 1;
		uint64_t ibsdclinaddrvalid : 1;
		uint64_t ibsdcphyaddrvalid : 1;
		uint64_t reserved1 : 13;
		uint64_t ibsdcmisslat : 16; /* cycles */
		uint64_t reserved2 : 16;
	} reg;
} ibsopdata3_t;

/* flags of a counter */
#define PFM_AMD64_SEL_INV 1
#define PFM_AMD64_SEL_EDGE 2
#define PFM_AMD64_SEL_GUEST 4 /* only while a guest runs; since family 10h */
#define PFM_AMD64_SEL_HOST 8

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	uint32_t cnt_mask;
	uint32_t flags;
} pfmlib_amd64_counter_t;

/* options */
#define IBS_OPTIONS_RANDEN 1 /* fetch: random low bits of the period */
#define IBS_OPTIONS_UOPS 1 /* op: count micro-operations, not cycles */

typedef struct {
	unsigned int maxcnt; /* the period, a multiple of 16 */
	unsigned int options;
} ibs_param_t;

/* flags of the input */
#define PFMLIB_AMD64_USE_IBSFETCH 1
#define PFMLIB_AMD64_USE_IBSOP 2

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfmlib_amd64_counter_t pfp_amd64_counters[PMU_AMD64_MAX_COUNTERS];
	uint32_t flags;
	uint32_t reserved1;
	ibs_param_t ibsfetch;
	ibs_param_t ibsop;
	uint64_t reserved2;
} pfmlib_amd64_input_param_t;

/* Indexes of the first IBS registers in pfp_pmds. */
typedef struct {
	uint32_t ibsfetch_base;
	uint32_t ibsop_base;
	uint64_t reserved[7];
} pfmlib_amd64_output_param_t;

/* The PMDs of IBS, counted from the first of each kind. */
#define PMD_IBSFETCHCTL 0
#define PMD_IBSFETCHLINAD 1
#define PMD_IBSFETCHPHYSAD 2

#define PMD_IBSOPCTL 0
#define PMD_IBSOPRIP 1
#define PMD_IBSOPDATA 2
#define PMD_IBSOPDATA2 3
#define PMD_IBSOPDATA3 4
#define PMD_IBSDCLINAD 5
#define PMD_IBSDCPHYSAD 6

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_AMD64_H__ */
