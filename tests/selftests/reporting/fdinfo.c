// SPDX-License-Identifier: GPL-2.0-only
/*
 * What /proc/PID/fdinfo tells of a session to those who look for the one that
 * has the PMU.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "attr.h"
#include "child.h"
#include "event_set.h"
#include "loop.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* The value of a line of /proc/PID/fdinfo/FD, without its name; "" if none. */
static const char *info_of(pid_t pid, int fd, const char *name)
{
	static char text[1024];
	char path[64], *line, *value = NULL, *rest = text;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, fd);
	if (file_read(path, text, sizeof(text)))
		return "";
	while (!value && (line = strsep(&rest, "\n"))) {
		char *colon = strstr(line, ":\t");

		if (!colon)
			continue;
		*colon = '\0';
		if (!strcmp(line, name))
			value = colon + 2;
	}
	return value ? value : "";
}

static const char *info(int fd, const char *name)
{
	return info_of(getpid(), fd, name);
}

TEST(a_new_session)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	EXPECT_STREQ("0x0", info(fd, "perfmon-flags"));
	EXPECT_STREQ("none", info(fd, "perfmon-target"));
	EXPECT_STREQ("detached", info(fd, "perfmon-state"));
	EXPECT_STREQ("1", info(fd, "perfmon-sets"));
	EXPECT_STREQ("0", info(fd, "perfmon-started"));
	/* What the file has as any other. */
	EXPECT_STRNE("", info(fd, "flags"));
}

TEST(flags_and_sets)
{
	int flags = PFM_FL_OVFL_NO_MSG | PFM_FL_OVFL_SIGINFO;
	int fd = pfm_create_session(flags);
	char text[32];

	ASSERT_LE(0, fd);
	snprintf(text, sizeof(text), "0x%x", (unsigned int)flags);
	EXPECT_STREQ(text, info(fd, "perfmon-flags"));
	ASSERT_EQ(0, set_make(fd, 3, 0, 0));
	ASSERT_EQ(0, set_make(fd, 9, 0, 0));
	EXPECT_STREQ("3", info(fd, "perfmon-sets"));
	ASSERT_EQ(0, set_delete(fd, 3));
	EXPECT_STREQ("2", info(fd, "perfmon-sets"));
}

TEST(a_session_of_the_caller)
{
	int fd = pmu_session(0);
	char text[32];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	snprintf(text, sizeof(text), "thread %d", gettid());
	EXPECT_STREQ(text, info(fd, "perfmon-target"));
	EXPECT_STREQ("attached", info(fd, "perfmon-state"));
	EXPECT_STREQ("0", info(fd, "perfmon-started"));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_STREQ("1", info(fd, "perfmon-started"));
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	EXPECT_STREQ("0", info(fd, "perfmon-started"));
	ASSERT_EQ(0, pfm_detach_session(fd, 0));
	EXPECT_STREQ("none", info(fd, "perfmon-target"));
	EXPECT_STREQ("detached", info(fd, "perfmon-state"));
}

TEST(a_session_of_a_cpu)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, 0));
	EXPECT_STREQ("cpu 0", info(fd, "perfmon-target"));
	EXPECT_STREQ("attached", info(fd, "perfmon-state"));
}

TEST(a_masked_session)
{
	int fd;

	NEEDS_INTERRUPTS();
	fd = period_session(0, 10000);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(20000);
	EXPECT_STREQ("masked", info(fd, "perfmon-state"));
	EXPECT_STREQ("1", info(fd, "perfmon-started"));
}

TEST(what_a_masked_session_misses)
{
	unsigned long long blind, later;
	int fd;

	NEEDS_INTERRUPTS();
	fd = period_session(0, 10000);
	ASSERT_LE(0, fd);
	EXPECT_STREQ("0", info(fd, "perfmon-lost-overflows"));
	EXPECT_STREQ("0", info(fd, "perfmon-lost-throttled-ns"));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_STREQ("0", info(fd, "perfmon-lost-blind-ns"));
	counted_loop(20000);
	blind = strtoull(info(fd, "perfmon-lost-blind-ns"), NULL, 10);
	counted_loop(200000);
	later = strtoull(info(fd, "perfmon-lost-blind-ns"), NULL, 10);
	EXPECT_LT(0, blind);
	EXPECT_LT(blind, later);
}

FIXTURE(administrator)
{
	int unused;
};

FIXTURE_SETUP(administrator)
{
	self->unused = 0;
}

FIXTURE_TEARDOWN_PARENT(administrator)
{
	EXPECT_EQ(0, attr_write("enabled", "1"));
}

TEST_F(administrator, an_ended_session)
{
	int fd = pmu_session(0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_STREQ("ended", info(fd, "perfmon-state"));
	EXPECT_STREQ("none", info(fd, "perfmon-target"));
	EXPECT_STREQ("0", info(fd, "perfmon-started"));
}

/*
 * The first process of a pid namespace: monitors itself, says what it reads of
 * its target, and waits to be looked at from outside. Paths of /proc have the
 * numbers outside.
 */
static int look_from_inside(int fd, pid_t outside, const int *told)
{
	const char *target;

	if (getpid() != 1 || attach_self(fd))
		return 1;
	target = info_of(outside, fd, "perfmon-target");
	if (write(told[1], target, strlen(target) + 1) < 0)
		return 2;
	return child_sleep(NULL);
}

TEST(the_target_has_the_number_that_the_reader_knows)
{
	char text[32], inside[32] = "";
	int fd = pmu_session(0), told[2];
	pid_t pid, outside = getpid();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pipe(told));
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	pid = fork();
	if (!pid)
		_exit(look_from_inside(fd, outside, told));
	ASSERT_LT(0, pid);
	close(told[1]);
	EXPECT_LT(0, read(told[0], inside, sizeof(inside) - 1));
	EXPECT_STREQ("thread 1", inside);
	snprintf(text, sizeof(text), "thread %d", pid);
	EXPECT_STREQ(text, info(fd, "perfmon-target"));
	child_kill(pid);
}

TEST_HARNESS_MAIN
