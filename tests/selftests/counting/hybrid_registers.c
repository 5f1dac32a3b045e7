// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that qualify events, on hybrid processors: a value is for the CPUs of one
 * kind of core, or for all, and has the bits that these have.
 */
#include <errno.h>

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
	EXPECT_EQ(EINVAL,
		  ERRNO(write_pmc(fd, FRONTEND, 0x11 | PFM_X86_EXTRA_ATOM |
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

TEST_HARNESS_MAIN
