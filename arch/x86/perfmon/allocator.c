// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's allocator of counter MSRs, which perf_event and other users of
 * the PMU ask: this file takes all counters and selectors of the design, or
 * none.
 *
 * Called by the owner (owner_builtin.c, or the module's), under the lock of
 * reserve.c.
 */
#include <linux/nmi.h>
#include <linux/types.h>

#include <asm/perf_event.h>

#include "perfctr_core.h"

/* Undo the first @n steps of taking: counter, selector, counter... */
static void allocator_undo(unsigned int n)
{
	while (n--) {
		if (n & 1)
			release_evntsel_nmi(perfctr_design->evntsel_msr(n / 2));
		else
			release_perfctr_nmi(perfctr_design->counter_msr(n / 2));
	}
}

/* Return: false if one of them is in use; then none is taken. */
bool perfctr_allocator_take(void)
{
	unsigned int n, end = 2 * perfctr_design->nr_counters;

	for (n = 0; n < end; n++) {
		int ok = n & 1 ?
			reserve_evntsel_nmi(perfctr_design->evntsel_msr(n / 2)) :
			reserve_perfctr_nmi(perfctr_design->counter_msr(n / 2));

		if (!ok) {
			allocator_undo(n);
			return false;
		}
	}
	return true;
}

void perfctr_allocator_give(void)
{
	allocator_undo(2 * perfctr_design->nr_counters);
}
