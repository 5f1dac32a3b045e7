// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hybrid processors, whose CPUs are of two kinds with different counters and
 * events: what all have counts exactly wherever a thread goes, what is for one kind
 * counts its share there, and pmu_desc tells the kinds. Elsewhere there are none.
 */
#include <sched.h>

#include "default_format.h"
#include "kinds.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MOVES 1000
#define STEP 2000 /* instructions between two of them */
#define STEP_BRANCHES 254 /* counted_loop() asks once and turns 253 times */

/* Instructions, cycles and branches; the first two on fixed counters. */
#define FIXED_CTRL 16
#define FIXED_INSNS 16
#define FIXED_CYCLES 17
#define FIXED_USER 0x22
#define SEL_BRANCHES 0xc4
#define SEL_INSNS 0xc0

enum event {
	INSNS,
	CYCLES,
	BRANCHES,
	INSNS_TOO,
	NR_EVENTS,
};

static const uint16_t pmds[NR_EVENTS] = { FIXED_INSNS, FIXED_CYCLES, 0, 1 };

static int programmable_counters(void)
{
	struct pmu_reg reg;
	int n = 0;

	while (pmu_reg(PMU_PMD, n, &reg))
		n++;
	return n;
}

static int counting_session(void)
{
	int fd = pfm_create_session(0);
	unsigned int i;

	if (fd < 0 || write_pmc(fd, FIXED_CTRL, FIXED_USER) ||
	    write_pmc(fd, 0, SEL_BRANCHES | SEL_USER | SEL_ENABLE) ||
	    write_pmc(fd, 1, SEL_INSNS | SEL_USER | SEL_ENABLE))
		return -1;
	for (i = 0; i < NR_EVENTS; i++)
		if (write_pmd(fd, pmds[i], 0))
			return -1;
	return attach_self(fd) ? -1 : fd;
}

/* Counts a walk between two CPUs, which may be the same. */
static int count_walk(int fd, const int cpus[2], uint64_t counts[NR_EVENTS])
{
	unsigned int i;

	for (i = 0; i < NR_EVENTS; i++)
		if (write_pmd(fd, pmds[i], 0))
			return -1;
	if (pin_to_cpu(cpus[0]) || pfm_start_session(fd, 0))
		return -1;
	for (i = 0; i < MOVES; i++) {
		pin_to_cpu(cpus[i % 2]);
		counted_loop(STEP);
	}
	if (pfm_stop_session(fd, 0))
		return -1;
	for (i = 0; i < NR_EVENTS; i++)
		if (read_pmd(fd, pmds[i], &counts[i]))
			return -1;
	return 0;
}

TEST(pmu_desc_has_kinds_if_and_only_if_the_processor_is_hybrid)
{
	bool has_core = kind_value("cpu_core", "counters") >= 0;
	bool has_atom = kind_value("cpu_atom", "counters") >= 0;

	EXPECT_EQ(cpuid_says_hybrid(), has_core);
	EXPECT_EQ(cpuid_says_hybrid(), has_atom);
}

/* What a kind has is known when the first CPU of it is there. */
TEST(the_map_has_what_both_kinds_have)
{
	int core = kind_value("cpu_core", "counters");
	int atom = kind_value("cpu_atom", "counters");

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	EXPECT_EQ(0, kind_value("cpu_core", "cpus"));
	EXPECT_LE(3, kind_value("cpu_core", "fixed_counters"));
	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	EXPECT_LT(0, atom);
	EXPECT_EQ(core < atom ? core : atom, programmable_counters());
	EXPECT_LE(3, kind_value("cpu_atom", "fixed_counters"));
}

/* The fraction of a cycle that is left at each move is not counted. */
TEST(architectural_events_are_exact_over_1000_moves_between_kinds)
{
	const int stay[2] = { 0, 0 };
	const int move[2] = { 0, kind_value("cpu_atom", "cpus") };
	uint64_t expected[NR_EVENTS], counts[NR_EVENTS];
	int fd, i;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (move[1] < 0)
		SKIP(return, "needs two processors");
	fd = counting_session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, count_walk(fd, stay, expected));
	EXPECT_LT(MOVES * STEP, expected[INSNS]);
	EXPECT_GE(2, distance(expected[CYCLES], expected[INSNS] * 3 / 2));
	EXPECT_LT(MOVES * STEP_BRANCHES, expected[BRANCHES]);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, count_walk(fd, move, counts));
		EXPECT_EQ(expected[INSNS], counts[INSNS]);
		EXPECT_EQ(expected[INSNS_TOO], counts[INSNS_TOO]);
		EXPECT_GE(MOVES + 2,
			  distance(expected[CYCLES], counts[CYCLES]));
		EXPECT_EQ(expected[BRANCHES], counts[BRANCHES]);
	}
	close(fd);
}

/* Each kind alone counts the same, in each counter of the map. */
TEST(each_kind_counts_alike)
{
	const int core[2] = { 0, 0 };
	int cpu = kind_value("cpu_atom", "cpus");
	const int atom[2] = { cpu, cpu };
	uint64_t expected[NR_EVENTS], counts[NR_EVENTS];
	int fd, i;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpu < 0)
		SKIP(return, "needs two processors");
	fd = counting_session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, count_walk(fd, core, expected));
	ASSERT_EQ(0, count_walk(fd, atom, counts));
	for (i = 0; i < NR_EVENTS; i++)
		EXPECT_GE(2, distance(expected[i], counts[i]))
		{
			TH_LOG("pmd%u", pmds[i]);
		}
	close(fd);
}

/* PMDs of instructions: on CPUs of either kind, and on all. */
enum share {
	ON_CORE,
	ON_ATOM,
	ON_ALL,
	NR_SHARES,
};

static const uint64_t share_bits[NR_SHARES] = { PFM_X86_PMC_CORE,
						PFM_X86_PMC_ATOM, 0 };

static int program_shares(int fd)
{
	uint16_t i;

	for (i = 0; i < NR_SHARES; i++)
		if (write_pmc(fd, i,
			      SEL_INSNS | SEL_USER | SEL_ENABLE |
				      share_bits[i]) ||
		    write_pmd(fd, i, 0))
			return -1;
	return 0;
}

static int sharing_session(void)
{
	int fd = pfm_create_session(0);

	if (fd < 0 || program_shares(fd) || attach_self(fd))
		return -1;
	return fd;
}

/* What the kernel says now: nanoseconds on each kind, and in all. */
static int get_times(int fd, uint64_t times[3])
{
	struct pfarg_setinfo info = { .set_id = 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_KINDS, &info, 1))
		return -1;
	times[ON_CORE] = info.set_reserved3[PFM_KINDS_CORE_NS];
	times[ON_ATOM] = info.set_reserved3[PFM_KINDS_ATOM_NS];
	times[ON_ALL] = info.set_act_duration;
	return 0;
}

static int read_shares(int fd, uint64_t counts[NR_SHARES])
{
	uint16_t i;

	for (i = 0; i < NR_SHARES; i++)
		if (read_pmd(fd, i, &counts[i]))
			return -1;
	return 0;
}

TEST(a_counter_of_one_kind_counts_its_share)
{
	const int cpus[2] = { 0, kind_value("cpu_atom", "cpus") };
	uint64_t counts[NR_SHARES];
	int fd, i;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpus[1] < 0)
		SKIP(return, "needs two processors");
	fd = sharing_session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	for (i = 0; i < MOVES; i++) {
		pin_to_cpu(cpus[i % 2]);
		counted_loop(i % 2 ? 3 * STEP : STEP);
	}
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_shares(fd, counts));
	EXPECT_EQ(counts[ON_ALL], counts[ON_CORE] + counts[ON_ATOM]);
	EXPECT_LE((uint64_t)MOVES / 2 * STEP, counts[ON_CORE]);
	EXPECT_GT((uint64_t)MOVES * STEP, counts[ON_CORE]);
	EXPECT_LE((uint64_t)MOVES / 2 * 3 * STEP, counts[ON_ATOM]);
	close(fd);
}

/* A thread that stays on one kind spends no time on the other. */
TEST(the_time_on_each_kind_is_told)
{
	const int cpus[2] = { 0, kind_value("cpu_atom", "cpus") };
	uint64_t before[3], after[3];
	int fd, kind;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpus[1] < 0)
		SKIP(return, "needs two processors");
	fd = sharing_session();
	ASSERT_LE(0, fd);
	for (kind = ON_CORE; kind <= ON_ATOM; kind++) {
		ASSERT_EQ(0, pin_to_cpu(cpus[kind]));
		ASSERT_EQ(0, get_times(fd, before));
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		counted_loop(10000000);
		ASSERT_EQ(0, pfm_stop_session(fd, 0));
		ASSERT_EQ(0, get_times(fd, after));
		EXPECT_LT(before[kind], after[kind]);
		EXPECT_EQ(before[!kind], after[!kind]);
		EXPECT_GT((after[ON_ALL] - before[ON_ALL]) / 4,
			  distance(after[kind] - before[kind],
				   after[ON_ALL] - before[ON_ALL]));
	}
	close(fd);
}

/* While the session runs the time goes on, and is that of this moment. */
TEST(the_time_of_a_running_session_is_up_to_date)
{
	uint64_t before[3], after[3];
	int fd;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	fd = sharing_session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, get_times(fd, before));
	counted_loop(1000000);
	ASSERT_EQ(0, get_times(fd, after));
	EXPECT_LT(before[ON_CORE], after[ON_CORE]);
	EXPECT_EQ(0, after[ON_ATOM]);
	close(fd);
}

/* Samples the share of the second kind on a way to and fro. Returns 0 or -1. */
static int sample_walk(const struct sampler *sampler, const int cpus[2],
		       uint64_t period)
{
	struct pfarg_pmr pmr = { .reg_num = ON_ATOM, .reg_value = -period };
	struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
				       .reg_short_reset = -period };
	int i;

	if (pfm_write_pmrs(sampler->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr,
			   1, &attr) ||
	    attach_self(sampler->fd) || pin_to_cpu(0) ||
	    pfm_start_session(sampler->fd, 0))
		return -1;
	for (i = 0; i < 100; i++) {
		pin_to_cpu(cpus[i % 2]);
		counted_loop(STEP);
	}
	return pfm_stop_session(sampler->fd, 0);
}

/* No period is lost or doubled by a move: a second counter counts what they cover. */
TEST(periods_of_one_kind_wait_on_the_other)
{
	const int cpus[2] = { 0, kind_value("cpu_atom", "cpus") };
	const uint64_t period = 997;
	const uint16_t twin = NR_SHARES;
	uint64_t rest, expected, samples;
	struct sampler sampler;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpus[1] < 0)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, sampler_open(&sampler, 0, 1 << 16));
	ASSERT_EQ(0, program_shares(sampler.fd));
	ASSERT_EQ(0, write_pmc(sampler.fd, twin,
			       SEL_INSNS | SEL_USER | SEL_ENABLE |
				       PFM_X86_PMC_ATOM));
	ASSERT_EQ(0, write_pmd(sampler.fd, twin, 0));
	ASSERT_EQ(0, sample_walk(&sampler, cpus, period));
	ASSERT_EQ(0, read_pmd(sampler.fd, ON_ATOM, &rest));
	ASSERT_EQ(0, read_pmd(sampler.fd, twin, &expected));
	samples = sampler.hdr->hdr_count;
	EXPECT_LT(50 * STEP / period - 1, samples);
	EXPECT_EQ(expected, samples * period + (rest + period));
	sampler_close(&sampler);
}

/* On processors whose CPUs are alike these bits are reserved. */
TEST(bits_of_kinds_stay_on_hybrid_processors_only)
{
	struct pfarg_pmr pmr = { .reg_num = 0 };
	int fd = pfm_create_session(0);
	const uint64_t kept = cpuid_says_hybrid() ? PFM_X86_PMC_ATOM : 0;

	ASSERT_LE(0, fd);
	if (write_pmc(fd, 0,
		      SEL_INSNS | SEL_USER | SEL_ENABLE | PFM_X86_PMC_ATOM))
		SKIP(return, "selectors are of another kind");
	ASSERT_EQ(0, pfm_read_pmrs(fd, PFM_RWFL_PMC, &pmr, 1));
	EXPECT_EQ(kept, pmr.reg_value & (PFM_X86_PMC_CORE | PFM_X86_PMC_ATOM));
	close(fd);
}

TEST_HARNESS_MAIN
