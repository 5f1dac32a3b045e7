// SPDX-License-Identifier: GPL-2.0-only
/*
 * The models by name: which PMU of which design. Used by pmu.c.
 */

#include <string.h>

#include "design.h"

/* Selectors of Intel's: all of bits 31:0, or without 21 (any thread). */
#define INTEL_SELECT 0xffdfffffull
#define INTEL_SELECT_ANY 0xffffffffull
/* And bits 32 and 33, which are about transactions. */
#define INTEL_SELECT_TSX (3ull << 32)

/* Selectors of AMD's since family 10h: twelve event bits, guest and host. */
#define AMD_SELECT 0x30fffdfffffull
#define AMD_SELECT_NO_PIN 0x30fffd7ffffull

/*
 * Instruction-based sampling: capabilities as in CPUID 8000_001B EAX. The first
 * processors lack this leaf, and Linux supposes the first three bits.
 */
#define IBS_FAMILY_10H 0x007
#define IBS_FAMILY_15H 0x0ff
#define IBS_ZEN 0x3ff
#define IBS_ZEN_4 0xbff
#define IBS_ZEN_5 0x1bff

/* PERF_CAPABILITIES: the counters have addresses that take all bits. */
#define FULL_WIDTH_WRITES (1ull << 13)

/*
 * And of PEBS: its records come behind their instruction and have the registers of the
 * architecture, and the format of the records.
 */
#define PEBS_FORMAT(nr) (1ull << 6 | 1ull << 7 | (nr) << PEBS_FORMAT_SHIFT)
/* And of branch records. */
#define LBR_FORMAT_FLAGS 3ull
#define LBR_FORMAT_FLAGS_TSX 4ull
#define LBR_FORMAT_INFO 5ull
#define LBR_FORMAT_ARCH 0x3full

/* Enable bits of four counters, and of their loads' latencies; of precise stores. */
#define PEBS_FOUR_COUNTERS 0xf0000000full
#define PEBS_STORES (1ull << 63)

/* Intel's with or without PEBS whose records are made of groups. */
#define ARCH_RECORDS .lbr = PMU_LBR_ARCH, .lbr_depth = 32
#define NO_PEBS                      \
	.select_mask = INTEL_SELECT, \
	.capabilities = FULL_WIDTH_WRITES | LBR_FORMAT_ARCH, ARCH_RECORDS
#define PEBS_GROUPED(nr, records)                                             \
	.select_mask = INTEL_SELECT | PEBS_ADAPTIVE,                          \
	.capabilities = FULL_WIDTH_WRITES | PEBS_FORMAT(nr) | PEBS_BASELINE | \
			(records),                                            \
	.pebs_mask = 0xf000000ffull

/*
 * Sandy Bridge to Skylake. With hyper-threading off in the firmware, each core
 * has the counters of both threads: eight.
 */
#define SANDY_BRIDGE_TO_SKYLAKE(named, nr, selector, rules, offcore, front) \
	.name = (named), .design = &pmu_arch, .select_mask = (selector),    \
	.constraints = pmu_constraints_##rules,                             \
	.retired = pmu_retired_sandy_bridge, .counters = (nr), .width = 48, \
	.fixed = 3, .fixed_width = 48, .any_thread = true,                  \
	.rapl = PMU_RAPL_CLIENT,                                            \
	.extra_mask = { (offcore), (offcore), 0xffff, (front) }
#define SANDY_BRIDGE(named, nr, rules)                                        \
	{                                                                     \
		SANDY_BRIDGE_TO_SKYLAKE(named, nr, INTEL_SELECT_ANY, rules,   \
					0x3f807f8fff, 0),                     \
			.capabilities = FULL_WIDTH_WRITES |                   \
					PEBS_FORMAT(1ull) | LBR_FORMAT_FLAGS, \
			.pebs_mask = PEBS_FOUR_COUNTERS | PEBS_STORES,        \
			.version = 3, .lbr = PMU_LBR_FLAGS, .lbr_depth = 16   \
	}
#define HASWELL(named, nr, rules, period, granule)                            \
	{                                                                     \
		SANDY_BRIDGE_TO_SKYLAKE(named, nr,                            \
					INTEL_SELECT_ANY | INTEL_SELECT_TSX,  \
					rules, 0x3fffff8fff, 0),              \
			.capabilities = FULL_WIDTH_WRITES |                   \
					PEBS_FORMAT(2ull) |                   \
					LBR_FORMAT_FLAGS_TSX,                 \
			.pebs_mask = PEBS_FOUR_COUNTERS, .version = 3,        \
			.lbr = PMU_LBR_FLAGS_TSX, .lbr_depth = 16,            \
			.errata = PMU_ERRATUM_PERIOD, .min_period = (period), \
			.min_period_all = 128, .period_granule = (granule)    \
	}
#define SKYLAKE(named, nr)                                                    \
	{                                                                     \
		SANDY_BRIDGE_TO_SKYLAKE(named, nr, INTEL_SELECT_ANY, skylake, \
					0x3fffff8fff, 0x7fff17),              \
			.capabilities = FULL_WIDTH_WRITES |                   \
					PEBS_FORMAT(3ull) | LBR_FORMAT_INFO,  \
			.pebs_mask = PEBS_FOUR_COUNTERS, .version = 4,        \
			.lbr = PMU_LBR_INFO, .lbr_depth = 32,                 \
			.errata = PMU_ERRATUM_FORCE_ABORT                     \
	}

/* The two lines of cores since Golden Cove and Gracemont. */
#define COVE(named, nr, rules, branches, perfmon, responses)              \
	.name = (named), .design = &pmu_arch,                             \
	.constraints = pmu_constraints_##rules,                           \
	.retired = pmu_retired_##branches, .counters = (nr), .width = 48, \
	.fixed = 4, .fixed_width = 48, .version = (perfmon),              \
	.offcore = { 0x012a, 0x012b },                                    \
	.extra_mask = { (responses), (responses), 0xffff, 0x7fff1f }
#define MONT(named, nr, branches, perfmon, first, second)                  \
	.name = (named), .design = &pmu_arch, .select_mask = INTEL_SELECT, \
	.retired = pmu_retired_##branches, .counters = (nr), .width = 48,  \
	.fixed = 3, .fixed_width = 48, .version = (perfmon),               \
	.capabilities = FULL_WIDTH_WRITES | LBR_FORMAT_ARCH, ARCH_RECORDS, \
	.offcore = { 0x01b7, 0x02b7 },                                     \
	.extra_mask = { (first), (second), 0xffff }

/* AMD with PerfMonV2, Zen 4 and later, with nr programmable counters. */
#define PERFMON_V2(named, nr)                                                 \
	.name = (named), .design = &pmu_perfmon_v2,                           \
	.select_mask = AMD_SELECT_NO_PIN, .constraints = pmu_constraints_zen, \
	.merges = true, .retired = pmu_retired_zen4, .counters = (nr),        \
	.rapl = PMU_RAPL_AMD, .width = 48

/*
 * In a hybrid processor leaf 10 tells what all CPUs have. Of Alder Lake the driver
 * knows that the cores have two programmable counters and a fixed one more.
 */
#define HYBRID_CORE(nr)                                                    \
	.kind = PMU_KIND_CORE, .common_counters = (nr), .common_fixed = 3, \
	.perf_metrics = true, .rapl = PMU_RAPL_CLIENT
#define HYBRID_ATOM \
	.kind = PMU_KIND_ATOM, .events = atom_events, .rapl = PMU_RAPL_CLIENT

/* Events that the atom counts at another rate than the core. */
static const struct pmu_event atom_events[] = {
	{ 0x01c2, 0xffff, { 1, 3, 0 } }, /* micro-operations, not slots */
	{ 0x02c2, 0xffff, { 1, 7, 0 } },
	{ 0x00c2, 0xffff, { 3, 4, 0 } }, /* slots that retire */
	{ 0x01d1, 0xffff, { 1, 40, 0 } }, /* loads by where they hit */
	{ 0x02d1, 0xffff, { 1, 90, 0 } },
	{ 0, 0, { 0, 1, 0 } },
};

static const struct pmu_model models[] = {
	{
		.name = "k7",
		.design = &pmu_k7,
		.select_mask = INTEL_SELECT,
		.retired = pmu_retired_k7,
		.counters = 4,
		.width = 48,
	},
	{
		.name = "k10",
		.design = &pmu_k7,
		.select_mask = AMD_SELECT,
		.retired = pmu_retired_k7,
		.counters = 4,
		.width = 48,
		.ibs_caps = IBS_FAMILY_10H,
		.ibs_lvt = 1,
	},
	{
		.name = "fam15h",
		.design = &pmu_core_ext,
		.select_mask = AMD_SELECT_NO_PIN,
		.constraints = pmu_constraints_fam15h,
		.retired = pmu_retired_k7,
		.counters = 6,
		.width = 48,
		.ibs_caps = IBS_FAMILY_15H,
	},
	{
		.name = "zen",
		.design = &pmu_core_ext,
		.select_mask = AMD_SELECT_NO_PIN,
		.constraints = pmu_constraints_zen,
		.merges = true,
		.retired = pmu_retired_zen,
		.counters = 6,
		.rapl = PMU_RAPL_AMD,
		.width = 48,
		.ibs_caps = IBS_ZEN,
		.ibs_fetch_edge = true,
	},
	{
		PERFMON_V2("zen4", 6),
		.ibs_caps = IBS_ZEN_4,
		.lbr = PMU_LBR_AMD,
		.lbr_depth = 16,
	},
	{
		PERFMON_V2("zen5", 6),
		.ibs_caps = IBS_ZEN_5,
		.lbr = PMU_LBR_AMD,
		.lbr_depth = 16,
	},
	{
		/* As many as CPUID can announce. */
		PERFMON_V2("perfmonv2-15", 15),
	},
	{
		.name = "p6",
		.design = &pmu_p6,
		.select_mask = INTEL_SELECT,
		.constraints = pmu_constraints_p6,
		.retired = pmu_retired_p6,
		.counters = 2,
		.width = 40,
	},
	{
		.name = "coreduo",
		.design = &pmu_core_duo,
		.select_mask = INTEL_SELECT,
		.constraints = pmu_constraints_core_duo,
		.retired = pmu_retired_p6,
		.counters = 2,
		.width = 40,
		.version = 1,
	},
	{
		.name = "core2",
		.design = &pmu_arch,
		.select_mask = INTEL_SELECT,
		.constraints = pmu_constraints_core2,
		.retired = pmu_retired_core2,
		.counters = 2,
		.width = 40,
		.fixed = 3,
		.fixed_width = 40,
		.version = 2,
		.capabilities = PEBS_FORMAT(0ull),
		.pebs_mask = 1,
	},
	{
		/* What KVM shows to its guests. */
		.name = "arch2",
		.design = &pmu_arch,
		.select_mask = INTEL_SELECT,
		.retired = pmu_retired_arch,
		.counters = 4,
		.width = 48,
		.fixed = 3,
		.fixed_width = 48,
		.version = 2,
	},
	{
		.name = "nehalem",
		.design = &pmu_arch,
		.select_mask = INTEL_SELECT_ANY,
		.constraints = pmu_constraints_nehalem,
		.shared_extra = true,
		.errata = PMU_ERRATUM_REPROGRAM | PMU_ERRATUM_PERIOD,
		.min_period = 32,
		.retired = pmu_retired_nehalem,
		.counters = 4,
		.width = 48,
		.fixed = 3,
		.fixed_width = 48,
		.version = 3,
		.any_thread = true,
		.capabilities = PEBS_FORMAT(1ull) | LBR_FORMAT_FLAGS,
		.lbr = PMU_LBR_FLAGS,
		.lbr_depth = 16,
		.pebs_mask = PEBS_FOUR_COUNTERS,
		.extra_mask = { 0xffff, 0, 0xffff },
	},
	{
		.name = "westmere",
		.design = &pmu_arch,
		.select_mask = INTEL_SELECT_ANY,
		.constraints = pmu_constraints_westmere,
		.shared_extra = true,
		.errata = PMU_ERRATUM_REPROGRAM,
		.retired = pmu_retired_nehalem,
		.counters = 4,
		.width = 48,
		.fixed = 3,
		.fixed_width = 48,
		.version = 3,
		.any_thread = true,
		.capabilities = PEBS_FORMAT(1ull) | LBR_FORMAT_FLAGS,
		.lbr = PMU_LBR_FLAGS,
		.lbr_depth = 16,
		.pebs_mask = PEBS_FOUR_COUNTERS,
		.extra_mask = { 0xffff, 0xffff, 0xffff },
	},
	SANDY_BRIDGE("sandybridge", 4, sandy_bridge),
	SANDY_BRIDGE("sandybridge-8", 8, sandy_bridge),
	SANDY_BRIDGE("ivybridge", 4, ivy_bridge),
	SANDY_BRIDGE("ivybridge-8", 8, ivy_bridge),
	/* With TSX, as it was delivered. */
	HASWELL("haswell", 4, haswell, 32, 0),
	HASWELL("haswell-8", 8, haswell, 32, 0),
	HASWELL("broadwell", 4, broadwell, 0, 64),
	HASWELL("broadwell-8", 8, broadwell, 0, 64),
	SKYLAKE("skylake", 4),
	SKYLAKE("skylake-8", 8),
	{
		.name = "icelake",
		.design = &pmu_arch,
		PEBS_GROUPED(4ull, LBR_FORMAT_INFO),
		.lbr = PMU_LBR_INFO,
		.lbr_depth = 32,
		.constraints = pmu_constraints_ice_lake,
		.retired = pmu_retired_ice_lake,
		.counters = 8,
		.rapl = PMU_RAPL_SERVER,
		.width = 48,
		.fixed = 4,
		.fixed_width = 48,
		.version = 5,
		.extra_mask = { 0x3fffffbfff, 0x3fffffbfff, 0xffff, 0x7fff17 },
	},
	{ COVE("spr", 8, golden_cove, ice_lake, 5, 0x3fffffffff),
	  PEBS_GROUPED(5ull, LBR_FORMAT_ARCH), ARCH_RECORDS,
	  .rapl = PMU_RAPL_CLIENT },
	/* Of version 6, so that a driver meets its leaf and its addresses. */
	{ COVE("gnr", 8, golden_cove, ice_lake, 6, 0x3fffffffff), NO_PEBS },
	{ COVE("lioncove", 10, lion_cove, arch, 6, 0xfffffffffff), NO_PEBS,
	  HYBRID_CORE(8) },
	{ COVE("goldencove", 8, golden_cove, ice_lake, 5, 0x3fffffffff),
	  NO_PEBS, HYBRID_CORE(6) },
	{ MONT("gracemont", 6, gracemont, 5, 0x3fffffffff, 0x3fffffffff),
	  HYBRID_ATOM },
	{ MONT("skymont", 8, arch, 6, 0x800ff3ffffffffff, 0xff3ffffffffff),
	  HYBRID_ATOM },
	{ MONT("srf", 8, gracemont, 6, 0x800ff3ffffffffff, 0xff3ffffffffff) },
	{
		/* No product: what the bitmap of fixed counters is for. */
		.name = "arch5-holes",
		.design = &pmu_arch,
		.select_mask = INTEL_SELECT,
		.retired = pmu_retired_arch,
		.counters = 8,
		.width = 48,
		.fixed = 7,
		.fixed_holes = 0x08,
		.fixed_width = 48,
		.version = 5,
		.capabilities = FULL_WIDTH_WRITES,
	},
	{
		/* The selector of these five is one half of CESR. */
		.name = "p5",
		.design = &pmu_p5,
		.select_mask = 0x1ff,
		.counters = 2,
		.width = 40,
	},
	{
		.name = "p5mmx",
		.design = &pmu_p5mmx,
		.select_mask = 0x1ff,
		.counters = 2,
		.width = 40,
	},
	{
		.name = "mii",
		.design = &pmu_p5mmx,
		.select_mask = 0x5ff,
		.counters = 2,
		.width = 40,
	},
	{
		.name = "winchip-c6",
		.design = &pmu_winchip_c6,
		.select_mask = 0xff,
		.counters = 2,
		.width = 40,
	},
	{
		.name = "winchip-2",
		.design = &pmu_winchip_2,
		.select_mask = 0xff,
		.counters = 2,
		.width = 40,
	},
	{
		/* The first of the two counters does not exist. */
		.name = "c3",
		.design = &pmu_c3,
		.select_mask = 0x1ff,
		.counters = 2,
		.width = 32,
	},
	{
		.name = "none",
		.design = &pmu_none,
	},
	{
		.name = "p4",
		.design = &pmu_p4,
		.counters = 18,
		.width = 40,
		.p4_model = 4,
	},
	{
		/* Without extended cascading, with IQ_ESCR. */
		.name = "p4m1",
		.design = &pmu_p4,
		.counters = 18,
		.width = 40,
		.p4_model = 1,
	},
	{
		.name = "p4m2",
		.design = &pmu_p4,
		.counters = 18,
		.width = 40,
		.p4_model = 2,
	},
	{
		.name = "p4ht",
		.design = &pmu_p4,
		.counters = 18,
		.width = 40,
		.p4_model = 4,
		.p4_threads = true,
	},
};

const struct pmu_model *pmu_find_model(const char *name)
{
	unsigned int i;

	for (i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}
