// SPDX-License-Identifier: GPL-2.0-only
/* A second, slow opinion on dispatch: the calls that are refused. */
#include "dispatch_reference_parts.h"

#include <string.h>

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
	if (wants_latency(call, i))
		return PFMLIB_ERR_NOTSUPP;
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
	if (!reference_hand_out(call, result->counter)) {
		result->error = PFMLIB_ERR_NOASSIGN;
		return true;
	}
	result->error = reference_emit(call, result);
	return false;
}
