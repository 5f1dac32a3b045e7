// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register maps (desc.c): which logical PMCs and PMDs a processor has. They
 * are an ABI, so every field is compared with the documented value.
 */
#include "perfctr_harness.h"

#define FIRST_FIXED 16
#define TSC_PMD 256
#define COUNTER_TYPE 0x0e4 /* 64 bits, interrupt, both kinds of sessions */
#define TSC_TYPE 0x0d0 /* virtual, both kinds of sessions */
#define SELECTOR_TYPE 0x1c0 /* no emulation, both kinds of sessions */

/* What the maps say beyond struct processor. */
struct map {
	const char *processor;
	const char *selector, *counter; /* names */
	unsigned int width; /* usable bits of a counter */
	u64 reserved; /* bits of a selector that users cannot choose */
	bool counter_bits_reserved; /* those above the width */
};

static const struct map maps[] = {
	{ "k7", "PERFSEL", "PERFCTR", 47, 0xffffffff00300000, true },
	{ "k8", "PERFSEL", "PERFCTR", 47, 0xffffffff00300000, true },
	{ "fam10h", "PERFSEL", "PERFCTR", 47, 0xfffffcf000300000, true },
	{ "fam15h", "PERFSEL", "PERFCTR", 47, 0xfffffcf000300000, true },
	{ "zen1", "PERFSEL", "PERFCTR", 47, 0xfffffcf000300000, true },
	{ "zen4", "PERFSEL", "PERFCTR", 47, 0xfffffcf000300000, true },
	{ "zen5", "PERFSEL", "PERFCTR", 47, 0xfffffcf000300000, true },
	{ "ppro", "PERFEVTSEL", "PERFCTR", 31, 0xffffffff00300000, false },
	{ "p2", "PERFEVTSEL", "PERFCTR", 31, 0xffffffff00300000, false },
	{ "p3", "PERFEVTSEL", "PERFCTR", 31, 0xffffffff00300000, false },
	{ "pm", "PERFEVTSEL", "PERFCTR", 31, 0xffffffff00300000, false },
	{ "coreduo", "PERFEVTSEL", "PMC", 31, 0xffffffff00300000, true },
	{ "core2", "PERFEVTSEL", "PMC", 31, 0xffffffff00300000, true },
	{ "nehalem", "PERFEVTSEL", "PMC", 31, 0xffffffff00100000, true },
	{ "haswell", "PERFEVTSEL", "PMC", 47, 0xffffffff00100000, true },
	{ "skylake", "PERFEVTSEL", "PMC", 47, 0xffffffff00100000, true },
	{ "icelake", "PERFEVTSEL", "PMC", 47, 0xffffffff00300000, true },
	{ "spr", "PERFEVTSEL", "PMC", 47, 0xffffffff00300000, true },
	{ "gnr", "PERFEVTSEL", "PMC", 47, 0xffffffff00300000, true },
	{ "srf", "PERFEVTSEL", "PMC", 47, 0xffffffff00300000, true },
};

static const struct map *map_of(const struct processor *p)
{
	const struct map *map = maps;

	while (strcmp(map->processor, p->name))
		map++;
	return map;
}

static void assert_named(const struct perfmon_reg *reg, const char *name,
			 unsigned int n)
{
	char expected[32];

	snprintf(expected, sizeof(expected), "%s%u", name, n);
	assert_string_equal(reg->name, expected);
}

static void
the_map_has_the_registers_of_the_processor(const struct processor *p)
{
	const unsigned int pmcs = p->counters + (p->fixed ? 1 : 0) +
				  __builtin_popcountll(p->extra_pmcs);
	unsigned int n, found = 0;

	assert_string_equal(perfmon_pmu.model, p->map_name);
	assert_int_equal(perfmon_pmu.nr_pmcs, pmcs);
	assert_int_equal(perfmon_pmu.nr_pmds, all_counters(p) + !p->no_tsc);
	for (n = 0; n < PFM_MAX_PMCS; n++) {
		const bool exists = n < p->counters ||
				    (p->fixed && n == FIRST_FIXED) ||
				    (n < 64 && p->extra_pmcs >> n & 1);

		assert_int_equal(perfmon_pmc_position(n),
				 exists ? (int)found++ : -1);
	}
	found = 0;
	for (n = 0; n < PFM_MAX_PMDS; n++) {
		const bool exists =
			n < p->counters ||
			(n >= FIRST_FIXED && n < FIRST_FIXED + p->fixed) ||
			(n == TSC_PMD && !p->no_tsc);

		assert_int_equal(perfmon_pmd_position(n),
				 exists ? (int)found++ : -1);
	}
	assert_int_equal(perfmon_pmc_position(PFM_MAX_PMCS), -1);
	assert_int_equal(perfmon_pmd_position(0xffff), -1);
}

static void selectors_are_described(const struct processor *p)
{
	const struct map *map = map_of(p);
	unsigned int n;

	for (n = 0; n < p->counters; n++) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmcs[n];
		const bool second = p->shared_enable && n && !p->enable_in_all;

		assert_named(reg, map->selector, n);
		assert_int_equal(reg->num, n);
		assert_int_equal(reg->type, SELECTOR_TYPE);
		assert_int_equal(reg->width, 64);
		assert_int_equal(reg->addr,
				 p->selector_msr + n * p->msr_stride);
		assert_int_equal(reg->dfl, INT);
		assert_int_equal(reg->no64, INT);
		assert_int_equal(reg->priv, OS | (ANY & ~map->reserved));
		assert_int_equal(reg->rsvd, map->reserved | (second ? EN : 0));
	}
}

static void counters_are_described(const struct processor *p)
{
	const struct map *map = map_of(p);
	unsigned int n;

	for (n = 0; n < p->counters; n++) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmds[n];

		assert_named(reg, map->counter, n);
		assert_int_equal(reg->num, n);
		assert_int_equal(reg->type, COUNTER_TYPE);
		assert_int_equal(reg->width, map->width);
		assert_int_equal(reg->ctrl, n);
		assert_int_equal(reg->addr, p->counter_msr + n * p->msr_stride);
		assert_int_equal(reg->hw, n);
		assert_int_equal(reg->rsvd, map->counter_bits_reserved ?
						    ~0ull << p->width :
						    0);
	}
}

static void fixed_counters_are_described(const struct processor *p)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[p->counters];
	unsigned int n;

	assert_string_equal(reg->name, "FIXED_CTRL");
	assert_int_equal(reg->num, FIRST_FIXED);
	assert_int_equal(reg->type, SELECTOR_TYPE & ~0x100);
	assert_int_equal(reg->addr, 0x38d);
	assert_int_equal(reg->dfl, fixed_fields(p, FIXED_INT));
	assert_int_equal(reg->rsvd, ~fixed_fields(p, fixed_bits(p)));
	assert_int_equal(reg->no64, 0);
	assert_int_equal(reg->priv,
			 fixed_fields(p, fixed_bits(p) & ~FIXED_USR));
	for (n = 0; n < p->fixed; n++) {
		reg = &perfmon_pmu.pmds[p->counters + n];
		assert_named(reg, "FIXED_CTR", n);
		assert_int_equal(reg->num, FIRST_FIXED + n);
		assert_int_equal(reg->type, COUNTER_TYPE);
		assert_int_equal(reg->width, map_of(p)->width);
		assert_int_equal(reg->ctrl, p->counters);
		assert_int_equal(reg->addr, 0x309 + n);
		assert_int_equal(reg->hw, FIXED + n);
		assert_int_equal(reg->rsvd, ~0ull << p->width);
	}
}

/* The bits of these registers are those that the strict model has. */
static void
registers_that_qualify_events_are_described(const struct processor *p)
{
	static const struct {
		unsigned int num;
		const char *name;
		u32 msr;
		enum pmu_extra_reg model;
	} regs[] = {
		{ 19, "OFFCORE_RSP0", 0x1a6, PMU_EXTRA_OFFCORE_RSP0 },
		{ 31, "OFFCORE_RSP1", 0x1a7, PMU_EXTRA_OFFCORE_RSP1 },
		{ 32, "FRONTEND", 0x3f7, PMU_EXTRA_FRONTEND },
	};
	struct pmu *pmu = &machine.cpu[0].pmu;
	unsigned int i;

	/* LD_LAT, which qualifies an event that counts nothing without PEBS. */
	assert_true(perfmon_pmc_position(18) < 0);
	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		const int position = perfmon_pmc_position(regs[i].num);
		const struct perfmon_reg *reg;

		if (!(p->extra_pmcs >> regs[i].num & 1))
			continue;
		reg = &perfmon_pmu.pmcs[position];
		assert_string_equal(reg->name, regs[i].name);
		assert_int_equal(reg->num, regs[i].num);
		assert_int_equal(reg->type, SELECTOR_TYPE & ~0x100);
		assert_int_equal(reg->width, 64);
		assert_int_equal(reg->addr, regs[i].msr);
		assert_int_equal(reg->dfl, 0);
		assert_int_equal(reg->no64, 0);
		assert_int_equal(reg->priv, 0);
		assert_int_equal(pmu_wrmsr(pmu, reg->addr, ~reg->rsvd), PMU_OK);
		assert_int_equal(pmu->extra[regs[i].model], ~reg->rsvd);
	}
}

static bool has_extra(const struct processor *p)
{
	return p->extra_pmcs;
}

static void the_tsc_is_described(const struct processor *p)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[all_counters(p)];

	assert_string_equal(reg->name, "TSC");
	assert_int_equal(reg->num, TSC_PMD);
	assert_int_equal(reg->type, TSC_TYPE);
	assert_int_equal(reg->width, 64);
	assert_int_equal(reg->addr, 0);
	assert_int_equal(reg->rsvd, 0);
}

static bool has_tsc(const struct processor *p)
{
	return !p->no_tsc;
}

static void perfmon_is_the_owner(const struct processor *p)
{
	(void)p;
	assert_string_equal(perfmon_arch_owner(), "perfmon");
	assert_string_equal(perfctr_cpu_reserve("other"), "perfmon");
	perfmon_arch_release();
	assert_string_equal(perfmon_arch_owner(), "none");
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_map_has_the_registers_of_the_processor),
		RULE(selectors_are_described),
		RULE(counters_are_described),
		RULE_IF(has_fixed, fixed_counters_are_described),
		RULE_IF(has_extra, registers_that_qualify_events_are_described),
		RULE_IF(has_tsc, the_tsc_is_described),
		RULE(perfmon_is_the_owner),
	};

	return run_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
