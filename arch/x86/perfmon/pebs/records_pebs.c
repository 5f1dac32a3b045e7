// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of PEBS as the core gets them.
 */
#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/perfmon_record.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "../build.h"
#include "../perfctr_core.h"
#include "pebs.h"

/* Numbers of the PMDs of counters. */
static u64 pebs_pmds(unsigned long by_index)
{
	const unsigned long programmable = BIT(PERFMON_PEBS_FIXED) - 1;

	return (by_index & programmable) |
	       (u64)(by_index & ~programmable) << (PEBS_FIXED_PMD - PERFMON_PEBS_FIXED);
}

/**
 * pebs_records_end - where records of a CPU end
 * @memory: of the CPU
 *
 * Return: no more than the end of the memory.
 */
const u64 *pebs_records_end(const struct pebs_memory *memory)
{
	u32 bytes = memory->ds->pebs_index - memory->ds->pebs_buffer_base;

	return memory->records + min_t(u32, bytes, PEBS_BYTES) / sizeof(u64);
}

/**
 * pebs_nr_records - how many records has a CPU?
 * @memory: of the CPU
 */
unsigned int pebs_nr_records(const struct pebs_memory *memory)
{
	const u64 *end = pebs_records_end(memory), *at = memory->records;
	unsigned int nr = 0;

	while ((at = pebs_next(pebs_format, at, end)))
		nr++;
	return nr;
}

/* What the session has to know beside the record itself. */
static void pebs_send(const struct perfmon_pebs *pebs, const u64 *words,
		      unsigned int nr, struct perfmon_sink *sink)
{
	struct pebs_record record __uninitialized;
	struct pfm_hw_record *hw = &record.hw;
	unsigned long counters;
	unsigned int n;

	pebs_decode(pebs_format, words, nr, pebs->enable & pebs_counters,
		    &record);
	counters = pebs_by_index(hw->pmds);
	/* A record that is of no counter for sure is named after the first. */
	n = __ffs(counters ?: pebs->counters);
	hw->pmds = pebs_pmds(counters);
	hw->pos = pebs_pos(n);
	hw->period = -(s64)pebs->reset[n];
	if (record.tsc && perfctr_host_tsc_clock(record.tsc, &hw->tstamp))
		hw->flags |= PFM_PRECISE_SMPL_TSC;
	if (pebs->late)
		hw->flags |= PFM_PRECISE_SMPL_LATE;
	sink->record(sink, hw);
}

static void pebs_send_stray(struct perfmon_pebs *pebs,
			    struct perfmon_sink *sink)
{
	struct pfm_hw_record hw = {
		.pos = pebs_pos(__ffs(pebs->counters)),
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
	const struct pebs_memory *memory = pebs_memory_here();
	const u64 *end, *next, *at = memory->records;
	u64 words[PEBS_WORDS_MAX];
	unsigned int nr;

	if (unlikely(pebs->stray))
		pebs_send_stray(pebs, sink);
	if (!pebs->unread)
		return;
	pebs->unread = false;
	end = pebs_records_end(memory);
	for (; (next = pebs_next(pebs_format, at, end)); at = next) {
		/* A record that is still in flight may change them. */
		nr = min_t(size_t, next - at, PEBS_WORDS_MAX);
		memcpy(words, at, nr * sizeof(*words));
		pebs_send(pebs, words, nr, sink);
	}
	memory->ds->pebs_index = memory->ds->pebs_buffer_base;
}

/* Of hdr_hw: see PFM_PRECISE_SMPL_HW_PEBS. */
u32 perfmon_pebs_hw(void)
{
	return pebs_counters ? pebs_format + 1 : 0;
}

/* Blocks that records have beside registers. */
u32 perfmon_pebs_blocks(void)
{
	return pebs_counters ? PFM_PRECISE_SMPL_MEM : 0;
}
