/* SPDX-License-Identifier: MIT */
/*
 * The registers beside counters and selectors of Nehalem and what came after it:
 * off-core response, precise sampling with its latency threshold, front end, and
 * branch records.  dispatch_nhm.c and dispatch_intel.c use them.
 */
#ifndef PFMLIB_INTEL_EXTRA_H
#define PFMLIB_INTEL_EXTRA_H

#include "intel_counters.h"

#include <perfmon/pfmlib_intel_nhm.h>

/* PMCs. */
#define INTEL_PMC_PEBS_ENABLE 17
#define INTEL_PMC_LATENCY 18
#define INTEL_PMC_OFFCORE_0 19
#define INTEL_PMC_LBR_SELECT 30
#define INTEL_PMC_OFFCORE_1 31
#define INTEL_PMC_FRONTEND 32

/* Load latencies that the hardware can tell from others, in cycles. */
#define INTEL_THRESHOLD_MIN 3
#define INTEL_THRESHOLD_MAX 0xffff

/* In the order of their emission. */
enum intel_extra_register {
	INTEL_LATENCY_THRESHOLD,
	INTEL_OFFCORE_RSP0,
	INTEL_OFFCORE_RSP1,
	INTEL_FRONTEND,
	INTEL_NUM_EXTRA,
};

/* What the events of a call want these registers to be. */
struct intel_extra {
	bool used[INTEL_NUM_EXTRA];
	uint64_t value[INTEL_NUM_EXTRA];
	uint64_t pebs_enable;
};

/* The PMDs of the branch records. */
void pfmlib_intel_add_lbr(pfmlib_regmask_t *pmds);

/*
 * Events share the register, so all have to want the same.  PFMLIB_ERR_NOASSIGN
 * if they do not, or if the register is not to be used.
 */
int pfmlib_intel_want_extra(struct intel_extra *extra,
			    const pfmlib_input_param_t *in,
			    enum intel_extra_register which, uint64_t value);

/* The same, for cycles of a load; PFMLIB_ERR_INVAL if they are out of range. */
int pfmlib_intel_want_latency(struct intel_extra *extra,
			      const pfmlib_input_param_t *in,
			      unsigned int threshold);

/*
 * Lets event i, which has its counter, be sampled precisely.  threshold: cycles
 * of a load, 0 if the event is not about that.
 */
int pfmlib_intel_want_pebs(struct intel_extra *extra,
			   const struct intel_call *call, unsigned int i,
			   unsigned int threshold);

void pfmlib_intel_emit_extra(const struct intel_extra *extra,
			     pfmlib_output_param_t *out);

/* Behind all others: what the input says about branch records. */
int pfmlib_intel_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct intel_call *call,
			  pfmlib_output_param_t *out);

#endif /* PFMLIB_INTEL_EXTRA_H */
