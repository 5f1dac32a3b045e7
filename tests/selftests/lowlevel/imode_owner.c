// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two high-level drivers on the low-level core: perfmon and the test module
 * keep each other and perf_event out, and leave the counters in working order.
 */
#include <string.h>

#include "attr.h"
#include "child.h"
#include "counter_check.h"
#include "kmsg.h"
#include "loop.h"
#include "machine.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "probe.h"

FIXTURE(owner)
{
	int kmsg;
};

FIXTURE_SETUP(owner)
{
	if (!pmu_get())
		SKIP(return, "this processor has no counters");
	self->kmsg = kmsg_open();
	ASSERT_EQ(0, probe_load());
	ASSERT_EQ(0, pin_to_cpu(0));
}

FIXTURE_TEARDOWN(owner)
{
	EXPECT_EQ(0, probe_unload());
	EXPECT_FALSE(kmsg_says(self->kmsg, "WARNING"));
}

static void expect_owner(struct __test_metadata *_metadata, const char *owner)
{
	char text[64];

	ASSERT_EQ(0, attr_read("pmu_owner", text, sizeof(text)));
	text[strcspn(text, "\n")] = '\0';
	EXPECT_STREQ(owner, text);
}

static void expect_perfmon_counts(struct __test_metadata *_metadata)
{
	EXPECT_STREQ("", perfmon_trouble());
}

static void expect_probe_counts(struct __test_metadata *_metadata)
{
	struct probe_control control = { .a_mode = { pmu_first() } };
	int fd = probe_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(1, probe_set(fd, 0, &control));
	ASSERT_EQ(0, probe_run(fd, 0, 1000000));
	EXPECT_EQ(probe_run_length(1000000), probe_sum(fd, 0, 0));
	close(fd);
}

/*
 * Whether the log tells who has the PMU when there can be no session. It does so ten
 * times in five seconds at most, which tests before this one may have used up.
 */
static bool log_tells_of(int kmsg, const char *refusal)
{
	int tries;

	for (tries = 0; tries < 2; tries++) {
		if (tries)
			sleep(6);
		if (ERRNO(pfm_create_session(0)) != EBUSY)
			return false;
		if (kmsg_says(kmsg, refusal))
			return true;
	}
	return false;
}

TEST_F(owner, the_module_keeps_perfmon_out)
{
	int probe = probe_open();

	ASSERT_LE(0, probe);
	expect_owner(_metadata, PERFCTR_PROBE_SERVICE);
	EXPECT_TRUE(log_tells_of(
		self->kmsg,
		"cannot reserve the PMU: held by " PERFCTR_PROBE_SERVICE));
	close(probe);
	expect_owner(_metadata, "none");
	expect_perfmon_counts(_metadata);
}

TEST_F(owner, the_module_keeps_perf_out)
{
	int probe = probe_open();

	ASSERT_LE(0, probe);
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	close(probe);
	EXPECT_EQ(20, perf_sample_loop(100000, 2000000));
}

TEST_F(owner, a_session_keeps_the_module_out)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	expect_owner(_metadata, "perfmon");
	EXPECT_EQ(EBUSY, ERRNO(probe_open()));
	expect_owner(_metadata, "perfmon");
	close(fd);
	expect_probe_counts(_metadata);
}

TEST_F(owner, a_perf_event_keeps_the_module_out)
{
	int perf = perf_open_instructions();

	ASSERT_LE(0, perf);
	EXPECT_EQ(EBUSY, ERRNO(probe_open()));
	close(perf);
	expect_probe_counts(_metadata);
}

TEST_F(owner, a_second_opener_is_kept_out)
{
	int probe = probe_open();

	ASSERT_LE(0, probe);
	EXPECT_EQ(EBUSY, ERRNO(probe_open()));
	close(probe);
	expect_probe_counts(_metadata);
}

TEST_F(owner, a_module_in_use_is_not_removed)
{
	int probe = probe_open();

	ASSERT_LE(0, probe);
	EXPECT_EQ(EAGAIN, ERRNO(probe_unload()));
	close(probe);
}

static int die_counting(void *arg)
{
	struct probe_control control = { .i_mode = { pmu_first() },
					 .period = { 1000 } };
	int fd = probe_open();

	(void)arg;
	if (fd < 0)
		return 1;
	/* Without overflow interrupts it just dies. */
	if (probe_set(fd, 0, &control) >= 0 && probe_resume(fd, 0))
		return 1;
	counted_loop(100000);
	return 0;
}

TEST_F(owner, dying_with_counters_running_leaves_nothing_behind)
{
	int i;

	for (i = 0; i < 10; i++)
		ASSERT_EQ(0, child_wait(child_start(die_counting, NULL)));
	expect_owner(_metadata, "none");
	expect_perfmon_counts(_metadata);
	EXPECT_EQ(20, perf_sample_loop(100000, 2000000));
}

TEST_F(owner, the_pmu_changes_hands_many_times)
{
	int i;

	for (i = 0; i < 10; i++) {
		expect_perfmon_counts(_metadata);
		expect_probe_counts(_metadata);
		EXPECT_EQ(20, perf_sample_loop(100000, 2000000));
	}
}

TEST_F(owner, a_used_slot_is_refused)
{
	struct probe_control control = { .a_mode = { pmu_first() } };
	int fd = probe_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(1, probe_set(fd, 0, &control));
	ASSERT_EQ(1, probe_set(fd, 1, &control));
	EXPECT_EQ(ESRCH, ERRNO(probe_suspend(fd, 0)));
	EXPECT_EQ(ESRCH, ERRNO(probe_sample(fd, 0)));
	ASSERT_EQ(0, probe_resume(fd, 0));
	EXPECT_EQ(EBUSY, ERRNO(probe_set(fd, 0, &control)));
	EXPECT_EQ(EBUSY, ERRNO(probe_resume(fd, 0)));
	EXPECT_EQ(EBUSY, ERRNO(probe_resume(fd, 1)));
	EXPECT_EQ(ESRCH, ERRNO(probe_suspend(fd, 1)));
	EXPECT_EQ(EINVAL, ERRNO(probe_resume(fd, PERFCTR_PROBE_SLOTS)));
	ASSERT_EQ(0, probe_suspend(fd, 0));
	close(fd);
}

TEST_HARNESS_MAIN
