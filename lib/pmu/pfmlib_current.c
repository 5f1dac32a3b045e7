// SPDX-License-Identifier: MIT
/*
 * The current PMU, chosen by pfm_initialize() or pfm_force_pmu()
 * (models/pfmlib_init.c) and used by every other function about events.
 *
 * No lock: a published PMU never changes and is never freed.
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
