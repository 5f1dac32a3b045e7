// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thread ids that are used again: a message names the process of the thread that
 * overflowed, not of the one that had its id before. Conformance case C109.
 */
#include <pthread.h>

#include "attr.h"
#include "child.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 10000

#define PID_MAX "/proc/sys/kernel/pid_max"
#define RESERVED_IDS 300

/* A thread id to be used again, and how the one who gets it overflows. */
struct reuse {
	pid_t tid;
	int cpu; /* of the session, or -1: attach it */
	int fd;
	bool done;
};

static void *overflow_if_chosen(void *arg)
{
	struct reuse *reuse = arg;

	if (gettid() != reuse->tid)
		return NULL;
	reuse->done = true;
	if (reuse->cpu >= 0)
		pin_to_cpu(reuse->cpu);
	else if (attach_self(reuse->fd) || pfm_start_session(reuse->fd, 0))
		reuse->done = false;
	counted_loop(2 * PERIOD);
	return NULL;
}

/* A process overflows, and later a thread of another one with the same id. */
static int overflow_once(void *arg)
{
	struct reuse reuse = *(struct reuse *)arg;

	reuse.tid = gettid();
	overflow_if_chosen(&reuse);
	return !reuse.done;
}

static int overflow_in_a_thread(void *arg)
{
	struct reuse *reuse = arg;
	pthread_t thread;
	int i;

	for (i = 0; i < 1000 && !reuse->done; i++) {
		if (pthread_create(&thread, NULL, overflow_if_chosen, reuse))
			return 1;
		pthread_join(thread, NULL);
	}
	return !reuse->done;
}

static void expect_true_ids(struct __test_metadata *_metadata,
			    struct reuse *reuse)
{
	union pfarg_msg msg;
	pid_t pid;

	reuse->tid = child_start(overflow_once, reuse);
	ASSERT_EQ(0, child_wait(reuse->tid));
	ASSERT_EQ(0, message_wait(reuse->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(reuse->tid, msg.pfm_ovfl_msg.msg_ovfl_pid);
	EXPECT_EQ(reuse->tid, msg.pfm_ovfl_msg.msg_ovfl_tid);
	if (reuse->cpu >= 0) {
		ASSERT_EQ(0, period_restart(reuse->fd));
	} else {
		ASSERT_EQ(0, write_pmd_attr(reuse->fd, pmu_first()->pmd,
					    PFM_REGFL_OVFL_NOTIFY, -PERIOD,
					    &(struct pfarg_pmd_attr){ 0 }));
	}
	while (!message_take(reuse->fd, &msg))
		;
	pid = child_start(overflow_in_a_thread, reuse);
	ASSERT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, message_wait(reuse->fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(pid, msg.pfm_ovfl_msg.msg_ovfl_pid);
	EXPECT_EQ(reuse->tid, msg.pfm_ovfl_msg.msg_ovfl_tid);
}

static int exit_at_once(void *arg)
{
	(void)arg;
	return 0;
}

FIXTURE(few_ids)
{
	char pid_max[32];
};

FIXTURE_SETUP(few_ids)
{
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, file_read(PID_MAX, self->pid_max, sizeof(self->pid_max)));
	ASSERT_EQ(0, file_write(PID_MAX, "420"));
	/* Smaller ones than these are given out only once. */
	do {
		pid = child_start(exit_at_once, NULL);
		ASSERT_EQ(0, child_wait(pid));
	} while (pid <= RESERVED_IDS);
}

FIXTURE_TEARDOWN(few_ids)
{
	EXPECT_EQ(0, file_write(PID_MAX, self->pid_max));
}

/* Some hundred processes, each of which a slow kernel looks at closely. */
TEST_F_TIMEOUT(few_ids, C109_an_id_that_is_used_again_is_another_threads, 240)
{
	struct reuse reuse = { .cpu = -1, .fd = period_session(0, PERIOD) };

	ASSERT_LE(0, reuse.fd);
	expect_true_ids(_metadata, &reuse);
	close(reuse.fd);
}

TEST_F_TIMEOUT(few_ids, C109_so_it_is_to_the_session_of_a_cpu, 240)
{
	struct reuse reuse = { .cpu = 1 };

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0));
	reuse.fd = period_session(PFM_FL_SYSTEM_WIDE, PERIOD);
	ASSERT_LE(0, reuse.fd);
	ASSERT_EQ(0, pfm_attach_session(reuse.fd, 0, 1));
	ASSERT_EQ(0, pfm_start_session(reuse.fd, 0));
	expect_true_ids(_metadata, &reuse);
	close(reuse.fd);
}

TEST_HARNESS_MAIN
