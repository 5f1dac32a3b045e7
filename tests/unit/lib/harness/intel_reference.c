// SPDX-License-Identifier: GPL-2.0-only
/* A second, slow opinion on dispatch, see intel_reference.h. */
#include "intel_reference.h"

#include <string.h>

#include "pmu/pfmlib_pmu.h"

#define NONE (~0U)

#define NEEDS_0_CORE_DUO "CYCLES_DIV_BUSY FP_COMP_INSTR_RET"
#define NEEDS_1_CORE_DUO "FP_ASSIST MUL DIV"
#define NEEDS_0_CORE                                                 \
	"RS_UOPS_DISPATCHED_CYCLES FP_COMP_OPS_EXE CYCLES_DIV_BUSY " \
	"IDLE_DURING_DIV MEM_LOAD_RETIRED"
#define NEEDS_1_CORE "FP_ASSIST MUL DIV DELAYED_BYPASS"
#define NEEDS_0_1_NHM                                                    \
	"CACHE_LOCK_CYCLES L1D L1D_ALL_REF L1D_CACHE_LD L1D_CACHE_LOCK " \
	"L1D_CACHE_LOCK_FB_HIT L1D_CACHE_PREFETCH_LOCK_FB_HIT "          \
	"L1D_CACHE_ST L1D_PREFETCH LOAD_HIT_PRE"
#define NEEDS_0_1_WSM                         \
	"CACHE_LOCK_CYCLES LOAD_HIT_PRE L1D " \
	"L1D_CACHE_PREFETCH_LOCK_FB_HIT L1D_PREFETCH"
#define NEEDS_0_WSM "OFFCORE_REQUESTS_OUTSTANDING SNOOPQ_REQUESTS_OUTSTANDING"

#define ONE_MASK_ATOM                                                      \
	"ICACHE UOPS_RETIRED SIMD_SAT_UOP_EXEC L1D_CACHE MUL DIV "         \
	"SIMD_UOP_TYPE_EXEC SIMD_UOPS_EXEC MACRO_INSTS CYCLES_INT_MASKED " \
	"FP_ASSIST DATA_TLB_MISSES CPU_CLK_UNHALTED X87_COMP_OPS_EXE "     \
	"PAGE_WALKS"
#define ANY_MASKS_NHM                                             \
	"CACHE_LOCK_CYCLES ILD_STALL RAT_STALLS RESOURCE_STALLS " \
	"OFFCORE_RESPONSE_0"
#define ANY_MASKS_WSM                                              \
	"CACHE_LOCK_CYCLES OFFCORE_RESPONSE_0 OFFCORE_RESPONSE_1 " \
	"RESOURCE_STALLS RAT_STALLS"

#define CORES_CORE_DUO                                                   \
	"L2_ADS DBUS_BUSY DBUS_BUSY_RD L2_LINES_IN L2_M_LINES_IN "       \
	"L2_LINES_OUT L2_M_LINES_OUT L2_IFETCH L2_LD L2_ST L2_RQSTS "    \
	"L2_REJECT_CYCLES L2_NO_REQUEST_CYCLES BUS_REQ_OUTSTANDING "     \
	"BUS_LOCKS_CLOCKS BUS_TRANS_BRD BUS_TRANS_RFO BUS_TRANS_IFETCH " \
	"BUS_TRANS_INVAL BUS_TRANS_PWR BUS_TRANS_P BUS_TRANS_IO "        \
	"BUS_TRANS_DEF BUS_TRANS_MEM DCU_SNOOP_TO_SHARE BUS_NOT_IN_USE"
#define STATES_CORE_DUO                                    \
	"L2_IFETCH L2_LD L2_ST L2_RQSTS L2_REJECT_CYCLES " \
	"L2_NO_REQUEST_CYCLES BUS_SNOOPS"
#define CORES_CORE                                                       \
	"L2_ADS L2_DBUS_BUSY_RD L2_LINES_IN L2_M_LINES_IN L2_LINES_OUT " \
	"L2_M_LINES_OUT L2_IFETCH L2_LD L2_ST L2_LOCK L2_RQSTS "         \
	"L2_REJECT_BUSQ L2_NO_REQ BUS_REQUEST_OUTSTANDING "              \
	"BUS_LOCK_CLOCKS BUS_DATA_RCV BUS_TRANS_BRD BUS_TRANS_RFO "      \
	"BUS_TRANS_WB BUS_TRANS_IFETCH BUS_TRANS_INVAL BUS_TRANS_PWR "   \
	"BUS_TRANS_P BUS_TRANS_IO BUS_TRANS_DEF BUS_TRANS_BURST "        \
	"BUS_TRANS_MEM BUS_TRANS_ANY CMP_SNOOP SNOOP_STALL_DRV "         \
	"BUS_IO_WAIT"
#define STATES_CORE                                              \
	"L2_IFETCH L2_LD L2_ST L2_LOCK L2_RQSTS L2_REJECT_BUSQ " \
	"L1D_CACHE_LD L1D_CACHE_ST L1D_CACHE_LOCK"

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

static bool is_core_duo(const struct reference_call *call)
{
	return call->type == PFMLIB_COREDUO_PMU;
}

static bool is_core(const struct reference_call *call)
{
	return call->type == PFMLIB_CORE_PMU;
}

static bool is_atom(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_ATOM_PMU;
}

static bool is_arch(const struct reference_call *call)
{
	return call->type == PFMLIB_GEN_IA32_PMU;
}

static bool is_westmere(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_WSM_PMU;
}

static bool has_uncore(const struct reference_call *call)
{
	return call->type == PFMLIB_INTEL_NHM_PMU || is_westmere(call);
}

/* Whether "EVENT", or with a mask "EVENT:MASK", is a word of the list. */
static bool lists(const char *list, const char *event, const char *mask)
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

static bool is_precise(const struct reference_call *call, unsigned int i)
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

/* The fixed counter for the event, or NONE. */
static unsigned int fixed_of(const struct reference_call *call, unsigned int i)
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

/* Options that a fixed counter does not know. */
static bool has_selector_options(const struct reference_use *use)
{
	return use->cnt_mask || (use->flags != 0 && use->flags != 4);
}

static bool needs_0(const struct reference_call *call, unsigned int i)
{
	const char *list = is_core_duo(call) ? NEEDS_0_CORE_DUO :
			   is_core(call)     ? NEEDS_0_CORE :
			   is_westmere(call) ? NEEDS_0_WSM :
					       "";

	return lists(list, call->uses[i].event, NULL);
}

static bool needs_1(const struct reference_call *call, unsigned int i)
{
	const char *list = is_core_duo(call) ? NEEDS_1_CORE_DUO :
			   is_core(call)     ? NEEDS_1_CORE :
					       "";

	return lists(list, call->uses[i].event, NULL);
}

static bool needs_0_or_1(const struct reference_call *call, unsigned int i)
{
	if (!has_uncore(call))
		return false;
	return lists(is_westmere(call) ? NEEDS_0_1_WSM : NEEDS_0_1_NHM,
		     call->uses[i].event, NULL);
}

static bool is_uncore_clock(const struct reference_call *call, unsigned int i)
{
	return has_uncore(call) &&
	       !strcmp(call->uses[i].event, "UNC_CLK_UNHALTED");
}

bool reference_is_legal(const struct reference_call *call, unsigned int i,
			unsigned int counter)
{
	const struct reference_use *use = &call->uses[i];

	if (is_uncore_clock(call, i))
		return counter == 20 && !call->unavailable[20];
	if (use->is_uncore)
		return counter >= 21 && counter <= 28 &&
		       !call->unavailable[counter];
	if (counter >= 16)
		return counter < 16 + call->num_fixed &&
		       !call->unavailable[16] && counter == fixed_of(call, i) &&
		       !has_selector_options(use) && !is_precise(call, i);
	if (counter >= call->num_generic || call->unavailable[counter])
		return false;
	if (needs_0(call, i))
		return counter == 0;
	if (needs_1(call, i))
		return counter == 1;
	return !needs_0_or_1(call, i) || counter < 2;
}

/* Core and Atom sample with counter 0 only. */
static bool serves_precise(const struct reference_call *call,
			   const unsigned int *counter)
{
	bool wanted = false, served = false;
	unsigned int i;

	if (!is_core(call) && !is_atom(call))
		return true;
	for (i = 0; i < call->num_uses; i++) {
		wanted |= is_precise(call, i);
		served |= is_precise(call, i) && counter[i] == 0;
	}
	return served == wanted;
}

static bool try_all(const struct reference_call *call, unsigned int i,
		    unsigned int *counter)
{
	unsigned int candidate, other;

	if (i == call->num_uses)
		return serves_precise(call, counter);
	for (candidate = 0; candidate < 29; candidate++) {
		if (!reference_is_legal(call, i, candidate))
			continue;
		for (other = 0; other < i; other++)
			if (counter[other] == candidate)
				break;
		if (other < i)
			continue;
		counter[i] = candidate;
		if (try_all(call, i + 1, counter))
			return true;
	}
	return false;
}

bool reference_can_assign(const struct reference_call *call)
{
	unsigned int counter[REFERENCE_EVENTS];

	return try_all(call, 0, counter);
}

static bool is_reference_cycles(const struct reference_call *call,
				unsigned int i)
{
	return !is_arch(call) && fixed_of(call, i) == 18;
}

static int check_masks(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int a, b;

	if (use->num_masks < 2 || use->is_uncore || is_arch(call) ||
	    is_core_duo(call))
		return 0;
	if (is_core(call) || is_atom(call))
		return lists(is_core(call) ? "CPU_CLK_UNHALTED" : ONE_MASK_ATOM,
			     use->event, NULL) ?
			       PFMLIB_ERR_NOASSIGN :
			       0;
	if (lists(is_westmere(call) ? ANY_MASKS_WSM : ANY_MASKS_NHM, use->event,
		  NULL))
		return 0;
	for (a = 0; a < use->num_masks; a++)
		for (b = a + 1; b < use->num_masks; b++)
			if (use->mask_codes[a] & use->mask_codes[b])
				return PFMLIB_ERR_NOASSIGN;
	return use->cnt_mask ? 0 : PFMLIB_ERR_NOASSIGN;
}

static unsigned int offcore_pmc(const struct reference_use *use)
{
	if (!strcmp(use->event, "OFFCORE_RESPONSE_0"))
		return 19;
	return strcmp(use->event, "OFFCORE_RESPONSE_1") ? NONE : 31;
}

static unsigned int all_masks(const struct reference_use *use)
{
	unsigned int mask, codes = 0;

	for (mask = 0; mask < use->num_masks; mask++)
		codes |= use->mask_codes[mask];
	return codes;
}

static int check_offcore(const struct reference_call *call, unsigned int i)
{
	unsigned int pmc = offcore_pmc(&call->uses[i]);
	unsigned int codes = all_masks(&call->uses[i]);
	unsigned int before;

	if (!has_uncore(call) || pmc == NONE)
		return 0;
	for (before = 0; before < i; before++)
		if (offcore_pmc(&call->uses[before]) == pmc &&
		    all_masks(&call->uses[before]) != codes)
			return PFMLIB_ERR_NOASSIGN;
	if (call->unavailable[pmc])
		return PFMLIB_ERR_NOASSIGN;
	return codes & 0xff && codes & 0xff00 ? 0 : PFMLIB_ERR_INVAL;
}

/* Events before i of which there can be so many only. */
static unsigned int
count_before(const struct reference_call *call, unsigned int i,
	     bool (*is)(const struct reference_call *call, unsigned int i))
{
	unsigned int before, count = 0;

	if (!is(call, i))
		return 0;
	for (before = 0; before < i; before++)
		count += is(call, before);
	return count;
}

static int check_flags(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int allowed = 3;

	if (has_uncore(call))
		return use->event_flags & ~7U ? PFMLIB_ERR_INVAL : 0;
	if (is_atom(call) || (is_arch(call) && call->version >= 3))
		allowed = 7;
	if (use->flags & ~allowed)
		return PFMLIB_ERR_INVAL;
	if (is_arch(call) && call->version == 1 && use->event_flags & ~7U)
		return PFMLIB_ERR_INVAL;
	return 0;
}

static int check_use(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	int error;

	if (use->own_plm & (PFM_PLM1 | PFM_PLM2))
		return PFMLIB_ERR_INVAL;
	error = check_flags(call, i);
	if (!error)
		error = check_masks(call, i);
	if (error)
		return error;
	if (count_before(call, i, is_uncore_clock) ||
	    count_before(call, i, needs_0) || count_before(call, i, needs_1) ||
	    count_before(call, i, is_reference_cycles) ||
	    count_before(call, i, needs_0_or_1) > 1)
		return PFMLIB_ERR_NOASSIGN;
	if (is_uncore_clock(call, i) && (use->flags || use->cnt_mask))
		return PFMLIB_ERR_NOASSIGN;
	if (is_reference_cycles(call, i) && (use->flags & 3 || use->cnt_mask))
		return PFMLIB_ERR_NOASSIGN;
	error = check_offcore(call, i);
	if (error)
		return error;
	if (use->is_uncore && call->plm != 9 && use->own_plm != 9)
		return PFMLIB_ERR_NOASSIGN;
	return 0;
}

/* Gives event i the first free and legal counter from first to last. */
static bool take(const struct reference_call *call, unsigned int i,
		 unsigned int first, unsigned int last, unsigned int *counter)
{
	unsigned int candidate, other;

	for (candidate = first; candidate <= last; candidate++) {
		if (!reference_is_legal(call, i, candidate))
			continue;
		for (other = 0; other < call->num_uses; other++)
			if (counter[other] == candidate)
				break;
		if (other == call->num_uses) {
			counter[i] = candidate;
			return true;
		}
	}
	return false;
}

/* The event that precise sampling puts on counter 0, or NONE. */
static unsigned int find_sampled(const struct reference_call *call)
{
	unsigned int i, first = NONE, only = NONE;

	for (i = call->num_uses; i-- > 0;) {
		if (needs_0(call, i))
			only = i;
		if (is_precise(call, i))
			first = i;
	}
	if (first == NONE || (!is_core(call) && !is_atom(call)))
		return NONE;
	return only == NONE ? first : only;
}

static bool hand_out(const struct reference_call *call, unsigned int *counter)
{
	unsigned int sampled = find_sampled(call);
	unsigned int i;

	for (i = 0; i < REFERENCE_EVENTS; i++)
		counter[i] = NONE;
	if (sampled != NONE &&
	    (!is_precise(call, sampled) || !take(call, sampled, 0, 0, counter)))
		return false;
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE &&
		    ((needs_0(call, i) && !take(call, i, 0, 0, counter)) ||
		     (needs_1(call, i) && !take(call, i, 1, 1, counter))))
			return false;
	for (i = 0; i < call->num_uses; i++)
		if (needs_0_or_1(call, i) && !take(call, i, 0, 1, counter))
			return false;
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE)
			take(call, i, 16, 19, counter);
	for (i = 0; i < call->num_uses; i++)
		if (counter[i] == NONE && !take(call, i, 20, 28, counter) &&
		    !take(call, i, 0, 15, counter))
			return false;
	return true;
}

static unsigned int plm_of(const struct reference_call *call, unsigned int i)
{
	return call->uses[i].own_plm ? call->uses[i].own_plm : call->plm;
}

static unsigned int unit_mask(const struct reference_call *call, unsigned int i)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int umask = (use->code >> 8 & 0xff) | (all_masks(use) & 0xff);
	const char *cores = is_core_duo(call) ? CORES_CORE_DUO :
			    is_core(call)     ? CORES_CORE :
						"";
	const char *states = is_core_duo(call) ? STATES_CORE_DUO :
			     is_core(call)     ? STATES_CORE :
						 "";

	if (has_uncore(call) && offcore_pmc(use) != NONE)
		return use->code >> 8 & 0xff;
	if (lists(cores, use->event, NULL) && !(umask & 0xc0))
		umask += 0x40;
	if (lists(states, use->event, NULL) && !(umask & 0x0f))
		umask += 0x0f;
	return umask;
}

/* A bit of the selector that event or masks have. */
static bool has_bit(const struct reference_call *call, unsigned int i,
		    unsigned int bit)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int masks = all_masks(use);

	if (has_uncore(call) && offcore_pmc(use) != NONE)
		masks = 0;
	return use->code >> bit & 1 || masks >> (bit - 8) & 1;
}

/* Where data go to is the event behind the one that tells where they are from. */
static int gq_data_select(const struct reference_use *use, uint64_t *select)
{
	unsigned int mask, to = 0, from = 0;

	for (mask = 0; mask < use->num_masks; mask++) {
		to += !strncmp(use->masks[mask], "TO_", 3);
		from += !strncmp(use->masks[mask], "FROM_", 5);
	}
	if (to && from)
		return PFMLIB_ERR_NOASSIGN;
	*select = to ? 5 : 4;
	return 0;
}

static int select_use(const struct reference_call *call, unsigned int i,
		      uint64_t *value)
{
	const struct reference_use *use = &call->uses[i];
	unsigned int bit;
	uint64_t compare = 0;

	if (use->is_uncore && use->flags & 4)
		return PFMLIB_ERR_INVAL;
	*value = use->code & 0xff;
	if (!strcmp(use->event, "UNC_GQ_DATA") && gq_data_select(use, value))
		return PFMLIB_ERR_NOASSIGN;
	*value += (uint64_t)unit_mask(call, i) << 8;
	for (bit = 24; bit < 32; bit++)
		compare += (uint64_t)has_bit(call, i, bit) << bit;
	if (!compare && use->cnt_mask > 255)
		return PFMLIB_ERR_INVAL;
	*value += compare ? compare : (uint64_t)use->cnt_mask << 24;
	if (has_bit(call, i, 18) || use->flags & 2)
		*value += 1 << 18;
	if (has_bit(call, i, 23) || use->flags & 1)
		*value += 1 << 23;
	*value += (1 << 20) + (1 << 22);
	if (use->is_uncore) {
		*value += use->flags & 8 ? 1 << 17 : 0;
		return 0;
	}
	if (plm_of(call, i) & PFM_PLM3)
		*value += 1 << 16;
	if (plm_of(call, i) & PFM_PLM0)
		*value += 1 << 17;
	if (!is_core(call) && !is_core_duo(call) &&
	    (has_bit(call, i, 21) || use->flags & 4))
		*value += 1 << 21;
	return has_uncore(call) && use->flags & 8 ? PFMLIB_ERR_INVAL : 0;
}

static void add_pmc(struct reference_result *result, unsigned int num,
		    uint64_t value)
{
	result->pmcs[result->num_pmcs].num = num;
	result->pmcs[result->num_pmcs++].value = value;
}

static void add_fixed(const struct reference_call *call,
		      struct reference_result *result)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < call->num_uses; i++) {
		unsigned int field = 8;

		if (result->counter[i] < 16 || result->counter[i] > 19)
			continue;
		field += plm_of(call, i) & PFM_PLM0 ? 1 : 0;
		field += plm_of(call, i) & PFM_PLM3 ? 2 : 0;
		field += call->uses[i].flags == 4 ? 4 : 0;
		value += (uint64_t)field << 4 * (result->counter[i] - 16);
	}
	if (value)
		add_pmc(result, 16, value);
}

/* PMCs of events whose counter is from first to last, in input order. */
static int add_selectors(const struct reference_call *call,
			 struct reference_result *result, unsigned int first,
			 unsigned int last)
{
	unsigned int i;
	uint64_t value;
	int error;

	for (i = 0; i < call->num_uses; i++) {
		if (result->counter[i] < first || result->counter[i] > last)
			continue;
		error = select_use(call, i, &value);
		if (error)
			return error;
		add_pmc(result, result->counter[i],
			result->counter[i] == 20 ? 5 : value);
	}
	return 0;
}

static bool is_latency(const struct reference_use *use)
{
	return !strcmp(use->event, "MEM_INST_RETIRED") && use->num_masks == 1 &&
	       !strcmp(use->masks[0], "LATENCY_ABOVE_THRESHOLD");
}

static int add_pebs(const struct reference_call *call,
		    struct reference_result *result)
{
	bool has_latency = false;
	uint64_t enable = 0;
	unsigned int i;

	for (i = 0; i < call->num_uses; i++) {
		if (!is_precise(call, i))
			continue;
		if (has_uncore(call)) {
			enable |= 1ULL << result->counter[i];
		} else if (!result->counter[i]) {
			enable = 1;
		}
		if (has_uncore(call) && is_latency(&call->uses[i]) &&
		    call->threshold) {
			enable |= 1ULL << (32 + result->counter[i]);
			has_latency = true;
		}
	}
	if (!enable)
		return 0;
	if (call->unavailable[17])
		return PFMLIB_ERR_NOASSIGN;
	add_pmc(result, 17, enable);
	if (!has_latency)
		return 0;
	if (call->threshold < 3 || call->threshold > 0xffff)
		return PFMLIB_ERR_INVAL;
	if (call->unavailable[18])
		return PFMLIB_ERR_NOASSIGN;
	add_pmc(result, 18, call->threshold);
	return 0;
}

static void add_offcore(const struct reference_call *call,
			struct reference_result *result, unsigned int pmc)
{
	unsigned int i;

	if (!has_uncore(call))
		return;
	for (i = 0; i < call->num_uses; i++) {
		if (offcore_pmc(&call->uses[i]) == pmc) {
			add_pmc(result, pmc, all_masks(&call->uses[i]));
			return;
		}
	}
}

static int emit(const struct reference_call *call,
		struct reference_result *result)
{
	int error;

	add_fixed(call, result);
	error = add_selectors(call, result, 0, 15);
	if (!error)
		error = add_selectors(call, result, 20, 20);
	if (!error)
		error = add_selectors(call, result, 21, 28);
	if (!error)
		error = add_pebs(call, result);
	if (error)
		return error;
	add_offcore(call, result, 19);
	add_offcore(call, result, 31);
	if (!call->lbr || !has_uncore(call))
		return 0;
	if (call->unavailable[30])
		return PFMLIB_ERR_NOASSIGN;
	add_pmc(result, 30,
		(call->plm & PFM_PLM0 ? 0 : 1) +
			(call->plm & PFM_PLM3 ? 0 : 2));
	return 0;
}

bool reference_dispatch(const struct reference_call *call,
			struct reference_result *result)
{
	unsigned int i;

	memset(result, 0, sizeof(*result));
	for (i = 0; i < call->num_uses; i++) {
		result->error = check_use(call, i);
		if (result->error)
			return false;
	}
	if (!hand_out(call, result->counter)) {
		result->error = PFMLIB_ERR_NOASSIGN;
		return true;
	}
	result->error = emit(call, result);
	return false;
}
