// SPDX-License-Identifier: MIT
/*
 * The tables of dispatch_p4.h: registers, and events with the registers they
 * need.
 */
#include "dispatch_p4.h"

/* One row per register. */
/* clang-format off */
const struct p4_escr pfmlib_p4_escrs[P4_NUM_ESCRS] = {
	{ 0, 0x3b2, P4_BPU_0 }, /* BPU_ESCR0 */
	{ 1, 0x3b4, P4_BPU_0 }, /* IS_ESCR0 */
	{ 2, 0x3aa, P4_BPU_0 }, /* MOB_ESCR0 */
	{ 3, 0x3b6, P4_BPU_0 }, /* ITLB_ESCR0 */
	{ 4, 0x3ac, P4_BPU_0 }, /* PMH_ESCR0 */
	{ 5, 0x3c8, P4_BPU_0 }, /* IX_ESCR0 */
	{ 6, 0x3a2, P4_BPU_0 }, /* FSB_ESCR0 */
	{ 7, 0x3a0, P4_BPU_0 }, /* BSU_ESCR0 */
	{ 8, 0x3c0, P4_MS_0 }, /* MS_ESCR0 */
	{ 9, 0x3c4, P4_MS_0 }, /* TC_ESCR0 */
	{ 10, 0x3c2, P4_MS_0 }, /* TBPU_ESCR0 */
	{ 11, 0x3a6, P4_FLAME_0 }, /* FLAME_ESCR0 */
	{ 12, 0x3a4, P4_FLAME_0 }, /* FIRM_ESCR0 */
	{ 13, 0x3ae, P4_FLAME_0 }, /* SAAT_ESCR0 */
	{ 14, 0x3b0, P4_FLAME_0 }, /* U2L_ESCR0 */
	{ 15, 0x3a8, P4_FLAME_0 }, /* DAC_ESCR0 */
	{ 16, 0x3ba, P4_IQ_0 }, /* IQ_ESCR0 */
	{ 17, 0x3ca, P4_IQ_0 }, /* ALF_ESCR0 */
	{ 18, 0x3bc, P4_IQ_0 }, /* RAT_ESCR0 */
	{ 19, 0x3be, P4_IQ_0 }, /* SSU_ESCR0 */
	{ 20, 0x3b8, P4_IQ_0 }, /* CRU_ESCR0 */
	{ 21, 0x3cc, P4_IQ_0 }, /* CRU_ESCR2 */
	{ 22, 0x3e0, P4_IQ_0 }, /* CRU_ESCR4 */
	{ 32, 0x3b3, P4_BPU_1 }, /* BPU_ESCR1 */
	{ 33, 0x3b5, P4_BPU_1 }, /* IS_ESCR1 */
	{ 34, 0x3ab, P4_BPU_1 }, /* MOB_ESCR1 */
	{ 35, 0x3b7, P4_BPU_1 }, /* ITLB_ESCR1 */
	{ 36, 0x3ad, P4_BPU_1 }, /* PMH_ESCR1 */
	{ 37, 0x3c9, P4_BPU_1 }, /* IX_ESCR1 */
	{ 38, 0x3a3, P4_BPU_1 }, /* FSB_ESCR1 */
	{ 39, 0x3a1, P4_BPU_1 }, /* BSU_ESCR1 */
	{ 40, 0x3c1, P4_MS_1 }, /* MS_ESCR1 */
	{ 41, 0x3c5, P4_MS_1 }, /* TC_ESCR1 */
	{ 42, 0x3c3, P4_MS_1 }, /* TBPU_ESCR1 */
	{ 43, 0x3a7, P4_FLAME_1 }, /* FLAME_ESCR1 */
	{ 44, 0x3a5, P4_FLAME_1 }, /* FIRM_ESCR1 */
	{ 45, 0x3af, P4_FLAME_1 }, /* SAAT_ESCR1 */
	{ 46, 0x3b1, P4_FLAME_1 }, /* U2L_ESCR1 */
	{ 47, 0x3a9, P4_FLAME_1 }, /* DAC_ESCR1 */
	{ 48, 0x3bb, P4_IQ_1 }, /* IQ_ESCR1 */
	{ 49, 0x3cb, P4_IQ_1 }, /* ALF_ESCR1 */
	{ 50, 0x3bd, P4_IQ_1 }, /* RAT_ESCR1 */
	{ 51, 0x3b9, P4_IQ_1 }, /* CRU_ESCR1 */
	{ 52, 0x3cd, P4_IQ_1 }, /* CRU_ESCR3 */
	{ 53, 0x3e1, P4_IQ_1 }, /* CRU_ESCR5 */
};

const struct p4_counter pfmlib_p4_counters[P4_NUM_COUNTERS] = {
	{ 23, 0x360, 0x300 }, /* BPU_CCCR0, BPU_CTR0 */
	{ 24, 0x361, 0x301 }, /* BPU_CCCR1, BPU_CTR1 */
	{ 25, 0x364, 0x304 }, /* MS_CCCR0, MS_CTR0 */
	{ 26, 0x365, 0x305 }, /* MS_CCCR1, MS_CTR1 */
	{ 27, 0x368, 0x308 }, /* FLAME_CCCR0, FLAME_CTR0 */
	{ 28, 0x369, 0x309 }, /* FLAME_CCCR1, FLAME_CTR1 */
	{ 29, 0x36c, 0x30c }, /* IQ_CCCR0, IQ_CTR0 */
	{ 30, 0x36d, 0x30d }, /* IQ_CCCR1, IQ_CTR1 */
	{ 31, 0x370, 0x310 }, /* IQ_CCCR4, IQ_CTR4 */
	{ 54, 0x362, 0x302 }, /* BPU_CCCR2, BPU_CTR2 */
	{ 55, 0x363, 0x303 }, /* BPU_CCCR3, BPU_CTR3 */
	{ 56, 0x366, 0x306 }, /* MS_CCCR2, MS_CTR2 */
	{ 57, 0x367, 0x307 }, /* MS_CCCR3, MS_CTR3 */
	{ 58, 0x36a, 0x30a }, /* FLAME_CCCR2, FLAME_CTR2 */
	{ 59, 0x36b, 0x30b }, /* FLAME_CCCR3, FLAME_CTR3 */
	{ 60, 0x36e, 0x30e }, /* IQ_CCCR2, IQ_CTR2 */
	{ 61, 0x36f, 0x30f }, /* IQ_CCCR3, IQ_CTR3 */
	{ 62, 0x371, 0x311 }, /* IQ_CCCR5, IQ_CTR5 */
};

/* In the order that programs expect. */
const struct p4_group pfmlib_p4_groups[P4_NUM_GROUPS] = {
	[P4_BPU_0] = { 2, { 0, 1 } },
	[P4_MS_0] = { 2, { 2, 3 } },
	[P4_FLAME_0] = { 2, { 4, 5 } },
	[P4_IQ_0] = { 3, { 6, 8, 7 } },
	[P4_BPU_1] = { 2, { 9, 10 } },
	[P4_MS_1] = { 2, { 11, 12 } },
	[P4_FLAME_1] = { 2, { 13, 14 } },
	[P4_IQ_1] = { 3, { 15, 16, 17 } },
};

const struct p4_event pfmlib_p4_events[P4_NUM_EVENTS] = {
	{ "TC_deliver_mode", 0x1, 1, 2, { 9, 41 }, 0 },
	{ "BPU_fetch_request", 0x3, 0, 2, { 0, 32 }, 0 },
	{ "ITLB_reference", 0x18, 3, 2, { 3, 35 }, 0 },
	{ "memory_cancel", 0x2, 5, 2, { 15, 47 }, 0 },
	{ "memory_complete", 0x8, 2, 2, { 13, 45 }, 0 },
	{ "load_port_replay", 0x4, 2, 2, { 13, 45 }, 0 },
	{ "store_port_replay", 0x5, 2, 2, { 13, 45 }, 0 },
	{ "MOB_load_replay", 0x3, 2, 2, { 2, 34 }, 0 },
	{ "page_walk_type", 0x1, 4, 2, { 4, 36 }, 0 },
	{ "BSQ_cache_reference", 0xc, 7, 2, { 7, 39 }, 0 },
	{ "IOQ_allocation", 0x3, 6, 2, { 6, 38 }, 0 },
	{ "IOQ_active_entries", 0x1a, 6, 1, { 38 }, 0 },
	{ "FSB_data_activity", 0x17, 6, 2, { 6, 38 }, 0 },
	{ "BSQ_allocation", 0x5, 7, 1, { 7 }, 0 },
	{ "BSQ_active_entries", 0x6, 7, 1, { 39 }, 0 },
	{ "SSE_input_assist", 0x34, 1, 2, { 12, 44 }, 0 },
	{ "packed_SP_uop", 0x8, 1, 2, { 12, 44 }, 0 },
	{ "packed_DP_uop", 0xc, 1, 2, { 12, 44 }, 0 },
	{ "scalar_SP_uop", 0xa, 1, 2, { 12, 44 }, 0 },
	{ "scalar_DP_uop", 0xe, 1, 2, { 12, 44 }, 0 },
	{ "64bit_MMX_uop", 0x2, 1, 2, { 12, 44 }, 0 },
	{ "128bit_MMX_uop", 0x1a, 1, 2, { 12, 44 }, 0 },
	{ "x87_FP_uop", 0x4, 1, 2, { 12, 44 }, 0 },
	{ "TC_misc", 0x6, 1, 2, { 9, 41 }, 0 },
	{ "global_power_events", 0x13, 6, 2, { 6, 38 }, 0 },
	{ "tc_ms_xfer", 0x5, 0, 2, { 8, 40 }, 0 },
	{ "uop_queue_writes", 0x9, 0, 2, { 8, 40 }, 0 },
	{ "retired_mispred_branch_type", 0x5, 2, 2, { 10, 42 }, 0 },
	{ "retired_branch_type", 0x4, 2, 2, { 10, 42 }, 0 },
	{ "resource_stall", 0x1, 1, 2, { 17, 49 }, 0 },
	{ "WC_Buffer", 0x5, 5, 2, { 15, 47 }, 0 },
	{ "b2b_cycles", 0x16, 3, 2, { 6, 38 }, 0 },
	{ "bnr", 0x8, 3, 2, { 6, 38 }, 0 },
	{ "snoop", 0x6, 3, 2, { 6, 38 }, 0 },
	{ "response", 0x4, 3, 2, { 6, 38 }, 0 },
	{ "front_end_event", 0x8, 5, 2, { 21, 52 }, 0 },
	{ "execution_event", 0xc, 5, 2, { 21, 52 }, 0 },
	{ "replay_event", 0x9, 5, 2, { 21, 52 }, P4_REPLAY },
	{ "instr_retired", 0x2, 4, 2, { 20, 51 }, 0 },
	{ "uops_retired", 0x1, 4, 2, { 20, 51 }, 0 },
	{ "uops_type", 0x2, 2, 2, { 18, 50 }, 0 },
	{ "branch_retired", 0x6, 5, 2, { 21, 52 }, 0 },
	{ "mispred_branch_retired", 0x3, 4, 2, { 20, 51 }, 0 },
	{ "x87_assist", 0x3, 5, 2, { 21, 52 }, 0 },
	{ "machine_clear", 0x2, 5, 2, { 21, 52 }, 0 },
	{ "instr_completed", 0x7, 4, 2, { 20, 51 }, P4_INSTR_COMPLETED },
};
/* clang-format on */
