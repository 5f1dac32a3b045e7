/* SPDX-License-Identifier: GPL-2.0-only */
/* The inherited session that the tests of families start from. */
#ifndef PFM_TEST_FAMILY_FIXTURE_H
#define PFM_TEST_FAMILY_FIXTURE_H

#include <stdint.h>
#include <unistd.h>

#include "family.h"
#include "loop.h"
#include "must.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

#define LOOP 1000000UL

/*
 * More user instructions than libc needs for a fork, an exec or a thread. With gcc 14 a
 * static program sorts the tables of its frames when it starts.
 */
#define LIBC 700000UL

FIXTURE(family)
{
	int fd;
	long attached_before;
};

FIXTURE_SETUP(family)
{
	NEEDS_COUNTERS();
	self->attached_before = sessions_attached();
	ASSERT_LE(0, self->attached_before);
	self->fd = family_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(family)
{
	close(self->fd);
	EXPECT_EQ(self->attached_before, sessions_attached());
}

/* What the target alone has counted. */
static inline uint64_t own_value(int fd)
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };

	must(pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_RUNNING, &pmr, 1),
	     "value of a target");
	return pmr.reg_value;
}

static inline int do_loop(void *arg)
{
	(void)arg;
	counted_loop(LOOP);
	return 0;
}

/* Until the family has counted so much more; false if that takes a second. */
static inline bool grows(int fd, uint64_t by)
{
	uint64_t first = family_value(fd);
	int i;

	for (i = 0; i < 1000; i++) {
		if (family_value(fd) - first >= by)
			return true;
		usleep(1000);
	}
	return false;
}

/* Does the family count nothing, while its members run? */
static inline bool stands_still(int fd)
{
	uint64_t first = family_value(fd);

	usleep(20000);
	return family_value(fd) == first;
}

static inline int attach_and_start(int fd)
{
	return attach_self(fd) || pfm_start_session(fd, 0) ? -1 : 0;
}

static inline int attach_running(int fd, pid_t tid)
{
	return pfm_attach_session(fd, PFM_ATFL_RUNNING, tid);
}

#endif
