/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session that the tests of overflow, random and notify start from: it counts
 * its own thread, and overflows and notifies after each PERIOD instructions.
 */
#ifndef PFM_TEST_OVERFLOW_FIXTURE_H
#define PFM_TEST_OVERFLOW_FIXTURE_H

#include <stdint.h>
#include <unistd.h>

#include "must.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 10000
#define ROUNDS 2000UL

FIXTURE(self)
{
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	self->fd = period_session(0, PERIOD);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(self)
{
	close(self->fd);
}

static inline uint64_t value_of(int fd, uint16_t pmd)
{
	uint64_t value;

	must(read_pmd(fd, pmd, &value), "value of a PMD");
	return value;
}

#endif
