/* SPDX-License-Identifier: MIT */
/*
 * The extra registers that events need beside counter and selector since Nehalem:
 * off-core response, precise sampling with its latency threshold, front end; and
 * branch records.  Called by dispatch_nhm.c and dispatch_snb.c.
 */
#ifndef PFMLIB_EXTRA_REGS_H
#define PFMLIB_EXTRA_REGS_H

#include "arch_counters.h"

#include <perfmon/pfmlib_intel_nhm.h>

/* PMCs. */
#define EXTRA_PMC_PEBS_ENABLE 17
#define EXTRA_PMC_LATENCY 18
#define EXTRA_PMC_OFFCORE_0 19
#define EXTRA_PMC_LBR_SELECT 30
#define EXTRA_PMC_OFFCORE_1 31
#define EXTRA_PMC_FRONTEND 32

/* Thresholds of load latency that the hardware has, in cycles. */
#define EXTRA_LATENCY_MIN 3
#define EXTRA_LATENCY_MAX 0xffff

/* In the order of their emission. */
enum extra_reg {
	EXTRA_LATENCY,
	EXTRA_OFFCORE_0,
	EXTRA_OFFCORE_1,
	EXTRA_FRONTEND,
	NUM_EXTRA_REGS,
};

/* The values that the events of a call need, collected before emission. */
struct extra_regs {
	bool used[NUM_EXTRA_REGS];
	uint64_t value[NUM_EXTRA_REGS];
	uint64_t pebs_enable;
};

/* The PMDs of the branch records. */
void pfmlib_extra_add_lbr(pfmlib_regmask_t *pmds);

/*
 * Requests a value.  Events share the register: PFMLIB_ERR_NOASSIGN if another
 * event needs a different value, or if the input excludes the register.
 */
int pfmlib_extra_want(struct extra_regs *extra, const pfmlib_input_param_t *in,
		      enum extra_reg which, uint64_t value);

/* The same, for cycles of a load; PFMLIB_ERR_INVAL if they are out of range. */
int pfmlib_extra_want_latency(struct extra_regs *extra,
			      const pfmlib_input_param_t *in,
			      unsigned int threshold);

/*
 * Lets event i, which has its counter, be sampled precisely.  threshold: cycles
 * of a load, 0 if the event is not about that.
 */
int pfmlib_extra_want_pebs(struct extra_regs *extra,
			   const struct arch_call *call, unsigned int i,
			   unsigned int threshold);

void pfmlib_extra_emit(const struct extra_regs *extra,
		       pfmlib_output_param_t *out);

/* Behind all others: what the input says about branch records. */
int pfmlib_extra_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct arch_call *call,
			  pfmlib_output_param_t *out);

#endif /* PFMLIB_EXTRA_REGS_H */
