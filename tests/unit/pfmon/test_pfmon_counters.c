// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session of a thread that has ended counts for the next one: only what came
 * since is that one's. The functions of libpfm are those below, over counters that
 * go on where they were, as the kernel's do.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/counters.h"
#include "message.h"

#define SESSIONS 128
#define REFUSED 666 /* a thread that no session can be attached to */

static struct {
	struct {
		int fd;
		pid_t target;
		uint64_t count, ns;
		bool started;
	} sessions[SESSIONS];
	int made, written, refusals;
	bool unreadable;
} kernel;

static struct event_sets sets;
static struct tally tally;
static struct counters counters;

static int find(int fd)
{
	int i = kernel.made - 1;

	while (i >= 0 && kernel.sessions[i].fd != fd)
		i--;
	assert_true(i >= 0);
	return i;
}

int pfm_create_session(int flags, ...)
{
	assert_int_equal(flags, PFM_FL_CLOEXEC);
	assert_in_range(kernel.made, 0, SESSIONS - 1);
	kernel.sessions[kernel.made].fd = eventfd(0, EFD_CLOEXEC);
	return kernel.sessions[kernel.made++].fd;
}

int pfm_attach_session(int fd, int flags, int target)
{
	assert_int_equal(flags, 0);
	if (target == REFUSED) {
		kernel.refusals++;
		errno = EPERM;
		return -1;
	}
	kernel.sessions[find(fd)].target = target;
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
	assert_int_equal(flags, 0);
	kernel.sessions[find(fd)].started = true;
	return 0;
}

int pfm_stop_session(int fd, int flags)
{
	(void)flags;
	kernel.sessions[find(fd)].started = false;
	return 0;
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	(void)fd;
	(void)flags;
	(void)pmrs;
	(void)n;
	kernel.written++;
	return 0;
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *descs, int n)
{
	(void)fd;
	(void)flags;
	(void)descs;
	(void)n;
	return 0;
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	assert_int_equal(flags & ~PFM_RWFL_RUNNING, PFM_RWFL_PMD);
	assert_int_equal(n, 1);
	if (kernel.unreadable) {
		errno = EINVAL;
		return -1;
	}
	pmrs->reg_value = kernel.sessions[find(fd)].count;
	return 0;
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	(void)flags;
	(void)n;
	infos->set_act_duration = kernel.sessions[find(fd)].ns;
	return 0;
}

static int prepare(void **state)
{
	(void)state;
	kernel = (typeof(kernel)){ .made = 0 };
	sets = (struct event_sets){ .count = 1, .event_count = 1 };
	sets.list[0].plan.event_count = 1;
	sets.list[0].plan.pmd_count = sets.list[0].plan.pmc_count = 1;
	sets.list[0].reference = -1;
	tally_reset(&tally, GROUP_ALL, false);
	counters = (struct counters){ .sets = &sets,
				      .tally = &tally,
				      .spare = -1 };
	return 0;
}

static int finish(void **state)
{
	(void)state;
	counters_close(&counters);
	tally_free(&tally);
	for (int i = 0; i < kernel.made; i++)
		if (!close(kernel.sessions[i].fd))
			return -1;
	return 0;
}

static struct task begun(pid_t tid)
{
	struct task task = { .tid = tid, .session = -1 };

	counters_ops.begin(&task, &counters);
	return task;
}

static void count(const struct task *task, uint64_t events, uint64_t ns)
{
	kernel.sessions[find(task->session)].count += events;
	kernel.sessions[find(task->session)].ns += ns;
}

static void ended(struct task *task)
{
	task->dead = true;
	counters_ops.end(task, &counters);
}

static void one_session_counts_for_one_after_the_other(void **state)
{
	const struct turns_counts *total = &tally.total.counted;

	(void)state;
	for (pid_t tid = 1; tid <= 5; tid++) {
		struct task task = begun(tid);

		assert_int_equal(kernel.made, 1);
		assert_int_equal(kernel.sessions[0].target, tid);
		assert_true(kernel.sessions[0].started);
		count(&task, 100, 7);
		ended(&task);
		assert_int_equal(total->counts[0], tid * 100);
		assert_int_equal(total->counted_ns, tid * 7);
	}
	assert_int_equal(counters.counted, 5);
	/* One PMC and one PMD, once. */
	assert_int_equal(kernel.written, 2);
}

static void two_at_once_have_two(void **state)
{
	struct task one, other;

	(void)state;
	one = begun(1);
	ended(&one);
	one = begun(2);
	other = begun(3);
	assert_int_equal(kernel.made, 2);
	count(&one, 10, 1);
	count(&other, 20, 2);
	ended(&one);
	ended(&other);
	assert_int_equal(tally.total.counted.counts[0], 30);
}

static void intervals_tell_what_is_the_new_threads(void **state)
{
	struct tasks tasks = { .count = 1 };
	struct task task = begun(1);

	(void)state;
	count(&task, 1000, 1);
	ended(&task);
	task = begun(2);
	tasks.list = &task;
	tally_reset(&tally, GROUP_ALL, false);
	count(&task, 5, 1);
	assert_int_equal(counters_tell(&counters, &tasks), 0);
	assert_int_equal(tally.total.counted.counts[0], 5);
	count(&task, 6, 1);
	ended(&task);
	assert_int_equal(tally.total.counted.counts[0], 11);
}

static void one_that_lives_on_keeps_its_session(void **state)
{
	struct task task = begun(1);

	(void)state;
	counters_ops.end(&task, &counters);
	task = begun(2);
	assert_int_equal(kernel.made, 2);
	ended(&task);
}

static void what_cannot_be_read_is_not_used_again(void **state)
{
	struct task task = begun(1);

	(void)state;
	kernel.unreadable = true;
	message_catch();
	ended(&task);
	message_expect("cannot read the counters", NULL);
	assert_true(counters.failed);
	kernel.unreadable = false;
	task = begun(2);
	assert_int_equal(kernel.made, 2);
	ended(&task);
}

static void who_refuses_it_is_asked_with_a_new_one(void **state)
{
	struct task task = begun(1);

	(void)state;
	ended(&task);
	message_catch();
	task = begun(REFUSED);
	message_expect("thread 666: not counted", NULL);
	assert_int_equal(task.session, -1);
	assert_int_equal(kernel.refusals, 2);
	assert_int_equal(counters.lost, 1);
}

static void sets_in_turn_begin_anew(void **state)
{
	struct task task;

	(void)state;
	sets.count = 2;
	task = begun(1);
	ended(&task);
	task = begun(2);
	assert_int_equal(kernel.made, 2);
	ended(&task);
}

static void so_many_are_kept_as_may_be_needed(void **state)
{
	struct task tasks[SPARES_MAX + 2];

	(void)state;
	for (int i = 0; i < SPARES_MAX + 2; i++)
		tasks[i] = begun(i + 1);
	for (int i = 0; i < SPARES_MAX + 2; i++)
		ended(&tasks[i]);
	assert_int_equal(counters.spares.count, SPARES_MAX);
}

/* A new session, one of a thread that has ended, and one that was opened before. */
static void sessions_are_started_unless_they_are_idle(void **state)
{
	(void)state;
	for (int idle = 0; idle <= 1; idle++) {
		struct task tasks[3];

		prepare(NULL);
		counters.idle = idle;
		counters.failed = counters.outlived = !idle;
		tasks[0] = begun(1);
		ended(&tasks[0]);
		tasks[1] = begun(2);
		assert_int_equal(tasks[1].session, tasks[0].session);
		assert_int_equal(kernel.sessions[0].started, !idle);
		counters.spare = pfm_create_session(PFM_FL_CLOEXEC);
		tasks[2] = begun(3);
		assert_int_equal(counters.spare, -1);
		assert_int_equal(kernel.sessions[1].target, 3);
		assert_int_equal(kernel.sessions[1].started, !idle);
		tasks[0] = begun(4);
		assert_int_equal(kernel.made, 3);
		assert_int_equal(kernel.sessions[2].started, !idle);
		ended(&tasks[0]);
		ended(&tasks[1]);
		ended(&tasks[2]);
		if (!idle)
			finish(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, finish)
		TEST(one_session_counts_for_one_after_the_other),
		TEST(two_at_once_have_two),
		TEST(intervals_tell_what_is_the_new_threads),
		TEST(one_that_lives_on_keeps_its_session),
		TEST(what_cannot_be_read_is_not_used_again),
		TEST(who_refuses_it_is_asked_with_a_new_one),
		TEST(sets_in_turn_begin_anew),
		TEST(so_many_are_kept_as_may_be_needed),
		TEST(sessions_are_started_unless_they_are_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
