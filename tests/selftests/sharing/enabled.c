// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/perfmon/enabled: the administrator ends all sessions and has the
 * PMU back when his write returns, whoever creates sessions or writes meanwhile.
 * Those who are in the middle of something are the subject of obstacles.c.
 */
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "attr.h"
#include "child.h"
#include "crowd.h"
#include "enabled_fixture.h"
#include "kmsg.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define SESSIONS 10000

static int create_errno(int flags)
{
	int fd = pfm_create_session(flags);
	int err = ERRNO(fd);

	if (fd >= 0)
		close(fd);
	return err;
}

/* One write. */

TEST_F(administrator, what_is_no_0_or_1_is_refused)
{
	static const struct {
		const char *text;
		int err;
		int64_t after;
	} writes[] = {
		{ "2", EINVAL, 1 },   { "-1", EINVAL, 1 }, { "", 0, 1 },
		{ "off", EINVAL, 1 }, { "0x", EINVAL, 1 }, { "0 1", EINVAL, 1 },
		{ "0\n", 0, 0 },      { "0", 0, 0 },	   { "no", EINVAL, 0 },
		{ "1\n", 0, 1 },      { "1", 0, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		EXPECT_EQ(writes[i].err, attr_write("enabled", writes[i].text))
		{
			TH_LOG("\"%s\"", writes[i].text);
		}
		EXPECT_EQ(writes[i].after, attr_number("enabled"));
	}
}

static int disable_errno(void *arg)
{
	(void)arg;
	return attr_write("enabled", "0");
}

static int disable_without_sys_admin_errno(void *arg)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	(void)arg;
	if (syscall(SYS_capget, &header, data))
		return 254;
	data[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective &=
		~CAP_TO_MASK(CAP_SYS_ADMIN);
	if (syscall(SYS_capset, &header, data))
		return 253;
	return disable_errno(NULL);
}

TEST_F(administrator, only_with_sys_admin)
{
	int fd = pfm_create_session(0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(EACCES, unprivileged(NO_GROUP, disable_errno, NULL));
	/* The file belongs to root, who may be root of a container. */
	EXPECT_EQ(EPERM, child_wait(child_start(disable_without_sys_admin_errno,
						NULL)));
	EXPECT_EQ(1, attr_number("enabled"));
	EXPECT_EQ(0, ERRNO(attach_self(fd)));
}

TEST_F(administrator, no_session_is_created_until_1_is_written)
{
	ASSERT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(EBUSY, create_errno(0));
	EXPECT_EQ(EBUSY, create_errno(PFM_FL_SYSTEM_WIDE));
	/* Mistakes come first. */
	EXPECT_EQ(EINVAL, create_errno(0x10000));
	expect_pmu_free(_metadata);
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_EQ(0, create_errno(0));
	EXPECT_EQ(0, create_errno(PFM_FL_SYSTEM_WIDE));
}

TEST_F(administrator, perf_has_the_pmu_when_the_write_returns)
{
	int fd = pmu_session(0);

	NEEDS_COUNTERS();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	EXPECT_EQ(EBUSY, ERRNO(perf_open_instructions()));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	expect_pmu_free(_metadata);
	EXPECT_STREQ("", perf_trouble());
	/* The session exists all the same, and does not take it again. */
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_STREQ("", perf_trouble());
	EXPECT_EQ(0, message_take_end(fd));
}

/* Very many sessions, and what the log says of them. */

TEST_F(administrator, ten_thousand_sessions_end_with_one_write)
{
	struct crowd crowd;
	int kmsg = kmsg_open();
	char line[128];
	unsigned int i;

	ASSERT_LE(0, kmsg);
	ASSERT_EQ(0, crowd_create(&crowd, repetitions(SESSIONS)));
	ASSERT_EQ(0, attach_self(crowd.fds[crowd.n / 2]));
	ASSERT_EQ(0, attr_write("enabled", "0"));
	expect_pmu_free(_metadata);
	snprintf(line, sizeof(line),
		 "perfmon: sessions of user 0, process %d (enabled) ended: %u",
		 getpid(), crowd.n);
	EXPECT_TRUE(kmsg_says(kmsg, line));
	for (i = 0; i < crowd.n; i++)
		ASSERT_EQ(0, message_take_end(crowd.fds[i]));
	crowd_close(&crowd);
}

struct owned {
	int fds[2]; /* the read end tells that all exist */
	int sessions;
};

static int own_sessions(void *arg)
{
	struct owned *owned = arg;
	int i;

	for (i = 0; i < owned->sessions; i++)
		if (pfm_create_session(0) < 0)
			return 1;
	if (write(owned->fds[1], "", 1) != 1)
		return 2;
	return child_sleep(NULL);
}

static int own_sessions_as_nobody(void *arg)
{
	if (setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return 3;
	return own_sessions(arg);
}

TEST_F(administrator, the_log_names_the_administrator)
{
	int kmsg = kmsg_open();
	char line[128];

	ASSERT_LE(0, kmsg);
	ASSERT_EQ(0, attr_write("enabled", "0"));
	snprintf(line, sizeof(line),
		 "perfmon: disabled by user 0, process %d (enabled)", getpid());
	EXPECT_TRUE(kmsg_says(kmsg, line));
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_TRUE(kmsg_says(kmsg, "perfmon: enabled by user 0"));
	/* Nothing changes. */
	ASSERT_EQ(0, attr_write("enabled", "1"));
	EXPECT_FALSE(kmsg_says(kmsg, "perfmon: enabled"));
}

TEST_F(administrator, each_process_has_its_line_in_the_log)
{
	struct owned root = { .sessions = 2 }, nobody = { .sessions = 3 };
	const struct {
		struct owned *owned;
		child_fn fn;
		int uid;
	} owners[] = {
		{ &root, own_sessions, 0 },
		{ &nobody, own_sessions_as_nobody, NOBODY },
	};
	int kmsgs[ARRAY_SIZE(owners)];
	pid_t pids[ARRAY_SIZE(owners)];
	char line[128], byte;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(owners); i++) {
		ASSERT_EQ(0, pipe(owners[i].owned->fds));
		pids[i] = child_start(owners[i].fn, owners[i].owned);
		ASSERT_EQ(1, read(owners[i].owned->fds[0], &byte, 1));
		kmsgs[i] = kmsg_open();
	}
	ASSERT_EQ(0, attr_write("enabled", "0"));
	for (i = 0; i < ARRAY_SIZE(owners); i++) {
		snprintf(line, sizeof(line),
			 "sessions of user %d, process %d (enabled) ended: %d",
			 owners[i].uid, pids[i], owners[i].owned->sessions);
		EXPECT_TRUE(kmsg_says(kmsgs[i], line))
		{
			TH_LOG("%s", line);
		}
		child_kill(pids[i]);
	}
}

/* Races. */

static volatile int stop_racing;

static void *create_and_close(void *arg)
{
	volatile long *created = arg;
	int fd;

	while (!stop_racing) {
		fd = pfm_create_session(0);
		if (fd < 0)
			continue;
		attach_self(fd);
		(*created)++;
		close(fd);
	}
	return NULL;
}

#define CREATORS 3

TEST_F(administrator, nobody_creates_a_session_past_the_write)
{
	volatile long created[CREATORS] = { 0 };
	long times = repetitions(500), i;
	pthread_t creators[CREATORS];
	int perf;

	NEEDS_COUNTERS();
	for (i = 0; i < CREATORS; i++)
		ASSERT_EQ(0,
			  pthread_create(&creators[i], NULL, create_and_close,
					 (void *)&created[i]));
	/* On one processor some may not come to it before the turns are over. */
	for (i = 0; i < CREATORS; i++)
		while (!created[i])
			sched_yield();
	for (i = 0; i < times; i++) {
		ASSERT_EQ(0, attr_write("enabled", "0"));
		perf = perf_open_instructions();
		ASSERT_LE(0, perf)
		{
			TH_LOG("turn %ld: errno %d", i, errno);
		}
		close(perf);
		ASSERT_EQ(0, attr_write("enabled", "1"));
		/* Later each time, so that each moment has its turn. */
		counted_loop(2 + 200 * i);
	}
	stop_racing = 1;
	for (i = 0; i < CREATORS; i++)
		pthread_join(creators[i], NULL);
}

static void *disable_many_times(void *arg)
{
	long *failures = arg, i;
	int perf;

	for (i = repetitions(300); i; i--) {
		*failures += attr_write("enabled", "0") != 0;
		perf = perf_open_instructions();
		*failures += perf < 0;
		if (perf >= 0)
			close(perf);
	}
	return NULL;
}

TEST_F(administrator, two_writers_do_not_hinder_each_other)
{
	long created[CREATORS] = { 0 }, failures[2] = { 0 }, i;
	pthread_t creators[CREATORS], writers[2];
	struct crowd crowd;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, crowd_create(&crowd, repetitions(2000)));
	for (i = 0; i < CREATORS; i++)
		ASSERT_EQ(0, pthread_create(&creators[i], NULL,
					    create_and_close, &created[i]));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&writers[i], NULL,
					    disable_many_times, &failures[i]));
	for (i = 0; i < 2; i++) {
		pthread_join(writers[i], NULL);
		EXPECT_EQ(0, failures[i]);
	}
	stop_racing = 1;
	for (i = 0; i < CREATORS; i++)
		pthread_join(creators[i], NULL);
	EXPECT_EQ(0, message_take_end(crowd.fds[0]));
	EXPECT_EQ(EAGAIN, message_take_end(crowd.fds[0]));
	crowd_close(&crowd);
}

static void *switch_on_and_off(void *arg)
{
	long *failures = arg, i;

	for (i = repetitions(300); i; i--)
		*failures += attr_write("enabled", i % 2 ? "0" : "1") != 0;
	return NULL;
}

TEST_F(administrator, writers_who_disagree_leave_what_the_last_one_wanted)
{
	long created[CREATORS] = { 0 }, failures[2] = { 0 }, i;
	pthread_t creators[CREATORS], writers[2];

	for (i = 0; i < CREATORS; i++)
		ASSERT_EQ(0, pthread_create(&creators[i], NULL,
					    create_and_close, &created[i]));
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&writers[i], NULL,
					    switch_on_and_off, &failures[i]));
	for (i = 0; i < 2; i++) {
		pthread_join(writers[i], NULL);
		EXPECT_EQ(0, failures[i]);
	}
	EXPECT_EQ(0, attr_write("enabled", "0"));
	expect_pmu_free(_metadata);
	stop_racing = 1;
	for (i = 0; i < CREATORS; i++)
		pthread_join(creators[i], NULL);
}

/* Dies with the write, unless that is over already. */
static int disable_and_exit(void *arg)
{
	return disable_errno(arg);
}

TEST_F(administrator, what_a_killed_writer_leaves_ends_with_the_next_write)
{
	long times = repetitions(20), i;
	struct crowd crowd;
	pid_t pid;

	for (i = 0; i < times; i++) {
		ASSERT_EQ(0, crowd_create(&crowd, repetitions(2000)));
		pid = child_start(disable_and_exit, NULL);
		counted_loop(2 + 20000 * i);
		child_kill(pid);
		ASSERT_EQ(0, attr_write("enabled", "0"));
		expect_pmu_free(_metadata);
		ASSERT_EQ(0, message_take_end(crowd.fds[0]));
		ASSERT_EQ(0, message_take_end(crowd.fds[crowd.n - 1]));
		crowd_close(&crowd);
		ASSERT_EQ(0, attr_write("enabled", "1"));
	}
}

TEST_HARNESS_MAIN
