// SPDX-License-Identifier: MIT
/*
 * The rows of the changes to libpfm4's tables, see patch_rows.h.
 */
#include "patch_rows.h"

#include <stddef.h>

#include "eventfiles/eventfiles.h"
#include "tables.h"

#define FAM10H (PFMLIB_PATCH_FAM10H_BC | PFMLIB_PATCH_FAM10H_DE)
/* Models for which libpfm4 has reference cycles under a pseudo code. */
#define FIXED_REFERENCE                                             \
	(PFMLIB_PATCH_CORE | PFMLIB_PATCH_ATOM | PFMLIB_PATCH_NHM | \
	 PFMLIB_PATCH_WSM)

#define EVENT_CODE(which, name, number)                                 \
	{                                                               \
		.models = which, .kind = SET_EVENT_CODE, .event = name, \
		.code = number                                          \
	}
#define MASK_CODE(which, name, mask_name, number)                      \
	{                                                              \
		.models = which, .kind = SET_MASK_CODE, .event = name, \
		.mask = mask_name, .code = number                      \
	}
#define NEW_EVENT(which, name, number, text)                       \
	{                                                          \
		.models = which, .kind = ADD_EVENT, .event = name, \
		.code = number, .desc = text                       \
	}
#define NEW_MASK(which, name, mask_name, number, text)            \
	{                                                         \
		.models = which, .kind = ADD_MASK, .event = name, \
		.mask = mask_name, .code = number, .desc = text   \
	}
#define MASK_OPTIONAL(which, name)                                        \
	{                                                                 \
		.models = which, .kind = SET_MASK_OPTIONAL, .event = name \
	}

/* A mask with code 0, which libpfm4 has added: numbers keep their former meaning. */
#define EXCL_PREFETCH(name)                                            \
	{                                                              \
		.models = PFMLIB_PATCH_CORE, .kind = SET_MASK_BY_NAME, \
		.event = name, .mask = "EXCL_PREFETCH"                 \
	}

/* Bus events: the agents to count. */
#define AGENTS(models, event)                               \
	NEW_MASK(models, event, "THIS_AGENT", 0x0,          \
		 "What this agent (processor) does"),       \
		NEW_MASK(models, event, "ALL_AGENTS", 0x20, \
			 "What any agent on the bus does")

/*
 * Names of libpfm 3.10, for which libpfm4 has LOCAL_DRAM_AND_REMOTE_CACHE_HIT and
 * OTHER_LLC_MISS.  The event file westmereep-dp of Linux 6.12 calls the second
 * OTHER_LOCAL_DRAM.
 */
#define DRAM_NAMES(event)                                                    \
	NEW_MASK(PFMLIB_PATCH_WSM_DP, event, "REMOTE_CACHE_FWD", 0x1000,     \
		 "Response: local memory, or a remote cache that forwards"), \
		NEW_MASK(PFMLIB_PATCH_WSM_DP, event, "LOCAL_DRAM", 0x4000,   \
			 "Response: other accesses to local memory")

/* Rows of event files: event, mask, select, unit mask, counter mask, ... */
#define ROW(...) (&(const struct pfmlib_file_row){ __VA_ARGS__ })
/* The event without a unit mask. */
#define DEFAULT(which, name, select, umask, flags, counters)          \
	{                                                             \
		.models = which, .kind = SET_DEFAULT, .event = name,  \
		.row = ROW(name, NULL, select, umask, 0, flags, NONE, \
			   counters, 0)                               \
	}
#define ROW_MASK(which, name, mask_name, text, ...)               \
	{                                                         \
		.models = which, .kind = ADD_MASK, .event = name, \
		.mask = mask_name, .desc = text,                  \
		.row = ROW(name, mask_name, __VA_ARGS__)          \
	}
#define FILE_MASK(which, name, mask_name, select, umask, cmask, flags,      \
		  counters, text)                                           \
	ROW_MASK(which, name, mask_name, text, select, umask, cmask, flags, \
		 NONE, counters, 0)
#define DROP(which, what, name, mask_name)                           \
	{                                                            \
		.models = which, .kind = DROP_##what, .event = name, \
		.mask = mask_name                                    \
	}
#define PRECISE(which, name, mask_name)                                   \
	{                                                                 \
		.models = which, .kind = SET_MASK_PRECISE, .event = name, \
		.mask = mask_name                                         \
	}

/* Sapphire Rapids has persistent memory; Emerald Rapids does not. */
#define PMM_MASK(name, mask_name, extra, select, number, text)                \
	ROW_MASK(PFMLIB_PATCH_SPR, name, mask_name, text, select, 0x01, 0, 0, \
		 extra, FOUR, number)
#define NO_PMM(name, mask_name) DROP(PFMLIB_PATCH_EMR, MASK, name, mask_name)
#define PMM_MASKS(name, extra, select)                                         \
	PMM_MASK(                                                              \
		name, "DEMAND_DATA_RD_LOCAL_SOCKET_PMM", extra, select,        \
		0x700c00001,                                                   \
		"Demand reads of data, from this socket's persistent memory"), \
		PMM_MASK(name, "DEMAND_DATA_RD_PMM", extra, select,            \
			 0x703c00001,                                          \
			 "Demand reads of data, from persistent memory"),      \
		NO_PMM(name, "DEMAND_DATA_RD_LOCAL_SOCKET_PMM"),               \
		NO_PMM(name, "DEMAND_DATA_RD_PMM"),                            \
		NO_PMM(name, "DEMAND_DATA_RD_REMOTE_PMM"),                     \
		NO_PMM(name, "READS_TO_CORE_LOCAL_SOCKET_PMM"),                \
		NO_PMM(name, "READS_TO_CORE_REMOTE_PMM")

#define COREDUO PFMLIB_PATCH_COREDUO
#define ATOM PFMLIB_PATCH_ATOM
#define SPR (PFMLIB_PATCH_SPR | PFMLIB_PATCH_EMR)
#define ICL_SPR (PFMLIB_PATCH_ICL | SPR)
#define FOUR 0xf /* generic counters */
#define EIGHT 0xff

const struct pfmlib_patch pfmlib_patches[] = {
	NEW_MASK(PFMLIB_PATCH_PM, "EMON_SSE_SSE2_COMP_INST_RETIRED",
		 "SSE_PACKED_SINGLE", 0x0,
		 "Packed and scalar single-precision instructions of SSE"),

	NEW_EVENT(COREDUO, "EST_TRANS_ALL", 0x3a,
		  "Transitions of Enhanced SpeedStep, of frequency and voltage"),
	AGENTS(COREDUO, "BUS_REQ_OUTSTANDING"),
	AGENTS(COREDUO, "BUS_TRANS_RFO"),
	AGENTS(COREDUO, "BUS_TRANS_IFETCH"),
	AGENTS(COREDUO, "BUS_TRANS_INVAL"),
	AGENTS(COREDUO, "BUS_TRANS_PWR"),
	AGENTS(COREDUO, "BUS_TRANS_P"),
	AGENTS(COREDUO, "BUS_TRANS_IO"),
	AGENTS(COREDUO, "BUS_SNOOPS"),

	MASK_OPTIONAL(PFMLIB_PATCH_P4, "B2B_CYCLES"),
	MASK_OPTIONAL(PFMLIB_PATCH_P4, "BNR"),
	MASK_OPTIONAL(PFMLIB_PATCH_P4, "SNOOP"),
	MASK_OPTIONAL(PFMLIB_PATCH_P4, "RESPONSE"),

	MASK_CODE(FAM10H, "HYPERTRANSPORT_LINK0", "ALL", 0xbf),
	MASK_CODE(FAM10H, "HYPERTRANSPORT_LINK1", "ALL", 0xbf),
	MASK_CODE(FAM10H, "HYPERTRANSPORT_LINK2", "ALL", 0xbf),
	MASK_CODE(FAM10H, "HYPERTRANSPORT_LINK3", "ALL", 0xbf),
	NEW_EVENT(FAM10H, "IBSOP_EVENT", 0xff,
		  "Instruction-based sampling of executed operations"),
	NEW_MASK(FAM10H, "IBSOP_EVENT", "CYCLES", 0x1,
		 "The period counts clock cycles"),
	NEW_MASK(FAM10H, "IBSOP_EVENT", "UOPS", 0x2,
		 "The period counts dispatched micro-operations"),
	NEW_EVENT(FAM10H, "IBSFETCH_EVENT", 0xff,
		  "Instruction-based sampling of instruction fetches"),
	NEW_MASK(FAM10H, "IBSFETCH_EVENT", "RANDOM", 0x1,
		 "The low bits of the period are random"),
	NEW_MASK(FAM10H, "IBSFETCH_EVENT", "NO_RANDOM", 0x0,
		 "The period is constant"),
#define L3_READS "NON_CANCELLED_L3_READ_REQUESTS"
	NEW_EVENT(PFMLIB_PATCH_FAM10H_BC, L3_READS, 0x4ed,
		  "Read requests to the L3 cache that were not cancelled"),
	NEW_MASK(PFMLIB_PATCH_FAM10H_BC, L3_READS, "READ_BLOCK_EXCLUSIVE", 0x1,
		 "Requests for an exclusive block (data cache reads)"),
	NEW_MASK(PFMLIB_PATCH_FAM10H_BC, L3_READS, "READ_BLOCK_SHARED", 0x2,
		 "Requests for a shared block (instruction cache reads)"),
	NEW_MASK(PFMLIB_PATCH_FAM10H_BC, L3_READS, "READ_BLOCK_MODIFY", 0x4,
		 "Requests for a block that will be modified"),
	NEW_MASK(PFMLIB_PATCH_FAM10H_BC, L3_READS, "ANY_READ", 0x7,
		 "All three kinds of requests"),
	NEW_MASK(PFMLIB_PATCH_FAM10H_BC, L3_READS, "ALL_CORES", 0xf0,
		 "Requests of all cores"),

	EVENT_CODE(FIXED_REFERENCE, "UNHALTED_REFERENCE_CYCLES", 0x13c),
	{ .models = PFMLIB_PATCH_CORE,
	  .kind = ADD_SECOND_MASK,
	  .event = "CPU_CLK_UNHALTED",
	  .mask = "REF",
	  .code = 0x1,
	  .desc = "Cycles of the reference clock while the core is not halted" },

	EXCL_PREFETCH("L2_LINES_IN"),
	EXCL_PREFETCH("L2_LINES_OUT"),
	EXCL_PREFETCH("L2_M_LINES_OUT"),
	EXCL_PREFETCH("L2_LD"),
	EXCL_PREFETCH("L2_RQSTS"),
	EXCL_PREFETCH("L2_REJECT_BUSQ"),

	/* According to Intel's event file bonnell of Linux 6.12, and libpfm 3.10. */
	EVENT_CODE(ATOM, "HW_INT_RCV", 0xc8),
	AGENTS(ATOM, "SNOOP_STALL_DRV"),
	AGENTS(ATOM, "BUS_TRANS_BURST"),
	AGENTS(ATOM, "BUS_TRANS_IO"),
	AGENTS(ATOM, "BUS_TRANS_RFO"),
	AGENTS(ATOM, "BUS_TRANS_MEM"),
	AGENTS(ATOM, "BUS_TRANS_PWR"),
	AGENTS(ATOM, "BUS_TRANS_INVAL"),
	AGENTS(ATOM, "BUS_TRANS_WB"),
	AGENTS(ATOM, "BUS_TRANS_DEF"),
	AGENTS(ATOM, "BUS_TRANS_ANY"),

	/*
	 * The precise events, according to Intel's event files nehalemep, nehalemex and
	 * westmereep-* of Linux 6.12, and libpfm 3.10; 0 is the architectural one.
	 */
	MASK_CODE(PFMLIB_PATCH_NHM, "BR_INST_RETIRED", "ALL_BRANCHES", 0x4),
	MASK_CODE(PFMLIB_PATCH_WSM, "BR_MISP_RETIRED", "ALL_BRANCHES", 0x4),

	NEW_EVENT(PFMLIB_PATCH_NHM, "HW_INT", 0x1d, "Hardware interrupts"),
	NEW_MASK(PFMLIB_PATCH_NHM, "HW_INT", "RCV", 0x1, "Interrupts received"),
	NEW_MASK(PFMLIB_PATCH_NHM, "HW_INT", "CYCLES_MASKED", 0x2,
		 "Cycles with interrupts masked"),
	NEW_MASK(PFMLIB_PATCH_NHM, "HW_INT", "CYCLES_PENDING_AND_MASKED", 0x4,
		 "Cycles with interrupts masked and one pending"),

	EVENT_CODE(PFMLIB_PATCH_UNCORE, "UNC_CLK_UNHALTED", 0x00),
	EVENT_CODE(PFMLIB_PATCH_UNCORE, "UNC_QHL_TO_QMC_BYPASS", 0x126),
	/* For masks named TO_*, the dispatcher selects event 5. */
	NEW_EVENT(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", 0x4,
		  "Cycles in which the data port of the global queue is used"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "FROM_QPI", 0x1,
		 "Data comes from QuickPath"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "FROM_QMC", 0x2,
		 "Data comes from the memory controller"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "FROM_LLC", 0x4,
		 "Data comes from the last level cache"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "FROM_CORES_02", 0x8,
		 "Data comes from core 0 or 2"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "FROM_CORES_13", 0x10,
		 "Data comes from core 1 or 3"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "TO_QPI_QMC", 0x1,
		 "Data goes to QuickPath or the memory controller"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "TO_LLC", 0x2,
		 "Data goes to the last level cache"),
	NEW_MASK(PFMLIB_PATCH_NHM_UNCORE, "UNC_GQ_DATA", "TO_CORES", 0x4,
		 "Data goes to a core"),

	EVENT_CODE(PFMLIB_PATCH_WSM, "BRANCH_INSTRUCTIONS_RETIRED", 0xc4),
	DRAM_NAMES("OFFCORE_RESPONSE_0"),
	DRAM_NAMES("OFFCORE_RESPONSE_1"),
	EVENT_CODE(PFMLIB_PATCH_WSM_UNCORE, "UNC_DRAM_THERMAL_THROTTLED",
		   0x167),
	EVENT_CODE(PFMLIB_PATCH_WSM_UNCORE, "UNC_PROCHOT_ASSERTION", 0x182),
	EVENT_CODE(PFMLIB_PATCH_WSM_UNCORE, "UNC_CYCLES_UNHALTED_L3_FLL_ENABLE",
		   0x285),
	EVENT_CODE(PFMLIB_PATCH_WSM_UNCORE,
		   "UNC_CYCLES_UNHALTED_L3_FLL_DISABLE", 0x186),

	/*
	 * Versions of libpfm4 after 4.13.0 define these differently.  The facts come from
	 * Intel's event files icelake, icelakex, tigerlake, rocketlake, sapphirerapids
	 * and emeraldrapids of Linux 6.12.  An event that can be used without a unit mask
	 * in one of the versions can be used so with both.
	 */
	DEFAULT(ICL_SPR, "BR_INST_RETIRED", 0xc4, 0x00, PFMLIB_FILE_PRECISE,
		EIGHT),
	DEFAULT(ICL_SPR, "BR_MISP_RETIRED", 0xc5, 0x00, PFMLIB_FILE_PRECISE,
		EIGHT),
	/* Ratios in PERF_METRICS, which is not a counter; TOPDOWN has the slots. */
	DROP(ICL_SPR, EVENT, "TOPDOWN_M", NULL),
	/* Not in Intel's files. */
	DROP(SPR, EVENT, "AMX_OPS_RETIRED", NULL),

	DEFAULT(SPR, "ICACHE_DATA", 0x80, 0x04, 0, FOUR),
	FILE_MASK(SPR, "ICACHE_DATA", "STALL_PERIODS", 0x80, 0x04, 1,
		  PFMLIB_FILE_EDGE, FOUR,
		  "Times that code fetches began to wait for the cache"),
	NEW_EVENT(SPR, "IDQ_BUBBLES", 0x9c,
		  "Micro-operations that the front end did not deliver"),
	FILE_MASK(SPR, "IDQ_BUBBLES", "CORE", 0x9c, 0x01, 0, 0, EIGHT,
		  "While the back end did not stall"),
	FILE_MASK(SPR, "IDQ_BUBBLES", "CYCLES_0_UOPS_DELIV_CORE", 0x9c, 0x01, 6,
		  0, EIGHT, "Cycles in which none was delivered"),
	FILE_MASK(SPR, "IDQ_BUBBLES", "CYCLES_FE_WAS_OK", 0x9c, 0x01, 1,
		  PFMLIB_FILE_INV, EIGHT,
		  "Cycles in which as many as possible were delivered"),
	MASK_CODE(SPR, "INST_RETIRED", "ANY", 0x01),
	PRECISE(SPR, "INST_RETIRED", "ANY_P"),
	PRECISE(SPR, "INST_RETIRED", "MACRO_FUSED"),
	PRECISE(SPR, "INST_RETIRED", "NOP"),
	PRECISE(SPR, "INST_RETIRED", "REP_ITERATION"),
	NEW_EVENT(SPR, "L2_TRANS", 0x23, "Accesses to the L2 cache"),
	DEFAULT(SPR, "L2_TRANS", 0x23, 0x40, 0, FOUR),
	FILE_MASK(SPR, "L2_TRANS", "L2_WB", 0x23, 0x40, 0, 0, FOUR,
		  "Writebacks of the L2 cache"),
	PRECISE(SPR, "MEM_LOAD_L3_MISS_RETIRED", "LOCAL_DRAM"),
	PRECISE(SPR, "MEM_LOAD_L3_MISS_RETIRED", "REMOTE_DRAM"),
	PRECISE(SPR, "MEM_LOAD_L3_MISS_RETIRED", "REMOTE_FWD"),
	PRECISE(SPR, "MEM_LOAD_L3_MISS_RETIRED", "REMOTE_HITM"),
	PRECISE(PFMLIB_PATCH_SPR, "MEM_LOAD_L3_MISS_RETIRED", "REMOTE_PMM"),
	NO_PMM("MEM_LOAD_L3_MISS_RETIRED", "REMOTE_PMM"),
	PRECISE(PFMLIB_PATCH_SPR, "MEM_LOAD_RETIRED", "LOCAL_PMM"),
	NO_PMM("MEM_LOAD_RETIRED", "LOCAL_PMM"),
	PMM_MASKS("OCR", OFFCORE, 0x2a),
	PMM_MASKS("OFFCORE_RESPONSE_0", OFFCORE_0, 0x2a),
	PMM_MASKS("OFFCORE_RESPONSE_1", OFFCORE_1, 0x2b),
	FILE_MASK(SPR, "OFFCORE_REQUESTS", "DEMAND_CODE_RD", 0x21, 0x02, 0, 0,
		  FOUR, "Demand reads of code"),
	FILE_MASK(SPR, "OFFCORE_REQUESTS", "DEMAND_RFO", 0x21, 0x04, 0, 0, FOUR,
		  "Demand reads for ownership"),
	FILE_MASK(SPR, "OFFCORE_REQUESTS", "L3_MISS_DEMAND_DATA_RD", 0x21, 0x10,
		  0, 0, FOUR, "Demand reads of data that miss the L3 cache"),
#define OUTSTANDING "OFFCORE_REQUESTS_OUTSTANDING"
	FILE_MASK(SPR, OUTSTANDING, "CYCLES_WITH_DEMAND_CODE_RD", 0x20, 0x02, 1,
		  0, FOUR, "Cycles with a demand read of code"),
	FILE_MASK(SPR, OUTSTANDING, "CYCLES_WITH_DEMAND_DATA_RD", 0x20, 0x01, 1,
		  0, FOUR, "Cycles with a demand read of data"),
	FILE_MASK(SPR, OUTSTANDING, "DEMAND_CODE_RD", 0x20, 0x02, 0, 0, FOUR,
		  "Demand reads of code, added up over the cycles"),
	FILE_MASK(SPR, OUTSTANDING, "DEMAND_DATA_RD", 0x20, 0x01, 0, 0, FOUR,
		  "Demand reads of data, added up over the cycles"),
	FILE_MASK(SPR, OUTSTANDING, "L3_MISS_DEMAND_DATA_RD", 0x20, 0x10, 0, 0,
		  FOUR,
		  "Demand reads of data that miss the L3 cache, added up"),
	NEW_EVENT(SPR, "RS_EMPTY", 0xa5, "The reservation station is empty"),
	FILE_MASK(SPR, "RS_EMPTY", "COUNT", 0xa5, 0x07, 1,
		  PFMLIB_FILE_EDGE | PFMLIB_FILE_INV, EIGHT,
		  "Times that it ceased to be empty"),
	FILE_MASK(SPR, "RS_EMPTY", "CYCLES", 0xa5, 0x07, 0, 0, EIGHT,
		  "Cycles in which it is empty"),
	PRECISE(SPR, "RTM_RETIRED", "ABORTED"),
	DEFAULT(SPR, "SW_PREFETCH_ACCESS", 0x40, 0x0f, 0, FOUR),
	FILE_MASK(SPR, "SW_PREFETCH_ACCESS", "ANY", 0x40, 0x0f, 0, 0, FOUR,
		  "Prefetch instructions of any kind"),
	MASK_CODE(SPR, "TOPDOWN", "BAD_SPEC_SLOTS", 0x04),
	FILE_MASK(SPR, "UOPS_ISSUED", "CYCLES", 0xae, 0x01, 1, 0, EIGHT,
		  "Cycles in which micro-operations were issued"),
	/* The end of the list. */
	{ .models = 0 },
};
