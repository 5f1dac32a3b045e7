// SPDX-License-Identifier: GPL-2.0-only
/*
 * A period of more than 2^32 instructions: the hardware counts it in parts, and
 * the sample comes at the very instruction, also of counters whose parts end at the
 * same one. Takes half a minute, therefore a program of its own.
 */
#include "default_format.h"
#include "instruction_track.h"
#include "machine.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD ((1ULL << 32) + 4096)

/* A track that is a little longer. */
#define ROUNDS (unsigned long)(PERIOD / TRACK_ROUND + 4)

FIXTURE(self)
{
	struct sampler sampler;
	const struct pmu_counter *counter;
	unsigned int counters;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	self->counter = pmu_get()->counter;
	self->counters = pmu_get()->counters > 1 ? 2 : 1;
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, dfl_size(10)));
	/* The first counter of P6 enables the others: program it last. */
	for (unsigned int i = self->counters; i-- > 0;)
		ASSERT_EQ(0, period_program(self->sampler.fd, &self->counter[i],
					    0, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(self->sampler.fd));
}

FIXTURE_TEARDOWN(self)
{
	sampler_close(&self->sampler);
}

TEST_F_TIMEOUT(self, periods_above_32_bits_are_exact, 600)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	uint64_t value;

	if (kernel_is_slow())
		SKIP(return, "four billion instructions on a slow kernel");
	ASSERT_EQ(0, track_run(self->sampler.fd, ROUNDS));
	ASSERT_EQ(track_length(ROUNDS) / PERIOD * self->counters,
		  self->sampler.hdr->hdr_count);
	for (unsigned int i = 0; i < self->counters; i++) {
		entry = sampler_next(&self->sampler, entry, 0);
		EXPECT_EQ(self->counter[i].pmd, entry->ovfl_pmd);
		EXPECT_EQ(track_ip(ROUNDS, PERIOD + 1), entry->ip);
		EXPECT_EQ(-PERIOD, entry->last_reset_val);
		/* What came after it. */
		ASSERT_EQ(0, read_pmd(self->sampler.fd, self->counter[i].pmd,
				      &value));
		EXPECT_EQ(-PERIOD + track_length(ROUNDS) % PERIOD, value);
	}
}

TEST_HARNESS_MAIN
