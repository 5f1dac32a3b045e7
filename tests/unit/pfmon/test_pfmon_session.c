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
#include "scratch_dir.h"
#include "engine/session.h"

#define FD 42

static struct {
	int fail_at; /* number of the call that fails, 0: none */
	int error;
	int calls;
	char log[512]; /* what was called, one line each */
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

		snprintf(text + used, sizeof(text) - used, " %u=%llx",
			 pmrs[i].reg_num,
			 (unsigned long long)pmrs[i].reg_value);
	}
	return answer("%s %s%s\n", call, flags == PFM_RWFL_PMC ? "pmc" : "pmd",
		      text);
}

int pfm_create_session(int flags, ...)
{
	if (answer("create %#x\n", flags))
		return -1;
	return open("/dev/null",
		    flags & PFM_FL_CLOEXEC ? O_RDONLY | O_CLOEXEC : O_RDONLY);
}

int pfm_getinfo_sets(int fd, int flags, pfarg_setinfo_t *infos, int n)
{
	assert_int_equal(infos->set_id, 0);
	assert_int_equal(infos->set_reserved1, 0);
	infos->set_act_duration = 5000;
	infos->set_reserved3[PFM_LOSS_BLIND_NS] = 20;
	infos->set_reserved3[PFM_LOSS_THROTTLED_NS] = 30;
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
		pmrs[i].reg_value = 1000 + pmrs[i].reg_num;
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

static struct event events[] = {
	{ .name = (char *)"first", .selector = 0x5100c0 },
	{ .name = (char *)"second", .selector = 0x520076 },
};

static const struct event_list list = { .events = events, .count = 2 };

static const struct plan plan = {
	.event_count = 2,
	.pmd_count = 2,
	.pmds = { { .reg_num = 3 }, { .reg_num = 1 } },
	.pmc_count = 2,
	.pmcs = { { .reg_num = 1, .reg_value = 0x520076 },
		  { .reg_num = 3, .reg_value = 0x5100c0 } },
	.pmc_event = { 1, 0 },
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

static void why_no_session_is_explained(void **state)
{
	static const struct {
		int error;
		const char *said[2];
	} cases[] = {
		{ ENOSYS, { "no perfmon", "perfmon=off" } },
		{ EPERM, { "task_group", "perf_event_paranoid" } },
		{ EACCES, { "security module", "sessions" } },
		{ EBUSY, { "held by another user", "kernel log" } },
		{ EMFILE, { "cannot create", "Too many open files" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		fail_call(1, cases[i].error);
		message_catch();
		assert_int_equal(session_create("/nowhere", false), -1);
		message_expect(cases[i].said[0], cases[i].said[1], NULL);
	}
}

static void the_holder_of_the_pmu_is_named(void **state)
{
	char *sysfs = scratch_make();

	(void)state;
	scratch_write(sysfs, "pmu_owner", "perf_event\n");
	fail_call(1, EBUSY);
	message_catch();
	assert_int_equal(session_create(sysfs, false), -1);
	message_expect("held by perf_event", NULL);

	scratch_write(sysfs, "pmu_owner", "nmi_watchdog\n");
	fail_call(1, EBUSY);
	message_catch();
	assert_int_equal(session_create(sysfs, false), -1);
	message_expect("held by nmi_watchdog", "kernel.nmi_watchdog=0", NULL);
	scratch_remove(sysfs);
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
	assert_int_equal(session_program(FD, &plan, &list), 0);
	assert_string_equal(kernel.log, "write pmc 1=520076\n"
					"write pmc 3=5100c0\n"
					"write pmd 3=0 1=0\n");
}

/* A counter that is merged into an event's has no count. */
static void merged_counters_are_set_and_not_read(void **state)
{
	struct plan merging = plan;
	uint64_t counts[2];

	(void)state;
	merging.pmds[merging.pmd_count++].reg_num = 4;
	assert_int_equal(session_program(FD, &merging, &list), 0);
	assert_non_null(strstr(kernel.log, "write pmd 3=0 1=0 4=0\n"));
	memset(&kernel, 0, sizeof(kernel));
	assert_int_equal(session_read(FD, &merging, counts), 0);
	assert_null(strstr(kernel.log, "4="));
	assert_int_equal(counts[1], 1001);
}

static void a_refused_event_is_named(void **state)
{
	(void)state;
	fail_call(1, EPERM);
	message_catch();
	assert_int_equal(session_program(FD, &plan, &list), -1);
	message_expect("event second: ", "kernel level", "CAP_PERFMON", NULL);
	assert_string_equal(kernel.log, "write pmc 1=520076\n");

	fail_call(1, EACCES);
	message_catch();
	assert_int_equal(session_program(FD, &plan, &list), -1);
	message_expect("event second: ", "security module", NULL);

	fail_call(2, EINVAL);
	message_catch();
	assert_int_equal(session_program(FD, &plan, &list), -1);
	message_expect("event first: ", "0x5100c0 in pmc3", NULL);

	fail_call(3, ENOMEM);
	message_catch();
	assert_int_equal(session_program(FD, &plan, &list), -1);
	message_expect("cannot set the counters", NULL);
}

static void attach_starts(void **state)
{
	(void)state;
	assert_int_equal(session_attach(FD, 77), 0);
	assert_string_equal(kernel.log, "attach 42 0 77\nstart 42 0\n");

	fail_call(1, EBUSY);
	message_catch();
	assert_int_equal(session_attach(FD, 77), -1);
	message_expect("system-wide session", NULL);
	assert_string_equal(kernel.log, "attach 42 0 77\n");

	fail_call(2, EINVAL);
	message_catch();
	assert_int_equal(session_attach(FD, 77), -1);
	message_expect("cannot start", NULL);
}

static void counts_come_in_the_order_of_the_events(void **state)
{
	uint64_t counts[2];

	(void)state;
	assert_int_equal(session_read(FD, &plan, counts), 0);
	assert_string_equal(kernel.log, "read pmd 3=0 1=0\n");
	assert_int_equal(counts[0], 1003);
	assert_int_equal(counts[1], 1001);

	fail_call(1, EINVAL);
	message_catch();
	assert_int_equal(session_read(FD, &plan, counts), -1);
	message_expect("cannot read the counters", NULL);
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
	message_expect("no permission to count CPUs", "sys_group", NULL);
}

static void times_are_asked_with_the_losses(void **state)
{
	struct session_times times;

	(void)state;
	session_ask_times(FD, &times);
	assert_string_equal(kernel.log, "getinfo 42 1 1\n");
	assert_int_equal(times.counted, 5000);
	assert_int_equal(times.blind, 20);
	assert_int_equal(times.throttled, 30);
	/* An older kernel tells of no losses. */
	fail_call(1, EINVAL);
	session_ask_times(FD, &times);
	assert_string_equal(kernel.log, "getinfo 42 1 1\ngetinfo 42 0 1\n");
	assert_int_equal(times.counted, 5000);
	assert_int_equal(times.blind, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_session_is_not_inherited, setup),
		cmocka_unit_test_setup(an_older_kernel_does_for_a_session,
				       setup),
		cmocka_unit_test_setup(why_no_session_is_explained, setup),
		cmocka_unit_test_setup(the_holder_of_the_pmu_is_named, setup),
		cmocka_unit_test_setup(info_is_asked_of_set_0, setup),
		cmocka_unit_test_setup(controls_are_written_one_by_one, setup),
		cmocka_unit_test_setup(merged_counters_are_set_and_not_read,
				       setup),
		cmocka_unit_test_setup(a_refused_event_is_named, setup),
		cmocka_unit_test_setup(attach_starts, setup),
		cmocka_unit_test_setup(a_session_of_a_cpu_is_system_wide,
				       setup),
		cmocka_unit_test_setup(times_are_asked_with_the_losses, setup),
		cmocka_unit_test_setup(counts_come_in_the_order_of_the_events,
				       setup),
	};

	return cmocka_run_group_tests_name("pfmon_session", tests, NULL, NULL);
}
