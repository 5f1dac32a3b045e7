// SPDX-License-Identifier: GPL-2.0-only
/*
 * The entries of the stack of branches: reading them, and leaving out what the session may
 * not see.
 */
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>
#include <linux/smp.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include <asm/msr-index.h>
#include <asm/perfmon_compat.h>

#include "lbr.h"

/* Of an origin, if its entry has no information beside it, and of that information. */
#define ENTRY_MISPREDICTED	BIT_ULL(63)
#define ENTRY_IN_TX		BIT_ULL(62)
#define ENTRY_ABORT		BIT_ULL(61)
#define INFO_CYCLES		0xffffULL

#define CYCLES_SHIFT		16

/* Of a destination, if lbr_design.valid_in_to. */
#define TO_VALID		BIT_ULL(63)
#define TO_SPECULATIVE		BIT_ULL(62)
#define TO_WRONG		BIT_ULL(61)

/* An address whose upper @bits bits are something else. */
static u64 entry_address(u64 value, unsigned int bits)
{
	return (u64)((s64)(value << bits) >> bits);
}

/* What bits 63:61 say, wherever they are. */
static u64 entry_flags(u64 flags)
{
	u64 info = 0;

	if (flags & ENTRY_MISPREDICTED)
		info = PFM_PRECISE_SMPL_BR_MISPREDICTED;
	else if (!lbr_design.no_prediction)
		info = PFM_PRECISE_SMPL_BR_PREDICTED;
	if (!lbr_design.has_tsx)
		return info;
	if (flags & ENTRY_IN_TX)
		info |= PFM_PRECISE_SMPL_BR_IN_TX;
	if (flags & ENTRY_ABORT)
		info |= PFM_PRECISE_SMPL_BR_ABORT;
	return info;
}

/**
 * lbr_decode - decode an entry
 * @from: its origin, as its register has it
 * @to: its destination
 * @info: its information; unused if this processor has none
 * @branch: filled
 *
 * Return: false: no branch was recorded there.
 */
bool lbr_decode(u64 from, u64 to, u64 info,
		struct pfm_precise_smpl_branch *branch)
{
	branch->from = entry_address(from, lbr_design.from_flags);
	branch->to = entry_address(to, lbr_design.to_flags);
	branch->info = entry_flags(lbr_design.info ? info : from);
	if (lbr_design.cycles_in_to)
		branch->info |= to >> (64 - lbr_design.to_flags) << CYCLES_SHIFT;
	if (lbr_design.info &&
	    (info & lbr_design.cycles_valid) == lbr_design.cycles_valid)
		branch->info |= (info & INFO_CYCLES) << CYCLES_SHIFT;
	if (!lbr_design.valid_in_to)
		return true;
	if (!(to & TO_VALID))
		branch->info |= PFM_PRECISE_SMPL_BR_WRONG_PATH;
	/* Erratum 1452: the third bit marks an entry that is wrong. */
	return to & (TO_VALID | TO_SPECULATIVE) && !(to & TO_WRONG);
}

/**
 * lbr_judge - does the session see a branch?
 * @lbr: of its set
 * @branch: decoded
 *
 * Return: LBR_HIDDEN: not this one; LBR_LAST: neither it nor any before it.
 */
enum lbr_fate lbr_judge(const struct perfmon_lbr *lbr,
			const struct pfm_precise_smpl_branch *branch)
{
	bool from_kernel = perfmon_arch_is_kernel(branch->from);
	bool to_kernel = perfmon_arch_is_kernel(branch->to);

	if (lbr->cpu_wide && from_kernel != to_kernel)
		return LBR_LAST;
	return lbr->no_kernel && (from_kernel || to_kernel) ? LBR_HIDDEN :
							      LBR_KEPT;
}

static bool entry_read(unsigned int i, u64 from,
		       struct pfm_precise_smpl_branch *branch)
{
	u64 to, info = 0;

	rdmsrl(lbr_design.to + i, to);
	if (lbr_design.info)
		rdmsrl(lbr_design.info + i, info);
	return lbr_decode(from, to, info, branch);
}

/* The MSR of entry @n, counted from the newest, as a distance from the first entry's. */
static unsigned int entry_place(u64 top, unsigned int n)
{
	if (lbr_design.has_top)
		return (top - n) & (lbr_design.depth - 1);
	return n * lbr_design.stride;
}

/* The stack has branches of the set, and nothing was recorded after them. */
static bool entries_are_of(const struct perfmon_arch_set *set)
{
	return set->also & PERFMON_ALSO_LBR &&
	       set->lbr.cpu == smp_processor_id() &&
	       __this_cpu_read(lbr_id) == perfmon_arch_id(set);
}

/**
 * perfmon_arch_branches - read the last branches of a set
 * @set: was recording on this CPU, and is held
 * @branches: filled, newest first; has room for as many as the stack has
 *
 * Of a set of a CPU these are the branches since the program entered the kernel or left it
 * last: earlier ones may be another thread's.
 *
 * Context: interrupts off.
 * Return: their number; 0 also if the set records none.
 */
unsigned int perfmon_arch_branches(const struct perfmon_arch_set *set,
				   struct pfm_precise_smpl_branch *branches)
{
	struct pfm_precise_smpl_branch branch;
	unsigned int i, n, nr = 0;
	enum lbr_fate fate;
	u64 top = 0, from;

	if (!entries_are_of(set))
		return 0;
	if (lbr_design.has_top)
		rdmsrl(MSR_LBR_TOS, top);
	for (n = 0; n < lbr_design.depth; n++) {
		i = entry_place(top, n);
		rdmsrl(lbr_design.from + i, from);
		if (!from)
			break;
		/* Programs may read all of @branches. */
		if (!entry_read(i, from, &branch))
			continue;
		fate = lbr_judge(&set->lbr, &branch);
		if (fate == LBR_LAST)
			break;
		if (fate == LBR_KEPT)
			branches[nr++] = branch;
	}
	return nr;
}
