// SPDX-License-Identifier: GPL-2.0-only
/*
 * One owner of the PMU at a time: perfmon, perf_event and the NMI watchdog
 * keep each other out and hand over in working order. Conformance cases C153
 * and C154.
 */
#include <sys/resource.h>

#include "attr.h"
#include "child.h"
#include "counter_check.h"
#include "kmsg.h"
#include "loop.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define NMI_WATCHDOG "/proc/sys/kernel/nmi_watchdog"

#define REFUSED_BY(owner) "perfmon: cannot reserve the PMU: held by " owner

static int create_errno(void)
{
	int fd = pfm_create_session(0);
	int err = ERRNO(fd);

	if (fd >= 0)
		close(fd);
	return err;
}

static void expect_owner(struct __test_metadata *_metadata, const char *owner)
{
	char text[64];

	ASSERT_EQ(0, attr_read("pmu_owner", text, sizeof(text)));
	text[strcspn(text, "\n")] = '\0';
	EXPECT_STREQ(owner, text);
}

/*
 * A module that has had and given back the PMU many times in a second keeps it for
 * one, since nobody can ask for it.
 */
#define LINGER_US 1100000

/* Counts and samples exactly, as on a machine without perfmon. */
static void expect_perf_works(struct __test_metadata *_metadata)
{
	const char *trouble = perf_trouble();

	if (*trouble && perfmon_is_module()) {
		usleep(LINGER_US);
		trouble = perf_trouble();
	}
	EXPECT_STREQ("", trouble);
}

static void expect_perfmon_works(struct __test_metadata *_metadata)
{
	EXPECT_STREQ("", perfmon_trouble());
}

/* Whatever ran before. */
static int perf_open_first(void)
{
	int fd = perf_open_instructions();

	if (fd >= 0 || !perfmon_is_module())
		return fd;
	usleep(LINGER_US);
	return perf_open_instructions();
}

TEST(C153_an_open_perf_event_keeps_perfmon_out)
{
	int kmsg = kmsg_open();
	int perf = perf_open_first();

	ASSERT_LE(0, kmsg);
	ASSERT_LE(0, perf);
	EXPECT_EQ(EBUSY, create_errno());
	EXPECT_TRUE(kmsg_says(kmsg, REFUSED_BY("perf_event")));
	expect_owner(_metadata, "perf_event");
	close(perf);
	EXPECT_EQ(0, create_errno());
	expect_perfmon_works(_metadata);
}

TEST(C153_a_refused_session_leaves_perf_counting)
{
	int perf = perf_open_first();
	uint64_t before;

	if (perf_miscounts())
		SKIP(return, "perf_event miscounts on this processor");
	ASSERT_LE(0, perf);
	before = perf_count_loop(perf, 20000);
	ASSERT_EQ(EBUSY, create_errno());
	EXPECT_EQ(before, perf_count_loop(perf, 20000));
	EXPECT_EQ(20, perf_sample_loop(100000, 2000000));
}

TEST(C153_errors_of_the_arguments_come_before_busy)
{
	struct rlimit none = { .rlim_cur = 0, .rlim_max = 0 };
	int perf = perf_open_first();

	ASSERT_LE(0, perf);
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(0x10000)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, "nosuch",
						   NULL, (size_t)0)));
	/* ... but a full descriptor table comes after it; not for a device. */
	if (perfmon_is_module()) {
		close(perf);
		return;
	}
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	EXPECT_EQ(EBUSY, ERRNO(pfm_create_session(0)));
	close(perf);
	EXPECT_EQ(EMFILE, ERRNO(pfm_create_session(0)));
}

TEST(C153_a_software_event_keeps_nobody_out)
{
	int perf = perf_open_software();

	ASSERT_LE(0, perf);
	EXPECT_EQ(0, create_errno());
	expect_perfmon_works(_metadata);
}

TEST(C154_a_session_keeps_perf_out)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	expect_owner(_metadata, "perfmon");
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	EXPECT_EQ(EBUSY, ERRNO(perf_open_sampling(100000)));
	close(fd);
	expect_owner(_metadata, "none");
	expect_perf_works(_metadata);
}

TEST(C154_a_session_that_counts_is_not_disturbed_by_perf)
{
	int fd = pmu_session(0);
	uint64_t value;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(1000000);
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	counted_loop(1000000);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_LE(2000000, value);
	EXPECT_GE(2000400, value);
}

TEST(C154_software_events_work_beside_a_session)
{
	int fd = pmu_session(0);
	uint64_t before, after;
	int perf;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	perf = perf_open_software();
	ASSERT_LE(0, perf);
	before = perf_value(perf);
	counted_loop(1000000);
	after = perf_value(perf);
	EXPECT_LT(before, after);
	EXPECT_NE(~0ULL, after);
}

TEST(C154_the_last_of_several_sessions_gives_the_pmu_back)
{
	int first = pfm_create_session(0);
	int second = pfm_create_session(0);

	ASSERT_LE(0, second);
	close(first);
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	close(second);
	expect_perf_works(_metadata);
}

static int die_monitored(void *arg)
{
	int fd = pmu_session(0);

	(void)arg;
	if (fd < 0 || attach_self(fd) || pfm_start_session(fd, 0))
		return 1;
	counted_loop(200000);
	return 0;
}

TEST(C154_an_exiting_user_gives_the_pmu_back)
{
	ASSERT_EQ(0, child_wait(child_start(die_monitored, NULL)));
	expect_owner(_metadata, "none");
	expect_perf_works(_metadata);
}

TEST(C154_the_pmu_changes_hands_many_times)
{
	int i;

	for (i = 0; i < 10; i++) {
		expect_perfmon_works(_metadata);
		expect_perf_works(_metadata);
	}
}

/* The watchdog is switched off again by the parent, come what may. */
FIXTURE(watchdog)
{
	char setting[16];
};

FIXTURE_SETUP(watchdog)
{
	if (file_read(NMI_WATCHDOG, self->setting, sizeof(self->setting)))
		SKIP(return, "this kernel has no NMI watchdog");
	if (perfmon_is_module())
		usleep(LINGER_US);
}

FIXTURE_TEARDOWN_PARENT(watchdog)
{
	EXPECT_EQ(0, file_write(NMI_WATCHDOG, self->setting));
}

TEST_F(watchdog, C153_the_nmi_watchdog_keeps_perfmon_out)
{
	int kmsg = kmsg_open();

	ASSERT_LE(0, kmsg);
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "1"));
	ASSERT_EQ(1, file_number(NMI_WATCHDOG));
	EXPECT_EQ(EBUSY, create_errno());
	EXPECT_TRUE(kmsg_says(kmsg, REFUSED_BY("nmi_watchdog")));
	expect_owner(_metadata, "nmi_watchdog");
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	EXPECT_EQ(0, create_errno());
	expect_owner(_metadata, "none");
	expect_perfmon_works(_metadata);
}

TEST_F(watchdog, C154_the_nmi_watchdog_can_be_switched_on_again)
{
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	expect_perfmon_works(_metadata);
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "1"));
	/* It does have the PMU: nobody else gets it, and perf shares it. */
	EXPECT_EQ(EBUSY, create_errno());
	expect_perf_works(_metadata);
	ASSERT_EQ(0, file_write(NMI_WATCHDOG, "0"));
	expect_perfmon_works(_metadata);
}

TEST_HARNESS_MAIN
