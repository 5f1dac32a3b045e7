// SPDX-License-Identifier: GPL-2.0-only
/*
 * A security module that has a policy for perf has one for perfmon: what it
 * denies there is EACCES here, for root as well. The module of the test
 * (tests/modules/perf_policy.c) answers in the place of one.
 */
#include "attr.h"
#include "module.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define POLICY "/sys/module/perf_policy/parameters/"

/* The kernel's PERF_SECURITY_*: bits of what is denied. */
#define DENY_OPEN "1"
#define DENY_CPU "2"
#define DENY_KERNEL "4"
#define DENY_TRACEPOINT "8"

FIXTURE(policy)
{
	int err;
};

FIXTURE_SETUP(policy)
{
	if (perfmon_is_module())
		SKIP(return, "a module cannot ask security modules");
	self->err = module_load("perf_policy", "");
	ASSERT_EQ(0, self->err);
}

FIXTURE_TEARDOWN_PARENT(policy)
{
	module_unload("perf_policy");
}

static int deny(const char *what)
{
	return file_write(POLICY "deny", what);
}

/* How often it was asked for opening, CPUs, the kernel, since it was loaded. */
static void questions(unsigned int asked[3])
{
	char text[64];

	memset(asked, 0, 3 * sizeof(*asked));
	if (!file_read(POLICY "asked", text, sizeof(text)))
		sscanf(text, "%u,%u,%u", &asked[0], &asked[1], &asked[2]);
}

static int create_errno(void *arg)
{
	const int *flags = arg;
	int fd = pfm_create_session(*flags);
	int err = ERRNO(fd);

	if (fd >= 0)
		close(fd);
	return err;
}

TEST_F(policy, who_may_not_open_events_may_not_create_sessions)
{
	int thread = 0, cpu = PFM_FL_SYSTEM_WIDE, bad = 0x10000;

	ASSERT_EQ(0, deny(DENY_OPEN));
	EXPECT_EQ(EACCES, create_errno(&thread));
	EXPECT_EQ(EACCES, create_errno(&cpu));
	EXPECT_EQ(EACCES, unprivileged(NO_GROUP, create_errno, &thread));
	/* Mistakes and the kernel's own rules come first. */
	EXPECT_EQ(EINVAL, create_errno(&bad));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, &cpu));
	ASSERT_EQ(0, deny("0"));
	EXPECT_EQ(0, create_errno(&thread));
}

TEST_F(policy, who_may_not_open_cpus_may_have_sessions_of_threads)
{
	int thread = 0, cpu = PFM_FL_SYSTEM_WIDE;

	ASSERT_EQ(0, deny(DENY_CPU));
	EXPECT_EQ(EACCES, create_errno(&cpu));
	EXPECT_EQ(0, create_errno(&thread));
	ASSERT_EQ(0, deny(DENY_KERNEL));
	EXPECT_EQ(0, create_errno(&cpu));
	ASSERT_EQ(0, deny(DENY_TRACEPOINT));
	EXPECT_EQ(0, create_errno(&cpu));
}

TEST_F(policy, who_may_not_open_the_kernel_counts_users)
{
	const struct pmu_counter *counter = pmu_first();
	int fd = pfm_create_session(0);
	uint64_t value;

	NEEDS_COUNTERS();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, deny(DENY_KERNEL));
	EXPECT_EQ(0, write_pmc(fd, counter->pmc, counter->user));
	EXPECT_EQ(EACCES, ERRNO(write_pmc(fd, counter->pmc, counter->kernel)));
	/* A refused value changes nothing. */
	EXPECT_EQ(0, read_pmc(fd, counter->pmc, &value));
	EXPECT_EQ(counter->user, value & counter->user);
	EXPECT_NE(counter->kernel, value & counter->kernel);
	ASSERT_EQ(0, deny("0"));
	EXPECT_EQ(0, write_pmc(fd, counter->pmc, counter->kernel));
}

TEST_F(policy, each_call_asks_for_what_it_does)
{
	const struct pmu_counter *counter = pmu_first();
	unsigned int asked[3];
	int fd;

	NEEDS_COUNTERS();
	fd = pfm_create_session(0);
	ASSERT_LE(0, fd);
	questions(asked);
	EXPECT_EQ(1, asked[0]);
	EXPECT_EQ(0, asked[1]);
	EXPECT_EQ(0, write_pmc(fd, counter->pmc, counter->user));
	questions(asked);
	EXPECT_EQ(0, asked[2]);
	EXPECT_EQ(0, write_pmc(fd, counter->pmc, counter->kernel));
	questions(asked);
	EXPECT_EQ(1, asked[2]);
	ASSERT_LE(0, pfm_create_session(PFM_FL_SYSTEM_WIDE));
	questions(asked);
	EXPECT_EQ(2, asked[0]);
	EXPECT_EQ(1, asked[1]);
}

TEST_HARNESS_MAIN
