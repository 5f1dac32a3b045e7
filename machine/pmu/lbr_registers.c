// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of branch records: DEBUGCTL, LBR_SELECT, TOS, and the records themselves.
 * Used by pmu.c.
 *
 * Reserved bits raise #GP, and so do addresses that are not canonical; on AMD's reserved
 * bits read as zero, and a record keeps all bits. The flags of a record may be written at
 * will. Of Haswell Linux knows that a write has to extend the address' sign into the bits
 * of its transactions if there are none.
 */

#include "lbr.h"

#define MSR_DEBUGCTL 0x1d9u

/* Kept: single steps by branches, BTS, freezing of counters, SMM; AMD's four pins. */
#define DEBUGCTL_INTEL (DEBUGCTL_BTF | 0x1fc0ull | 1ull << 14)
#define DEBUGCTL_AMD \
	(DEBUGCTL_BTF | 0x3cull | DEBUGCTL_FREEZE_LBRS | 1ull << 12)

enum lbr_field {
	FIELD_NONE,
	FIELD_DEBUGCTL,
	FIELD_SELECT,
	FIELD_TOS,
	FIELD_EXTENSION,
	FIELD_FROM,
	FIELD_TO,
	FIELD_INFO,
};

struct lbr_register {
	enum lbr_field field;
	unsigned int index; /* of the record */
};

/* Where they are, by the kind of records. */
struct layout {
	struct {
		uint32_t msr;
		enum lbr_field field;
	} control[2];
	uint32_t from, to, info; /* of the first record; 0: none */
	uint32_t step;
};

static const struct layout layouts[] = {
	[PMU_LBR_FLAGS] = { { { 0x1c8, FIELD_SELECT }, { 0x1c9, FIELD_TOS } },
			    0x680,
			    0x6c0,
			    0,
			    1 },
	[PMU_LBR_FLAGS_TSX] = { { { 0x1c8, FIELD_SELECT },
				  { 0x1c9, FIELD_TOS } },
				0x680,
				0x6c0,
				0,
				1 },
	[PMU_LBR_INFO] = { { { 0x1c8, FIELD_SELECT }, { 0x1c9, FIELD_TOS } },
			   0x680,
			   0x6c0,
			   0xdc0,
			   1 },
	[PMU_LBR_AMD] = { { { 0xc000010e, FIELD_SELECT },
			    { 0xc000010f, FIELD_EXTENSION } },
			  0xc0010300,
			  0xc0010301,
			  0,
			  2 },
};

static bool find_record(const struct pmu *pmu, uint32_t msr, uint32_t first,
			unsigned int *index)
{
	const uint32_t step = layouts[pmu->model->lbr].step;

	*index = (msr - first) / step;
	return first && msr >= first && !((msr - first) % step) &&
	       *index < pmu->model->lbr_depth;
}

static struct lbr_register decode(const struct pmu *pmu, uint32_t msr)
{
	const struct layout *l = &layouts[pmu->model->lbr];
	unsigned int i;

	if (!pmu_has_lbr(pmu))
		return (struct lbr_register){ FIELD_NONE, 0 };
	if (msr == MSR_DEBUGCTL)
		return (struct lbr_register){ FIELD_DEBUGCTL, 0 };
	for (i = 0; i < 2; i++)
		if (msr == l->control[i].msr)
			return (struct lbr_register){ l->control[i].field, 0 };
	if (find_record(pmu, msr, l->from, &i))
		return (struct lbr_register){ FIELD_FROM, i };
	if (find_record(pmu, msr, l->to, &i))
		return (struct lbr_register){ FIELD_TO, i };
	if (find_record(pmu, msr, l->info, &i))
		return (struct lbr_register){ FIELD_INFO, i };
	return (struct lbr_register){ FIELD_NONE, 0 };
}

bool pmu_is_lbr_msr(const struct pmu *pmu, uint32_t msr)
{
	return decode(pmu, msr).field != FIELD_NONE;
}

/* Of some processors the first registers have the newest record. */
static struct pmu_branch_record *record_at(struct pmu *pmu, unsigned int index)
{
	const unsigned int depth = pmu->model->lbr_depth;

	if (pmu->model->lbr == PMU_LBR_AMD)
		index = (pmu->lbr.tos + depth - index) % depth;
	return &pmu->lbr.record[index];
}

/* The register's value is there. */
static uint64_t *field_of(struct pmu *pmu, struct lbr_register reg)
{
	switch (reg.field) {
	case FIELD_NONE:
	case FIELD_DEBUGCTL:
		break;
	case FIELD_SELECT:
		return &pmu->lbr.select;
	case FIELD_TOS:
		return &pmu->lbr.tos;
	case FIELD_EXTENSION:
		return &pmu->lbr.extension;
	case FIELD_FROM:
		return &record_at(pmu, reg.index)->from;
	case FIELD_TO:
		return &record_at(pmu, reg.index)->to;
	case FIELD_INFO:
		return &record_at(pmu, reg.index)->info;
	}
	return &pmu->lbr.debugctl;
}

enum pmu_result pmu_read_lbr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	*value = *field_of(pmu, decode(pmu, msr));
	return PMU_OK;
}

/* The bits that a register of Intel's has. */
static uint64_t bits_of(const struct pmu *pmu, enum lbr_field field)
{
	switch (field) {
	case FIELD_DEBUGCTL:
		return DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS | DEBUGCTL_INTEL;
	case FIELD_SELECT:
		return LBR_SELECT_KINDS | (pmu->model->lbr == PMU_LBR_FLAGS ?
						   0 :
						   LBR_SELECT_CALL_STACK);
	case FIELD_TOS:
		return pmu->model->lbr_depth - 1;
	case FIELD_INFO:
		return LBR_FLAG_MISPREDICTED | LBR_FLAGS_TSX | LBR_INFO_CYCLES;
	default:
		return UINT64_MAX;
	}
}

/* Bits 62 to 47 are equal, and bit 63, which is a flag or one of them. */
static bool is_canonical(uint64_t address, bool has_flag)
{
	const uint64_t signs = (has_flag ? address << 1 >> 1 : address) >> 47;

	return !signs || signs == (has_flag ? 0xffff : 0x1ffff);
}

static bool is_refused(const struct pmu *pmu, enum lbr_field field,
		       uint64_t value)
{
	if (value & ~bits_of(pmu, field))
		return true;
	if (field == FIELD_FROM)
		return !is_canonical(value, pmu->model->lbr != PMU_LBR_INFO);
	return field == FIELD_TO && !is_canonical(value, false);
}

/* AMD's registers do not have them: they read as zero. */
static uint64_t without_reserved(enum lbr_field field, uint64_t value)
{
	switch (field) {
	case FIELD_DEBUGCTL:
		return value & (DEBUGCTL_LBR | DEBUGCTL_AMD);
	case FIELD_SELECT:
		return value & LBR_SELECT_KINDS;
	case FIELD_EXTENSION:
		return value & EXTENSION_LBR;
	default:
		return value;
	}
}

enum pmu_result pmu_write_lbr(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	const struct lbr_register reg = decode(pmu, msr);
	const bool recorded = pmu_records_branches(pmu);

	if (pmu->model->lbr == PMU_LBR_AMD)
		value = without_reserved(reg.field, value);
	else if (is_refused(pmu, reg.field, value))
		return PMU_GP;
	*field_of(pmu, reg) = value;
	if (!recorded && pmu_records_branches(pmu))
		pmu->lbr.since = pmu->insns;
	return PMU_OK;
}
