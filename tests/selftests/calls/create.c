// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_create_session(), who may call it, and the descriptor that it returns:
 * conformance cases C001 to C008 and C010. What that descriptor is good for is
 * the subject of descriptor.c. C019, a kernel without perfmon, is in off; the
 * cases that are about sampling buffers are in buffer.c.
 */
#include <fcntl.h>
#include <sys/syscall.h>

#include "attr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "unprivileged.h"

#define ALL_CREATE_FLAGS                                              \
	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_SMPL_FMT | \
	 PFM_FL_OVFL_NO_MSG | PFM_FL_OVFL_SIGINFO | PFM_FL_YIELD |    \
	 PFM_FL_NMI | PFM_FL_CLOEXEC)

/* A group that no user of the guest is in unless a test says so. */
#define GROUP 4711
#define GROUP_TEXT "4711"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/*
 * Groups and perf's setting are restored by the parent, also if the test was
 * killed.
 */
FIXTURE(groups)
{
	char sys[16];
	char task[16];
	char paranoid[16];
};

FIXTURE_SETUP(groups)
{
	ASSERT_EQ(0, attr_read("sys_group", self->sys, sizeof(self->sys)));
	ASSERT_EQ(0, attr_read("task_group", self->task, sizeof(self->task)));
	ASSERT_EQ(0,
		  file_read(PARANOID, self->paranoid, sizeof(self->paranoid)));
}

FIXTURE_TEARDOWN_PARENT(groups)
{
	EXPECT_EQ(0, attr_write("sys_group", self->sys));
	EXPECT_EQ(0, attr_write("task_group", self->task));
	EXPECT_EQ(0, file_write(PARANOID, self->paranoid));
}

static void link_of(int fd, char *target, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, target, size - 1);
	target[n < 0 ? 0 : n] = '\0';
}

TEST(C001_create_returns_a_readonly_descriptor_that_survives_exec)
{
	int fd = pfm_create_session(0);
	char target[64];

	ASSERT_LE(0, fd);
	link_of(fd, target, sizeof(target));
	EXPECT_STREQ("anon_inode:[pfmfd]", target);
	EXPECT_EQ(O_RDONLY, fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
	EXPECT_EQ(0, fcntl(fd, F_GETFD));
}

TEST(the_descriptor_can_be_made_close_on_exec)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	ASSERT_LE(0, fd);
	EXPECT_EQ(FD_CLOEXEC, fcntl(fd, F_GETFD));
	EXPECT_EQ(O_RDONLY, fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
	/* The session is like any other. */
	EXPECT_EQ(0, ERRNO(attach_self(fd)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(fd, 0)));
}

TEST(C001_create_returns_the_lowest_free_descriptor)
{
	int lowest = dup(0);

	ASSERT_LE(0, lowest);
	close(lowest);
	EXPECT_EQ(lowest, pfm_create_session(0));
	EXPECT_EQ(lowest + 1, pfm_create_session(0));
}

TEST(C002_create_refuses_each_unknown_flag)
{
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		int flag = (int)(1U << bit);

		if (flag & (ALL_CREATE_FLAGS | PFM_FL_INHERIT))
			continue;
		EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(flag)))
		{
			TH_LOG("flag 0x%x", (unsigned int)flag);
		}
	}
}

TEST(C002_create_accepts_each_flag_that_needs_no_argument)
{
	static const int flags[] = {
		PFM_FL_NOTIFY_BLOCK,
		PFM_FL_SYSTEM_WIDE,
		PFM_FL_OVFL_NO_MSG,
		PFM_FL_OVFL_SIGINFO,
		PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG,
		PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_NO_MSG | PFM_FL_OVFL_SIGINFO,
		PFM_FL_CLOEXEC,
		PFM_FL_SYSTEM_WIDE | PFM_FL_CLOEXEC,
		PFM_FL_SYSTEM_WIDE | PFM_FL_YIELD,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		EXPECT_EQ(0, ERRNO(pfm_create_session(flags[i])))
		{
			TH_LOG("flags 0x%x", (unsigned int)flags[i]);
		}
	}
}

static int create_errno(void *arg)
{
	const int *flags = arg;

	return ERRNO(pfm_create_session(*flags));
}

TEST(C003_system_wide_excludes_thread_flags_whoever_asks)
{
	int block = PFM_FL_SYSTEM_WIDE | PFM_FL_NOTIFY_BLOCK;
	int siginfo = PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_SIGINFO;

	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(block)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(siginfo)));
	EXPECT_EQ(EINVAL, unprivileged(NO_GROUP, create_errno, &block));
	EXPECT_EQ(EINVAL, unprivileged(NO_GROUP, create_errno, &siginfo));
}

TEST_F(groups, C004_system_wide_needs_privilege_by_default)
{
	int flags = PFM_FL_SYSTEM_WIDE;

	ASSERT_EQ(0, attr_write("sys_group", "-1"));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, &flags));
	EXPECT_EQ(EPERM, unprivileged(GROUP, create_errno, &flags));
	EXPECT_EQ(0, create_errno(&flags));
}

TEST_F(groups, C005_sys_group_may_create_system_wide_sessions)
{
	int flags = PFM_FL_SYSTEM_WIDE;

	ASSERT_EQ(0, attr_write("sys_group", GROUP_TEXT));
	EXPECT_EQ(0, unprivileged(GROUP, create_errno, &flags));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, &flags));
	EXPECT_EQ(0, create_errno(&flags));
}

TEST_F(groups, C005_the_filesystem_group_counts_as_membership)
{
	int flags = PFM_FL_SYSTEM_WIDE;

	/* The child's own group, not a supplementary one. */
	ASSERT_EQ(0, attr_write("sys_group", "65534"));
	EXPECT_EQ(0, unprivileged(NO_GROUP, create_errno, &flags));
}

TEST_F(groups, C006_task_group_restricts_thread_sessions)
{
	int flags = 0;

	EXPECT_EQ(0, unprivileged(NO_GROUP, create_errno, &flags));
	ASSERT_EQ(0, attr_write("task_group", GROUP_TEXT));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, create_errno, &flags));
	EXPECT_EQ(0, unprivileged(GROUP, create_errno, &flags));
	EXPECT_EQ(0, create_errno(&flags));
}

TEST_F(groups, C006_task_group_does_not_restrict_system_wide_sessions)
{
	int flags = PFM_FL_SYSTEM_WIDE;

	ASSERT_EQ(0, attr_write("task_group", "1"));
	ASSERT_EQ(0, attr_write("sys_group", GROUP_TEXT));
	EXPECT_EQ(0, unprivileged(GROUP, create_errno, &flags));
}

/* Field 9 of /proc/PID/stat, from the end of the name on. */
#define STAT_FLAGS ") %*c %*d %*d %*d %*d %*d %lu"

/* The process has used a privilege: accounting tells of it, and audit may. */
#define PF_SUPERPRIV 0x100UL

static bool has_used_privileges(void)
{
	unsigned long flags = 0;
	char stat[512];
	char *end;

	if (file_read("/proc/self/stat", stat, sizeof(stat)))
		return false;
	end = strrchr(stat, ')');
	return end && sscanf(end, STAT_FLAGS, &flags) == 1 &&
	       flags & PF_SUPERPRIV;
}

TEST(a_session_that_anybody_may_create_uses_no_privileges)
{
	ASSERT_FALSE(has_used_privileges());
	ASSERT_LE(0, pfm_create_session(0));
	EXPECT_FALSE(has_used_privileges());
	/* This one does. */
	ASSERT_LE(0, pfm_create_session(PFM_FL_SYSTEM_WIDE));
	EXPECT_TRUE(has_used_privileges());
}

/* Who may create what at which level of kernel.perf_event_paranoid. */
static const struct {
	const char *paranoid;
	const char *task_group;
	gid_t group; /* of the caller */
	int flags;
	int err;
} levels[] = {
	{ "-1", "-1", NO_GROUP, 0, 0 },
	{ "2", "-1", NO_GROUP, 0, 0 },
	{ "3", "-1", NO_GROUP, 0, EPERM },
	{ "4", "-1", GROUP, 0, EPERM },
	{ "2", GROUP_TEXT, NO_GROUP, 0, EPERM },
	{ "2", GROUP_TEXT, GROUP, 0, 0 },
	{ "3", GROUP_TEXT, NO_GROUP, 0, EPERM },
	{ "3", GROUP_TEXT, GROUP, 0, 0 },
	/* The level opens nothing, and sys_group is not for threads. */
	{ "-1", "-1", GROUP, PFM_FL_SYSTEM_WIDE, 0 },
	{ "3", "-1", GROUP, PFM_FL_SYSTEM_WIDE, 0 },
	{ "-1", "-1", NO_GROUP, PFM_FL_SYSTEM_WIDE, EPERM },
};

TEST_F(groups, C006_perf_event_paranoid_above_2_is_for_users_of_perfmon_too)
{
	unsigned int i;

	ASSERT_EQ(0, attr_write("sys_group", GROUP_TEXT));
	for (i = 0; i < ARRAY_SIZE(levels); i++) {
		int flags = levels[i].flags;

		ASSERT_EQ(0, file_write(PARANOID, levels[i].paranoid));
		ASSERT_EQ(0, attr_write("task_group", levels[i].task_group));
		EXPECT_EQ(levels[i].err,
			  unprivileged(levels[i].group, create_errno, &flags))
		{
			TH_LOG("case %u", i);
		}
		EXPECT_EQ(0, create_errno(&flags));
	}
}

TEST(C007_create_needs_a_readable_format_name)
{
	const char *nowhere = (const char *)8;

	EXPECT_EQ(EFAULT, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, NULL, NULL,
						   (size_t)0)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, nowhere,
						   NULL, (size_t)0)));
}

TEST(C008_create_refuses_a_format_that_does_not_exist)
{
	char name[300];

	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, "nosuch",
						   NULL, (size_t)0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, "", NULL,
						   (size_t)0)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(PFM_FL_SMPL_FMT, name, NULL,
						   (size_t)0)));
}

static int create_without_name_errno(void *arg)
{
	const int *flags = arg;

	return ERRNO(pfm_create_session(*flags, NULL, NULL, (size_t)0));
}

TEST(C008_permission_is_checked_before_the_format_name)
{
	int flags = PFM_FL_SYSTEM_WIDE | PFM_FL_SMPL_FMT;

	EXPECT_EQ(EPERM,
		  unprivileged(NO_GROUP, create_without_name_errno, &flags));
	EXPECT_EQ(EFAULT, create_without_name_errno(&flags));
}

TEST(C010_arguments_without_their_flag_are_ignored)
{
	long base = (long)attr_number("syscall");

	if (perfmon_is_module())
		SKIP(return, "a module has no system calls");
	ASSERT_LT(0, base);
	EXPECT_EQ(0, ERRNO(syscall(base + PFM_NR_CREATE_SESSION, 0, "nosuch",
				   (void *)1, 5)));
}

TEST_HARNESS_MAIN
