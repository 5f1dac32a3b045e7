/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random control data for any processor of the table, good and bad, and an
 * opinion of its own on which is which. Used by test_perfctr_random.c.
 */
#ifndef PERFCTR_RANDOM_CONTROL_H
#define PERFCTR_RANDOM_CONTROL_H

#include "perfctr_harness.h"

/* A number below the limit; all come from this seed. */
extern u32 random_seed;
u32 below(u32 limit);

static inline bool one_in(u32 n)
{
	return below(n) == 0;
}

/* For an element of which nobody knows what it counts. */
#define NOT_FORETOLD (~0u)

/*
 * Fill in a control. levels[i] is where (USR, OS) element i counts instructions
 * if it does just that, else NOT_FORETOLD.
 */
void random_control(const struct processor *p,
		    struct perfctr_cpu_control *control, u32 *levels);

/* Whether the core must accept it; written from the documents. */
bool control_is_good(const struct processor *p,
		     const struct perfctr_cpu_control *control, bool is_global);

#endif
