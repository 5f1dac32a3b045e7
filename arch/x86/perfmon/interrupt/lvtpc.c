// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt through the APIC's LVTPC entry.
 *
 * Owns LVTPC of each CPU between perfctr_lvtpc_take() and _give(), and the
 * handler of the high-level driver.  vector_builtin.c has the vector.
 */
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>

#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/irq_vectors.h>

#include "../perfctr_core.h"

/* LVT entries are numbered from 0; LVTPC is the fifth.  P5's APIC has three. */
#define LVT_OF_LVTPC	4

static DEFINE_PER_CPU(bool, lvtpc_taken);
/* It is taken, and delivery masks it. */
static DEFINE_PER_CPU(bool, lvtpc_closes);
/* What the entry is while it is taken and open: the vector, or APIC_DM_NMI. */
static DEFINE_PER_CPU(u32, lvtpc_entry);
DEFINE_STATIC_KEY_FALSE(perfctr_nmi_key);
EXPORT_SYMBOL_GPL(perfctr_nmi_key);
DEFINE_PER_CPU(bool, perfctr_nmi_pending);
DEFINE_PER_CPU(bool, perfctr_lvtpc_closed);
DEFINE_PER_CPU(bool, perfctr_replayed);
EXPORT_PER_CPU_SYMBOL_GPL(perfctr_replayed);
static perfctr_ihandler_t overflow_handler;

bool perfctr_lvtpc_exists(void)
{
	return !perfctr_nointr && boot_cpu_has(X86_FEATURE_APIC) &&
	       lapic_get_maxlvt() >= LVT_OF_LVTPC;
}

/*
 * Write the entry, which opens it.  An NMI that comes for it is a new one, and it may
 * come at once.
 */
static __always_inline void lvtpc_write(void)
{
	if (static_branch_unlikely(&perfctr_nmi_key))
		__this_cpu_write(perfctr_nmi_pending, false);
	apic_write(APIC_LVTPC, __this_cpu_read(lvtpc_entry));
}

/* Context: on the CPU itself, interrupts off. */
void perfctr_lvtpc_take(void)
{
	if (!perfctr_lvtpc_exists())
		return;
	__this_cpu_write(lvtpc_taken, true);
	__this_cpu_write(lvtpc_closes, perfctr_design->lvt_automask);
	__this_cpu_write(perfctr_replayed, false);
	__this_cpu_write(lvtpc_entry, perfctr_lvtpc_vector());
	lvtpc_write();
}

/*
 * Is the entry of this CPU ours?
 *
 * Context: may not leave the CPU.
 */
bool perfctr_lvtpc_is_taken(void)
{
	return __this_cpu_read(lvtpc_taken);
}

/* Undo perfctr_lvtpc_take(). */
void perfctr_lvtpc_give(void)
{
	if (!perfctr_lvtpc_exists())
		return;
	__this_cpu_write(lvtpc_taken, false);
	__this_cpu_write(lvtpc_closes, false);
	apic_write(APIC_LVTPC, APIC_LVT_MASKED);
	perfctr_host_restore_lvtpc();
}

/* Mask the entry: this CPU gets no overflow interrupts. */
void perfctr_lvtpc_mask(void)
{
	if (perfctr_lvtpc_exists())
		apic_write(APIC_LVTPC, APIC_LVT_MASKED);
}

/* The entry of this CPU, also while it is not ours; 0 without one. */
u32 perfctr_lvtpc_read(void)
{
	return perfctr_lvtpc_exists() ? apic_read(APIC_LVTPC) : 0;
}

/*
 * Does the entry of this CPU say what was written last?
 *
 * Context: may not leave the CPU.
 */
bool perfctr_lvtpc_is_ours(u32 *found)
{
	u32 changing = APIC_SEND_PENDING;

	*found = perfctr_lvtpc_read();
	/* The vector that is going to open it has to wait while interrupts are off. */
	if (__this_cpu_read(perfctr_nmi_pending))
		changing |= APIC_LVT_MASKED;
	return !__this_cpu_read(lvtpc_taken) ||
	       (*found & ~changing) == __this_cpu_read(lvtpc_entry);
}

/*
 * Have overflows delivered as an NMI, or by the vector.
 *
 * Context: interrupts off.
 */
void perfctr_lvtpc_deliver(bool nmi)
{
	u32 entry = nmi ? APIC_DM_NMI : perfctr_lvtpc_vector();

	if (likely(__this_cpu_read(lvtpc_entry) == entry))
		return;
	/* A CPU of a module may have no vector: then it samples nothing. */
	if (!__this_cpu_read(lvtpc_taken) ||
	    (perfctr_lvtpc_vector() & APIC_LVT_MASKED))
		return;
	__this_cpu_write(lvtpc_entry, entry);
	lvtpc_write();
}

/*
 * Has the delivery of an NMI masked the entry?
 *
 * Context: any, also an NMI.
 */
bool perfctr_lvtpc_was_masked(void)
{
	return __this_cpu_read(lvtpc_taken) &&
	       __this_cpu_read(lvtpc_entry) == APIC_DM_NMI &&
	       (apic_read(APIC_LVTPC) & APIC_LVT_MASKED);
}

/*
 * Have the overflow interrupt again on this CPU, as soon as it takes one.
 *
 * Context: interrupts off.
 */
void perfctr_lvtpc_raise(void)
{
	__this_cpu_write(perfctr_replayed, true);
	__apic_send_IPI_self(perfctr_lvtpc_vector());
}

/*
 * perfctr_lvtpc_raise() for an interrupt that got lost.  The entry may have been
 * masked, and the next ones would get lost as well: write it.
 *
 * Context: interrupts off; not in the overflow interrupt.
 */
void perfctr_lvtpc_replay(void)
{
	lvtpc_write();
	perfctr_lvtpc_raise();
}

/* See perfctr_lvtpc_open(). */
void perfctr_lvtpc_reopen(void)
{
	__this_cpu_write(perfctr_lvtpc_closed, false);
	lvtpc_write();
}

/**
 * perfctr_cpu_set_ihandler - install the overflow handler
 * @ihandler: called with the interrupted instruction pointer; NULL for none
 *
 * The handler finds whatever state is on its CPU, if any: an interrupt may
 * arrive after the counters that raised it were stopped, in the next task.
 *
 * Context: after perfctr_cpu_reserve(), before any state is resumed.
 */
void perfctr_cpu_set_ihandler(perfctr_ihandler_t ihandler)
{
	WRITE_ONCE(overflow_handler, ihandler);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_set_ihandler);

/**
 * perfctr_lvtpc_interrupt - a counter of this CPU has overflowed
 * @regs: of the interrupted context
 *
 * Context: the interrupt, before it is acknowledged.
 */
void perfctr_lvtpc_interrupt(struct pt_regs *regs)
{
	perfctr_ihandler_t handler = READ_ONCE(overflow_handler);

	/*
	 * An interrupt that was in flight when the entry was given back must not take it
	 * again.  Nor does one before perfctr_cpu_init(), or with perfmon=off: a kernel
	 * that crashed while it sampled leaves such a request behind in the APIC, and
	 * the capture kernel takes it early.
	 */
	__this_cpu_write(perfctr_lvtpc_closed, __this_cpu_read(lvtpc_closes));
	if (likely(handler))
		handler(instruction_pointer(regs));
	perfctr_lvtpc_open();
}
