// SPDX-License-Identifier: MIT
/*
 * The dispatcher of AMD processors since the K7: counters and, from family 10h on,
 * instruction-based sampling (IBS).  IBS is requested by an event or by the model's
 * input.  An IBS event takes a counter's place if one is left, although IBS has its own
 * registers. amd64_counters.c assigns the counters.
 */
#include "amd64_counters.h"

#define MAX_COUNTERS PMU_AMD64_MAX_COUNTERS
#define WIDTH 48

#define FAMILY_K8 0xf
#define FAMILY_10H 0x10
#define FAMILY_14H 0x14
#define FAMILY_15H 0x15
#define FAMILY_17H 0x17 /* Zen */
#define FAMILY_19H 0x19

/* Selector bits in addition to the common x86 ones. */
#define EVENT_HIGH_SHIFT 32
#define SEL_GUEST (1ULL << 40)
#define SEL_HOST (1ULL << 41)
/* Makes a counter the upper part of the one before it; it has no level bits. */
#define SELECT_MERGE (0xfULL << EVENT_HIGH_SHIFT | 0xff | PFMLIB_SEL_EN)
#define ALL_FLAGS                                                       \
	(PFM_AMD64_SEL_INV | PFM_AMD64_SEL_EDGE | PFM_AMD64_SEL_GUEST | \
	 PFM_AMD64_SEL_HOST)

/* The largest counter masks: of older processors, and of Zen. */
#define MAX_CNT_MASK 3
#define MAX_CNT_MASK_ZEN 127

/* IBS: its two PMCs, and the first PMD that each of them fills. */
#define PMC_FETCH 6
#define PMC_OP 7
#define PMD_FETCH 6
#define PMD_OP 9
#define NUM_PMCS_IBS 8
#define NUM_PMDS_IBS 16
#define MSR_FETCHCTL 0xc0011030
#define MSR_OPCTL 0xc0011033
#define FETCH_ENABLE (1ULL << 48)
#define FETCH_RANDOM (1ULL << 57)
#define OP_ENABLE (1ULL << 17)
#define OP_UOPS (1ULL << 19)
#define IBS_PERIOD(max_count) ((max_count) >> 4 & 0xffff)
#define MASK_FETCH_RANDOM 0x1
#define MASK_OP_UOPS 0x2

/* Flags of an event. */
#define IS_IBS_FETCH 0x1
#define IS_IBS_OP 0x2
/* The event's masks are numbers, not bits: two of them cannot be combined. */
#define ONE_MASK 0x4
#define ONE_MASK_10H_14H 0x8
#define ONE_MASK_19H 0x10

static const struct pfmlib_event_bits constraints[] = {
	{ "IBSFETCH_EVENT", IS_IBS_FETCH | ONE_MASK },
	{ "IBSOP_EVENT", IS_IBS_OP | ONE_MASK },
	{ "MAB_REQUESTS", ONE_MASK_10H_14H },
	{ "MAB_WAIT_CYCLES", ONE_MASK_10H_14H },
	{ "NON_CANCELLED_L3_READ_REQUESTS", ONE_MASK_10H_14H },
	{ "OPS_TYPE_DISPATCHED_FROM_DECODER", ONE_MASK_19H },
	{ "RETIRED_FP_OPS_BY_TYPE", ONE_MASK_19H },
	{ "RETIRED_INT_OPS", ONE_MASK_19H },
	{ "PACKED_FP_OPS_RETIRED", ONE_MASK_19H },
	{ "PACKED_INT_OPS_RETIRED", ONE_MASK_19H },
	{ "IC_TAG_HIT_MISS", ONE_MASK_19H },
	{ "OP_CACHE_HIT_MISS", ONE_MASK_19H },
	{ "CYCLES_NO_RETIRE", ONE_MASK_19H },
	{ "EX_NO_RETIRE", ONE_MASK_19H },
	{ "FP_OPS_RETIRED_BY_TYPE", ONE_MASK_19H },
	{ "FP_PACK_OPS_RETIRED", ONE_MASK_19H },
	{ "PACKED_INT_OP_TYPE", ONE_MASK_19H },
	{ "SSE_AVX_OPS_RETIRED", ONE_MASK_19H },
};

static unsigned int event_bits(const struct pfmlib_pmu *pmu, unsigned int event)
{
	return ((const unsigned int *)pmu->data)[event];
}

static bool has_ibs(const struct pfmlib_cpu *cpu)
{
	return cpu->family >= FAMILY_10H;
}

/* Family 16h has no core counter extension. */
bool pfmlib_amd64_has_core_counters(unsigned int family)
{
	return family == FAMILY_15H || family >= FAMILY_17H;
}

static bool is_10h_rev_b(const struct pfmlib_cpu *cpu)
{
	if (cpu->family != FAMILY_10H)
		return false;
	return (cpu->model < 4 || cpu->model > 6) &&
	       (cpu->model < 8 || cpu->model > 10);
}

static int setup(struct pfmlib_pmu *pmu)
{
	unsigned int counters =
		pfmlib_amd64_has_core_counters(pmu->cpu.family) ? 6 : 4;
	bool ibs = has_ibs(&pmu->cpu);

	pfmlib_mask_add_range(&pmu->impl_pmcs, 0,
			      ibs ? NUM_PMCS_IBS : counters);
	pfmlib_mask_add_range(&pmu->impl_pmds, 0,
			      ibs ? NUM_PMDS_IBS : counters);
	pfmlib_mask_add_range(&pmu->impl_counters, 0, counters);
	pmu->num_counters = counters;
	pmu->width = WIDTH;
	pmu->data = pfmlib_find_event_bits(pmu, constraints,
					   ARRAY_SIZE(constraints));
	return pmu->data ? PFMLIB_SUCCESS : PFMLIB_ERR_NOMEM;
}

static bool masks_combine(const struct pfmlib_pmu *pmu, unsigned int event)
{
	unsigned int bits = event_bits(pmu, event);
	unsigned int family = pmu->cpu.family;

	if (bits & ONE_MASK_10H_14H &&
	    (family == FAMILY_10H || family == FAMILY_14H))
		return false;
	if (bits & ONE_MASK_19H && family >= FAMILY_19H)
		return false;
	return !(bits & ONE_MASK);
}

static int check_event(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event,
		       const pfmlib_amd64_counter_t *options)
{
	uint32_t max = pmu->cpu.family >= FAMILY_17H ? MAX_CNT_MASK_ZEN :
						       MAX_CNT_MASK;

	if (event->plm & PFMLIB_PLM_MIDDLE)
		return PFMLIB_ERR_INVAL;
	if (event->num_masks > 1 && !masks_combine(pmu, event->event))
		return PFMLIB_ERR_FEATCOMB;
	if (options &&
	    (options->flags & ~(uint32_t)ALL_FLAGS || options->cnt_mask > max))
		return PFMLIB_ERR_INVAL;
	return PFMLIB_SUCCESS;
}

static uint64_t usable_counters(const struct pfmlib_pmu *pmu,
				const pfmlib_input_param_t *in)
{
	uint64_t usable = 0;
	unsigned int pmc;

	for (pmc = 0; pmc < pmu->num_counters; pmc++)
		if (pfmlib_pmc_usable(in, pmc))
			usable |= 1ULL << pmc;
	return usable;
}

static struct amd64_use use_of(const struct pfmlib_pmu *pmu,
			       const pfmlib_event_t *event)
{
	if (event_bits(pmu, event->event) & (IS_IBS_FETCH | IS_IBS_OP))
		return (struct amd64_use){ .counters = ~0ULL,
					   .needs_none = true };
	return pfmlib_amd64_use(pmu, pmu->events[event->event].code,
				pfmlib_mask_codes(pmu, event) & 0xff);
}

/*
 * Checks and assigns the events one after the other; programs expect that order of
 * errors.
 */
static int assign(const struct pfmlib_pmu *pmu, const pfmlib_input_param_t *in,
		  const pfmlib_amd64_input_param_t *param,
		  struct amd64_use uses[MAX_COUNTERS],
		  unsigned int counter[MAX_COUNTERS])
{
	uint64_t usable = usable_counters(pmu, in);
	unsigned int i;
	int ret;

	for (i = 0; i < in->pfp_event_count; i++) {
		ret = check_event(pmu, &in->pfp_events[i],
				  param ? &param->pfp_amd64_counters[i] : NULL);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		uses[i] = use_of(pmu, &in->pfp_events[i]);
		if (!pfmlib_amd64_assign(uses, i + 1, usable, counter))
			return PFMLIB_ERR_NOASSIGN;
	}
	return PFMLIB_SUCCESS;
}

static int add_options(const struct pfmlib_pmu *pmu,
		       const pfmlib_amd64_counter_t *options, uint64_t *value)
{
	if (options->flags & (PFM_AMD64_SEL_GUEST | PFM_AMD64_SEL_HOST) &&
	    pmu->cpu.family <= FAMILY_K8)
		return PFMLIB_ERR_BADHOST;
	*value |= (uint64_t)options->cnt_mask << PFMLIB_SEL_CMASK_SHIFT;
	if (options->flags & PFM_AMD64_SEL_EDGE)
		*value |= PFMLIB_SEL_EDGE;
	if (options->flags & PFM_AMD64_SEL_INV)
		*value |= PFMLIB_SEL_INV;
	if (options->flags & PFM_AMD64_SEL_GUEST)
		*value |= SEL_GUEST;
	if (options->flags & PFM_AMD64_SEL_HOST)
		*value |= SEL_HOST;
	return PFMLIB_SUCCESS;
}

static void emit_counter(const struct pfmlib_pmu *pmu, unsigned int counter,
			 uint64_t value, pfmlib_output_param_t *out)
{
	bool core = pfmlib_amd64_has_core_counters(pmu->cpu.family);

	pfmlib_emit_pmc(out, counter, value,
			core ? 0xc0010200 + 2 * counter : 0xc0010000 + counter);
	pfmlib_emit_pmd(out, counter,
			core ? 0xc0010201 + 2 * counter : 0xc0010004 + counter,
			counter);
}

static int add_counter(const struct pfmlib_pmu *pmu,
		       const pfmlib_input_param_t *in, unsigned int i,
		       const pfmlib_amd64_counter_t *options,
		       unsigned int counter, pfmlib_output_param_t *out)
{
	const pfmlib_event_t *event = &in->pfp_events[i];
	unsigned int code = pmu->events[event->event].code;
	unsigned int umask = pfmlib_mask_codes(pmu, event) & 0xff;
	uint64_t value = (code & 0xff) | PFMLIB_SEL_INT | PFMLIB_SEL_EN |
			 pfmlib_plm_bits(in, i);
	int ret;

	if (code > 0xff && pmu->cpu.family <= FAMILY_K8)
		return PFMLIB_ERR_BADHOST;
	value |= (uint64_t)umask << PFMLIB_SEL_UMASK_SHIFT;
	value |= (uint64_t)(code >> 8 & 0xf) << EVENT_HIGH_SHIFT;
	if (options) {
		ret = add_options(pmu, options, &value);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	emit_counter(pmu, counter, value, out);
	return PFMLIB_SUCCESS;
}

/* One of the two kinds of IBS; each kind has one set of registers. */
static int add_ibs(const pfmlib_input_param_t *in, unsigned int pmc,
		   uint64_t value, pfmlib_output_param_t *out)
{
	unsigned int pmd = pmc == PMC_FETCH ? PMD_FETCH : PMD_OP;
	unsigned int msr = pmc == PMC_FETCH ? MSR_FETCHCTL : MSR_OPCTL;
	unsigned int i;

	if (in && !pfmlib_pmc_usable(in, pmc))
		return PFMLIB_ERR_NOASSIGN;
	for (i = 0; i < out->pfp_pmc_count; i++)
		if (out->pfp_pmcs[i].reg_num == pmc)
			return PFMLIB_ERR_NOASSIGN;
	pfmlib_emit_pmc(out, pmc, value, msr);
	pfmlib_emit_pmd(out, pmd, msr, msr);
	return PFMLIB_SUCCESS;
}

static int add_ibs_fetch(const pfmlib_input_param_t *in, bool random,
			 unsigned int max_count, pfmlib_output_param_t *out)
{
	return add_ibs(in, PMC_FETCH,
		       FETCH_ENABLE | IBS_PERIOD(max_count) |
			       (random ? FETCH_RANDOM : 0),
		       out);
}

static int add_ibs_op(const struct pfmlib_pmu *pmu,
		      const pfmlib_input_param_t *in, bool uops,
		      unsigned int max_count, pfmlib_output_param_t *out)
{
	if (uops && is_10h_rev_b(&pmu->cpu))
		return PFMLIB_ERR_BADHOST;
	return add_ibs(in, PMC_OP,
		       OP_ENABLE | IBS_PERIOD(max_count) | (uops ? OP_UOPS : 0),
		       out);
}

static int dispatch_counters(const struct pfmlib_pmu *pmu,
			     const pfmlib_input_param_t *in,
			     const pfmlib_amd64_input_param_t *param,
			     pfmlib_output_param_t *out)
{
	unsigned int counter[MAX_COUNTERS], bits, codes, i;
	struct amd64_use uses[MAX_COUNTERS];
	int ret;

	ret = assign(pmu, in, param, uses, counter);
	for (i = 0; ret == PFMLIB_SUCCESS && i < in->pfp_event_count; i++) {
		bits = event_bits(pmu, in->pfp_events[i].event);
		codes = pfmlib_mask_codes(pmu, &in->pfp_events[i]);
		if (bits & IS_IBS_FETCH)
			ret = add_ibs_fetch(in, codes & MASK_FETCH_RANDOM, 0,
					    out);
		else if (bits & IS_IBS_OP)
			ret = add_ibs_op(pmu, in, codes & MASK_OP_UOPS, 0, out);
		else
			ret = add_counter(
				pmu, in, i,
				param ? &param->pfp_amd64_counters[i] : NULL,
				counter[i], out);
	}
	/* Adds IBS after the events, which stay in the order of the input. */
	for (i = 0; ret == PFMLIB_SUCCESS && i < in->pfp_event_count; i++)
		if (uses[i].is_pair)
			emit_counter(pmu, counter[i] + 1, SELECT_MERGE, out);
	return ret;
}

static int dispatch_ibs(const struct pfmlib_pmu *pmu,
			const pfmlib_input_param_t *in,
			const pfmlib_amd64_input_param_t *param,
			pfmlib_output_param_t *out,
			pfmlib_amd64_output_param_t *model_out)
{
	int ret;

	if (!model_out)
		return PFMLIB_ERR_INVAL;
	if (!has_ibs(&pmu->cpu))
		return PFMLIB_ERR_BADHOST;
	if (param->flags & PFMLIB_AMD64_USE_IBSFETCH) {
		model_out->ibsfetch_base = out->pfp_pmd_count;
		ret = add_ibs_fetch(
			in, param->ibsfetch.options & IBS_OPTIONS_RANDEN,
			param->ibsfetch.maxcnt, out);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	if (param->flags & PFMLIB_AMD64_USE_IBSOP) {
		model_out->ibsop_base = out->pfp_pmd_count;
		ret = add_ibs_op(pmu, in,
				 param->ibsop.options & IBS_OPTIONS_UOPS,
				 param->ibsop.maxcnt, out);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	const pfmlib_amd64_input_param_t *param = model_in;
	bool ibs = param && param->flags & (PFMLIB_AMD64_USE_IBSFETCH |
					    PFMLIB_AMD64_USE_IBSOP);
	bool counters = in && in->pfp_event_count;
	int ret;

	if (!counters && !ibs)
		return PFMLIB_ERR_INVAL;
	if (counters) {
		ret = dispatch_counters(pmu, in, param, out);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return ibs ? dispatch_ibs(pmu, in, param, out, model_out) :
		     PFMLIB_SUCCESS;
}

static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	unsigned int bits = event_bits(pmu, event), pmc;
	uint64_t all;

	if (bits & IS_IBS_FETCH)
		pfmlib_mask_add_range(counters, PMD_FETCH, 1);
	else if (bits & IS_IBS_OP)
		pfmlib_mask_add_range(counters, PMD_OP, 1);
	if (bits & (IS_IBS_FETCH | IS_IBS_OP))
		return;
	all = pfmlib_amd64_event_counters(pmu, event);
	for (pmc = 0; pmc < pmu->num_counters; pmc++)
		if (all >> pmc & 1)
			pfmlib_mask_add_range(counters, pmc, 1);
}

const struct pfmlib_dispatch pfmlib_dispatch_amd64 = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
	.takes_model_in_alone = true,
};
