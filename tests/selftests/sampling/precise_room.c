// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of instruction-based sampling and the buffers of the format "precise": full
 * ones, records that are lost, members of families, and samples that waited.
 */
#include <errno.h>

#include "array_size.h"
#include "child.h"
#include "family.h"
#include "family_buffers.h"
#include "instruction_track.h"
#include "message.h"
#include "msr.h"
#include "overflow_period.h"
#include "pingpong.h"
#include "precise_fixture.h"

/* Room for some 30 records without blocks. */
#define SCANTY 4096

static uint64_t lost(int fd)
{
	struct pfarg_setinfo info = { 0 };

	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1))
		return ~0ULL;
	return info.set_reserved3[PFM_LOSS_OVERFLOWS];
}

/* A scanty session of the caller that says when it is full. */
static bool open_scanty(struct precise *p, uint32_t buf_flags)
{
	const struct pfarg_pmd_attr attr = { 0 };

	return !precise_open_sized(p, SCANTY, buf_flags, 0) &&
	       !write_op(p->fd, 0) &&
	       !write_pmd_attr(p->fd, PMD_OP, PFM_REGFL_OVFL_NOTIFY, 0,
			       &attr) &&
	       !attach_self(p->fd);
}

/* The samples of one run of the track that has room for all. */
static uint64_t samples_of_track(void)
{
	uint64_t samples = 0;
	struct precise p;

	if (open_with(&p, 0, 0))
		return 0;
	if (!write_op(p.fd, 0) && !attach_self(p.fd) &&
	    !track_run(p.fd, ROUNDS))
		samples = p.hdr->hdr_count;
	precise_close(&p);
	return samples;
}

FIXTURE(records)
{
	uint64_t samples;
};

FIXTURE_SETUP(records)
{
	if (!has_ibs())
		SKIP(return, "no instruction-based sampling");
	self->samples = samples_of_track();
	/* Both halves of a scanty buffer, and as many again. */
	ASSERT_LT(100, self->samples);
}

FIXTURE_TEARDOWN(records)
{
}

TEST_F(records, a_full_buffer_stops_the_session_until_a_restart)
{
	union pfarg_msg msg;
	uint64_t full;
	struct precise p;

	ASSERT_TRUE(open_scanty(&p, 0));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	EXPECT_EQ(0, message_take(p.fd, &msg));
	EXPECT_EQ(PFM_MSG_OVFL, msg.type);
	EXPECT_EQ(EAGAIN, message_take(p.fd, &msg));
	full = p.hdr->hdr_cur_offs;
	EXPECT_EQ(1, p.hdr->hdr_overflows);
	EXPECT_LT(20, p.hdr->hdr_count);
	EXPECT_EQ(sizeof(*p.hdr) +
			  p.hdr->hdr_count *
				  sizeof(struct pfm_precise_smpl_entry),
		  full);
	ASSERT_EQ(0, period_restart(p.fd));
	EXPECT_EQ(0, p.hdr->hdr_count);
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	EXPECT_EQ(2, p.hdr->hdr_overflows);
	EXPECT_EQ(full, p.hdr->hdr_cur_offs);
	EXPECT_EQ(0, lost(p.fd));
	precise_close(&p);
}

TEST_F(records, the_session_goes_on_while_a_half_is_free)
{
	const size_t entry = sizeof(struct pfm_precise_smpl_entry);
	uint64_t stored;
	struct precise p;

	ASSERT_TRUE(open_scanty(&p, HALVES));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	EXPECT_EQ(2, p.hdr->hdr_overflows);
	stored = (p.hdr->hdr_full_offs[0] - sizeof(*p.hdr)) / entry +
		 (p.hdr->hdr_full_offs[1] - sizeof(*p.hdr) -
		  p.hdr->hdr_half_size) /
			 entry;
	EXPECT_LT(20, stored);
	/* What finds no room is counted; the kernel's part is not always the same. */
	EXPECT_LT(self->samples * 9 / 10, stored + lost(p.fd));
	EXPECT_GT(self->samples * 11 / 10, stored + lost(p.fd));
	ASSERT_EQ(0, period_restart(p.fd));
	EXPECT_EQ(1, p.hdr->hdr_released);
	EXPECT_EQ(0, p.hdr->hdr_count);
	precise_close(&p);
}

static size_t take_record(struct samples *s, unsigned int cpu, const void *at)
{
	const struct pfm_precise_smpl_entry *entry = at;
	unsigned int i;

	s->moved += entry->cpu != cpu;
	s->wrong += entry->ovfl_pmd != PMD_OP ||
		    !(entry->flags & PFM_PRECISE_SMPL_EXACT);
	for (i = 0; i < s->nr_tids && s->tids[i] != entry->pid; i++)
		;
	if (i == s->nr_tids && i < ARRAY_SIZE(s->tids))
		s->tids[s->nr_tids++] = entry->pid;
	s->seen++;
	return entry->size;
}

TEST_F(records, members_of_a_family_have_their_own)
{
	static const char *const words[FAMILY_WORDS] = { "forks", "5",
							 "400000" };
	const uint64_t executed = 5 * 400000 * 2;
	struct samples s;

	ASSERT_TRUE(samples_open_precise(&s, 1 << 18));
	s.take = take_record;
	ASSERT_EQ(0, write_op(s.fd, 0));
	EXPECT_EQ(0, child_wait(family_start(s.fd, words)));
	ASSERT_EQ(0, samples_until_end(&s, false));
	samples_take_all(&s);
	EXPECT_EQ(0, s.wrong);
	EXPECT_LE(5, s.nr_tids);
	EXPECT_LT(executed / PERIOD * 3 / 4, s.seen);
	EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

/* A counter that never overflows is there for the format's own test. */
TEST_F(records, members_of_a_family_have_samples_in_older_formats)
{
	static const char *const words[FAMILY_WORDS] = { "forks", "5",
							 "400000" };
	const uint64_t executed = 5 * 400000 * 2;
	struct samples s;

	ASSERT_TRUE(samples_open(&s, 0, 8000, 1ULL << 40));
	ASSERT_EQ(0, write_op(s.fd, 0));
	EXPECT_EQ(0, child_wait(family_start(s.fd, words)));
	ASSERT_EQ(0, samples_until_end(&s, false));
	samples_take_all(&s);
	EXPECT_LE(5, s.nr_tids);
	EXPECT_LT(executed / PERIOD * 3 / 4, s.seen_of[PMD_OP]);
	EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

/* While interrupts are lost, the next switch of the thread finds the sample. */
TEST_F(records, a_sample_that_waited_for_a_switch_says_so)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int late = 0, in_time = 0;
	struct pingpong pingpong;
	struct precise p;
	int msr;

	msr = msr_open(0);
	ASSERT_LE(0, msr);
	ASSERT_EQ(0, pingpong_start(&pingpong, 0, NULL));
	ASSERT_EQ(0, open_with(&p, 0, 0));
	ASSERT_EQ(0, write_op(p.fd, 0));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_LOSE, 20)));
	ASSERT_EQ(0, pingpong_play(&pingpong, 2000));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	pingpong_stop(&pingpong);
	close(msr);
	while ((entry = precise_next(&p, entry)))
		if (entry->flags & PFM_PRECISE_SMPL_LATE)
			late++;
		else
			in_time++;
	EXPECT_LE(10, late);
	EXPECT_LT(20, in_time);
	precise_close(&p);
}

TEST_F(records, fetches_have_their_address_and_registers)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	const struct pfm_precise_smpl_blocks *blocks;
	const struct pfm_precise_smpl_raw *raw;
	const uint64_t *registers;
	unsigned int user = 0;
	struct precise p;

	ASSERT_EQ(0, open_with(&p, 0, RAW));
	ASSERT_EQ(0, write_pmd(p.fd, PMD_FETCH, 0));
	ASSERT_EQ(0, write_pmc(p.fd, PMC_FETCH, FETCH_ENABLE | PERIOD >> 4));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	while ((entry = precise_next(&p, entry))) {
		blocks = precise_after_ips(entry);
		raw = (const void *)(blocks + 1);
		registers = (const void *)(raw + 1);
		ASSERT_EQ(RAW, blocks->present);
		EXPECT_EQ(PFM_PRECISE_SMPL_RAW_IBS_FETCH, raw->kind);
		EXPECT_EQ(32, raw->bytes);
		EXPECT_EQ(PMD_FETCH, entry->ovfl_pmd);
		EXPECT_NE(0, entry->flags & PFM_PRECISE_SMPL_EXACT);
		EXPECT_EQ(entry->ip, registers[1]);
		EXPECT_EQ(-(uint64_t)PERIOD, entry->last_reset_val);
		user += track_position(entry->ip) >= 0;
	}
	/* Each fourth instruction is a fetch. */
	EXPECT_LT(9 * ROUNDS * TRACK_ROUND / PERIOD / 4 / 10, user);
	precise_close(&p);
}

TEST_HARNESS_MAIN
