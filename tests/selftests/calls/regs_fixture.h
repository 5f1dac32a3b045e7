/* SPDX-License-Identifier: GPL-2.0-only */
/* The sessions that the tests of regs and vectors start from: not attached. */
#ifndef PFM_TEST_REGS_FIXTURE_H
#define PFM_TEST_REGS_FIXTURE_H

#include <stdint.h>
#include <unistd.h>

#include "pfm_test.h"
#include "pmu.h"

#define PMD PFM_RWFL_PMD
#define PMC PFM_RWFL_PMC
#define PMD_ATTR (PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR)

/* With a register, whichever this processor has. */
FIXTURE(session)
{
	int fd;
	uint16_t pmd;
};

FIXTURE_SETUP(session)
{
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	self->pmd = pmu_first()->pmd;
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

/* With counters. */
FIXTURE(counters)
{
	int fd;
	uint16_t pmc;
	uint16_t pmd;
	uint16_t pmd2; /* another one */
};

FIXTURE_SETUP(counters)
{
	const struct pmu *pmu = pmu_get();

	NEEDS_COUNTERS();
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_LE(2U, pmu->counters);
	self->pmc = pmu->counter[0].pmc;
	self->pmd = pmu->counter[0].pmd;
	self->pmd2 = pmu->counter[1].pmd;
}

FIXTURE_TEARDOWN(counters)
{
	close(self->fd);
}

#endif
