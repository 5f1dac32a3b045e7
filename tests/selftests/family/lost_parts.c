// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the kernel does not get while a thread forks that a session follows:
 * each place where that can happen fails once.
 */
#include <sys/wait.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "family.h"
#include "faults.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "sessions.h"

/* More places than a fork has. */
#define MAX_PLACES 1000

/* A fork with something failing in it: 0 if it worked, else its errno. */
static int fork_with_fault(int n)
{
	pid_t pid;
	int err;

	fault_after(n);
	pid = fork();
	err = errno;
	if (!pid)
		_exit(0);
	if (pid < 0)
		return err;
	return waitpid(pid, NULL, 0) == pid ? 0 : ECHILD;
}

/* What the part of a child does not get is told, and the child is made. */
TEST(a_child_without_memory_for_its_part_is_lost_and_works)
{
	int fd, children = 0, n, err = 0;

	if (faults_start())
		SKIP(return, "this kernel has no fault injection");
	fd = family_session(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	for (n = 1; n < MAX_PLACES; n++) {
		err = fork_with_fault(n);
		if (fault_pending())
			break;
		children += !err;
		if (err)
			EXPECT_EQ(ENOMEM, err);
	}
	fault_after(0);
	EXPECT_GT(MAX_PLACES, n);
	children += !err;
	EXPECT_LT(0, family_loss(fd, PFM_LOSS_LOST));
	EXPECT_EQ(children, family_loss(fd, PFM_LOSS_PARTS) +
				    family_loss(fd, PFM_LOSS_LOST));
	close(fd);
	faults_end();
	EXPECT_TRUE(nothing_is_left());
}

TEST_HARNESS_MAIN
