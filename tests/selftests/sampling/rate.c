// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that double while there are more samples than a rate: each sample tells by how
 * much its own had, the samples together stand for all instructions, and they are thinned
 * out to as many as the rate allows.
 */
#include <errno.h>

#include "array_size.h"
#include "attr.h"
#include "default_format.h"
#include "instruction_track.h"
#include "machine.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define BUFFER (1 << 20)
#define MASK 0x3ffULL
#define LEAST 3000ULL

/* The kernel looks at a rate after so many samples. */
#define LOOK 64

static int program(int fd, uint64_t least, uint32_t rate)
{
	struct pfarg_pmd_attr attr = {
		.reg_random_mask = MASK,
		.reg_smpl_rate = rate,
	};

	return period_program(fd, pmu_first(), PFM_REGFL_RANDOM, least, &attr);
}

/* The samples of a track. */
struct sampled {
	const struct pfm_dfl_smpl_entry *last;
	uint64_t count;
	uint64_t doubled; /* of the last one */
	uint64_t kept; /* as if all had had its period */
	uint64_t odd; /* periods among those that had doubled twice */
};

/* Of a run after those that @sampled has: no instruction is missing. */
static void check_track(struct __test_metadata *_metadata,
			const struct sampler *sampler, unsigned long rounds,
			struct sampled *sampled)
{
	const struct pfm_dfl_smpl_entry *entry = sampled->last;
	uint64_t position = 0, period, bits, value;
	struct pfarg_pmd_attr attr;

	*sampled = (struct sampled){ .last = entry };
	ASSERT_EQ(0, track_run(sampler->fd, rounds));
	while ((entry = sampler_next(sampler, entry, 0))) {
		period = -entry->last_reset_val;
		bits = (1ULL << entry->doubled) - 1;
		ASSERT_LE(sampled->doubled, entry->doubled);
		if (position) { /* the first one was written */
			ASSERT_LE((LEAST << entry->doubled) - (bits + 1) / 2,
				  period);
			ASSERT_GE(((LEAST + MASK + 1) << entry->doubled),
				  period);
		}
		sampled->odd += entry->doubled > 1 && period % 2;
		position += period;
		ASSERT_EQ(track_ip(rounds, position + 1), entry->ip);
		sampled->kept >>= entry->doubled - sampled->doubled;
		sampled->kept += 1ULL << 32;
		sampled->doubled = entry->doubled;
		sampled->last = entry;
		sampled->count++;
	}
	sampled->kept >>= 32;
	ASSERT_EQ(0,
		  read_pmd_attr(sampler->fd, pmu_first()->pmd, &value, &attr));
	EXPECT_EQ(track_length(rounds),
		  position + (value - attr.reg_last_value));
	EXPECT_LE(sampled->doubled, attr.reg_smpl_doubled);
	EXPECT_GE(sampled->doubled + 1, attr.reg_smpl_doubled);
}

FIXTURE(self)
{
	struct sampler sampler;
};

FIXTURE_SETUP(self)
{
	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, sampler_open(&self->sampler, 0, BUFFER));
	ASSERT_EQ(0, attach_self(self->sampler.fd));
}

FIXTURE_TEARDOWN(self)
{
	sampler_close(&self->sampler);
}

TEST_F(self, samples_are_thinned_out_to_those_of_a_second)
{
	const unsigned int rate = 500;
	struct sampled s = { 0 };

	ASSERT_EQ(0, program(self->sampler.fd, LEAST, rate));
	check_track(_metadata, &self->sampler, 4000000, &s);
	EXPECT_LT(0, s.doubled);
	EXPECT_LT(rate, s.count);
	EXPECT_LE(rate / 2 - LOOK, s.kept);
	EXPECT_GE(rate + LOOK, s.kept);
	/* Multiples of a power of two would keep step with loops. */
	EXPECT_LT(0, s.odd);
}

TEST_F(self, a_counter_that_others_reset_is_not_sampled)
{
	const struct pmu_counter *other = &pmu_get()->counter[1];
	struct pfarg_pmd_attr attr = { .reg_random_mask = MASK,
				       .reg_smpl_rate = 1 };
	uint64_t value;

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	ASSERT_EQ(0, period_program(self->sampler.fd, other, PFM_REGFL_RANDOM,
				    1000000, &attr));
	attr = (struct pfarg_pmd_attr){ 0 };
	pmd_mark(attr.reg_reset_pmds, other->pmd);
	ASSERT_EQ(0, period_program(self->sampler.fd, pmu_first(), 0, 1009,
				    &attr));
	ASSERT_EQ(0, track_run(self->sampler.fd, 100000));
	EXPECT_LT(4 * LOOK, self->sampler.hdr->hdr_count);
	ASSERT_EQ(0,
		  read_pmd_attr(self->sampler.fd, other->pmd, &value, &attr));
	EXPECT_EQ(1, attr.reg_smpl_rate);
	EXPECT_EQ(0, attr.reg_smpl_doubled);
}

TEST_F(self, a_period_that_is_long_enough_stays)
{
	struct sampled s = { 0 };

	ASSERT_EQ(0, program(self->sampler.fd, LEAST, 1000000));
	check_track(_metadata, &self->sampler, 200000, &s);
	EXPECT_EQ(0, s.doubled);
	EXPECT_LT(4 * LOOK, s.count);
}

/* Of some 400 samples of the first period, those before the first look. */
TEST_F(self, a_burst_ends_at_the_first_look)
{
	struct sampled s = { 0 };

	ASSERT_EQ(0, program(self->sampler.fd, LEAST, 50));
	check_track(_metadata, &self->sampler, 200000, &s);
	EXPECT_LT(2, s.doubled);
	EXPECT_LE(LOOK, s.count);
	EXPECT_GE(2 * LOOK, s.count);
}

TEST_F(self, a_rate_that_is_written_anew_begins_anew)
{
	struct sampled s = { 0 };
	int i;

	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, program(self->sampler.fd, LEAST, 50));
		check_track(_metadata, &self->sampler, 200000, &s);
		EXPECT_LT(1, s.doubled);
		EXPECT_LE(LOOK, s.count);
	}
}

static const struct {
	const char *name;
	uint32_t flags;
	struct pfarg_pmd_attr attr;
	int error;
} wishes[] = {
	{ "a rate",
	  PFM_REGFL_RANDOM,
	  { .reg_smpl_rate = 1000000,
	    .reg_long_reset = -1000,
	    .reg_short_reset = -1000 },
	  0 },
	{ "what is only told", 0, { .reg_smpl_doubled = 7 }, 0 },
	{ "more than there may be",
	  PFM_REGFL_RANDOM,
	  { .reg_smpl_rate = 1000001,
	    .reg_long_reset = -1000,
	    .reg_short_reset = -1000 },
	  EINVAL },
	{ "periods that do not vary",
	  0,
	  { .reg_smpl_rate = 1000,
	    .reg_long_reset = -1000,
	    .reg_short_reset = -1000 },
	  EINVAL },
	{ "no period after a sample",
	  PFM_REGFL_RANDOM,
	  { .reg_smpl_rate = 1000, .reg_long_reset = -1000 },
	  EINVAL },
	{ "no period after a restart",
	  PFM_REGFL_RANDOM,
	  { .reg_smpl_rate = 1000, .reg_short_reset = -1000 },
	  EINVAL },
};

TEST_F(self, what_makes_no_sense_with_a_rate_is_refused)
{
	struct pfarg_pmd_attr attr, before;
	uint64_t value;
	size_t i;

	ASSERT_EQ(0, program(self->sampler.fd, LEAST, 77));
	ASSERT_EQ(0, read_pmd_attr(self->sampler.fd, pmu_first()->pmd, &value,
				   &before));
	EXPECT_EQ(77, before.reg_smpl_rate);
	for (i = ARRAY_SIZE(wishes); i-- > 0;) {
		EXPECT_EQ(wishes[i].error,
			  ERRNO(write_pmd_attr(
				  self->sampler.fd, pmu_first()->pmd,
				  wishes[i].flags, -1000, &wishes[i].attr)))
		{
			TH_LOG("%s", wishes[i].name);
		}
		ASSERT_EQ(0, read_pmd_attr(self->sampler.fd, pmu_first()->pmd,
					   &value, &attr));
		EXPECT_EQ(0, attr.reg_smpl_doubled);
		EXPECT_EQ(!wishes[i].error ? wishes[i].attr.reg_smpl_rate :
					     before.reg_smpl_rate,
			  attr.reg_smpl_rate);
	}
}

TEST_HARNESS_MAIN
