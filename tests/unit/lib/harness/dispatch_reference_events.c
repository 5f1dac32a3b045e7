// SPDX-License-Identifier: GPL-2.0-only
/* The reference: what is documented of single events, as lists of their names. */
#include "dispatch_reference_parts.h"

#include <string.h>

#define NEEDS_0_CORE_DUO "CYCLES_DIV_BUSY FP_COMP_INSTR_RET"
#define NEEDS_1_CORE_DUO "FP_ASSIST MUL DIV"
#define NEEDS_0_CORE                                                 \
	"RS_UOPS_DISPATCHED_CYCLES FP_COMP_OPS_EXE CYCLES_DIV_BUSY " \
	"IDLE_DURING_DIV MEM_LOAD_RETIRED ITLB_MISS_RETIRED"
#define NEEDS_1_CORE "FP_ASSIST MUL DIV DELAYED_BYPASS"
#define NEEDS_0_1_NHM                                                    \
	"CACHE_LOCK_CYCLES L1D L1D_ALL_REF L1D_CACHE_LD L1D_CACHE_LOCK " \
	"L1D_CACHE_LOCK_FB_HIT L1D_CACHE_PREFETCH_LOCK_FB_HIT "          \
	"L1D_CACHE_ST L1D_PREFETCH LOAD_HIT_PRE"
#define NEEDS_0_1_WSM                         \
	"CACHE_LOCK_CYCLES LOAD_HIT_PRE L1D " \
	"L1D_CACHE_PREFETCH_LOCK_FB_HIT L1D_CACHE_LOCK_FB_HIT L1D_PREFETCH"
#define NEEDS_0_WSM "OFFCORE_REQUESTS_OUTSTANDING SNOOPQ_REQUESTS_OUTSTANDING"

#define PRECISE_CORE                                                \
	"BR_INST_RETIRED_MISPRED FP_MMX_TRANS INST_RETIRED:ANY_P "  \
	"X87_OPS_RETIRED:ANY SIMD_INST_RETIRED:ANY "                \
	"MEM_LOAD_RETIRED:L1D_MISS MEM_LOAD_RETIRED:L1D_LINE_MISS " \
	"MEM_LOAD_RETIRED:L2_MISS MEM_LOAD_RETIRED:L2_LINE_MISS "   \
	"MEM_LOAD_RETIRED:DTLB_MISS"
#define PRECISE_ATOM                                       \
	"INSTRUCTIONS_RETIRED INSTRUCTION_RETIRED "        \
	"MISPREDICTED_BRANCH_RETIRED INST_RETIRED:ANY_P "  \
	"BR_INST_RETIRED:MISPRED MEM_LOAD_RETIRED:L2_HIT " \
	"MEM_LOAD_RETIRED:L2_MISS MEM_LOAD_RETIRED:DTLB_MISS"
#define PRECISE_NHM                                                     \
	"INSTRUCTION_RETIRED INSTRUCTIONS_RETIRED ITLB_MISS_RETIRED "   \
	"BR_INST_RETIRED:ALL_BRANCHES BR_INST_RETIRED:CONDITIONAL "     \
	"BR_INST_RETIRED:NEAR_CALL FP_ASSIST:ALL FP_ASSIST:INPUT "      \
	"FP_ASSIST:OUTPUT INST_RETIRED:ANY_P INST_RETIRED:X87 "         \
	"MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD "                     \
	"MEM_INST_RETIRED:LOADS MEM_INST_RETIRED:STORES "               \
	"MEM_LOAD_RETIRED MEM_STORE_RETIRED:DTLB_MISS "                 \
	"MEM_UNCORE_RETIRED:OTHER_CORE_L2_HITM "                        \
	"MEM_UNCORE_RETIRED:REMOTE_CACHE_LOCAL_HOME_HIT "               \
	"MEM_UNCORE_RETIRED:REMOTE_DRAM MEM_UNCORE_RETIRED:LOCAL_DRAM " \
	"SSEX_UOPS_RETIRED UOPS_RETIRED:ANY UOPS_RETIRED:RETIRE_SLOTS " \
	"UOPS_RETIRED:ACTIVE_CYCLES UOPS_RETIRED:STALL_CYCLES "         \
	"UOPS_RETIRED:MACRO_FUSED"
#define PRECISE_WSM                                                  \
	"INSTRUCTION_RETIRED INSTRUCTIONS_RETIRED UOPS_RETIRED "     \
	"BR_MISP_RETIRED INST_RETIRED SSEX_UOPS_RETIRED "            \
	"BR_INST_RETIRED FP_ASSIST MEM_UNCORE_RETIRED "              \
	"MEM_LOAD_RETIRED MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD " \
	"MEM_INST_RETIRED:LOADS MEM_INST_RETIRED:STORES"

bool lists(const char *list, const char *event, const char *mask)
{
	size_t event_length = strlen(event);

	while (*list) {
		size_t length = strcspn(list, " ");

		if (!mask && length == event_length &&
		    !strncmp(list, event, length))
			return true;
		if (mask && length == event_length + 1 + strlen(mask) &&
		    !strncmp(list, event, event_length) &&
		    list[event_length] == ':' &&
		    !strncmp(list + event_length + 1, mask, strlen(mask)))
			return true;
		list += length + strspn(list + length, " ");
	}
	return false;
}

bool is_precise(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	const char *list = is_core(call)     ? PRECISE_CORE :
			   is_atom(call)     ? PRECISE_ATOM :
			   is_westmere(call) ? PRECISE_WSM :
					       PRECISE_NHM;
	unsigned int mask;

	if (!call->pebs || is_core_duo(call) || is_arch(call))
		return false;
	if (lists(list, use->event, NULL))
		return true;
	for (mask = 0; mask < use->num_masks; mask++)
		if (!lists(list, use->event, use->masks[mask]))
			return false;
	return use->num_masks;
}

unsigned int fixed_of(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];

	if (is_core_duo(call))
		return NONE;
	if (lists("INSTRUCTIONS_RETIRED INSTRUCTION_RETIRED", use->event, NULL))
		return 16;
	if (!strcmp(use->event, "UNHALTED_CORE_CYCLES"))
		return 17;
	if (!strcmp(use->event, "UNHALTED_REFERENCE_CYCLES"))
		return 18;
	if (is_core(call) && !strcmp(use->event, "CPU_CLK_UNHALTED") &&
	    use->num_masks == 1 && !strcmp(use->masks[0], "REF"))
		return 18;
	return NONE;
}

bool needs_0(const struct reference_call *call, unsigned int i)
{
	const char *list = is_core_duo(call) ? NEEDS_0_CORE_DUO :
			   is_core(call)     ? NEEDS_0_CORE :
			   is_westmere(call) ? NEEDS_0_WSM :
					       "";

	return lists(list, call->uses[i].event, NULL);
}

bool needs_1(const struct reference_call *call, unsigned int i)
{
	const char *list = is_core_duo(call) ? NEEDS_1_CORE_DUO :
			   is_core(call)     ? NEEDS_1_CORE :
					       "";

	return lists(list, call->uses[i].event, NULL);
}

bool needs_0_or_1(const struct reference_call *call, unsigned int i)
{
	if (!has_uncore(call))
		return false;
	return lists(is_westmere(call) ? NEEDS_0_1_WSM : NEEDS_0_1_NHM,
		     call->uses[i].event, NULL);
}

bool needs_2(const struct reference_call *call, unsigned int i)
{
	return has_uncore(call) && !is_westmere(call) &&
	       !strcmp(call->uses[i].event, "OFFCORE_RESPONSE_0");
}

bool wants_latency(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int mask;

	if (!has_uncore(call) || strcmp(use->event, "MEM_INST_RETIRED"))
		return false;
	for (mask = 0; mask < use->num_masks; mask++)
		if (!strcmp(use->masks[mask], "LATENCY_ABOVE_THRESHOLD"))
			return true;
	return false;
}

bool is_uncore_clock(const struct reference_call *call, unsigned int i)
{
	return has_uncore(call) &&
	       !strcmp(call->uses[i].event, "UNC_CLK_UNHALTED");
}

bool is_reference_cycles(const struct reference_call *call, unsigned int i)
{
	return !is_arch(call) && fixed_of(call, i) == 18;
}

unsigned int offcore_pmc(const struct reference_use *use)
{
	if (!strcmp(use->event, "OFFCORE_RESPONSE_0"))
		return 19;
	return strcmp(use->event, "OFFCORE_RESPONSE_1") ? NONE : 31;
}

unsigned int all_masks(const struct reference_use *use)
{
	unsigned int mask, codes = 0;

	for (mask = 0; mask < use->num_masks; mask++)
		codes |= use->mask_codes[mask];
	return codes;
}
