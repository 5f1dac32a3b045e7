// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching a session to a thread and detaching it, and who may operate a
 * session that is attached to somebody else: conformance cases C050 to C065.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "child.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"
#include "unprivileged.h"

FIXTURE(session)
{
	int fd;
	long attached_before;
};

FIXTURE_SETUP(session)
{
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->attached_before = sessions_attached();
	ASSERT_LE(0, self->attached_before);
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

TEST_F(session, C050_a_thread_attaches_a_session_to_itself_once)
{
	EXPECT_EQ(0, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	EXPECT_EQ(EBUSY, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
}

TEST_F(session, C051_a_thread_has_at_most_one_session)
{
	int second = pfm_create_session(0);

	ASSERT_LE(0, second);
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EEXIST, ERRNO(attach_self(second)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, ERRNO(attach_self(second)));
}

TEST_F(session, C052_unknown_flags_are_refused)
{
	int tid = gettid();
	unsigned int bit;

	for (bit = 2; bit < 32; bit++) {
		int flags = (int)(1U << bit);

		EXPECT_EQ(EINVAL,
			  ERRNO(pfm_attach_session(self->fd, flags, tid)))
		{
			TH_LOG("flags 0x%x", (unsigned int)flags);
		}
	}
	EXPECT_EQ(EINVAL, ERRNO(pfm_detach_session(self->fd, 1)));
	EXPECT_EQ(self->attached_before, sessions_attached());
}

TEST_F(session, C053_detaching_is_attaching_to_nothing)
{
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, PFM_NO_TARGET)));
	EXPECT_EQ(0, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, PFM_NO_TARGET)));
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_EQ(0, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
}

TEST_F(session, C054_the_target_must_exist)
{
	static const int targets[] = { 0, -2, INT_MIN, UNUSED_TID };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(targets); i++) {
		EXPECT_EQ(ESRCH,
			  ERRNO(pfm_attach_session(self->fd, 0, targets[i])))
		{
			TH_LOG("target %d", targets[i]);
		}
	}
}

static int attach_init_errno(void *arg)
{
	int fd = pfm_create_session(0);

	(void)arg;
	return fd < 0 ? 254 : ERRNO(pfm_attach_session(fd, 0, 1));
}

TEST_F(session, C055_only_a_thread_that_one_may_trace)
{
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, attach_init_errno, NULL));
	EXPECT_EQ(EPERM, ERRNO(pfm_attach_session(self->fd, 0, KTHREADD)));
}

TEST_F(session, C056_only_a_thread_that_the_caller_stopped)
{
	pid_t untraced = child_start(child_sleep, NULL);
	pid_t traced = child_start_stopped(child_spin, NULL);
	int status;

	ASSERT_LT(0, untraced);
	ASSERT_LT(0, traced);
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(self->fd, 0, untraced)));

	ASSERT_EQ(0, kill(untraced, SIGSTOP));
	ASSERT_EQ(untraced, waitpid(untraced, &status, WUNTRACED));
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(self->fd, 0, untraced)));

	ASSERT_EQ(0, child_continue(traced));
	EXPECT_EQ(ESRCH, ERRNO(pfm_attach_session(self->fd, 0, traced)));

	ASSERT_EQ(0, child_stop(traced));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(self->fd, 0, traced)));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	child_kill(traced);
	child_kill(untraced);
}

/* Tries to attach to a child that its parent stopped. */
struct foreign_attach {
	int fd;
	pid_t target;
};

static int foreign_attach(void *arg)
{
	const struct foreign_attach *attach = arg;

	return ERRNO(pfm_attach_session(attach->fd, 0, attach->target));
}

TEST_F(session, C056_a_stop_by_another_tracer_does_not_count)
{
	struct foreign_attach attach = {
		.fd = self->fd,
		.target = child_start_stopped(child_sleep, NULL),
	};

	ASSERT_LT(0, attach.target);
	EXPECT_EQ(ESRCH, child_wait(child_start(foreign_attach, &attach)));
	EXPECT_EQ(0, foreign_attach(&attach));
	child_kill(attach.target);
}

static int exit_at_once(void *arg)
{
	(void)arg;
	return 0;
}

TEST_F(session, C057_a_zombie_is_not_monitored)
{
	pid_t pid = child_start(exit_at_once, NULL);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, child_wait_zombie(pid));
	EXPECT_EQ(EBUSY, ERRNO(pfm_attach_session(self->fd, 0, pid)));
	EXPECT_EQ(self->attached_before, sessions_attached());
	child_kill(pid);
}

TEST(C058_a_blocking_session_cannot_block_its_own_reader)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int fd = pfm_create_session(PFM_FL_NOTIFY_BLOCK);

	ASSERT_LE(0, fd);
	ASSERT_LT(0, pid);
	EXPECT_EQ(EINVAL, ERRNO(attach_self(fd)));
	EXPECT_EQ(0, ERRNO(pfm_attach_session(fd, 0, pid)));
	child_kill(pid);
}

static int attach_pidfd(int fd, int pidfd)
{
	return pfm_attach_session(fd, PFM_ATFL_PIDFD, pidfd);
}

TEST_F(session, C059_a_pidfd_names_the_target)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	int file = open("/proc/self/exe", O_RDONLY);

	ASSERT_LE(0, pidfd);
	ASSERT_LE(0, file);
	EXPECT_EQ(EINVAL, ERRNO(attach_pidfd(self->fd, PFM_NO_TARGET)));
	EXPECT_EQ(EBADF, ERRNO(attach_pidfd(self->fd, file)));
	EXPECT_EQ(EBADF, ERRNO(attach_pidfd(self->fd, -2)));
	EXPECT_EQ(EBADF, ERRNO(attach_pidfd(self->fd, self->fd)));
	EXPECT_EQ(0, ERRNO(attach_pidfd(self->fd, pidfd)));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
	child_kill(pid);
	EXPECT_EQ(ESRCH, ERRNO(attach_pidfd(self->fd, pidfd)));
}

TEST(C059_a_system_wide_session_takes_no_pidfd)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);

	ASSERT_LE(0, fd);
	/* Also when the target is no pidfd at all. */
	EXPECT_EQ(EINVAL, ERRNO(attach_pidfd(fd, 0)));
	EXPECT_EQ(EINVAL, ERRNO(attach_pidfd(fd, -2)));
}

TEST(C060_a_cpu_must_be_online)
{
	static const int cpus[] = { -2, INT_MIN, 99999, INT_MAX };
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);
	unsigned int i;

	ASSERT_LE(0, fd);
	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		EXPECT_EQ(EINVAL, ERRNO(pfm_attach_session(fd, 0, cpus[i])))
		{
			TH_LOG("cpu %d", cpus[i]);
		}
	}
	EXPECT_EQ(0, ERRNO(pfm_attach_session(fd, 0, PFM_NO_TARGET)));
}

/*
 * Takes a descriptor of the parent, whose number comes through a pipe, and
 * reads the first counter with it.
 */
static int take_and_read(void *arg)
{
	const int *numbers = arg;
	int pidfd = (int)syscall(SYS_pidfd_open, getppid(), 0);
	uint64_t value;
	int fd;

	if (read(*numbers, &fd, sizeof(fd)) != (ssize_t)sizeof(fd))
		return 1;
	fd = (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	if (fd < 0 || read_pmd(fd, pmu_first()->pmd, &value))
		return 2;
	return value == 0x55 ? 0 : 3;
}

TEST(C064_values_can_be_read_by_whoever_gets_the_descriptor)
{
	int numbers[2];
	pid_t pid;
	int fd;

	/* Made before the session: the child inherits the pipe only. */
	ASSERT_EQ(0, pipe(numbers));
	pid = child_start(take_and_read, &numbers[0]);
	ASSERT_LT(0, pid);
	fd = pmu_session(0x55);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_detach_session(fd, 0));
	ASSERT_EQ((ssize_t)sizeof(fd), write(numbers[1], &fd, sizeof(fd)));
	EXPECT_EQ(0, child_wait(pid));
}

/*
 * Who may do what to a session that is attached to another thread. Each call
 * is valid in itself; rows are in the order of the calls' numbers.
 */
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

static int try_read_pmd(int fd)
{
	uint64_t value;

	return ERRNO(read_pmd(fd, pmu_first()->pmd, &value));
}

static int try_read_pmc(int fd)
{
	uint64_t value;

	if (!pmu_first()->known)
		return try_read_pmd(fd);
	return ERRNO(read_pmc(fd, pmu_first()->pmc, &value));
}

static int try_attach_self(int fd)
{
	return ERRNO(attach_self(fd));
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
	struct pfarg_setdesc set = { .set_id = 0 };

	return ERRNO(pfm_create_sets(fd, 0, &set, 1));
}

static int try_delete_set(int fd)
{
	struct pfarg_setdesc set = { .set_id = 1 };

	return ERRNO(pfm_create_sets(fd, PFM_SETS_DELETE, &set, 1));
}

static int try_getinfo(int fd)
{
	struct pfarg_setinfo set = { .set_id = 0 };

	return ERRNO(pfm_getinfo_sets(fd, 0, &set, 1));
}

static int try_detach(int fd)
{
	return ERRNO(pfm_detach_session(fd, 0));
}

struct rule {
	const char *what;
	int (*try)(int fd);
	int detached; /* errno while attached to nothing */
	int self; /* ... to the caller */
	int stopped; /* ... to a thread in a ptrace stop by the caller */
	int running; /* ... to any other thread */
};

static const struct rule rules[] = {
	{ "write pmd", try_write_pmd, 0, 0, 0, ESRCH },
	{ "write pmc", try_write_pmc, 0, 0, 0, ESRCH },
	{ "read pmd", try_read_pmd, 0, 0, 0, ESRCH },
	{ "read pmc", try_read_pmc, 0, 0, 0, ESRCH },
	{ "stop", try_stop, EINVAL, 0, 0, ESRCH },
	{ "start", try_start, EINVAL, 0, 0, ESRCH },
	{ "restart", try_restart, EBUSY, EBUSY, EBUSY, EBUSY },
	{ "getinfo", try_getinfo, 0, 0, 0, 0 },
	{ "detach", try_detach, 0, 0, 0, ESRCH },
	/* Detached now, unless that was refused. */
	{ "create set", try_create_set, 0, 0, 0, EBUSY },
	{ "attach", try_attach_self, 0, 0, 0, EBUSY },
	{ "delete set", try_delete_set, EBUSY, EBUSY, EBUSY, EBUSY },
};

TEST_F(session, C065_all_is_allowed_to_the_thread_itself)
{
	unsigned int i;

	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, try_create_set(self->fd));
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		EXPECT_EQ(rules[i].self, rules[i].try(self->fd))
		{
			TH_LOG("%s", rules[i].what);
		}
	}
}

TEST_F(session, C065_a_detached_session_cannot_be_started)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		EXPECT_EQ(rules[i].detached, rules[i].try(self->fd))
		{
			TH_LOG("%s", rules[i].what);
		}
	}
}

TEST_F(session, C065_all_is_allowed_while_the_thread_is_stopped)
{
	pid_t pid = child_start_stopped(child_spin, NULL);
	unsigned int i;

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	EXPECT_EQ(EBUSY, try_create_set(self->fd));
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		EXPECT_EQ(rules[i].stopped, rules[i].try(self->fd))
		{
			TH_LOG("%s", rules[i].what);
		}
	}
	child_kill(pid);
}

TEST_F(session, C065_little_is_allowed_while_the_thread_runs)
{
	pid_t pid = child_start_stopped(child_spin, NULL);
	unsigned int i;

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, child_continue(pid));
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		EXPECT_EQ(rules[i].running, rules[i].try(self->fd))
		{
			TH_LOG("%s", rules[i].what);
		}
	}
	child_kill(pid);
}

/* The errno of reading a session that somebody else has attached. */
static int read_errno(void *arg)
{
	const int *fd = arg;

	return try_read_pmd(*fd);
}

TEST_F(session, C065_a_holder_who_is_not_the_tracer_cannot_read)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);

	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	EXPECT_EQ(ESRCH, child_wait(child_start(read_errno, &self->fd)));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, read_errno, &self->fd));
	ASSERT_EQ(0, child_continue(pid));
	EXPECT_EQ(ESRCH, child_wait(child_start(read_errno, &self->fd)));
	EXPECT_EQ(EPERM, unprivileged(NO_GROUP, read_errno, &self->fd));
	child_kill(pid);
}

TEST_HARNESS_MAIN
