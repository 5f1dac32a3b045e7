// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS: where the next one is, which counters they are of, and what they say.
 *
 * Reads nothing but its arguments.  Records of formats 1 to 3 are decoded here, each format
 * with more words, and the ones that are made of groups in groups.c.
 */
#include <linux/bitops.h>
#include <linux/perfmon_record.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "pebs.h"

/* Words of the records before groups, by format. */
static const u8 words_of[] = {
	[PEBS_FORMAT_FIRST] = PEBS_EVENTING_IP,
	[PEBS_FORMAT_EXACT] = PEBS_TSC,
	[PEBS_FORMAT_STATUS] = PEBS_WORDS,
};

/* Bytes of the groups. */
#define BASIC_BYTES	32
#define MEMORY_BYTES	32
#define GPRS_BYTES	(PEBS_GPRS * sizeof(u64))

/* In the first word of a record with groups: its bytes, in bits 63:48. */
#define SIZE_SHIFT	48

/**
 * pebs_bytes - how long are records?
 * @format: their format
 * @data_cfg: their groups, if there are any
 */
unsigned int pebs_bytes(unsigned int format, u64 data_cfg)
{
	if (format < PEBS_FORMAT_GROUPS)
		return words_of[format] * sizeof(u64);
	return BASIC_BYTES +
	       (data_cfg & PEBS_GROUP_MEMORY ? MEMORY_BYTES : 0) +
	       (data_cfg & PEBS_GROUP_GPRS ? GPRS_BYTES : 0);
}

/**
 * pebs_next - the end of a record
 * @format: its format
 * @record: its begin
 * @end: of all records
 *
 * Return: NULL: there is no whole record up to @end.
 */
const u64 *pebs_next(unsigned int format, const u64 *record, const u64 *end)
{
	size_t left = (end - record) * sizeof(u64);
	size_t bytes = pebs_bytes(format, 0);

	if (left < bytes)
		return NULL;
	if (format >= PEBS_FORMAT_GROUPS) {
		if (record[0] >> SIZE_SHIFT < bytes)
			return NULL;
		bytes = record[0] >> SIZE_SHIFT;
	}
	return bytes > left ? NULL : record + bytes / sizeof(u64);
}

/*
 * The counters that a record is of: @status is what it says, @enabled which may have made
 * it.
 *
 * By an erratum (CVE-2021-28971) the status may have no bit at all: then a record is of
 * the only counter that makes any.  Before format 3 it has the counters that have
 * overflowed, and not only the ones that the record is of: perf_event, too, drops records of
 * several.
 *
 * Return: mask of counters; 0: it cannot be known.
 */
static u64 pebs_attribute(unsigned int format, u64 status, u64 enabled)
{
	status &= enabled;
	if (!status && hweight64(enabled) == 1)
		return enabled;
	if (format < PEBS_FORMAT_STATUS && hweight64(status) > 1)
		return 0;
	return status;
}

static void decode_words(unsigned int format, const u64 *words,
			 struct pebs_record *record)
{
	record->hw = (struct pfm_hw_record){
		.pmds = words[PEBS_STATUS],
		.ip = words[PEBS_IP],
		.flags = PFM_PRECISE_SMPL_NEXT,
		.daddr = words[PEBS_DLA],
		.source = words[PEBS_DSE],
		.latency = words[PEBS_LATENCY],
		.gprs = record->gprs,
	};
	if (format >= PEBS_FORMAT_EXACT) {
		record->hw.ip = words[PEBS_EVENTING_IP];
		record->hw.next_ip = words[PEBS_IP];
		record->hw.flags = PFM_PRECISE_SMPL_EXACT;
		record->hw.tsx = words[PEBS_TSX];
	}
	record->tsc = format >= PEBS_FORMAT_STATUS ? words[PEBS_TSC] : 0;
	memcpy(record->gprs, words, sizeof(record->gprs));
}

/**
 * pebs_decode - decode a record
 * @format: its format
 * @words: the record
 * @nr: words that there are, which are no fewer than pebs_bytes() says for no groups
 * @enabled: counters that may have made it
 * @record: filled; its counters are the bits of PEBS_ENABLE
 */
void pebs_decode(unsigned int format, const u64 *words, unsigned int nr,
		 u64 enabled, struct pebs_record *record)
{
	struct pfm_hw_record *hw = &record->hw;

	if (format >= PEBS_FORMAT_GROUPS)
		pebs_decode_groups(words, nr, record);
	else
		decode_words(format, words, record);
	hw->pmds = pebs_attribute(format, hw->pmds, enabled);
	if (!hw->pmds)
		hw->left_out = PFM_HW_AMBIGUOUS;
	if (hw->daddr)
		hw->flags |= PFM_PRECISE_SMPL_DADDR;
}
