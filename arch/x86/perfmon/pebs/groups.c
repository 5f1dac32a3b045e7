// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS that are made of groups: formats 4 and up.  Each record says which ones
 * it has.  Reads nothing but its arguments.
 */
#include <linux/array_size.h>
#include <linux/perfmon_record.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "pebs.h"

/* The basic group; the first word has the other groups in its low half. */
enum { BASIC_FORMAT, BASIC_IP, BASIC_COUNTERS, BASIC_TSC, BASIC_WORDS };

/* The group of memory. */
enum { MEM_ADDRESS, MEM_SOURCE, MEM_LATENCY, MEM_TSX, MEM_WORDS };

/* Where the group of registers has what a record of format 3 has at each place. */
static const u8 gprs_from[] = {
	[PEBS_FLAGS] = 0, [PEBS_IP] = 1,     [PEBS_AX] = 2,	  [PEBS_CX] = 3,
	[PEBS_DX] = 4,	  [PEBS_BX] = 5,     [PEBS_SP] = 6,	  [PEBS_BP] = 7,
	[PEBS_SI] = 8,	  [PEBS_DI] = 9,     [PEBS_R8] = 10,	  [PEBS_R8 + 1] = 11,
	[PEBS_R8 + 2] = 12, [PEBS_R8 + 3] = 13, [PEBS_R8 + 4] = 14, [PEBS_R8 + 5] = 15,
	[PEBS_R8 + 6] = 16, [PEBS_R15] = 17,
};

static_assert(ARRAY_SIZE(gprs_from) == PEBS_GPRS);
static_assert(BASIC_WORDS + MEM_WORDS + PEBS_GPRS == PEBS_WORDS_MAX);

static void decode_memory(const u64 *group, struct pfm_hw_record *hw)
{
	hw->daddr = group[MEM_ADDRESS];
	hw->source = group[MEM_SOURCE];
	hw->latency = group[MEM_LATENCY];
	hw->tsx = group[MEM_TSX];
}

static void decode_gprs(const u64 *group, struct pebs_record *record)
{
	unsigned int i;

	for (i = 0; i < PEBS_GPRS; i++)
		record->gprs[i] = group[gprs_from[i]];
	record->hw.gprs = record->gprs;
	/* The basic group has the sampled instruction alone. */
	record->hw.next_ip = record->gprs[PEBS_IP];
}

/**
 * pebs_decode_groups - decode a record that is made of groups
 * @words: the record
 * @nr: words that there are, BASIC_WORDS at least
 * @record: filled; its counters are what the record says
 */
void pebs_decode_groups(const u64 *words, unsigned int nr,
			struct pebs_record *record)
{
	const u64 *group = words + BASIC_WORDS, *end = words + nr;

	record->hw = (struct pfm_hw_record){
		.pmds = words[BASIC_COUNTERS],
		.ip = words[BASIC_IP],
		.flags = PFM_PRECISE_SMPL_EXACT,
	};
	record->tsc = words[BASIC_TSC];
	if (words[BASIC_FORMAT] & PEBS_GROUP_MEMORY &&
	    end - group >= MEM_WORDS) {
		decode_memory(group, &record->hw);
		group += MEM_WORDS;
	}
	if (words[BASIC_FORMAT] & PEBS_GROUP_GPRS && end - group >= PEBS_GPRS)
		decode_gprs(group, record);
}
