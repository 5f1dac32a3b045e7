// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of branch records: DEBUGCTL, LBR_SELECT, TOS, and the records themselves.
 * Used by pmu.c.
 *
 * Reserved bits raise #GP, and so do addresses that are not canonical. The flags of a
 * record may be written at will. Of Haswell Linux knows that a write has to extend the
 * address' sign into the bits of its transactions if there are none.
 */

#include "lbr.h"

#define MSR_SELECT 0x1c8u
#define MSR_TOS 0x1c9u
#define MSR_DEBUGCTL 0x1d9u
#define MSR_FROM 0x680u
#define MSR_TO 0x6c0u
#define MSR_INFO 0xdc0u

/* Bits 1 and 12 to 6 are kept: single steps by branches, BTS, freezing of counters, SMM. */
#define DEBUGCTL_KEPT (DEBUGCTL_BTF | 0x1fc0ull | 1ull << 14)

enum lbr_field {
	FIELD_NONE,
	FIELD_DEBUGCTL,
	FIELD_SELECT,
	FIELD_TOS,
	FIELD_FROM,
	FIELD_TO,
	FIELD_INFO,
};

struct lbr_register {
	enum lbr_field field;
	unsigned int index; /* of the record */
};

static bool is_record(const struct pmu *pmu, uint32_t msr, uint32_t first)
{
	return msr >= first && msr - first < pmu->model->lbr_depth;
}

static struct lbr_register decode(const struct pmu *pmu, uint32_t msr)
{
	if (!pmu_has_lbr(pmu))
		return (struct lbr_register){ FIELD_NONE, 0 };
	if (msr == MSR_DEBUGCTL)
		return (struct lbr_register){ FIELD_DEBUGCTL, 0 };
	if (msr == MSR_SELECT)
		return (struct lbr_register){ FIELD_SELECT, 0 };
	if (msr == MSR_TOS)
		return (struct lbr_register){ FIELD_TOS, 0 };
	if (is_record(pmu, msr, MSR_FROM))
		return (struct lbr_register){ FIELD_FROM, msr - MSR_FROM };
	if (is_record(pmu, msr, MSR_TO))
		return (struct lbr_register){ FIELD_TO, msr - MSR_TO };
	if (is_record(pmu, msr, MSR_INFO) && pmu->model->lbr == PMU_LBR_INFO)
		return (struct lbr_register){ FIELD_INFO, msr - MSR_INFO };
	return (struct lbr_register){ FIELD_NONE, 0 };
}

bool pmu_is_lbr_msr(const struct pmu *pmu, uint32_t msr)
{
	return decode(pmu, msr).field != FIELD_NONE;
}

enum pmu_result pmu_read_lbr(const struct pmu *pmu, uint32_t msr,
			     uint64_t *value)
{
	const struct lbr_register reg = decode(pmu, msr);

	switch (reg.field) {
	case FIELD_DEBUGCTL:
		*value = pmu->lbr.debugctl;
		return PMU_OK;
	case FIELD_SELECT:
		*value = pmu->lbr.select;
		return PMU_OK;
	case FIELD_TOS:
		*value = pmu->lbr.tos;
		return PMU_OK;
	case FIELD_FROM:
		*value = pmu->lbr.record[reg.index].from;
		return PMU_OK;
	case FIELD_TO:
		*value = pmu->lbr.record[reg.index].to;
		return PMU_OK;
	case FIELD_INFO:
		*value = pmu->lbr.record[reg.index].info;
		return PMU_OK;
	case FIELD_NONE:
		break;
	}
	return PMU_GP;
}

/* Bits 62 to 47 are equal, and bit 63, which is a flag or one of them. */
static bool is_canonical(uint64_t address, bool has_flag)
{
	const uint64_t signs = (has_flag ? address << 1 >> 1 : address) >> 47;

	return !signs || signs == (has_flag ? 0xffff : 0x1ffff);
}

static bool write_debugctl(struct pmu *pmu, uint64_t value)
{
	if (value & ~(DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS | DEBUGCTL_KEPT))
		return false;
	if (value & ~pmu->lbr.debugctl & DEBUGCTL_LBR)
		pmu->lbr.since = pmu->insns;
	pmu->lbr.debugctl = value;
	return true;
}

static bool write_select(struct pmu *pmu, uint64_t value)
{
	uint64_t mask = LBR_SELECT_CALL_STACK - 1;

	if (pmu->model->lbr != PMU_LBR_FLAGS)
		mask |= LBR_SELECT_CALL_STACK;
	if (value & ~mask)
		return false;
	pmu->lbr.select = value;
	return true;
}

static bool write_record(struct pmu *pmu, struct lbr_register reg,
			 uint64_t value)
{
	const bool has_flag = reg.field == FIELD_FROM &&
			      pmu->model->lbr != PMU_LBR_INFO;
	struct pmu_branch_record *record = &pmu->lbr.record[reg.index];

	if (reg.field == FIELD_INFO) {
		if (value &
		    ~(LBR_FLAG_MISPREDICTED | LBR_FLAGS_TSX | LBR_INFO_CYCLES))
			return false;
		record->info = value;
		return true;
	}
	if (!is_canonical(value, has_flag))
		return false;
	*(reg.field == FIELD_FROM ? &record->from : &record->to) = value;
	return true;
}

/* False: #GP. */
static bool write_field(struct pmu *pmu, struct lbr_register reg,
			uint64_t value)
{
	switch (reg.field) {
	case FIELD_DEBUGCTL:
		return write_debugctl(pmu, value);
	case FIELD_SELECT:
		return write_select(pmu, value);
	case FIELD_TOS:
		if (value >= pmu->model->lbr_depth)
			return false;
		pmu->lbr.tos = value;
		return true;
	default:
		return write_record(pmu, reg, value);
	}
}

enum pmu_result pmu_write_lbr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	return write_field(pmu, decode(pmu, msr), value) ? PMU_OK : PMU_GP;
}
