// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon asks of the kernel and how it explains a refusal. The functions
 * of libpfm that it calls are the fakes below.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "message.h"
#include "engine/obstacles.h"
#include "engine/session.h"
#include "engine/turns.h"

#define FD 42

static struct {
	int fail_at; /* number of the call that fails, 0: none */
	int error;
	int calls;
	uint64_t runs[2], values[2]; /* of the sets, if there are several */
	char log[1024]; /* what was called, one line each */
} kernel;

static int answer(const char *format, ...)
{
	size_t used = strlen(kernel.log);
	va_list args;

	va_start(args, format);
	vsnprintf(kernel.log + used, sizeof(kernel.log) - used, format, args);
	va_end(args);
	if (++kernel.calls != kernel.fail_at)
		return 0;
	errno = kernel.error;
	return -1;
}

static int answer_pmrs(const char *call, int flags,
		       const struct pfarg_pmr *pmrs, int n)
{
	char text[256] = "";

	for (int i = 0; i < n; i++) {
		size_t used = strlen(text);

		if (pmrs[i].reg_set)
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used, " set%u",
						 pmrs[i].reg_set);
		snprintf(text + used, sizeof(text) - used, " %u=%llx",
			 pmrs[i].reg_num,
			 (unsigned long long)pmrs[i].reg_value);
	}
	return answer("%s %s%s%s%s%s\n", call,
		      flags == PFM_RWFL_PMC ? "pmc" : "pmd",
		      flags & PFM_RWFL_PMD_ATTR ? " attr" : "",
		      flags & PFM_RWFL_RUNNING ? " running" : "",
		      flags & PFM_RWFL_FAMILY ? " family" : "", text);
}

int pfm_create_session(int flags, ...)
{
	if (answer("create %#x\n", flags))
		return -1;
	return open("/dev/null",
		    flags & PFM_FL_CLOEXEC ? O_RDONLY | O_CLOEXEC : O_RDONLY);
}

int pfm_create_sets(int fd, int flags, pfarg_setdesc_t *sets, int n)
{
	assert_int_equal(fd, FD);
	assert_int_equal(flags, 0);
	assert_int_equal(n, 1);
	return answer("set %u %s %llu\n", sets->set_id,
		      sets->set_flags == PFM_SETFL_OVFL_SWITCH ? "events" :
								 "time",
		      (unsigned long long)sets->set_timeout);
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	for (int i = 0; i < n; i++) {
		assert_int_equal(infos[i].set_reserved1, 0);
		infos[i].set_act_duration = 5000 + infos[i].set_id;
		infos[i].set_runs = kernel.runs[infos[i].set_id];
	}
	infos->set_reserved3[PFM_LOSS_BLIND_NS] = 20;
	infos->set_reserved3[PFM_LOSS_THROTTLED_NS] = 30;
	infos->set_reserved3[PFM_LOSS_LOST] = 2;
	infos->set_reserved3[PFM_LOSS_PARTS] = 7;
	infos->set_reserved3[PFM_LOSS_LEFT] = 3;
	return answer("getinfo %d %d %d\n", fd, flags, n);
}

int pfm_write_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	assert_int_equal(fd, FD);
	return answer_pmrs("write", flags, pmrs, n);
}

int pfm_read_pmrs(int fd, int flags, pfarg_pmr_t *pmrs, int n, ...)
{
	assert_int_equal(fd, FD);
	if (answer_pmrs("read", flags, pmrs, n))
		return -1;
	for (int i = 0; i < n; i++)
		pmrs[i].reg_value = kernel.runs[0] ?
					    kernel.values[pmrs[i].reg_set] :
					    1000u + pmrs[i].reg_num;
	return 0;
}

int pfm_attach_session(int fd, int flags, int target)
{
	return answer("attach %d %d %d\n", fd, flags, target);
}

int pfm_start_session(int fd, int flags)
{
	return answer("start %d %d\n", fd, flags);
}

int pfm_stop_session(int fd, int flags)
{
	return answer("stop %d %d\n", fd, flags);
}

int pfm_detach_session(int fd, int flags)
{
	return answer("detach %d %d\n", fd, flags);
}

static struct event events[] = {
	{ .name = (char *)"first", .selector = 0x5100c0 },
	{ .name = (char *)"second", .selector = 0x520076 },
};

static const struct event_list list = { .events = events, .count = 2 };

#define PLAN                                                         \
	{                                                            \
		.event_count = 2, .pmd_count = 2,                    \
		.pmds = { { .reg_num = 3 }, { .reg_num = 1 } },      \
		.pmc_count = 2,                                      \
		.pmcs = { { .reg_num = 1, .reg_value = 0x520076 },   \
			  { .reg_num = 3, .reg_value = 0x5100c0 } }, \
		.pmc_event = { 1, 0 },                               \
	}

static const struct event_sets sets = {
	.count = 1,
	.event_count = 2,
	.list = { { .plan = PLAN, .events = { 0, 1 }, .reference = -1 } },
};

/* One event each, beside the reference. */
static const struct event_sets turns = {
	.count = 2,
	.event_count = 2,
	.list = { { .plan = PLAN, .events = { 0, -1 }, .reference = 1 },
		  { .plan = PLAN, .events = { 1, -1 }, .reference = 1 } },
	.reference = &events[0],
	.switch_events = 0x1000,
};

static void fail_call(int number, int error)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.fail_at = number;
	kernel.error = error;
}

static int setup(void **state)
{
	(void)state;
	fail_call(0, 0);
	return 0;
}

static void the_session_is_not_inherited(void **state)
{
	int fd = session_create("/nowhere", false);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_string_equal(kernel.log, "create 0x2000\n");
	close(fd);
}

static void an_older_kernel_does_for_a_session(void **state)
{
	int fd;

	(void)state;
	fail_call(1, EINVAL);
	fd = session_create("/nowhere", false);
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_string_equal(kernel.log, "create 0x2000\ncreate 0\n");
	close(fd);
}

/* Found by a test of its own. */
void obstacles_here(struct obstacles *found, const char *sysfs,
		    bool system_wide, int error)
{
	found->count = 1;
	snprintf(found->line[0], sizeof(found->line[0]), "%s %s: %s", sysfs,
		 system_wide ? "CPUs" : "thread", strerror(error));
}

static void why_no_session_is_explained(void **state)
{
	(void)state;
	fail_call(1, EBUSY);
	message_catch();
	assert_int_equal(session_create("/nowhere", false), -1);
	message_expect("/nowhere thread: Device or resource busy", NULL);
}

static void info_is_asked_of_set_0(void **state)
{
	struct pfarg_setinfo info;

	(void)state;
	memset(&info, 0xff, sizeof(info));
	assert_int_equal(session_info(FD, &info), 0);
	assert_string_equal(kernel.log, "getinfo 42 0 1\n");
}

static void controls_are_written_one_by_one(void **state)
{
	(void)state;
	assert_int_equal(turns_program(FD, &sets, 0, &list), 0);
	assert_string_equal(kernel.log, "write pmc 1=520076\n"
					"write pmc 3=5100c0\n"
					"write pmd 3=0 1=0\n");
}

/* A counter that is merged into an event's has no count. */
static void merged_counters_are_set_and_not_read(void **state)
{
	struct event_sets merging = sets;
	struct plan *plan = &merging.list[0].plan;
	struct turns_counts counted;

	(void)state;
	plan->pmds[plan->pmd_count++].reg_num = 4;
	assert_int_equal(turns_program(FD, &merging, 0, &list), 0);
	assert_non_null(strstr(kernel.log, "write pmd 3=0 1=0 4=0\n"));
	memset(&kernel, 0, sizeof(kernel));
	assert_int_equal(turns_read(FD, &merging, 0, false, &counted), 0);
	assert_null(strstr(kernel.log, "4="));
	assert_int_equal(counted.counts[1], 1001);
}

static void a_refused_event_is_named(void **state)
{
	(void)state;
	fail_call(1, EPERM);
	message_catch();
	assert_int_equal(turns_program(FD, &sets, 0, &list), -1);
	message_expect("event second: ", "kernel level", "CAP_PERFMON", NULL);
	assert_string_equal(kernel.log, "write pmc 1=520076\n");

	fail_call(1, EACCES);
	message_catch();
	assert_int_equal(turns_program(FD, &sets, 0, &list), -1);
	message_expect("event second: ", "security module", NULL);

	fail_call(2, EINVAL);
	message_catch();
	assert_int_equal(turns_program(FD, &sets, 0, &list), -1);
	message_expect("event first: ", "0x5100c0 in pmc3", NULL);

	fail_call(3, ENOMEM);
	message_catch();
	assert_int_equal(turns_program(FD, &sets, 0, &list), -1);
	message_expect("cannot set the counters", NULL);
}

static void refused_attachments_are_explained(void **state)
{
	(void)state;
	assert_int_equal(session_attach(FD, 77), 0);
	assert_string_equal(kernel.log, "attach 42 0 77\n");

	fail_call(1, EBUSY);
	message_catch();
	assert_int_equal(session_attach(FD, 77), -1);
	message_expect("system-wide session", NULL);
	assert_string_equal(kernel.log, "attach 42 0 77\n");

	fail_call(1, EINVAL);
	message_catch();
	assert_int_equal(session_start(FD), -1);
	message_expect("cannot start", NULL);
}

static void counts_come_in_the_order_of_the_events(void **state)
{
	struct turns_counts counted;

	(void)state;
	assert_int_equal(turns_read(FD, &sets, 0, false, &counted), 0);
	assert_string_equal(kernel.log, "getinfo 42 1 1\nread pmd 3=0 1=0\n");
	assert_int_equal(counted.counts[0], 1003);
	assert_int_equal(counted.counts[1], 1001);

	fail_call(2, EINVAL);
	message_catch();
	assert_int_equal(turns_read(FD, &sets, 0, false, &counted), -1);
	message_expect("after the run: cannot read the counters", NULL);
}

static void a_thread_that_runs_is_asked_as_such(void **state)
{
	struct turns_counts counted;

	(void)state;
	assert_true(session_reaches_running(FD));
	assert_string_equal(kernel.log, "detach 42 2\n");
	fail_call(1, EINVAL);
	assert_false(session_reaches_running(FD));
	fail_call(0, 0);
	assert_int_equal(session_stop(FD, true), 0);
	assert_int_equal(turns_read(FD, &sets, 0, true, &counted), 0);
	assert_string_equal(kernel.log, "stop 42 4\ngetinfo 42 1 1\n"
					"read pmd running 3=0 1=0\n");
}

/* Its counter of the reference begins where it ends the turn. */
static void sets_that_take_turns_are_made(void **state)
{
	(void)state;
	assert_int_equal(turns_program(FD, &turns, 0, &list), 0);
	assert_string_equal(kernel.log,
			    "set 0 events 0\n"
			    "write pmc 1=520076\nwrite pmc 3=5100c0\n"
			    "write pmd 3=0 1=0\n"
			    "write pmd attr 1=fffffffffffff000\n"
			    "set 1 events 0\n"
			    "write pmc set1 1=520076\n"
			    "write pmc set1 3=5100c0\n"
			    "write pmd set1 3=0 set1 1=0\n"
			    "write pmd attr set1 1=fffffffffffff000\n");
	/* Some processors cannot interrupt. */
	fail_call(5, EINVAL);
	message_catch();
	assert_int_equal(turns_program(FD, &turns, 0, &list), -1);
	message_expect("cannot end turns by events", "--switch-timeout", NULL);
	/* The next session begins with the other. */
	fail_call(0, 0);
	assert_int_equal(turns_program(FD, &turns, 1, &list), 0);
	assert_memory_equal(kernel.log, "set 1 events", 12);
}

static void turns_tell_the_events_of_the_reference(void **state)
{
	struct turns_counts counted;

	(void)state;
	/* Five turns are over and one has begun; the other waits. */
	kernel.runs[0] = 6;
	kernel.runs[1] = 5;
	kernel.values[0] = (uint64_t)-0x1000 + 12;
	kernel.values[1] = 3;
	assert_int_equal(turns_read(FD, &turns, 0, false, &counted), 0);
	assert_int_equal(counted.reference[0], 5 * 0x1000 + 12);
	assert_int_equal(counted.reference[1], 5 * 0x1000 + 3);
	assert_int_equal(counted.active_ns[1], 5001);
	assert_int_equal(counted.counted_ns, 10001);
	/* Of a session whose turns began with the second set. */
	kernel.log[0] = '\0';
	assert_int_equal(turns_read(FD, &turns, 1, false, &counted), 0);
	assert_int_equal(counted.reference[1], 5 * 0x1000 + 12);
	/* A set without a turn has seen nothing. */
	kernel.log[0] = '\0';
	kernel.runs[1] = 0;
	kernel.values[1] = (uint64_t)-0x1000;
	assert_int_equal(turns_read(FD, &turns, 0, false, &counted), 0);
	assert_int_equal(counted.reference[1], 0);
}

static void a_session_of_a_cpu_is_system_wide(void **state)
{
	int fd = session_create("/nowhere", true);

	(void)state;
	assert_true(fd >= 0);
	assert_string_equal(kernel.log, "create 0x2002\n");
	close(fd);
	fail_call(1, EPERM);
	message_catch();
	assert_int_equal(session_create("/nowhere", true), -1);
	message_expect("/nowhere CPUs: Operation not permitted", NULL);
}

static void times_are_asked_with_the_losses(void **state)
{
	struct turns_counts counted;

	(void)state;
	assert_int_equal(turns_read(FD, &sets, 0, false, &counted), 0);
	assert_int_equal(counted.counted_ns, 5000);
	assert_int_equal(counted.blind_ns, 20);
	assert_int_equal(counted.throttled_ns, 30);
	/* An older kernel tells of no losses. */
	fail_call(1, EINVAL);
	assert_int_equal(turns_read(FD, &sets, 0, false, &counted), 0);
	assert_memory_equal(kernel.log, "getinfo 42 1 1\ngetinfo 42 0 1\n", 30);
	assert_int_equal(counted.counted_ns, 5000);
	assert_int_equal(counted.blind_ns, 0);
}

static void a_session_is_inherited_by_all_or_by_threads(void **state)
{
	int fd = session_create_inherited(false);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	fd = session_create_inherited(true);
	close(fd);
	assert_string_equal(kernel.log, "create 0x2200\ncreate 0x2600\n");
	fail_call(1, EPERM);
	assert_int_equal(session_create_inherited(false), -1);
	assert_int_equal(errno, EPERM);
}

static void what_was_inherited_is_read_with_it(void **state)
{
	struct turns_counts counted, sum;

	(void)state;
	assert_int_equal(turns_read_family(FD, &sets, &counted), 0);
	assert_string_equal(kernel.log, "getinfo 42 5 1\n"
					"read pmd running family 3=0 1=0\n");
	assert_int_equal(counted.counts[0], 1003);
	assert_int_equal(counted.counted_ns, 5000);
	assert_true(counted.parts == 7 && counted.lost == 2);
	/* They are no programs of the first thread. */
	assert_true(counted.departed == 3 && counted.left == 0);
	sum = counted;
	turns_add(&sum, &counted);
	assert_true(sum.parts == 14 && sum.lost == 4 && sum.departed == 6);
	turns_subtract(&sum, &counted);
	assert_true(sum.parts == 7 && sum.lost == 2 && sum.departed == 3);
	fail_call(0, 0);
	assert_int_equal(turns_own_ns(FD, &sets), 5000);
	assert_string_equal(kernel.log, "getinfo 42 0 1\n");
	fail_call(2, EIO);
	message_catch();
	assert_int_equal(turns_read_family(FD, &sets, &counted), -1);
	message_expect("after the run: cannot read the counters", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_runs_is_asked_as_such),
		cmocka_unit_test_setup(the_session_is_not_inherited, setup),
		cmocka_unit_test_setup(an_older_kernel_does_for_a_session,
				       setup),
		cmocka_unit_test_setup(why_no_session_is_explained, setup),
		cmocka_unit_test_setup(info_is_asked_of_set_0, setup),
		cmocka_unit_test_setup(controls_are_written_one_by_one, setup),
		cmocka_unit_test_setup(merged_counters_are_set_and_not_read,
				       setup),
		cmocka_unit_test_setup(a_refused_event_is_named, setup),
		cmocka_unit_test_setup(refused_attachments_are_explained,
				       setup),
		cmocka_unit_test_setup(a_session_of_a_cpu_is_system_wide,
				       setup),
		cmocka_unit_test_setup(sets_that_take_turns_are_made, setup),
		cmocka_unit_test_setup(turns_tell_the_events_of_the_reference,
				       setup),
		cmocka_unit_test_setup(times_are_asked_with_the_losses, setup),
		cmocka_unit_test_setup(counts_come_in_the_order_of_the_events,
				       setup),
		cmocka_unit_test_setup(
			a_session_is_inherited_by_all_or_by_threads, setup),
		cmocka_unit_test_setup(what_was_inherited_is_read_with_it,
				       setup),
	};

	return cmocka_run_group_tests_name("pfmon_session", tests, NULL, NULL);
}
