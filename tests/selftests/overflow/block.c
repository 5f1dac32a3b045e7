// SPDX-License-Identifier: GPL-2.0-only
/*
 * PFM_FL_NOTIFY_BLOCK: the monitored thread waits where it overflowed until
 * somebody restarts it. Conformance case C101.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "child.h"
#include "instruction_track.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define PERIOD 10000

/* What the child and the tests share. */
struct shared {
	volatile int signals;
};

static struct shared *shared;

static void on_signal(int sig)
{
	(void)sig;
	shared->signals++;
}

static int handle_signals_on_track(void *arg)
{
	/* The session is the parent's alone. */
	close_range(3, ~0U, 0);
	signal(SIGUSR1, on_signal);
	return track_child(arg);
}

static void sleep_ms(long ms)
{
	struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

/* The letter that /proc has for what a thread is doing: R, S, t ... */
static char state_of(pid_t pid)
{
	char path[32], text[256], state = '?';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "re");
	if (stat && fgets(text, sizeof(text), stat))
		sscanf(text, "%*d (%*[^)]) %c", &state);
	if (stat)
		fclose(stat);
	return state;
}

static bool comes_to(pid_t pid, char state)
{
	int i;

	for (i = 0; i < 1000 && state_of(pid) != state; i++)
		sleep_ms(1);
	return state_of(pid) == state;
}

/* Where a thread that sleeps outside of a system call will go on, or 0. */
static uint64_t sleeps_at(pid_t pid)
{
	char path[32], text[256];
	unsigned long long ip = 0;
	FILE *call;

	if (!comes_to(pid, 'S'))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	call = fopen(path, "re");
	if (call && fgets(text, sizeof(text), call))
		sscanf(text, "-1 0x%*x 0x%llx", &ip);
	if (call)
		fclose(call);
	return ip;
}

FIXTURE(child)
{
	int fd;
	pid_t pid;
	uint16_t pmd;
	long attached_before;
};

/* A child on its track that nobody traces, and its session. */
FIXTURE_SETUP(child)
{
	NEEDS_INTERRUPTS();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, shared);
	self->attached_before = sessions_attached();
	self->pmd = pmu_first()->pmd;
	self->fd = period_session(PFM_FL_NOTIFY_BLOCK, PERIOD);
	ASSERT_LE(0, self->fd);
	self->pid = child_start_stopped(handle_signals_on_track, NULL);
	ASSERT_LT(0, self->pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
}

FIXTURE_TEARDOWN(child)
{
	child_kill(self->pid);
	close(self->fd);
	munmap(shared, sizeof(*shared));
}

static int let_go(pid_t pid)
{
	return (int)ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

/* Restarts the child until it overflows on its track. */
static void block_on_track(struct __test_metadata *_metadata, int fd,
			   union pfarg_msg *msg)
{
	int i;

	ASSERT_EQ(0, message_wait(fd, msg));
	for (i = 0;
	     i < 100 && track_position(msg->pfm_ovfl_msg.msg_ovfl_ip) < 0;
	     i++) {
		ASSERT_EQ(0, ERRNO(period_restart(fd)));
		ASSERT_EQ(0, message_wait(fd, msg));
	}
	ASSERT_LE(0, track_position(msg->pfm_ovfl_msg.msg_ovfl_ip));
}

TEST_F(child, C101_the_thread_waits_at_the_overflow)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	EXPECT_EQ(msg.pfm_ovfl_msg.msg_ovfl_ip, sleeps_at(self->pid));
	sleep_ms(100);
	EXPECT_EQ(msg.pfm_ovfl_msg.msg_ovfl_ip, sleeps_at(self->pid));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
}

TEST_F(child, C101_between_two_overflows_lies_one_period)
{
	union pfarg_msg msg;
	int i, position;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	for (i = 0; i < 50; i++) {
		position = track_position(msg.pfm_ovfl_msg.msg_ovfl_ip);
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
		ASSERT_EQ(0, message_wait(self->fd, &msg));
		ASSERT_EQ((position + PERIOD) % TRACK_ROUND,
			  track_position(msg.pfm_ovfl_msg.msg_ovfl_ip));
	}
}

TEST_F(child, C101_a_waiting_thread_can_be_killed)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, let_go(self->pid));
	ASSERT_EQ(0, message_wait(self->fd, &msg));
	child_kill(self->pid);
	EXPECT_EQ(self->attached_before, sessions_attached());
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

TEST_F(child, C101_a_signal_is_handled_and_ends_the_wait)
{
	union pfarg_msg msg;
	uint64_t value;
	int i;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	ASSERT_NE(0, sleeps_at(self->pid));
	ASSERT_EQ(0, kill(self->pid, SIGUSR1));
	for (i = 0; i < 1000 && !shared->signals; i++)
		sleep_ms(1);
	EXPECT_EQ(1, shared->signals);
	/* It runs on, but counts nothing before the restart. */
	sleep_ms(50);
	EXPECT_EQ('R', state_of(self->pid));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
	EXPECT_EQ(0, value);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));

	ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	ASSERT_EQ(0, message_wait(self->fd, &msg));
	EXPECT_EQ(msg.pfm_ovfl_msg.msg_ovfl_ip, sleeps_at(self->pid));
}

TEST_F(child, C101_a_tracer_can_stop_a_waiting_thread)
{
	union pfarg_msg msg;
	int status;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	ASSERT_NE(0, sleeps_at(self->pid));
	ASSERT_EQ(0, ptrace(PTRACE_ATTACH, self->pid, NULL, NULL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, __WALL));
	ASSERT_TRUE(WIFSTOPPED(status));
	ASSERT_EQ(0, child_continue(self->pid));
	/* Like a handled signal. */
	EXPECT_TRUE(comes_to(self->pid, 'R'));
	EXPECT_EQ(0, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(0, message_wait(self->fd, &msg));
}

TEST_F(child, C101_detaching_lets_the_thread_go)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	ASSERT_NE(0, sleeps_at(self->pid));
	/* Masked, the session obeys whoever may trace the thread. */
	EXPECT_EQ(0, ERRNO(pfm_detach_session(self->fd, 0)));
	EXPECT_TRUE(comes_to(self->pid, 'R'));
	EXPECT_EQ(self->attached_before, sessions_attached());
}

TEST_F(child, C101_closing_lets_the_thread_go)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	ASSERT_NE(0, sleeps_at(self->pid));
	close(self->fd);
	EXPECT_TRUE(comes_to(self->pid, 'R'));
	EXPECT_TRUE(sessions_attached_becomes(self->attached_before));
}

TEST_F(child, C101_stop_and_start_do_not_let_it_go)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, let_go(self->pid));
	block_on_track(_metadata, self->fd, &msg);
	ASSERT_NE(0, sleeps_at(self->pid));
	EXPECT_EQ(0, ERRNO(pfm_stop_session(self->fd, 0)));
	EXPECT_EQ(0, ERRNO(pfm_start_session(self->fd, 0)));
	sleep_ms(50);
	EXPECT_EQ('S', state_of(self->pid));
	EXPECT_EQ(0, ERRNO(period_restart(self->fd)));
	EXPECT_EQ(0, message_wait(self->fd, &msg));
}

TEST_F(child, C101_the_notification_blocks_and_not_the_mask)
{
	union pfarg_msg msg;
	uint64_t value;

	/* Nobody is told of this overflow. */
	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, -PERIOD));
	ASSERT_EQ(0, let_go(self->pid));
	while (ERRNO(read_pmd(self->fd, self->pmd, &value)) == ESRCH)
		;
	EXPECT_EQ(0, value);
	sleep_ms(50);
	EXPECT_EQ('R', state_of(self->pid));
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

/* Overflows in the kernel, where it cannot wait at once. */
static int read_random(void *arg)
{
	static char buffer[1 << 18];

	(void)arg;
	close_range(3, ~0U, 0);
	while (syscall(SYS_getrandom, buffer, sizeof(buffer), 0) > 0)
		;
	return 1;
}

/* A session that overflows each @period instructions of both levels. */
static int session_of_both_levels(uint64_t period)
{
	const struct pmu_counter *counter = pmu_first();
	struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
				       .reg_short_reset = -period };
	int fd = pfm_create_session(PFM_FL_NOTIFY_BLOCK);

	if (fd < 0 || pmu_program(fd, counter, counter->kernel, 0) ||
	    write_pmd_attr(fd, counter->pmd, PFM_REGFL_OVFL_NOTIFY, -period,
			   &attr))
		return -1;
	return fd;
}

FIXTURE(both_levels)
{
	int fd;
};

FIXTURE_SETUP(both_levels)
{
	char byte;

	NEEDS_INTERRUPTS();
	/* The first of all readers may spin in the kernel for a second. */
	ASSERT_EQ(1, syscall(SYS_getrandom, &byte, 1, 0));
	self->fd = session_of_both_levels(2 * PERIOD);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(both_levels)
{
	close(self->fd);
}

TEST_F_TIMEOUT(both_levels, C101_each_notification_blocks, 60)
{
	union pfarg_msg msg;
	int i;
	pid_t pid;

	pid = child_start_stopped(read_random, NULL);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, let_go(pid));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, message_wait(self->fd, &msg));
		/* Now and then before it has begun to wait. */
		if (i % 3 == 2) {
			EXPECT_TRUE(comes_to(pid, 'S'))
			{
				TH_LOG("round %d", i);
			}
			EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
			sleep_ms(2);
			EXPECT_EQ('S', state_of(pid));
		}
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	child_kill(pid);
}

#define FILES 300

/* Closes a pipe, and then a lot more, in one call, which overflows. */
static int close_pipe(void *arg)
{
	const int *ends = arg;
	int i;

	for (i = 0; i < FILES; i++)
		open("/dev/null", O_RDONLY);
	close_range(ends[1], ~0U, 0);
	return 0;
}

/* The system call at whose end a thread sleeps, or -1. */
static int call_of(pid_t pid)
{
	char path[32], text[256];
	int call = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof(text), file))
		sscanf(text, "%d", &call);
	if (file)
		fclose(file);
	return call;
}

/* What is left to be done may be what somebody waits for before he restarts. */
TEST_F_TIMEOUT(both_levels, C101_the_files_are_closed_before_it_waits, 60)
{
	struct pollfd reader = { .events = POLLIN };
	union pfarg_msg msg;
	int ends[2], i;
	pid_t pid;

	ASSERT_EQ(0, pipe(ends));
	reader.fd = ends[0];
	pid = child_start_stopped(close_pipe, ends);
	ASSERT_LT(0, pid);
	close(ends[1]);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, let_go(pid));
	/* Up to the call, and some way into it. */
	for (i = 0; i < 10000; i++) {
		ASSERT_EQ(0, message_wait(self->fd, &msg));
		ASSERT_EQ(PFM_MSG_OVFL, msg.type);
		ASSERT_TRUE(comes_to(pid, 'S'));
		if (call_of(pid) == SYS_close_range)
			break;
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	ASSERT_EQ(SYS_close_range, call_of(pid));
	EXPECT_EQ(1, poll(&reader, 1, 1000));
	EXPECT_EQ(POLLHUP, reader.revents);
	child_kill(pid);
	close(ends[0]);
}

TEST(C101_without_messages_the_thread_waits_as_well)
{
	int fd = period_session(PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_NO_MSG,
				PERIOD);
	pid_t pid = child_start_stopped(track_child, NULL);
	int i;

	ASSERT_LE(0, fd);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, pid));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, message_signal(fd, SIGIO));
	ASSERT_EQ(0, let_go(pid));
	for (i = 1; i <= 20; i++) {
		EXPECT_NE(0, sleeps_at(pid));
		EXPECT_EQ(i, message_signals_told(i));
		ASSERT_EQ(0, ERRNO(period_restart(fd)));
		while (message_signals == i)
			;
	}
	child_kill(pid);
}

TEST_HARNESS_MAIN
