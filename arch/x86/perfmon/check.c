// SPDX-License-Identifier: GPL-2.0-only
/*
 * Validation of control data: the rules that all processor designs share.
 *
 * perfctr_cpu_update_control() calls perfctr_check_control(), which leaves the
 * rest to the design.  Values that pass reach MSRs unchanged, so no value that
 * could fault there may pass.
 */
#include <linux/bits.h>
#include <linux/errno.h>

#include "perfctr_core.h"

/* The interrupt enable bit must be set for i-mode and clear for a-mode. */
int perfctr_check_int(const struct perfctr_cpu_state *state, unsigned int i,
		      bool has_int)
{
	return has_int == (i >= state->control.nractrs) ? 0 : -EINVAL;
}

/* Rules common to all selectors of the P6 kind. */
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

/*
 * counts_kernel of designs with selectors of the P6 kind.  Events of the other
 * thread or core are counted even while this one is in the kernel.
 */
bool perfctr_selector_counts_kernel(const struct perfctr_cpu_control *control,
				    unsigned int i)
{
	u32 evntsel = control->evntsel[i];

	if (perfctr_design->has_core_specificity &&
	    (evntsel & EVNTSEL_CORES) == EVNTSEL_CORES)
		return true;
	return evntsel & (EVNTSEL_OS | EVNTSEL_ANY);
}

/* Counters that only some CPUs have, beyond the common ones. */
static u32 check_more(const u32 kind_masks[PERFCTR_MAX_KINDS], bool is_global)
{
	return is_global ? kind_masks[0] | kind_masks[1] : 0;
}

/*
 * Does the counter exist?  A counter of one kind of core exists for CPU-wide
 * states only.
 */
static bool check_exists(unsigned int number, bool fixed, bool is_global)
{
	const struct perfctr_design *design = perfctr_design;

	/* The masks have 32 bits only. */
	if (number >= 32)
		return false;
	if (fixed)
		return (number < design->nr_fixed &&
			!(design->absent_fixed & BIT(number))) ||
		       (check_more(design->kind_fixed, is_global) & BIT(number));
	return (number < design->nr_counters &&
		!(design->absent_counters & BIT(number))) ||
	       (check_more(design->kind_counters, is_global) & BIT(number));
}

/* Each counter must exist, and no two elements may name the same one. */
static int check_map(const struct perfctr_cpu_control *control, unsigned int n,
		     bool is_global)
{
	u64 seen = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		unsigned int map = control->pmc_map[i] & ~perfctr_design->map_flags;
		unsigned int number = map & ~PERFCTR_FIXED;
		bool fixed = map & PERFCTR_FIXED;
		u64 bit;

		if (!check_exists(number, fixed, is_global))
			return -EINVAL;
		bit = BIT_ULL(number + (fixed ? 32 : 0));
		if (seen & bit)
			return -EINVAL;
		seen |= bit;
	}
	return 0;
}

/* An overflow is the step from negative to non-negative. */
static int check_ictrs(const struct perfctr_cpu_control *control)
{
	unsigned int i;

	if (!control->nrictrs)
		return 0;
	if (!(perfctr_info.cpu_features & PERFCTR_FEATURE_PCINT))
		return -EINVAL;
	for (i = control->nractrs; i < control->nractrs + control->nrictrs; i++)
		if (control->ireset[i] >= 0)
			return -EINVAL;
	return 0;
}

/* Is there Pentium 4 control data on another processor? */
static bool check_foreign(const struct perfctr_cpu_control *control)
{
	unsigned int i, bits = control->p4.pebs_enable |
			       control->p4.pebs_matrix_vert;

	if (perfctr_design->has_p4_control)
		return false;
	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		bits |= control->p4.escr[i];
	return bits;
}

/*
 * Each extra register must exist, and its value must have no bit that would
 * fault.
 */
static int check_extra(const struct perfctr_cpu_control *control)
{
	unsigned int i;

	if (control->extra_used & ~(BIT(PERFCTR_MAX_EXTRA) - 1))
		return -EINVAL;
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		u64 value = control->extra[i], mask;

		if (!(control->extra_used & BIT(i)))
			continue;
		mask = perfctr_extra_allows(&perfctr_design->extra[i], value);
		if (!mask || (value & ~mask))
			return -EINVAL;
	}
	return 0;
}

int perfctr_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	int err;

	/* Compared one by one: the sum could wrap. */
	if (control->nractrs > PERFCTR_MAX_COUNTERS ||
	    control->nrictrs > PERFCTR_MAX_COUNTERS - control->nractrs)
		return -EINVAL;
	if (control->tsc_on && perfctr_design->no_tsc)
		return -EINVAL;
	if (check_foreign(control))
		return -EINVAL;
	if (control->_reserved1 || control->_reserved2 ||
	    control->_reserved3 || control->_reserved4)
		return -EINVAL;
	err = check_map(control, control->nractrs + control->nrictrs, is_global);
	if (err)
		return err;
	err = check_ictrs(control);
	if (err)
		return err;
	err = check_extra(control);
	if (err)
		return err;
	return perfctr_design->check_control(state, is_global);
}
