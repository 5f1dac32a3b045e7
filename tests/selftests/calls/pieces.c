// SPDX-License-Identifier: GPL-2.0-only
/*
 * Long vectors, which the kernel processes in pieces of 64 elements: a piece is
 * one instant, a bad element may be in any of them, and the session may lose its
 * target in between.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "attr.h"
#include "child.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "worker.h"

#define PIECE 64
#define PIECES 1024
#define LONG (PIECES * PIECE)

FIXTURE(vector)
{
	int fd;
	struct pfarg_pmr *pmrs; /* LONG of them, all of the first PMD */
	char arg_mem_max[32];
};

FIXTURE_SETUP(vector)
{
	int i;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, attr_read("arg_mem_max", self->arg_mem_max,
			       sizeof(self->arg_mem_max)));
	ASSERT_EQ(0, attr_write("arg_mem_max", "1048576"));
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->pmrs = calloc(LONG, sizeof(*self->pmrs));
	ASSERT_NE(NULL, self->pmrs);
	for (i = 0; i < LONG; i++) {
		self->pmrs[i].reg_num = pmu_first()->pmd;
		self->pmrs[i].reg_value = (uint64_t)i;
	}
}

FIXTURE_TEARDOWN(vector)
{
	free(self->pmrs);
	close(self->fd);
	attr_write("arg_mem_max", self->arg_mem_max);
}

static const int bad_at[] = {
	0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, LONG - 1,
};

TEST_F(vector, elements_before_a_bad_one_are_written)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_at); i++) {
		ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, ~0ULL));
		self->pmrs[bad_at[i]].reg_set = 9;
		EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd, PFM_RWFL_PMD,
						       self->pmrs, LONG)));
		self->pmrs[bad_at[i]].reg_set = 0;
		ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &value));
		EXPECT_EQ((uint64_t)(bad_at[i] - 1), value);
	}
}

TEST_F(vector, values_before_a_bad_element_are_read)
{
	unsigned int i;
	int j;

	ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, LONG));
	for (i = 0; i < ARRAY_SIZE(bad_at); i++) {
		for (j = 0; j < LONG; j++)
			self->pmrs[j].reg_value = (uint64_t)j;
		self->pmrs[bad_at[i]].reg_num = 9999;
		EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd, PFM_RWFL_PMD,
						      self->pmrs, LONG)));
		self->pmrs[bad_at[i]].reg_num = pmu_first()->pmd;
		for (j = 0; j < bad_at[i]; j++)
			ASSERT_EQ(LONG, self->pmrs[j].reg_value);
		for (; j < LONG; j++)
			ASSERT_EQ((uint64_t)j, self->pmrs[j].reg_value);
	}
}

TEST_F(vector, all_elements_are_written_and_read)
{
	uint64_t value;
	int n;

	for (n = PIECE - 1; n <= 2 * PIECE + 1; n++) {
		self->pmrs[n - 1].reg_value = 1000000 + (uint64_t)n;
		ASSERT_EQ(0, pfm_write_pmrs(self->fd, PFM_RWFL_PMD, self->pmrs,
					    n));
		ASSERT_EQ(0, read_pmd(self->fd, pmu_first()->pmd, &value));
		EXPECT_EQ(1000000 + (uint64_t)n, value);
	}
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD, self->pmrs, LONG));
	for (n = 0; n < LONG; n++)
		ASSERT_EQ(value, self->pmrs[n].reg_value);
}

TEST_F(vector, attributes_are_written_and_read)
{
	const int n = 3 * PIECE + 5;
	struct pfarg_pmd_attr *attrs = calloc((size_t)n, sizeof(*attrs));
	int i;

	ASSERT_NE(NULL, attrs);
	for (i = 0; i < n; i++) {
		attrs[i].reg_long_reset = (uint64_t)i;
		attrs[i].reg_smpl_pmds[0] = 1;
	}
	attrs[n - 1].reg_smpl_pmds[0] = 3;
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				    self->pmrs, n, attrs));
	memset(attrs, 0xaa, (size_t)n * sizeof(*attrs));
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				   self->pmrs, n, attrs));
	for (i = 0; i < n; i++) {
		ASSERT_EQ((uint64_t)(n - 1), attrs[i].reg_long_reset);
		ASSERT_EQ(3, attrs[i].reg_smpl_pmds[0]);
		ASSERT_EQ(0, attrs[i].reg_smpl_pmds[1]);
		ASSERT_EQ(0, attrs[i].reg_reset_pmds[0]);
		ASSERT_EQ(0, attrs[i].reg_reserved[5]);
	}
	free(attrs);
}

/* A thread on another CPU counts its own loop, which the reads interrupt. */
TEST_F(vector, a_piece_is_read_in_one_instant)
{
	struct worker worker;
	int fd, i, round, moved = 0;

	if (cpus_that_count() < 2)
		SKIP(return, "needs two processors");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, worker_start(&worker, 1));
	fd = pmu_cpu_session();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_attach_session(fd, 0, 1));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	ASSERT_EQ(0, worker_order(&worker, 400000000));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, pfm_read_pmrs(fd, PFM_RWFL_PMD, self->pmrs,
					   8 * PIECE));
		for (i = 0; i < 8 * PIECE; i++)
			ASSERT_EQ(self->pmrs[i / PIECE * PIECE].reg_value,
				  self->pmrs[i].reg_value);
		for (i = PIECE; i < 8 * PIECE; i += PIECE)
			moved += self->pmrs[i].reg_value >
				 self->pmrs[i - PIECE].reg_value;
	}
	/* Between two of them it goes on, or this shows nothing. */
	EXPECT_LT(0, moved);
	close(fd);
	worker_stop(&worker);
}

/* What another thread does to a session whose registers are being written. */
struct disturber {
	pthread_t thread;
	int fd;
	pid_t child;
	volatile int stop;
	int failures;
};

static void wait_a_little(void)
{
	const struct timespec pause = { .tv_nsec = 300000 };

	nanosleep(&pause, NULL);
}

static void *detach_and_attach(void *arg)
{
	struct disturber *disturber = arg;

	while (!disturber->stop) {
		wait_a_little();
		if (pfm_attach_session(disturber->fd, 0, PFM_NO_TARGET))
			disturber->failures++;
		wait_a_little();
		if (pfm_attach_session(disturber->fd, 0, 0) ||
		    pfm_start_session(disturber->fd, 0))
			disturber->failures++;
	}
	return NULL;
}

TEST_F(vector, goes_on_when_the_session_is_detached)
{
	struct disturber disturber = { .fd = pmu_cpu_session() };
	uint64_t value;
	int round;

	ASSERT_LE(0, disturber.fd);
	ASSERT_EQ(0, pfm_attach_session(disturber.fd, 0, 0));
	ASSERT_EQ(0, pthread_create(&disturber.thread, NULL, detach_and_attach,
				    &disturber));
	for (round = 0; round < repetitions(60); round++)
		ASSERT_EQ(0, pfm_write_pmrs(disturber.fd, PFM_RWFL_PMD,
					    self->pmrs, LONG));
	disturber.stop = 1;
	pthread_join(disturber.thread, NULL);
	EXPECT_EQ(0, disturber.failures);
	ASSERT_EQ(0, pfm_stop_session(disturber.fd, 0));
	ASSERT_EQ(0, read_pmd(disturber.fd, pmu_first()->pmd, &value));
	EXPECT_LE(LONG - 1, value);
	close(disturber.fd);
}

static void *kill_soon(void *arg)
{
	struct disturber *disturber = arg;

	wait_a_little();
	kill(disturber->child, SIGKILL);
	return NULL;
}

/* A stopped thread that dies leaves a detached session, which takes the rest. */
TEST_F(vector, goes_on_when_the_target_dies)
{
	struct disturber disturber = { 0 };
	uint64_t value;
	int round;

	for (round = 0; round < repetitions(20); round++) {
		disturber.fd = pmu_session(0);
		ASSERT_LE(0, disturber.fd);
		disturber.child = child_start_stopped(child_spin, NULL);
		ASSERT_LT(0, disturber.child);
		ASSERT_EQ(0,
			  pfm_attach_session(disturber.fd, 0, disturber.child));
		ASSERT_EQ(0, pthread_create(&disturber.thread, NULL, kill_soon,
					    &disturber));
		/* It may be no longer stopped and not dead yet. */
		if (pfm_write_pmrs(disturber.fd, PFM_RWFL_PMD, self->pmrs,
				   LONG)) {
			EXPECT_EQ(ESRCH, errno);
		} else {
			ASSERT_EQ(0, read_pmd(disturber.fd, pmu_first()->pmd,
					      &value));
			EXPECT_EQ(LONG - 1, value);
		}
		pthread_join(disturber.thread, NULL);
		child_kill(disturber.child);
		close(disturber.fd);
	}
}

TEST_HARNESS_MAIN
