// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching to a process whose threads make others, which inherit: a real process, and
 * the functions of libpfm below in place of a kernel. When the first session is
 * attached the process makes a thread, which has inherited it, and is found later.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "command/start.h"
#include "diag.h"
#include "engine/clocks.h"
#include "engine/measure.h"
#include "message.h"

#define THREADS 3
#define SESSIONS 8

/* Of each session: what it counts, for how long, and whom it misses. */
#define COUNT 1000
#define TIME_NS 5000000
#define LOST 2

struct session {
	int fd, flags;
	pid_t target;
	bool started, stopped;
	unsigned int parts, left;
};

static struct {
	struct session sessions[SESSIONS];
	int count, attached;
	bool births; /* the process makes a thread at the first attach */
	pid_t born;
	pid_t taken; /* this thread has a session */
	bool all_taken; /* all have */
	bool late; /* a session was attached after one had been started */
	bool lossy;
} kernel;

/* An order, and how much CPU time it takes until it is done. */
#define BURN 'b'
#define BURN_NS (200 * NS_PER_MS)

/* The process, which makes a thread for each other byte and tells its id. */
static struct {
	pid_t pid;
	int orders, ids;
} process;

static void *tell_and_wait(void *arg)
{
	pid_t tid = gettid();

	if (write(*(int *)arg, &tid, sizeof(tid)) == sizeof(tid))
		pause();
	return NULL;
}

/* Uses up CPU time, and says so. */
static void burn(int ids)
{
	const pid_t done = 0;

	while ((uint64_t)clock() * 1000 < BURN_NS)
		;
	if (write(ids, &done, sizeof(done)) != sizeof(done))
		_exit(1);
}

static void make_threads(int orders, int ids)
{
	pthread_t thread;
	char order;

	while (read(orders, &order, 1) == 1) {
		if (order == BURN)
			burn(ids);
		else if (pthread_create(&thread, NULL, tell_and_wait, &ids))
			break;
	}
	_exit(0);
}

static pid_t make_thread(void)
{
	pid_t tid = 0;

	assert_int_equal(write(process.orders, "", 1), 1);
	assert_int_equal(read(process.ids, &tid, sizeof(tid)), sizeof(tid));
	return tid;
}

static int start_process(void **state)
{
	int orders[2], ids[2];

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	if (pipe(orders) || pipe(ids))
		return -1;
	process.pid = fork();
	if (!process.pid) {
		close(orders[1]);
		make_threads(orders[0], ids[1]);
	}
	close(orders[0]);
	close(ids[1]);
	process.orders = orders[1];
	process.ids = ids[0];
	for (int i = 1; i < THREADS; i++)
		make_thread();
	return process.pid < 0 ? -1 : 0;
}

static int end_process(void **state)
{
	(void)state;
	close(process.orders);
	close(process.ids);
	return waitpid(process.pid, NULL, 0) == process.pid ? 0 : -1;
}

/*
 * libpfm.
 */

static struct session *find(int fd)
{
	for (int i = kernel.count - 1; i >= 0; i--)
		if (kernel.sessions[i].fd == fd)
			return &kernel.sessions[i];
	return NULL;
}

int pfm_create_session(int flags, ...)
{
	struct session *session = &kernel.sessions[kernel.count++];

	assert_in_range(kernel.count, 1, SESSIONS);
	/* Nobody writes it: no thread ends. */
	session->fd = eventfd(0, EFD_CLOEXEC);
	session->flags = flags;
	return session->fd;
}

/* A thread that has inherited a session leaves it for its own. */
static void make_room(pid_t target)
{
	if (target == kernel.born)
		kernel.sessions[0].left++;
}

int pfm_attach_session(int fd, int flags, int target)
{
	struct session *session = find(fd);

	assert_int_equal(flags, PFM_ATFL_RUNNING);
	if (target == kernel.taken || kernel.all_taken) {
		errno = EEXIST;
		return -1;
	}
	for (int i = 0; i < kernel.count; i++)
		kernel.late |= kernel.sessions[i].started;
	make_room(target);
	session->target = target;
	if (!kernel.attached++ && kernel.births) {
		kernel.born = make_thread();
		session->parts++;
	}
	return 0;
}

int pfm_detach_session(int fd, int flags)
{
	(void)fd;
	(void)flags;
	return 0;
}

int pfm_start_session(int fd, int flags)
{
	assert_int_equal(flags, PFM_STFL_RUNNING);
	find(fd)->started = true;
	return 0;
}

int pfm_stop_session(int fd, int flags)
{
	assert_int_equal(flags, PFM_STFL_RUNNING);
	find(fd)->stopped = true;
	return 0;
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	(void)fd;
	(void)flags;
	(void)pmrs;
	(void)n;
	return 0;
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	(void)fd;
	(void)flags;
	(void)sets;
	(void)n;
	return 0;
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	assert_int_equal(flags,
			 PFM_RWFL_PMD | PFM_RWFL_RUNNING | PFM_RWFL_FAMILY);
	assert_int_equal(n, 1);
	pmrs->reg_value = find(fd)->started ? COUNT : 0;
	return 0;
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *sets, int n)
{
	const struct session *session = find(fd);

	assert_int_equal(n, 1);
	sets->set_act_duration = session->started ? TIME_NS : 0;
	if (!(flags & PFM_GIFL_FAMILY))
		return 0;
	sets->set_reserved3[PFM_LOSS_PARTS] = session->parts;
	sets->set_reserved3[PFM_LOSS_LEFT] = session->left;
	sets->set_reserved3[PFM_LOSS_LOST] =
		session->started && kernel.lossy ? LOST : 0;
	return 0;
}

/* There is no command. */
int start_reach(pid_t pid, const char *name, const char *place,
		const struct signals *signals)
{
	(void)pid;
	(void)name;
	(void)place;
	(void)signals;
	return -1;
}

/*
 * A measurement of the process by inherited sessions.
 */

static struct measurement measured;
static struct request request;
static char pid_text[16];
static uint64_t seen[8], clocks[8];
static unsigned int intervals;
static int interval_us, interval_end; /* of the telling */

static int take_interval(struct measurement *m, void *arg)
{
	(void)arg;
	if (intervals < 8) {
		seen[intervals] = m->tally.total.counted.counts[0];
		clocks[intervals] = m->outcome.clock_ns;
	}
	intervals++;
	usleep((useconds_t)interval_us);
	return interval_end;
}

static int measure(void)
{
	struct measurement *m = &measured;
	int ret;

	snprintf(pid_text, sizeof(pid_text), "%d", process.pid);
	request.verb = "stat";
	request.processes = pid_text;
	request.follow = (struct follow_rules){ .forks = true,
						.vforks = true,
						.threads = true };
	*m = (struct measurement){ .request = &request,
				   .remote = true,
				   .means = FOLLOW_KERNEL,
				   .interval = take_interval,
				   .spare = eventfd(0, EFD_CLOEXEC) };
	m->sets.count = 1;
	m->sets.list[0].plan.event_count = m->sets.list[0].plan.pmd_count = 1;
	intervals = 0;
	assert_int_equal(attach_parse(&m->attached, &request), 0);
	tally_reset(&m->tally, GROUP_ALL, false);
	signals_take(&m->signals);
	ret = measure_tasks(m);
	signals_restore(&m->signals);
	tally_free(&m->tally);
	return ret;
}

static void all_threads_have_inherited_sessions_before_one_counts(void **state)
{
	(void)state;
	request = (struct request){ .timeout_ns = 20 * NS_PER_MS };
	assert_int_equal(measure(), 0);
	assert_int_equal(kernel.count, THREADS);
	assert_false(kernel.late);
	for (int i = 0; i < THREADS; i++) {
		assert_true(kernel.sessions[i].flags & PFM_FL_INHERIT);
		assert_false(kernel.sessions[i].flags & PFM_FL_INHERIT_THREAD);
		assert_true(kernel.sessions[i].started);
		assert_true(kernel.sessions[i].stopped);
	}
	assert_int_equal(measured.tally.total.counted.counts[0],
			 THREADS * COUNT);
	assert_int_equal(measured.tally.coverage.counted_ns, THREADS * TIME_NS);
	assert_int_equal(measured.tally.coverage.threads, THREADS);
	assert_true(coverage_is_exact(&measured.tally.coverage));
}

static void a_thread_that_is_made_meanwhile_is_counted_once(void **state)
{
	(void)state;
	kernel.births = true;
	request = (struct request){ .timeout_ns = 20 * NS_PER_MS };
	assert_int_equal(measure(), 0);
	assert_int_equal(kernel.count, THREADS + 1);
	assert_int_equal(kernel.sessions[THREADS].target, kernel.born);
	assert_false(kernel.late);
	assert_int_equal(measured.tally.total.counted.counts[0],
			 (THREADS + 1) * COUNT);
	/* It did not get lost: that it left another session was our doing. */
	assert_int_equal(measured.tally.coverage.departed, 0);
	assert_int_equal(measured.tally.coverage.threads, THREADS + 1);
	assert_true(coverage_is_exact(&measured.tally.coverage));
}

static void what_the_kernel_missed_adds_up(void **state)
{
	(void)state;
	kernel.lossy = true;
	request = (struct request){ .timeout_ns = 20 * NS_PER_MS };
	assert_int_equal(measure(), 0);
	assert_int_equal(measured.tally.coverage.lost, THREADS * LOST);
}

static void intervals_are_of_all_sessions(void **state)
{
	(void)state;
	request = (struct request){ .interval_ns = 5 * NS_PER_MS,
				    .interval_count = 2 };
	assert_int_equal(measure(), 0);
	assert_int_equal(intervals, 2);
	assert_int_equal(seen[0], THREADS * COUNT);
	/* Of the next one what came since. */
	assert_int_equal(seen[1], 0);
	assert_int_equal(clocks[0], THREADS * TIME_NS);
	assert_int_equal(clocks[1], 0);
}

static void intervals_that_were_missed_are_told(void **state)
{
	(void)state;
	interval_us = 30000;
	request = (struct request){ .interval_ns = 5 * NS_PER_MS,
				    .timeout_ns = 10 * NS_PER_MS };
	message_catch();
	assert_int_equal(measure(), 0);
	message_expect("intervals were missed", NULL);
	interval_us = 0;
}

static void intervals_that_cannot_be_told_are_a_failure(void **state)
{
	(void)state;
	interval_end = -1;
	request = (struct request){ .interval_ns = 5 * NS_PER_MS };
	message_catch();
	assert_int_not_equal(measure(), 0);
	message_expect_none();
	interval_end = 0;
}

static void after_a_delay_they_start_together(void **state)
{
	(void)state;
	request = (struct request){ .delay_ns = 5 * NS_PER_MS,
				    .timeout_ns = 10 * NS_PER_MS };
	assert_int_equal(measure(), 0);
	assert_int_equal(measured.tally.total.counted.counts[0],
			 THREADS * COUNT);
}

/* The process has run for long, and waits while it is counted. */
static void time_before_the_attach_is_not_counted(void **state)
{
	const char order = BURN;
	pid_t done;

	(void)state;
	assert_int_equal(write(process.orders, &order, 1), 1);
	assert_int_equal(read(process.ids, &done, sizeof(done)), sizeof(done));
	request = (struct request){ .timeout_ns = 20 * NS_PER_MS };
	assert_int_equal(measure(), 0);
	assert_true(measured.outcome.cpu_ns < BURN_NS / 2);
}

static void who_measures_himself_is_told(void **state)
{
	(void)state;
	kernel.taken = process.pid;
	request = (struct request){ .timeout_ns = 20 * NS_PER_MS };
	message_catch();
	assert_int_equal(measure(), 0);
	message_expect("measures itself already", NULL);
	assert_int_equal(measured.tally.coverage.lost, 1);
	assert_int_equal(measured.tally.total.counted.counts[0],
			 (THREADS - 1) * COUNT);
}

static void who_is_not_counted_is_not_waited_for(void **state)
{
	(void)state;
	kernel.all_taken = true;
	request = (struct request){ .timeout_ns = 10 * NS_PER_S };
	diag_quiet(true);
	assert_int_not_equal(measure(), 0);
	diag_quiet(false);
	assert_true(measured.outcome.elapsed_ns < 5 * NS_PER_S);
}

/* It ends before the process does, and long before the timeout. */
static void a_command_beside_is_the_end_and_is_not_counted(void **state)
{
	static char *sleeps[] = { "sh", "-c", "sleep 0.1; exit 3", NULL };
	uint64_t began = clocks_now();

	(void)state;
	request = (struct request){ .until = sleeps,
				    .timeout_ns = 60 * NS_PER_S };
	assert_int_equal(measure(), 0);
	assert_in_range(clocks_now() - began, NS_PER_S / 10, 30 * NS_PER_S);
	assert_int_equal(kernel.count, THREADS);
	assert_int_equal(measured.tally.coverage.threads, THREADS);
	assert_int_equal(measured.tally.total.counted.counts[0],
			 THREADS * COUNT);
	assert_int_equal(WEXITSTATUS(measured.outcome.wait_status), 3);
	/* Its times would be taken for those of the process. */
	assert_int_equal(measured.outcome.user_ns, 0);
	assert_int_equal(measured.outcome.sys_ns, 0);
	assert_int_equal(measured.outcome.faults, 0);
	assert_int_equal(measured.outcome.outlived, 0);
}

static void a_command_that_cannot_run_lets_nothing_be_counted(void **state)
{
	static char *none[] = { "/nonexistent/command", NULL };

	(void)state;
	request = (struct request){ .until = none };
	message_catch();
	assert_int_equal(measure(), STATUS_NOT_FOUND);
	message_expect("/nonexistent/command", NULL);
	assert_int_equal(kernel.attached, 0);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, start_process, end_process)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_threads_have_inherited_sessions_before_one_counts),
		TEST(a_thread_that_is_made_meanwhile_is_counted_once),
		TEST(what_the_kernel_missed_adds_up),
		TEST(intervals_are_of_all_sessions),
		TEST(intervals_that_were_missed_are_told),
		TEST(intervals_that_cannot_be_told_are_a_failure),
		TEST(after_a_delay_they_start_together),
		TEST(time_before_the_attach_is_not_counted),
		TEST(who_measures_himself_is_told),
		TEST(who_is_not_counted_is_not_waited_for),
		TEST(a_command_beside_is_the_end_and_is_not_counted),
		TEST(a_command_that_cannot_run_lets_nothing_be_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
