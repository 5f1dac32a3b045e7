// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register maps of the old processors and how values of their PMCs become
 * control data, where no bit of a PMC is an enable bit: P5 and Cyrix count at
 * the levels that it names, WinChip and C3 whatever it says.
 */
#include "perfctr_harness.h"

#define COUNTER_TYPE 0x0c4 /* 64 bits, both kinds of sessions, no interrupt */
#define SELECTOR_TYPE 0x0c2 /* write checker, both kinds of sessions */

#define KERNEL 0x40u
#define USER 0x80u

static bool has_levels(const struct processor *p)
{
	return p->rules->one_of;
}

static bool has_no_levels(const struct processor *p)
{
	return !has_levels(p);
}

/* A set as the session core has it. */
struct set {
	struct perfmon_arch_set arch;
	u64 pmcs[PERFMON_ARCH_MAX_PMCS];
	unsigned long used_pmcs, used_pmds;
};

/* As the session core does: users choose only the bits that are free. */
static void write_pmc(struct set *set, unsigned int position, u64 value)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[position];

	set->pmcs[position] = (value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
	set->used_pmcs |= 1ul << position;
}

static void build(struct set *set)
{
	static const unsigned long no_ictrs;

	perfmon_arch_build(&set->arch, set->pmcs, &set->used_pmcs,
			   &set->used_pmds, &no_ictrs, false);
	assert_int_equal(machine.warnings, 0);
}

static void start_set(const struct processor *p, struct set *set)
{
	memset(set, 0, sizeof(*set));
	set->used_pmds = (1ul << p->counters) - 1;
}

/* Retires 1000 user and 100 kernel instructions, with all sums reset. */
static void run_set(struct set *set)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_COUNTERS; i++)
		set->arch.state.pmc[i].sum = 0;
	perfmon_arch_resume(&set->arch);
	machine_run(1000, true);
	perfmon_arch_sample(&set->arch);
	machine_run(100, false);
	perfmon_arch_suspend(&set->arch);
}

static void the_map_is_the_documented_one(const struct processor *p)
{
	unsigned int n;

	assert_string_equal(perfmon_pmu.model, p->map_name);
	assert_int_equal(perfmon_pmu.nr_pmcs, p->counters);
	assert_int_equal(perfmon_pmu.nr_pmds, p->counters + !p->no_tsc);
	for (n = 0; n < 4; n++) {
		const bool exists = n >= p->first_counter &&
				    n < p->first_counter + p->counters;
		const int position = exists ? (int)(n - p->first_counter) : -1;

		assert_int_equal(perfmon_pmc_position(n), position);
		assert_int_equal(perfmon_pmd_position(n), position);
	}
}

static void registers_are_described(const struct processor *p)
{
	const bool c3 = p->first_counter;
	const struct perfmon_reg *reg;
	char name[16];
	unsigned int n;

	for (n = 0; n < p->counters; n++) {
		reg = &perfmon_pmu.pmcs[n];
		snprintf(name, sizeof(name), c3 ? "EVNTSEL%u" : "CESR%u",
			 n + p->first_counter);
		assert_string_equal(reg->name, name);
		assert_int_equal(reg->type, SELECTOR_TYPE);
		assert_int_equal(reg->width, 64);
		assert_int_equal(reg->addr, p->selector_msr);
		assert_int_equal(reg->dfl, 0);
		assert_int_equal(reg->no64, 0);
		assert_int_equal(reg->rsvd,
				 0xffffffff00000000ull | p->rules->reserved);
		assert_int_equal(reg->priv, has_levels(p) ? KERNEL : ~0ull);
		reg = &perfmon_pmu.pmds[n];
		snprintf(name, sizeof(name), c3 ? "PERFCTR%u" : "CTR%u",
			 n + p->first_counter);
		assert_string_equal(reg->name, name);
		assert_int_equal(reg->type, COUNTER_TYPE);
		assert_int_equal(reg->width, p->width);
		assert_int_equal(reg->ctrl, n);
		assert_int_equal(reg->addr, p->counter_msr + n);
		assert_int_equal(reg->hw, n + p->first_counter);
		assert_int_equal(reg->rsvd, ~0ull << p->width);
	}
}

static void each_used_pmd_counts_what_its_pmc_says(const struct processor *p)
{
	struct set set;
	unsigned int n;

	start_set(p, &set);
	for (n = 0; n < p->counters; n++)
		write_pmc(&set, n, p->rules->insns | p->rules->usr);
	build(&set);
	run_set(&set);
	for (n = 0; n < p->counters; n++)
		assert_int_equal(*perfmon_arch_value(&set.arch, n, NULL),
				 has_levels(p) ? 1000 : 1100);
	/* Each alone, too. */
	for (n = 0; n < p->counters; n++) {
		set.used_pmds = 1ul << n;
		build(&set);
		run_set(&set);
		assert_int_equal(*perfmon_arch_value(&set.arch, n, NULL),
				 has_levels(p) ? 1000 : 1100);
	}
}

static void
a_pmc_that_was_never_written_counts_nothing(const struct processor *p)
{
	struct set set;
	unsigned int n;

	start_set(p, &set);
	build(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
	for (n = 0; n < p->counters; n++)
		assert_null(perfmon_arch_value(&set.arch, n, NULL));
	if (p->counters < 2)
		return;
	write_pmc(&set, 1, p->rules->insns | p->rules->usr);
	build(&set);
	assert_null(perfmon_arch_value(&set.arch, 0, NULL));
	assert_non_null(perfmon_arch_value(&set.arch, 1, NULL));
}

static void zero_is_no_level(const struct processor *p)
{
	struct set set;

	start_set(p, &set);
	write_pmc(&set, 0, 0);
	build(&set);
	assert_null(perfmon_arch_value(&set.arch, 0, NULL));
}

static void zero_is_an_event(const struct processor *p)
{
	struct set set;

	start_set(p, &set);
	write_pmc(&set, 0, 0);
	build(&set);
	run_set(&set);
	assert_true(*perfmon_arch_value(&set.arch, 0, NULL) > 0);
}

static void a_value_without_a_level_is_refused(const struct processor *p)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[1];
	unsigned int bit;

	assert_int_equal(perfmon_arch_check_pmc(reg, 0), 0);
	assert_int_equal(perfmon_arch_check_pmc(reg, KERNEL), 0);
	for (bit = 0; bit < 16; bit++) {
		const u32 value = 1u << bit;

		if (value & (p->rules->reserved | KERNEL | USER))
			continue;
		assert_int_equal(perfmon_arch_check_pmc(reg, value), -EINVAL);
		assert_int_equal(perfmon_arch_check_pmc(reg, value | USER), 0);
		assert_int_equal(perfmon_arch_check_pmc(reg, value | KERNEL),
				 0);
	}
}

static void every_value_is_good(const struct processor *p)
{
	u32 value;

	(void)p;
	for (value = 0; value < 0x200; value++)
		assert_int_equal(
			perfmon_arch_check_pmc(&perfmon_pmu.pmcs[0], value), 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_map_is_the_documented_one),
		RULE(registers_are_described),
		RULE(each_used_pmd_counts_what_its_pmc_says),
		RULE(a_pmc_that_was_never_written_counts_nothing),
		RULE_IF(has_levels, zero_is_no_level),
		RULE_IF(has_no_levels, zero_is_an_event),
		RULE_IF(has_levels, a_value_without_a_level_is_refused),
		RULE_IF(has_no_levels, every_value_is_good),
	};

	return run_rules_on(old_processors, nr_old_processors, rules,
			    ARRAY_SIZE(rules), boot_and_reserve);
}
