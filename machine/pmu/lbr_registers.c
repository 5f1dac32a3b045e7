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

#include <string.h>

#include "lbr.h"

#define MSR_DEBUGCTL 0x1d9u

/* Kept: single steps by branches, BTS, freezing of counters, SMM; AMD's four pins. */
#define DEBUGCTL_INTEL (DEBUGCTL_BTF | 0x1fc0ull | 1ull << 14)
#define DEBUGCTL_AMD \
	(DEBUGCTL_BTF | 0x3cull | DEBUGCTL_FREEZE_LBRS | 1ull << 12)

#define LBR_INFO_BITS (LBR_FLAG_MISPREDICTED | LBR_FLAGS_TSX | LBR_INFO_CYCLES)

/* Leaf 28: 8, 16 and 32 records; levels, kinds, the stack of calls; what INFO has. */
#define CPUID_LBR_DEPTHS 0x0bu
#define CPUID_LBR_LINEAR (1u << 31)
#define CPUID_LBR_FILTERS 0x7u
#define CPUID_LBR_INFO 0x7u

enum lbr_field {
	FIELD_NONE,
	FIELD_DEBUGCTL,
	FIELD_SELECT,
	FIELD_TOS,
	FIELD_EXTENSION,
	FIELD_CONTROL,
	FIELD_DEPTH,
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
	[PMU_LBR_ARCH] = { { { 0x14ce, FIELD_CONTROL },
			     { 0x14cf, FIELD_DEPTH } },
			   0x1500,
			   0x1600,
			   0x1200,
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

static struct pmu_branch_record *record_at(struct pmu *pmu, unsigned int index)
{
	if (pmu_lbr_is_newest_first(pmu))
		index = pmu_lbr_place(pmu, index);
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
	case FIELD_CONTROL:
		return &pmu->lbr.control;
	case FIELD_DEPTH:
		return &pmu->lbr.depth;
	case FIELD_FROM:
		return &record_at(pmu, reg.index)->from;
	case FIELD_TO:
		return &record_at(pmu, reg.index)->to;
	case FIELD_INFO:
		return &record_at(pmu, reg.index)->info;
	}
	return &pmu->lbr.debugctl;
}

/* Registers of records that are not in use do not answer. */
static bool is_absent(const struct pmu *pmu, struct lbr_register reg)
{
	return reg.index >= pmu->lbr.depth;
}

enum pmu_result pmu_read_lbr(struct pmu *pmu, uint32_t msr, uint64_t *value)
{
	const struct lbr_register reg = decode(pmu, msr);

	if (is_absent(pmu, reg))
		return PMU_GP;
	*value = *field_of(pmu, reg);
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
	case FIELD_CONTROL:
		return LBR_CTL_BITS;
	case FIELD_INFO:
		if (pmu->model->lbr == PMU_LBR_ARCH)
			return LBR_INFO_BITS | LBR_INFO_TYPE |
			       LBR_INFO_CYCLES_VALID;
		return LBR_INFO_BITS;
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
	switch (field) {
	case FIELD_FROM:
		return !is_canonical(value, pmu->model->lbr == PMU_LBR_FLAGS ||
						    pmu->model->lbr ==
							    PMU_LBR_FLAGS_TSX);
	case FIELD_TO:
		return !is_canonical(value, false);
	case FIELD_DEPTH:
		return value != 8 && value != 16 && value != 32;
	default:
		return false;
	}
}

/* What LBR_SELECT would be: there the branches that are left out have bits. */
static uint64_t selection_of(uint64_t control)
{
	static const struct {
		uint64_t wanted, left_out;
	} bits[] = {
		{ 1ull << 1, LBR_SELECT_KERNEL },
		{ 1ull << 2, LBR_SELECT_USER },
		{ 1ull << 16, LBR_SELECT_COND },
		{ 1ull << 17, LBR_SELECT_JUMP },
		{ 1ull << 18, LBR_SELECT_JUMP_INDIRECT },
		{ 1ull << 19, LBR_SELECT_CALL },
		{ 1ull << 20, LBR_SELECT_CALL_INDIRECT },
		{ 1ull << 21, LBR_SELECT_RETURN },
		{ 1ull << 22, LBR_SELECT_FAR },
	};
	uint64_t select = control & 1ull << 3 ? LBR_SELECT_CALL_STACK : 0;
	unsigned int i;

	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (!(control & bits[i].wanted))
			select |= bits[i].left_out;
	return select;
}

/* A write of the depth forgets all records, also of the same one. */
static void written(struct pmu *pmu, enum lbr_field field)
{
	if (field == FIELD_CONTROL)
		pmu->lbr.select = selection_of(pmu->lbr.control);
	if (field == FIELD_DEBUGCTL && pmu->model->lbr == PMU_LBR_ARCH)
		pmu->lbr.debugctl &= ~DEBUGCTL_LBR;
	if (field == FIELD_DEPTH) {
		pmu->lbr.tos = 0;
		memset(pmu->lbr.record, 0, sizeof(pmu->lbr.record));
	}
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

	if (is_absent(pmu, reg))
		return PMU_GP;
	if (pmu->model->lbr == PMU_LBR_AMD)
		value = without_reserved(reg.field, value);
	else if (is_refused(pmu, reg.field, value))
		return PMU_GP;
	*field_of(pmu, reg) = value;
	written(pmu, reg.field);
	if (!recorded && pmu_records_branches(pmu))
		pmu->lbr.since = pmu->insns;
	return PMU_OK;
}

bool pmu_cpuid_lbr(const struct pmu *pmu, uint32_t regs[4])
{
	if (pmu->model->lbr != PMU_LBR_ARCH)
		return false;
	regs[0] = CPUID_LBR_DEPTHS | CPUID_LBR_LINEAR;
	regs[1] = CPUID_LBR_FILTERS;
	regs[2] = CPUID_LBR_INFO;
	regs[3] = 0;
	return true;
}
