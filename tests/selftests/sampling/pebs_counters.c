// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS by counter and by group: each counter that sysfs names makes them, fixed
 * ones as well, and a record is no longer than what the session stores of it.
 *
 * See pebs.c for what the machine puts into a record.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "array_size.h"
#include "instruction_track.h"
#include "machine.h"
#include "msr.h"
#include "overflow_period.h"
#include "pebs.h"
#include "perf.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"

#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
#define RECORDS 101ull
#define ROUNDS \
	((unsigned long)((RECORDS * (PERIOD + 1) + PERIOD / 2) / TRACK_ROUND))
#define BUFFER (1 << 20)

#define MEM PFM_PRECISE_SMPL_MEM
#define GPRS PFM_PRECISE_SMPL_GPRS

#define MSR_PEBS_DATA_CFG 0x3f2

/* Fixed counter 0 counts instructions, and the field of each one has a bit for the user. */
#define FIXED_INSTRUCTIONS 0
#define FIXED_USER(n) (2ull << 4 * (n))

FIXTURE(counters)
{
	unsigned int format;
	uint64_t mask;
};

FIXTURE_SETUP(counters)
{
	if (!pebs_exists())
		SKIP(return, "no PEBS");
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pebs_read(&self->format, &self->mask));
	ASSERT_EQ(0, pebs_take_the_cpu());
}

FIXTURE_TEARDOWN(counters)
{
}

static int open_with(struct precise *p, uint32_t blocks)
{
	const struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER,
						  .blocks = blocks };

	return precise_open(p, 0, &arg);
}

/* Instructions of the user by a counter, which is a bit of PEBS_ENABLE. */
static int sample_by(int fd, unsigned int bit, uint64_t period)
{
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
					     .reg_short_reset = -period };
	const unsigned int n = bit - PEBS_FIXED_BIT;

	if (bit < PEBS_FIXED_BIT)
		return pebs_program(fd, bit, PEBS_INSTRUCTIONS, 0, period);
	if (write_pmc(fd, PMC_FIXED_CTRL, FIXED_USER(n)))
		return -1;
	return write_pmd_attr(fd, (uint16_t)(PMD_FIXED + n), 0, -period, &attr);
}

static unsigned int pmd_of(unsigned int bit)
{
	return bit < PEBS_FIXED_BIT ? bit : PMD_FIXED + bit - PEBS_FIXED_BIT;
}

TEST_F(counters, each_counter_makes_records)
{
	const struct pfm_precise_smpl_entry *entry;
	unsigned int bit, fixed = 0;
	struct precise p;
	uint64_t k, value;

	for (bit = 0; bit <= PEBS_FIXED_BIT + FIXED_INSTRUCTIONS; bit++) {
		if (!(self->mask >> bit & 1))
			continue;
		ASSERT_EQ(0, open_with(&p, GPRS | MEM));
		ASSERT_EQ(0, sample_by(p.fd, bit, PERIOD));
		ASSERT_EQ(0, write_pmc(p.fd, PMC_PEBS_ENABLE, 1ULL << bit));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, track_run(p.fd, ROUNDS));
		for (entry = NULL, k = 0; (entry = precise_next(&p, entry));) {
			k++;
			ASSERT_EQ(track_ip(ROUNDS,
					   k * (PERIOD + 1) + pebs_late()),
				  entry->ip)
			{
				TH_LOG("counter %u", bit);
			}
			/* That is in the registers of later formats. */
			ASSERT_EQ(pebs_late() ? 0 :
						track_ip(ROUNDS,
							 k * (PERIOD + 1) + 1),
				  entry->next_ip);
			ASSERT_EQ(pmd_of(bit), entry->ovfl_pmd);
			ASSERT_EQ(1ULL << pmd_of(bit), entry->pmds);
		}
		EXPECT_EQ(track_length(ROUNDS) / (PERIOD + 1), k);
		ASSERT_EQ(0, read_pmd(p.fd, (uint16_t)pmd_of(bit), &value));
		EXPECT_EQ(track_length(ROUNDS) % (PERIOD + 1), value + PERIOD);
		precise_close(&p);
		fixed += bit >= PEBS_FIXED_BIT;
	}
	EXPECT_EQ(self->format >= PEBS_FORMAT_GROUPS, fixed);
}

TEST_F(counters, a_fixed_one_and_others_have_one_record_together)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	const uint64_t twice = 2 * PERIOD + 1;
	struct precise p;
	uint64_t k = 0, value;

	if (self->format < PEBS_FORMAT_GROUPS)
		SKIP(return, "fixed counters make no records");
	ASSERT_EQ(0, open_with(&p, 0));
	ASSERT_EQ(0, sample_by(p.fd, PEBS_FIXED_BIT, PERIOD));
	ASSERT_EQ(0, sample_by(p.fd, 5, twice));
	/* A fixed one beside them that counts only: unhalted cycles. */
	ASSERT_EQ(0, write_pmc(p.fd, PMC_FIXED_CTRL,
			       FIXED_USER(0) | FIXED_USER(1)));
	ASSERT_EQ(0, write_pmd(p.fd, PMD_FIXED + 1, 0));
	ASSERT_EQ(0, write_pmc(p.fd, PMC_PEBS_ENABLE,
			       1ULL << PEBS_FIXED_BIT | 1ULL << 5));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	while ((entry = precise_next(&p, entry))) {
		k++;
		ASSERT_EQ(track_ip(ROUNDS, k * (PERIOD + 1)), entry->ip);
		ASSERT_EQ(k % 2 ? 0x10000 : 0x10020, entry->pmds);
		ASSERT_EQ(k % 2 ? PMD_FIXED : 5, entry->ovfl_pmd);
	}
	EXPECT_EQ(track_length(ROUNDS) / (PERIOD + 1), k);
	ASSERT_EQ(0, read_pmd(p.fd, PMD_FIXED + 1, &value));
	EXPECT_LE(track_length(ROUNDS), value);
	precise_close(&p);
}

TEST_F(counters, records_have_the_groups_that_are_stored)
{
	static const uint32_t blocks[] = { 0, MEM, GPRS, GPRS | MEM };
	const bool groups = self->format >= PEBS_FORMAT_GROUPS;
	const struct pfm_precise_smpl_blocks *present;
	const struct pfm_precise_smpl_entry *entry;
	uint64_t k, interrupts;
	struct precise p;
	unsigned int half;
	size_t i;
	int msr;

	msr = msr_open(0);
	ASSERT_LE(0, msr);
	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		const struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER,
							  .blocks = blocks[i],
							  .batch = 1 << 20 };
		const unsigned long rounds = 20 * ROUNDS;

		ASSERT_EQ(0, precise_open(&p, 0, &arg));
		ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		interrupts = msr_stat(msr, PMU_STAT_PMI);
		ASSERT_EQ(0, track_run(p.fd, rounds));
		interrupts = msr_stat(msr, PMU_STAT_PMI) - interrupts;
		for (entry = NULL, k = 0; (entry = precise_next(&p, entry));) {
			k++;
			ASSERT_EQ(track_ip(rounds,
					   k * (PERIOD + 1) + pebs_late()),
				  entry->ip);
			ASSERT_EQ(
				pebs_late() || (groups && !(blocks[i] & GPRS)) ?
					0 :
					track_ip(rounds, k * (PERIOD + 1) + 1),
				entry->next_ip);
			present = precise_after_ips(entry);
			if (blocks[i])
				ASSERT_EQ(blocks[i], present->present);
		}
		EXPECT_EQ(track_length(rounds) / (PERIOD + 1), k);
		/* The memory of a CPU has room for the more of them. */
		half = 0x10000 / pebs_record_bytes(blocks[i]) / 2;
		EXPECT_GE(k / half, interrupts);
		EXPECT_EQ(groups && !blocks[i] ? 1024 : half, half);
		precise_close(&p);
	}
	close(msr);
}

/*
 * An erratum: some records say no counter. With one counter that makes records all are of
 * it, and with two these are left out.
 */
TEST_F(counters, records_without_counters_are_of_the_only_one)
{
	const unsigned int without = 3;
	struct precise p;
	unsigned int n;
	int msr;

	if (self->format >= PEBS_FORMAT_STATUS)
		SKIP(return, "records have their counters");
	msr = msr_open(0);
	ASSERT_LE(0, msr);
	for (n = 1; n <= 2; n++) {
		ASSERT_EQ(0, open_with(&p, 0));
		ASSERT_EQ(0, sample_by(p.fd, 0, PERIOD));
		ASSERT_EQ(0, sample_by(p.fd, 1, 1000 * RECORDS * PERIOD));
		ASSERT_EQ(0, write_pmc(p.fd, PMC_PEBS_ENABLE, n == 1 ? 1 : 3));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_PEBS_STATUS0,
						      without)));
		ASSERT_EQ(0, track_run(p.fd, ROUNDS));
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
		EXPECT_EQ(track_length(ROUNDS) / (PERIOD + 1),
			  p.hdr->hdr_count + p.hdr->hdr_ambiguous);
		EXPECT_EQ(n == 1 ? 0 : without, p.hdr->hdr_ambiguous);
		precise_close(&p);
	}
	close(msr);
}

TEST_F(counters, periods_are_not_shorter_than_errata_permit)
{
	struct precise p;

	ASSERT_EQ(0, open_with(&p, 0));
	ASSERT_EQ(0, write_pmc(p.fd, PMC_PEBS_ENABLE, 1));
	EXPECT_EQ(0,
		  pebs_program(p.fd, 0, PEBS_INSTRUCTIONS, 0, pebs_shortest()));
	EXPECT_EQ(EINVAL, ERRNO(pebs_program(p.fd, 0, PEBS_INSTRUCTIONS, 0,
					     pebs_shortest() - 1)));
	precise_close(&p);
}

TEST_F(counters, perf_event_finds_its_groups_again)
{
	const uint64_t found = 4;
	struct precise p;
	uint64_t before, value;
	int msr;

	if (self->format < PEBS_FORMAT_GROUPS)
		SKIP(return, "records have no groups");
	msr = msr_open(0);
	ASSERT_LE(0, msr);
	EXPECT_STREQ("", perf_trouble());
	ASSERT_EQ(sizeof(before),
		  pread(msr, &before, sizeof(before), MSR_PEBS_DATA_CFG));
	ASSERT_EQ(sizeof(found),
		  pwrite(msr, &found, sizeof(found), MSR_PEBS_DATA_CFG));
	ASSERT_EQ(0, open_with(&p, MEM));
	ASSERT_EQ(0, pebs_instructions(p.fd, 0, PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	ASSERT_EQ(sizeof(value),
		  pread(msr, &value, sizeof(value), MSR_PEBS_DATA_CFG));
	EXPECT_EQ(1, value);
	EXPECT_EQ(track_length(ROUNDS) / (PERIOD + 1), p.hdr->hdr_count);
	precise_close(&p);
	ASSERT_EQ(sizeof(value),
		  pread(msr, &value, sizeof(value), MSR_PEBS_DATA_CFG));
	EXPECT_EQ(found, value);
	ASSERT_EQ(sizeof(before),
		  pwrite(msr, &before, sizeof(before), MSR_PEBS_DATA_CFG));
	close(msr);
}

TEST_HARNESS_MAIN
