// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control over a session that was inherited: start, stop and reads while members
 * run, come and go; and its end: of the last member, of the descriptor, by the
 * administrator, or for another session. inherit.c tests what is counted.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "attr.h"
#include "child.h"
#include "family_fixture.h"
#include "function_calls.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "owner.h"

TEST_F(family, start_and_stop_act_on_members_that_run)
{
	pid_t pid;
	int i;

	/* The target only sleeps and reads: a child counts, or nobody does. */
	ASSERT_EQ(0, attach_self(self->fd));
	pid = child_start(child_spin, NULL);
	EXPECT_TRUE(stands_still(self->fd));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		EXPECT_TRUE(grows(self->fd, 10 * LIBC));
		ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
		EXPECT_TRUE(stands_still(self->fd));
	}
	child_kill(pid);
	EXPECT_EQ(1, family_loss(self->fd, PFM_LOSS_PARTS));
}

static int spin_on_second_cpu(void *arg)
{
	return pin_to_cpu(1) ? 1 : child_spin(arg);
}

/* Nothing switches the child: one interrupt has to do. */
TEST_F(family, counting_has_begun_when_start_returns)
{
	unsigned int counted = 0;
	uint64_t value;
	pid_t pid;
	int i;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, attach_self(self->fd));
	pid = child_start(spin_on_second_cpu, NULL);
	usleep(20000);
	for (i = 0; i < 100; i++) {
		value = family_value(self->fd) - own_value(self->fd);
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		/* The CPUs take turns, which are longer on slow kernels. */
		counted_loop(kernel_is_slow() ? 100000 : 10000);
		ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
		value = family_value(self->fd) - own_value(self->fd) - value;
		counted += value > 0;
	}
	/* A tick may take all of the time; a switch would come now and then. */
	EXPECT_LE(50, counted);
	child_kill(pid);
}

static int sleep_then_loop(void *arg)
{
	const int *go = arg;
	char byte;

	return read(go[0], &byte, 1) == 1 ? do_loop(NULL) : 1;
}

/* Anybody may do so in a loop; the kernel has some calls for its own threads. */
TEST_F(family, other_cpus_are_not_interrupted_by_start_and_stop)
{
	const int turns = 1000;
	long calls;
	pid_t pid;

	if (cpus_online() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0) | attach_self(self->fd));
	pid = child_start(child_sleep, NULL);
	calls = function_calls(1);
	for (int i = 0; i < turns; i++)
		ASSERT_EQ(0, pfm_start_session(self->fd, 0) |
				     pfm_stop_session(self->fd, 0));
	EXPECT_GT(turns / 10, calls < 0 ? turns : function_calls(1) - calls);
	child_kill(pid);
}

TEST_F(family, a_child_of_a_stopped_session_counts_from_the_start_on)
{
	pid_t pid;
	int go[2];

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, attach_self(self->fd));
	pid = child_start(sleep_then_loop, go);
	usleep(10000);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, child_wait(pid));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_LE(LOOP, family_value(self->fd) - own_value(self->fd));
	EXPECT_GT(LOOP + LIBC, family_value(self->fd));
}

/* A target that starts a child, and ends when it is told to. */
struct parent {
	int fd;
	int self; /* attaches itself */
	child_fn child;
	int go[2]; /* for the child */
	int to[2];
	int from[2];
};

static int be_parent(void *arg)
{
	struct parent *p = arg;
	char byte = 0;
	pid_t pid;

	if (p->self && attach_and_start(p->fd))
		return 1;
	if (write(p->from[1], &byte, 1) != 1 || read(p->to[0], &byte, 1) != 1)
		return 2;
	pid = fork();
	if (!pid)
		_exit(p->child(p->go));
	if (write(p->from[1], &pid, sizeof(pid)) != sizeof(pid) ||
	    read(p->to[0], &byte, 1) != 1)
		return 3;
	return 0;
}

static void tell(struct __test_metadata *_metadata, const struct parent *p)
{
	ASSERT_EQ(1, write(p->to[1], "", 1));
}

/* The parent has ended, its child lives.  Return: the child. */
static pid_t parent_has_gone(struct __test_metadata *_metadata,
			     struct parent *p)
{
	pid_t parent, pid = -1;
	char byte;

	ASSERT_EQ(0, pipe(p->go));
	ASSERT_EQ(0, pipe(p->to));
	ASSERT_EQ(0, pipe(p->from));
	parent = child_start(be_parent, p);
	ASSERT_EQ(1, read(p->from[0], &byte, 1));
	if (!p->self) {
		ASSERT_EQ(0, attach_running(p->fd, parent));
		ASSERT_EQ(0, pfm_start_session(p->fd, PFM_STFL_RUNNING));
	}
	tell(_metadata, p);
	ASSERT_EQ(sizeof(pid), read(p->from[0], &pid, sizeof(pid)));
	tell(_metadata, p);
	EXPECT_EQ(0, child_wait(parent));
	return pid;
}

static void expect_end_after_child(struct __test_metadata *_metadata,
				   struct parent *p, long attached_before)
{
	union pfarg_msg msg;
	pid_t pid = parent_has_gone(_metadata, p);

	EXPECT_LT(0, pid);
	EXPECT_EQ(EAGAIN, message_take(p->fd, &msg));
	EXPECT_TRUE(family_attached(attached_before + 2));
	EXPECT_EQ(EBUSY, ERRNO(attach_self(p->fd)));
	ASSERT_EQ(1, write(p->go[1], "", 1));
	EXPECT_EQ(0, message_wait(p->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(EAGAIN, message_take(p->fd, &msg));
	EXPECT_EQ(attached_before, sessions_attached());
	EXPECT_LE(LOOP, family_value(p->fd) - own_value(p->fd));
	EXPECT_EQ(0, ERRNO(attach_self(p->fd)));
	EXPECT_EQ(0, ERRNO(pfm_detach_session(p->fd, 0)));
}

TEST_F(family, the_end_comes_after_the_last_member)
{
	struct parent p = { .fd = self->fd, .child = sleep_then_loop };

	expect_end_after_child(_metadata, &p, self->attached_before);
}

TEST_F(family, the_end_comes_after_the_last_member_also_if_it_attached_itself)
{
	struct parent p = { .fd = self->fd,
			    .self = 1,
			    .child = sleep_then_loop };

	expect_end_after_child(_metadata, &p, self->attached_before);
}

static int attach_and_exit(void *fd)
{
	return attach_and_start(*(int *)fd) ? 1 : 0;
}

TEST_F(family, the_end_comes_also_without_any_member)
{
	EXPECT_EQ(0, child_wait(child_start(attach_and_exit, &self->fd)));
	EXPECT_EQ(0, message_take_end(self->fd));
}

TEST_F(family, whoever_has_the_descriptor_controls_what_a_target_left_behind)
{
	struct parent p = { .fd = self->fd, .child = child_spin };
	pid_t pid = parent_has_gone(_metadata, &p);
	uint64_t value;

	EXPECT_TRUE(grows(self->fd, LIBC));
	EXPECT_EQ(ESRCH, ERRNO(pfm_start_session(self->fd, PFM_STFL_AT_EXEC)));
	ASSERT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_TRUE(stands_still(self->fd));
	ASSERT_EQ(0, ERRNO(pfm_start_session(self->fd, 0)));
	EXPECT_TRUE(grows(self->fd, LIBC));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, pmu_first()->pmd, &value)));
	ASSERT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
	EXPECT_TRUE(stands_still(self->fd));
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_EQ(0, kill(pid, SIGKILL));
}

TEST_F(family, a_detach_ends_all_parts_and_keeps_what_they_have_counted)
{
	pid_t pids[10];
	uint64_t value;
	int i;

	ASSERT_EQ(0, attach_and_start(self->fd));
	for (i = 0; i < 10; i++)
		pids[i] = child_start(i % 2 ? child_spin : child_sleep, NULL);
	EXPECT_TRUE(grows(self->fd, LIBC));
	value = family_value(self->fd);
	EXPECT_TRUE(family_attached(self->attached_before + 11));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_LE(value, family_value(self->fd));
	EXPECT_TRUE(stands_still(self->fd));
	/* Nobody's children are counted now. */
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	EXPECT_EQ(10, family_loss(self->fd, PFM_LOSS_PARTS));
	EXPECT_EQ(0, family_loss(self->fd, PFM_LOSS_LEFT));
	for (i = 0; i < 10; i++)
		child_kill(pids[i]);
}

TEST(the_last_close_frees_the_pmu_although_members_live)
{
	pid_t pids[4], pid;
	int i, fd;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, linger_set("0"));
	fd = family_session(0);
	ASSERT_EQ(0, attach_and_start(fd));
	for (i = 0; i < 4; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			close(fd);
			child_spin(NULL);
		}
	}
	/* One that has the descriptor keeps it all going. */
	pid = child_start(child_sleep, NULL);
	close(fd);
	EXPECT_TRUE(family_attached(6));
	child_kill(pid);
	EXPECT_TRUE(nothing_is_left());
	EXPECT_TRUE(pmu_owner_is("none"));
	for (i = 0; i < 4; i++)
		child_kill(pids[i]);
	EXPECT_EQ(0, linger_set(LINGER_DEFAULT));
}

TEST_F(family, the_administrator_ends_all_parts)
{
	pid_t pid = 0;

	ASSERT_EQ(0, attach_and_start(self->fd));
	pid = child_start(child_spin, NULL);
	EXPECT_TRUE(grows(self->fd, LIBC));
	EXPECT_EQ(0, attr_write("enabled", "0"));
	EXPECT_EQ(0, sessions_attached());
	EXPECT_TRUE(stands_still(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(attach_self(self->fd)));
	EXPECT_EQ(0, attr_write("enabled", "1"));
	child_kill(pid);
	self->attached_before = 0;
}

/* A child that measures itself.  Return: 0, or what went wrong. */
static int measure_self(void *arg)
{
	int fd = pmu_session(0);
	uint64_t value;

	(void)arg;
	if (attach_and_start(fd))
		return errno;
	counted_loop(LOOP);
	if (pfm_stop_session(fd, 0) || read_pmd(fd, pmu_first()->pmd, &value))
		return 1;
	return value >= LOOP && value < LOOP + LIBC ? 0 : 2;
}

TEST_F(family, a_session_of_its_own_takes_a_thread_out_of_the_family)
{
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(measure_self, NULL)));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(1, family_loss(self->fd, PFM_LOSS_PARTS));
	EXPECT_EQ(1, family_loss(self->fd, PFM_LOSS_LEFT));
	EXPECT_GT(LIBC, family_value(self->fd));
	EXPECT_EQ(self->attached_before + 1, sessions_attached());
}

TEST_F(family, a_session_of_another_takes_a_running_member_out)
{
	int fd = pmu_session(0), second = pmu_session(0);
	pid_t pid;

	ASSERT_EQ(0, attach_and_start(self->fd));
	pid = child_start(child_spin, NULL);
	EXPECT_TRUE(grows(self->fd, LIBC));
	ASSERT_EQ(0, ERRNO(attach_running(fd, pid)));
	EXPECT_EQ(EEXIST, ERRNO(attach_running(second, pid)));
	EXPECT_EQ(1, family_loss(self->fd, PFM_LOSS_LEFT));
	EXPECT_EQ(self->attached_before + 2, sessions_attached());
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_TRUE(stands_still(self->fd));
	child_kill(pid);
	close(fd);
	close(second);
}

/* The whole family has left: the last member by another session. */
TEST_F(family, the_end_comes_when_another_session_takes_the_last_member)
{
	struct parent p = { .fd = self->fd, .child = child_spin };
	pid_t pid = parent_has_gone(_metadata, &p);
	int fd = pmu_session(0);
	union pfarg_msg msg;

	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_TRUE(family_attached(self->attached_before + 2));
	ASSERT_EQ(0, ERRNO(attach_running(fd, pid)));
	EXPECT_EQ(0, message_take_end(self->fd));
	EXPECT_EQ(0, kill(pid, SIGKILL));
	close(fd);
}

/* Children one after the other, whose loops are known. */
static int fork_loops(void *arg)
{
	long n = *(long *)arg;

	while (n--)
		if (child_wait(child_start(do_loop, NULL)))
			return 1;
	return 0;
}

TEST_F(family, reads_never_decrease_while_members_come_and_go)
{
	long n = repetitions(400);
	uint64_t value, last = 0;
	pid_t pids[3];
	int i, status;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 3; i++)
		pids[i] = child_start(fork_loops, &n);
	for (i = 0; i < 3; i++) {
		while (!waitpid(pids[i], &status, WNOHANG)) {
			value = family_value(self->fd);
			EXPECT_LE(last, value);
			last = value;
		}
		EXPECT_EQ(0, status);
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	value = family_value(self->fd);
	EXPECT_LE(last, value);
	EXPECT_LE(3 * n * LOOP, value - own_value(self->fd));
	EXPECT_EQ(3 * (n + 1), family_loss(self->fd, PFM_LOSS_PARTS));
	EXPECT_EQ(0, family_loss(self->fd, PFM_LOSS_LOST));
}

/* So many live at once that a read lets others go on in the middle of it. */
#define CROWD 200

TEST_F(family, reads_never_decrease_while_a_crowd_of_members_ends)
{
	int i, go[2], n = kernel_is_slow() ? CROWD / 2 : CROWD;
	uint64_t value, last = 0;
	pid_t pids[CROWD];

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, attach_and_start(self->fd));
	for (i = 0; i < n; i++)
		pids[i] = child_start(sleep_then_loop, go);
	for (i = 0; i < n; i++)
		ASSERT_EQ(1, write(go[1], "", 1));
	while (sessions_attached() > self->attached_before + 1) {
		value = family_value(self->fd);
		EXPECT_LE(last, value);
		last = value;
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	value = family_value(self->fd) - own_value(self->fd);
	EXPECT_LE(n * LOOP, value);
	EXPECT_GT(n * (LOOP + LIBC), value);
	for (i = 0; i < n; i++)
		EXPECT_EQ(0, child_wait(pids[i]));
}

/* What others do to the session while its members fork. */
static void disturb(int fd, unsigned int what)
{
	switch (what % 5) {
	case 0:
		pfm_start_session(fd, PFM_STFL_RUNNING);
		break;
	case 1:
		pfm_stop_session(fd, PFM_STFL_RUNNING);
		break;
	case 2:
		family_value(fd);
		break;
	case 3:
		family_loss(fd, PFM_LOSS_PARTS);
		break;
	case 4:
		usleep(what % 1000);
		break;
	}
}

static int fork_for_ever(void *arg)
{
	pid_t pid;

	(void)arg;
	for (;;) {
		pid = fork();
		if (!pid)
			_exit(fork() ? 0 : 0);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
}

/* Families are closed and detached in the middle of clones and exits. */
TEST(nothing_is_left_of_families_that_are_ended_while_they_fork)
{
	long n = repetitions(200);
	unsigned int i, seed = 1;
	pid_t pids[2];
	int fd;

	NEEDS_COUNTERS();
	while (n--) {
		for (i = 0; i < 2; i++)
			pids[i] = child_start(fork_for_ever, NULL);
		fd = family_session(0);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, attach_running(fd, pids[n % 2]));
		ASSERT_EQ(0, pfm_start_session(fd, PFM_STFL_RUNNING));
		for (i = 0; i < 10; i++)
			disturb(fd, rand_r(&seed));
		if (n % 3 == 0)
			pfm_attach_session(fd, PFM_ATFL_RUNNING, PFM_NO_TARGET);
		if (n % 3 == 1)
			kill(pids[n % 2], SIGKILL);
		close(fd);
		for (i = 0; i < 2; i++)
			child_kill(pids[i]);
	}
	EXPECT_TRUE(nothing_is_left());
}

TEST_HARNESS_MAIN
