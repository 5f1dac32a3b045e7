// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many threads use a session at the same time, while its target comes and
 * goes. Whatever the order of events, each call does what it does in some
 * order of them, and nothing is left when the last descriptor is closed. With
 * a kernel that checks its locks and its memory this finds more than it says.
 */
#include <pthread.h>
#include <sched.h>

#include "child.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "prng.h"
#include "sessions.h"

#define THREADS 4

/* Makes one of the calls; returns its errno. */
static int any_call(int fd, unsigned int which)
{
	struct pfarg_setdesc desc = { .set_id = 0 };
	struct pfarg_setinfo info = { .set_id = 0 };
	uint64_t value;

	switch (which % 10) {
	case 0:
		return ERRNO(attach_self(fd));
	case 1:
		return ERRNO(pfm_detach_session(fd, 0));
	case 2:
		return ERRNO(pfm_start_session(fd, 0));
	case 3:
		return ERRNO(pfm_stop_session(fd, 0));
	case 4:
		return ERRNO(read_pmd(fd, pmu_first()->pmd, &value));
	case 5:
		return ERRNO(write_pmd(fd, pmu_first()->pmd, which));
	case 6:
		return ERRNO(pmu_count_user(fd, pmu_first(), which));
	case 7:
		return ERRNO(pfm_create_sets(fd, 0, &desc, 1));
	case 8:
		return ERRNO(pfm_getinfo_sets(fd, 0, &info, 1));
	default:
		counted_loop(2000);
		return 0;
	}
}

/* Errors that tell of another thread's doing, and no others. */
static bool expected_errno(int err)
{
	return err == 0 || err == EINVAL || err == ESRCH || err == EBUSY ||
	       err == EEXIST;
}

struct holder {
	pthread_t thread;
	const int *fds;
	unsigned int seed;
	long calls;
	int unexpected; /* an errno that no call should give */
};

static void *use_sessions(void *arg)
{
	struct holder *holder = arg;
	struct prng prng;
	long i;

	prng_seed(&prng, holder->seed, 0);
	for (i = 0; i < holder->calls; i++) {
		int fd = holder->fds[prng_below(&prng, 2)];
		int err = any_call(fd, (unsigned int)prng_next(&prng));

		if (!expected_errno(err))
			holder->unexpected = err;
		if (prng_one_in(&prng, 8))
			sched_yield();
	}
	return NULL;
}

TEST(holders_of_two_sessions_call_what_they_like)
{
	long before = sessions_attached();
	const int fds[2] = { pmu_session(0), pmu_session(0) };
	struct holder holders[THREADS];
	int i;

	ASSERT_LE(0, fds[1]);
	for (i = 0; i < THREADS; i++) {
		holders[i] = (struct holder){
			.fds = fds,
			.seed = 1 + i,
			.calls = repetitions(20000),
		};
		ASSERT_EQ(0, pthread_create(&holders[i].thread, NULL,
					    use_sessions, &holders[i]));
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(holders[i].thread, NULL);
		EXPECT_EQ(0, holders[i].unexpected);
	}
	close(fds[0]);
	close(fds[1]);
	EXPECT_TRUE(sessions_attached_becomes(before));
}

static void *monitor_self_and_exit(void *arg)
{
	const int *fd = arg;

	if (!attach_self(*fd))
		pfm_start_session(*fd, 0);
	return NULL;
}

TEST(a_session_is_closed_while_its_thread_exits)
{
	long before = sessions_attached();
	long times = repetitions(2000);
	pthread_t thread;
	long i, j;

	/* Keeps the PMU reserved: this is about threads only. */
	ASSERT_LE(0, pfm_create_session(0));
	for (i = 0; i < times; i++) {
		int fd = pmu_session(0);

		ASSERT_LE(0, fd);
		ASSERT_EQ(0, pthread_create(&thread, NULL,
					    monitor_self_and_exit, &fd));
		/* Later each time, so that each moment has its turn. */
		for (j = 0; j < i % 8; j++)
			sched_yield();
		counted_loop(2 + 2 * i);
		close(fd);
		pthread_join(thread, NULL);
	}
	EXPECT_TRUE(sessions_attached_becomes(before));
}

static int exit_at_once(void *arg)
{
	(void)arg;
	return 0;
}

TEST(a_session_is_used_while_its_child_exits)
{
	long before = sessions_attached();
	long times = repetitions(500);
	int fd = pmu_session(0);
	struct prng prng;
	uint64_t value;
	long i, j;

	ASSERT_LE(0, fd);
	prng_seed(&prng, 1, 0);
	for (i = 0; i < times; i++) {
		pid_t pid = child_start_stopped(exit_at_once, NULL);

		ASSERT_LT(0, pid);
		ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		ASSERT_EQ(0, child_continue(pid));
		for (j = 0; j < i % 16; j++) {
			/* Not 0: the caller would get the session. */
			unsigned int which = 1 + prng_below(&prng, 8);
			int err = any_call(fd, which);

			EXPECT_TRUE(expected_errno(err))
			{
				TH_LOG("call %u: errno %d", which, err);
			}
		}
		ASSERT_EQ(0, child_wait(pid));
		ASSERT_EQ(before, sessions_attached());
		ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	}
}

static int exec_nothing(void *arg)
{
	(void)arg;
	execl("/proc/self/exe", "race", "-l", NULL);
	return 127;
}

TEST(a_session_is_closed_while_its_child_execs)
{
	long before = sessions_attached();
	long times = repetitions(100);
	long i;

	for (i = 0; i < times; i++) {
		pid_t pid = child_start_stopped(exec_nothing, NULL);
		int fd = pmu_session(0);

		ASSERT_LT(0, pid);
		ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		ASSERT_EQ(0, child_continue(pid));
		counted_loop(2 + 2000 * i);
		close(fd);
		child_kill(pid);
	}
	EXPECT_TRUE(sessions_attached_becomes(before));
}

TEST_HARNESS_MAIN
