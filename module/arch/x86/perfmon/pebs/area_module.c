// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for records, for a module: it cannot change the CPU's entry area, which alone is
 * mapped while a program runs if page tables are isolated.
 */
#include <linux/cpufeature.h>

#include "pebs.h"

bool pebs_area_suffices(void)
{
	return !boot_cpu_has(X86_FEATURE_PTI);
}

struct debug_store *pebs_area_ds(unsigned int cpu)
{
	return NULL;
}

u64 pebs_area_map(unsigned int cpu, void *records)
{
	return (unsigned long)records;
}

void pebs_area_unmap(unsigned int cpu)
{
}
