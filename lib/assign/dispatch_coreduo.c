// SPDX-License-Identifier: MIT
/* The dispatcher of Core Duo and Core Solo: two generic counters, no fixed ones. */
#include "arch_counters.h"

#include <perfmon/pfmlib_coreduo.h>

#define NUM_GENERIC 2
#define WIDTH 32 /* bits that a write can set */

#define BY_CORE ARCH_BY_CORE
#define BY_STATE (ARCH_BY_CORE | ARCH_MESI)

static const struct pfmlib_event_bits events[] = {
	{ "L2_ADS", BY_CORE },
	{ "DBUS_BUSY", BY_CORE },
	{ "DBUS_BUSY_RD", BY_CORE },
	{ "L2_LINES_IN", BY_CORE },
	{ "L2_M_LINES_IN", BY_CORE },
	{ "L2_LINES_OUT", BY_CORE },
	{ "L2_M_LINES_OUT", BY_CORE },
	{ "L2_IFETCH", BY_STATE },
	{ "L2_LD", BY_STATE },
	{ "L2_ST", BY_STATE },
	{ "L2_RQSTS", BY_STATE },
	{ "L2_REJECT_CYCLES", BY_STATE },
	{ "L2_NO_REQUEST_CYCLES", BY_STATE },
	{ "BUS_REQ_OUTSTANDING", BY_CORE },
	{ "BUS_LOCKS_CLOCKS", BY_CORE },
	{ "BUS_TRANS_BRD", BY_CORE },
	{ "BUS_TRANS_RFO", BY_CORE },
	{ "BUS_TRANS_IFETCH", BY_CORE },
	{ "BUS_TRANS_INVAL", BY_CORE },
	{ "BUS_TRANS_PWR", BY_CORE },
	{ "BUS_TRANS_P", BY_CORE },
	{ "BUS_TRANS_IO", BY_CORE },
	{ "BUS_TRANS_DEF", BY_CORE },
	{ "BUS_TRANS_MEM", BY_CORE },
	{ "DCU_SNOOP_TO_SHARE", BY_CORE },
	{ "BUS_NOT_IN_USE", BY_CORE },
	{ "BUS_SNOOPS", ARCH_MESI },
};

_Static_assert(sizeof(pfm_coreduo_counter_t) == sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

static int setup(struct pfmlib_pmu *pmu)
{
	pfmlib_arch_describe(pmu, NUM_GENERIC, 0, WIDTH);
	pmu->data = pfmlib_find_event_bits(pmu, events, ARRAY_SIZE(events));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static int check_events(struct arch_call *call)
{
	unsigned int seen = 0, i;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		const pfmlib_event_t *event = &call->in->pfp_events[i];
		uint64_t code = pfmlib_arch_code(call, i);
		unsigned int only = pfmlib_arch_only(call->pmu, code);

		if (event->plm & PFMLIB_PLM_MIDDLE)
			return PFMLIB_ERR_INVAL;
		if (call->modifiers[i].flags &
		    ~(PFM_COREDUO_SEL_INV | PFM_COREDUO_SEL_EDGE))
			return PFMLIB_ERR_INVAL;
		if (seen & only)
			return PFMLIB_ERR_NOASSIGN;
		seen |= only;
		pfmlib_arch_allow(call, i,
				  pfmlib_arch_generic_for(call->pmu, code));
	}
	return PFMLIB_SUCCESS;
}

static int select_events(struct arch_call *call)
{
	unsigned int i, bits;
	uint64_t code;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		bits = pfmlib_arch_event_bits(call->pmu,
					      call->in->pfp_events[i].event);
		code = pfmlib_arch_default_masks(pfmlib_arch_code(call, i),
						 bits);
		ret = pfmlib_arch_select(call, i, code);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_coreduo_input_param_t *coreduo_in = model_in;
	struct arch_call call;
	int ret;

	(void)model_out;
	pfmlib_arch_start(&call, pmu, in,
			  coreduo_in ? coreduo_in->pfp_coreduo_counters : NULL);
	ret = check_events(&call);
	if (ret == PFMLIB_SUCCESS)
		ret = pfmlib_arch_assign(&call);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&call);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	pfmlib_arch_emit_generic(&call, out);
	pfmlib_arch_emit_pmds(&call, out);
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_arch_add_counters(pmu, counters,
				 pfmlib_arch_generic_of_event(pmu, event));
}

const struct pfmlib_dispatch pfmlib_dispatch_coreduo = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
