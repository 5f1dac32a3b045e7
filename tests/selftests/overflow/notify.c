// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who is told of an overflow, and how: read, poll and signals. Conformance
 * cases C066, C093, C094, C096, C100, C102, C108 and C109. What the overflow
 * does to the counters is the subject of overflow.c, thread ids that are used
 * again are that of reused_ids.c.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "child.h"
#include "instruction_track.h"
#include "layout.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "overflow_fixture.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* What poll finds at once, out of all that there is. */
static int polled(int fd)
{
	struct pollfd ready = { .fd = fd,
				.events = POLLIN | POLLRDNORM | POLLPRI |
					  POLLOUT | POLLWRNORM | POLLRDHUP };

	return poll(&ready, 1, 0) < 0 ? -1 : ready.revents;
}

TEST_F(self, C066_a_new_attachment_forgets_the_messages)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(POLLIN | POLLRDNORM, polled(self->fd));
	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(0, polled(self->fd));

	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd, PFM_REGFL_OVFL_NOTIFY,
				    -PERIOD, &(struct pfarg_pmd_attr){ 0 }));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, message_take(self->fd, &msg));
}

TEST_F(self, C093_a_read_takes_one_message_and_needs_room_for_it)
{
	char two[2 * sizeof(union pfarg_msg)];

	EXPECT_EQ(EINVAL, ERRNO(read(self->fd, two, 63)));
	EXPECT_EQ(EINVAL, ERRNO(read(self->fd, two, 0)));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(EINVAL, ERRNO(read(self->fd, two, 63)));
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, two, 64)));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(0, period_restart(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(EINVAL, ERRNO(read(self->fd, two, 63)));
	EXPECT_EQ(64, read(self->fd, two, sizeof(two)));
	EXPECT_EQ(64, read(self->fd, two, sizeof(two)));
	EXPECT_EQ(EAGAIN, ERRNO(read(self->fd, two, sizeof(two))));
}

TEST_F(self, C093_readv_spreads_one_message)
{
	uint32_t type = 0;
	char rest[2 * sizeof(union pfarg_msg)];
	struct iovec pieces[] = {
		{ .iov_base = &type, .iov_len = sizeof(type) },
		{ .iov_base = rest, .iov_len = sizeof(rest) },
	};

	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(64, readv(self->fd, pieces, 2));
	EXPECT_EQ(PFM_MSG_OVFL, type);
	pieces[1].iov_len = 59;
	EXPECT_EQ(EINVAL, ERRNO(readv(self->fd, pieces, 2)));
}

TEST_F(self, C093_read_refuses_a_bad_buffer)
{
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(EFAULT, ERRNO(syscall(SYS_read, self->fd, 8, 64)));
}

static volatile int alarms;

static void on_alarm(int sig)
{
	(void)sig;
	alarms++;
}

/* One SIGALRM, in 50 ms. */
static int alarm_soon(int flags)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerspec soon = { .it_value.tv_nsec = 50000000 };
	timer_t timer;

	if (sigaction(SIGALRM, &action, NULL) ||
	    timer_create(CLOCK_MONOTONIC, NULL, &timer))
		return -1;
	return timer_settime(timer, 0, &soon, NULL);
}

TEST_F(self, C093_a_signal_ends_a_read_that_waits)
{
	union pfarg_msg msg;

	ASSERT_EQ(0, alarm_soon(0));
	EXPECT_EQ(EINTR, ERRNO(read(self->fd, &msg, sizeof(msg))));
	EXPECT_EQ(1, alarms);
}

struct reader {
	int fd;
	ssize_t n;
	int failed;
	union pfarg_msg msg;
};

static void *read_one(void *arg)
{
	struct reader *reader = arg;

	reader->failed = alarm_soon(SA_RESTART);
	reader->n = read(reader->fd, &reader->msg, sizeof(reader->msg));
	return NULL;
}

TEST_F(self, C093_a_reader_is_woken_and_may_be_restarted_by_a_signal)
{
	struct reader reader = { .fd = self->fd };
	struct timespec pause = { .tv_nsec = 1000000 };
	pthread_t thread;
	sigset_t set;
	int i;

	ASSERT_EQ(0, pthread_create(&thread, NULL, read_one, &reader));
	/* The alarm is for the reader. */
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < 1000 && !alarms; i++)
		nanosleep(&pause, NULL);
	EXPECT_EQ(1, alarms);
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, reader.failed);
	EXPECT_EQ(64, reader.n);
	EXPECT_EQ((uint32_t)gettid(), reader.msg.pfm_ovfl_msg.msg_ovfl_tid);
}

TEST_F(self, C094_poll_tells_of_messages_and_nothing_else)
{
	union pfarg_msg msg;

	EXPECT_EQ(0, polled(self->fd));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(POLLIN | POLLRDNORM, polled(self->fd));
	ASSERT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(0, polled(self->fd));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, polled(self->fd));
}

TEST_F(self, C094_messages_come_in_the_order_of_the_overflows)
{
	struct pfarg_pmd_attr attr = { 0 };
	union pfarg_msg msg;
	int i;

	for (i = 1; i <= 8; i++) {
		ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd,
					    PFM_REGFL_OVFL_NOTIFY, -100 * i,
					    &attr));
		ASSERT_EQ(0, track_run(self->fd, ROUNDS));
		ASSERT_EQ(0, period_restart(self->fd));
	}
	for (i = 1; i <= 8; i++) {
		ASSERT_EQ(0, message_take(self->fd, &msg));
		EXPECT_EQ(track_ip(ROUNDS, 100 * i + 1),
			  msg.pfm_ovfl_msg.msg_ovfl_ip);
	}
}

TEST_F(self, C096_without_messages_there_are_signals_and_restarts)
{
	union pfarg_msg msg;
	int i;

	close(self->fd);
	self->fd = period_session(PFM_FL_OVFL_NO_MSG, PERIOD);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	/* More than a queue would hold. */
	for (i = 1; i <= 20; i++) {
		ASSERT_EQ(0, track_run(self->fd, ROUNDS));
		ASSERT_EQ(i, message_signals_told(i));
		ASSERT_EQ(0, polled(self->fd));
		ASSERT_EQ(EAGAIN, message_take(self->fd, &msg));
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

TEST_F(self, no_signal_comes_to_who_has_not_asked_for_it)
{
	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, 0));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(0, message_signals);
	EXPECT_EQ(POLLIN | POLLRDNORM, polled(self->fd));
}

TEST_F(self, C108_a_32_bit_process_reads_the_same_message)
{
	char raw[64];
	unsigned int i;

	NEEDS_COMPAT();
	memset(raw, 0xa5, sizeof(raw));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	ASSERT_EQ(64, read(self->fd, raw, sizeof(raw)));
	EXPECT_EQ(PFM_MSG_OVFL, field_at(raw, 0, 4));
	EXPECT_EQ(getpid(), (pid_t)field_at(raw, 4, 4));
	EXPECT_EQ(0, field_at(raw, 8, 2));
	EXPECT_GT(cpus_online(), (int)field_at(raw, 10, 2));
	EXPECT_EQ(gettid(), (pid_t)field_at(raw, 12, 4));
	EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), field_at(raw, 16, 8));
	EXPECT_EQ(1ULL << self->pmd, field_at(raw, 24, 8));
	for (i = 1; i < PFM_PMD_BV; i++)
		EXPECT_EQ(0, field_at(raw, 24 + 8 * i, 8));
}

static siginfo_t last_info;

static void keep_info(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	message_signals++;
	last_info = *info;
}

static int signal_with_info(int fd, int sig)
{
	struct sigaction action = { .sa_sigaction = keep_info,
				    .sa_flags = SA_SIGINFO };

	return message_signal(fd, sig) || sigaction(sig, &action, NULL);
}

TEST_F(self, the_chosen_signal_tells_the_descriptor)
{
	ASSERT_EQ(0, signal_with_info(self->fd, SIGUSR1));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(1, message_signals_told(1));
	EXPECT_EQ(SIGUSR1, last_info.si_signo);
	EXPECT_EQ(POLL_IN, last_info.si_code);
	EXPECT_EQ(self->fd, last_info.si_fd);
	EXPECT_EQ(POLLIN | POLLRDNORM, last_info.si_band);
}

FIXTURE(child)
{
	int fd;
	pid_t pid;
	uint16_t pmd;
};

FIXTURE_SETUP(child)
{
	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	self->fd = period_session(0, PERIOD);
	ASSERT_LE(0, self->fd);
	self->pid = child_start_stopped(track_child, NULL);
	ASSERT_LT(0, self->pid);
	ASSERT_EQ(0, pfm_attach_session(self->fd, 0, self->pid));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
}

FIXTURE_TEARDOWN(child)
{
	child_kill(self->pid);
	close(self->fd);
}

TEST_F(child, C100_the_parent_restarts_a_running_child)
{
	union pfarg_msg msg;
	uint64_t value;
	int i;

	EXPECT_EQ(0, polled(self->fd));
	ASSERT_EQ(0, child_continue(self->pid));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, message_wait(self->fd, &msg));
		EXPECT_EQ((uint32_t)self->pid, msg.pfm_ovfl_msg.msg_ovfl_tid);
		EXPECT_EQ((uint32_t)self->pid, msg.pfm_ovfl_msg.msg_ovfl_pid);
		/* While it is masked anybody may look, and nothing counts. */
		ASSERT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
		ASSERT_EQ(0, value);
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	/* It has come to its track long ago. */
	EXPECT_LE(0, track_position(msg.pfm_ovfl_msg.msg_ovfl_ip));
}

/*
 * Its timers are due at any time. The processors of the test machine take turns
 * whenever one is, in the middle of an overflow interrupt, too.
 */
static int tick(void *arg)
{
	struct timespec while_asleep = { 0 };
	unsigned int i;

	(void)arg;
	if (pin_to_cpu(1) || prctl(PR_SET_TIMERSLACK, 1))
		return 1;
	for (i = 0;; i++) {
		while_asleep.tv_nsec = 20000 + i * 7919 % 60000;
		nanosleep(&while_asleep, NULL);
	}
}

/*
 * The reader does not sleep and looks from another processor, while the interrupt
 * that has queued the message is still at work.
 */
TEST_F(child, C100_who_has_the_message_finds_the_session_masked)
{
	union pfarg_msg msg;
	uint64_t value;
	cpu_set_t other;
	pid_t ticker;
	int i, err;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ticker = child_start(tick, NULL);
	ASSERT_LT(0, ticker);
	CPU_ZERO(&other);
	CPU_SET(1, &other);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, sched_setaffinity(self->pid, sizeof(other), &other));
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, child_continue(self->pid));
	for (i = 0; i < 200; i++) {
		do
			err = ERRNO(read(self->fd, &msg, sizeof(msg)));
		while (err == EAGAIN);
		ASSERT_EQ(0, err);
		ASSERT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd, &value)));
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	child_kill(ticker);
}

TEST_F(child, C102_overflow_messages_come_before_the_end)
{
	union pfarg_msg msg;
	int i;

	ASSERT_EQ(0, message_signal(self->fd, SIGIO));
	ASSERT_EQ(0, child_continue(self->pid));
	for (i = 1; i <= 8; i++) {
		while (message_signals < i)
			;
		ASSERT_EQ(0, ERRNO(period_restart(self->fd)));
	}
	child_kill(self->pid);
	/* The queue is full, but there is always room for the end. */
	EXPECT_EQ(9, message_signals_told(9));
	for (i = 1; i <= 8; i++) {
		ASSERT_EQ(0, message_take(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	}
	EXPECT_EQ(0, message_take(self->fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	EXPECT_EQ(EAGAIN, message_take(self->fd, &msg));
	EXPECT_EQ(EBUSY, ERRNO(period_restart(self->fd)));
}

TEST(C109_the_signal_of_the_low_level_interface_names_the_counters)
{
	const struct pmu *pmu = pmu_get();
	int fd = pfm_create_session(PFM_FL_OVFL_SIGINFO);
	uint32_t pmds = 0;
	int i;

	NEEDS_INTERRUPTS();
	ASSERT_LE(0, fd);
	for (i = pmu->counters > 1; i >= 0; i--) {
		ASSERT_EQ(0,
			  period_program(fd, &pmu->counter[i],
					 PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
		pmds |= 1U << pmu->counter[i].pmd;
	}
	ASSERT_EQ(0, signal_with_info(fd, SIGUSR1));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(1, message_signals);
	EXPECT_EQ(SIGUSR1, last_info.si_signo);
	EXPECT_EQ(SI_PMC_OVF, last_info.si_code);
	EXPECT_EQ(pmds, (uint32_t)last_info.si_pmc_ovf_mask);
	EXPECT_EQ(POLLIN | POLLRDNORM, polled(fd));
	/* The next one is about the next overflow. */
	ASSERT_EQ(0, ERRNO(period_restart(fd)));
	ASSERT_EQ(0, track_run(fd, ROUNDS));
	EXPECT_EQ(2, message_signals);
	EXPECT_EQ(pmds, (uint32_t)last_info.si_pmc_ovf_mask);
}

/* The message that a reader has waited for, in another thread. */
struct sleeper {
	pthread_t thread;
	int fd;
	ssize_t size;
	union pfarg_msg msg;
};

static void *read_a_message(void *arg)
{
	struct sleeper *sleeper = arg;

	sleeper->size = read(sleeper->fd, &sleeper->msg, sizeof(sleeper->msg));
	return NULL;
}

static void *poll_for_a_message(void *arg)
{
	struct sleeper *sleeper = arg;
	struct pollfd ready = { .fd = sleeper->fd, .events = POLLIN };

	sleeper->size = poll(&ready, 1, -1);
	return NULL;
}

/* Whether a reader that waits is woken by the end of its target, in time. */
static void expect_woken_by_end(struct __test_metadata *_metadata,
				void *(*wait)(void *), ssize_t size)
{
	struct sleeper sleeper = { .fd = pmu_session(0) };
	pid_t pid = child_start_stopped(child_spin, NULL);
	struct timespec until;

	ASSERT_LE(0, sleeper.fd);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, pfm_attach_session(sleeper.fd, 0, pid));
	ASSERT_EQ(0, pthread_create(&sleeper.thread, NULL, wait, &sleeper));
	usleep(20000);
	child_kill(pid);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 5;
	ASSERT_EQ(0, pthread_timedjoin_np(sleeper.thread, NULL, &until));
	EXPECT_EQ(size, sleeper.size);
	if (size == sizeof(sleeper.msg))
		EXPECT_EQ(PFM_MSG_END, sleeper.msg.type);
	close(sleeper.fd);
}

TEST(C102_the_end_wakes_readers)
{
	NEEDS_COUNTERS();
	expect_woken_by_end(_metadata, read_a_message, sizeof(union pfarg_msg));
}

TEST(C102_the_end_wakes_pollers)
{
	NEEDS_COUNTERS();
	expect_woken_by_end(_metadata, poll_for_a_message, 1);
}

TEST_F(self, C094_a_read_that_must_not_wait_does_not)
{
	union pfarg_msg msg;
	struct iovec iov = { .iov_base = &msg, .iov_len = sizeof(msg) };

	EXPECT_EQ(EAGAIN, ERRNO(preadv2(self->fd, &iov, 1, -1, RWF_NOWAIT)));
	ASSERT_EQ(0, track_run(self->fd, ROUNDS));
	EXPECT_EQ(sizeof(msg), preadv2(self->fd, &iov, 1, -1, RWF_NOWAIT));
	EXPECT_EQ(EAGAIN, ERRNO(preadv2(self->fd, &iov, 1, -1, RWF_NOWAIT)));
}

TEST_HARNESS_MAIN
