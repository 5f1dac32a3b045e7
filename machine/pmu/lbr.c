// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records (LBR): the processor keeps from where to where the last taken branches
 * went, in registers. The owner of the model tells each one by pmu_record_branch(); this
 * file has which are recorded, and where.
 *
 * Records fill a ring. TOS is the place of the newest one. With a stack of calls, a
 * return takes away the newest record, which is its call. The level of a branch is the one
 * where it ends.
 *
 * An interrupt for an overflow stops recording if software has asked for it: a bit of the
 * global status does so from version 4 of the architectural PMU on, and before that
 * version the processor clears the enable bit. The instruction that overflows has retired
 * before: if it is a branch, it is recorded.
 *
 * Bits are as in Linux 6.12 (events/intel/lbr.c); lbr_registers.c has the registers.
 * Called by pmu.c and by the owner.
 */

#include <string.h>

#include "lbr.h"

/* A near relative call to the instruction behind it, which says where it is. */
#define CALL_BYTES 5

void pmu_reset_lbr(struct pmu *pmu)
{
	memset(&pmu->lbr, 0, sizeof(pmu->lbr));
	pmu->lbr.depth = pmu->model->lbr_depth;
}

bool pmu_has_lbr(const struct pmu *pmu)
{
	return pmu->model->lbr != PMU_LBR_NONE;
}

static bool freezes_by_status(const struct pmu *pmu)
{
	return pmu->model->version >= 4 || pmu->model->lbr == PMU_LBR_AMD;
}

static bool is_enabled(const struct pmu *pmu)
{
	switch (pmu->model->lbr) {
	case PMU_LBR_NONE:
		return false;
	case PMU_LBR_AMD:
		return pmu->lbr.extension & EXTENSION_LBR;
	case PMU_LBR_ARCH:
		return pmu->lbr.control & LBR_CTL_ENABLE;
	default:
		return pmu->lbr.debugctl & DEBUGCTL_LBR;
	}
}

bool pmu_records_branches(const struct pmu *pmu)
{
	return is_enabled(pmu) &&
	       !(freezes_by_status(pmu) && pmu->global_status & STATUS_LBR_FRZ);
}

void pmu_freeze_lbr(struct pmu *pmu)
{
	if (!pmu_has_lbr(pmu) || !(pmu->lbr.debugctl & DEBUGCTL_FREEZE_LBRS))
		return;
	if (pmu_records_branches(pmu))
		pmu->lbr.frozen = pmu->insns;
	if (freezes_by_status(pmu))
		pmu->global_status |= STATUS_LBR_FRZ;
	else
		pmu->lbr.debugctl &= ~DEBUGCTL_LBR;
}

void pmu_debug_exception(struct pmu *pmu)
{
	pmu->lbr.debugctl &= ~(DEBUGCTL_LBR | DEBUGCTL_BTF);
}

/* The model is up to date with a far branch that changes the level before it hears of it. */
static bool has_frozen(const struct pmu *pmu, const struct pmu_branch *branch)
{
	return branch->retires && branch->insns == pmu->lbr.frozen;
}

/* The bits of LBR_SELECT that leave it out. */
static uint64_t left_out_by(const struct pmu_branch *branch)
{
	static const uint64_t kinds[PMU_RETIRED_KINDS] = {
		[PMU_COND_TAKEN] = LBR_SELECT_COND,
		[PMU_CALL] = LBR_SELECT_CALL,
		[PMU_CALL_INDIRECT] = LBR_SELECT_CALL_INDIRECT,
		[PMU_RETURN] = LBR_SELECT_RETURN,
		[PMU_JUMP] = LBR_SELECT_JUMP,
		[PMU_JUMP_INDIRECT] = LBR_SELECT_JUMP_INDIRECT,
		[PMU_FAR] = LBR_SELECT_FAR,
	};

	return kinds[branch->kind] |
	       (branch->to_kernel ? LBR_SELECT_KERNEL : LBR_SELECT_USER);
}

/* A fault has mispredictions. */
static bool is_mispredicted(const struct pmu *pmu)
{
	const uint64_t number = pmu->stat[PMU_STAT_BRANCHES] + 1;

	return pmu->fault.mispredict && !(number % pmu->fault.mispredict);
}

/* The branch is outside of a transaction. */
static uint64_t from_field(const struct pmu *pmu, uint64_t address)
{
	const uint64_t flag = is_mispredicted(pmu) ? LBR_FLAG_MISPREDICTED : 0;

	switch (pmu->model->lbr) {
	case PMU_LBR_FLAGS:
	case PMU_LBR_AMD:
		return (address & ~LBR_FLAG_MISPREDICTED) | flag;
	case PMU_LBR_FLAGS_TSX:
		return (address & ~(LBR_FLAG_MISPREDICTED | LBR_FLAGS_TSX)) |
		       flag;
	default:
		return address;
	}
}

static uint64_t to_field(const struct pmu *pmu, uint64_t address)
{
	if (pmu->model->lbr == PMU_LBR_AMD)
		return (address & ~LBR_TO_FLAGS) | LBR_TO_VALID;
	return address;
}

/* Core cycles: three halves of the instructions. */
static uint64_t cycles_since(uint64_t before, uint64_t insns)
{
	const uint64_t cycles = 3 * insns / 2 - 3 * before / 2;

	return cycles < LBR_INFO_CYCLES ? cycles : LBR_INFO_CYCLES;
}

static uint64_t info_field(const struct pmu *pmu,
			   const struct pmu_branch *branch)
{
	static const uint64_t types[PMU_RETIRED_KINDS] = {
		[PMU_COND_TAKEN] = 0, [PMU_JUMP_INDIRECT] = 1,
		[PMU_JUMP] = 2,	      [PMU_CALL_INDIRECT] = 3,
		[PMU_CALL] = 4,	      [PMU_RETURN] = 5,
		[PMU_FAR] = 8,
	};
	uint64_t info = cycles_since(pmu->lbr.since, branch->insns);

	if (is_mispredicted(pmu))
		info |= LBR_FLAG_MISPREDICTED;
	if (pmu->model->lbr == PMU_LBR_ARCH)
		info |= LBR_INFO_CYCLES_VALID | types[branch->kind]
							<< LBR_INFO_TYPE_SHIFT;
	return info;
}

bool pmu_lbr_is_newest_first(const struct pmu *pmu)
{
	return pmu->model->lbr == PMU_LBR_AMD ||
	       pmu->model->lbr == PMU_LBR_ARCH;
}

unsigned int pmu_lbr_place(const struct pmu *pmu, unsigned int age)
{
	return (pmu->lbr.tos + pmu->lbr.depth - age) % pmu->lbr.depth;
}

static void push(struct pmu *pmu, const struct pmu_branch *branch)
{
	struct pmu_branch_record *record;

	pmu->lbr.tos = (pmu->lbr.tos + 1) % pmu->lbr.depth;
	record = &pmu->lbr.record[pmu->lbr.tos];
	record->from = from_field(pmu, branch->from);
	record->to = to_field(pmu, branch->to);
	record->info = info_field(pmu, branch);
	pmu->lbr.since = branch->insns;
	pmu->stat[PMU_STAT_BRANCHES]++;
}

/* A return from a call that is not on the stack takes nothing away. */
static void pop(struct pmu *pmu)
{
	struct pmu_branch_record *record = &pmu->lbr.record[pmu->lbr.tos];

	if (!record->from)
		return;
	memset(record, 0, sizeof(*record));
	pmu->lbr.tos = pmu_lbr_place(pmu, 1);
}

void pmu_record_branch(struct pmu *pmu, const struct pmu_branch *branch)
{
	const bool stacks = pmu->lbr.select & LBR_SELECT_CALL_STACK;

	if (!pmu_records_branches(pmu) && !has_frozen(pmu, branch))
		return;
	if (pmu->lbr.select & left_out_by(branch))
		return;
	if (stacks && branch->kind == PMU_RETURN)
		pop(pmu);
	else if (!stacks || branch->kind != PMU_CALL ||
		 branch->to != branch->from + CALL_BYTES)
		push(pmu, branch);
}
