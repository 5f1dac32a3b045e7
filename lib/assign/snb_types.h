/* SPDX-License-Identifier: MIT */
/*
 * The types of Intel processors since Sandy Bridge: their registers and the
 * peculiarities of their events; for dispatch_snb.c.
 */
#ifndef PFMLIB_SNB_TYPES_H
#define PFMLIB_SNB_TYPES_H

#include "arch_counters.h"

struct snb_type {
	int type; /* PFMLIB_INTEL_*_PMU */
	unsigned int num_generic; /* unless CPUID reports another number */
	unsigned int num_fixed;
	unsigned int width;
	bool no_any_thread;
	bool has_latency;
	bool has_frontend;
	bool has_lbr;
};

const struct snb_type *pfmlib_snb_type(const struct pfmlib_pmu *pmu);

/* The ARCH_* bits of an event with any of its masks. */
unsigned int pfmlib_snb_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event);

/*
 * Like pfmlib_encode(), but corrects libpfm4's event select, unit mask, counter
 * mask or front-end register where they are wrong.  *num_values is
 * pfmlib_encode()'s result.
 */
int pfmlib_snb_encode(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		      unsigned int plm, uint64_t values[2],
		      unsigned int *num_values);

#endif /* PFMLIB_SNB_TYPES_H */
