// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS: which counters they are of, and what they say.  Format 3.
 *
 * Reads nothing but its arguments.
 */
#include <linux/bitops.h>
#include <linux/perfmon_record.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "pebs.h"

/**
 * pebs_attribute - the counters that a record is of
 * @status: what the record says, one bit for each counter
 * @enabled: counters that may have made it, one bit each
 *
 * By an erratum (CVE-2021-28971) the status may have no bit at all: then a record is of
 * the only counter that makes any.
 *
 * Return: mask of counters; 0: it cannot be known.
 */
u64 pebs_attribute(u64 status, u64 enabled)
{
	status &= enabled;
	if (!status && hweight64(enabled) == 1)
		return enabled;
	return status;
}

/**
 * pebs_decode - decode a record
 * @words: the record
 * @enabled: counters that may have made it, one bit each
 * @hw: filled, except for its period, its position and its time, which the caller knows;
 *	its registers are in @words
 */
void pebs_decode(const u64 *words, u64 enabled, struct pfm_hw_record *hw)
{
	*hw = (struct pfm_hw_record){
		.pmds = pebs_attribute(words[PEBS_STATUS], enabled),
		.ip = words[PEBS_EVENTING_IP],
		.next_ip = words[PEBS_IP],
		.flags = PFM_PRECISE_SMPL_EXACT,
		.daddr = words[PEBS_DLA],
		.source = words[PEBS_DSE],
		.latency = words[PEBS_LATENCY],
		.tsx = words[PEBS_TSX],
		/* The first 18 words are in the order of pfm_precise_smpl_gprs. */
		.gprs = words,
	};
	if (!hw->pmds)
		hw->left_out = PFM_HW_AMBIGUOUS;
	if (hw->daddr)
		hw->flags |= PFM_PRECISE_SMPL_DADDR;
}
