// SPDX-License-Identifier: MIT
/*
 * The dispatcher of processors that only CPUID leaf 10 describes (architectural
 * performance monitoring, versions 1 to 5): the counters that it reports, and fixed
 * counters from version 2 on.
 */
#include "arch_counters.h"

#include <perfmon/pfmlib_gen_ia32.h>

#define ALL_FLAGS \
	(PFM_GEN_IA32_SEL_INV | PFM_GEN_IA32_SEL_EDGE | PFM_GEN_IA32_SEL_ANYTHR)

#define FIRST_WITH_FIXED 2
#define FIRST_WITH_ANYTHR 3

static const struct pfmlib_event_bits events[] = {
	{ "UNHALTED_CORE_CYCLES", ARCH_IS_CYCLES },
	{ "INSTRUCTIONS_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "INSTRUCTION_RETIRED", ARCH_IS_INSTRUCTIONS },
	{ "UNHALTED_REFERENCE_CYCLES", ARCH_IS_REFERENCE },
};

_Static_assert(sizeof(pfmlib_gen_ia32_counter_t) ==
		       sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

static int setup(struct pfmlib_pmu *pmu)
{
	unsigned int num_fixed = 0;

	if (pmu->cpu.arch_version >= FIRST_WITH_FIXED)
		num_fixed = pmu->cpu.num_fixed ? pmu->cpu.num_fixed :
						 PFMLIB_DEFAULT_FIXED;
	pfmlib_arch_describe(pmu,
			     pfmlib_at_most(pmu->cpu.num_generic, ARCH_FIXED),
			     pfmlib_at_most(num_fixed, ARCH_MAX_FIXED),
			     PMU_GEN_IA32_COUNTER_WIDTH);
	pmu->data = pfmlib_find_event_bits(pmu, events, ARRAY_SIZE(events));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static uint64_t counters_for(const struct pfmlib_pmu *pmu, unsigned int event)
{
	unsigned int bits = pfmlib_arch_event_bits(pmu, event);

	/* Only architectural events are known. */
	return ARCH_ALL_GENERIC | pfmlib_arch_fixed_for(bits);
}

static int check_events(struct arch_call *call)
{
	unsigned int version = call->pmu->cpu.arch_version;
	unsigned int flags = ALL_FLAGS, i;

	if (version < FIRST_WITH_ANYTHR)
		flags &= ~PFM_GEN_IA32_SEL_ANYTHR;
	for (i = 0; i < call->in->pfp_event_count; i++) {
		const pfmlib_event_t *event = &call->in->pfp_events[i];
		uint64_t counters = counters_for(call->pmu, event->event);

		if (event->plm & PFMLIB_PLM_MIDDLE)
			return PFMLIB_ERR_INVAL;
		if (version < FIRST_WITH_FIXED && event->flags & ~ALL_FLAGS)
			return PFMLIB_ERR_INVAL;
		if (call->modifiers[i].flags & ~flags)
			return PFMLIB_ERR_INVAL;
		if (pfmlib_arch_needs_selector(call, i))
			counters &= ~ARCH_ALL_FIXED;
		pfmlib_arch_allow(call, i, counters);
	}
	return PFMLIB_SUCCESS;
}

static int select_events(struct arch_call *call)
{
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (!pfmlib_arch_is_generic(call, i))
			continue;
		ret = pfmlib_arch_select(call, i, pfmlib_arch_code(call, i));
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_gen_ia32_input_param_t *arch_in = model_in;
	struct arch_call call;
	int ret;

	(void)model_out;
	pfmlib_arch_start(&call, pmu, in,
			  arch_in ? arch_in->pfp_gen_ia32_counters : NULL);
	call.has_any_thread = pmu->cpu.arch_version >= FIRST_WITH_ANYTHR;
	ret = check_events(&call);
	if (ret == PFMLIB_SUCCESS)
		ret = pfmlib_arch_assign(&call);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&call);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	pfmlib_arch_emit_fixed(&call, out);
	pfmlib_arch_emit_generic(&call, out);
	pfmlib_arch_emit_pmds(&call, out);
	return PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_arch_add_counters(pmu, counters, counters_for(pmu, event));
}

const struct pfmlib_dispatch pfmlib_dispatch_arch = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
};
