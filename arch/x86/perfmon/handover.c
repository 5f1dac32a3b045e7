// SPDX-License-Identifier: GPL-2.0-only
/*
 * What designs do alike when a CPU's PMU is taken or given back.
 *
 * Called by start_cpu and stop_cpu of the designs, on the CPU itself with
 * interrupts off.
 */
#include <linux/bits.h>

#include "perfctr_core.h"

/*
 * What our sessions counted is nobody's business afterwards: perf zeroes no
 * counters but its own before it lets programs read them.  To be called when
 * nothing counts.
 */
void perfctr_zero_counters(void)
{
	unsigned int i;

	if (perfctr_design->unwritable)
		return;
	for (i = 0; i < perfctr_design->nr_counters; i++)
		if (!(perfctr_design->absent_counters & BIT(i)))
			wrmsrl(perfctr_design->counter_msr(i), 0);
	for (i = 0; i < perfctr_design->nr_fixed; i++)
		if (!(perfctr_design->absent_fixed & BIT(i)))
			wrmsrl(perfctr_design->fixed_msr(i), 0);
}
