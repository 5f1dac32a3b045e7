/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session that the tests of lifetime and execve start from, and how much
 * they count.
 */
#ifndef PFM_TEST_LIFETIME_FIXTURE_H
#define PFM_TEST_LIFETIME_FIXTURE_H

#include <stdint.h>
#include <unistd.h>

#include "pfm_test.h"
#include "pmu.h"
#include "sessions.h"

#define LOOP 1000000UL

/*
 * More user instructions than libc needs for a fork, an exec or a thread. With gcc 14 a
 * static program sorts the tables of its frames when it starts.
 */
#define LIBC 700000UL

FIXTURE(session)
{
	int fd;
	uint16_t pmd;
	long attached_before;
};

FIXTURE_SETUP(session)
{
	self->attached_before = sessions_attached();
	ASSERT_LE(0, self->attached_before);
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
	self->pmd = pmu_first()->pmd;
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

#endif
