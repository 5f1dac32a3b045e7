// SPDX-License-Identifier: MIT
/* Registers, fixed counters and corrected codes of the types, see snb_types.h. */
#include <string.h>
#include <strings.h>

#include "events/pfmlib_events.h"
#include "snb_types.h"

/* Event select and unit mask. */
#define CODE 0xffffULL
#define CMASK_1 (1U << PFMLIB_SEL_CMASK_SHIFT)

#define IVY_BRIDGE_EP 62

/* Sets of types. */
#define TYPE_BIT(type) (1ULL << ((type)-PFMLIB_INTEL_SNB_PMU))
#define SNB TYPE_BIT(PFMLIB_INTEL_SNB_PMU)
#define IVB TYPE_BIT(PFMLIB_INTEL_IVB_PMU)
#define HSW TYPE_BIT(PFMLIB_INTEL_HSW_PMU)
#define BDW TYPE_BIT(PFMLIB_INTEL_BDW_PMU)
#define SKL TYPE_BIT(PFMLIB_INTEL_SKL_PMU)
#define ICL TYPE_BIT(PFMLIB_INTEL_ICL_PMU)
#define SPR TYPE_BIT(PFMLIB_INTEL_SPR_PMU)
#define GLM TYPE_BIT(PFMLIB_INTEL_GLM_PMU)
#define TMT TYPE_BIT(PFMLIB_INTEL_TMT_PMU)

/* Types with libpfm4's names, and types with event files. */
#define ALL_TYPES (~0ULL)
#define BY_FILE                                                            \
	(TYPE_BIT(PFMLIB_INTEL_GLC_PMU) | TYPE_BIT(PFMLIB_INTEL_GRT_PMU) | \
	 TYPE_BIT(PFMLIB_INTEL_RWC_PMU) | TYPE_BIT(PFMLIB_INTEL_CMT_PMU) | \
	 TYPE_BIT(PFMLIB_INTEL_LNC_PMU) | TYPE_BIT(PFMLIB_INTEL_SKT_PMU) | \
	 TYPE_BIT(PFMLIB_INTEL_HYBRID_PMU))

/* The two families of cores in hybrid processors. */
#define CORE(number, generic)                                            \
	{                                                                \
		.type = number, .num_generic = generic, .num_fixed = 4,  \
		.width = 48, .no_any_thread = true, .has_latency = true, \
		.has_frontend = true                                     \
	}
#define ATOM(number, generic)                                           \
	{                                                               \
		.type = number, .num_generic = generic, .num_fixed = 3, \
		.width = 48, .no_any_thread = true                      \
	}

static const struct snb_type types[] = {
	{ .type = PFMLIB_INTEL_SNB_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48,
	  .has_latency = true,
	  .has_lbr = true },
	{ .type = PFMLIB_INTEL_IVB_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48,
	  .has_latency = true,
	  .has_lbr = true },
	{ .type = PFMLIB_INTEL_HSW_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48,
	  .has_latency = true,
	  .has_lbr = true },
	{ .type = PFMLIB_INTEL_BDW_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48,
	  .has_latency = true,
	  .has_lbr = true },
	{ .type = PFMLIB_INTEL_SKL_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48,
	  .has_latency = true,
	  .has_frontend = true },
	{ .type = PFMLIB_INTEL_ICL_PMU,
	  .num_generic = 8,
	  .num_fixed = 4,
	  .width = 48,
	  .no_any_thread = true,
	  .has_latency = true,
	  .has_frontend = true },
	{ .type = PFMLIB_INTEL_SPR_PMU,
	  .num_generic = 8,
	  .num_fixed = 4,
	  .width = 48,
	  .no_any_thread = true,
	  .has_latency = true,
	  .has_frontend = true },
	{ .type = PFMLIB_INTEL_SLM_PMU,
	  .num_generic = 2,
	  .num_fixed = 3,
	  .width = 40 },
	{ .type = PFMLIB_INTEL_GLM_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48 },
	{ .type = PFMLIB_INTEL_TMT_PMU,
	  .num_generic = 4,
	  .num_fixed = 3,
	  .width = 48 },
	{ .type = PFMLIB_INTEL_KNL_PMU,
	  .num_generic = 2,
	  .num_fixed = 3,
	  .width = 40 },
	CORE(PFMLIB_INTEL_GLC_PMU, 8),
	CORE(PFMLIB_INTEL_RWC_PMU, 8),
	CORE(PFMLIB_INTEL_LNC_PMU, 10),
	ATOM(PFMLIB_INTEL_GRT_PMU, 6),
	ATOM(PFMLIB_INTEL_CMT_PMU, 8),
	ATOM(PFMLIB_INTEL_SKT_PMU, 8),
	/* Only one kind of core has the front-end register. */
	{ .type = PFMLIB_INTEL_HYBRID_PMU,
	  .num_generic = 6,
	  .num_fixed = 3,
	  .width = 48,
	  .no_any_thread = true,
	  .has_frontend = true },
};

/* Events of fixed counters; a row without a mask applies to every mask. */
static const struct {
	uint64_t types;
	const char *event;
	const char *mask;
	unsigned int bits;
} on_fixed[] = {
	{ ALL_TYPES, "INSTRUCTION_RETIRED", NULL, ARCH_IS_INSTRUCTIONS },
	{ ALL_TYPES, "INSTRUCTIONS_RETIRED", NULL, ARCH_IS_INSTRUCTIONS },
	{ ALL_TYPES, "UNHALTED_CORE_CYCLES", NULL, ARCH_IS_CYCLES },
	{ BY_FILE, "UNHALTED_REFERENCE_CYCLES", NULL, ARCH_IS_REFERENCE },
	{ ICL | SPR, "INST_RETIRED", "PREC_DIST",
	  ARCH_IS_INSTRUCTIONS | ARCH_FIXED_ALONE },
	{ ICL | SPR, "INST_RETIRED", "ANY",
	  ARCH_IS_INSTRUCTIONS | ARCH_FIXED_ALONE },
};

/* Correct codes, where libpfm4's codes count nothing or another event. */
static const struct {
	uint64_t types;
	const char *event;
	const char *mask; /* NULL: the wrong code identifies it */
	unsigned int wrong;
	unsigned int right; /* includes the counter mask, if there is one */
	unsigned int model; /* 0: all models of the type */
	uint64_t extra; /* value of the front-end or off-core register */
} repairs[] = {
	{ ICL | SPR, "TOPDOWN", NULL, 0x0200, 0x02a4, 0, 0 },
	{ ICL | SPR, "TOPDOWN", NULL, 0x0800, 0x08a4, 0, 0 },
	{ SPR, "TOPDOWN", NULL, 0x1000, 0x10a4, 0, 0 },
	{ SPR, "TOPDOWN", "BAD_SPEC_SLOTS", 0x0400, 0x04a4, 0, 0 },
	{ SPR, "MEM_TRANS_RETIRED", "STORE_SAMPLE", 0x03cd, 0x02cd, 0, 0 },
	/* Each of the two events has its own off-core register. */
	{ SPR, "OFFCORE_RESPONSE_1", NULL, 0x012a, 0x012b, 0, 0 },
	{ GLM, "CPU_CLK_UNHALTED", NULL, 0x0000, 0x003c, 0, 0 },
	{ GLM, "CPU_CLK_UNHALTED", NULL, 0x0100, 0x013c, 0, 0 },
	/*
	 * From here on according to Intel's event files, tools/perf/pmu-events/arch/x86
	 * of Linux 6.12: ivybridge, ivytown, skylake*, cascadelakex, icelake*, tigerlake,
	 * rocketlake, sapphirerapids, elkhartlake, snowridgex.
	 */
	{ IVB, "MOVE_ELIMINATION", "INT_ELIMINATED", 0x0458, 0x0158, 0, 0 },
	{ IVB, "MOVE_ELIMINATION", "INT_NOT_ELIMINATED", 0x0158, 0x0458, 0, 0 },
	{ IVB, "MEM_LOAD_UOPS_LLC_MISS_RETIRED", "LOCAL_DRAM", 0x01d3, 0x03d3,
	  IVY_BRIDGE_EP, 0 },
	{ SKL, "UOPS_RETIRED", "STALL_CYCLES", 0x01c2, 0x02c2, 0, 0 },
	{ SKL, "UOPS_RETIRED", "TOTAL_CYCLES", 0x01c2, 0x02c2, 0, 0 },
	{ ICL, "MEM_LOAD_MISC_RETIRED", "UC", 0x04c4, 0x04d4, 0, 0 },
	{ SPR, "UOPS_RETIRED", "MS", 0x08c2, 0x04c2, 0, 0x8 },
	{ SPR, "INT_MISC", "UNKNOWN_BRANCH_CYCLES", 0x07ad, 0x40ad, 0, 0x7 },
	{ SPR, "ARITH", "IDIV_ACTIVE", 0x08b0, CMASK_1 | 0x08b0, 0, 0 },
	{ SPR, "ARITH", "INT_DIVIDER_ACTIVE", 0x08b0, CMASK_1 | 0x08b0, 0, 0 },
	{ TMT, "OCR", "DEMAND_DATA_RD_L3_MISS", 0x01b7, 0x01b7, 0,
	  0x2184000001 },
	{ TMT, "OCR", "DEMAND_RFO_L3_MISS", 0x01b7, 0x01b7, 0, 0x2184000002 },
};

const struct snb_type *pfmlib_snb_type(const struct pfmlib_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].type == pmu->model->type)
			return &types[i];
	return NULL;
}

static uint64_t type_bit(const struct pfmlib_pmu *pmu)
{
	return TYPE_BIT(pmu->model->type);
}

static bool has_mask(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		     const char *mask)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];
	unsigned int i;

	if (!mask)
		return true;
	for (i = 0; i < event->num_masks; i++)
		if (!strcasecmp(desc->masks[event->unit_masks[i]].name, mask))
			return true;
	return false;
}

static bool is_event(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		     const char *name)
{
	return !strcasecmp(pmu->events[event->event].name, name);
}

/* libpfm4 marks an event as precise even if only some of its masks are. */
static bool is_precise(const struct pfmlib_pmu *pmu,
		       const pfmlib_event_t *event)
{
	const struct pfmlib_event_desc *desc = &pmu->events[event->event];
	unsigned int i;

	for (i = 0; i < event->num_masks; i++)
		if (!(desc->masks[event->unit_masks[i]].flags &
		      PFMLIB_MASK_PRECISE))
			return false;
	return desc->flags & PFMLIB_EV_PRECISE;
}

unsigned int pfmlib_snb_bits(const struct pfmlib_pmu *pmu,
			     const pfmlib_event_t *event)
{
	unsigned int bits = is_precise(pmu, event) ? ARCH_PEBS : 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(on_fixed); i++)
		if (on_fixed[i].types & type_bit(pmu) &&
		    is_event(pmu, event, on_fixed[i].event) &&
		    has_mask(pmu, event, on_fixed[i].mask))
			bits |= on_fixed[i].bits;
	return bits;
}

int pfmlib_snb_encode(const struct pfmlib_pmu *pmu, const pfmlib_event_t *event,
		      unsigned int plm, uint64_t values[2],
		      unsigned int *num_values)
{
	int ret = pfmlib_encode(pmu, event, plm, values);
	unsigned int i;

	if (ret < 0)
		return ret;
	*num_values = ret;
	for (i = 0; i < ARRAY_SIZE(repairs); i++) {
		if (repairs[i].types & type_bit(pmu) &&
		    (!repairs[i].model || repairs[i].model == pmu->cpu.model) &&
		    (values[0] & CODE) == repairs[i].wrong &&
		    is_event(pmu, event, repairs[i].event) &&
		    has_mask(pmu, event, repairs[i].mask)) {
			values[0] = (values[0] & ~CODE) | repairs[i].right;
			if (repairs[i].extra) {
				values[1] = repairs[i].extra;
				*num_values = 2;
			}
			break;
		}
	}
	return PFMLIB_SUCCESS;
}
