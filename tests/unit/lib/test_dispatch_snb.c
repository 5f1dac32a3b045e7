// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of Intel's processors since Sandy Bridge on their counters, their codes
 * and registers (lib/assign/dispatch_snb.c).
 */
#include "dispatch_case.h"

#define CYCLES "UNHALTED_CORE_CYCLES"
#define INSTRUCTIONS "INSTRUCTION_RETIRED"
#define REFERENCE "UNHALTED_REFERENCE_CYCLES"

#define SNB PFMLIB_INTEL_SNB_PMU
#define IVB PFMLIB_INTEL_IVB_PMU
#define HSW PFMLIB_INTEL_HSW_PMU
#define BDW PFMLIB_INTEL_BDW_PMU
#define SKL PFMLIB_INTEL_SKL_PMU
#define ICL PFMLIB_INTEL_ICL_PMU
#define SPR PFMLIB_INTEL_SPR_PMU
#define SLM PFMLIB_INTEL_SLM_PMU
#define GLM PFMLIB_INTEL_GLM_PMU
#define TMT PFMLIB_INTEL_TMT_PMU
#define KNL PFMLIB_INTEL_KNL_PMU

#define FIXED_THREE CYCLES " " INSTRUCTIONS " " REFERENCE
#define FIXED_RESULT "16=0xbbb | 17 16 18"

/* Each type counts the same with its fixed counters. */
static const struct dispatch_case all_types[] = {
	{ "Sandy Bridge", SNB, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Ivy Bridge", IVB, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Haswell", HSW, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Broadwell", BDW, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Skylake", SKL, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Ice Lake", ICL, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Sapphire Rapids", SPR, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Silvermont", SLM, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Goldmont", GLM, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Tremont", TMT, FIXED_THREE, "plm=9", FIXED_RESULT },
	{ "Knights Landing", KNL, FIXED_THREE, "plm=9", FIXED_RESULT },
};

static const struct dispatch_case counters[] = {
	{ "a second event for a fixed counter takes a generic one", SNB,
	  CYCLES " " CYCLES, NULL, "16=0xa0 0=0x51003c | 17 0" },
	{ "without the fixed control register all are generic", SNB,
	  CYCLES " " INSTRUCTIONS, "unavail=16",
	  "0=0x51003c 1=0x5100c0 | 0 1" },
	{ "reference cycles are for the fixed counter only", SNB, REFERENCE,
	  "unavail=16", "NOASSIGN" },
	{ "reference cycles can be counted once", SKL, REFERENCE " " REFERENCE,
	  NULL, "NOASSIGN" },
	{ "any thread alone is for fixed counters, too", SNB, CYCLES ",f=4",
	  NULL, "16=0xe0 | 17" },
	{ "any thread with a counter mask needs a generic counter", SNB,
	  CYCLES ",f=4,c=1", NULL, "0=0x171003c | 0" },
	{ "Ice Lake has no other threads", ICL, CYCLES ",f=4", NULL, "INVAL" },
	{ "Sapphire Rapids has no other threads", SPR, CYCLES ",f=4", NULL,
	  "INVAL" },
	{ "there is no occupancy to reset", SNB, CYCLES ",f=8", NULL, "INVAL" },
	{ "level 1 of an event is invalid", SNB, CYCLES ",p=2", NULL, "INVAL" },
	{ "other flags of the event are invalid", SNB, CYCLES ",e=8", NULL,
	  "INVAL" },
	{ "a counter mask of more than 8 bits is invalid", SNB, CYCLES ",c=256",
	  NULL, "INVAL" },
	{ "modifiers of the input are added", SNB, CYCLES ",c=2,f=3", "plm=9",
	  "0=0x2d7003c | 0" },
	{ "modifiers of the mask win", SNB, "UOPS_RETIRED:STALL_CYCLES,c=300",
	  NULL, "0=0x1d101c2 | 0" },
	{ "a mask is not needed where there is a default", SNB, "UOPS_RETIRED",
	  NULL, "0=0x5101c2 | 0" },
	{ "four generic counters are the default", SKL,
	  "UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED",
	  NULL, "NOASSIGN" },
	{ "eight are used where they are", SKL,
	  "UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED UOPS_RETIRED",
	  "generic=8",
	  "0=0x5101c2 1=0x5101c2 2=0x5101c2 3=0x5101c2 4=0x5101c2 "
	  "| 0 1 2 3 4" },
	{ "Silvermont has two", SLM, CYCLES " " CYCLES " " CYCLES " " CYCLES,
	  NULL, "NOASSIGN" },
};

static const struct dispatch_case constraints[] = {
	{ "an event for counter 1", SNB, "INST_RETIRED:PREC_DIST", NULL,
	  "1=0x5101c0 | 1" },
	{ "an event for counter 2", SNB, "L1D_PEND_MISS:PENDING", NULL,
	  "2=0x510148 | 2" },
	{ "an event for counter 3", SNB,
	  "UOPS_RETIRED:ALL MEM_TRANS_RETIRED:PRECISE_STORE", NULL,
	  "0=0x5101c2 3=0x5102cd | 0 3" },
	{ "two events for counter 2 do not fit", HSW,
	  "L1D_PEND_MISS:PENDING CYCLE_ACTIVITY:CYCLES_L1D_PENDING", NULL,
	  "NOASSIGN" },
	{ "other masks of that event are for any counter", HSW,
	  "CYCLE_ACTIVITY:CYCLES_L2_PENDING", NULL, "0=0x15101a3 | 0" },
	{ "constrained events come first", SNB,
	  "UOPS_RETIRED:ALL UOPS_RETIRED:ALL INST_RETIRED:PREC_DIST", NULL,
	  "0=0x5101c2 2=0x5101c2 1=0x5101c0 | 0 2 1" },
	{ "samples of stores are for counter 0", SPR,
	  "UOPS_RETIRED:SLOTS MEM_TRANS_RETIRED:STORE_SAMPLE", NULL,
	  "1=0x5102c2 0=0x5102cd | 1 0" },
	{ "they do not fit where it is not free", SPR,
	  "MEM_TRANS_RETIRED:STORE_SAMPLE", "unavail=0", "NOASSIGN" },
	{ "loads that retired are for the lower half of eight counters", ICL,
	  "UOPS_RETIRED:SLOTS MEM_LOAD_RETIRED:L1_HIT "
	  "MEM_LOAD_RETIRED:L1_MISS MEM_LOAD_RETIRED:L2_HIT "
	  "MEM_LOAD_RETIRED:L2_MISS",
	  NULL,
	  "4=0x5102c2 0=0x5101d1 1=0x5108d1 2=0x5102d1 3=0x5110d1 "
	  "| 4 0 1 2 3" },
	{ "five of them do not fit", ICL,
	  "MEM_LOAD_RETIRED:L1_HIT MEM_LOAD_RETIRED:L1_MISS "
	  "MEM_LOAD_RETIRED:L2_HIT MEM_LOAD_RETIRED:L2_MISS "
	  "MEM_LOAD_RETIRED:L3_HIT",
	  NULL, "NOASSIGN" },
	{ "nor without hyper-threads", HSW,
	  "MEM_LOAD_UOPS_RETIRED:L1_HIT MEM_LOAD_UOPS_RETIRED:L1_MISS "
	  "MEM_LOAD_UOPS_RETIRED:L2_HIT MEM_LOAD_UOPS_RETIRED:L2_MISS "
	  "MEM_LOAD_UOPS_RETIRED:L3_HIT",
	  "generic=8", "NOASSIGN" },
	{ "which other events use", HSW,
	  "MEM_LOAD_UOPS_RETIRED:L1_HIT MEM_LOAD_UOPS_RETIRED:L1_MISS "
	  "MEM_LOAD_UOPS_RETIRED:L2_HIT MEM_LOAD_UOPS_RETIRED:L2_MISS "
	  "UOPS_RETIRED:ALL",
	  "generic=8",
	  "0=0x5101d1 1=0x5108d1 2=0x5102d1 3=0x5110d1 4=0x5101c2 "
	  "| 0 1 2 3 4" },
	{ "an event for counter 0", SPR,
	  "UOPS_RETIRED:SLOTS TOPDOWN:BR_MISPREDICT_SLOTS", NULL,
	  "1=0x5102c2 0=0x5108a4 | 1 0" },
	{ "precisely distributed instructions have a fixed counter", ICL,
	  "INST_RETIRED:PREC_DIST " CYCLES, NULL, "16=0xaa | 16 17" },
	{ "such an event leaves others no fixed counter", ICL,
	  INSTRUCTIONS " INST_RETIRED:PREC_DIST", NULL,
	  "16=0xa 0=0x5100c0 | 0 16" },
	{ "two such events do not fit", SPR,
	  "INST_RETIRED:ANY INST_RETIRED:PREC_DIST", NULL, "NOASSIGN" },
	{ "slots have a fixed counter", ICL, "TOPDOWN:SLOTS", NULL,
	  "16=0xa000 | 19" },
	{ "slots on a generic counter are another event", ICL,
	  "TOPDOWN:SLOTS_P", NULL, "0=0x5101a4 | 0" },
	{ "slots cannot be inverted", ICL, "TOPDOWN:SLOTS,f=1", NULL,
	  "NOASSIGN" },
	{ "slots lost to branches are for counter 0", SPR,
	  "TOPDOWN:BACKEND_BOUND_SLOTS TOPDOWN:BR_MISPREDICT_SLOTS "
	  "TOPDOWN:MEMORY_BOUND_SLOTS",
	  NULL, "1=0x5102a4 0=0x5108a4 2=0x5110a4 | 1 0 2" },
	{ "slots lost to speculation, too", SPR,
	  "TOPDOWN:BACKEND_BOUND_SLOTS TOPDOWN:BAD_SPEC_SLOTS", NULL,
	  "1=0x5102a4 0=0x5104a4 | 1 0" },
	{ "both do not fit", SPR,
	  "TOPDOWN:BAD_SPEC_SLOTS TOPDOWN:BR_MISPREDICT_SLOTS", NULL,
	  "NOASSIGN" },
	{ "reference cycles by another name have the same counter", ICL,
	  "CPU_CLK_UNHALTED:REF_TSC", NULL, "16=0xa00 | 18" },
	{ "cycles by another name have the same counter", GLM,
	  "CPU_CLK_UNHALTED:CORE", NULL, "16=0xa0 | 17" },
	{ "cycles on a generic counter are another event", GLM,
	  "CPU_CLK_UNHALTED:CORE_P CPU_CLK_UNHALTED:REF CPU_CLK_UNHALTED", NULL,
	  "0=0x51003c 1=0x51013c 2=0x51003c | 0 1 2" },
};

/* Events that libpfm4 encodes otherwise than Intel's event files. */
static const struct dispatch_case repairs[] = {
	{ "moves of integers that were eliminated", IVB,
	  "MOVE_ELIMINATION:INT_ELIMINATED", NULL, "0=0x510158 | 0" },
	{ "moves of integers that were not", IVB,
	  "MOVE_ELIMINATION:INT_NOT_ELIMINATED", NULL, "0=0x510458 | 0" },
	{ "moves of vectors were right", IVB,
	  "MOVE_ELIMINATION:SIMD_ELIMINATED", NULL, "0=0x510258 | 0" },
	{ "loads from local memory of a server", IVB,
	  "MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", "model=62",
	  "0=0x5103d3 | 0" },
	{ "and of others", IVB, "MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM",
	  NULL, "0=0x5101d3 | 0" },
	{ "cycles without retirement count slots", SKL,
	  "UOPS_RETIRED:STALL_CYCLES", NULL, "0=0x1d102c2 | 0" },
	{ "cycles with retirement, too", SKL, "UOPS_RETIRED:TOTAL_CYCLES", NULL,
	  "0=0xad102c2 | 0" },
	{ "uncacheable loads are of another event", ICL,
	  "MEM_LOAD_MISC_RETIRED:UC", NULL, "0=0x5104d4 | 0" },
	{ "operations of the sequencer need the front-end register", SPR,
	  "UOPS_RETIRED:MS", NULL, "0=0x5104c2 32=0x8 | 0" },
	{ "cycles of unknown branches, too", SPR,
	  "INT_MISC:UNKNOWN_BRANCH_CYCLES", NULL, "0=0x5140ad 32=0x7 | 0" },
	{ "which has one value", SPR,
	  "UOPS_RETIRED:MS INT_MISC:UNKNOWN_BRANCH_CYCLES", NULL, "NOASSIGN" },
	{ "and has to be available", SPR, "UOPS_RETIRED:MS", "unavail=32",
	  "NOASSIGN" },
	{ "cycles of the divider have a counter mask", SPR, "ARITH:IDIV_ACTIVE",
	  NULL, "0=0x15108b0 | 0" },
	{ "by either name", SPR, "ARITH:INT_DIVIDER_ACTIVE", NULL,
	  "0=0x15108b0 | 0" },
};

static const struct dispatch_case registers[] = {
	{ "off-core masks are in a register of their own", SNB,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE "
	  "OFFCORE_RESPONSE_1:DMND_RFO:ANY_RESPONSE",
	  NULL, "0=0x5101b7 1=0x5101bb 19=0x10001 31=0x10002 | 0 1" },
	{ "events with other masks do not share it", SNB,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE "
	  "OFFCORE_RESPONSE_0:DMND_RFO:ANY_RESPONSE",
	  NULL, "NOASSIGN" },
	{ "it has to be available", SNB,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE", "unavail=19",
	  "NOASSIGN" },
	{ "small cores select the second by unit mask", SLM,
	  "OFFCORE_RESPONSE_1:DMND_DATA_RD:ANY_RESPONSE", NULL,
	  "0=0x5102b7 31=0x10001 | 0" },
	{ "Sapphire Rapids has other selectors", SPR,
	  "OFFCORE_RESPONSE_0:DEMAND_DATA_RD_ANY_RESPONSE "
	  "OFFCORE_RESPONSE_1:DEMAND_CODE_RD_ANY_RESPONSE",
	  NULL, "0=0x51012a 1=0x51012b 19=0x10001 31=0x10004 | 0 1" },
	{ "what other processors select off-core is something else there", SPR,
	  "EXE:AMX_BUSY", NULL, "0=0x5102b7 | 0" },
	{ "front-end events have a register", SKL, "FRONTEND_RETIRED:DSB_MISS",
	  NULL, "0=0x5101c6 32=0x11 | 0" },
	{ "and need it", SKL, "FRONTEND_RETIRED:DSB_MISS", "unavail=32",
	  "NOASSIGN" },
	{ "the latency of loads is not supported", SNB,
	  "MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD", NULL, "NOTSUPP" },
	{ "it is with PEBS and a threshold", SNB,
	  "MEM_TRANS_RETIRED:LATENCY_ABOVE_THRESHOLD", "pebs lat=100",
	  "3=0x5101cd 17=0x800000008 18=0x64 | 3" },
	{ "beside another precise event", SKL,
	  "MEM_TRANS_RETIRED:LOAD_LATENCY BR_INST_RETIRED:CONDITIONAL",
	  "pebs lat=65535",
	  "0=0x5101cd 1=0x5101c4 17=0x100000003 18=0xffff | 0 1" },
	{ "but not without a threshold", SKL, "MEM_TRANS_RETIRED:LOAD_LATENCY",
	  "pebs", "INVAL" },
	{ "nor with one that is too low", SKL, "MEM_TRANS_RETIRED:LOAD_LATENCY",
	  "pebs lat=2", "INVAL" },
	{ "nor with one that is too high", SKL,
	  "MEM_TRANS_RETIRED:LOAD_LATENCY", "pebs lat=65536", "INVAL" },
	{ "nor without its register", SKL, "MEM_TRANS_RETIRED:LOAD_LATENCY",
	  "pebs lat=100 unavail=18", "NOASSIGN" },
	{ "nor without the one of PEBS", SKL, "MEM_TRANS_RETIRED:LOAD_LATENCY",
	  "pebs lat=100 unavail=17", "NOASSIGN" },
	{ "nor without a mask", SKL, "MEM_TRANS_RETIRED", NULL, "NOTSUPP" },
	{ "nor on Sapphire Rapids", SPR, "MEM_TRANS_RETIRED:LOAD_LATENCY", NULL,
	  "NOTSUPP" },
	{ "precise events are switched on", SNB,
	  "UOPS_RETIRED:ALL BR_INST_RETIRED:CONDITIONAL UOPS_ISSUED:ANY",
	  "pebs", "0=0x5101c2 1=0x5101c4 2=0x51010e 17=0x3 | 0 1 2" },
	{ "an imprecise mask of an event that can be precise is not", SNB,
	  "INST_RETIRED:ANY_P", "pebs", "0=0x5100c0 | 0" },
	{ "PEBS needs its register", SNB, "UOPS_RETIRED:ALL", "pebs unavail=17",
	  "NOASSIGN" },
	{ "branch records are those of Nehalem", SNB, "", "lbr=0 filter=4",
	  "30=0x5 | 31-63" },
	{ "later processors have other branch records", SKL, "", "lbr=0",
	  "NOASSIGN" },
};

int main(void)
{
	return DISPATCH_RUN(all_types) + DISPATCH_RUN(counters) +
	       DISPATCH_RUN(constraints) + DISPATCH_RUN(repairs) +
	       DISPATCH_RUN(registers);
}
