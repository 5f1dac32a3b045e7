// SPDX-License-Identifier: MIT
/*
 * The dispatcher of Intel processors since Sandy Bridge. It assigns like Nehalem's but
 * has no uncore, and gets the selectors from libpfm4 or an event file.  snb_types.h has
 * the differences between the types.
 */
#include "eventfiles/eventfiles.h"
#include "events/pfmlib_events.h"
#include "extra_regs.h"
#include "snb_types.h"

/* The number of elements of arrays in programs, also for fixed counters. */
#define MAX_GENERIC 12

/* Flags of events that programs may set; they are ignored here. */
#define EVENT_FLAGS 0x7UL

/* Event selects that use an additional register; below them, their mask. */
#define SELECT_FIXED 0x00
#define SELECT_OFFCORE_0 0x2a /* Sapphire Rapids */
#define SELECT_OFFCORE_1 0x2b
#define SELECT_OFFCORE 0xb7 /* other processors */
#define SELECT_OFFCORE_1_OLD 0xbb
#define SELECT_LATENCY 0xcd
#define SELECT_FRONTEND 0xc6

#define UMASK(code) ((unsigned int)((code) >> PFMLIB_SEL_UMASK_SHIFT & 0xff))
#define CODE 0xffff
#define CODE_UOPS_MS 0x04c2 /* Sapphire Rapids: front-end events, too */
#define CODE_UNKNOWN_BRANCH 0x40ad
#define OFFCORE_1_UMASK 0x2
#define LATENCY_UMASK 0x1

/* Cycles, see libpfm_nehalem(3). */
#define LEAST_LATENCY 3
#define MOST_LATENCY 0xffff
/* An event file names the first of two off-core events; the second differs in this. */
#define NEXT_OFFCORE_SELECT 0x1
#define NEXT_OFFCORE_UMASK 0x300

_Static_assert(sizeof(pfmlib_nhm_counter_t) == sizeof(struct arch_modifiers),
	       "what pfmlib_arch_start() copies");

/* A call, and the properties of its events. */
struct snb_call {
	struct arch_call call;
	struct extra_regs extra;
	const struct snb_type *type;
	const pfmlib_nhm_input_param_t *nhm_in; /* may be NULL */
	const struct pfmlib_file_row *row[ARCH_MAX_EVENTS]; /* or NULL */
	unsigned int bits[ARCH_MAX_EVENTS];
	uint64_t code[ARCH_MAX_EVENTS];
	uint64_t more; /* counters of only one kind of core */
};

static int setup(struct pfmlib_pmu *pmu)
{
	const struct snb_type *type = pfmlib_snb_type(pmu);
	unsigned int num_generic = pmu->cpu.num_generic;
	unsigned int num_fixed = pmu->cpu.num_fixed;

	if (!type)
		return PFMLIB_ERR_NOTSUPP;
	if (!num_generic)
		num_generic = type->num_generic;
	if (!num_fixed)
		num_fixed = type->num_fixed;
	pfmlib_arch_describe(pmu, pfmlib_at_most(num_generic, MAX_GENERIC),
			     pfmlib_at_most(num_fixed, type->num_fixed),
			     type->width);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_PEBS_ENABLE, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_OFFCORE_0, 1);
	pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_OFFCORE_1, 1);
	if (type->has_latency)
		pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_LATENCY, 1);
	if (type->has_frontend)
		pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_FRONTEND, 1);
	if (type->has_lbr) {
		pfmlib_mask_add_range(&pmu->impl_pmcs, EXTRA_PMC_LBR_SELECT, 1);
		pfmlib_extra_add_lbr(&pmu->impl_pmds);
	}
	return PFMLIB_SUCCESS;
}

/* With event select 0, the unit mask chooses a fixed counter. */
static uint64_t fixed_for_code(uint64_t code)
{
	unsigned int number = UMASK(code);

	if (number < 1 || number > ARCH_MAX_FIXED)
		return 0;
	return ARCH_COUNTER(ARCH_FIXED + number - 1);
}

static uint64_t counters_for(const struct pfmlib_pmu *pmu,
			     const struct pfmlib_file_row *row,
			     unsigned int bits, uint64_t code)
{
	if (row)
		return row->counters;
	if ((code & 0xff) == SELECT_FIXED)
		return fixed_for_code(code);
	if (bits & ARCH_FIXED_ALONE)
		return pfmlib_arch_fixed_for(bits);
	return pfmlib_arch_generic_for(pmu, code) | pfmlib_arch_fixed_for(bits);
}

/* False if the event needs no register besides its selector. */
static bool find_extra(const struct snb_call *snb, uint64_t code,
		       enum extra_reg *which)
{
	bool has_select_b7 = snb->type->type != PFMLIB_INTEL_SPR_PMU;

	*which = EXTRA_FRONTEND;
	if (!has_select_b7 && ((code & CODE) == CODE_UOPS_MS ||
			       (code & CODE) == CODE_UNKNOWN_BRANCH))
		return true;
	switch (code & 0xff) {
	case SELECT_OFFCORE_0:
		*which = EXTRA_OFFCORE_0;
		return !has_select_b7;
	case SELECT_OFFCORE_1:
		*which = EXTRA_OFFCORE_1;
		return !has_select_b7;
	case SELECT_OFFCORE:
		*which = UMASK(code) == OFFCORE_1_UMASK ? EXTRA_OFFCORE_1 :
							  EXTRA_OFFCORE_0;
		return has_select_b7;
	case SELECT_OFFCORE_1_OLD:
		*which = EXTRA_OFFCORE_1;
		return has_select_b7;
	case SELECT_FRONTEND:
		return snb->type->has_frontend;
	default:
		return false;
	}
}

/* Is it an event for the latency of loads? It counts only with precise sampling. */
static bool is_latency(const struct snb_type *type,
		       const struct pfmlib_file_row *row, uint64_t code)
{
	if (row)
		return row->extra == LATENCY;
	return (code & 0xff) == SELECT_LATENCY && UMASK(code) & LATENCY_UMASK &&
	       type->has_latency;
}

static uint64_t kind_bits(const struct pfmlib_file_row *row, uint64_t core,
			  uint64_t atom)
{
	if (!row)
		return 0;
	return (row->flags & PFMLIB_FILE_CORE ? core : 0) |
	       (row->flags & PFMLIB_FILE_ATOM ? atom : 0);
}

/* Either of the two registers can be used: the second one if the first is taken. */
static int want_offcore(struct snb_call *snb, unsigned int i, uint64_t value)
{
	int ret = pfmlib_extra_want(&snb->extra, snb->call.in, EXTRA_OFFCORE_0,
				    value);

	if (ret != PFMLIB_ERR_NOASSIGN)
		return ret;
	snb->code[i] ^= (snb->code[i] & 0xff) == SELECT_OFFCORE ?
				NEXT_OFFCORE_UMASK :
				NEXT_OFFCORE_SELECT;
	return pfmlib_extra_want(&snb->extra, snb->call.in, EXTRA_OFFCORE_1,
				 value);
}

static int want_file_extra(struct snb_call *snb, unsigned int i)
{
	const struct pfmlib_file_row *row = snb->row[i];
	uint64_t value = row->value |
			 kind_bits(row, PFMLIB_EXTRA_CORE, PFMLIB_EXTRA_ATOM);

	switch ((enum pfmlib_file_extra)row->extra) {
	case OFFCORE_0:
		return pfmlib_extra_want(&snb->extra, snb->call.in,
					 EXTRA_OFFCORE_0, value);
	case OFFCORE_1:
		return pfmlib_extra_want(&snb->extra, snb->call.in,
					 EXTRA_OFFCORE_1, value);
	case OFFCORE:
		return want_offcore(snb, i, value);
	case FRONTEND:
		return pfmlib_extra_want(&snb->extra, snb->call.in,
					 EXTRA_FRONTEND, value);
	case LATENCY:
	case NONE:
		break;
	}
	return PFMLIB_SUCCESS;
}

static int want_extra(struct snb_call *snb, const uint64_t values[2],
		      unsigned int num_values)
{
	enum extra_reg which;

	if (num_values < 2 || !find_extra(snb, values[0], &which))
		return PFMLIB_SUCCESS;
	return pfmlib_extra_want(&snb->extra, snb->call.in, which, values[1]);
}

/* Slow loads count only while they are sampled precisely, from a threshold on. */
static int want_latency(struct snb_call *snb, unsigned int i)
{
	unsigned int cycles;

	if (snb->row[i] || !snb->nhm_in || !snb->nhm_in->pfp_nhm_pebs.pebs_used)
		return PFMLIB_ERR_NOTSUPP;
	cycles = snb->nhm_in->pfp_nhm_pebs.ld_lat_thres;
	if (cycles < LEAST_LATENCY || cycles > MOST_LATENCY)
		return PFMLIB_ERR_INVAL;
	snb->bits[i] |= ARCH_PEBS;
	return pfmlib_extra_want(&snb->extra, snb->call.in, EXTRA_LATENCY,
				 cycles);
}

static int check_event(struct snb_call *snb, unsigned int i)
{
	const struct arch_call *call = &snb->call;
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	unsigned int flags = call->modifiers[i].flags, num_values;
	uint64_t values[2];
	int ret;

	if (event->plm & PFMLIB_PLM_MIDDLE || event->flags & ~EVENT_FLAGS)
		return PFMLIB_ERR_INVAL;
	if (flags & ARCH_OCC_RST ||
	    (flags & ARCH_ANYTHR && snb->type->no_any_thread))
		return PFMLIB_ERR_INVAL;
	ret = pfmlib_snb_encode(call->pmu, event, pfmlib_plm(call->in, i),
				values, &num_values);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	snb->row[i] = pfmlib_file_row(call->pmu, event);
	snb->bits[i] = pfmlib_snb_bits(call->pmu, event);
	snb->code[i] = values[0];
	if (is_latency(snb->type, snb->row[i], values[0]))
		return want_latency(snb, i);
	return snb->row[i] ? want_file_extra(snb, i) :
			     want_extra(snb, values, num_values);
}

static bool wants_pebs(const struct snb_call *snb, unsigned int i)
{
	return snb->nhm_in && snb->nhm_in->pfp_nhm_pebs.pebs_used &&
	       snb->bits[i] & ARCH_PEBS;
}

static unsigned int kinds_of(const struct snb_call *snb)
{
	unsigned int kinds = 0, i;

	for (i = 0; i < snb->call.in->pfp_event_count; i++)
		if (snb->row[i])
			kinds |= snb->row[i]->flags &
				 (PFMLIB_FILE_CORE | PFMLIB_FILE_ATOM);
	return kinds;
}

/*
 * The CPUs of one kind of core may have counters beyond the common ones. Sessions of such
 * a CPU may use them, for events of that kind.
 */
static void allow_more(struct snb_call *snb)
{
	struct arch_call *call = &snb->call;
	unsigned int kinds, counter;

	if (snb->type->type != PFMLIB_INTEL_HYBRID_PMU ||
	    !(call->in->pfp_flags & PFMLIB_PFP_SYSTEMWIDE))
		return;
	kinds = kinds_of(snb);
	if (kinds != PFMLIB_FILE_CORE && kinds != PFMLIB_FILE_ATOM)
		return;
	snb->more = ARCH_ALL_GENERIC & ~call->generic;
	call->generic |= snb->more;
	for (counter = 0; counter < ARCH_FIXED; counter++)
		if (snb->more & ARCH_COUNTER(counter) &&
		    pfmlib_pmc_usable(call->in, counter))
			call->usable |= ARCH_COUNTER(counter);
}

/* True if the event is of one kind, whose number of counters the event file has. */
static bool is_of_a_kind(const struct pfmlib_file_row *row)
{
	return row && row->flags & (PFMLIB_FILE_CORE | PFMLIB_FILE_ATOM);
}

static int assign(struct snb_call *snb)
{
	struct arch_call *call = &snb->call;
	uint64_t counters;
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		ret = check_event(snb, i);
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	allow_more(snb);
	for (i = 0; i < call->in->pfp_event_count; i++) {
		counters = counters_for(call->pmu, snb->row[i], snb->bits[i],
					snb->code[i]);
		if (!is_of_a_kind(snb->row[i]))
			counters &= ~snb->more;
		if (wants_pebs(snb, i) || pfmlib_arch_needs_selector(call, i))
			counters &= ~ARCH_ALL_FIXED;
		pfmlib_arch_allow(call, i, counters);
	}
	return pfmlib_arch_assign(call);
}

static int select_events(struct snb_call *snb)
{
	struct arch_call *call = &snb->call;
	unsigned int i;
	int ret;

	for (i = 0; i < call->in->pfp_event_count; i++) {
		if (!pfmlib_arch_is_generic(call, i))
			continue;
		ret = pfmlib_arch_select(call, i, snb->code[i]);
		if (ret != PFMLIB_SUCCESS)
			return ret;
		call->selector[i] |= kind_bits(snb->row[i], PFMLIB_SEL_CORE,
					       PFMLIB_SEL_ATOM);
	}
	return PFMLIB_SUCCESS;
}

static int add_pebs(struct snb_call *snb)
{
	unsigned int i;
	int ret;

	for (i = 0; i < snb->call.in->pfp_event_count; i++) {
		if (!wants_pebs(snb, i))
			continue;
		ret = pfmlib_extra_want_pebs(&snb->extra, &snb->call, i,
					     is_latency(snb->type, snb->row[i],
							snb->code[i]));
		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

static int add_lbr(const struct snb_call *snb, pfmlib_output_param_t *out)
{
	if (!snb->nhm_in || !snb->nhm_in->pfp_nhm_lbr.lbr_used)
		return PFMLIB_SUCCESS;
	if (!snb->type->has_lbr)
		return PFMLIB_ERR_NOASSIGN;
	return pfmlib_extra_emit_lbr(&snb->nhm_in->pfp_nhm_lbr, &snb->call,
				     out);
}

static int dispatch(const struct pfmlib_pmu *pmu,
		    const pfmlib_input_param_t *in, const void *model_in,
		    pfmlib_output_param_t *out, void *model_out)
{
	struct snb_call snb = {
		.type = pfmlib_snb_type(pmu),
		.nhm_in = model_in,
	};
	int ret;

	(void)model_out;
	pfmlib_arch_start(&snb.call, pmu, in,
			  snb.nhm_in ? snb.nhm_in->pfp_nhm_counters : NULL);
	snb.call.has_any_thread = !snb.type->no_any_thread;
	ret = assign(&snb);
	if (ret == PFMLIB_SUCCESS)
		ret = select_events(&snb);
	if (ret == PFMLIB_SUCCESS)
		ret = add_pebs(&snb);
	if (ret != PFMLIB_SUCCESS)
		return ret;
	pfmlib_arch_emit_fixed(&snb.call, out);
	pfmlib_arch_emit_generic(&snb.call, out);
	pfmlib_extra_emit(&snb.extra, out);
	pfmlib_arch_emit_pmds(&snb.call, out);
	return add_lbr(&snb, out);
}

static void add_event_counters(const struct pfmlib_pmu *pmu,
			       const pfmlib_event_t *event,
			       pfmlib_regmask_t *counters)
{
	const struct pfmlib_file_row *row = pfmlib_file_row(pmu, event);
	unsigned int num_values;
	uint64_t values[2];

	if (pfmlib_snb_encode(pmu, event, PFM_PLM3, values, &num_values) !=
		    PFMLIB_SUCCESS ||
	    is_latency(pfmlib_snb_type(pmu), row, values[0]))
		return;
	pfmlib_arch_add_counters(
		pmu, counters,
		counters_for(pmu, row, pfmlib_snb_bits(pmu, event), values[0]));
}

/* The masks of one event can have different counters. */
static void event_counters(const struct pfmlib_pmu *pmu, unsigned int event,
			   pfmlib_regmask_t *counters)
{
	pfmlib_event_t one = { .event = event };
	unsigned int mask;

	add_event_counters(pmu, &one, counters);
	one.num_masks = 1;
	for (mask = 0; mask < pmu->events[event].num_masks; mask++) {
		one.unit_masks[0] = mask;
		add_event_counters(pmu, &one, counters);
	}
}

static bool is_precise(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event)
{
	return pfmlib_snb_bits(pmu, event) & ARCH_PEBS;
}

const struct pfmlib_dispatch pfmlib_dispatch_snb = {
	.setup = setup,
	.dispatch = dispatch,
	.event_counters = event_counters,
	.is_precise = is_precise,
};
