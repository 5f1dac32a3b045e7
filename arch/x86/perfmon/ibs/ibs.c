// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instruction-based sampling (IBS) of AMD processors: the units' registers, and the NMI
 * of a sample.
 *
 * The hardware interrupts through an entry of the APIC's extended LVT, which perf_event
 * has made an NMI at boot and which stays so.  As for counters (interrupt/nmi.c) the NMI
 * keeps the place where interrupts are off and raises the vector of the overflow
 * interrupt.  A unit stands still after its sample, so that the registers can wait for
 * that.
 *
 * Owns the registers of IBS while a session has claimed them, and ibs_cpu, which is
 * changed on its CPU with interrupts off, and by the NMI.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perfmon_pmu.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/nmi.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "../build.h"
#include "ibs.h"
#include "../perfctr_core.h"

/* Jiffies for which an NMI of a unit that was stopped meanwhile may still come. */
#define LATE_JIFFIES	2

/* In the control of the op unit: how far the period has come. */
#define OP_CURRENT	GENMASK_ULL(58, 32)

/* The shortest periods that Linux knows to work. */
#define FETCH_LEAST	0x10
#define OP_LEAST	0x90

/**
 * struct ibs_cpu - what the NMI of a CPU has to know
 * @id: names the set whose units run
 * @on: these units, one bit each
 * @seen: units for whose sample an NMI has come
 * @waits: units whose sample the last tick has found
 * @foreign: units that another user of IBS has stopped, as an NMI has found
 * @stack: the calls in the kernel are wanted
 * @late: an NMI of a unit that was stopped may still come
 * @late_until: jiffies after which it will not
 */
struct ibs_cpu {
	u64 id;
	u8 on;
	u8 seen;
	u8 waits;
	u8 foreign;
	bool stack;
	bool late;
	unsigned long late_until;
};

static DEFINE_PER_CPU(struct ibs_cpu, ibs_cpu);
static DEFINE_MUTEX(claim_lock);
static bool handler_registered;

/* An NMI may come whose sample is gone; called before a unit is stopped. */
static void ibs_expect_late(struct ibs_cpu *cpu)
{
	cpu->late_until = jiffies + LATE_JIFFIES;
	WRITE_ONCE(cpu->late, true);
}

/* Is it one that came too late for its sample? */
static bool ibs_nmi_is_late(struct ibs_cpu *cpu)
{
	if (!cpu->late)
		return false;
	cpu->late = false;
	return time_before_eq(jiffies, cpu->late_until);
}

NOKPROBE_SYMBOL(ibs_nmi_is_late);

/*
 * Linux reports NMIs that no handler claims.  After a unit was stopped one may come
 * whose sample is gone, as perf_event has found: it is claimed once.  So is the NMI
 * that finds a unit stopped by another user of IBS.
 */
static int ibs_nmi_handler(unsigned int type, struct pt_regs *regs)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	unsigned int i, new = 0, foreign = 0;
	u64 ctl;

	for (i = 0; i < PERFMON_IBS_UNITS; i++) {
		if (!(cpu->on & ~cpu->seen & BIT(i)))
			continue;
		rdmsrl(ibs_units[i].ctl, ctl);
		if (ctl & ibs_units[i].valid)
			new |= BIT(i);
		else if (!(ctl & ibs_units[i].enable))
			foreign |= BIT(i) & ~cpu->foreign;
	}
	cpu->foreign |= foreign;
	if (new) {
		/* Of both units: the NMI of the second one may be on its way. */
		if (new & (new - 1))
			ibs_expect_late(cpu);
		cpu->seen |= new;
		perfctr_nmi_raise(regs, cpu->id, cpu->stack);
		return NMI_HANDLED;
	}
	return foreign || ibs_nmi_is_late(cpu) ? NMI_HANDLED : NMI_DONE;
}

NOKPROBE_SYMBOL(ibs_nmi_handler);

/* Fetch units of families 16h to 18h begin a period only when they are enabled anew. */
static bool ibs_needs_edge(unsigned int unit)
{
	return unit == PERFMON_IBS_FETCH && boot_cpu_data.x86 >= 0x16 &&
	       boot_cpu_data.x86 <= 0x18;
}

static void ibs_start_unit(const struct perfmon_ibs *ibs, unsigned int unit)
{
	const struct ibs_unit *u = &ibs_units[unit];

	if (ibs_needs_edge(unit))
		wrmsrl(u->ctl, ibs->next[unit] & ~u->enable);
	wrmsrl(u->ctl, ibs->next[unit]);
}

/**
 * perfmon_ibs_start - let the units of a set run on this CPU
 * @ibs: of the set
 * @id: names the set
 * @stack: the calls in the kernel are wanted
 *
 * A sample that has not been recorded yet interrupts again, and its unit waits for that.
 *
 * Context: interrupts off.
 */
void perfmon_ibs_start(struct perfmon_ibs *ibs, u64 id, bool stack)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	unsigned int i;

	cpu->id = id;
	cpu->stack = stack;
	cpu->seen = 0;
	cpu->waits = 0;
	cpu->foreign = 0;
	/* Nothing runs once the PMU of the CPU has been given back, as for a reboot. */
	WRITE_ONCE(cpu->on,
		   perfctr_lvtpc_is_taken() ? ibs->on & ~ibs->sampled : 0);
	if (ibs->sampled) {
		ibs->late |= ibs->sampled;
		perfctr_lvtpc_raise();
	}
	for (i = 0; i < PERFMON_IBS_UNITS; i++)
		if (cpu->on & BIT(i))
			ibs_start_unit(ibs, i);
}

/**
 * perfmon_ibs_tick - look for what ended sampling on this CPU
 * @ibs: of the set whose units run
 *
 * A sample that two ticks in a row find has lost its interrupt, which is raised anew.  A
 * unit that is off, after a sleep of the machine or because of another user, is started.
 *
 * Context: the tick.
 */
void perfmon_ibs_tick(struct perfmon_ibs *ibs)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	unsigned int i, waits = 0;
	u64 ctl;

	for (i = 0; i < PERFMON_IBS_UNITS; i++) {
		if (!(cpu->on & BIT(i)))
			continue;
		rdmsrl(ibs_units[i].ctl, ctl);
		if (ctl & ibs_units[i].valid)
			waits |= BIT(i);
		else if (!(ctl & ibs_units[i].enable))
			ibs_start_unit(ibs, i);
	}
	WRITE_ONCE(cpu->foreign, 0);
	if (waits & cpu->waits) {
		perfctr_lvtpc_raise();
		waits = 0;
	}
	cpu->waits = waits;
}

/* Registers beside the consecutive ones, as far as the processor has them. */
static void ibs_read_others(struct perfmon_ibs *ibs, unsigned int unit)
{
	if (unit == PERFMON_IBS_FETCH) {
		if (ibs_caps & IBS_CAPS_FETCHCTLEXTD)
			rdmsrl(MSR_AMD64_ICIBSEXTDCTL,
			       ibs->data[PERFMON_IBS_FETCH_EXTENDED]);
		return;
	}
	if (ibs_caps & IBS_CAPS_BRNTRGT)
		rdmsrl(MSR_AMD64_IBSBRTARGET, ibs->data[PERFMON_IBS_OP_TARGET]);
	if (ibs_caps & IBS_CAPS_OPDATA4)
		rdmsrl(MSR_AMD64_IBSOPDATA4, ibs->data[PERFMON_IBS_OP_DATA4]);
}

static void ibs_take_sample(struct perfmon_ibs *ibs, unsigned int unit, u64 ctl)
{
	const struct ibs_unit *u = &ibs_units[unit];
	unsigned int i;

	ibs->data[u->first] = ctl;
	for (i = 1; i < u->nr; i++)
		rdmsrl(u->ctl + i, ibs->data[u->first + i]);
	ibs_read_others(ibs, unit);
	ibs->sampled |= BIT(unit);
	ibs->late &= ~BIT(unit);
	ibs->hidden &= ~BIT(unit);
	ibs->cleared &= ~BIT(unit);
	if (ibs->user_only & BIT(unit))
		ibs_hide_kernel(ibs, unit);
}

/* What a unit is started with next, after it had this control. */
static u64 ibs_next(const struct perfmon_ibs *ibs, unsigned int unit, u64 ctl)
{
	u64 keep = 0;

	if (unit == PERFMON_IBS_FETCH)
		keep = ctl & ibs_units[unit].valid ? 0 : IBS_FETCH_CNT;
	else if (ibs_caps & IBS_CAPS_RDWROPCNT && !(ctl & ibs_units[unit].valid))
		keep = OP_CURRENT;
	else if (ibs_caps & IBS_CAPS_RDWROPCNT && ctl & IBS_OP_CNT_CTL)
		keep = IBS_OP_CUR_CNT_RAND;
	return ibs->ctl[unit] | (ctl & keep);
}

static void ibs_stop_unit(struct perfmon_ibs *ibs, unsigned int unit)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	const struct ibs_unit *u = &ibs_units[unit];
	bool late = cpu->late;
	u64 ctl;

	ibs_expect_late(cpu);
	rdmsrl(u->ctl, ctl);
	/* Erratum 420 of family 10h: the count has to go before the enable bit. */
	if (boot_cpu_data.x86 == 0x10)
		wrmsrl(u->ctl, ctl & ~IBS_OP_MAX_CNT);
	wrmsrl(u->ctl, 0);
	/* An NMI that has come has seen the sample, perhaps after @ctl was read. */
	if (READ_ONCE(cpu->seen) & BIT(unit)) {
		ctl |= u->valid;
		cpu->late = late;
	}
	ibs->next[unit] = ibs_next(ibs, unit, ctl);
	if (ctl & u->valid)
		ibs_take_sample(ibs, unit, ctl);
}

/**
 * perfmon_ibs_stop - stop the units of a set, and read their samples
 * @ibs: of the set, whose units run on this CPU
 *
 * Context: interrupts off.
 */
void perfmon_ibs_stop(struct perfmon_ibs *ibs)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	unsigned int i;

	for (i = 0; i < PERFMON_IBS_UNITS; i++)
		if (cpu->on & BIT(i))
			ibs_stop_unit(ibs, i);
	WRITE_ONCE(cpu->on, 0);
}

/* The units as the PMCs of a set say; periods go on unless the user has changed them. */
static void ibs_build_unit(struct perfmon_ibs *ibs, unsigned int unit, u64 ctl)
{
	bool was_on = ibs->on & BIT(unit);

	if (!(ctl & ibs_units[unit].enable)) {
		ibs->on &= ~BIT(unit);
		ibs->sampled &= ~BIT(unit);
		return;
	}
	ibs->on |= BIT(unit);
	if (!was_on || ibs->ctl[unit] != ctl)
		ibs->next[unit] = ctl;
	ibs->ctl[unit] = ctl;
}

/**
 * perfmon_ibs_build - let the units of a set run as its PMCs say
 * @set: its counters are built; on no CPU
 * @pmcs: values of PMCs by position
 * @used_pmds: PMDs that are used, by position
 */
void perfmon_ibs_build(struct perfmon_arch_set *set, const u64 *pmcs,
		       const unsigned long *used_pmds)
{
	unsigned int i, pmd, reg;

	if (!ibs_caps)
		return;
	for (i = 0; i < PERFMON_IBS_UNITS; i++)
		ibs_build_unit(&set->ibs, i, pmcs[ibs_pmc[i]]);
	set->also &= ~PERFMON_ALSO_IBS;
	if (!set->ibs.on)
		return;
	set->also |= PERFMON_ALSO_IBS;
	for_each_set_bit(pmd, used_pmds, PERFMON_ARCH_MAX_PMDS) {
		reg = perfmon_pmu.pmds[pmd].hw - PERFMON_HW_IBS;
		if (reg < PERFMON_IBS_REGS && set->ibs.on & BIT(ibs_unit_of(reg)))
			set->element[pmd] = PERFMON_IBS_ELEMENT + reg;
	}
}

/* Is the limit of an enabled unit one that works?  0, or -EINVAL. */
int perfmon_ibs_check(const struct perfmon_reg *reg, u64 value)
{
	unsigned int unit = reg->addr == MSR_AMD64_IBSOPCTL ? PERFMON_IBS_OP :
							      PERFMON_IBS_FETCH;
	u64 least = unit == PERFMON_IBS_OP ? OP_LEAST : FETCH_LEAST;

	if (!(value & ibs_units[unit].enable))
		return 0;
	return ibs_limit(value, unit) < least ? -EINVAL : 0;
}

/**
 * perfmon_ibs_claim - claim the units for a session
 * @nhandler: as for perfmon_arch_use_nmi()
 *
 * Context: may sleep.
 * Return: 0; -EBUSY: perf_event uses them; or the error of register_nmi_handler().
 */
int perfmon_ibs_claim(perfmon_nhandler_t nhandler)
{
	int err;

	if (!perfctr_host_take_ibs())
		return -EBUSY;
	err = perfctr_cpu_use_nmi(nhandler);
	mutex_lock(&claim_lock);
	if (!err && !handler_registered) {
		err = register_nmi_handler(NMI_LOCAL, ibs_nmi_handler, 0,
					   "perfctr_ibs");
		handler_registered = !err;
	}
	mutex_unlock(&claim_lock);
	if (err)
		perfctr_host_give_ibs();
	return err;
}

/** perfmon_ibs_unclaim - undo perfmon_ibs_claim() */
void perfmon_ibs_unclaim(void)
{
	perfctr_host_give_ibs();
}

/*
 * The PMU is given back, or the machine goes down: the units of this CPU stop.
 *
 * Context: interrupts off.
 */
void perfctr_ibs_stop_cpu(void)
{
	struct ibs_cpu *cpu = this_cpu_ptr(&ibs_cpu);
	unsigned int i;

	for (i = 0; i < PERFMON_IBS_UNITS; i++) {
		if (!(cpu->on & BIT(i)))
			continue;
		ibs_expect_late(cpu);
		wrmsrl(ibs_units[i].ctl, 0);
	}
	WRITE_ONCE(cpu->on, 0);
}

/* The driver ends: no session is left. */
void __init perfctr_ibs_exit(void)
{
	if (handler_registered)
		unregister_nmi_handler(NMI_LOCAL, "perfctr_ibs");
}
