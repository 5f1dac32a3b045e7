// SPDX-License-Identifier: GPL-2.0-only
/*
 * New control data of a state: checked by check.c, given an identity, and
 * prepared for the first resume.  Also new periods after an overflow.
 *
 * Owns the identities.  Called while the state is on no CPU.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "perfctr_core.h"

/*
 * No identity is used twice: 64 bits outlast any machine, whereas a program
 * that updates in a loop could make 32 bits wrap.
 */
static u64 update_new_id(void)
{
	static atomic64_t last_id = ATOMIC64_INIT(0);

	return atomic64_inc_return(&last_id);
}

/**
 * perfctr_cpu_ireload - write all i-mode counters at the next resume
 * @state: is on no CPU
 *
 * Elements changed by perfctr_cpu_identify_overflow() or
 * perfctr_cpu_set_start() are written in any case.
 *
 * Context: preemption disabled.
 */
void perfctr_cpu_ireload(struct perfctr_cpu_state *state)
{
	state->k1.isuspend_cpu = PERFCTR_NO_CPU;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_ireload);

/**
 * perfctr_cpu_identify_overflow - find the i-mode counters that have overflowed
 * @state: has been suspended on this CPU
 *
 * Sets their start values from ireset[] for the next resume.  Called by the
 * high-level driver's overflow handler; an interrupt that comes late, after the
 * counters were stopped, finds nothing.
 *
 * Context: preemption disabled since the suspend.
 * Return: bit mask of elements of the state.
 */
unsigned int perfctr_cpu_identify_overflow(struct perfctr_cpu_state *state)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	unsigned int overflowed = 0;

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		if ((int)state->pmc[i].start < 0)
			continue;
		perfctr_cpu_set_start(state, i, state->control.ireset[i]);
		overflowed |= BIT(i);
	}
	state->overflowed = 0;
	state->late = 0;
	return overflowed;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_identify_overflow);

static unsigned int update_counter_msr(unsigned int map)
{
	if (map & PERFCTR_FIXED)
		return perfctr_design->fixed_msr(map & ~PERFCTR_FIXED);
	return perfctr_design->counter_msr(map & ~perfctr_design->map_flags);
}

/* I-mode counters begin at their restart values. */
static void update_start_ictrs(struct perfctr_cpu_state *state)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;

	state->k1.isuspend_cpu = PERFCTR_NO_CPU;
	state->overflowed = 0;
	state->late = 0;
	state->reload = 0;
	for (i = control->nractrs; i < control->nractrs + control->nrictrs; i++)
		perfctr_cpu_set_start(state, i, control->ireset[i]);
}

static bool update_counts_kernel(const struct perfctr_cpu_control *control)
{
	unsigned int i;

	if (!perfctr_design->counts_kernel)
		return true;
	for (i = 0; i < control->nractrs + control->nrictrs; i++)
		if (perfctr_design->counts_kernel(control, i))
			return true;
	return false;
}

static void update_identity(struct perfctr_cpu_state *state)
{
	u64 id = update_new_id();

	state->k1.id = id;
	state->id_high = id >> 32;
}

/**
 * perfctr_cpu_renew - give the copy of a state a new identity
 * @state: copy of a state with i-mode counters; on no CPU
 *
 * States with the same identity may continue each other's a-mode counters, but
 * not i-mode counters.  The copy's i-mode counters begin at their restart
 * values.
 */
void perfctr_cpu_renew(struct perfctr_cpu_state *state)
{
	update_identity(state);
	update_start_ictrs(state);
}
EXPORT_SYMBOL_GPL(perfctr_cpu_renew);

/**
 * perfctr_cpu_update_control - check new control data and make it valid
 * @state: has new @state->control; on no CPU
 * @is_global: non-zero for CPU-wide counters; it matters on a Pentium 4 with
 *	hyper-threading and on hybrid processors
 *
 * The sums do not change; i-mode counters begin at their restart values.  A
 * state whose control is refused counts nothing until it gets a valid one.
 *
 * Return: 0, or -EINVAL if the hardware cannot or must not get this control.
 */
int perfctr_cpu_update_control(struct perfctr_cpu_state *state, int is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;
	u64 counters = 0;
	int err;

	state->cstatus = 0;
	err = perfctr_check_control(state, is_global);
	if (err)
		return err;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		state->pmc[i].map = control->pmc_map[i];
		state->counter_msr[i] = update_counter_msr(control->pmc_map[i]);
		counters |= perfctr_counter_bit(control->pmc_map[i]);
	}
	state->counters = counters;
	state->noted = false;
	update_identity(state);
	update_start_ictrs(state);
	state->user_only = !update_counts_kernel(control);
	state->cstatus = perfctr_mk_cstatus(control->tsc_on, control->nractrs,
					    control->nrictrs);
	return 0;
}
EXPORT_SYMBOL_GPL(perfctr_cpu_update_control);
