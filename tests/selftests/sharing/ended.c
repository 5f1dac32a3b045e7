// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session is good for that an administrator has ended: to be read. How it
 * is ended is told by enabled.c.
 */
#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "enabled_fixture.h"
#include "event_set.h"
#include "loop.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

static int try_write_pmd(int fd)
{
	return ERRNO(write_pmd(fd, pmu_first()->pmd, 0));
}

static int try_write_pmc(int fd)
{
	/* The TSC has none. */
	if (!pmu_first()->known)
		return try_write_pmd(fd);
	return ERRNO(write_pmc(fd, pmu_first()->pmc, pmu_first()->user));
}

static int try_write_nothing(int fd)
{
	return ERRNO(pfm_write_pmrs(fd, PFM_RWFL_PMD, NULL, 0));
}

static int try_read_pmd(int fd)
{
	uint64_t value;

	return ERRNO(read_pmd(fd, pmu_first()->pmd, &value));
}

static int try_attach_child(int fd)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int err = ERRNO(pfm_attach_session(fd, 0, pid));

	child_kill(pid);
	return err;
}

static int try_attach_self(int fd)
{
	return ERRNO(attach_self(fd));
}

static int try_detach(int fd)
{
	return ERRNO(pfm_detach_session(fd, 0));
}

static int try_start(int fd)
{
	return ERRNO(pfm_start_session(fd, 0));
}

static int try_restart(int fd)
{
	return ERRNO(pfm_start_session(fd, PFM_STFL_RESTART));
}

static int try_stop(int fd)
{
	return ERRNO(pfm_stop_session(fd, 0));
}

static int try_create_set(int fd)
{
	return ERRNO(set_make(fd, 0, 0, 0));
}

static int try_delete_set(int fd)
{
	return ERRNO(set_delete(fd, 1));
}

static int try_create_no_set(int fd)
{
	return ERRNO(pfm_create_sets(fd, 0, NULL, 0));
}

static int try_getinfo(int fd)
{
	struct pfarg_setinfo info;

	return ERRNO(set_info(fd, 0, &info));
}

static const struct {
	const char *what;
	int (*try)(int fd);
	int err;
} rules[] = {
	{ "write pmd", try_write_pmd, EBUSY },
	{ "write pmc", try_write_pmc, EBUSY },
	{ "write nothing", try_write_nothing, EBUSY },
	{ "attach to the caller", try_attach_self, EBUSY },
	{ "attach to a child", try_attach_child, EBUSY },
	{ "start", try_start, EBUSY },
	{ "restart", try_restart, EBUSY },
	{ "create set", try_create_set, EBUSY },
	{ "create no set", try_create_no_set, EBUSY },
	{ "delete set", try_delete_set, EBUSY },
	/* It is detached. */
	{ "stop", try_stop, EINVAL },
	{ "detach", try_detach, 0 },
	{ "read pmd", try_read_pmd, 0 },
	{ "getinfo", try_getinfo, 0 },
};

static void expect_ended(struct __test_metadata *_metadata, int fd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		EXPECT_EQ(rules[i].err, rules[i].try(fd))
		{
			TH_LOG("%s", rules[i].what);
		}
	}
}

TEST_F(administrator, an_ended_session_can_be_read_and_never_used_again)
{
	int fd = pmu_session(5);
	uint64_t value;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, set_make(fd, 1, 0, 0));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	expect_ended(_metadata, fd);
	ASSERT_EQ(0, attr_write("enabled", "1"));
	expect_ended(_metadata, fd);
	EXPECT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_EQ(5, value);
}

TEST_F(administrator, an_ended_session_of_a_cpu_is_not_attached_again)
{
	int fd = pmu_cpu_session();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, 0));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(0, cpu_sessions_attached());
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(fd, 0, 0)));
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(fd, 0, 0)));
	EXPECT_EQ(0, message_take_end(fd));
	EXPECT_EQ(EAGAIN, message_take_end(fd));
}

TEST_F(administrator, a_thread_reads_what_it_counted_up_to_the_end)
{
	int fd = pmu_session(0);
	uint64_t value, again;

	NEEDS_COUNTERS();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(1000000);
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(0, sessions_attached());
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	counted_loop(1000000);
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &again));
	EXPECT_LE(1000000, value);
	EXPECT_GT(1900000, value);
	EXPECT_EQ(value, again);
	EXPECT_EQ(1, set_runs(fd, 0));
	EXPECT_LT(0, set_duration(fd, 0));
	/* Even of its own session the thread is told. */
	EXPECT_EQ(0, message_take_end(fd));
	/* It may have another one. */
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_EQ(0, ERRNO(attach_self(pmu_session(0))));
}

TEST_F(administrator, samples_stay_and_messages_come_before_the_end)
{
	struct sampler sampler;
	union pfarg_msg msg;
	uint64_t count;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, sampler_open(&sampler, 0, dfl_size(4)));
	ASSERT_EQ(0, period_program(sampler.fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, 20000, NULL));
	ASSERT_EQ(0, attach_self(sampler.fd));
	ASSERT_EQ(0, pfm_start_session(sampler.fd, 0));
	counted_loop(200000);
	count = sampler.hdr->hdr_count;
	EXPECT_LT(0, count);
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(count, sampler.hdr->hdr_count);
	EXPECT_EQ(0, message_take(sampler.fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(0, message_take_end(sampler.fd));
	EXPECT_EQ(EAGAIN, message_take_end(sampler.fd));
	EXPECT_EQ(EBUSY, try_restart(sampler.fd));
	sampler_close(&sampler);
}

TEST_HARNESS_MAIN
