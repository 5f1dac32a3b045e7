// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the versions of Intel's architectural PMU add to the rules that hold on
 * all processors: any-thread and transaction bits, counters behind holes,
 * full-width writes, frozen counters, registers that qualify events.
 */
#include <asm/processor.h>

#include "driver.h"

#define IN_TX 1u
#define IN_TXCP 2u
#define HOLE 3 /* number of the fixed counter that "holes" does not have */
#define EXTRA(i) (1u << PERFCTR_##i)

#define INTEL(name_, pmu_, model_, features_)                              \
	.name = (name_), .pmu = (pmu_), .vendor = X86_VENDOR_INTEL,        \
	.family = 6, .model = (model_), .cpuid_level = 13,                 \
	.features = X86_FEATURE_APIC | (features_), .selector_msr = 0x186, \
	.msr_stride = 1, .width = 48

static const struct processor table[] = {
	{ INTEL("kvm", "arch2", 200, 0), .rules = &p6_rules, .counters = 4,
	  .fixed = 3 },
	{ INTEL("nehalem", "nehalem", 26, 0), .rules = &any_thread_rules,
	  .counters = 4, .fixed = 3, .reprograms = true },
	{ INTEL("westmere", "westmere", 44, 0), .rules = &any_thread_rules,
	  .counters = 4, .fixed = 3, .reprograms = true },
	{ INTEL("haswell", "haswell", 60, X86_FEATURE_PDCM),
	  .rules = &any_thread_rules, .counters = 4, .fixed = 3,
	  .full_width = true },
	{ INTEL("haswell-tsx", "haswell", 60,
		X86_FEATURE_PDCM | X86_FEATURE_RTM),
	  .rules = &any_thread_rules, .counters = 4, .fixed = 3,
	  .full_width = true },
	{ INTEL("skylake", "skylake", 94, X86_FEATURE_PDCM),
	  .rules = &any_thread_rules, .counters = 4, .fixed = 3,
	  .full_width = true },
	{ INTEL("icelake", "icelake", 106, X86_FEATURE_PDCM),
	  .rules = &p6_rules, .counters = 8, .fixed = 4, .full_width = true },
	{ INTEL("spr", "spr", 143, X86_FEATURE_PDCM), .rules = &p6_rules,
	  .counters = 8, .fixed = 4, .full_width = true },
	{ INTEL("gnr", "gnr", 173, X86_FEATURE_PDCM), .rules = &p6_rules,
	  .counters = 8, .fixed = 4, .full_width = true },
	{ INTEL("srf", "srf", 175, X86_FEATURE_PDCM), .rules = &p6_rules,
	  .counters = 8, .fixed = 3, .full_width = true },
	{ INTEL("holes", "arch5-holes", 200, X86_FEATURE_PDCM),
	  .rules = &p6_rules, .counters = 8, .fixed = 7, .full_width = true },
};

static bool is(const struct processor *p, const char *name)
{
	return !strcmp(p->name, name);
}

static bool has_holes(const struct processor *p)
{
	return is(p, "holes");
}

static bool has_full_width(const struct processor *p)
{
	return p->full_width;
}

/* Skylake is the first with version 4. */
static bool can_freeze(const struct processor *p)
{
	return is(p, "skylake") || is(p, "icelake") || is(p, "spr") ||
	       is(p, "gnr") || is(p, "srf") || is(p, "holes");
}

static struct pmu *pmu(void)
{
	return &machine.cpu[0].pmu;
}

/* One counter at both levels, in a state that nobody has looked at. */
static void one(struct perfctr_cpu_state *state, u32 number)
{
	memset(state, 0, sizeof(*state));
	state->control.nractrs = 1;
	state->control.pmc_map[0] = number;
	state->control.evntsel[0] = number >= FIXED ?
					    FIXED_OS | FIXED_USR :
					    EVENT_INSNS | USR | OS | EN;
}

static void
any_thread_bits_are_free_in_versions_3_and_4(const struct processor *p)
{
	const bool any = !(p->rules->reserved & ANY);
	struct perfctr_cpu_state state;

	one(&state, 0);
	state.control.evntsel[0] |= ANY;
	any ? accept(&state) : refuse(&state);
	one(&state, FIXED + 1);
	state.control.evntsel[0] |= FIXED_ANY;
	any ? accept(&state) : refuse(&state);
	if (!any)
		return;
	assert_true(resume_on(0, &state) == 1 || p->reprograms);
	assert_int_equal(pmu()->fixed_ctrl, 0x70);
}

static void
transaction_bits_need_tsx_and_one_of_them_counter_2(const struct processor *p)
{
	const bool tsx = is(p, "haswell-tsx");
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		one(&state, i);
		state.control.evntsel_high[0] = IN_TX;
		tsx ? accept(&state) : refuse(&state);
		state.control.evntsel_high[0] = IN_TXCP;
		tsx &&i == 2 ? accept(&state) : refuse(&state);
		state.control.evntsel_high[0] = IN_TX | IN_TXCP;
		tsx &&i == 2 ? accept(&state) : refuse(&state);
		if (tsx && i == 2)
			assert_int_equal(resume_on(0, &state), 1);
		state.control.evntsel_high[0] = 4;
		refuse(&state);
	}
	one(&state, FIXED);
	state.control.evntsel_high[0] = IN_TX;
	refuse(&state);
}

static void a_fixed_counter_in_a_hole_does_not_exist(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->fixed + 2; i++) {
		one(&state, FIXED + i);
		i < p->fixed &&i != HOLE ? accept(&state) : refuse(&state);
	}
	assert_int_equal(perfmon_pmd_position(16 + HOLE), -1);
	assert_int_equal(perfmon_pmd_position(16 + HOLE + 1),
			 p->counters + HOLE);
	assert_int_equal(perfmon_pmu.pmcs[p->counters].dfl, 0x8880888);
	assert_int_equal(perfmon_pmu.pmcs[p->counters].rsvd, ~0x3330333ull);
}

/* In the model the counters behind the hole count every 4th, 5th, 6th. */
static void
counters_behind_a_hole_count_and_interrupt(const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = HOLE + 1; i < p->fixed; i++) {
		one(&state, FIXED + i);
		accept(&state);
		driver_resume(0, &state);
		machine_run(6000, false);
		driver_suspend();
		assert_int_equal(state.pmc[0].sum, 6000 / i);

		state.control.nractrs = 0;
		state.control.nrictrs = 1;
		state.control.evntsel[0] |= FIXED_INT;
		state.control.ireset[0] = -100;
		accept(&state);
		driver_resume(0, &state);
		machine_run(100 * i, false);
		driver_suspend();
		assert_int_equal(driver.overflows[0], i - HOLE);
	}
	assert_int_equal(pmu()->global_status, 0);
}

static void global_control_opens_exactly_what_exists(const struct processor *p)
{
	u64 fixed = (1ull << p->fixed) - 1;

	if (has_holes(p))
		fixed &= ~(1ull << HOLE);
	assert_int_equal(pmu()->global_ctrl,
			 ((1ull << p->counters) - 1) | fixed << 32);
}

static void counters_that_somebody_froze_count_again(const struct processor *p)
{
	struct perfctr_cpu_state state;

	perfmon_arch_release();
	assert_int_equal(pmu_wrmsr(pmu(), 0x391, 1ull << 59), PMU_OK);
	assert_null(perfmon_arch_acquire(NULL));
	make_state(p, &state, 1, OS);
	resume_on(0, &state);
	machine_run(100, false);
	perfctr_cpu_suspend(&state);
	assert_sums(p, &state, 100);
}

static void restart_values_are_written_to_the_full_width_addresses(
	const struct processor *p)
{
	struct perfctr_cpu_state state;
	unsigned int i;

	for (i = 0; i < p->counters; i++) {
		one(&state, i);
		state.control.nractrs = 0;
		state.control.nrictrs = 1;
		state.control.evntsel[0] |= INT;
		state.control.ireset[0] = -1000;
		accept(&state);
		assert_int_equal(state.counter_msr[0], 0x4c1 + i);
		resume_on(0, &state);
		assert_int_equal(pmu()->counter[i].value, (1ull << 48) - 1000);
		perfctr_cpu_suspend(&state);
	}
}

/* Without PDCM nobody may look whether there are capabilities. */
static void the_old_addresses_are_used_elsewhere(const struct processor *p)
{
	unsigned int i;

	for (i = 0; i < p->counters; i++)
		assert_int_equal(perfctr_design->counter_msr(i), 0xc1 + i);
	assert_true(perfctr_design->sign_extends);
}

static bool has_short_writes(const struct processor *p)
{
	return !p->full_width;
}

static unsigned int extra_of(const struct processor *p)
{
	const unsigned int latency = EXTRA(LD_LAT);
	const unsigned int first = latency | EXTRA(OFFCORE_RSP0);
	const unsigned int both = first | EXTRA(OFFCORE_RSP1);

	if (is(p, "kvm") || is(p, "holes"))
		return 0;
	if (is(p, "nehalem"))
		return first;
	if (is(p, "westmere") || is(p, "haswell") || is(p, "haswell-tsx") ||
	    is(p, "srf"))
		return both;
	return both | EXTRA(FRONTEND);
}

static bool has_extra(const struct processor *p)
{
	return extra_of(p);
}

static bool has_counted_extra(const struct processor *p)
{
	return has_extra(p) && writes_as_counted(p);
}

/* The model has the bits of the manuals. */
static void
extra_registers_take_the_bits_that_they_have(const struct processor *p)
{
	const unsigned int extra = extra_of(p);
	struct perfctr_cpu_state state;
	unsigned int i, bit;
	u64 kept;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		for (bit = 0; bit < 64; bit++) {
			one(&state, 0);
			state.control.extra_used = 1u << i;
			state.control.extra[i] = 1ull << bit;
			if (!(extra >> i & 1) ||
			    !(perfctr_design->extra[i].mask >> bit & 1)) {
				refuse(&state);
				continue;
			}
			accept(&state);
			resume_on(0, &state);
			kept = pmu()->extra[i];
			assert_int_equal(kept, 1ull << bit);
		}
	}
	one(&state, 0);
	state.control.extra_used = 1u << PERFCTR_MAX_EXTRA;
	refuse(&state);
}

/* Bits of the mask are all accepted, the next one is not: nothing is lost. */
static void extra_masks_are_those_of_the_hardware(const struct processor *p)
{
	static const u32 msrs[] = { 0x1a6, 0x1a7, 0x3f6, 0x3f7 };
	const unsigned int extra = extra_of(p);
	unsigned int i, bit;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		for (bit = 0; bit < 64; bit++) {
			const bool there =
				perfctr_design->extra[i].mask >> bit & 1;
			const enum pmu_result result =
				pmu_wrmsr(pmu(), msrs[i], 1ull << bit);

			assert_int_equal(result == PMU_OK, there);
		}
		assert_int_equal(!!perfctr_design->extra[i].mask,
				 extra >> i & 1);
	}
}

static void
extra_registers_are_cached_and_left_alone_if_unused(const struct processor *p)
{
	struct perfctr_cpu_state user, other;
	/* Threads of these share the register: see test_perfctr_shared.c. */
	const bool shared = strcmp(p->name, "nehalem") == 0 ||
			    strcmp(p->name, "westmere") == 0;

	one(&user, 0);
	user.control.extra_used = EXTRA(LD_LAT);
	user.control.extra[PERFCTR_LD_LAT] = 30;
	accept(&user);
	one(&other, 0);
	accept(&other);
	assert_int_equal(resume_on(0, &user), 2);
	assert_int_equal(pmu()->extra[PMU_EXTRA_LD_LAT], 30);
	assert_int_equal(resume_on(0, &other), 0);
	assert_int_equal(pmu()->extra[PMU_EXTRA_LD_LAT], 30);
	assert_int_equal(resume_on(0, &user), shared);
	user.control.extra[PERFCTR_LD_LAT] = 31;
	accept(&user);
	assert_int_equal(resume_on(0, &user), 1);
	assert_int_equal(pmu()->extra[PMU_EXTRA_LD_LAT], 31);
}

static void nobody_finds_what_an_owner_before_left(const struct processor *p)
{
	static const u32 msrs[] = { 0x1a6, 0x1a7, 0x3f6, 0x3f7 };
	unsigned int i;

	perfmon_arch_release();
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		if (extra_of(p) >> i & 1)
			assert_int_equal(pmu_wrmsr(pmu(), msrs[i], 1), PMU_OK);
	assert_null(perfmon_arch_acquire(NULL));
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		assert_int_equal(pmu()->extra[i], 0);
}

static void
a_pmc_that_was_written_reaches_its_extra_register(const struct processor *p)
{
	const unsigned int position = perfmon_pmc_position(19);
	const unsigned long pmds = 1, none = 0;
	unsigned long written = 1;
	static struct perfmon_arch_set set;
	u64 pmcs[PERFMON_ARCH_MAX_PMCS] = { EVENT_INSNS | USR | EN };

	(void)p;
	pmcs[position] = 0x123;
	perfmon_arch_build(&set, pmcs, &written, &pmds, &none, false);
	assert_int_equal(set.state.control.extra_used, 0);
	written |= 1ul << position;
	perfmon_arch_build(&set, pmcs, &written, &pmds, &none, false);
	assert_int_equal(machine.warnings, 0);
	assert_int_equal(set.state.control.extra_used, EXTRA(OFFCORE_RSP0));
	perfmon_arch_resume(&set);
	assert_int_equal(pmu()->extra[PMU_EXTRA_OFFCORE_RSP0], 0x123);
	perfmon_arch_suspend(&set);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(any_thread_bits_are_free_in_versions_3_and_4),
		RULE(transaction_bits_need_tsx_and_one_of_them_counter_2),
		RULE_IF(has_holes, a_fixed_counter_in_a_hole_does_not_exist),
		RULE_IF(has_holes, counters_behind_a_hole_count_and_interrupt),
		RULE(global_control_opens_exactly_what_exists),
		RULE_IF(can_freeze, counters_that_somebody_froze_count_again),
		RULE_IF(has_full_width,
			restart_values_are_written_to_the_full_width_addresses),
		RULE_IF(has_short_writes, the_old_addresses_are_used_elsewhere),
		RULE(extra_registers_take_the_bits_that_they_have),
		RULE(extra_masks_are_those_of_the_hardware),
		RULE_IF(has_counted_extra,
			extra_registers_are_cached_and_left_alone_if_unused),
		RULE(nobody_finds_what_an_owner_before_left),
		RULE_IF(has_extra,
			a_pmc_that_was_written_reaches_its_extra_register),
	};

	return run_rules_on(table, ARRAY_SIZE(table), rules, ARRAY_SIZE(rules),
			    driver_boot);
}
