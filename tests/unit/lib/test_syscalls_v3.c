// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon v3.0 calls of libpfm: which system call they make with which
 * arguments, and that they make none without a kernel that has them.
 *
 * Linked with --wrap=syscall: what the library would send to the kernel ends
 * in __wrap_syscall() below.  The sysfs files are in a scratch directory.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "calls/pfmlib_kernel.h"
#include "scratch_dir.h"

#define BASE 500
#define MAX_ARGS 5

/* What reached the kernel last, and what it answers. */
static struct {
	atomic_int count;
	long number;
	long args[MAX_ARGS];
	long result;
	int error;
} kernel;

static char *sysfs;

/* The number of arguments of each system call, by its offset. */
static const int arg_counts[PFM_NR_CALLS] = { 4, 5, 5, 3, 2, 2, 4, 4 };

long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	va_list args;

	atomic_fetch_add(&kernel.count, 1);
	if (number < BASE || number >= BASE + PFM_NR_CALLS)
		fail_msg("system call %ld is not one of perfmon's", number);

	kernel.number = number;
	memset(kernel.args, 0, sizeof(kernel.args));
	va_start(args, number);
	for (int i = 0; i < arg_counts[number - BASE]; i++)
		kernel.args[i] = va_arg(args, long);
	va_end(args);
	if (kernel.error)
		errno = kernel.error;
	return kernel.result;
}

static void publish(const char *version, const char *base)
{
	scratch_write(sysfs, "version", version);
	scratch_write(sysfs, "syscall", base);
}

static int setup(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	sysfs = scratch_make();
	pfmlib_use_sysfs_dir(sysfs);
	return 0;
}

static int setup_v3(void **state)
{
	setup(state);
	publish("3.0\n", "500\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	scratch_remove(sysfs);
	return 0;
}

static void assert_sent(int offset, const long args[MAX_ARGS])
{
	assert_int_equal(kernel.count, 1);
	assert_int_equal(kernel.number, BASE + offset);
	for (int i = 0; i < MAX_ARGS; i++)
		assert_int_equal(kernel.args[i], args[i]);
	kernel.count = 0;
}

/* Pointers that would fault if the library looked at what they point to. */
#define PTR_A ((void *)0x1000)
#define PTR_B ((void *)0x2000)

static void each_call_is_one_system_call(void **state)
{
	(void)state;
	kernel.result = 7;
	assert_int_equal(pfm_create_session(PFM_FL_SYSTEM_WIDE), 7);
	assert_sent(PFM_NR_CREATE_SESSION, (long[5]){ PFM_FL_SYSTEM_WIDE });
	assert_int_equal(pfm_write_pmrs(3, PFM_RWFL_PMC, PTR_A, 2), 7);
	assert_sent(PFM_NR_WRITE_PMRS, (long[5]){ 3, PFM_RWFL_PMC, 0x1000, 2 });
	assert_int_equal(pfm_read_pmrs(3, PFM_RWFL_PMD, PTR_A, 2), 7);
	assert_sent(PFM_NR_READ_PMRS, (long[5]){ 3, PFM_RWFL_PMD, 0x1000, 2 });
	assert_int_equal(pfm_attach_session(3, PFM_ATFL_PIDFD, 99), 7);
	assert_sent(PFM_NR_ATTACH_SESSION, (long[5]){ 3, PFM_ATFL_PIDFD, 99 });
	assert_int_equal(pfm_start_session(3, PFM_STFL_RESTART), 7);
	assert_sent(PFM_NR_START_SESSION, (long[5]){ 3, PFM_STFL_RESTART });
	assert_int_equal(pfm_stop_session(3, 4), 7);
	assert_sent(PFM_NR_STOP_SESSION, (long[5]){ 3, 4 });
	assert_int_equal(pfm_create_sets(3, PFM_SETS_DELETE, PTR_A, 2), 7);
	assert_sent(PFM_NR_CREATE_SETS,
		    (long[5]){ 3, PFM_SETS_DELETE, 0x1000, 2 });
	assert_int_equal(pfm_getinfo_sets(3, 1, PTR_A, 2), 7);
	assert_sent(PFM_NR_GETINFO_SETS, (long[5]){ 3, 1, 0x1000, 2 });
	assert_int_equal(pfm_getinfo_evtsets(3, 0, PTR_A, 2), 7);
	assert_sent(PFM_NR_GETINFO_SETS, (long[5]){ 3, 0, 0x1000, 2 });
}

static void negative_integers_keep_their_sign(void **state)
{
	(void)state;
	pfm_attach_session(-5, INT32_MIN, -7);
	assert_sent(PFM_NR_ATTACH_SESSION, (long[5]){ -5, INT32_MIN, -7 });
	pfm_write_pmrs(-1, PFM_RWFL_PMC, NULL, -1);
	assert_sent(PFM_NR_WRITE_PMRS, (long[5]){ -1, PFM_RWFL_PMC, 0, -1 });
}

static void optional_arguments_are_sent_with_their_flag(void **state)
{
	(void)state;
	pfm_create_session(PFM_FL_SMPL_FMT, PTR_A, PTR_B, (size_t)-1);
	assert_sent(PFM_NR_CREATE_SESSION,
		    (long[5]){ PFM_FL_SMPL_FMT, 0x1000, 0x2000, -1 });
	pfm_write_pmrs(3, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, PTR_A, 2, PTR_B);
	assert_sent(PFM_NR_WRITE_PMRS, (long[5]){ 3, 5, 0x1000, 2, 0x2000 });
	pfm_read_pmrs(3, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, PTR_A, 2, PTR_B);
	assert_sent(PFM_NR_READ_PMRS, (long[5]){ 3, 5, 0x1000, 2, 0x2000 });
}

/* What lies where the arguments would be must not reach the kernel. */
static void optional_arguments_are_not_read_without_their_flag(void **state)
{
	(void)state;
	pfm_create_session(~PFM_FL_SMPL_FMT, PTR_A, PTR_B, (size_t)-1);
	assert_sent(PFM_NR_CREATE_SESSION, (long[5]){ ~PFM_FL_SMPL_FMT });
	pfm_write_pmrs(3, PFM_RWFL_PMD, PTR_A, 2, PTR_B);
	assert_sent(PFM_NR_WRITE_PMRS, (long[5]){ 3, PFM_RWFL_PMD, 0x1000, 2 });
	pfm_read_pmrs(3, ~PFM_RWFL_PMD_ATTR, PTR_A, 2, PTR_B);
	assert_sent(PFM_NR_READ_PMRS,
		    (long[5]){ 3, ~PFM_RWFL_PMD_ATTR, 0x1000, 2 });
}

static void errors_of_the_kernel_are_passed_on(void **state)
{
	(void)state;
	kernel.result = -1;
	kernel.error = EBUSY;
	assert_int_equal(pfm_create_session(0), -1);
	assert_int_equal(errno, EBUSY);
	kernel.error = ESRCH;
	assert_int_equal(pfm_detach_session(3, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void detach_is_attach_to_no_target(void **state)
{
	(void)state;
	assert_int_equal(pfm_detach_session(3, 0), 0);
	assert_sent(PFM_NR_ATTACH_SESSION, (long[5]){ 3, 0, PFM_NO_TARGET });
}

static void the_kernel_judges_the_flags_of_detach(void **state)
{
	(void)state;
	assert_int_equal(pfm_detach_session(3, PFM_ATFL_RUNNING), 0);
	assert_sent(PFM_NR_ATTACH_SESSION,
		    (long[5]){ 3, PFM_ATFL_RUNNING, PFM_NO_TARGET });
}

/* One call of each function, in the way that reads all its arguments. */
static int call_function(int which)
{
	switch (which) {
	case 0:
		return pfm_create_session(PFM_FL_SMPL_FMT, "a", PTR_A,
					  (size_t)1);
	case 1:
		return pfm_write_pmrs(3, PFM_RWFL_PMC, PTR_A, 1);
	case 2:
		return pfm_read_pmrs(3, PFM_RWFL_PMD, PTR_A, 1);
	case 3:
		return pfm_attach_session(3, 0, 1);
	case 4:
		return pfm_start_session(3, 0);
	case 5:
		return pfm_stop_session(3, 0);
	case 6:
		return pfm_create_sets(3, 0, PTR_A, 1);
	case 7:
		return pfm_getinfo_sets(3, 0, PTR_A, 1);
	default:
		return pfm_detach_session(3, 1);
	}
}

#define FUNCTIONS 9

static void assert_all_enosys(const char *why)
{
	for (int i = 0; i < FUNCTIONS; i++) {
		errno = 0;
		if (call_function(i) != -1 || errno != ENOSYS || kernel.count)
			fail_msg("%s: function %d: errno %d, %d system calls",
				 why, i, errno, (int)kernel.count);
	}
}

static void without_sysfs_files_all_is_enosys(void **state)
{
	(void)state;
	assert_all_enosys("empty directory");
	scratch_write(sysfs, "syscall", "500\n");
	assert_all_enosys("no version");
	scratch_unlink(sysfs, "syscall");
	scratch_write(sysfs, "version", "3.0\n");
	assert_all_enosys("no base");
}

static void other_versions_are_enosys(void **state)
{
	static const char *const versions[] = {
		"2.81\n",  "4.0\n",
		"3.1\n",   "3\n",
		"3.0",	   "3.0 \n",
		"3.0a\n",  "03.0\n",
		"\n",	   "30.0\n",
		"3.00\n",  "",
		"3.0\n\n", "3.0-and-much-longer-than-any-version\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		publish(versions[i], "500\n");
		assert_all_enosys(versions[i]);
	}
}

static void the_highest_base_is_usable(void **state)
{
	(void)state;
	publish("3.0\n", "65534\n");
	assert_int_equal(pfmlib_v3_base(), 65534);
}

static void unusable_bases_are_enosys(void **state)
{
	static const char *const bases[] = {
		"",
		"\n",
		"0\n",
		"-500\n",
		"+500\n",
		"500",
		"x\n",
		"500x\n",
		"0x1f4\n",
		" 500\n",
		"500 \n",
		"65535\n",
		"65536\n",
		"18446744073709552116\n",
		"4294967796\n",
		"500\n500\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		publish("3.0\n", bases[i]);
		assert_all_enosys(bases[i]);
	}
}

/* As in a process that begins before sysfs is mounted. */
static void a_kernel_that_appears_later_is_found(void **state)
{
	(void)state;
	assert_int_equal(pfm_stop_session(3, 0), -1);
	publish("3.0\n", "500\n");
	assert_int_equal(pfm_stop_session(3, 0), 0);
	assert_int_equal(kernel.count, 1);
}

/* The process may close some and try again; ENOSYS would be for ever. */
static void without_a_free_descriptor_the_kernel_is_not_blamed(void **state)
{
	struct rlimit none, before;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	none = before;
	none.rlim_cur = 0;
	for (int i = 0; i < FUNCTIONS; i++) {
		setrlimit(RLIMIT_NOFILE, &none);
		int result = call_function(i);
		int error = errno;

		setrlimit(RLIMIT_NOFILE, &before);
		assert_int_equal(result, -1);
		assert_int_equal(error, EMFILE);
		assert_int_equal(kernel.count, 0);
	}
	assert_int_equal(pfm_stop_session(3, 0), 0);
	assert_int_equal(kernel.count, 1);
}

static void errno_of_an_earlier_call_is_no_reason(void **state)
{
	(void)state;
	/* Files that can be opened leave errno as it is. */
	publish("4.0\n", "500\n");
	errno = EMFILE;
	assert_int_equal(pfm_stop_session(3, 0), -1);
	assert_int_equal(errno, ENOSYS);
}

static void the_base_is_read_once(void **state)
{
	(void)state;
	assert_int_equal(pfm_stop_session(3, 0), 0);
	scratch_unlink(sysfs, "syscall");
	scratch_unlink(sysfs, "version");
	assert_int_equal(pfm_stop_session(3, 0), 0);
	assert_int_equal(kernel.count, 2);
}

static void success_leaves_errno_alone(void **state)
{
	(void)state;
	errno = EXDEV;
	assert_int_equal(pfm_create_session(0), 0);
	assert_int_equal(errno, EXDEV);
}

#define THREADS 8

static void *stop_often(void *barrier)
{
	intptr_t failures = 0;

	pthread_barrier_wait(barrier);
	for (int i = 0; i < 100; i++)
		failures += pfmlib_v3_base() != BASE;
	return (void *)failures;
}

static void first_use_by_many_threads_finds_the_same(void **state)
{
	pthread_barrier_t barrier;
	pthread_t threads[THREADS];
	void *failures;

	(void)state;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, stop_often,
						&barrier),
				 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failures);
		assert_null(failures);
	}
	pthread_barrier_destroy(&barrier);
}

static int count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void *stop_and_be_cancelled(void *unused)
{
	(void)unused;
	pfm_stop_session(3, 0);
	pthread_testcancel();
	return NULL;
}

/*
 * The file with the version is a fifo: the thread has opened it and waits in
 * read() when it is cancelled.
 */
static void a_cancelled_thread_leaves_no_descriptor_behind(void **state)
{
	pthread_t thread;
	char path[256];
	void *result;
	int before, fifo;

	(void)state;
	scratch_write(sysfs, "syscall", "500\n");
	snprintf(path, sizeof(path), "%s/version", sysfs);
	assert_int_equal(mkfifo(path, 0600), 0);
	fifo = open(path, O_RDWR);
	assert_true(fifo >= 0);
	before = count_descriptors();
	assert_int_equal(
		pthread_create(&thread, NULL, stop_and_be_cancelled, NULL), 0);
	while (count_descriptors() == before)
		sched_yield();
	assert_int_equal(pthread_cancel(thread), 0);
	assert_int_equal(write(fifo, "3.0\n", 4), 4);
	pthread_join(thread, &result);
	assert_ptr_equal(result, PTHREAD_CANCELED);
	assert_int_equal(count_descriptors(), before);
	assert_int_equal(kernel.count, 1);
	close(fifo);
}

#define ABSENT(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
#define PRESENT(test) cmocka_unit_test_setup_teardown(test, setup_v3, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PRESENT(each_call_is_one_system_call),
		PRESENT(negative_integers_keep_their_sign),
		PRESENT(optional_arguments_are_sent_with_their_flag),
		PRESENT(optional_arguments_are_not_read_without_their_flag),
		PRESENT(errors_of_the_kernel_are_passed_on),
		PRESENT(detach_is_attach_to_no_target),
		PRESENT(the_kernel_judges_the_flags_of_detach),
		ABSENT(without_sysfs_files_all_is_enosys),
		ABSENT(other_versions_are_enosys),
		ABSENT(unusable_bases_are_enosys),
		ABSENT(the_highest_base_is_usable),
		ABSENT(a_kernel_that_appears_later_is_found),
		PRESENT(without_a_free_descriptor_the_kernel_is_not_blamed),
		ABSENT(errno_of_an_earlier_call_is_no_reason),
		PRESENT(the_base_is_read_once),
		PRESENT(success_leaves_errno_alone),
		PRESENT(first_use_by_many_threads_finds_the_same),
		ABSENT(a_cancelled_thread_leaves_no_descriptor_behind),
	};

	return cmocka_run_group_tests_name("lib_syscalls_v3", tests, NULL,
					   NULL);
}
