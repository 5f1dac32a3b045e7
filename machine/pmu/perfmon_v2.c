// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's PerfMonV2 (Zen 4 and later): the counters of the core extension, their
 * number from CPUID, behind a global control register and with a status of
 * overflows. After reset no counter is enabled globally. Bits that do not exist
 * read as zero, and so do the registers that change the status; writing the
 * status itself changes nothing.
 */

#include "amd.h"

#define V2_GLOBAL_STATUS 0xc0000300u
#define V2_GLOBAL_CTL 0xc0000301u
#define V2_GLOBAL_STATUS_CLR 0xc0000302u
#define V2_GLOBAL_STATUS_SET 0xc0000303u

#define CPUID_PERFMON_V2 0x80000022u
#define PERFMON_V2_EAX 0x1u
#define PERFMON_V2_LBR 0x2u /* branch records, which an overflow may freeze: */
#define PERFMON_V2_LBR_FREEZE 0x4u
#define PERFMON_V2_LBR_SHIFT 4 /* in EBX: how many */

/* Status: branch records and counters were frozen by an overflow. */
#define STATUS_FROZEN (3ull << 58)

static uint64_t counter_bits(const struct pmu *pmu)
{
	return pmu_width_mask(pmu->model->counters);
}

static void v2_update(struct pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < pmu->model->counters; i++)
		pmu_apply_evntsel(pmu, i,
				  pmu->global_ctrl >> i & 1 &&
					  pmu->counter[i].select & EVNTSEL_EN);
}

static struct pmu_reg v2_decode(const struct pmu *pmu, uint32_t msr)
{
	if (msr >= V2_GLOBAL_STATUS && msr <= V2_GLOBAL_STATUS_SET)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	return amd_decode_core_ext(pmu, msr);
}

static enum pmu_result v2_write_select(struct pmu *pmu, unsigned int i,
				       uint64_t value)
{
	pmu->counter[i].select = value & pmu->model->select_mask;
	v2_update(pmu);
	return PMU_OK;
}

static enum pmu_result v2_read_control(const struct pmu *pmu, uint32_t msr,
				       uint64_t *value)
{
	*value = 0;
	if (msr == V2_GLOBAL_STATUS)
		*value = pmu->global_status | pmu->fault.stuck;
	else if (msr == V2_GLOBAL_CTL)
		*value = pmu->global_ctrl;
	return PMU_OK;
}

static enum pmu_result v2_write_control(struct pmu *pmu, uint32_t msr,
					uint64_t value)
{
	switch (msr) {
	case V2_GLOBAL_CTL:
		pmu->global_ctrl = value & counter_bits(pmu);
		v2_update(pmu);
		break;
	case V2_GLOBAL_STATUS_CLR:
		pmu->global_status &= ~value;
		break;
	case V2_GLOBAL_STATUS_SET:
		pmu->global_status |= value &
				      (counter_bits(pmu) | STATUS_FROZEN);
		break;
	default:
		break;
	}
	return PMU_OK;
}

static void v2_overflow(struct pmu *pmu, unsigned int i)
{
	pmu->global_status |= 1ull << i;
}

static bool v2_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4])
{
	(void)subleaf;
	if (leaf != CPUID_PERFMON_V2)
		return false;
	regs[0] = PERFMON_V2_EAX;
	regs[1] = pmu->model->counters; /* and no other kinds of counters */
	if (pmu_has_lbr(pmu)) {
		regs[0] |= PERFMON_V2_LBR | PERFMON_V2_LBR_FREEZE;
		regs[1] |= (uint32_t)pmu->model->lbr_depth
			   << PERFMON_V2_LBR_SHIFT;
	}
	regs[2] = 0;
	regs[3] = 0;
	return true;
}

const struct pmu_design pmu_perfmon_v2 = {
	.events = amd_events,
	.update = v2_update,
	.decode = v2_decode,
	.rdpmc = amd_rdpmc,
	.write_counter = amd_write_counter,
	.write_select = v2_write_select,
	.read_control = v2_read_control,
	.write_control = v2_write_control,
	.overflow = v2_overflow,
	.cpuid = v2_cpuid,
};
