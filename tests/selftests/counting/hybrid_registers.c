// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of one kind of core, on hybrid processors: values of those that qualify
 * events, and the counters that a kind has beyond the others, which a session of one of
 * its CPUs may use.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "array_size.h"
#include "default_format.h"
#include "kinds.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MOVES 200
#define STEP 2000 /* instructions between two of them */

/* PMCs of off-core responses and front-end events. */
#define OFFCORE_0 19
#define OFFCORE_1 31
#define FRONTEND 32

/* Events that they qualify, on each kind of core. */
#define SEL_CORE_OFFCORE_0 (0x012a | PFM_X86_PMC_CORE)
#define SEL_CORE_FRONTEND (0x01c6 | PFM_X86_PMC_CORE)
#define SEL_ATOM_OFFCORE_1 (0x02b7 | PFM_X86_PMC_ATOM)
#define RESPONSES 0x10001

/* Of a counter on each kind of core: off-core responses, by a register of its own. */
static int program_responses(int fd, uint64_t core, uint64_t atom)
{
	return write_pmc(fd, 0, SEL_CORE_OFFCORE_0 | SEL_USER | SEL_ENABLE) ||
	       write_pmc(fd, 1, SEL_ATOM_OFFCORE_1 | SEL_USER | SEL_ENABLE) ||
	       write_pmc(fd, OFFCORE_0, core | PFM_X86_EXTRA_CORE) ||
	       write_pmc(fd, OFFCORE_1, atom | PFM_X86_EXTRA_ATOM);
}

/* What both counters have counted on a walk between two CPUs. */
static int count_responses(const int cpus[2], uint64_t core, uint64_t atom,
			   uint64_t counts[2])
{
	int fd = pfm_create_session(0), i;

	if (fd < 0 || program_responses(fd, core, atom) ||
	    write_pmd(fd, 0, 0) || write_pmd(fd, 1, 0) || attach_self(fd) ||
	    pin_to_cpu(cpus[0]) || pfm_start_session(fd, 0))
		return -1;
	for (i = 0; i < MOVES; i++) {
		pin_to_cpu(cpus[i % 2]);
		counted_loop(STEP);
	}
	if (pfm_stop_session(fd, 0) || read_pmd(fd, 0, &counts[0]) ||
	    read_pmd(fd, 1, &counts[1]))
		return -1;
	close(fd);
	return 0;
}

/*
 * The machine counts nothing of an event whose register asks for nothing; what is left of
 * an event at each move is not counted.
 */
TEST(each_kind_has_a_value_of_its_own)
{
	const int cpus[2] = { 0, kind_value("cpu_atom", "cpus") };
	uint64_t both[2], core[2], atom[2];

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpus[1] < 0)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, count_responses(cpus, RESPONSES, RESPONSES, both));
	EXPECT_LT(0, both[0]);
	EXPECT_LT(0, both[1]);
	ASSERT_EQ(0, count_responses(cpus, RESPONSES, 0, core));
	EXPECT_GE(2, distance(both[0], core[0]));
	EXPECT_EQ(0, core[1]);
	ASSERT_EQ(0, count_responses(cpus, 0, RESPONSES, atom));
	EXPECT_EQ(0, atom[0]);
	EXPECT_GE(2, distance(both[1], atom[1]));
}

/* Only one kind has the register: on the others nobody writes it. */
TEST(a_register_of_one_kind_is_for_that_kind)
{
	const int cpus[2] = { 0, kind_value("cpu_atom", "cpus") };
	int fd, i;

	if (!cpuid_says_hybrid())
		SKIP(return, "all CPUs are alike");
	if (cpus[1] < 0)
		SKIP(return, "needs two processors");
	fd = pfm_create_session(0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, FRONTEND, 0x11)));
	EXPECT_EQ(EINVAL,
		  ERRNO(write_pmc(fd, FRONTEND, 0x11 | PFM_X86_EXTRA_ATOM)));
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, FRONTEND,
					  0x11 | PFM_X86_EXTRA_ATOM |
						  PFM_X86_EXTRA_CORE)));
	ASSERT_EQ(0, write_pmc(fd, FRONTEND, 0x11 | PFM_X86_EXTRA_CORE));
	ASSERT_EQ(0,
		  write_pmc(fd, 0, SEL_CORE_FRONTEND | SEL_USER | SEL_ENABLE));
	ASSERT_EQ(0, write_pmd(fd, 0, 0));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	for (i = 0; i < MOVES; i++) {
		pin_to_cpu(cpus[i % 2]);
		counted_loop(STEP);
	}
	EXPECT_EQ(0, pfm_stop_session(fd, 0));
	close(fd);
}

/* Elsewhere these bits are reserved, and dropped like others. */
TEST(values_of_a_kind_stay_on_hybrid_processors_only)
{
	const uint64_t kept = cpuid_says_hybrid() ? PFM_X86_EXTRA_CORE : 0;
	struct pfarg_pmr pmr = { .reg_num = OFFCORE_0 };
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	if (write_pmc(fd, OFFCORE_0, RESPONSES | PFM_X86_EXTRA_CORE))
		SKIP(return, "no register of off-core responses");
	ASSERT_EQ(0, pfm_read_pmrs(fd, PFM_RWFL_PMC, &pmr, 1));
	EXPECT_EQ(RESPONSES | kept, pmr.reg_value);
	close(fd);
}

#define PMU_DESC "/sys/kernel/perfmon/pmu_desc/"
#define SEL_INSNS 0xc0
#define FIXED_CTRL 16
#define FIRST_FIXED 16
#define LOOP 1000000UL

static const char *const kinds[] = { "cpu_core", "cpu_atom" };

static bool is_described(const char *folder, uint16_t pmd)
{
	char path[128];

	snprintf(path, sizeof(path), PMU_DESC "%s/pmd%u", folder, pmd);
	return !access(path, F_OK);
}

static bool has_bit(const uint64_t *bv, unsigned int n)
{
	return bv[n / 64] >> n % 64 & 1;
}

/* What the session of a CPU may use, or that of no CPU yet. */
static bool is_available(int fd, uint16_t pmd)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	return !pfm_getinfo_sets(fd, 0, &info, 1) &&
	       has_bit(info.set_avail_pmds, pmd);
}

/* Counters from the first that only cores have, to the end. */
static bool core_has_more(uint16_t *first, uint16_t *end)
{
	int core = kind_value("cpu_core", "counters");
	int atom = kind_value("cpu_atom", "counters");

	*first = atom;
	*end = core;
	return cpuid_says_hybrid() && atom > 0 && core > atom;
}

TEST(pmu_desc_has_registers_of_a_kind_with_the_kind)
{
	uint16_t first, end, pmd;

	if (!core_has_more(&first, &end))
		SKIP(return, "no counters of one kind");
	for (pmd = first; pmd < end; pmd++) {
		EXPECT_TRUE(is_described("cpu_core", pmd));
		EXPECT_FALSE(is_described("cpu_atom", pmd));
		EXPECT_FALSE(is_described("", pmd));
	}
	EXPECT_TRUE(is_described("", first - 1));
	EXPECT_FALSE(is_described("cpu_core", first - 1));
	EXPECT_TRUE(is_described("cpu_core", FIRST_FIXED + 3));
}

/* All counters of a kind in a session of a CPU; -1: not attached. */
static int counting_cpu(int cpu, int counters, int fixed)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE), i;

	if (fd < 0 || write_pmc(fd, FIXED_CTRL, 0x2222))
		return -1;
	for (i = 0; i < counters; i++)
		if (write_pmc(fd, i, SEL_INSNS | SEL_USER | SEL_ENABLE) ||
		    write_pmd(fd, i, 0))
			return -1;
	for (i = 0; i < fixed; i++)
		if (write_pmd(fd, FIRST_FIXED + i, 0))
			return -1;
	return pfm_attach_session(fd, 0, cpu) ? -1 : fd;
}

TEST(a_cpu_counts_with_all_that_its_kind_has)
{
	uint64_t first, value;
	uint16_t from, end;
	int fd, i, n;
	size_t k;

	if (!core_has_more(&from, &end))
		SKIP(return, "no counters of one kind");
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		n = kind_value(kinds[k], "counters");
		fd = counting_cpu(kind_value(kinds[k], "cpus"), n,
				  kind_value(kinds[k], "fixed_counters"));
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, pin_to_cpu(kind_value(kinds[k], "cpus")));
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		counted_loop(LOOP);
		ASSERT_EQ(0, pfm_stop_session(fd, 0));
		ASSERT_EQ(0, read_pmd(fd, 0, &first));
		EXPECT_LE(LOOP, first);
		for (i = 1; i < n; i++) {
			ASSERT_EQ(0, read_pmd(fd, i, &value));
			EXPECT_EQ(first, value);
		}
		for (i = 0; i < kind_value(kinds[k], "fixed_counters"); i++) {
			ASSERT_EQ(0, read_pmd(fd, FIRST_FIXED + i, &value));
			EXPECT_LT(0, value);
		}
		close(fd);
	}
}

TEST(a_counter_of_one_kind_is_for_its_cpus)
{
	int core = kind_value("cpu_core", "cpus");
	int atom = kind_value("cpu_atom", "cpus");
	uint16_t more, end;
	int fd;

	if (!core_has_more(&more, &end))
		SKIP(return, "no counters of one kind");
	fd = pfm_create_session(0);
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, more, SEL_INSNS | SEL_ENABLE)));
	EXPECT_EQ(EINVAL, ERRNO(write_pmd(fd, more, 0)));
	EXPECT_FALSE(is_available(fd, more));
	close(fd);
	fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);
	EXPECT_TRUE(is_available(fd, more));
	ASSERT_EQ(0, write_pmc(fd, more, SEL_INSNS | SEL_USER | SEL_ENABLE));
	ASSERT_EQ(0, write_pmd(fd, more, 0));
	EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(fd, 0, atom)));
	EXPECT_EQ(0, pfm_attach_session(fd, 0, core));
	EXPECT_TRUE(is_available(fd, more));
	EXPECT_EQ(0, write_pmd(fd, more, 0));
	close(fd);
	fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, atom));
	EXPECT_FALSE(is_available(fd, more));
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, more, SEL_INSNS | SEL_ENABLE)));
	EXPECT_EQ(EINVAL, ERRNO(write_pmd(fd, more, 0)));
	ASSERT_EQ(0, pfm_detach_session(fd, 0));
	EXPECT_EQ(0, write_pmd(fd, more, 0));
	close(fd);
}

#define PERIOD 10007

TEST(a_counter_of_one_kind_samples)
{
	struct pfarg_pmr pmr = { .reg_value = -(uint64_t)PERIOD };
	struct pfarg_pmd_attr attr = { .reg_long_reset = -(uint64_t)PERIOD,
				       .reg_short_reset = -(uint64_t)PERIOD };
	struct sampler sampler;
	uint64_t rest, twin;
	uint16_t first, end;

	if (!core_has_more(&first, &end))
		SKIP(return, "no counters of one kind");
	ASSERT_EQ(0, sampler_open(&sampler, PFM_FL_SYSTEM_WIDE, 1 << 16));
	ASSERT_EQ(0, write_pmc(sampler.fd, first,
			       SEL_INSNS | SEL_USER | SEL_ENABLE));
	ASSERT_EQ(0,
		  write_pmc(sampler.fd, 0, SEL_INSNS | SEL_USER | SEL_ENABLE));
	ASSERT_EQ(0, write_pmd(sampler.fd, 0, 0));
	pmr.reg_num = first;
	ASSERT_EQ(0,
		  pfm_write_pmrs(sampler.fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				 &pmr, 1, &attr));
	ASSERT_EQ(0, pfm_attach_session(sampler.fd, 0,
					kind_value("cpu_core", "cpus")));
	ASSERT_EQ(0, pin_to_cpu(kind_value("cpu_core", "cpus")));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	counted_loop(LOOP);
	ASSERT_EQ(0, pfm_stop_session(sampler.fd, 0));
	ASSERT_EQ(0, read_pmd(sampler.fd, first, &rest));
	ASSERT_EQ(0, read_pmd(sampler.fd, 0, &twin));
	EXPECT_LE(LOOP / PERIOD, sampler.hdr->hdr_count);
	EXPECT_EQ(twin, sampler.hdr->hdr_count * PERIOD + PERIOD + rest);
	sampler_close(&sampler);
}

TEST_HARNESS_MAIN
