// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hybrid processors, whose CPUs are of two kinds with different counters and
 * events: what all have counts exactly wherever a thread goes, and pmu_desc tells
 * the kinds. Elsewhere there are none.
 */
#include <cpuid.h>
#include <sched.h>
#include <stdio.h>

#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PMU_DESC "/sys/kernel/perfmon/pmu_desc/"

#define MOVES 1000
#define STEP 2000 /* instructions between two of them */

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

static bool cpuid_says_hybrid(void)
{
	unsigned int eax, ebx, ecx, edx = 0;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && edx >> 15 & 1;
}

/* The first number in a file of a kind's; -1: there is none. */
static int kind_value(const char *kind, const char *name)
{
	char path[128];
	FILE *file;
	int value;

	snprintf(path, sizeof(path), PMU_DESC "%s/%s", kind, name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &value) != 1)
		value = -1;
	if (file)
		fclose(file);
	return value;
}

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

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
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

/* The fraction of an event that is left at each move is not counted. */
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
	EXPECT_LT(1000, expected[BRANCHES]);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, count_walk(fd, move, counts));
		EXPECT_EQ(expected[INSNS], counts[INSNS]);
		EXPECT_EQ(expected[INSNS_TOO], counts[INSNS_TOO]);
		EXPECT_GE(MOVES + 2,
			  distance(expected[CYCLES], counts[CYCLES]));
		EXPECT_GE(MOVES + 2,
			  distance(expected[BRANCHES], counts[BRANCHES]));
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

TEST_HARNESS_MAIN
