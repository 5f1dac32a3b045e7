// SPDX-License-Identifier: GPL-2.0-only
/*
 * When several things are wrong with a call, which one is reported: the first
 * in the order that all calls share. Each row of a table repairs one more
 * fault than the row before it, so that each check is seen to come before
 * every later one.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>

#include "child.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define BAD_FLAGS 0x40000000

/* More than the default of one page holds, for the smallest structure. */
#define TOO_MANY 257

/* The descriptors on which a call can be made. */
enum which_fd {
	FD_BAD,
	FD_FOREIGN, /* attached to a running thread */
	FD_OWN, /* attached to the caller */
	FD_DETACHED,
	FD_KINDS,
};

/* The vectors that can be passed. */
enum which_vector {
	VECTOR_NONE, /* not readable */
	VECTOR_BAD, /* its element is refused */
	VECTOR_GOOD,
};

FIXTURE(fds)
{
	int fd[FD_KINDS];
	pid_t child;
};

FIXTURE_SETUP(fds)
{
	self->child = child_start_stopped(child_spin, NULL);
	ASSERT_LT(0, self->child);
	self->fd[FD_BAD] = -1;
	self->fd[FD_FOREIGN] = pmu_session(0);
	self->fd[FD_OWN] = pmu_session(0);
	self->fd[FD_DETACHED] = pmu_session(0);
	ASSERT_LE(0, self->fd[FD_DETACHED]);
	ASSERT_EQ(0, attach_self(self->fd[FD_OWN]));
	ASSERT_EQ(0, pfm_attach_session(self->fd[FD_FOREIGN], 0, self->child));
	ASSERT_EQ(0, child_continue(self->child));
}

FIXTURE_TEARDOWN(fds)
{
	child_kill(self->child);
}

struct row {
	int err;
	int flags;
	int n;
	enum which_fd fd;
	enum which_vector vector;
};

static int pmrs_errno(int fd, const struct row *row,
		      int (*call)(int, int, struct pfarg_pmr *, int, ...))
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };

	if (row->vector == VECTOR_BAD)
		pmr.reg_num = 9999;
	return ERRNO(call(fd, row->flags,
			  row->vector == VECTOR_NONE ? NULL : &pmr, row->n));
}

static const struct row pmrs_rows[] = {
	{ EINVAL, BAD_FLAGS | PFM_RWFL_PMD, -1, FD_BAD, VECTOR_NONE },
	{ EINVAL, PFM_RWFL_PMD, -1, FD_BAD, VECTOR_NONE },
	{ EBADF, PFM_RWFL_PMD, TOO_MANY, FD_BAD, VECTOR_NONE },
	{ E2BIG, PFM_RWFL_PMD, TOO_MANY, FD_FOREIGN, VECTOR_NONE },
	{ EFAULT, PFM_RWFL_PMD, 1, FD_FOREIGN, VECTOR_NONE },
	{ ESRCH, PFM_RWFL_PMD, 1, FD_FOREIGN, VECTOR_BAD },
	{ EINVAL, PFM_RWFL_PMD, 1, FD_OWN, VECTOR_BAD },
	{ 0, PFM_RWFL_PMD, 1, FD_OWN, VECTOR_GOOD },
	/* Without elements the state is still looked at. */
	{ ESRCH, PFM_RWFL_PMD, 0, FD_FOREIGN, VECTOR_NONE },
};

TEST_F(fds, C025_pfm_write_pmrs_checks_in_the_common_order)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pmrs_rows); i++) {
		const struct row *row = &pmrs_rows[i];

		EXPECT_EQ(row->err,
			  pmrs_errno(self->fd[row->fd], row, pfm_write_pmrs))
		{
			TH_LOG("row %u", i);
		}
	}
}

TEST_F(fds, C025_pfm_read_pmrs_checks_in_the_common_order)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pmrs_rows); i++) {
		const struct row *row = &pmrs_rows[i];

		EXPECT_EQ(row->err,
			  pmrs_errno(self->fd[row->fd], row, pfm_read_pmrs))
		{
			TH_LOG("row %u", i);
		}
	}
}

TEST_F(fds, C025_each_of_two_vectors_has_its_own_limits)
{
	static struct pfarg_pmr pmrs[TOO_MANY];
	const int flags = PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR;
	const int huge = INT_MAX / (int)sizeof(struct pfarg_pmd_attr);

	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(-1, flags, NULL, huge, NULL)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmrs(-1, flags, NULL, 22, NULL)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmrs(self->fd[FD_FOREIGN], flags, pmrs,
					      22, NULL)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmrs(self->fd[FD_FOREIGN], flags,
					       pmrs, 21, NULL)));
}

static const struct row create_sets_rows[] = {
	{ EINVAL, BAD_FLAGS, -1, FD_BAD, VECTOR_NONE },
	{ EINVAL, 0, -1, FD_BAD, VECTOR_NONE },
	{ EINVAL, 0, INT_MAX, FD_BAD, VECTOR_NONE },
	{ EBADF, 0, TOO_MANY, FD_BAD, VECTOR_NONE },
	{ E2BIG, 0, TOO_MANY, FD_FOREIGN, VECTOR_NONE },
	{ E2BIG, 0, 65, FD_FOREIGN, VECTOR_NONE },
	{ EFAULT, 0, 64, FD_FOREIGN, VECTOR_NONE },
	{ EBUSY, 0, 1, FD_FOREIGN, VECTOR_BAD },
	{ EBUSY, 0, 1, FD_OWN, VECTOR_BAD },
	{ EBUSY, PFM_SETS_DELETE, 1, FD_OWN, VECTOR_BAD },
	{ EINVAL, 0, 1, FD_DETACHED, VECTOR_BAD },
	{ EINVAL, PFM_SETS_DELETE, 1, FD_DETACHED, VECTOR_BAD },
	{ 0, 0, 1, FD_DETACHED, VECTOR_GOOD },
	{ 0, 0, 0, FD_DETACHED, VECTOR_NONE },
	{ EBUSY, 0, 0, FD_OWN, VECTOR_NONE },
};

TEST_F(fds, C131_pfm_create_sets_checks_in_the_common_order)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(create_sets_rows); i++) {
		const struct row *row = &create_sets_rows[i];
		struct pfarg_setdesc set = { .set_id = 0 };

		if (row->vector == VECTOR_BAD)
			set.set_reserved1 = 1;
		EXPECT_EQ(row->err,
			  ERRNO(pfm_create_sets(
				  self->fd[row->fd], row->flags,
				  row->vector == VECTOR_NONE ? NULL : &set,
				  row->n)))
		{
			TH_LOG("row %u", i);
		}
	}
}

static const struct row getinfo_rows[] = {
	{ EINVAL, 4, -1, FD_BAD, VECTOR_NONE },
	{ EINVAL, PFM_GIFL_LOSS, -1, FD_BAD, VECTOR_NONE },
	{ EINVAL, PFM_GIFL_LOSS | PFM_GIFL_KINDS, 1, FD_BAD, VECTOR_GOOD },
	{ EINVAL, 0, -1, FD_BAD, VECTOR_NONE },
	{ EBADF, 0, TOO_MANY, FD_BAD, VECTOR_NONE },
	{ E2BIG, 0, 21, FD_FOREIGN, VECTOR_NONE },
	{ EFAULT, 0, 20, FD_FOREIGN, VECTOR_NONE },
	{ EINVAL, 0, 1, FD_FOREIGN, VECTOR_BAD },
	{ 0, 0, 1, FD_FOREIGN, VECTOR_GOOD },
	{ 0, 0, 1, FD_OWN, VECTOR_GOOD },
	{ 0, 0, 0, FD_FOREIGN, VECTOR_NONE },
};

TEST_F(fds, C131_pfm_getinfo_sets_checks_in_the_common_order)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(getinfo_rows); i++) {
		const struct row *row = &getinfo_rows[i];
		struct pfarg_setinfo set = { .set_id = 0 };

		if (row->vector == VECTOR_BAD)
			set.set_reserved3[5] = 1;
		EXPECT_EQ(row->err,
			  ERRNO(pfm_getinfo_sets(
				  self->fd[row->fd], row->flags,
				  row->vector == VECTOR_NONE ? NULL : &set,
				  row->n)))
		{
			TH_LOG("row %u", i);
		}
	}
}

TEST_F(fds, C071_start_and_stop_check_flags_then_descriptor_then_state)
{
	const int foreign = self->fd[FD_FOREIGN];
	const int detached = self->fd[FD_DETACHED];

	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(-1, BAD_FLAGS)));
	EXPECT_EQ(EBADF, ERRNO(pfm_start_session(-1, 0)));
	EXPECT_EQ(EBADF, ERRNO(pfm_start_session(-1, PFM_STFL_RESTART)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start_session(detached, 0)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_start_session(foreign, 0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(-1, BAD_FLAGS)));
	EXPECT_EQ(EBADF, ERRNO(pfm_stop_session(-1, 0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop_session(detached, 0)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_stop_session(foreign, 0)));
}

/* FD_OWN is attached: "already attached" is wrong with it in each row. */
TEST_F(fds, C059_attach_checks_the_target_before_the_session)
{
	const int own = self->fd[FD_OWN];
	const int pidfd = PFM_ATFL_PIDFD;
	int file = open("/", O_RDONLY);

	EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(-1, BAD_FLAGS, 0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(-1, pidfd, -1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_attach_session(-1, 0, 0)));
	EXPECT_EQ(EBADF, ERRNO(pfm_attach_session(-1, 0, PFM_NO_TARGET)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(own, 0, 0)));
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(own, 0, UNUSED_TID)));
	EXPECT_EQ(EBADF, ERRNO(pfm_attach_session(own, pidfd, file)));
	EXPECT_EQ(EPERM, ERRNO(pfm_attach_session(own, 0, KTHREADD)));
	/* A running child that has a session of its own already. */
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(own, 0, self->child)));
	/* The caller has a session already: this one, so it is busy. */
	EXPECT_EQ(EBUSY, ERRNO(attach_self(own)));
	ASSERT_EQ(0, child_stop(self->child));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(own, 0, self->child)));
	EXPECT_EQ(EEXIST, ERRNO(pfm_attach_session(self->fd[FD_DETACHED], 0,
						   self->child)));
}

static int attach_init_errno(void *arg)
{
	const int *fd = arg;

	return ERRNO(pfm_attach_session(*fd, 0, 1));
}

TEST_F(fds, C055_permission_is_checked_before_the_stop_of_the_target)
{
	EXPECT_EQ(EPERM,
		  unprivileged(NO_GROUP, attach_init_errno, &self->fd[FD_OWN]));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, attach_init_errno,
				      &self->fd[FD_DETACHED]));
	EXPECT_EQ(ESRCH, attach_init_errno(&self->fd[FD_OWN]));
}

TEST_F(fds, C058_blocking_oneself_is_checked_before_busy)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int fd = pfm_create_session(PFM_FL_NOTIFY_BLOCK);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	EXPECT_EQ(EINVAL, ERRNO(attach_self(fd)));
	child_kill(pid);
}

TEST_HARNESS_MAIN
