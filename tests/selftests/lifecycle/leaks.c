// SPDX-License-Identifier: GPL-2.0-only
/*
 * What sessions take hold of comes back when they go: memory, users, tasks,
 * namespaces. Each is let go of thousands of times, and the kernel must have no
 * more memory in use than before. The debug kernel keeps what is free for a
 * while, but its leak detector looks at the same programs.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include <perfmon/pfm_state.h>

#include "array_size.h"
#include "child.h"
#include "default_format.h"
#include "event_set.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

/* What the caches of the kernel may gain; a leak of any variant is more. */
#define NOISE_KB 300

/* Users that nobody else has anything to do with. */
#define FIRST_USER 100000
#define LAST_USER 500000

struct memory {
	long slab_kb;
	long vmalloc_kb;
};

/*
 * Descriptions of mapped memory that is gone are kept for the next, by each CPU. They
 * are no leak: what is still mapped counts itself.
 */
static long kept_kb(void)
{
	FILE *caches = fopen("/proc/slabinfo", "re");
	long objects, size, kb = 0;
	char line[256];

	while (caches && fgets(line, sizeof(line), caches))
		if (sscanf(line, "vmap_area %*d %ld %ld", &objects, &size) == 2)
			kb = objects * size / 1024;
	if (caches)
		fclose(caches);
	return kb;
}

static struct memory memory_in_use(void)
{
	FILE *meminfo = fopen("/proc/meminfo", "re");
	struct memory now = { 0, 0 };
	char line[128];

	while (meminfo && fgets(line, sizeof(line), meminfo)) {
		sscanf(line, "Slab: %ld kB", &now.slab_kb);
		sscanf(line, "VmallocUsed: %ld kB", &now.vmalloc_kb);
	}
	if (meminfo)
		fclose(meminfo);
	now.slab_kb -= kept_kb();
	return now;
}

static bool is_more(struct memory now, struct memory before)
{
	return now.slab_kb > before.slab_kb + NOISE_KB ||
	       now.vmalloc_kb > before.vmalloc_kb + NOISE_KB;
}

/* Memory is freed a grace period later, perhaps in several steps. */
static struct memory memory_in_the_end(struct memory before)
{
	const struct timespec wait = { .tv_nsec = 50000000 };
	struct memory now = memory_in_use();
	int i;

	for (i = 0; i < 40 && is_more(now, before); i++) {
		nanosleep(&wait, NULL);
		now = memory_in_use();
	}
	return now;
}

/* A buffer and the argument of its format. */
static int sample(long i)
{
	int fd = dfl_create(0, 4096);

	(void)i;
	return fd < 0 || close(fd);
}

/* Sets, attributes and a buffer that yet another user pays for. */
static int be_another_user(long i)
{
	const struct pfarg_pmd_attr attr = { .reg_smpl_eventid = 1 };
	const uid_t uid = (uid_t)(FIRST_USER + i);
	int fd, err;

	if (setresuid(uid, uid, 0))
		return -1;
	fd = dfl_create(0, 4096);
	err = fd < 0 || set_make(fd, 1, 0, 0) ||
	      set_write_attr(fd, 1, 0, 0, &attr) || close(fd);
	return setresuid(0, 0, 0) || err;
}

/* Each call of a tracer about a tracee that nobody has seen before. */
static int trace(long i)
{
	pid_t pid = child_start_stopped(child_sleep, NULL);
	int fd = pmu_session(0), err;
	uint64_t value;

	(void)i;
	err = pid < 0 || pfm_attach_session(fd, 0, pid) ||
	      pfm_start_session(fd, 0) ||
	      read_pmd(fd, pmu_first()->pmd, &value) ||
	      pfm_stop_session(fd, 0) || pfm_detach_session(fd, 0);
	child_kill(pid);
	return close(fd) || err;
}

/* The page of a session, which one process maps several times. */
static int map(long i)
{
	const struct pfm_state *pages[4];
	int fd = pmu_session(0), err = 0;
	unsigned int n;

	(void)i;
	for (n = 0; n < ARRAY_SIZE(pages); n++) {
		pages[n] = pfm_map_state(fd);
		err |= !pages[n];
	}
	for (n = 0; n < ARRAY_SIZE(pages); n++)
		err |= pages[n] && pfm_unmap_state(pages[n]);
	return close(fd) || err;
}

static int end(void *unused)
{
	(void)unused;
	return 0;
}

/* Sets of another user's session, and of a child that inherits it and ends. */
static int inherit(long i)
{
	const uid_t uid = (uid_t)(LAST_USER - i);
	int fd, err;

	if (setresuid(uid, uid, 0))
		return -1;
	fd = pfm_create_session(PFM_FL_INHERIT);
	err = fd < 0 || set_make(fd, 1, 0, 0) || attach_self(fd) ||
	      pfm_start_session(fd, 0) || child_wait(child_start(end, NULL)) ||
	      close(fd);
	return setresuid(0, 0, 0) || err;
}

/* A namespace holds the one that it was made in: so many are more to notice. */
#define NAMESPACES 8

/* The namespace of its children is what a process can change, and only once. */
static int be_in_namespaces(int more)
{
	int status;
	pid_t pid;

	if (!more)
		return close(pfm_create_session(0)) ? 1 : 0;
	if (unshare(CLONE_NEWPID))
		return 1;
	pid = fork();
	if (pid == 0)
		_exit(be_in_namespaces(more - 1));
	return pid < 0 || waitpid(pid, &status, 0) != pid || status;
}

static int be_in_all(void *unused)
{
	(void)unused;
	return be_in_namespaces(NAMESPACES);
}

static int have_a_namespace(long i)
{
	(void)i;
	return child_wait(child_start(be_in_all, NULL));
}

/* What each variant leaves alone, thousands of times. */
FIXTURE(nothing)
{
	struct memory before;
};

FIXTURE_VARIANT(nothing)
{
	int (*once)(long i);
	long times;
};

FIXTURE_VARIANT_ADD(nothing, of_buffers){
	.once = sample,
	.times = 10000,
};

FIXTURE_VARIANT_ADD(nothing, of_users){
	.once = be_another_user,
	.times = 5000,
};

FIXTURE_VARIANT_ADD(nothing, of_tracees){
	.once = trace,
	.times = 500,
};

FIXTURE_VARIANT_ADD(nothing, of_state_pages){
	.once = map,
	.times = 10000,
};

FIXTURE_VARIANT_ADD(nothing, of_families){
	.once = inherit,
	.times = 3000,
};

FIXTURE_VARIANT_ADD(nothing, of_namespaces){
	.once = have_a_namespace,
	.times = 600,
};

/* The first times fill caches. */
FIXTURE_SETUP(nothing)
{
	long i, warm = repetitions(variant->times) / 10 + 1;

	/* Holds the PMU, so that it is not reserved anew each time. */
	ASSERT_LE(0, pfm_create_session(0));
	for (i = 0; i < warm; i++)
		ASSERT_EQ(0, variant->once(variant->times + i));
	self->before = memory_in_use();
}

FIXTURE_TEARDOWN(nothing)
{
}

TEST_F_TIMEOUT(nothing, stays_in_use, 120)
{
	long i, n = repetitions(variant->times);
	struct memory now;

	for (i = 0; i < n; i++)
		ASSERT_EQ(0, variant->once(i));
	if (kernel_is_slow())
		return;
	now = memory_in_the_end(self->before);
	EXPECT_FALSE(is_more(now, self->before));
	TH_LOG("after %ld times %ld kB of objects and %ld kB of mapped memory more: %ld and %ld bytes each time",
	       n, now.slab_kb - self->before.slab_kb,
	       now.vmalloc_kb - self->before.vmalloc_kb,
	       (now.slab_kb - self->before.slab_kb) * 1024 / n,
	       (now.vmalloc_kb - self->before.vmalloc_kb) * 1024 / n);
}

TEST_HARNESS_MAIN
