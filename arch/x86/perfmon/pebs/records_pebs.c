// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of PEBS as the core gets them.
 */
#include <linux/bitops.h>
#include <linux/perfmon_record.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "../build.h"
#include "../perfctr_core.h"
#include "pebs.h"

/* What the session has to know beside the record itself. */
static void pebs_send(const struct perfmon_pebs *pebs, const u64 *words,
		      struct perfmon_sink *sink)
{
	struct pfm_hw_record hw;
	unsigned int n;

	pebs_decode(words, pebs->counters, &hw);
	/* A record that is of no counter for sure is named after the first. */
	n = __ffs(hw.pmds ? (u32)hw.pmds : pebs->counters);
	hw.pos = pebs->pos[n];
	hw.period = -(s64)pebs->reset[n];
	if (perfctr_host_tsc_clock(words[PEBS_TSC], &hw.tstamp))
		hw.flags |= PFM_PRECISE_SMPL_TSC;
	if (pebs->late)
		hw.flags |= PFM_PRECISE_SMPL_LATE;
	sink->record(sink, &hw);
}

static void pebs_send_stray(struct perfmon_pebs *pebs,
			    struct perfmon_sink *sink)
{
	struct pfm_hw_record hw = {
		.pos = pebs->pos[__ffs(pebs->counters)],
		.left_out = PFM_HW_STRAY,
	};

	for (; pebs->stray; pebs->stray--)
		sink->record(sink, &hw);
}

/**
 * perfmon_pebs_records - send all records on this CPU, which are taken then
 * @pebs: of the set that has made them, stopped
 * @sink: where to
 *
 * Context: interrupts off.
 */
void perfmon_pebs_records(struct perfmon_pebs *pebs, struct perfmon_sink *sink)
{
	struct debug_store *ds = pebs_memory_here()->ds;
	const u64 *next = pebs_memory_here()->records;
	u64 words[PEBS_WORDS];
	unsigned int n;

	if (unlikely(pebs->stray))
		pebs_send_stray(pebs, sink);
	if (!pebs->unread)
		return;
	pebs->unread = false;
	for (n = pebs_nr_records(ds); n; n--, next += PEBS_WORDS) {
		/* A record that is still in flight may change them. */
		memcpy(words, next, sizeof(words));
		pebs_send(pebs, words, sink);
	}
	ds->pebs_index = ds->pebs_buffer_base;
}

/* Of hdr_hw: see PFM_PRECISE_SMPL_HW_PEBS. */
u32 perfmon_pebs_hw(void)
{
	return pebs_counters ? PEBS_FORMAT + 1 : 0;
}

/* Blocks that records have beside registers. */
u32 perfmon_pebs_blocks(void)
{
	return pebs_counters ? PFM_PRECISE_SMPL_MEM : 0;
}
