// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of Nehalem and Westmere: counters of the core and outside of it, and
 * the registers beside them.
 */
#include "dispatch_case.h"

#define CYCLES "UNHALTED_CORE_CYCLES"
#define INSTRUCTIONS "INSTRUCTIONS_RETIRED"
#define REFERENCE "UNHALTED_REFERENCE_CYCLES"
#define LATENCY "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD"
#define UNCORE "UNC_LLC_MISS:READ"

#define NHM PFMLIB_INTEL_NHM_PMU
#define WSM PFMLIB_INTEL_WSM_PMU

static const struct dispatch_case counters[] = {
	{ "events for counters 0 and 1 take these", NHM,
	  "L1D:REPL ARITH:MUL LOAD_HIT_PRE", NULL,
	  "0=0x510151 2=0x510214 1=0x51014c | 0 2 1" },
	{ "the others start behind them", NHM, "ARITH:MUL L1D:REPL", NULL,
	  "1=0x510214 0=0x510151 | 1 0" },
	{ "a third event for counters 0 and 1 does not fit", NHM,
	  "L1D:REPL LOAD_HIT_PRE L1D_PREFETCH:MISS", NULL, "NOASSIGN" },
	{ "an event for counters 0 and 1 takes the one available", NHM,
	  "L1D:REPL ARITH:MUL", "unavail=0", "1=0x510151 2=0x510214 | 1 2" },
	{ "an event for counters 0 and 1 needs one of them", NHM, "L1D:REPL",
	  "unavail=0 unavail=1", "NOASSIGN" },
	{ "fixed counters are preferred", NHM,
	  INSTRUCTIONS " " CYCLES " " REFERENCE " INSTRUCTION_RETIRED", "plm=9",
	  "16=0xbbb 0=0x5300c0 | 16 17 18 0" },
	{ "seven events of the core fit", NHM,
	  INSTRUCTIONS " " CYCLES " " REFERENCE
		       " ARITH:MUL ARITH:MUL ARITH:MUL ARITH:MUL",
	  NULL,
	  "16=0xaaa 0=0x510214 1=0x510214 2=0x510214 3=0x510214 "
	  "| 16 17 18 0 1 2 3" },
	{ "an eighth does not", NHM,
	  INSTRUCTIONS " " CYCLES " " REFERENCE
		       " ARITH:MUL ARITH:MUL ARITH:MUL ARITH:MUL ARITH:MUL",
	  NULL, "NOASSIGN" },
	{ "without the fixed control register all are generic", NHM,
	  INSTRUCTIONS " " CYCLES " " REFERENCE, "unavail=16",
	  "0=0x5100c0 1=0x51003c 2=0x51013c | 0 1 2" },
	{ "any thread alone is for fixed counters, too", NHM, CYCLES ",f=4",
	  NULL, "16=0xe0 | 17" },
	{ "any thread with a counter mask needs a generic counter", NHM,
	  CYCLES ",f=4,c=2", NULL, "0=0x271003c | 0" },
	{ "reference cycles can be counted once", NHM, REFERENCE " " REFERENCE,
	  NULL, "NOASSIGN" },
	{ "reference cycles cannot be inverted", NHM, REFERENCE ",f=1", NULL,
	  "NOASSIGN" },
	{ "reference cycles of any thread", NHM, REFERENCE ",f=4", NULL,
	  "16=0xe00 | 18" },
	{ "no events need no registers", NHM, "", NULL, "|" },
	{ "counter mask, edge, inversion and any thread are the input's", NHM,
	  "ARITH:MUL,c=3,f=7", NULL, "0=0x3f50214 | 0" },
	{ "unknown flags mean nothing but need a generic counter", NHM,
	  CYCLES ",f=10", NULL, "0=0x51003c | 0" },
	{ "a counter mask of more than 8 bits is invalid", NHM,
	  "ARITH:MUL,c=256", NULL, "INVAL" },
	{ "resetting the occupancy of a core event is invalid", NHM,
	  "ARITH:MUL,f=8", NULL, "INVAL" },
	{ "level 1 of an event is invalid", NHM, CYCLES ",p=2", NULL, "INVAL" },
	{ "low flags of the event mean nothing", NHM, CYCLES ",e=7", NULL,
	  "16=0xa0 | 17" },
	{ "other flags of the event are invalid", NHM, CYCLES ",e=8", NULL,
	  "INVAL" },
	{ "Westmere has events for counter 0", WSM,
	  "ARITH:MUL OFFCORE_REQUESTS_OUTSTANDING:ANY_READ", NULL,
	  "1=0x510214 0=0x510860 | 1 0" },
	{ "two events for counter 0 do not fit", WSM,
	  "OFFCORE_REQUESTS_OUTSTANDING:ANY_READ "
	  "SNOOPQ_REQUESTS_OUTSTANDING:CODE",
	  NULL, "NOASSIGN" },
	{ "an event for counter 0 or 1 makes way for one for counter 0", WSM,
	  "L1D:REPL OFFCORE_REQUESTS_OUTSTANDING:ANY_READ", NULL,
	  "1=0x510151 0=0x510860 | 1 0" },
	{ "Westmere counts loads of the cache with all counters", WSM,
	  "L1D_WB_L2:MESI L1D_WB_L2:MESI L1D_WB_L2:MESI", NULL,
	  "0=0x510f28 1=0x510f28 2=0x510f28 | 0 1 2" },
	{ "mispredicted branches are refused where they are not counted", NHM,
	  "BR_MISP_RETIRED:NEAR_CALL", "absent=0x40", "NOTSUPP" },
	{ "other events are not refused there", NHM, "ARITH:MUL", "absent=0x40",
	  "0=0x510214 | 0" },
	{ "Westmere counts mispredicted branches in any case", WSM,
	  "MISPREDICTED_BRANCH_RETIRED", "absent=0x40", "0=0x5100c5 | 0" },
};

static const struct dispatch_case masks[] = {
	{ "masks of most events do not combine", NHM,
	  "BR_INST_EXEC:COND:DIRECT", NULL, "NOASSIGN" },
	{ "masks combine if a counter mask compares them", NHM,
	  "BR_INST_EXEC:COND:DIRECT,c=1", NULL, "0=0x1510388 | 0" },
	{ "masks that overlap do not combine", NHM,
	  "UOPS_RETIRED:ANY:ACTIVE_CYCLES,c=1", NULL, "NOASSIGN" },
	{ "it is the event's own masks that matter", NHM,
	  "UOPS_RETIRED:ANY UOPS_RETIRED:ANY:ACTIVE_CYCLES,c=1", NULL,
	  "NOASSIGN" },
	{ "it is the event's own counter mask that matters", NHM,
	  "ARITH:MUL,c=1 BR_INST_EXEC:COND:DIRECT", NULL, "NOASSIGN" },
	{ "masks of some events combine", NHM,
	  "RESOURCE_STALLS:LOAD:STORE ILD_STALL:LCP:MRU", NULL,
	  "0=0x510aa2 1=0x510387 | 0 1" },
	{ "masks of that event do not on Westmere", WSM, "ILD_STALL:LCP:MRU",
	  NULL, "NOASSIGN" },
	{ "masks outside the core combine", NHM, "UNC_LLC_MISS:READ:WRITE",
	  "plm=9", "21=0x500309 | 21" },
};

static const struct dispatch_case uncore[] = {
	{ "the uncore has its own counters", NHM,
	  UNCORE " UNC_CLK_UNHALTED " CYCLES, "plm=9",
	  "16=0xb0 20=0x5 21=0x500109 | 21 20 17" },
	{ "eight events and the clock fit", NHM,
	  UNCORE " " UNCORE " " UNCORE " " UNCORE " " UNCORE " " UNCORE
		 " " UNCORE " " UNCORE " UNC_CLK_UNHALTED",
	  "plm=9",
	  "20=0x5 21=0x500109 22=0x500109 23=0x500109 24=0x500109 "
	  "25=0x500109 26=0x500109 27=0x500109 28=0x500109 "
	  "| 21 22 23 24 25 26 27 28 20" },
	{ "a ninth event does not fit", NHM,
	  UNCORE " " UNCORE " " UNCORE " " UNCORE " " UNCORE " " UNCORE
		 " " UNCORE " " UNCORE " " UNCORE,
	  "plm=9", "NOASSIGN" },
	{ "a counter that is not available is passed over", NHM, UNCORE,
	  "plm=9 unavail=21", "22=0x500109 | 22" },
	{ "the clock needs its register", NHM, "UNC_CLK_UNHALTED",
	  "plm=9 unavail=20", "NOASSIGN" },
	{ "the clock can be counted once", NHM,
	  "UNC_CLK_UNHALTED UNC_CLK_UNHALTED", "plm=9", "NOASSIGN" },
	{ "the clock has no options", NHM, "UNC_CLK_UNHALTED,f=2", "plm=9",
	  "NOASSIGN" },
	{ "all levels have to be asked for", NHM, UNCORE, NULL, "NOASSIGN" },
	{ "the event may ask for all levels", NHM, UNCORE ",p=9", NULL,
	  "21=0x500109 | 21" },
	{ "all levels by default are enough", NHM, UNCORE ",p=8", "plm=9",
	  "21=0x500109 | 21" },
	{ "the occupancy can be reset", NHM, UNCORE ",f=8", "plm=9",
	  "21=0x520109 | 21" },
	{ "counter mask, edge and inversion are the input's", NHM,
	  UNCORE ",c=1,f=3", "plm=9", "21=0x1d40109 | 21" },
	{ "any thread is invalid", NHM, UNCORE ",f=4", "plm=9", "INVAL" },
	{ "the fixed part of a unit mask is kept", NHM, "UNC_QHL_TO_QMC_BYPASS",
	  "plm=9", "21=0x500126 | 21" },
	{ "an old name of two events selects the first", NHM,
	  "UNC_GQ_DATA:FROM_QPI:FROM_LLC", "plm=9", "21=0x500504 | 21" },
	{ "an old name of two events selects the second", NHM,
	  "UNC_GQ_DATA:TO_LLC", "plm=9", "21=0x500205 | 21" },
	{ "an old name does not select both events", NHM,
	  "UNC_GQ_DATA:TO_LLC:FROM_QPI", "plm=9", "NOASSIGN" },
	{ "late events of Westmere are outside the core", WSM,
	  "UNC_PROCHOT_ASSERTION UNC_CYCLES_UNHALTED_L3_FLL_ENABLE "
	  "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE",
	  "plm=9", "21=0x500182 22=0x500285 23=0x500186 | 21 22 23" },
};

static const struct dispatch_case offcore[] = {
	{ "masks are in a register of their own", WSM,
	  "OFFCORE_RESPONSE_1:DMND_DATA_RD:NON_DRAM "
	  "OFFCORE_RESPONSE_0:PF_IFETCH:UNCORE_HIT",
	  NULL, "0=0x5101bb 1=0x5101b7 19=0x140 31=0x8001 | 0 1" },
	{ "events with the same masks share the register", WSM,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT "
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT",
	  NULL, "0=0x5101b7 1=0x5101b7 19=0x101 | 0 1" },
	{ "which on Nehalem has counter 2 alone", NHM,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT", NULL,
	  "2=0x5101b7 19=0x101 | 2" },
	{ "so there is one such event", NHM,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT "
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT",
	  NULL, "NOASSIGN" },
	{ "events with other masks do not", NHM,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT "
	  "OFFCORE_RESPONSE_0:DMND_RFO:UNCORE_HIT",
	  NULL, "NOASSIGN" },
	{ "a request is needed", NHM, "OFFCORE_RESPONSE_0:UNCORE_HIT", NULL,
	  "INVAL" },
	{ "a response is needed", NHM, "OFFCORE_RESPONSE_0:DMND_DATA_RD", NULL,
	  "INVAL" },
	{ "the first register has to be available", NHM,
	  "OFFCORE_RESPONSE_0:DMND_DATA_RD:UNCORE_HIT", "unavail=19",
	  "NOASSIGN" },
	{ "the second register has to be available", WSM,
	  "OFFCORE_RESPONSE_1:DMND_DATA_RD:UNCORE_HIT", "unavail=31",
	  "NOASSIGN" },
};

static const struct dispatch_case precise[] = {
	{ "the latency of loads is not supported", NHM, LATENCY, NULL,
	  "NOTSUPP" },
	{ "nor with PEBS and a threshold", NHM, LATENCY, "pebs lat=10",
	  "NOTSUPP" },
	{ "nor beside another mask", NHM, LATENCY ":LOADS,c=1", NULL,
	  "NOTSUPP" },
	{ "nor on Westmere", WSM, LATENCY, NULL, "NOTSUPP" },
	{ "a threshold without a latency means nothing", NHM,
	  "MEM_INST_RETIRED:LOADS", "pebs lat=1", "0=0x51010b 17=0x1 | 0" },
	{ "PEBS needs its register", NHM, "MEM_INST_RETIRED:LOADS",
	  "pebs unavail=17", "NOASSIGN" },
	{ "all counters with precise events are switched on", NHM,
	  "ARITH:MUL MEM_LOAD_RETIRED:L2_HIT UOPS_RETIRED:ANY", "pebs",
	  "0=0x510214 1=0x5102cb 2=0x5101c2 17=0x6 | 0 1 2" },
	{ "instructions are precise on a generic counter only", NHM,
	  INSTRUCTIONS, "pebs", "0=0x5100c0 17=0x1 | 0" },
	{ "cycles stay on their fixed counter", NHM, CYCLES " " INSTRUCTIONS,
	  "pebs", "16=0xa0 0=0x5100c0 17=0x1 | 17 0" },
	{ "PEBS without a precise event changes nothing", NHM, "ARITH:MUL",
	  "pebs unavail=17", "0=0x510214 | 0" },
	{ "Westmere has other precise events", WSM, "BR_MISP_RETIRED:NEAR_CALL",
	  "pebs", "0=0x5102c5 17=0x1 | 0" },
	{ "Nehalem does not have that one", NHM, "BR_MISP_RETIRED:NEAR_CALL",
	  "pebs", "0=0x5102c5 | 0" },
};

static const struct dispatch_case branch_records[] = {
	{ "branch records need no events", NHM, "", "lbr=0", "30=0x1 | 31-63" },
	{ "records follow the counters", NHM, CYCLES, "plm=9 lbr=0",
	  "16=0xb0 30=0x0 | 17 31-63" },
	{ "levels that are not wanted are filtered", NHM, "", "lbr=1",
	  "30=0x2 | 31-63" },
	{ "levels 1 and 2 mean nothing", NHM, "", "lbr=0x7", "30=0x2 | 31-63" },
	{ "the filter is copied", NHM, "", "plm=9 lbr=0 filter=0x1fc",
	  "30=0x1fc | 31-63" },
	{ "other bits of the filter are not", NHM, "",
	  "plm=9 lbr=0 filter=0xffff", "30=0x1fc | 31-63" },
	{ "the register has to be available", NHM, "", "lbr=0 unavail=30",
	  "NOASSIGN" },
};

static const struct dispatch_case nehalem_ex[] = {
	{ "it has seven counters", NHM,
	  INSTRUCTIONS " " CYCLES " " REFERENCE
		       " ARITH:MUL ARITH:MUL ARITH:MUL ARITH:MUL ARITH:MUL",
	  "model=46", "NOASSIGN" },
	{ "other models do not know its precise masks", NHM,
	  "MEM_UNCORE_RETIRED:REMOTE_DRAM", "pebs model=30",
	  "0=0x51100f 17=0x1 | 0" },
};

int main(void)
{
	return DISPATCH_RUN(counters) + DISPATCH_RUN(masks) +
	       DISPATCH_RUN(uncore) + DISPATCH_RUN(offcore) +
	       DISPATCH_RUN(precise) + DISPATCH_RUN(branch_records) +
	       DISPATCH_RUN(nehalem_ex);
}
