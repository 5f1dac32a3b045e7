/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUID leaf 10 of Intel processors; see intel_leaf10.c.
 */
#ifndef _PERFCTR_INTEL_LEAF10_H
#define _PERFCTR_INTEL_LEAF10_H

#include <linux/types.h>

/**
 * struct perfctr_leaf10 - the leaf, in the terms of version 5
 * @version: version of architectural performance monitoring
 * @counters: number of programmable counters
 * @width: bits of a programmable counter
 * @fixed: bit mask of the fixed-function counters
 * @fixed_width: bits of a fixed-function counter
 * @any_thread: counters can count events of both threads of a core
 * @full_width: counters have second addresses where all bits can be written;
 *	from another register than the leaf
 */
struct perfctr_leaf10 {
	unsigned int version;
	unsigned int counters, width;
	u32 fixed;
	unsigned int fixed_width;
	bool any_thread;
	bool full_width;
};

bool perfctr_read_leaf10(struct perfctr_leaf10 *leaf);
void perfctr_read_leaf10_of(unsigned int cpu, struct perfctr_leaf10 *leaf);
bool perfctr_is_core2(void);
int perfctr_kind_by_cpuid(void);

#endif /* _PERFCTR_INTEL_LEAF10_H */
