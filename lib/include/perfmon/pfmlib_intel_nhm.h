/* SPDX-License-Identifier: MIT */
/*
 * Nehalem, Westmere and later Intel cores: inputs of pfm_dispatch_events() in
 * addition to the event, and the layout of the registers.
 */
#ifndef __PFMLIB_NHM_H__
#define __PFMLIB_NHM_H__

#include <perfmon/pfmlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_NHM_NUM_COUNTERS 16

typedef union {
	unsigned long long val;
	__extension__ struct {
		unsigned long sel_event : 8;
		unsigned long sel_umask : 8;
		unsigned long sel_usr : 1;
		unsigned long sel_os : 1;
		unsigned long sel_edge : 1;
		unsigned long sel_pc : 1;
		unsigned long sel_int : 1;
		unsigned long sel_anythr : 1;
		unsigned long sel_en : 1;
		unsigned long sel_inv : 1;
		unsigned long sel_cnt_mask : 8;
		unsigned long sel_res2 : 32;
	} perfevtsel;
	__extension__ struct {
		unsigned long usel_event : 8;
		unsigned long usel_umask : 8;
		unsigned long usel_res1 : 1;
		unsigned long usel_occ : 1;
		unsigned long usel_edge : 1;
		unsigned long usel_res2 : 1;
		unsigned long usel_int : 1;
		unsigned long usel_res3 : 1;
		unsigned long usel_en : 1;
		unsigned long usel_inv : 1;
		unsigned long usel_cnt_mask : 8;
		unsigned long usel_res4 : 32;
	} unc_perfevtsel;
	__extension__ struct {
		unsigned long cpl_eq0 : 1;
		unsigned long cpl_neq0 : 1;
		unsigned long jcc : 1;
		unsigned long near_rel_call : 1;
		unsigned long near_ind_call : 1;
		unsigned long near_ret : 1;
		unsigned long near_ind_jmp : 1;
		unsigned long near_rel_jmp : 1;
		unsigned long far_branch : 1;
		unsigned long reserved1 : 23;
		unsigned long reserved2 : 32;
	} lbr_select; /* set bits are not recorded */
} pfm_nhm_sel_reg_t;

/* flags */
#define PFM_NHM_SEL_INV 1
#define PFM_NHM_SEL_EDGE 2
#define PFM_NHM_SEL_ANYTHR 4 /* any thread of the core; core events only */
#define PFM_NHM_SEL_OCC_RST 8 /* reset the queue occupancy; uncore only */

typedef struct {
	/*
	 * Count cycles with at least this many occurrences; 0: count
	 * occurrences.
	 */
	unsigned long cnt_mask;
	unsigned int flags;
} pfmlib_nhm_counter_t;

/* Precise event-based sampling. */
typedef struct {
	unsigned int pebs_used;
	unsigned int ld_lat_thres; /* cycles, 3 to 0xffff; 0: unused */
} pfmlib_nhm_pebs_t;

/* lbr_filter: branches that are not recorded */
#define PFM_NHM_LBR_JCC 0x4
#define PFM_NHM_LBR_NEAR_REL_CALL 0x8
#define PFM_NHM_LBR_NEAR_IND_CALL 0x10
#define PFM_NHM_LBR_NEAR_RET 0x20
#define PFM_NHM_LBR_NEAR_IND_JMP 0x40
#define PFM_NHM_LBR_NEAR_REL_JMP 0x80
#define PFM_NHM_LBR_FAR_BRANCH 0x100
#define PFM_NHM_LBR_ALL 0x1fc

/* The record of the last branches. */
typedef struct {
	unsigned int lbr_used;
	unsigned int lbr_plm; /* 0: use pfp_dfl_plm */
	unsigned int lbr_filter;
} pfmlib_nhm_lbr_t;

/* One counter entry for each event, in the order of the events. */
typedef struct {
	pfmlib_nhm_counter_t pfp_nhm_counters[PMU_NHM_NUM_COUNTERS];
	pfmlib_nhm_pebs_t pfp_nhm_pebs;
	pfmlib_nhm_lbr_t pfp_nhm_lbr;
	uint64_t reserved[4];
} pfmlib_nhm_input_param_t;

#pragma GCC visibility push(default)

/* 1 if the event, with its masks, can be sampled precisely; else 0. */
int pfm_nhm_is_pebs(pfmlib_event_t *e);
/* 1 if the event is counted outside the cores; else 0. */
int pfm_nhm_is_uncore(pfmlib_event_t *e);
/* The meaning of a data source code of a load latency sample; malloc'd. */
int pfm_nhm_data_src_desc(unsigned int val, char **desc);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_NHM_H__ */
