// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers: addresses, what writes keep, what faults, RDPMC, CPUID, reset.
 */

#include <string.h>

#include "pmu_harness.h"

static void unknown_models_are_refused(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_false(pmu_init(&pmu, "k6"));
	assert_false(pmu_init(&pmu, ""));
}

static bool has_extra_msr(const struct model *m, uint32_t msr)
{
	static const struct {
		const char *name; /* up to a dash */
		uint32_t msrs[4];
	} extra[] = {
		{ "nehalem", { 0x1a6, 0x3f6 } },
		{ "westmere", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "sandybridge", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "ivybridge", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "haswell", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "broadwell", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "skylake", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "icelake", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "spr", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "gnr", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "lioncove", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "goldencove", { 0x1a6, 0x1a7, 0x3f6, 0x3f7 } },
		{ "gracemont", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "skymont", { 0x1a6, 0x1a7, 0x3f6 } },
		{ "srf", { 0x1a6, 0x1a7, 0x3f6 } },
	};
	const size_t length = strcspn(m->name, "-");
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(extra); i++)
		if (strlen(extra[i].name) == length &&
		    !strncmp(extra[i].name, m->name, length))
			for (n = 0; n < ARRAY_SIZE(extra[i].msrs); n++)
				if (extra[i].msrs[n] == msr)
					return true;
	return false;
}

static bool has_arch_msr(const struct model *m, uint32_t msr)
{
	const uint32_t last = m->version >= 4 ? GLOBAL_INUSE : GLOBAL_OVF_CTRL;

	if (msr >= FIXED_CTR0 && msr < FIXED_CTR0 + m->fixed)
		return strcmp(m->name, "arch5-holes") || msr != FIXED_CTR0 + 3;
	if (msr == PERF_CAPABILITIES)
		return m->full_width || m->pebs;
	if (m->full_width && msr >= FULL_WIDTH_PMC0 &&
	    msr < FULL_WIDTH_PMC0 + m->counters)
		return true;
	return (msr >= FIXED_CTRL && msr <= last) || has_extra_msr(m, msr) ||
	       (msr == 0x3f1 && m->pebs);
}

/* The addresses that a model must have; all other PMU addresses fault. */
static bool has_msr(const struct model *m, uint32_t msr)
{
	unsigned int i;

	for (i = 0; i < m->counters; i++)
		if (msr == select_msr(m, i) || msr == counter_msr(m, i))
			return true;
	if (m->select == 0xc0010200 && msr >= 0xc0010000 && msr <= 0xc0010007)
		return true;
	if (m->global_ctrl == V2_GLOBAL_CTL)
		return msr >= V2_GLOBAL_STATUS && msr <= V2_GLOBAL_STATUS_SET;
	return m->version >= 2 && has_arch_msr(m, msr);
}

static void pmu_registers_of_other_models_fault(void **state)
{
	static const uint32_t others[] = {
		0x11,	    0x13,	0xc1,	    0xc2,	0xc3,
		0xc8,	    0x186,	0x187,	    0x188,	0x18d,
		0x1a6,	    0x1a7,	0x300,	    0x309,	0x30b,
		0x30c,	    0x30d,	0x310,	    0x311,	0x345,
		0x360,	    0x371,	0x38d,	    0x38e,	0x38f,
		0x390,	    0x391,	0x392,	    0x3a0,	0x3e1,
		0x3f1,	    0x3f6,	0x3f7,	    0x4c1,	0x4c4,
		0x4c5,	    0x4c8,	0xc0000300, 0xc0000303, 0xc0010000,
		0xc0010003, 0xc0010004, 0xc0010007, 0xc0010200, 0xc0010201,
		0xc001020a, 0xc001020b, 0xc001020c, 0xc001021e, 0xc0010230,
	};
	unsigned int model, i;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		start_model(&pmu, &models[model]);
		for (i = 0; i < ARRAY_SIZE(others); i++) {
			if (has_msr(&models[model], others[i])) {
				rd(&pmu, others[i]);
				continue;
			}
			rd_faults(&pmu, others[i]);
			wr_faults(&pmu, others[i], 0);
		}
	}
}

static void other_msrs_are_none_of_our_business(void **state)
{
	static const uint32_t others[] = {
		0x10,  0x14,  0x1b,	  0xc0,	      0xcb,
		0x174, 0x1a0, 0xc0000080, 0xc0010008, PMU_STAT_BASE + 0x30,
	};
	struct pmu pmu;
	uint64_t value;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		assert_int_equal(pmu_rdmsr(&pmu, others[i], &value),
				 PMU_NOT_MINE);
		assert_int_equal(pmu_wrmsr(&pmu, others[i], 0), PMU_NOT_MINE);
	}
}

static uint64_t kept_by_counter(const struct model *m, uint64_t value)
{
	if (m->write32)
		value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
	return value & width_mask(m);
}

static void counters_keep_their_width_and_extend_signs(void **state)
{
	static const uint64_t values[] = {
		0,	    1,		 0x7fffffff,	     0x80000000,
		0xffffffff, 0x100000000, 0x123456789abcdef0, UINT64_MAX,
	};
	unsigned int model, i, v;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		start_model(&pmu, m);
		for (i = 0; i < m->counters; i++) {
			for (v = 0; v < ARRAY_SIZE(values); v++) {
				wr(&pmu, counter_msr(m, i), values[v]);
				assert_int_equal(rd(&pmu, counter_msr(m, i)),
						 kept_by_counter(m, values[v]));
			}
		}
	}
}

static void fixed_counters_take_their_full_width_only(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "arch2"));
	wr(&pmu, FIXED_CTR0, 0xffffffffffff);
	assert_int_equal(rd(&pmu, FIXED_CTR0), 0xffffffffffff);
	wr_faults(&pmu, FIXED_CTR0, 1ull << 48);
	assert_true(pmu_init(&pmu, "core2"));
	wr_faults(&pmu, FIXED_CTR0, 1ull << 40);
}

static void reserved_bits_fault_on_intel(void **state)
{
	static const struct {
		const char *model;
		uint32_t msr;
		uint64_t value;
	} writes[] = {
		{ "p6", 0x186, 1ull << 21 },
		{ "p6", 0x187, 1ull << 32 },
		{ "arch2", 0x186, 1ull << 21 },
		{ "arch2", 0x189, 1ull << 63 },
		{ "arch2", FIXED_CTRL, 0x4 },
		{ "arch2", FIXED_CTRL, 0x1000 },
		{ "arch2", GLOBAL_STATUS, 0 },
		{ "arch2", GLOBAL_CTRL, 1 << 4 },
		{ "arch2", GLOBAL_CTRL, 1ull << 35 },
		{ "arch2", GLOBAL_OVF_CTRL, 1ull << 61 },
		{ "core2", GLOBAL_CTRL, 1 << 2 },
		{ "coreduo", 0x186, 1ull << 21 },
		{ "nehalem", 0x186, 1ull << 32 },
		{ "nehalem", FIXED_CTRL, 1 << 12 },
		{ "nehalem", 0x1a6, 1 << 16 },
		{ "skylake", GLOBAL_OVF_CTRL, 1ull << 56 },
		{ "skylake", GLOBAL_STATUS_SET, 1ull << 63 },
		{ "skylake", GLOBAL_INUSE, 0 },
		{ "skylake", PERF_CAPABILITIES, 0x2000 },
		{ "skylake", FULL_WIDTH_PMC0, 1ull << 48 },
		{ "skylake", 0x3f6, 1 << 16 },
		{ "skylake", 0x3f7, 0x8 },
		{ "haswell", 0x186, 1ull << 33 },
		{ "icelake", 0x186, 1ull << 21 },
		{ "icelake", FIXED_CTRL, 0x4 },
		{ "icelake", FIXED_CTRL, 1 << 16 },
		{ "icelake", GLOBAL_CTRL, 1ull << 36 },
		{ "arch5-holes", FIXED_CTRL, 0x1000 },
		{ "arch5-holes", GLOBAL_CTRL, 1ull << 35 },
		{ "arch5-holes", GLOBAL_OVF_CTRL, 1ull << 35 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		uint64_t before;

		assert_true(pmu_init(&pmu, writes[i].model));
		before = rd(&pmu, writes[i].msr);
		wr_faults(&pmu, writes[i].msr, writes[i].value);
		assert_int_equal(rd(&pmu, writes[i].msr), before);
	}
}

static void reserved_bits_read_as_zero_on_amd(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "k7"));
	wr(&pmu, 0xc0010000, UINT64_MAX);
	assert_int_equal(rd(&pmu, 0xc0010000), 0xffdfffff);
	assert_true(pmu_init(&pmu, "k10"));
	wr(&pmu, 0xc0010000, UINT64_MAX);
	assert_int_equal(rd(&pmu, 0xc0010000), 0x30fffdfffff);
	assert_true(pmu_init(&pmu, "zen"));
	wr(&pmu, 0xc0010200, UINT64_MAX);
	assert_int_equal(rd(&pmu, 0xc0010200), 0x30fffd7ffff);
}

static void legacy_addresses_name_the_first_counters_of_core(void **state)
{
	struct pmu pmu;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "zen"));
	for (i = 0; i < 4; i++) {
		wr(&pmu, 0xc0010004 + i, 1000 + i);
		assert_int_equal(rd(&pmu, 0xc0010201 + 2 * i), 1000 + i);
		wr(&pmu, 0xc0010200 + 2 * i, 0x76 + i);
		assert_int_equal(rd(&pmu, 0xc0010000 + i), 0x76 + i);
	}
}

static void rdpmc_reads_counters_and_faults_elsewhere(void **state)
{
	unsigned int model, i;
	struct pmu pmu;
	uint64_t value;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		start_model(&pmu, m);
		for (i = 0; i < m->counters; i++) {
			wr(&pmu, counter_msr(m, i), 1000 + i);
			assert_int_equal(pmu_rdpmc(&pmu, i, &value), PMU_OK);
			assert_int_equal(value, 1000 + i);
		}
		assert_int_equal(pmu_rdpmc(&pmu, i, &value), PMU_GP);
		assert_int_equal(pmu_rdpmc(&pmu, 0x80000000, &value), PMU_GP);
		assert_int_equal(pmu_rdpmc(&pmu, 0x40000000 + m->fixed, &value),
				 PMU_GP);
		assert_int_equal(pmu_rdpmc(&pmu, 0x40000000, &value),
				 m->fixed ? PMU_OK : PMU_GP);
	}
}

static void cpuid_describes_the_architectural_models(void **state)
{
	static const struct {
		const char *model;
		uint32_t eax, ecx, edx;
	} leaves[] = {
		{ "coreduo", 0x07280201, 0, 0 },
		{ "core2", 0x07280202, 0, 0x503 },
		{ "arch2", 0x07300402, 0, 0x603 },
		{ "nehalem", 0x07300403, 0, 0x603 },
		{ "haswell", 0x07300403, 0, 0x603 },
		{ "skylake", 0x07300404, 0, 0x603 },
		{ "icelake", 0x08300805, 0xf, 0x8604 },
		{ "spr", 0x08300805, 0xf, 0x8604 },
		{ "gnr", 0x08300806, 0xf, 0x8604 },
		{ "lioncove", 0x08300a06, 0xf, 0x8604 },
		{ "goldencove", 0x08300805, 0xf, 0x8604 },
		{ "gracemont", 0x07300605, 0x7, 0x8603 },
		{ "srf", 0x07300806, 0x7, 0x8603 },
		{ "arch5-holes", 0x08300805, 0x77, 0x8603 },
	};
	uint32_t regs[4];
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(leaves); i++) {
		assert_true(pmu_init(&pmu, leaves[i].model));
		assert_true(pmu_cpuid(&pmu, 0xa, 0, regs));
		assert_int_equal(regs[0], leaves[i].eax);
		assert_int_equal(regs[1], 0);
		assert_int_equal(regs[2], leaves[i].ecx);
		assert_int_equal(regs[3], leaves[i].edx);
		assert_false(pmu_cpuid(&pmu, 0x80000022, 0, regs));
	}
	assert_true(pmu_init(&pmu, "p6"));
	assert_false(pmu_cpuid(&pmu, 0xa, 0, regs));
}

static void a_hybrid_processor_tells_the_kind_of_each_cpu(void **state)
{
	static const struct {
		const char *model;
		uint32_t kind;
	} cpus[] = { { "goldencove", 0x40000001 },
		     { "gracemont", 0x20000001 } };
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		uint32_t regs[4] = { 0 };

		assert_true(pmu_init(&pmu, cpus[i].model));
		assert_true(pmu_cpuid(&pmu, 7, 0, regs));
		assert_false(regs[3] >> 15 & 1);
		pmu_make_hybrid(&pmu);
		pmu_reset(&pmu);
		assert_true(pmu_cpuid(&pmu, 7, 0, regs));
		assert_int_equal(regs[3], 1 << 15 | 1 << 19);
		assert_true(pmu_cpuid(&pmu, 0x1a, 0, regs));
		assert_int_equal(regs[0], cpus[i].kind);
		assert_true(pmu_cpuid(&pmu, 0x1a, 1, regs));
		assert_int_equal(regs[0], 0);
		regs[3] = 0;
	}
}

static void leaf_10_of_a_hybrid_processor_has_what_all_cpus_have(void **state)
{
	static const char *const cpus[] = { "goldencove", "gracemont" };
	uint32_t regs[4];
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		assert_true(pmu_init(&pmu, cpus[i]));
		pmu_make_hybrid(&pmu);
		assert_true(pmu_cpuid(&pmu, 0xa, 0, regs));
		assert_int_equal(regs[0], 0x07300605);
		assert_int_equal(regs[2], 0x7);
		assert_int_equal(regs[3], 0x8603);
	}
	assert_true(pmu_init(&pmu, "goldencove"));
	pmu_make_hybrid(&pmu);
	wr(&pmu, 0x186 + 7, INSNS_EVENT | USR);
	wr(&pmu, GLOBAL_CTRL, 1ull << 48 | 0xf000000ffull);
	assert_true(pmu_init(&pmu, "gracemont"));
	wr_faults(&pmu, 0x186 + 6, 0);
	wr_faults(&pmu, GLOBAL_CTRL, 1ull << 48);
	wr_faults(&pmu, 0x3f7, 0);
}

static void version_6_has_its_registers_twice(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "srf"));
	wr(&pmu, 0x1901 + 4 * 7, INSNS_EVENT | USR);
	assert_int_equal(rd(&pmu, 0x186 + 7), INSNS_EVENT | USR);
	wr(&pmu, 0x1900 + 4 * 7, 0x123456789abc);
	assert_int_equal(rd(&pmu, 0xc1 + 7), 0x123456789abc);
	wr(&pmu, 0x1980 + 4 * 2, 0x123456789abc);
	assert_int_equal(rd(&pmu, FIXED_CTR0 + 2), 0x123456789abc);
	wr_faults(&pmu, 0x1900 + 4 * 8, 0);
	wr_faults(&pmu, 0x1902, 0);
	wr_faults(&pmu, 0x1980 + 4 * 3, 0);
	wr_faults(&pmu, 0x1981, 0);
	assert_true(pmu_init(&pmu, "spr"));
	wr_faults(&pmu, 0x1900, 0);
	wr_faults(&pmu, 0x1980, 0);
}

static void version_6_has_a_leaf_with_its_counters(void **state)
{
	uint32_t regs[4] = { 0 };
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "spr"));
	assert_false(pmu_cpuid(&pmu, 7, 1, regs));
	assert_false(pmu_cpuid(&pmu, 0x23, 0, regs));
	assert_true(pmu_init(&pmu, "srf"));
	assert_true(pmu_cpuid(&pmu, 7, 0, regs));
	assert_int_equal(regs[0], 1);
	assert_true(pmu_cpuid(&pmu, 7, 1, regs));
	assert_int_equal(regs[0], 1 | 1 << 8);
	assert_true(pmu_cpuid(&pmu, 0x23, 0, regs));
	assert_int_equal(regs[0], 3);
	assert_int_equal(regs[1], 0);
	assert_true(pmu_cpuid(&pmu, 0x23, 1, regs));
	assert_int_equal(regs[0], 0xff);
	assert_int_equal(regs[1], 0x7);
	assert_true(pmu_cpuid(&pmu, 0x23, 2, regs));
	assert_int_equal(regs[0], 0);
}

static void only_intel_masks_the_interrupt_on_delivery(void **state)
{
	unsigned int model;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		start_model(&pmu, &models[model]);
		assert_int_equal(pmu_lvt_automask(&pmu),
				 models[model].automask);
	}
}

static void reset_clears_registers_but_not_statistics(void **state)
{
	unsigned int model;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(models); model++) {
		const struct model *m = &models[model];

		start_model(&pmu, m);
		start_counter(&pmu, m, 0, INSNS_EVENT | OS | INT);
		run(&pmu, 100);
		pmu_reset(&pmu);
		assert_int_equal(rd(&pmu, select_msr(m, 0)), 0);
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 0);
		run(&pmu, 100);
		assert_int_equal(rd(&pmu, counter_msr(m, 0)), 0);
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 200);
		assert_true(stat(&pmu, PMU_STAT_WRMSR) >= 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_models_are_refused),
		cmocka_unit_test(pmu_registers_of_other_models_fault),
		cmocka_unit_test(other_msrs_are_none_of_our_business),
		cmocka_unit_test(counters_keep_their_width_and_extend_signs),
		cmocka_unit_test(fixed_counters_take_their_full_width_only),
		cmocka_unit_test(reserved_bits_fault_on_intel),
		cmocka_unit_test(reserved_bits_read_as_zero_on_amd),
		cmocka_unit_test(
			legacy_addresses_name_the_first_counters_of_core),
		cmocka_unit_test(rdpmc_reads_counters_and_faults_elsewhere),
		cmocka_unit_test(cpuid_describes_the_architectural_models),
		cmocka_unit_test(a_hybrid_processor_tells_the_kind_of_each_cpu),
		cmocka_unit_test(
			leaf_10_of_a_hybrid_processor_has_what_all_cpus_have),
		cmocka_unit_test(version_6_has_its_registers_twice),
		cmocka_unit_test(version_6_has_a_leaf_with_its_counters),
		cmocka_unit_test(only_intel_masks_the_interrupt_on_delivery),
		cmocka_unit_test(reset_clears_registers_but_not_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
