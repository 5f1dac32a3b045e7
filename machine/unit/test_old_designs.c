// SPDX-License-Identifier: GPL-2.0-only
/*
 * The designs that are nothing like a P6: P5 and its clones with their common
 * selector register, the C3 with one counter, and no PMU at all.
 */

#include <string.h>

#include "pmu_harness.h"

#define CESR 0x11u
#define CTR0 0x12u
#define EVNTSEL1 0x187u
#define PERFCTR1 0xc2u

/* Levels of a half of CESR. */
#define KERNEL 0x40u
#define USER 0x80u
#define CLOCKS 0x100u

/* A counter and what selects its two known events. */
struct old_counter {
	const char *name;
	uint32_t select, shift; /* address of the selector, place in it */
	uint32_t counter;
	uint32_t insns, clocks; /* selectors, without levels */
	unsigned int width;
	bool levels; /* the selector has them */
};

#define CESR_COUNTERS(name, insns, clocks, levels)                  \
	{ name, CESR, 0, CTR0, insns, clocks, 40, levels },         \
	{                                                           \
		name, CESR, 16, CTR0 + 1, insns, clocks, 40, levels \
	}

static const struct old_counter counters[] = {
	CESR_COUNTERS("p5", 0x16, 0x16 | CLOCKS, true),
	CESR_COUNTERS("p5mmx", 0x16, 0x16 | CLOCKS, true),
	CESR_COUNTERS("mii", 0x16, 0x16 | CLOCKS, true),
	CESR_COUNTERS("winchip-c6", 0x02, 0x00, false),
	CESR_COUNTERS("winchip-2", 0x16, 0x3f, false),
	{ "c3", EVNTSEL1, 0, PERFCTR1, 0xc0, 0x79, 32, false },
};

static void start(struct pmu *pmu, const struct old_counter *c,
		  uint32_t selector)
{
	assert_true(pmu_init(pmu, c->name));
	wr(pmu, c->select, (uint64_t)selector << c->shift);
}

/* What the counter has after 1000 user and 100 kernel instructions. */
static uint64_t count(const struct old_counter *c, uint32_t selector)
{
	struct pmu pmu;

	start(&pmu, c, selector);
	run(&pmu, 60);
	pmu_set_user(&pmu, true);
	run(&pmu, 1000);
	pmu_set_user(&pmu, false);
	run(&pmu, 40);
	return rd(&pmu, c->counter);
}

static void each_counter_counts_instructions_and_clocks(void **state)
{
	const struct old_counter *c;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		const uint32_t levels = c->levels ? KERNEL | USER : 0;

		assert_int_equal(count(c, c->insns | levels), 1100);
		assert_int_equal(count(c, c->clocks | levels), 1650);
	}
}

static void p5_and_cyrix_tell_the_levels_apart(void **state)
{
	const struct old_counter *c;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		if (!c->levels)
			continue;
		assert_int_equal(count(c, c->insns | USER), 1000);
		assert_int_equal(count(c, c->insns | KERNEL), 100);
		assert_int_equal(count(c, c->insns), 0);
		assert_int_equal(count(c, c->clocks | USER), 1500);
	}
}

static void other_events_have_a_steady_rate(void **state)
{
	const struct old_counter *c;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		const uint32_t selector = 0x2a | (c->levels ? USER : 0);
		const uint64_t once = count(c, selector);

		assert_int_equal(count(c, selector), once);
		assert_true(once <= 1100 / 2);
	}
}

static void counters_of_winchip_and_c3_always_count(void **state)
{
	static const struct {
		const char *name;
		uint32_t counter;
	} counting[] = {
		{ "winchip-c6", CTR0 }, { "winchip-c6", CTR0 + 1 },
		{ "winchip-2", CTR0 },	{ "winchip-2", CTR0 + 1 },
		{ "c3", PERFCTR1 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(counting); i++) {
		assert_true(pmu_init(&pmu, counting[i].name));
		run(&pmu, 5000);
		assert_true(rd(&pmu, counting[i].counter) > 0);
	}
	/* Event 0 of the C6 is its clock. */
	assert_true(pmu_init(&pmu, "winchip-c6"));
	run(&pmu, 1000);
	assert_int_equal(rd(&pmu, CTR0), 1500);
}

static void a_half_of_cesr_is_its_own_counters_alone(void **state)
{
	struct pmu pmu;

	(void)state;
	assert_true(pmu_init(&pmu, "p5"));
	wr(&pmu, CESR, 0x00160000u | (uint64_t)USER << 16 | 0x16 | KERNEL);
	assert_int_equal(rd(&pmu, CESR), 0x00960056);
	pmu_set_user(&pmu, true);
	run(&pmu, 70);
	pmu_set_user(&pmu, false);
	run(&pmu, 30);
	assert_int_equal(rd(&pmu, CTR0), 30);
	assert_int_equal(rd(&pmu, CTR0 + 1), 70);
}

static void reserved_bits_of_a_selector_fault(void **state)
{
	static const struct {
		const char *name;
		uint32_t msr;
		uint64_t exists;
	} selectors[] = {
		{ "p5", CESR, 0x01ff01ff },
		{ "p5mmx", CESR, 0x01ff01ff },
		{ "mii", CESR, 0x05ff05ff },
		{ "winchip-c6", CESR, 0x00ff00ff },
		{ "winchip-2", CESR, 0x00ff00ff },
		{ "c3", EVNTSEL1, 0x1ff },
	};
	unsigned int i, bit;
	struct pmu pmu;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(selectors); i++) {
		assert_true(pmu_init(&pmu, selectors[i].name));
		wr(&pmu, selectors[i].msr, selectors[i].exists);
		for (bit = 0; bit < 64; bit++) {
			if (selectors[i].exists >> bit & 1)
				continue;
			wr_faults(&pmu, selectors[i].msr, 1ull << bit);
		}
		assert_int_equal(rd(&pmu, selectors[i].msr),
				 selectors[i].exists);
	}
}

static void cyrix_extends_the_event_with_bit_10(void **state)
{
	const struct old_counter mii = counters[4];

	(void)state;
	assert_string_equal(mii.name, "mii");
	assert_int_equal(count(&mii, 0x016 | USER | KERNEL), 1100);
	assert_true(count(&mii, 0x416 | USER | KERNEL) <= 550);
}

static void rdpmc_exists_from_the_p5_mmx_on(void **state)
{
	struct pmu pmu;
	uint64_t value;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		const struct old_counter *c = &counters[i];
		const uint32_t index = c->counter == CTR0 ? 0 : 1;

		start(&pmu, c, c->insns | (c->levels ? KERNEL : 0));
		run(&pmu, 100);
		if (!strcmp(c->name, "p5")) {
			assert_int_equal(pmu_rdpmc(&pmu, index, &value),
					 PMU_UD);
			continue;
		}
		assert_int_equal(pmu_rdpmc(&pmu, index, &value), PMU_OK);
		assert_int_equal(value, 100);
		assert_int_equal(pmu_rdpmc(&pmu, 2, &value), PMU_GP);
	}
}

static void counters_wrap_at_their_width_without_an_interrupt(void **state)
{
	const struct old_counter *c;
	struct pmu pmu;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		start(&pmu, c, c->insns | (c->levels ? KERNEL : 0));
		assert_int_equal(pmu_distance(&pmu), PMU_NEVER);
		run(&pmu, (1ull << c->width) - 1);
		assert_int_equal(rd(&pmu, c->counter), (1ull << c->width) - 1);
		run(&pmu, 3);
		assert_int_equal(rd(&pmu, c->counter), 2);
		assert_false(pmu_take_pmi(&pmu));
	}
}

static void only_p5_and_cyrix_counters_can_be_written(void **state)
{
	const struct old_counter *c;
	struct pmu pmu;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		start(&pmu, c, c->insns);
		if (!c->levels) {
			wr_faults(&pmu, c->counter, 0);
			continue;
		}
		wr(&pmu, c->counter, 0xff12345678);
		assert_int_equal(rd(&pmu, c->counter), 0xff12345678);
		wr_faults(&pmu, c->counter, 1ull << 40);
	}
}

static void the_first_counter_of_the_c3_is_the_tsc(void **state)
{
	struct pmu pmu;
	uint64_t value;

	(void)state;
	assert_true(pmu_init(&pmu, "c3"));
	assert_int_equal(pmu_rdmsr(&pmu, 0xc1, &value), PMU_TSC);
	assert_int_equal(stat(&pmu, PMU_STAT_RDMSR), 1);
	wr_faults(&pmu, 0xc1, 0);
	rd_faults(&pmu, 0x186);
	wr_faults(&pmu, 0x186, 0);
	assert_int_equal(pmu_rdpmc(&pmu, 0, &value), PMU_GP);
}

static void registers_of_later_designs_fault(void **state)
{
	static const uint32_t later[] = {
		0xc1, 0x186, 0x309, 0x38f, 0x300, 0x3a0, 0xc0010000, 0xc0010200
	};
	static const char *const names[] = { "p5", "p5mmx", "mii", "winchip-c6",
					     "winchip-2" };
	unsigned int model, i;
	struct pmu pmu;

	(void)state;
	for (model = 0; model < ARRAY_SIZE(names); model++) {
		assert_true(pmu_init(&pmu, names[model]));
		for (i = 0; i < ARRAY_SIZE(later); i++) {
			rd_faults(&pmu, later[i]);
			wr_faults(&pmu, later[i], 0);
		}
	}
}

static void without_a_pmu_everything_faults(void **state)
{
	static const uint32_t msrs[] = { 0x11,	0x12,  0xc1,	   0xc2,
					 0x186, 0x187, 0xc0010000, 0x38f };
	struct pmu pmu;
	uint64_t value;
	unsigned int i;

	(void)state;
	assert_true(pmu_init(&pmu, "none"));
	for (i = 0; i < ARRAY_SIZE(msrs); i++) {
		rd_faults(&pmu, msrs[i]);
		wr_faults(&pmu, msrs[i], 0);
	}
	assert_int_equal(pmu_rdpmc(&pmu, 0, &value), PMU_UD);
	run(&pmu, 1000);
	assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 1000);
}

static void reset_starts_from_nothing(void **state)
{
	const struct old_counter *c;
	struct pmu pmu;

	(void)state;
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++) {
		start(&pmu, c, c->insns | (c->levels ? KERNEL : 0));
		run(&pmu, 100);
		pmu_reset(&pmu);
		assert_int_equal(rd(&pmu, c->select), 0);
		assert_int_equal(rd(&pmu, c->counter), 0);
		assert_int_equal(stat(&pmu, PMU_STAT_INSNS), 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_counter_counts_instructions_and_clocks),
		cmocka_unit_test(p5_and_cyrix_tell_the_levels_apart),
		cmocka_unit_test(other_events_have_a_steady_rate),
		cmocka_unit_test(counters_of_winchip_and_c3_always_count),
		cmocka_unit_test(a_half_of_cesr_is_its_own_counters_alone),
		cmocka_unit_test(reserved_bits_of_a_selector_fault),
		cmocka_unit_test(cyrix_extends_the_event_with_bit_10),
		cmocka_unit_test(rdpmc_exists_from_the_p5_mmx_on),
		cmocka_unit_test(
			counters_wrap_at_their_width_without_an_interrupt),
		cmocka_unit_test(only_p5_and_cyrix_counters_can_be_written),
		cmocka_unit_test(the_first_counter_of_the_c3_is_the_tsc),
		cmocka_unit_test(registers_of_later_designs_fault),
		cmocka_unit_test(without_a_pmu_everything_faults),
		cmocka_unit_test(reset_starts_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
