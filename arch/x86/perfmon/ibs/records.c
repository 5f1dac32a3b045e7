// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of IBS as the core gets them: as overflows of the PMDs of controls, or as
 * records.
 */
#include <linux/bits.h>
#include <linux/perfmon_pmu.h>
#include <linux/perfmon_record.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include <asm/perf_event.h>

#include "ibs.h"

/* The unit of a sample that waits, which is taken. */
static unsigned int ibs_next_sample(struct perfmon_ibs *ibs)
{
	unsigned int unit = __ffs(ibs->sampled);

	ibs->sampled &= ~BIT(unit);
	return unit;
}

static void ibs_hide_physical(struct perfmon_ibs *ibs, bool physical)
{
	if (physical)
		return;
	ibs->data[PERFMON_IBS_FETCH_PHYSICAL] = 0;
	ibs->data[PERFMON_IBS_OP_PHYSICAL] = 0;
}

/**
 * perfmon_arch_take_sample - find a sample of the hardware's own that waits
 * @set: is held
 * @physical: the session may see physical addresses
 * @period: filled: between two samples
 *
 * Samples of the kernel that the session may not see are dropped.
 *
 * Return: position of the PMD that interrupts for it; PERFMON_NO_REG: there is none.
 */
unsigned int perfmon_arch_take_sample(struct perfmon_arch_set *set,
				      bool physical, u64 *period)
{
	struct perfmon_ibs *ibs = &set->ibs;
	unsigned int unit;

	while (ibs->sampled) {
		unit = ibs_next_sample(ibs);
		if (ibs->hidden & BIT(unit))
			continue;
		ibs_hide_physical(ibs, physical);
		*period = ibs_limit(ibs->ctl[unit], unit);
		return ibs_pmd[unit];
	}
	return PERFMON_NO_REG;
}

static void ibs_fill_fetch(const struct perfmon_ibs *ibs,
			   struct pfm_hw_record *hw, u64 *raw)
{
	raw[0] = ibs->data[PERFMON_IBS_FETCH_CTL];
	raw[1] = ibs->data[PERFMON_IBS_FETCH_LINEAR];
	raw[2] = ibs->data[PERFMON_IBS_FETCH_PHYSICAL];
	raw[3] = ibs_caps & IBS_CAPS_FETCHCTLEXTD ?
			 ibs->data[PERFMON_IBS_FETCH_EXTENDED] : 0;
	hw->raw_bytes = 4 * sizeof(*raw);
	hw->raw_kind = PFM_PRECISE_SMPL_RAW_IBS_FETCH;
	hw->ip = raw[1];
	hw->flags |= PFM_PRECISE_SMPL_EXACT;
	hw->latency = raw[0] >> 32 & 0xffff;
}

static void ibs_fill_op(const struct perfmon_ibs *ibs, struct pfm_hw_record *hw,
			u64 *raw)
{
	u64 data = ibs->data[PERFMON_IBS_OP_DATA];
	u64 data2 = ibs->data[PERFMON_IBS_OP_DATA2];
	u64 data3 = ibs->data[PERFMON_IBS_OP_DATA3];

	memcpy(raw, &ibs->data[PERFMON_IBS_OP_CTL], 7 * sizeof(*raw));
	raw[7] = ibs_caps & IBS_CAPS_BRNTRGT ?
			 ibs->data[PERFMON_IBS_OP_TARGET] : 0;
	raw[8] = ibs_caps & IBS_CAPS_OPDATA4 ?
			 ibs->data[PERFMON_IBS_OP_DATA4] : 0;
	hw->raw_bytes = 9 * sizeof(*raw);
	hw->raw_kind = PFM_PRECISE_SMPL_RAW_IBS_OP;
	if (ibs_rip_valid(ibs)) {
		hw->ip = ibs->data[PERFMON_IBS_OP_RIP];
		hw->flags |= PFM_PRECISE_SMPL_EXACT;
	}
	if (data3 & OP_DATA3_LINEAR_VALID) {
		hw->daddr = ibs->data[PERFMON_IBS_OP_LINEAR];
		hw->flags |= PFM_PRECISE_SMPL_DADDR;
	}
	if (data3 & OP_DATA3_PHYSICAL_VALID) {
		hw->paddr = ibs->data[PERFMON_IBS_OP_PHYSICAL];
		hw->flags |= PFM_PRECISE_SMPL_PADDR;
	}
	hw->source = (u32)data3 | data2 << 32;
	/* Cycles from tag to retirement; and of a miss of the data cache. */
	hw->latency = (u32)data >> 16 | (data3 >> 32 & 0xffff) << 32;
}

/* One record of a unit, whose sample is taken. */
static void ibs_send(const struct perfmon_ibs *ibs, unsigned int unit,
		     struct perfmon_sink *sink)
{
	u64 raw[9];
	struct pfm_hw_record hw = {
		.period = ibs_limit(ibs->ctl[unit], unit),
		.raw = raw,
		.pos = ibs_pmd[unit],
	};

	if (ibs->hidden & BIT(unit))
		hw.left_out = PFM_HW_FILTERED;
	else if (unit == PERFMON_IBS_FETCH)
		ibs_fill_fetch(ibs, &hw, raw);
	else
		ibs_fill_op(ibs, &hw, raw);
	if (ibs->cleared & BIT(unit))
		hw.flags |= PFM_PRECISE_SMPL_CLEARED;
	if (ibs->late & BIT(unit))
		hw.flags |= PFM_PRECISE_SMPL_LATE;
	sink->record(sink, &hw);
}

/**
 * perfmon_ibs_records - send the samples that wait, which are taken then
 * @ibs: of a set that is held
 * @sink: where to
 *
 * Context: interrupts off.
 */
void perfmon_ibs_records(struct perfmon_ibs *ibs, struct perfmon_sink *sink)
{
	while (ibs->sampled) {
		unsigned int unit = ibs_next_sample(ibs);

		ibs_hide_physical(ibs, sink->physical);
		ibs_send(ibs, unit, sink);
	}
}

/* Blocks that records have. */
u32 perfmon_ibs_blocks(void)
{
	return ibs_caps ? PFM_PRECISE_SMPL_MEM | PFM_PRECISE_SMPL_RAW : 0;
}

/* What makes records, PFM_PRECISE_SMPL_HW_*. */
u32 perfmon_ibs_hw(void)
{
	u32 hw = 0;

	if (ibs_caps)
		hw |= PFM_PRECISE_SMPL_HW_IBS;
	if (ibs_caps && !(ibs_caps & IBS_CAPS_RDWROPCNT))
		hw |= PFM_PRECISE_SMPL_HW_RESTARTS;
	return hw;
}
