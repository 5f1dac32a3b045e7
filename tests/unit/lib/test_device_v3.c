// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perfmon v3.0 calls of libpfm where perfmon is a module: which ioctl() they
 * make of which descriptor, and which descriptors they leave.
 *
 * Linked with --wrap=ioctl.  The sysfs files are in a scratch directory, and name
 * /dev/null, which answers nothing itself.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_ioctl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "calls/pfmlib_kernel.h"
#include "scratch_dir.h"

/* What a session is here. */
#define SESSION_FILE "/dev/zero"

/* What reached the module last, and what it answers. */
static struct {
	int count;
	int fd;
	unsigned long command;
	struct pfm_ioc_args args;
	int result;
	int error;
	bool no_session; /* the first descriptor is none */
} module;

static char *sysfs;

int __wrap_ioctl(int fd, unsigned long command, ...);

int __wrap_ioctl(int fd, unsigned long command, ...)
{
	va_list args;

	module.count++;
	module.fd = fd;
	module.command = command;
	va_start(args, command);
	module.args = *va_arg(args, struct pfm_ioc_args *);
	va_end(args);
	if (module.no_session && module.count == 1) {
		errno = EBADF;
		return -1;
	}
	if (module.error) {
		errno = module.error;
		return -1;
	}
	if (command == PFM_IOC_CREATE)
		return open(SESSION_FILE,
			    O_RDONLY | (module.args.flags & PFM_FL_CLOEXEC ?
						O_CLOEXEC :
						0));
	return module.result;
}

static int setup(void **state)
{
	(void)state;
	memset(&module, 0, sizeof(module));
	sysfs = scratch_make();
	pfmlib_use_sysfs_dir(sysfs);
	scratch_write(sysfs, "version", "3.0\n");
	scratch_write(sysfs, "device", "/dev/null\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	scratch_remove(sysfs);
	return 0;
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

static int lowest_descriptor(void)
{
	int fd = open("/dev/null", O_RDONLY);

	close(fd);
	return fd;
}

static void assert_sent(unsigned long command, struct pfm_ioc_args args)
{
	assert_int_equal(module.count, 1);
	assert_int_equal(module.fd, 3);
	assert_int_equal(module.command, command);
	assert_memory_equal(&module.args, &args, sizeof(args));
	module.count = 0;
}

/* Pointers that would fault if the library looked at what they point to. */
#define PTR_A ((void *)0x1000)
#define PTR_B ((void *)0x2000)

static void each_call_is_one_ioctl_of_the_session(void **state)
{
	(void)state;
	module.result = 7;
	assert_int_equal(pfm_write_pmrs(3, 5, PTR_A, 2, PTR_B), 7);
	assert_sent(PFM_IOC_WRITE_PMRS, (struct pfm_ioc_args){
						.flags = 5,
						.n = 2,
						.vec = 0x1000,
						.extra = 0x2000,
					});
	assert_int_equal(pfm_read_pmrs(3, PFM_RWFL_PMD, PTR_A, -1), 7);
	assert_sent(PFM_IOC_READ_PMRS, (struct pfm_ioc_args){
					       .flags = PFM_RWFL_PMD,
					       .n = -1,
					       .vec = 0x1000,
				       });
	assert_int_equal(pfm_attach_session(3, 0, -7), 7);
	assert_sent(PFM_IOC_ATTACH, (struct pfm_ioc_args){ .n = -7 });
	assert_int_equal(pfm_start_session(3, PFM_STFL_RESTART), 7);
	assert_sent(PFM_IOC_START,
		    (struct pfm_ioc_args){ .flags = PFM_STFL_RESTART });
	assert_int_equal(pfm_stop_session(3, -4), 7);
	assert_sent(PFM_IOC_STOP, (struct pfm_ioc_args){ .flags = -4 });
	assert_int_equal(pfm_create_sets(3, 1, PTR_A, 2), 7);
	assert_sent(PFM_IOC_CREATE_SETS, (struct pfm_ioc_args){
						 .flags = 1,
						 .n = 2,
						 .vec = 0x1000,
					 });
	assert_int_equal(pfm_getinfo_sets(3, 0, PTR_A, 2), 7);
	assert_sent(PFM_IOC_GETINFO_SETS,
		    (struct pfm_ioc_args){ .n = 2, .vec = 0x1000 });
}

static void a_session_has_the_lowest_number_and_nothing_else_stays(void **state)
{
	int before = count_descriptors(), lowest = lowest_descriptor();
	struct stat file;
	int fd;

	(void)state;
	errno = EXDEV;
	fd = pfm_create_session(PFM_FL_SMPL_FMT, "a", PTR_B, (size_t)9);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(fd, lowest);
	assert_int_equal(count_descriptors(), before + 1);
	assert_int_equal(fstat(fd, &file), 0);
	assert_int_equal(minor(file.st_rdev), 5);
	assert_int_equal(fcntl(fd, F_GETFD), 0);
	assert_int_equal(module.args.flags, PFM_FL_SMPL_FMT);
	assert_int_equal(module.args.extra, 0x2000);
	assert_int_equal(module.args.size, 9);
	close(fd);
}

/* Another thread of the program may read the descriptor of such a file meanwhile. */
static void the_device_is_looked_up_once(void **state)
{
	int fd = pfm_create_session(0);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	scratch_write(sysfs, "device", "\n");
	fd = pfm_create_session(0);
	assert_true(fd >= 0);
	close(fd);
	pfmlib_use_sysfs_dir(sysfs);
	assert_int_equal(pfm_create_session(0), -1);
	assert_int_equal(errno, ENOSYS);
}

static void the_session_is_closed_on_exec_if_asked(void **state)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	(void)state;
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

static void an_error_of_creation_is_passed_on_and_leaves_nothing(void **state)
{
	static const struct {
		int said, passed;
	} errors[] = { { EBUSY, EBUSY },
		       { EPERM, EPERM },
		       { EMFILE, EMFILE },
		       { ENOTTY, ENOSYS } };
	int before = count_descriptors();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		module.error = errors[i].said;
		assert_int_equal(pfm_create_session(0), -1);
		assert_int_equal(errno, errors[i].passed);
	}
	assert_int_equal(count_descriptors(), before);
}

static void what_is_no_session_is_a_bad_descriptor(void **state)
{
	(void)state;
	module.error = ENOTTY;
	assert_int_equal(pfm_stop_session(3, 0), -1);
	assert_int_equal(errno, EBADF);
}

static void a_device_that_is_not_there_is_enosys(void **state)
{
	(void)state;
	scratch_write(sysfs, "device", "/dev/no-such\n");
	assert_int_equal(pfm_create_session(0), -1);
	assert_int_equal(errno, ENOSYS);
	assert_int_equal(module.count, 0);
}

static void a_device_is_believed_below_dev_only(void **state)
{
	static const char *const names[] = { "/tmp/x\n", "dev/null\n", "\n",
					     "0\n", "/dev/null" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		scratch_write(sysfs, "device", names[i]);
		assert_int_equal(pfm_stop_session(3, 0), -1);
		assert_int_equal(errno, ENOSYS);
	}
	assert_int_equal(module.count, 0);
}

/* A module has no pidfds; /proc says whom one names. */
static void a_pidfd_is_sent_as_a_number(void **state)
{
	int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);

	(void)state;
	assert_true(pidfd >= 0);
	assert_int_equal(pfm_attach_session(3, PFM_ATFL_PIDFD, pidfd), 0);
	assert_sent(PFM_IOC_ATTACH, (struct pfm_ioc_args){
					    .flags = PFM_ATFL_PIDFD,
					    .n = getpid(),
				    });
	close(pidfd);
}

static void what_is_no_pidfd_is_sent_as_0(void **state)
{
	static const int others[] = { 0, 9999, -5 };

	(void)state;
	errno = EXDEV;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		pfm_attach_session(3, PFM_ATFL_PIDFD, others[i]);
		assert_sent(PFM_IOC_ATTACH,
			    (struct pfm_ioc_args){ .flags = PFM_ATFL_PIDFD });
	}
	pfm_attach_session(3, PFM_ATFL_PIDFD, PFM_NO_TARGET);
	assert_sent(PFM_IOC_ATTACH, (struct pfm_ioc_args){
					    .flags = PFM_ATFL_PIDFD,
					    .n = PFM_NO_TARGET,
				    });
	assert_int_equal(errno, EXDEV);
}

/* The kernel checks flags and counts before descriptors. */
static void
the_device_is_asked_what_is_wrong_with_a_bad_descriptor(void **state)
{
	int before = count_descriptors();

	(void)state;
	module.no_session = true;
	module.error = EINVAL;
	assert_int_equal(pfm_start_session(-1, 77), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(module.count, 2);
	assert_int_equal(module.command, PFM_IOC_START);
	assert_int_equal(module.args.flags, 77);
	assert_int_equal(count_descriptors(), before);
}

#define DEVICE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DEVICE(each_call_is_one_ioctl_of_the_session),
		DEVICE(a_session_has_the_lowest_number_and_nothing_else_stays),
		DEVICE(the_device_is_looked_up_once),
		DEVICE(the_session_is_closed_on_exec_if_asked),
		DEVICE(an_error_of_creation_is_passed_on_and_leaves_nothing),
		DEVICE(what_is_no_session_is_a_bad_descriptor),
		DEVICE(a_device_that_is_not_there_is_enosys),
		DEVICE(a_device_is_believed_below_dev_only),
		DEVICE(a_pidfd_is_sent_as_a_number),
		DEVICE(what_is_no_pidfd_is_sent_as_0),
		DEVICE(the_device_is_asked_what_is_wrong_with_a_bad_descriptor),
	};

	return cmocka_run_group_tests_name("lib_device_v3", tests, NULL, NULL);
}
