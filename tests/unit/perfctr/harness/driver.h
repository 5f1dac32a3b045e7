/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small high-level driver for the tests of interrupt mode: it knows which
 * state is on which CPU, and handles overflows as the low-level API says:
 * suspend, identify, resume.
 */
#ifndef PERFCTR_TEST_DRIVER_H
#define PERFCTR_TEST_DRIVER_H

#include "perfctr_harness.h"

struct driver {
	struct perfctr_cpu_state *active[NR_CPUS];
	bool holds; /* the handler holds the state instead of suspending it */
	bool drops; /* and then has it leave the CPU */
	unsigned int skid; /* kernel instructions before the handler's suspend */

	unsigned int interrupts; /* that found a state */
	unsigned int strays; /* that found none */
	unsigned int found_nothing; /* that found no overflow in the state */
	unsigned int replayed; /* that the CPU sent itself */
	unsigned int mask; /* of the last that found one */
	unsigned int overflows[PERFCTR_MAX_COUNTERS]; /* of each element */
	u64 sums[PERFCTR_MAX_COUNTERS]; /* of the last state, when handled */
};

extern struct driver driver;

/* Boot, take the PMU and the interrupt; for run_rules(). */
void driver_boot(const struct processor *p);

/* The interrupt alone, for a test that boots by itself. */
void driver_set_handler(void);

/* As a context switch does, with interrupts on before and after. */
void driver_resume(unsigned int cpu, struct perfctr_cpu_state *state);
void driver_suspend(void); /* what is on this CPU */

/* The timer interrupt of this CPU. */
void driver_tick(void);

#endif
