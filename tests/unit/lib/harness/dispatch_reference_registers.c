// SPDX-License-Identifier: GPL-2.0-only
/* The reference: the values of registers. */
#include "dispatch_reference_parts.h"

#include <string.h>

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

static int add_pebs(const struct reference_call *call,
		    struct reference_result *result)
{
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
	}
	if (!enable)
		return 0;
	if (call->unavailable[17])
		return PFMLIB_ERR_NOASSIGN;
	add_pmc(result, 17, enable);
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

int reference_emit(const struct reference_call *call,
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
