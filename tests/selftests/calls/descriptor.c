// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a session: that it leaves nothing behind, what other files can
 * do and it cannot, and what is no session at all. Conformance cases C014 and C016
 * to C018; how it is made is the subject of create.c.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "attr.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* What a leak of the sessions of a test would change. */
struct footprint {
	long slab_kb;
	long task_sessions;
	long sys_sessions;
};

static struct footprint footprint(void)
{
	struct footprint now = {
		.task_sessions = (long)attr_number("task_sessions_count"),
		.sys_sessions = (long)attr_number("sys_sessions_count"),
	};
	FILE *meminfo = fopen("/proc/meminfo", "re");
	char line[128];

	while (meminfo && fgets(line, sizeof(line), meminfo))
		if (sscanf(line, "Slab: %ld kB", &now.slab_kb) == 1)
			break;
	if (meminfo)
		fclose(meminfo);
	return now;
}

/*
 * 100 000 leaked objects of the smallest size would be 800 kB; what the
 * kernel's caches gain otherwise stays well below it.
 */
#define SLAB_NOISE_KB 400

FIXTURE(leak)
{
	struct footprint before;
	long times;
};

FIXTURE_SETUP(leak)
{
	long i;

	/* Holds the PMU, so that it is not reserved anew each time. */
	ASSERT_LE(0, pfm_create_session(0));
	self->times = repetitions(100000);
	for (i = 0; i < self->times / 10; i++)
		close(pfm_create_session(0));
	self->before = footprint();
}

FIXTURE_TEARDOWN(leak)
{
	struct footprint after = footprint();

	EXPECT_EQ(self->before.task_sessions, after.task_sessions);
	EXPECT_EQ(self->before.sys_sessions, after.sys_sessions);
	/* A kernel with KASAN keeps freed memory, but kmemleak watches it. */
	if (!kernel_is_slow())
		EXPECT_GT(self->before.slab_kb + SLAB_NOISE_KB, after.slab_kb);
}

TEST_F_TIMEOUT(leak, C014_a_full_descriptor_table_costs_nothing, 120)
{
	struct rlimit limit = { .rlim_cur = 0, .rlim_max = 0 };
	long failures = 0;
	long i;

	limit.rlim_cur = dup(0);
	limit.rlim_max = limit.rlim_cur;
	close((int)limit.rlim_cur);
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	for (i = 0; i < self->times; i++)
		failures += ERRNO(pfm_create_session(0)) == EMFILE;
	EXPECT_EQ(self->times, failures);
	/* The footprint needs a descriptor; root may raise the limit again. */
	limit.rlim_cur = 64;
	limit.rlim_max = 64;
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
}

TEST_F_TIMEOUT(leak, C014_create_and_close_leave_nothing_behind, 120)
{
	long failures = 0;
	long i;

	for (i = 0; i < self->times; i++) {
		int fd = pmu_session(0);

		failures += fd < 0 || close(fd);
	}
	EXPECT_EQ(0, failures);
}

TEST(C016_the_descriptor_is_neither_written_nor_sought_nor_reopened)
{
	int fd = pfm_create_session(0);
	char path[64];
	char byte = 0;

	ASSERT_LE(0, fd);
	EXPECT_EQ(EBADF, ERRNO(write(fd, &byte, 1)));
	EXPECT_EQ(ESPIPE, ERRNO(lseek(fd, 0, SEEK_SET)));
	EXPECT_EQ(ESPIPE, ERRNO(pread(fd, &byte, 1, 0)));
	EXPECT_EQ(ESPIPE, ERRNO(pwrite(fd, &byte, 1, 0)));
	EXPECT_EQ(ENOTTY, ERRNO(ioctl(fd, 0)));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXPECT_EQ(ENXIO, ERRNO(open(path, O_RDONLY)));
}

TEST(C016_fstat_works_and_flags_of_the_file_can_be_set)
{
	int fd = pfm_create_session(0);
	struct stat st;

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, fstat(fd, &st));
	EXPECT_EQ(0, fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC));
	EXPECT_EQ(O_NONBLOCK | O_ASYNC,
		  fcntl(fd, F_GETFL) & (O_NONBLOCK | O_ASYNC));
}

static int call_write(int fd)
{
	return write_pmd(fd, 0, 0);
}

static int call_read(int fd)
{
	uint64_t value;

	return read_pmd(fd, 0, &value);
}

static int call_detach(int fd)
{
	return pfm_attach_session(fd, 0, PFM_NO_TARGET);
}

static int call_start(int fd)
{
	return pfm_start_session(fd, 0);
}

static int call_restart(int fd)
{
	return pfm_start_session(fd, PFM_STFL_RESTART);
}

static int call_stop(int fd)
{
	return pfm_stop_session(fd, 0);
}

static int call_create_sets(int fd)
{
	struct pfarg_setdesc set = { .set_id = 0 };

	return pfm_create_sets(fd, 0, &set, 1);
}

static int call_getinfo_sets(int fd)
{
	struct pfarg_setinfo set = { .set_id = 0 };

	return pfm_getinfo_sets(fd, 0, &set, 1);
}

static const struct {
	const char *name;
	int (*call)(int fd);
} calls[] = {
	{ "pfm_write_pmrs", call_write },
	{ "pfm_read_pmrs", call_read },
	{ "pfm_attach_session", attach_self },
	{ "pfm_attach_session to nothing", call_detach },
	{ "pfm_start_session", call_start },
	{ "pfm_start_session with restart", call_restart },
	{ "pfm_stop_session", call_stop },
	{ "pfm_create_sets", call_create_sets },
	{ "pfm_getinfo_sets", call_getinfo_sets },
};

TEST(C017_every_call_refuses_what_is_not_a_session)
{
	int closed = dup(0);
	int file = open("/proc/self/exe", O_RDONLY);
	int dir = open("/", O_RDONLY);
	int path = open("/proc/self/exe", O_PATH);
	const int fds[] = { -1, INT_MAX, closed, file, dir, path };
	unsigned int i, j;

	close(closed);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		for (j = 0; j < ARRAY_SIZE(fds); j++) {
			EXPECT_EQ(EBADF, ERRNO(calls[i].call(fds[j])))
			{
				TH_LOG("%s, case %u", calls[i].name, j);
			}
		}
	}
}

TEST(C017_a_session_that_was_closed_is_no_session)
{
	int fd = pfm_create_session(0);
	unsigned int i;

	ASSERT_LE(0, fd);
	close(fd);
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		EXPECT_EQ(EBADF, ERRNO(calls[i].call(fd)))
		{
			TH_LOG("%s", calls[i].name);
		}
	}
}

TEST(C018_a_duplicate_keeps_the_session_and_its_values)
{
	const struct pmu_counter *counter = pmu_first();
	int fd = pmu_session(0x1234);
	int copy = dup(fd);
	uint64_t value;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, copy);
	close(fd);
	EXPECT_EQ(0, ERRNO(read_pmd(copy, counter->pmd, &value)));
	EXPECT_EQ(0x1234, value);
	if (counter->known) {
		EXPECT_EQ(0, ERRNO(read_pmc(copy, counter->pmc, &value)));
		EXPECT_EQ(counter->user, value & counter->user);
	}
	EXPECT_EQ(0, ERRNO(attach_self(copy)));
}

TEST_HARNESS_MAIN
