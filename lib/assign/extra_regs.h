/* SPDX-License-Identifier: MIT */
/*
 * The extra registers that events since Nehalem need besides counter and selector:
 * off-core response, precise sampling, front end; and branch records.  The threshold of
 * load latency is not supported: its event counts nothing without precise sampling, which
 * the kernel does not export, so the event is refused.  Called by dispatch_nhm.c and
 * dispatch_snb.c.
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
 * Requests a value for a register that events share.  PFMLIB_ERR_NOASSIGN if another
 * event needs a different value, or if the input excludes the register.
 */
int pfmlib_extra_want(struct extra_regs *extra, const pfmlib_input_param_t *in,
		      enum extra_reg which, uint64_t value);

/*
 * Enables precise sampling for event i, whose counter is assigned already; also of the
 * latency of loads.
 */
int pfmlib_extra_want_pebs(struct extra_regs *extra,
			   const struct arch_call *call, unsigned int i,
			   bool latency);

void pfmlib_extra_emit(const struct extra_regs *extra,
		       pfmlib_output_param_t *out);

/* Adds the branch records that the input asks for, after all other registers. */
int pfmlib_extra_emit_lbr(const pfmlib_nhm_lbr_t *lbr,
			  const struct arch_call *call,
			  pfmlib_output_param_t *out);

#endif /* PFMLIB_EXTRA_REGS_H */
