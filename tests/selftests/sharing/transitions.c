// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first session and the last: what other threads are in the middle of when
 * the hooks are patched in and out and the PMU changes hands.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "attr.h"
#include "child.h"
#include "kmsg.h"
#include "machine.h"
#include "module.h"
#include "owner.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define WINDOW "fork_window"
#define WINDOW_PARAMETER(name) "/sys/module/" WINDOW "/parameters/" name

/* Stacks that a CPU keeps for later children, and some more. */
#define FORKS 8

FIXTURE(window)
{
	pthread_t closer;
	bool over;
	int fd;
	pid_t children[FORKS];
};

FIXTURE_SETUP(window)
{
	int error = module_load(WINDOW, "");

	if (error == EOPNOTSUPP)
		SKIP(return, "this kernel has no place to hold a fork at");
	ASSERT_EQ(0, error);
	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0));
	/* The hooks are gone as soon as the last session is. */
	ASSERT_EQ(0, linger_set("0"));
}

FIXTURE_TEARDOWN_PARENT(window)
{
	linger_set(LINGER_DEFAULT);
	module_unload(WINDOW);
}

/* The last session is gone before the held fork goes on. */
static void *close_in_the_window(void *arg)
{
	FIXTURE_DATA(window) *self = arg;
	char held[4] = "";

	pin_to_cpu(1);
	while (!__atomic_load_n(&self->over, __ATOMIC_RELAXED) &&
	       held[0] != 'Y')
		file_read(WINDOW_PARAMETER("held"), held, sizeof(held));
	if (held[0] == 'Y') {
		close(self->fd);
		file_write(WINDOW_PARAMETER("go"), "1");
	}
	return (void *)(uintptr_t)(held[0] == 'Y');
}

/* Returns whether the fork has been held; the children stay. */
static bool fork_held(FIXTURE_DATA(window) * self, int i)
{
	char thread[16];
	void *held;

	snprintf(thread, sizeof(thread), "%d", gettid());
	self->over = false;
	pthread_create(&self->closer, NULL, close_in_the_window, self);
	file_write(WINDOW_PARAMETER("thread"), thread);
	self->children[i] = child_start(child_sleep, NULL);
	__atomic_store_n(&self->over, true, __ATOMIC_RELAXED);
	pthread_join(self->closer, &held);
	return held;
}

TEST_F(window, a_fork_that_the_last_close_overtakes_inherits_nothing)
{
	int kmsg = kmsg_open();
	bool held = false;
	int i, n = 0;

	ASSERT_LE(0, kmsg);
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	while (!held && n < FORKS)
		held = fork_held(self, n++);
	ASSERT_TRUE(held);
	/* The hooks are there again, for whatever the child has kept. */
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	for (i = 0; i < n; i++)
		child_kill(self->children[i]);
	close(self->fd);
	EXPECT_FALSE(kmsg_says(kmsg, "KASAN"));
}

TEST_HARNESS_MAIN
