// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register map of the Pentium 4, and what its PMCs become: the control of
 * a PMD is in the CCCR of the same counter and the ESCR that this selects.
 */
#include "p4_harness.h"

#define ESCR_RSVD (~0x7ffffffcull)
#define CCCR_RSVD (~0x41fcf000ull)
#define CCCR_DFL 0x04030000u

/* The documented numbers; NULL: a number without register in between. */
static const struct {
	const char *name;
	u32 msr;
} pmcs[65] = {
	{ "BPU_ESCR0", 0x3b2 },	  { "IS_ESCR0", 0x3b4 },
	{ "MOB_ESCR0", 0x3aa },	  { "ITLB_ESCR0", 0x3b6 },
	{ "PMH_ESCR0", 0x3ac },	  { "IX_ESCR0", 0x3c8 },
	{ "FSB_ESCR0", 0x3a2 },	  { "BSU_ESCR0", 0x3a0 },
	{ "MS_ESCR0", 0x3c0 },	  { "TC_ESCR0", 0x3c4 },
	{ "TBPU_ESCR0", 0x3c2 },  { "FLAME_ESCR0", 0x3a6 },
	{ "FIRM_ESCR0", 0x3a4 },  { "SAAT_ESCR0", 0x3ae },
	{ "U2L_ESCR0", 0x3b0 },	  { "DAC_ESCR0", 0x3a8 },
	{ "IQ_ESCR0", 0x3ba },	  { "ALF_ESCR0", 0x3ca },
	{ "RAT_ESCR0", 0x3bc },	  { "SSU_ESCR0", 0x3be },
	{ "CRU_ESCR0", 0x3b8 },	  { "CRU_ESCR2", 0x3cc },
	{ "CRU_ESCR4", 0x3e0 },	  { "BPU_CCCR0", 0x360 },
	{ "BPU_CCCR1", 0x361 },	  { "MS_CCCR0", 0x364 },
	{ "MS_CCCR1", 0x365 },	  { "FLAME_CCCR0", 0x368 },
	{ "FLAME_CCCR1", 0x369 }, { "IQ_CCCR0", 0x36c },
	{ "IQ_CCCR1", 0x36d },	  { "IQ_CCCR4", 0x370 },
	{ "BPU_ESCR1", 0x3b3 },	  { "IS_ESCR1", 0x3b5 },
	{ "MOB_ESCR1", 0x3ab },	  { "ITLB_ESCR1", 0x3b7 },
	{ "PMH_ESCR1", 0x3ad },	  { "IX_ESCR1", 0x3c9 },
	{ "FSB_ESCR1", 0x3a3 },	  { "BSU_ESCR1", 0x3a1 },
	{ "MS_ESCR1", 0x3c1 },	  { "TC_ESCR1", 0x3c5 },
	{ "TBPU_ESCR1", 0x3c3 },  { "FLAME_ESCR1", 0x3a7 },
	{ "FIRM_ESCR1", 0x3a5 },  { "SAAT_ESCR1", 0x3af },
	{ "U2L_ESCR1", 0x3b1 },	  { "DAC_ESCR1", 0x3a9 },
	{ "IQ_ESCR1", 0x3bb },	  { "ALF_ESCR1", 0x3cb },
	{ "RAT_ESCR1", 0x3bd },	  { "CRU_ESCR1", 0x3b9 },
	{ "CRU_ESCR3", 0x3cd },	  { "CRU_ESCR5", 0x3e1 },
	{ "BPU_CCCR2", 0x362 },	  { "BPU_CCCR3", 0x363 },
	{ "MS_CCCR2", 0x366 },	  { "MS_CCCR3", 0x367 },
	{ "FLAME_CCCR2", 0x36a }, { "FLAME_CCCR3", 0x36b },
	{ "IQ_CCCR2", 0x36e },	  { "IQ_CCCR3", 0x36f },
	{ "IQ_CCCR5", 0x371 },	  { "PEBS_MATRIX_VERT", 0x3f2 },
	{ "PEBS_ENABLE", 0x3f1 },
};

static const struct {
	const char *name;
	unsigned int counter;
	unsigned int cccr; /* number of the PMC */
} pmds[P4_NR_COUNTERS] = {
	{ "BPU_CTR0", 0, 23 },	  { "BPU_CTR1", 1, 24 },
	{ "MS_CTR0", 4, 25 },	  { "MS_CTR1", 5, 26 },
	{ "FLAME_CTR0", 8, 27 },  { "FLAME_CTR1", 9, 28 },
	{ "IQ_CTR0", 12, 29 },	  { "IQ_CTR1", 13, 30 },
	{ "IQ_CTR4", 16, 31 },	  { "BPU_CTR2", 2, 54 },
	{ "BPU_CTR3", 3, 55 },	  { "MS_CTR2", 6, 56 },
	{ "MS_CTR3", 7, 57 },	  { "FLAME_CTR2", 10, 58 },
	{ "FLAME_CTR3", 11, 59 }, { "IQ_CTR2", 14, 60 },
	{ "IQ_CTR3", 15, 61 },	  { "IQ_CTR5", 17, 62 },
};

static unsigned int nr_pmds(const struct processor *p)
{
	return p4_has_threads(p) ? 9 : P4_NR_COUNTERS;
}

static bool has_pmc(const struct processor *p, unsigned int num)
{
	if ((num == 16 || num == 48) && !p4_has_iq_escr(p))
		return false;
	return num < (p4_has_threads(p) ? 32 : ARRAY_SIZE(pmcs));
}

static void check_pmc(const struct perfmon_reg *reg, unsigned int num)
{
	const bool pebs = num >= 63;
	const bool cccr = strstr(pmcs[num].name, "CCCR");

	assert_string_equal(reg->name, pmcs[num].name);
	assert_int_equal(reg->num, num);
	assert_int_equal(reg->addr, pmcs[num].msr);
	assert_int_equal(reg->width, 64);
	assert_int_equal(reg->type, cccr ? 0x1c0 : 0x0c0);
	assert_int_equal(reg->dfl, cccr ? CCCR_DFL : 0);
	assert_int_equal(reg->no64, cccr ? PMI_T0 | PMI_T1 : 0);
	assert_int_equal(reg->priv, cccr || pebs ? 0 : T0_OS);
	if (!pebs)
		assert_int_equal(reg->rsvd, cccr ? CCCR_RSVD : ESCR_RSVD);
	else
		assert_int_equal(reg->rsvd, num == 63 ? 0xffffffffffffffec :
							0xfffffffff8ffe000);
}

static void the_map_is_the_documented_one(const struct processor *p)
{
	unsigned int num, found = 0;

	assert_string_equal(perfmon_pmu.model, "Intel P4");
	for (num = 0; num < PFM_MAX_PMCS; num++) {
		if (!has_pmc(p, num)) {
			assert_int_equal(perfmon_pmc_position(num), -1);
			continue;
		}
		assert_int_equal(perfmon_pmc_position(num), found);
		check_pmc(&perfmon_pmu.pmcs[found++], num);
	}
	assert_int_equal(perfmon_pmu.nr_pmcs, found);
}

static void
the_data_registers_are_the_documented_ones(const struct processor *p)
{
	unsigned int num;

	for (num = 0; num < P4_NR_COUNTERS; num++) {
		const struct perfmon_reg *reg = &perfmon_pmu.pmds[num];

		if (num >= nr_pmds(p)) {
			assert_int_equal(perfmon_pmd_position(num), -1);
			continue;
		}
		assert_int_equal(perfmon_pmd_position(num), num);
		assert_string_equal(reg->name, pmds[num].name);
		assert_int_equal(reg->num, num);
		assert_int_equal(reg->type, 0x0e4);
		assert_int_equal(reg->width, 40);
		assert_int_equal(reg->addr, CTR0 + pmds[num].counter);
		assert_int_equal(reg->hw, pmds[num].counter | FAST);
		assert_int_equal(reg->rsvd, ~0ull << 40);
		assert_int_equal(perfmon_pmu.pmcs[reg->ctrl].num,
				 pmds[num].cccr);
	}
	assert_int_equal(perfmon_pmu.nr_pmds, nr_pmds(p) + 1); /* TSC */
}

/* A set of registers, as the session core has it. */
struct set {
	struct perfmon_arch_set arch;
	u64 pmcs[PERFMON_ARCH_MAX_PMCS];
	unsigned long used_pmds;
	unsigned long ictrs;
};

static void write_pmc(struct set *set, unsigned int num, u64 value)
{
	const int pos = perfmon_pmc_position(num);
	const struct perfmon_reg *reg = &perfmon_pmu.pmcs[pos];

	assert_true(pos >= 0);
	set->pmcs[pos] = (value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
}

static unsigned int pmc_of_msr(u32 msr)
{
	unsigned int num;

	for (num = 0; num < ARRAY_SIZE(pmcs); num++)
		if (pmcs[num].msr == msr)
			return num;
	fail_msg("no PMC for MSR %#x", msr);
	return 0;
}

/* Let a PMD count one event for each instruction at user level. */
static void use_pmd(const struct processor *p, struct set *set,
		    unsigned int num)
{
	struct perfctr_cpu_state known = { 0 };
	u32 cccr;

	p4_add(&known, pmds[num].counter, T0_USR, 0);
	cccr = known.control.evntsel[0];
	write_pmc(set, pmds[num].cccr, cccr);
	write_pmc(set,
		  pmc_of_msr(p4_escr(p, pmds[num].counter, cccr >> 13 & 7)),
		  known.control.p4.escr[0]);
	set->used_pmds |= 1ul << num;
}

static void make_set(const struct processor *p, struct set *set)
{
	unsigned int pos, num;

	memset(set, 0, sizeof(*set));
	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		set->pmcs[pos] = perfmon_pmu.pmcs[pos].dfl;
	for (num = 0; num < nr_pmds(p); num++)
		use_pmd(p, set, num);
}

static void build(struct set *set)
{
	unsigned long used_pmcs[PERFMON_ARCH_MAX_PMCS / 64 + 1] = { ~0ul };

	perfmon_arch_build(&set->arch, set->pmcs, used_pmcs, &set->used_pmds,
			   &set->ictrs, false);
	assert_int_equal(machine.warnings, 0);
}

static void run_set(struct set *set, u64 insns)
{
	perfmon_arch_resume(&set->arch);
	machine_run(insns, true);
	machine_run(100, false);
	perfmon_arch_suspend(&set->arch);
}

static void assert_pmd(struct set *set, unsigned int num, u64 count)
{
	const unsigned long long *sum =
		perfmon_arch_value(&set->arch, num, NULL);

	assert_non_null(sum);
	assert_int_equal(*sum, count);
}

static void
each_pmd_counts_what_its_cccr_and_escr_say(const struct processor *p)
{
	struct set set;
	unsigned int num;

	make_set(p, &set);
	build(&set);
	run_set(&set, 1000);
	for (num = 0; num < nr_pmds(p); num++)
		assert_pmd(&set, num, 1000);
}

static void
a_pmd_without_enable_and_cascade_does_not_count(const struct processor *p)
{
	unsigned int num, other;
	struct set set;

	for (num = 0; num < nr_pmds(p); num++) {
		const int pos = perfmon_pmc_position(pmds[num].cccr);

		make_set(p, &set);
		set.pmcs[pos] &= ~(u64)ENABLE;
		build(&set);
		run_set(&set, 100);
		assert_null(perfmon_arch_value(&set.arch, num, NULL));
		for (other = 0; other < nr_pmds(p); other++)
			if (other != num)
				assert_pmd(&set, other, 100);
		set.pmcs[pos] |= CASCADE;
		build(&set);
		assert_non_null(perfmon_arch_value(&set.arch, num, NULL));
	}
}

static void
a_cccr_that_selects_no_escr_does_not_count(const struct processor *p)
{
	struct set set;

	make_set(p, &set);
	write_pmc(&set, 25, ENABLE | SELECT(3)); /* MS has three */
	write_pmc(&set, 29, ENABLE | SELECT(7));
	write_pmc(&set, 30, ENABLE | SELECT(0));
	build(&set);
	assert_null(perfmon_arch_value(&set.arch, 2, NULL));
	assert_null(perfmon_arch_value(&set.arch, 6, NULL));
	assert_int_equal(perfmon_arch_value(&set.arch, 7, NULL) != NULL,
			 p4_has_iq_escr(p));
}

/* Users cannot have these bits; here they come from somewhere else. */
static void
mode_bits_follow_from_the_mode_of_the_counter(const struct processor *p)
{
	struct set set;
	unsigned int pos;

	make_set(p, &set);
	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		if (perfmon_pmu.pmcs[pos].dfl)
			set.pmcs[pos] |= PMI_T0 | PMI_T1 | FORCE_OVF;
	build(&set);
	run_set(&set, 10);
	assert_pmd(&set, 6, 10);
	assert_int_equal(
		p4_register(CCCR0 + 12) & (PMI_T0 | PMI_T1 | FORCE_OVF), 0);
	/* With PMDs 0 and 6 in i-mode. */
	set.ictrs = 1ul << 6 | 1;
	build(&set);
	assert_int_equal(set.arch.state.control.nrictrs, 2);
	assert_true(perfmon_arch_interrupts(&set.arch, 0));
	assert_true(perfmon_arch_interrupts(&set.arch, 6));
	assert_false(perfmon_arch_interrupts(&set.arch, 7));
	perfmon_arch_resume(&set.arch);
	assert_int_equal(p4_register(CCCR0 + 12) & (PMI_T0 | FORCE_OVF),
			 PMI_T0);
	assert_int_equal(p4_register(CCCR0 + 0) & (PMI_T0 | FORCE_OVF), PMI_T0);
	assert_int_equal(p4_register(CCCR0 + 13) & PMI_T0, 0);
	machine_run(77, true);
	perfmon_arch_suspend(&set.arch);
}

static void pmcs_never_written_count_nothing(const struct processor *p)
{
	struct set set;
	unsigned int pos;

	make_set(p, &set);
	for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
		set.pmcs[pos] = perfmon_pmu.pmcs[pos].dfl;
	build(&set);
	assert_int_equal(set.arch.state.cstatus, 0);
}

/* Whatever users write: what would not be allowed is harmless. */
static void
replay_tagging_is_on_if_all_of_it_is_there(const struct processor *p)
{
	static const struct {
		u32 enable, vert;
		u32 enable_becomes, vert_becomes;
	} rows[] = {
		{ 0x01000001, 1, 0x01000001, 1 },
		{ 0x01000606, 3, 0x01000606, 3 },
		{ 0x03000001, 1, 0x01000001, 1 }, /* not ENABLE_PEBS */
		{ 0x01001ff9, 0x12, 0x01000601, 2 },
		{ 0x00000001, 1, 0, 0 }, /* no UOP_TAG */
		{ 0x01000000, 1, 0, 0 }, /* no metric */
		{ 0x01000001, 0, 0, 0 },
		{ 0x01000001, 0x10, 0, 0 },
		{ 0, 3, 0, 0 },
	};
	struct set set;
	unsigned int r;

	for (r = 0; r < ARRAY_SIZE(rows); r++) {
		make_set(p, &set);
		write_pmc(&set, 64, rows[r].enable);
		write_pmc(&set, 63, rows[r].vert);
		build(&set);
		run_set(&set, 10);
		assert_int_equal(p4_register(PEBS_ENABLE),
				 rows[r].enable_becomes);
		assert_int_equal(p4_register(MATRIX_VERT),
				 rows[r].vert_becomes);
	}
}

/* All bits that are free, in any mixture. */
static void no_pmc_values_fault(const struct processor *p)
{
	u32 seed = 478;
	struct set set;
	unsigned int i, pos;

	for (i = 0; i < 100000; i++) {
		memset(&set, 0, sizeof(set));
		for (pos = 0; pos < perfmon_pmu.nr_pmcs; pos++)
			write_pmc(&set, perfmon_pmu.pmcs[pos].num,
				  (u64)next_random(&seed) << 32 |
					  next_random(&seed));
		set.used_pmds = next_random(&seed) & ((1u << nr_pmds(p)) - 1);
		set.ictrs = next_random(&seed) & set.used_pmds;
		build(&set);
		run_set(&set, 10);
	}
	assert_int_equal(machine_stat(PMU_STAT_GP), 0);
}

int main(void)
{
	static const struct rule rules[] = {
		RULE(the_map_is_the_documented_one),
		RULE(the_data_registers_are_the_documented_ones),
		RULE(each_pmd_counts_what_its_cccr_and_escr_say),
		RULE(a_pmd_without_enable_and_cascade_does_not_count),
		RULE(a_cccr_that_selects_no_escr_does_not_count),
		RULE(mode_bits_follow_from_the_mode_of_the_counter),
		RULE(pmcs_never_written_count_nothing),
		RULE_IF(p4_has_one_thread,
			replay_tagging_is_on_if_all_of_it_is_there),
		RULE(no_pmc_values_fault),
	};

	return run_p4_rules(rules, ARRAY_SIZE(rules), boot_and_reserve);
}
