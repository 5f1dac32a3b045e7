// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow interrupts that cannot be masked, for states that want them.
 *
 * The NMI does two things: where interrupts are off it lets the high-level driver keep
 * the place, and it raises the vector of the overflow interrupt, which does all else
 * as soon as it can be taken.  So it needs no lock, touches no counter, and knows
 * nothing of the driver but one function.
 *
 * Owns nmi_cpu, which is changed on its CPU with interrupts off: by resume and suspend,
 * and by the NMI itself, which may come at any instruction of the two.
 *
 * Once a state has wanted NMIs the handler stays, and LVTPC follows the states that are
 * resumed: as an NMI for these, as the vector for the others.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/errno.h>
#include <linux/export.h>
#include <linux/jiffies.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ptrace.h>

#include <asm/nmi.h>
#include <asm/processor-flags.h>

#include "../perfctr_core.h"

/* Late NMIs that a CPU may wait for, and for how long. */
#define MOST_OWED	2
#define OWED_JIFFIES	2

/**
 * struct nmi_cpu - what the NMI of a CPU has to know
 * @state: is on the CPU and wants NMIs; NULL: no state does
 * @seen: its elements for whose overflow an NMI has come
 * @owed: NMIs that may still come for overflows that were found without them
 * @owed_until: jiffies after which they will not
 */
struct nmi_cpu {
	const struct perfctr_cpu_state *state;
	unsigned int seen;
	unsigned int owed;
	unsigned long owed_until;
};

static DEFINE_PER_CPU(struct nmi_cpu, nmi_cpu);
static DEFINE_MUTEX(use_lock);
static perfctr_nhandler_t capture; /* changes once, before the key */

/* Elements of the state on this CPU whose counter is at or beyond its overflow. */
static unsigned int nmi_overflowed(const struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	unsigned int overflowed = 0;
	u64 value;

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		rdpmcl(state->pmc[i].map, value);
		if ((int)value >= 0)
			overflowed |= BIT(i);
	}
	return overflowed;
}

NOKPROBE_SYMBOL(nmi_overflowed);

static void nmi_owe(struct nmi_cpu *cpu)
{
	if (cpu->owed < MOST_OWED)
		cpu->owed++;
	cpu->owed_until = jiffies + OWED_JIFFIES;
}

NOKPROBE_SYMBOL(nmi_owe);

/*
 * Has an overflow of this CPU caused the NMI?  On most processors, and some hosts, the
 * delivery masks LVTPC, and no other one follows until the vector has opened it.
 * Elsewhere a counter must have overflowed since the last NMI.
 */
static bool nmi_is_overflow(struct nmi_cpu *cpu)
{
	bool pending = __this_cpu_read(perfctr_nmi_pending);
	unsigned int overflowed = 0;

	if (cpu->state)
		overflowed = nmi_overflowed(cpu->state) & ~cpu->seen;
	cpu->seen |= overflowed;
	if (perfctr_lvtpc_was_masked())
		return !pending;
	/* Of several counters: the NMI of the second one may be on its way. */
	if (overflowed & (overflowed - 1))
		nmi_owe(cpu);
	return overflowed;
}

NOKPROBE_SYMBOL(nmi_is_overflow);

/* Is it one that came too late for its counter? */
static bool nmi_was_owed(struct nmi_cpu *cpu)
{
	if (!cpu->owed)
		return false;
	cpu->owed--;
	return time_before_eq(jiffies, cpu->owed_until);
}

NOKPROBE_SYMBOL(nmi_was_owed);

static __always_inline void nmi_raise(struct pt_regs *regs, u64 id, bool stack)
{
	capture(regs->flags & X86_EFLAGS_IF ? NULL : regs, id, stack);
	perfctr_vector_raise_in_nmi();
}

/**
 * perfctr_nmi_raise - have an overflow or a sample handled as soon as interrupts are on
 * @regs: interrupted
 * @id: names the control data that count
 * @stack: the calls in the kernel are wanted
 *
 * Context: NMI.
 */
void perfctr_nmi_raise(struct pt_regs *regs, u64 id, bool stack)
{
	nmi_raise(regs, id, stack);
}

NOKPROBE_SYMBOL(perfctr_nmi_raise);

/* Linux reports NMIs that no handler claims, and may panic: claim none but our own. */
static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpu);
	const struct perfctr_cpu_state *state = cpu->state;

	if (!nmi_is_overflow(cpu))
		return nmi_was_owed(cpu) ? NMI_HANDLED : NMI_DONE;
	__this_cpu_write(perfctr_nmi_pending, true);
	if (state) {
		nmi_raise(regs, perfctr_state_id(state),
			  state->nmi & PERFCTR_NMI_STACK);
	} else {
		nmi_was_owed(cpu);
		perfctr_vector_raise_in_nmi();
	}
	return NMI_HANDLED;
}

NOKPROBE_SYMBOL(nmi_handler);

/* See perfctr_core.h. */
void __perfctr_nmi_resume(const struct perfctr_cpu_state *state)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpu);

	if (state->nmi) {
		/* No NMI comes again for an overflow that the counter is beyond. */
		cpu->seen = perfctr_overflowed_starts(state);
		WRITE_ONCE(cpu->state, state);
	}
	perfctr_lvtpc_deliver(state->nmi);
}

/* An overflow without an NMI so far has one on its way, unless the entry is masked. */
void __perfctr_nmi_found(unsigned int overflowed)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpu);

	if (!cpu->state || !(overflowed & ~cpu->seen))
		return;
	if (perfctr_design->lvt_automask && __this_cpu_read(perfctr_nmi_pending))
		return;
	nmi_owe(cpu);
}

void __perfctr_nmi_suspend(const struct perfctr_cpu_state *state)
{
	__perfctr_nmi_found(state->overflowed);
	WRITE_ONCE(this_cpu_ptr(&nmi_cpu)->state, NULL);
}

/**
 * perfctr_cpu_has_nmi - can overflow interrupts be NMIs?
 *
 * Return: false without a local APIC, or if perfmon=nonmi was given.
 */
bool perfctr_cpu_has_nmi(void)
{
	return !perfctr_nonmi && !perfctr_design->no_rdpmc &&
	       perfctr_lvtpc_exists();
}
EXPORT_SYMBOL_GPL(perfctr_cpu_has_nmi);

/**
 * perfctr_cpu_use_nmi - prepare for states that want NMIs
 * @nhandler: called in each NMI of these states; the same function in all calls
 *
 * Context: may sleep.
 * Return: 0, or the error of register_nmi_handler().
 */
int perfctr_cpu_use_nmi(perfctr_nhandler_t nhandler)
{
	int err = 0;

	mutex_lock(&use_lock);
	if (!static_key_enabled(&perfctr_nmi_key)) {
		capture = nhandler;
		err = register_nmi_handler(NMI_LOCAL, nmi_handler, 0,
					   "perfctr");
		if (!err)
			static_branch_enable(&perfctr_nmi_key);
	}
	mutex_unlock(&use_lock);
	return err;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_use_nmi);

/* The driver ends: the PMU has been given back. */
void __init perfctr_nmi_exit(void)
{
	if (static_key_enabled(&perfctr_nmi_key))
		unregister_nmi_handler(NMI_LOCAL, "perfctr");
}
