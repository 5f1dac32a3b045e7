// SPDX-License-Identifier: MIT
/*
 * The current PMU, which pfm_initialize() and pfm_force_pmu() choose
 * (models/pfmlib_init.c) and every other function about events works for.
 *
 * No lock: a PMU never changes after it was published and is never freed.
 */
#include <stdatomic.h>

#include "pfmlib_pmu.h"

static _Atomic(const struct pfmlib_pmu *) current;

const struct pfmlib_pmu *pfmlib_current(void)
{
	return atomic_load_explicit(&current, memory_order_acquire);
}

void pfmlib_make_current(const struct pfmlib_pmu *pmu)
{
	atomic_store_explicit(&current, pmu, memory_order_release);
}
