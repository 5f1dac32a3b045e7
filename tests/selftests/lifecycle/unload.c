// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfmon as a module: it stays while sessions exist, goes when there are none,
 * whatever they did, and counts again when it is back.
 */
#include <errno.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attr.h"
#include "counter_check.h"
#include "loop.h"
#include "machine.h"
#include "module.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MODULE "perfmon"

#define TIMES 100

/* For as long as the end of a session may take that is not the caller's. */
#define PATIENCE_MS 2000

FIXTURE(loaded)
{
	int fd;
};

FIXTURE_SETUP(loaded)
{
	char device[32];

	self->fd = -1;
	if (attr_read("device", device, sizeof(device)))
		SKIP(return, "perfmon is no module here");
	NEEDS_COUNTERS();
}

/* The other tests want it. */
FIXTURE_TEARDOWN(loaded)
{
	int err;

	if (self->fd >= 0)
		close(self->fd);
	err = module_load(MODULE, "");
	EXPECT_TRUE(!err || err == EEXIST);
}

/* Returns 0 when the module has gone, or an errno. */
static int unload_patiently(void)
{
	int err, ms;

	for (ms = 0; ms < PATIENCE_MS; ms++) {
		err = module_unload(MODULE);
		if (err != EAGAIN)
			return err;
		usleep(1000);
	}
	return err;
}

/* A session of the caller that counts, or -1. */
static int counting_session(void)
{
	int fd = pmu_session(0);

	if (fd < 0 || attach_self(fd) || pfm_start_session(fd, 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

TEST_F(loaded, the_module_stays_while_a_session_exists)
{
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(EAGAIN, module_unload(MODULE));
	close(self->fd);
	self->fd = counting_session();
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(EAGAIN, module_unload(MODULE));
	EXPECT_EQ(0, pfm_stop_session(self->fd, 0));
}

TEST_F(loaded, without_the_module_there_are_no_sessions)
{
	ASSERT_EQ(0, unload_patiently());
	EXPECT_EQ(-1, pfm_create_session(0));
	EXPECT_EQ(ENOSYS, errno);
	EXPECT_EQ(-1, attr_number("version"));
	EXPECT_EQ(0, module_load(MODULE, ""));
	self->fd = counting_session();
	EXPECT_LE(0, self->fd);
}

/* A child leaves the end of its session to its exit. */
static void count_and_exit(void)
{
	pid_t child = fork();

	if (child == 0) {
		counted_loop(counting_session() < 0 ? 2 : 20000);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

TEST_F_TIMEOUT(loaded, the_module_comes_and_goes, 900)
{
	uint64_t first = 0, count;
	int i;

	for (i = 0; i < TIMES; i++) {
		int fd = pmu_session(0);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, attach_self(fd));
		count = counted_from_zero(fd, pmu_first()->pmd, 20000);
		ASSERT_NE(~0ULL, count);
		first = first ? first : count;
		EXPECT_EQ(first, count);
		/* Attached, started, and left to close. */
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		close(fd);
		count_and_exit();
		ASSERT_EQ(0, unload_patiently());
		ASSERT_EQ(0, module_load(MODULE, ""));
	}
}

TEST_HARNESS_MAIN
