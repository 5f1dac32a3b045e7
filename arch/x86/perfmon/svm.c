// SPDX-License-Identifier: GPL-2.0-only
/*
 * The host-only bit of AMD's selectors, for the designs of amd_k7.c and
 * amd_core.c.
 *
 * While SVM is off, a counter with the bit counts nothing, so the bit is written only
 * while KVM has SVM on.  KVM switches SVM per CPU and calls perfctr_svm_changed().  The
 * selectors are then rewritten by the next resume of a state, or by the next tick of the
 * state that is on the CPU.
 */
#include <linux/percpu.h>

#include <asm/perfctr_hooks.h>
#include <asm/perfmon_compat.h>

#include "perfctr_design.h"

/* Does any counter have the bit? */
bool perfctr_wants_host_only(const struct perfctr_cpu_control *control)
{
	unsigned int i;

	for (i = 0; i < control->nractrs + control->nrictrs; i++)
		if (control->evntsel_high[i] & (AMD_HOST_ONLY >> 32))
			return true;
	return false;
}

/* perfctr_write_selectors() for a state that has the bit. */
void perfctr_write_host_only(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache, unsigned int msr,
			     unsigned int stride)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 efer, mask = ~0ULL;

	rdmsrl(MSR_EFER, efer);
	if (!(efer & EFER_SVME))
		mask = ~AMD_HOST_ONLY;
	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		perfctr_cache_write(cache, pmc, msr + stride * pmc,
				    perfctr_selector(state, i) & mask);
	}
}

/* Forget the control on this CPU, so that the next resume writes its selectors. */
void __perfctr_svm_changed(void)
{
	this_cpu_ptr(&perfctr_cache)->id = 0;
}
