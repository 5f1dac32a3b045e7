// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfctr low-level core: counters of the x86 processors.
 *
 * Owns the per-CPU control cache and the identity of control data.  The
 * high-level driver owns each perfctr_cpu_state and calls suspend and resume
 * in its context-switch path; nothing there locks, allocates or calls through
 * a pointer.  reserve.c decides whether the hardware is ours at all.
 *
 * Accumulation-mode counters are never written and never stopped: the
 * hardware runs on, and a state owns the differences between two reads of the
 * low 32 bits.  So a switch between states whose control the CPU already
 * holds writes no MSR ("Caching" in Documentation/arch/x86/perfctr.rst).
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/static_call.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "perfctr_core.h"

DEFINE_PER_CPU(struct perfctr_cache, perfctr_cache);

char *perfctr_cpu_name;
struct perfctr_design *perfctr_design __ro_after_init;

static void write_control_nothing(const struct perfctr_cpu_state *state,
				  struct perfctr_cache *cache)
{
}

/* Resolved once, by perfctr_cpu_init(): a direct call from then on. */
DEFINE_STATIC_CALL(perfctr_write_control, write_control_nothing);

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

/*
 * An identity is never used again: 64 bits last longer than any machine, and
 * 32 could be made to wrap by a program that updates in a loop.
 */
static u64 new_id(void)
{
	static atomic64_t last_id = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last_id);
}

static __always_inline u64 state_id(const struct perfctr_cpu_state *state)
{
	return (u64)state->id_high << 32 | state->k1.id;
}

/* Counters are 32 to 48 bits wide; the low 32 are what we ever use. */
static __always_inline u32 read_counter(unsigned int map)
{
	u64 value;

	rdpmcl(map, value);
	return value;
}

/**
 * perfctr_cpu_suspend - take a state off this CPU
 * @state: has been resumed on this CPU
 *
 * Reads the counters and adds what they counted since the resume to the sums.
 *
 * Context: preemption disabled; used under the run-queue lock.
 */
void perfctr_cpu_suspend(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u32 delta;

	if (perfctr_cstatus_has_tsc(state->cstatus)) {
		delta = (u32)rdtsc() - state->tsc_start;
		state->tsc_sum += delta;
	}
	for (i = 0; i < n; i++) {
		delta = read_counter(state->pmc[i].map) - state->pmc[i].start;
		state->pmc[i].sum += delta;
	}
}

/**
 * perfctr_cpu_resume - put a state on this CPU
 * @state: was accepted by perfctr_cpu_update_control(), is on no CPU
 *
 * Writes the control registers that differ from what this CPU holds, usually
 * none, and reads the counters as start values.
 *
 * Context: preemption disabled; used under the run-queue lock.
 */
void perfctr_cpu_resume(struct perfctr_cpu_state *state)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	if (n && cache->id != state_id(state)) {
		static_call(perfctr_write_control)(state, cache);
		cache->id = state_id(state);
	}
	if (perfctr_cstatus_has_tsc(state->cstatus))
		state->tsc_start = (u32)rdtsc();
	for (i = 0; i < n; i++)
		state->pmc[i].start = read_counter(state->pmc[i].map);
}

/**
 * perfctr_cpu_sample - bring the sums of a state up to date
 * @state: is on this CPU and stays there
 *
 * To be called before any counter can count 2^32 events since the last call.
 *
 * Context: interrupts disabled.
 */
void perfctr_cpu_sample(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u32 now;

	if (perfctr_cstatus_has_tsc(state->cstatus)) {
		now = (u32)rdtsc();
		state->tsc_sum += (u32)(now - state->tsc_start);
		state->tsc_start = now;
	}
	for (i = 0; i < n; i++) {
		now = read_counter(state->pmc[i].map);
		state->pmc[i].sum += (u32)(now - state->pmc[i].start);
		state->pmc[i].start = now;
	}
}

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
	u32 now = read_counter(state->pmc[i].map);

	return state->pmc[i].sum + (u32)(now - state->pmc[i].start);
}

/* The interrupt enable bit must be set for i-mode and clear for a-mode. */
int perfctr_check_int(const struct perfctr_cpu_state *state, unsigned int i,
		      bool has_int)
{
	return has_int == (i >= state->control.nractrs) ? 0 : -EINVAL;
}

/* Rules that all selectors of the P6 kind have in common. */
int perfctr_check_selector(const struct perfctr_cpu_state *state,
			   unsigned int i, unsigned int reserved,
			   unsigned int reserved_high)
{
	unsigned int evntsel = state->control.evntsel[i];

	if ((evntsel & reserved) ||
	    (state->control.evntsel_high[i] & reserved_high))
		return -EINVAL;
	return perfctr_check_int(state, i, evntsel & EVNTSEL_INT);
}

/* For designs in which each selector has an enable bit, which must be set. */
int perfctr_check_enabled_selectors(const struct perfctr_cpu_state *state,
				    unsigned int reserved,
				    unsigned int reserved_high)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;
	int err;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		if (!(control->evntsel[i] & EVNTSEL_ENABLE))
			return -EINVAL;
		err = perfctr_check_selector(state, i, reserved, reserved_high);
		if (err)
			return err;
	}
	return 0;
}

/* Each counter must exist, and no two elements may name the same one. */
static int check_map(const struct perfctr_cpu_control *control, unsigned int n)
{
	u64 seen = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		unsigned int number = control->pmc_map[i] & ~PERFCTR_FIXED;
		bool fixed = control->pmc_map[i] & PERFCTR_FIXED;
		u64 bit;

		if (number >= (fixed ? perfctr_design->nr_fixed :
				       perfctr_design->nr_counters))
			return -EINVAL;
		bit = BIT_ULL(number + (fixed ? 32 : 0));
		if (seen & bit)
			return -EINVAL;
		seen |= bit;
	}
	return 0;
}

static int check_control(const struct perfctr_cpu_state *state)
{
	const struct perfctr_cpu_control *control = &state->control;
	int err;

	/* No design can run i-mode counters yet. */
	if (control->nractrs > PERFCTR_MAX_COUNTERS || control->nrictrs)
		return -EINVAL;
	/* Control data of a design that this processor is not. */
	if (memchr_inv(&control->p4, 0, sizeof(control->p4)))
		return -EINVAL;
	if (control->_reserved1 || control->_reserved2 ||
	    control->_reserved3 || control->_reserved4)
		return -EINVAL;
	err = check_map(control, control->nractrs + control->nrictrs);
	if (err)
		return err;
	return perfctr_design->check_control(state);
}

/**
 * perfctr_cpu_update_control - check new control data and make it valid
 * @state: with new @state->control; on no CPU
 * @is_global: non-zero for CPU-wide counters; only Pentium 4 with
 *	hyper-threading makes a difference
 *
 * The sums are left alone.  A state whose control is refused counts nothing
 * until it gets a valid one.
 *
 * Return: 0, or -EINVAL if the hardware cannot or must not be given this.
 */
int perfctr_cpu_update_control(struct perfctr_cpu_state *state, int is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i, n;
	u64 id;
	int err;

	state->cstatus = 0;
	err = check_control(state);
	if (err)
		return err;

	n = control->nractrs + control->nrictrs;
	for (i = 0; i < n; i++)
		state->pmc[i].map = control->pmc_map[i];
	id = new_id();
	state->k1.id = id;
	state->k1.isuspend_cpu = -1;
	state->id_high = id >> 32;
	state->cstatus = perfctr_mk_cstatus(control->tsc_on, control->nractrs,
					    control->nrictrs);
	return 0;
}

/* Most specific design first; each looks at the boot CPU. */
static struct perfctr_design *__init detect(void)
{
	struct perfctr_design *design;

	design = perfctr_amd_detect();
	if (!design)
		design = perfctr_k7_detect();
	if (!design)
		design = perfctr_intel_detect();
	if (!design)
		design = perfctr_p6_detect();
	return design;
}

/**
 * perfctr_cpu_init - detect the processor's counters
 *
 * Return: 0, or -ENODEV if there are none that we know how to drive.
 */
int __init perfctr_cpu_init(void)
{
	int err;

	perfctr_design = detect();
	if (!perfctr_design) {
		pr_info("no driver for this processor\n");
		return -ENODEV;
	}
	err = perfctr_reserve_init();
	if (err)
		return err;

	static_call_update(perfctr_write_control,
			   perfctr_design->write_control);
	perfctr_cpu_name = perfctr_design->name;
	pr_info("%s, %u programmable and %u fixed counters\n", perfctr_cpu_name,
		perfctr_design->nr_counters, perfctr_design->nr_fixed);
	return 0;
}

/** perfctr_cpu_exit - undo perfctr_cpu_init() */
void __init perfctr_cpu_exit(void)
{
	perfctr_reserve_exit();
	perfctr_cpu_name = NULL;
}
