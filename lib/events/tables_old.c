// SPDX-License-Identifier: MIT
/*
 * The events of designs before the P6, of the VIA C3 and of the time-stamp counter, and
 * their load function, called by pfmlib_init.c.  A row has the code, the counters that
 * can count it (bit n: PMD n), the name and the description.
 */
#include "tables.h"

#define EVENT(event_code, on, event_name, text)                       \
	{                                                             \
		.name = event_name, .desc = text, .code = event_code, \
		.counters = on                                        \
	}

/* Intel P5, and Cyrix since the 6x86MX with the same codes. */
static const struct pfmlib_event_desc p5[] = {
	EVENT(0x00, 3, "DATA_READ",
	      "Reads of data, also those that hit the cache"),
	EVENT(0x01, 3, "DATA_WRITE",
	      "Writes of data, also those that hit the cache"),
	EVENT(0x02, 3, "DATA_TLB_MISS",
	      "Accesses to data whose translation was not in the data TLB"),
	EVENT(0x03, 3, "DATA_READ_MISS",
	      "Reads of data that missed the data cache"),
	EVENT(0x04, 3, "DATA_WRITE_MISS",
	      "Writes of data that missed the data cache"),
	EVENT(0x05, 3, "WRITE_HIT_TO_M_OR_E_STATE_LINES",
	      "Writes that hit a modified or exclusive line of the data cache"),
	EVENT(0x06, 3, "DATA_CACHE_LINES_WRITTEN_BACK",
	      "Modified lines of the data cache written to memory"),
	EVENT(0x07, 3, "EXTERNAL_SNOOPS",
	      "Snoops of the caches by other bus agents"),
	EVENT(0x08, 3, "EXTERNAL_DATA_CACHE_SNOOP_HITS",
	      "Snoops by other bus agents that hit a valid line of the data cache"),
	EVENT(0x09, 3, "MEMORY_ACCESSES_IN_BOTH_PIPES",
	      "Accesses to memory that both pipes made in the same clock"),
	EVENT(0x0a, 3, "BANK_CONFLICTS",
	      "Accesses of both pipes that conflicted in a bank of the data cache"),
	EVENT(0x0b, 3, "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES",
	      "Misaligned accesses to data in memory or to I/O ports"),
	EVENT(0x0c, 3, "CODE_READ",
	      "Fetches of code, also those that hit the cache"),
	EVENT(0x0d, 3, "CODE_TLB_MISS",
	      "Fetches of code whose translation was not in the code TLB"),
	EVENT(0x0e, 3, "CODE_CACHE_MISS",
	      "Fetches of code that missed the code cache"),
	EVENT(0x0f, 3, "ANY_SEGMENT_REGISTER_LOADED",
	      "Loads of segment registers, in real mode too"),
	EVENT(0x12, 3, "BRANCHES",
	      "Branches, taken or not: jumps, calls, returns, interrupts"),
	EVENT(0x13, 3, "BTB_HITS",
	      "Branches found in the branch target buffer"),
	EVENT(0x14, 3, "TAKEN_BRANCH_OR_BTB_HIT",
	      "Branches that were taken or found in the branch target buffer"),
	EVENT(0x15, 3, "PIPELINE_FLUSHES",
	      "Flushes of the pipeline: mispredicted branches, exceptions, interrupts"),
	EVENT(0x16, 3, "INSTRUCTIONS_EXECUTED",
	      "Instructions executed in either pipe"),
	EVENT(0x17, 3, "INSTRUCTIONS_EXECUTED_V_PIPE",
	      "Instructions executed in the V pipe, hence pairs of instructions"),
	EVENT(0x18, 3, "BUS_CYCLE_DURATION",
	      "Clocks during which a bus cycle is in progress"),
	EVENT(0x19, 3, "WRITE_BUFFER_FULL_STALL_DURATION",
	      "Clocks during which a write waits for room in the write buffers"),
	EVENT(0x1a, 3, "WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION",
	      "Clocks during which the pipeline waits for data from memory"),
	EVENT(0x1b, 3, "STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE",
	      "Stalls of a write to an exclusive or modified line while a buffered write waits"),
	EVENT(0x1c, 3, "LOCKED_BUS_CYCLE",
	      "Locked bus cycles: locked instructions, updates of page tables and descriptors"),
	EVENT(0x1d, 3, "IO_READ_OR_WRITE_CYCLE",
	      "Bus cycles that read or write I/O ports"),
	EVENT(0x1e, 3, "NONCACHEABLE_MEMORY_READS",
	      "Reads of code or data that cannot be cached"),
	EVENT(0x1f, 3, "PIPELINE_AGI_STALLS",
	      "Clocks lost because an address depended on the instruction before"),
	EVENT(0x22, 3, "FLOPS", "Floating-point operations"),
	EVENT(0x23, 3, "BREAKPOINT_MATCH_ON_DR0_REGISTER",
	      "Matches of the breakpoint in register DR0, enabled or not"),
	EVENT(0x24, 3, "BREAKPOINT_MATCH_ON_DR1_REGISTER",
	      "Matches of the breakpoint in register DR1, enabled or not"),
	EVENT(0x25, 3, "BREAKPOINT_MATCH_ON_DR2_REGISTER",
	      "Matches of the breakpoint in register DR2, enabled or not"),
	EVENT(0x26, 3, "BREAKPOINT_MATCH_ON_DR3_REGISTER",
	      "Matches of the breakpoint in register DR3, enabled or not"),
	EVENT(0x27, 3, "HARDWARE_INTERRUPTS",
	      "Interrupts taken by the INTR and NMI pins"),
	EVENT(0x28, 3, "DATA_READ_OR_WRITE", "Reads and writes of data"),
	EVENT(0x29, 3, "DATA_READ_MISS_OR_WRITE_MISS",
	      "Reads and writes of data that missed the data cache"),
};

/*
 * Intel P5 MMX and Cyrix since the 6x86MX: the same code may mean different events on the
 * two counters.
 */
static const struct pfmlib_event_desc p5mmx_and_mii[] = {
	EVENT(0x2b, 1, "MMX_INSTRUCTIONS_EXECUTED_U_PIPE",
	      "MMX instructions executed in the U pipe"),
	EVENT(0x2b, 2, "MMX_INSTRUCTIONS_EXECUTED_V_PIPE",
	      "MMX instructions executed in the V pipe"),
	EVENT(0x2d, 1, "EMMS_INSTRUCTIONS_EXECUTED",
	      "EMMS instructions executed"),
	EVENT(0x2d, 2, "TRANSITIONS_BETWEEN_MMX_AND_FP_INSTRUCTIONS",
	      "Changes from MMX to floating-point instructions or back"),
	EVENT(0x2f, 1, "SATURATING_MMX_INSTRUCTIONS_EXECUTED",
	      "MMX instructions with saturating arithmetic executed"),
	EVENT(0x2f, 2, "SATURATIONS_PERFORMED",
	      "MMX instructions that saturated at least one result"),
	EVENT(0x31, 1, "MMX_INSTRUCTION_DATA_READS",
	      "Reads of data by MMX instructions"),
	EVENT(0x32, 2, "TAKEN_BRANCHES", "Branches that were taken"),
	EVENT(0x37, 1, "MISPREDICTED_OR_UNPREDICTED_RETURNS",
	      "Returns whose target was predicted wrongly or not at all"),
	EVENT(0x37, 2, "PREDICTED_RETURNS",
	      "Returns whose target was predicted"),
	EVENT(0x38, 1, "MMX_MULTIPLY_UNIT_INTERLOCK",
	      "Clocks during which an MMX instruction waits for the multiplier"),
	EVENT(0x38, 2, "MOVD_MOVQ_STORE_STALL_DUE_TO_PREVIOUS_MMX_OPERATION",
	      "Clocks during which a MOVD or MOVQ store waits for the MMX operation before"),
	EVENT(0x39, 1, "RETURNS", "Return instructions executed"),
	EVENT(0x3a, 1, "BTB_FALSE_ENTRIES",
	      "Entries of the branch target buffer that belong to no branch"),
	EVENT(0x3a, 2, "BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH",
	      "Branches that were predicted taken and were not"),
	EVENT(0x3b, 1,
	      "FULL_WRITE_BUFFER_STALL_DURATION_WHILE_EXECUTING_MMX_INSTRUCTIONS",
	      "Clocks during which a write of an MMX instruction waits for room in the write buffers"),
	EVENT(0x3b, 2, "STALL_ON_MMX_INSTRUCTION_WRITE_TO_E_OR_M_STATE_LINE",
	      "Clocks during which an MMX write to an exclusive or modified line waits"),
};

/* Intel P5 MMX only. */
static const struct pfmlib_event_desc p5mmx[] = {
	EVENT(0x2a, 1, "BUS_OWNERSHIP_LATENCY",
	      "Clocks between the request for the bus and its grant"),
	EVENT(0x2a, 2, "BUS_OWNERSHIP_TRANSFERS",
	      "Times that the bus got another owner"),
	EVENT(0x2c, 1, "CACHE_M_STATE_LINE_SHARING",
	      "Accesses that hit a modified line in another processor's cache"),
	EVENT(0x2c, 2, "CACHE_LINE_SHARING",
	      "Accesses that hit a line in another processor's cache"),
	EVENT(0x2e, 1, "BUS_UTILIZATION_DUE_TO_PROCESSOR_ACTIVITY",
	      "Clocks during which the processor uses the bus"),
	EVENT(0x2e, 2, "WRITES_TO_NONCACHEABLE_MEMORY",
	      "Writes to memory that cannot be cached"),
	EVENT(0x30, 1, "NUMBER_OF_CYCLES_NOT_IN_HALT_STATE",
	      "Clocks during which the processor is not halted"),
	EVENT(0x30, 2, "DATA_CACHE_TLB_MISS_STALL_DURATION",
	      "Clocks during which the pipeline waits after a miss of the data TLB"),
	EVENT(0x31, 2, "MMX_INSTRUCTION_DATA_READ_MISSES",
	      "Reads of data by MMX instructions that missed the data cache"),
	EVENT(0x32, 1, "FLOATING_POINT_STALLS_DURATION",
	      "Clocks during which the pipeline waits for the floating-point unit"),
	EVENT(0x33, 1, "D1_STARVATION_AND_FIFO_IS_EMPTY",
	      "Times that the decoder had nothing to decode and the instruction FIFO was empty"),
	EVENT(0x33, 2, "D1_STARVATION_AND_ONLY_ONE_INSTRUCTION_IN_FIFO",
	      "Times that the decoder had nothing to decode and the FIFO held one instruction"),
	EVENT(0x34, 1, "MMX_INSTRUCTION_DATA_WRITES",
	      "Writes of data by MMX instructions"),
	EVENT(0x34, 2, "MMX_INSTRUCTION_DATA_WRITE_MISSES",
	      "Writes of data by MMX instructions that missed the data cache"),
	EVENT(0x35, 1, "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS",
	      "Flushes of the pipeline because of mispredicted branches"),
	EVENT(0x35, 2,
	      "PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS_RESOLVED_IN_WB_STAGE",
	      "Flushes because of mispredicted branches that were resolved in the write-back stage"),
	EVENT(0x36, 1, "MISALIGNED_DATA_MEMORY_REFERENCE_ON_MMX_INSTRUCTIONS",
	      "Misaligned accesses to data by MMX instructions"),
	EVENT(0x36, 2, "PIPELINE_ISTALL_FOR_MMX_INSTRUCTION_DATA_MEMORY_READS",
	      "Clocks during which the pipeline waits for data that an MMX instruction reads"),
};

/* Cyrix only; the seventh bit of codes from 0x400 on is bit 10 of the CESR. */
static const struct pfmlib_event_desc mii[] = {
	EVENT(0x39, 2, "RSB_OVERFLOWS",
	      "Calls for which the return stack buffer had no room"),
	EVENT(0x400, 3, "L2_TLB_MISSES",
	      "Translations that the second level TLB did not have"),
	EVENT(0x401, 3, "L1_TLB_DATA_MISS",
	      "Accesses to data whose translation the first level TLB did not have"),
	EVENT(0x402, 3, "L1_TLB_CODE_MISS",
	      "Fetches of code whose translation the first level TLB did not have"),
	EVENT(0x403, 3, "L1_TLB_MISS",
	      "Translations that the first level TLB did not have"),
	EVENT(0x404, 3, "TLB_FLUSHES", "Flushes of the whole TLB"),
	EVENT(0x405, 3, "TLB_PAGE_INVALIDATES",
	      "Invalidations of a page in the TLB"),
	EVENT(0x406, 3, "TLB_PAGE_INVALIDATES_THAT_HIT",
	      "Invalidations of a page that the TLB had"),
	EVENT(0x408, 3, "INSTRUCTIONS_DECODED", "Instructions decoded"),
};

/* Centaur WinChip C6. */
static const struct pfmlib_event_desc wcc6[] = {
	EVENT(0x00, 3, "INTERNAL_CLOCKS", "Clocks of the processor core"),
	EVENT(0x01, 3, "VALID_CYCLES_REACHING_WRITEBACKS",
	      "Clocks in which something valid reaches the write-back stage"),
	EVENT(0x02, 3, "X86_INSTRUCTIONS", "Instructions executed"),
	EVENT(0x47, 3, "DATA_READ_CACHE_MISSES",
	      "Reads of data that missed the data cache"),
	EVENT(0x4a, 3, "DATA_WRITE_CACHE_MISSES",
	      "Writes of data that missed the data cache"),
	EVENT(0x63, 3, "INSTRUCTION_FETCH_CACHE_MISSES",
	      "Fetches of code that missed the code cache"),
};

/* Centaur WinChip 2 and 3. */
static const struct pfmlib_event_desc wc2[] = {
	EVENT(0x00, 3, "DATA_READ", "Reads of data"),
	EVENT(0x01, 3, "DATA_WRITE", "Writes of data"),
	EVENT(0x02, 3, "DATA_TLB_MISS",
	      "Accesses to data whose translation was not in the data TLB"),
	EVENT(0x03, 3, "DATA_READ_CACHE_MISS",
	      "Reads of data that missed the data cache"),
	EVENT(0x04, 3, "DATA_WRITE_CACHE_MISS",
	      "Writes of data that missed the data cache"),
	EVENT(0x06, 3, "DATA_CACHE_WRITEBACKS",
	      "Modified lines of the data cache written to memory"),
	EVENT(0x08, 3, "DATA_CACHE_SNOOP_HITS",
	      "Snoops by other bus agents that hit the data cache"),
	EVENT(0x09, 3, "PUSH_PUSH_POP_POP_PAIRING",
	      "Pairs of pushes or of pops executed together"),
	EVENT(0x0b, 3, "MISALIGNED_DATA_MEMORY_NOT_IO",
	      "Misaligned accesses to data in memory, not to I/O ports"),
	EVENT(0x0c, 3, "CODE_READ", "Fetches of code"),
	EVENT(0x0d, 3, "CODE_TLB_MISS",
	      "Fetches of code whose translation was not in the code TLB"),
	EVENT(0x0e, 3, "INSTRUCTION_FETCH_CACHE_MISS",
	      "Fetches of code that missed the code cache"),
	EVENT(0x13, 3, "BHT_HITS",
	      "Branches predicted correctly by the branch history table"),
	EVENT(0x14, 3, "BHT_CANDIDATE",
	      "Branches that the branch history table may predict"),
	EVENT(0x16, 3, "INSTRUCTIONS_EXECUTED", "Instructions executed"),
	EVENT(0x17, 3, "INSTRUCTIONS_IN_PIPE_2",
	      "Instructions executed in the second pipe, hence pairs"),
	EVENT(0x18, 3, "BUS_UTILIZATION",
	      "Clocks during which the bus is in use"),
	EVENT(0x1d, 3, "IO_READ_OR_WRITE_CYCLE",
	      "Bus cycles that read or write I/O ports"),
	EVENT(0x28, 3, "DATA_READ_OR_DATA_WRITE", "Reads and writes of data"),
	EVENT(0x2b, 1, "MMX_INSTRUCTIONS_U_PIPE",
	      "MMX instructions executed in the U pipe"),
	EVENT(0x2b, 2, "MMX_INSTRUCTIONS_V_PIPE",
	      "MMX instructions executed in the V pipe"),
	EVENT(0x37, 1, "RETURNS_PREDICTED_INCORRECTLY",
	      "Returns whose target was predicted wrongly"),
	EVENT(0x37, 2, "RETURNS_PREDICTED_CORRECTLY",
	      "Returns whose target was predicted correctly"),
	EVENT(0x3f, 3, "INTERNAL_CLOCKS", "Clocks of the processor core"),
};

/* VIA C3: its counter 0 is the time-stamp counter. */
static const struct pfmlib_event_desc vc3[] = {
	EVENT(0x79, 2, "INTERNAL_CLOCKS", "Clocks of the processor core"),
	EVENT(0xc0, 2, "INSTRUCTIONS_EXECUTED", "Instructions executed"),
	EVENT(0x1c0, 2, "INSTRUCTIONS_EXECUTED_AND_STRING_ITERATIONS",
	      "Instructions executed, each iteration of a string instruction counted"),
};

/* With this bit in its half of the CESR, a counter counts clocks. */
static const struct pfmlib_event_desc clocks[] = {
	EVENT(0x100, 3, "CLOCKS", "Clocks of the processor"),
};

/* The time-stamp counter counts no events; it has this single name. */
static const struct pfmlib_event_desc tsc[] = {
	{ .name = "TSC", .desc = "Ticks of the time-stamp counter" },
};

#define TABLE(array)                     \
	{                                \
		array, ARRAY_SIZE(array) \
	}

/* A model has the events of all of its tables. */
static const struct old_model {
	int type;
	const char *cycles;
	const char *instructions;
	struct {
		const struct pfmlib_event_desc *events;
		unsigned int num_events;
	} tables[4];
} models[] = {
	{ PFMLIB_INTEL_P5_PMU,
	  "CLOCKS",
	  "INSTRUCTIONS_EXECUTED",
	  { TABLE(p5), TABLE(clocks) } },
	{ PFMLIB_INTEL_P5MMX_PMU,
	  "CLOCKS",
	  "INSTRUCTIONS_EXECUTED",
	  { TABLE(p5), TABLE(p5mmx_and_mii), TABLE(p5mmx), TABLE(clocks) } },
	{ PFMLIB_CYRIX_MII_PMU,
	  "CLOCKS",
	  "INSTRUCTIONS_EXECUTED",
	  { TABLE(p5), TABLE(p5mmx_and_mii), TABLE(mii), TABLE(clocks) } },
	{ PFMLIB_WINCHIP_C6_PMU,
	  "INTERNAL_CLOCKS",
	  "X86_INSTRUCTIONS",
	  { TABLE(wcc6) } },
	{ PFMLIB_WINCHIP_2_PMU,
	  "INTERNAL_CLOCKS",
	  "INSTRUCTIONS_EXECUTED",
	  { TABLE(wc2) } },
	{ PFMLIB_VIA_C3_PMU,
	  "INTERNAL_CLOCKS",
	  "INSTRUCTIONS_EXECUTED",
	  { TABLE(vc3) } },
	{ PFMLIB_TSC_PMU, "TSC", NULL, { TABLE(tsc) } },
};

int pfmlib_load_old(struct pfmlib_pmu *pmu)
{
	const struct old_model *model = models;
	struct pfmlib_table table = { 0 };

	while (model->type != pmu->model->type)
		model++;
	for (size_t i = 0; i < ARRAY_SIZE(model->tables); i++)
		pfmlib_table_add(&table, model->tables[i].events,
				 model->tables[i].num_events);
	pmu->cycle_event = model->cycles;
	pmu->inst_event = model->instructions;
	return pfmlib_table_finish(&table, pmu);
}
