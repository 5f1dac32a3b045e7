// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shortest periods of i-mode counters that the errata of the processor
 * permit. With a shorter one a counter may not interrupt, or may interrupt
 * again before its first interrupt was handled.
 *
 * The driver of the low-level core calls this before perfctr_cpu_set_start(),
 * in the same context.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/init.h>
#include <linux/printk.h>

#include "perfctr_core.h"

/* Some counters do not interrupt for a period of a single event. */
#define LEAST_PERIOD	2

/* Event and unit mask of INST_RETIRED.ALL, which has errata. */
#define INSNS_SELECTOR	0x01c0
#define INSNS_MASK	0xffff

u32 perfctr_period_odd_bits __ro_after_init;

static bool period_of_insns(const struct perfctr_cpu_control *control,
			    unsigned int i)
{
	return !(control->pmc_map[i] & PERFCTR_FIXED) &&
	       (control->evntsel[i] & INSNS_MASK) == INSNS_SELECTOR;
}

/**
 * perfctr_cpu_period - round a period up to one that the processor can do
 * @state: has been accepted
 * @i: its i-mode element
 * @events: wanted period; no call is needed for periods from
 *	PERFCTR_SHORT_PERIOD on without a bit of perfctr_period_odd_bits
 *
 * Return: @events or more.
 */
u64 perfctr_cpu_period(const struct perfctr_cpu_state *state, unsigned int i,
		       u64 events)
{
	u32 least = LEAST_PERIOD, odd = 0;

	if (perfctr_design->min_period)
		least = perfctr_design->min_period;
	if (perfctr_design->insns_min_period &&
	    period_of_insns(&state->control, i)) {
		least = perfctr_design->insns_min_period;
		odd = perfctr_period_odd_bits;
	}
	if (events < least)
		events = least;
	return (events + odd) & ~(u64)odd;
}

/* Log the limits that errata put on periods; the design is known. */
void __init perfctr_period_init(void)
{
	const struct perfctr_design *design = perfctr_design;

	perfctr_period_odd_bits = design->insns_odd_bits;
	if (design->min_period > LEAST_PERIOD)
		pr_info("erratum: periods below %u events are raised to that\n",
			design->min_period);
	if (design->insns_min_period)
		pr_info("erratum: periods of event 0xc0 with unit mask 1 are at least %u and multiples of %u\n",
			design->insns_min_period, design->insns_odd_bits + 1);
}
