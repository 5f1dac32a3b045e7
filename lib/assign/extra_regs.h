/* SPDX-License-Identifier: MIT */
/*
 * The extra registers that events need beside counter and selector since Nehalem:
 * off-core response, precise sampling, front end; and branch records.  The
 * threshold of load latency is not among them: such an event counts nothing unless
 * it is sampled precisely, which the kernel does not export, so it is refused.  Called by dispatch_nhm.c and dispatch_snb.c.
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

/* In the order of their emission. */
enum extra_reg {
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

/* Lets event i, which has its counter, be sampled precisely. */
int pfmlib_extra_want_pebs(struct extra_regs *extra,
			   const struct arch_call *call, unsigned int i);

void pfmlib_extra_emit(const struct extra_regs *extra,
		       pfmlib_output_param_t *out);

/* Adds the branch records that the input asks for, behind all others. */
int pfmlib_extra_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct arch_call *call,
			  pfmlib_output_param_t *out);

#endif /* PFMLIB_EXTRA_REGS_H */
