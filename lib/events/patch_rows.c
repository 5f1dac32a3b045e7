// SPDX-License-Identifier: MIT
/*
 * The rows of the changes to libpfm4's tables, see patch_rows.h.
 */
#include "patch_rows.h"

#include <stddef.h>

#include "tables.h"

#define FAM10H (PFMLIB_PATCH_FAM10H_BC | PFMLIB_PATCH_FAM10H_DE)
/* Models whose reference cycles have a pseudo code in libpfm4. */
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
#define MASK_OPTIONAL(which, name)                                        \
	{                                                                 \
		.models = which, .kind = SET_MASK_OPTIONAL, .event = name \
	}

/* Numbers mean what they meant before libpfm4 added this mask, whose code is 0. */
#define EXCL_PREFETCH(name)                                            \
	{                                                              \
		.models = PFMLIB_PATCH_CORE, .kind = SET_MASK_BY_NAME, \
		.event = name, .mask = "EXCL_PREFETCH"                 \
	}

/* Bus events: which agents count. */
#define AGENTS(models, event)                                           \
	{ models,	ADD_MASK, event,                                \
	  "THIS_AGENT", 0x0,	  "What this agent (processor) does" }, \
	{                                                               \
		models, ADD_MASK, event, "ALL_AGENTS", 0x20,            \
			"What any agent on the bus does"                \
	}

/*
 * Names of libpfm 3.10, for which libpfm4 has LOCAL_DRAM_AND_REMOTE_CACHE_HIT and
 * OTHER_LLC_MISS.  The event file westmereep-dp of Linux 6.12 calls the second
 * OTHER_LOCAL_DRAM.
 */
#define DRAM_NAMES(event)                                                   \
	{ PFMLIB_PATCH_WSM_DP,                                              \
	  ADD_MASK,                                                         \
	  event,                                                            \
	  "REMOTE_CACHE_FWD",                                               \
	  0x1000,                                                           \
	  "Response: local memory, or a remote cache that forwards" },      \
	{                                                                   \
		PFMLIB_PATCH_WSM_DP, ADD_MASK, event, "LOCAL_DRAM", 0x4000, \
			"Response: other accesses to local memory"          \
	}

#define COREDUO PFMLIB_PATCH_COREDUO
#define ATOM PFMLIB_PATCH_ATOM

const struct pfmlib_patch pfmlib_patches[] = {
	{ PFMLIB_PATCH_PM, ADD_MASK, "EMON_SSE_SSE2_COMP_INST_RETIRED",
	  "SSE_PACKED_SINGLE", 0x0,
	  "Packed and scalar single-precision instructions of SSE" },

	{ COREDUO, ADD_EVENT, "EST_TRANS_ALL", NULL, 0x3a,
	  "Transitions of Enhanced SpeedStep, of frequency and voltage" },
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
	{ FAM10H, ADD_EVENT, "IBSOP_EVENT", NULL, 0xff,
	  "Instruction-based sampling of executed operations" },
	{ FAM10H, ADD_MASK, "IBSOP_EVENT", "CYCLES", 0x1,
	  "The period counts clock cycles" },
	{ FAM10H, ADD_MASK, "IBSOP_EVENT", "UOPS", 0x2,
	  "The period counts dispatched micro-operations" },
	{ FAM10H, ADD_EVENT, "IBSFETCH_EVENT", NULL, 0xff,
	  "Instruction-based sampling of instruction fetches" },
	{ FAM10H, ADD_MASK, "IBSFETCH_EVENT", "RANDOM", 0x1,
	  "The low bits of the period are random" },
	{ FAM10H, ADD_MASK, "IBSFETCH_EVENT", "NO_RANDOM", 0x0,
	  "The period is constant" },
#define L3_READS "NON_CANCELLED_L3_READ_REQUESTS"
	{ PFMLIB_PATCH_FAM10H_BC, ADD_EVENT, L3_READS, NULL, 0x4ed,
	  "Read requests to the L3 cache that were not cancelled" },
	{ PFMLIB_PATCH_FAM10H_BC, ADD_MASK, L3_READS, "READ_BLOCK_EXCLUSIVE",
	  0x1, "Requests for an exclusive block (data cache reads)" },
	{ PFMLIB_PATCH_FAM10H_BC, ADD_MASK, L3_READS, "READ_BLOCK_SHARED", 0x2,
	  "Requests for a shared block (instruction cache reads)" },
	{ PFMLIB_PATCH_FAM10H_BC, ADD_MASK, L3_READS, "READ_BLOCK_MODIFY", 0x4,
	  "Requests for a block that will be modified" },
	{ PFMLIB_PATCH_FAM10H_BC, ADD_MASK, L3_READS, "ANY_READ", 0x7,
	  "All three kinds of requests" },
	{ PFMLIB_PATCH_FAM10H_BC, ADD_MASK, L3_READS, "ALL_CORES", 0xf0,
	  "Requests of all cores" },

	EVENT_CODE(FIXED_REFERENCE, "UNHALTED_REFERENCE_CYCLES", 0x13c),
	{ PFMLIB_PATCH_CORE, ADD_SECOND_MASK, "CPU_CLK_UNHALTED", "REF", 0x1,
	  "Cycles of the reference clock while the core is not halted" },

	EXCL_PREFETCH("L2_LINES_IN"),
	EXCL_PREFETCH("L2_LINES_OUT"),
	EXCL_PREFETCH("L2_M_LINES_OUT"),
	EXCL_PREFETCH("L2_LD"),
	EXCL_PREFETCH("L2_RQSTS"),
	EXCL_PREFETCH("L2_REJECT_BUSQ"),

	/* By Intel's event file, bonnell of Linux 6.12, and libpfm 3.10. */
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
	 * The precise events, by Intel's event files, nehalemep, nehalemex and
	 * westmereep-* of Linux 6.12, and libpfm 3.10; 0 is the architectural one.
	 */
	MASK_CODE(PFMLIB_PATCH_NHM, "BR_INST_RETIRED", "ALL_BRANCHES", 0x4),
	MASK_CODE(PFMLIB_PATCH_WSM, "BR_MISP_RETIRED", "ALL_BRANCHES", 0x4),

	{ PFMLIB_PATCH_NHM, ADD_EVENT, "HW_INT", NULL, 0x1d,
	  "Hardware interrupts" },
	{ PFMLIB_PATCH_NHM, ADD_MASK, "HW_INT", "RCV", 0x1,
	  "Interrupts received" },
	{ PFMLIB_PATCH_NHM, ADD_MASK, "HW_INT", "CYCLES_MASKED", 0x2,
	  "Cycles with interrupts masked" },
	{ PFMLIB_PATCH_NHM, ADD_MASK, "HW_INT", "CYCLES_PENDING_AND_MASKED",
	  0x4, "Cycles with interrupts masked and one pending" },

	EVENT_CODE(PFMLIB_PATCH_UNCORE, "UNC_CLK_UNHALTED", 0x00),
	EVENT_CODE(PFMLIB_PATCH_UNCORE, "UNC_QHL_TO_QMC_BYPASS", 0x126),
	/* The dispatcher selects event 5 for the masks called TO_*. */
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_EVENT, "UNC_GQ_DATA", NULL, 0x4,
	  "Cycles in which the data port of the global queue is used" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "FROM_QPI", 0x1,
	  "Data comes from QuickPath" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "FROM_QMC", 0x2,
	  "Data comes from the memory controller" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "FROM_LLC", 0x4,
	  "Data comes from the last level cache" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "FROM_CORES_02",
	  0x8, "Data comes from core 0 or 2" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "FROM_CORES_13",
	  0x10, "Data comes from core 1 or 3" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "TO_QPI_QMC", 0x1,
	  "Data goes to QuickPath or the memory controller" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "TO_LLC", 0x2,
	  "Data goes to the last level cache" },
	{ PFMLIB_PATCH_NHM_UNCORE, ADD_MASK, "UNC_GQ_DATA", "TO_CORES", 0x4,
	  "Data goes to a core" },

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
	/* The end. */
	{ .models = 0 },
};
