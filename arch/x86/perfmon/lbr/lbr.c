// SPDX-License-Identifier: GPL-2.0-only
/*
 * Last branch records (LBR): recording, and keeping the branches of one thread from
 * another one.
 *
 * The entries of the stack do not say whose they are.  So the stack is wiped before a set
 * records if other branches are in it, and when the program of its thread changes.  A
 * thread that comes back to its CPU before another set has recorded there still has its
 * branches.
 *
 * While no set records, the control leaves out everything.  That takes one write, and
 * DEBUGCTL, which has bits of others, is left alone.  Where the threads of a core share
 * the control, DEBUGCTL is cleared instead.
 *
 * An overflow freezes the stack, until the overflow is acknowledged; before version 4 of
 * the PMU it clears the bit in DEBUGCTL.  So does a debug exception.
 *
 * Owns the stack, its control and two bits of DEBUGCTL while the PMU is ours.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>
#include <linux/smp.h>

#include <asm/msr-index.h>
#include <asm/perfmon_compat.h>

#include "../build.h"
#include "../perfctr_core.h"
#include "lbr.h"

DEFINE_PER_CPU(u64, lbr_id);

static void lbr_change_bits(u32 msr, u64 clear, u64 set)
{
	u64 value, old;

	rdmsrl(msr, old);
	value = (old & ~clear) | set;
	if (value != old)
		wrmsrl(msr, value);
}

/* Nothing is being recorded. */
static void lbr_wipe(void)
{
	unsigned int i, n = lbr_design.depth * lbr_design.stride;

	if (lbr_design.wipe) {
		wrmsrl(lbr_design.wipe, lbr_design.depth);
		return;
	}
	for (i = 0; i < n; i += lbr_design.stride) {
		wrmsrl(lbr_design.from + i, 0);
		wrmsrl(lbr_design.to + i, 0);
		if (lbr_design.info)
			wrmsrl(lbr_design.info + i, 0);
	}
}

/* The first set since the PMU is ours: another user may have left anything. */
static void lbr_switch_on(void)
{
	if (lbr_design.enable)
		lbr_change_bits(lbr_design.enable, 0, LBR_ENABLE);
}

/**
 * perfmon_lbr_start - record the branches of a set on this CPU
 * @lbr: of the set
 * @id: names the set
 *
 * Context: interrupts off; used under the run-queue lock.
 */
void perfmon_lbr_start(struct perfmon_lbr *lbr, u64 id)
{
	int cpu = smp_processor_id();

	/* The PMU may have been given back, as for a reboot. */
	if (!perfctr_lvtpc_is_taken())
		return;
	if (__this_cpu_read(lbr_id) != id || lbr->cpu != cpu) {
		if (!__this_cpu_read(lbr_id))
			lbr_switch_on();
		lbr_wipe();
		__this_cpu_write(lbr_id, id);
		lbr->cpu = cpu;
	}
	wrmsrl(lbr_design.control, lbr->filter);
	lbr_change_bits(MSR_IA32_DEBUGCTLMSR, 0, lbr_design.debugctl);
}

/**
 * perfmon_lbr_stop - record no branches any more
 * @lbr: of the set that perfmon_lbr_start() was called for
 * @id: names the set
 *
 * Context: interrupts off; used under the run-queue lock.
 */
void perfmon_lbr_stop(const struct perfmon_lbr *lbr, u64 id)
{
	if (__this_cpu_read(lbr_id) != id)
		return;
	if (lbr_design.shared_filter)
		lbr_change_bits(MSR_IA32_DEBUGCTLMSR, lbr_design.debugctl, 0);
	else
		wrmsrl(lbr_design.control, lbr_design.off);
}

/**
 * perfmon_lbr_restart - forget the branches of a set that records on this CPU
 * @lbr: of the set
 * @id: names the set
 *
 * Context: interrupts off.
 */
void perfmon_lbr_restart(struct perfmon_lbr *lbr, u64 id)
{
	perfmon_lbr_stop(lbr, id);
	lbr->cpu = PERFMON_LBR_NOWHERE;
	perfmon_lbr_start(lbr, id);
}

/* Architectural records have bits for the branches that are recorded. */
static u64 lbr_architectural(u64 filter)
{
	static const struct {
		u64 left_out;
		u64 recorded;
	} bits[] = {
		{ LBR_NO_KERNEL, BIT_ULL(1) },
		{ LBR_NO_USER, BIT_ULL(2) },
		{ LBR_NO_COND, BIT_ULL(16) },
		{ LBR_NO_REL_JMP, BIT_ULL(17) },
		{ LBR_NO_IND_JMP, BIT_ULL(18) },
		{ LBR_NO_REL_CALL, BIT_ULL(19) },
		{ LBR_NO_IND_CALL, BIT_ULL(20) },
		{ LBR_NO_RETURN, BIT_ULL(21) },
		{ LBR_NO_FAR, BIT_ULL(22) },
	};
	u64 control = ARCH_LBR_CTL_LBREN;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		if (!(filter & bits[i].left_out))
			control |= bits[i].recorded;
	return control;
}

/* Jumps have to be recorded, too, where these are. */
static u64 lbr_widen(u64 filter)
{
	const u64 calls = LBR_NO_REL_CALL | LBR_NO_RETURN;

	if (!lbr_design.jumps_too)
		return filter;
	if (~filter & calls)
		return filter & ~(u64)(LBR_NO_REL_JMP | LBR_NO_IND_JMP);
	if (~filter & LBR_NO_IND_CALL)
		return filter & ~(u64)LBR_NO_IND_JMP;
	return filter;
}

/*
 * Returns from the kernel are far branches.  A thread without the kernel's branches has no
 * other ones, and no use for the entries that these would take.  On a CPU they tell where
 * the branches of another thread may begin.
 */
static u64 lbr_filter(u64 select, bool cpu_wide)
{
	u64 filter = lbr_widen(select);

	if (cpu_wide)
		filter &= ~(u64)LBR_NO_FAR;
	else if (select & LBR_NO_KERNEL)
		filter |= LBR_NO_FAR;
	return lbr_design.architectural ? lbr_architectural(filter) : filter;
}

/**
 * perfmon_lbr_build - let a set record branches as its PMC says
 * @set: its counters are built; on no CPU
 * @pmcs: values of PMCs by position
 * @used_pmcs: PMCs that were written, by position
 * @system_wide: it is of a CPU's session
 */
void perfmon_lbr_build(struct perfmon_arch_set *set, const u64 *pmcs,
		       const unsigned long *used_pmcs, bool system_wide)
{
	u64 select;

	set->also &= ~PERFMON_ALSO_LBR;
	if (!lbr_design.depth || !test_bit(lbr_design.pmc, used_pmcs))
		return;
	select = pmcs[lbr_design.pmc];
	if ((select & LBR_NOTHING) == LBR_NOTHING)
		return;
	set->also |= PERFMON_ALSO_LBR;
	set->lbr = (struct perfmon_lbr){
		.filter = lbr_filter(select, system_wide),
		.cpu = PERFMON_LBR_NOWHERE,
		.no_kernel = select & LBR_NO_KERNEL,
		.cpu_wide = system_wide,
	};
}

/**
 * perfctr_lbr_stop_cpu - the PMU of this CPU is ours no more
 *
 * The next user finds no branches.
 *
 * Context: interrupts off.
 */
void perfctr_lbr_stop_cpu(void)
{
	if (!__this_cpu_read(lbr_id))
		return;
	lbr_change_bits(MSR_IA32_DEBUGCTLMSR, lbr_design.debugctl, 0);
	if (lbr_design.enable)
		lbr_change_bits(lbr_design.enable, LBR_ENABLE, 0);
	wrmsrl(lbr_design.control, 0);
	lbr_wipe();
	__this_cpu_write(lbr_id, 0);
}
