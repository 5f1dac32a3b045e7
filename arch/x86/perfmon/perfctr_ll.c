// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfctr low-level core: counters of the x86 processors.
 *
 * Reads the counters and writes the per-CPU control cache.  The high-level driver owns
 * each perfctr_cpu_state and calls suspend and resume in its context-switch path; no
 * function there locks, allocates or makes an indirect call.  reserve.c decides whether
 * the hardware is ours, check.c which values may reach it, and lvtpc.c handles the
 * interrupt.
 *
 * Accumulation-mode counters are never written and never stopped: the hardware keeps
 * counting, and a state adds up the differences between reads of the low 32 bits.  So a
 * switch between states whose control is already on the CPU writes no MSR.
 * Interrupt-mode counters are stopped when their state leaves the CPU, because the next
 * thread must not get their interrupts ("Caching" in Documentation/arch/x86/perfctr.rst).
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/static_call.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "perfctr_core.h"

static void ll_write_nothing(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
}

static void ll_ack_nothing(const struct perfctr_cpu_state *state,
			   unsigned int elements)
{
}

/* perfctr_cpu_init() makes these direct calls, once. */
DEFINE_STATIC_CALL(perfctr_write_control, ll_write_nothing);
DEFINE_STATIC_CALL(perfctr_stop_ictrs, ll_write_nothing);
DEFINE_STATIC_CALL(perfctr_ack_overflow, ll_ack_nothing);

/* The counters of the first Pentium can be read as MSRs only. */
static DEFINE_STATIC_KEY_FALSE(perfctr_no_rdpmc);
static unsigned int first_counter_msr __ro_after_init;

DEFINE_STATIC_KEY_FALSE(perfctr_no_peek_key);
/* Erratum: the first write to a counter may be lost. */
static DEFINE_STATIC_KEY_FALSE(perfctr_write_twice);

/* The layout that the low-level API document promises to user space. */
#define ABI(field, offset) \
	static_assert(offsetof(struct perfctr_cpu_state, field) == (offset))
ABI(cstatus, 0);
ABI(k1.id, 4);
ABI(k1.isuspend_cpu, 8);
ABI(tsc_start, 12);
ABI(tsc_sum, 16);
ABI(pmc, 24);
ABI(pmc[0].start, 28);
ABI(pmc[0].sum, 32);
ABI(pmc[1].map, 40);

/* The ABI has room for the low half only, which wraps within seconds. */
static __always_inline void set_tsc_start(struct perfctr_cpu_state *state,
					  u64 now)
{
	state->tsc_start = now;
	state->tsc_start_whole = now;
}

/* Counters are 32 to 48 bits wide; only the low 32 are used. */
static __always_inline u32 ll_read_counter(unsigned int map)
{
	u64 value;

	if (static_branch_unlikely(&perfctr_no_rdpmc)) {
		rdmsrl(first_counter_msr + map, value);
		return value;
	}
	/* The compiler drops the upper half. */
	rdpmcl(map, value);
	return value;
}

/* Read the i-mode counters. */
static __always_inline void ll_sample_ictrs(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	unsigned int overflowed = 0;
	u32 now;

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		now = ll_read_counter(state->pmc[i].map);
		state->pmc[i].sum += (u32)(now - state->pmc[i].start);
		state->pmc[i].start = now;
		if ((int)now >= 0)
			overflowed |= BIT(i);
	}
	if (unlikely(overflowed)) {
		state->overflowed |= overflowed;
		static_call(perfctr_ack_overflow)(state, overflowed);
	}
}

/*
 * Stop and read the i-mode counters.  The cache keeps the state's identity, although
 * these control registers are off now; ll_resume_ictrs() takes this into account.
 */
static void ll_suspend_ictrs(struct perfctr_cpu_state *state)
{
	static_call(perfctr_stop_ictrs)(state, this_cpu_ptr(&perfctr_cache));
	state->k1.isuspend_cpu = smp_processor_id();
	ll_sample_ictrs(state);
	perfctr_nmi_suspend(state);
}

static __always_inline void
ll_write_counter(const struct perfctr_cpu_state *state, unsigned int i)
{
	u64 mask = state->pmc[i].map & PERFCTR_FIXED ?
		   perfctr_design->fixed_mask : perfctr_design->counter_mask;
	u64 value = (s64)(int)state->pmc[i].start & mask;
	unsigned int msr = state->counter_msr[i];

	wrmsrl(msr, value);
	if (static_branch_unlikely(&perfctr_write_twice))
		wrmsrl(msr, value);
}

/* Bit mask of the i-mode elements, which follow the others. */
static __always_inline u32 ll_ictrs(const struct perfctr_cpu_state *state)
{
	return BIT(perfctr_cstatus_nrctrs(state->cstatus)) -
	       BIT(perfctr_cstatus_nractrs(state->cstatus));
}

static __always_inline void ll_write_counters(struct perfctr_cpu_state *state,
					      unsigned int elements)
{
	for (; elements; elements &= elements - 1)
		ll_write_counter(state, __ffs(elements));
	state->reload = 0;
}

/*
 * In accumulation mode, overflows are not noticed; a status bit left from one could keep
 * that counter from interrupting later.
 */
static void ll_forget_overflows(const struct perfctr_cpu_state *state,
				struct perfctr_cache *cache)
{
	cache->had_actrs = false;
	static_call(perfctr_ack_overflow)(state, PERFCTR_ALL_ELEMENTS);
}

/*
 * Write the start values to the i-mode counters, which stay disabled until the control
 * registers are written.
 */
static void ll_resume_ictrs(struct perfctr_cpu_state *state,
			    struct perfctr_cache *cache)
{
	unsigned int reload = PERFCTR_ALL_ELEMENTS;

	if (cache->id == perfctr_state_id(state)) {
		/* No other state was on this CPU, but the control registers are off. */
		cache->id = 0;
		if (state->k1.isuspend_cpu == smp_processor_id())
			reload = state->reload;
	}
	if (reload) {
		/* Stop them first: another state may have left them running. */
		static_call(perfctr_stop_ictrs)(state, cache);
		if (reload == PERFCTR_ALL_ELEMENTS && cache->had_actrs)
			ll_forget_overflows(state, cache);
		ll_write_counters(state, reload & ll_ictrs(state));
	}
	perfctr_nmi_resume(state);
	/* On Haswell, a counter that is still at its overflow interrupts once more. */
	perfctr_lvtpc_open();
	/* The interrupt came while the state was off the CPU: raise it again. */
	if (unlikely(state->overflowed))
		perfctr_lvtpc_raise();
}

/**
 * perfctr_cpu_suspend - take a state off this CPU
 * @state: has been resumed on this CPU
 *
 * Stops the i-mode counters, reads all counters and adds their counts since the resume to
 * the sums.  Their overflow interrupt finds the state either on the CPU or off it.
 *
 * Context: preemption disabled; used under the run-queue lock.
 */
void perfctr_cpu_suspend(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);
	bool ictrs = perfctr_cstatus_has_ictrs(state->cstatus);
	unsigned long flags = 0;
	u32 delta;

	if (unlikely(ictrs)) {
		local_irq_save(flags);
		ll_suspend_ictrs(state);
	}
	if (perfctr_cstatus_has_tsc(state->cstatus))
		state->tsc_sum += rdtsc() - state->tsc_start_whole;
	for (i = 0; i < n; i++) {
		delta = ll_read_counter(state->pmc[i].map) -
			state->pmc[i].start;
		state->pmc[i].sum += delta;
	}
	if (unlikely(ictrs))
		local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_suspend);

/* Write the control registers, unless the state's control is already on this CPU. */
static __always_inline void
ll_load_control(const struct perfctr_cpu_state *state,
		struct perfctr_cache *cache)
{
	if (!perfctr_cstatus_nrctrs(state->cstatus) ||
	    cache->id == perfctr_state_id(state))
		return;
	static_call(perfctr_write_control)(state, cache);
	cache->id = perfctr_state_id(state);
	cache->used |= state->counters;
	if (perfctr_cstatus_nractrs(state->cstatus))
		cache->had_actrs = true;
}

/**
 * perfctr_cpu_resume - put a state on this CPU
 * @state: was accepted by perfctr_cpu_update_control(), is on no CPU
 *
 * Writes the i-mode counters unless this CPU still has their values.  Then writes the
 * control registers that differ from the cache, usually none.  Then reads the a-mode
 * counters as start values.
 *
 * Context: preemption disabled; used under the run-queue lock.
 */
void perfctr_cpu_resume(struct perfctr_cpu_state *state)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);
	unsigned int i, n = perfctr_cstatus_nractrs(state->cstatus);
	bool ictrs = perfctr_cstatus_has_ictrs(state->cstatus);
	unsigned long flags = 0;

	if (unlikely(ictrs)) {
		local_irq_save(flags);
		ll_resume_ictrs(state, cache);
	}
	ll_load_control(state, cache);
	if (perfctr_cstatus_has_tsc(state->cstatus))
		set_tsc_start(state, rdtsc());
	for (i = 0; i < n; i++)
		state->pmc[i].start = ll_read_counter(state->pmc[i].map);
	if (unlikely(ictrs))
		local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_resume);

/* A-mode counters and TSC: add the counts since the last read, and begin a new period. */
static __always_inline void ll_sample_actrs(struct perfctr_cpu_state *state,
					    unsigned int n)
{
	unsigned int i;
	u64 tsc;
	u32 now;

	if (perfctr_cstatus_has_tsc(state->cstatus)) {
		tsc = rdtsc();
		state->tsc_sum += tsc - state->tsc_start_whole;
		set_tsc_start(state, tsc);
	}
	for (i = 0; i < n; i++) {
		now = ll_read_counter(state->pmc[i].map);
		state->pmc[i].sum += (u32)(now - state->pmc[i].start);
		state->pmc[i].start = now;
	}
}

/**
 * perfctr_cpu_hold - suspend a state while an overflow handler runs
 * @state: is on this CPU
 *
 * Like perfctr_cpu_suspend(), but counters of the user level only are not stopped, as
 * they do not count now anyway.  perfctr_cpu_go_on() or perfctr_cpu_drop() must follow.
 *
 * Context: overflow handler.
 */
void perfctr_cpu_hold(struct perfctr_cpu_state *state)
{
	if (!state->user_only) {
		perfctr_cpu_suspend(state);
		return;
	}
	ll_sample_actrs(state, perfctr_cstatus_nractrs(state->cstatus));
	ll_sample_ictrs(state);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_hold);

/**
 * perfctr_cpu_hold_overflow - hold a state and identify its overflows
 * @state: is on this CPU
 *
 * Context: overflow handler.
 * Return: as perfctr_cpu_identify_overflow()
 */
unsigned int perfctr_cpu_hold_overflow(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	unsigned int overflowed = 0;
	u32 now;

	if (!state->user_only) {
		perfctr_cpu_suspend(state);
		return perfctr_cpu_identify_overflow(state);
	}
	i = perfctr_cstatus_nractrs(state->cstatus);
	ll_sample_actrs(state, i);
	for (; i < n; i++) {
		now = ll_read_counter(state->pmc[i].map);
		state->pmc[i].sum += (u32)(now - state->pmc[i].start);
		state->pmc[i].start = now;
		if ((int)now < 0)
			continue;
		perfctr_cpu_set_start(state, i, state->control.ireset[i]);
		overflowed |= 1U << i;
	}
	if (overflowed)
		static_call(perfctr_ack_overflow)(state, overflowed);
	perfctr_nmi_found(overflowed);
	state->overflowed = 0;
	state->late = 0;
	return overflowed;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_hold_overflow);

/**
 * perfctr_cpu_go_on - let a held state continue on this CPU
 * @state: is held; its i-mode counters begin at the values that
 *	perfctr_cpu_identify_overflow() and perfctr_cpu_set_start() have set
 *
 * Context: overflow handler.
 */
void perfctr_cpu_go_on(struct perfctr_cpu_state *state)
{
	if (!state->user_only) {
		perfctr_cpu_resume(state);
		return;
	}
	if (state->reload)
		ll_write_counters(state, state->reload);
	perfctr_nmi_resume(state);
	perfctr_lvtpc_open();
}
EXPORT_SYMBOL_GPL(perfctr_cpu_go_on);

/**
 * perfctr_cpu_drop - take a held state off this CPU
 * @state: is held; suspended afterwards
 *
 * Context: overflow handler.
 */
void perfctr_cpu_drop(struct perfctr_cpu_state *state)
{
	if (!state->user_only)
		return;
	/* The counters were not stopped: write their start values first. */
	perfctr_cpu_go_on(state);
	perfctr_cpu_suspend(state);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_drop);

/**
 * perfctr_cpu_sample - bring the sums of a state up to date
 * @state: is on this CPU and stays there
 *
 * Like a suspend and a resume, but without stopping counters.  Must be called before any
 * counter can count 2^32 events since the last call.
 *
 * Context: preemption disabled; no other code may sample the state meanwhile.
 */
void perfctr_cpu_sample(struct perfctr_cpu_state *state)
{
	bool ictrs = perfctr_cstatus_has_ictrs(state->cstatus);
	unsigned long flags = 0;

	if (unlikely(ictrs))
		local_irq_save(flags);
	ll_sample_actrs(state, perfctr_cstatus_nrctrs(state->cstatus));
	if (unlikely(ictrs))
		local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_sample);

/**
 * perfctr_cpu_tick - sample a state, and replace interrupts that were lost
 * @state: is on this CPU and stays there
 *
 * If one tick sees a counter's overflow and its handler has not run by the next tick, the
 * interrupt is lost: a hypervisor or other code has masked the entry, or lost the
 * request.  It is sent again here; otherwise only a context switch would notice.
 * Controls that must be rewritten (svm.c) are rewritten here, too.
 *
 * Context: timer interrupt; interrupts disabled.
 */
void perfctr_cpu_tick(struct perfctr_cpu_state *state)
{
	unsigned int overflowed;

	ll_load_control(state, this_cpu_ptr(&perfctr_cache));
	perfctr_cpu_sample(state);
	if (likely(!perfctr_cstatus_has_ictrs(state->cstatus)))
		return;
	overflowed = perfctr_overflowed_starts(state);
	if (unlikely(overflowed & state->late))
		perfctr_lvtpc_replay();
	state->late = overflowed;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_tick);

/**
 * perfctr_cpu_read - present count of one counter
 * @state: is on this CPU
 * @i: element of the state, not a counter number
 *
 * Context: interrupts disabled.
 * Return: the sum including the current period; the state is not changed.
 */
unsigned long long perfctr_cpu_read(const struct perfctr_cpu_state *state,
				    unsigned int i)
{
	u32 now = ll_read_counter(state->pmc[i].map);

	return state->pmc[i].sum + (u32)(now - state->pmc[i].start);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_read);

/* Point the static calls of the hot paths to the design.  Called once, at boot. */
void __init perfctr_resolve_calls(void)
{
	if (perfctr_design->write_control)
		static_call_update(perfctr_write_control,
				   perfctr_design->write_control);
	if (perfctr_design->stop_ictrs)
		static_call_update(perfctr_stop_ictrs,
				   perfctr_design->stop_ictrs);
	if (perfctr_design->ack_overflow)
		static_call_update(perfctr_ack_overflow,
				   perfctr_design->ack_overflow);
	if (perfctr_design->no_rdpmc) {
		first_counter_msr = perfctr_design->counter_msr(0);
		static_branch_enable(&perfctr_no_rdpmc);
	}
	if (perfctr_design->write_twice) {
		pr_info("erratum: counters are written twice\n");
		static_branch_enable(&perfctr_write_twice);
	}
	if (perfctr_design->no_rdpmc || boot_cpu_has(X86_FEATURE_XENPV))
		static_branch_enable(&perfctr_no_peek_key);
}

/* Make later resumes start no counters.  May sleep. */
void perfctr_disarm(void)
{
	static_call_update(perfctr_write_control, ll_write_nothing);
}
