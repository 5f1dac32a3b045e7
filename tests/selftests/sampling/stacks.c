// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "stacks": the call chains of programs and of the kernel, the
 * entries and the header. The code that is sampled is frame_track.c, in which the
 * frame pointer is known.
 */
#include "array_size.h"
#include "attr.h"
#include "default_format.h"
#include "kernel_symbol.h"
#include "machine.h"
#include "message.h"
#include "stacks_fixture.h"

TEST_F(stacks, functions_that_call_each_other_are_a_chain)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int i, n = 0;

	track_calls(1);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	track_calls(ROUNDS);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	while ((entry = next_sample(&self->stacker, entry, track_has_calls))) {
		n++;
		ASSERT_EQ(1 + TRACK_CALLS, entry->nr);
		ASSERT_EQ(0, entry->nr_kernel);
		ASSERT_EQ(WORD_FLAG, entry->flags);
		ASSERT_EQ(entry->ip, stacker_ips(entry)[0]);
		for (i = 0; i < TRACK_CALLS; i++)
			ASSERT_EQ(track_return_address(i),
				  stacker_ips(entry)[1 + i]);
	}
	EXPECT_LE(19, n);
}

TEST_F(stacks, an_entry_tells_of_an_overflow_as_the_default_format_does)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	uint64_t last[8] = { 0 };

	ASSERT_EQ(0, sample_frames(self->fd, 0));
	EXPECT_LT(19, self->stacker.hdr->hdr_count);
	while ((entry = stacker_next(&self->stacker, entry))) {
		ASSERT_EQ((uint32_t)gettid(), entry->pid);
		ASSERT_EQ((uint32_t)getpid(), entry->tgid);
		ASSERT_EQ(self->pmd, entry->ovfl_pmd);
		ASSERT_EQ(0, entry->set);
		ASSERT_EQ(-PERIOD, (int64_t)entry->last_reset_val);
		ASSERT_GT(ARRAY_SIZE(last), entry->cpu);
		ASSERT_LT(last[entry->cpu], entry->tstamp);
		last[entry->cpu] = entry->tstamp;
	}
}

TEST_F(stacks, without_a_frame_pointer_there_is_one_address)
{
	ASSERT_EQ(0, sample_frames(self->fd, 0));
	EXPECT_CHAIN(1, 0);
}

TEST_F(stacks, a_chain_of_16_frames_is_found)
{
	lay_chain(self->frames, 16);
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(17, 0);
}

TEST_F(stacks, a_chain_that_just_fits_is_whole)
{
	lay_chain(self->frames, MAX - 1);
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(MAX, 0);
}

TEST_F(stacks, a_deeper_chain_is_cut)
{
	lay_chain(self->frames, MAX);
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(MAX, CUT);
}

TEST_F(stacks, frames_may_lie_anywhere)
{
	struct frame *frames = self->frames;

	/* As with a signal handler that has a stack of its own. */
	frames[5] = (struct frame){ (uintptr_t)&frames[2], MADE_UP };
	frames[2] = (struct frame){ (uintptr_t)&frames[9], MADE_UP + 1 };
	frames[9] = (struct frame){ (uintptr_t)&frames[0], MADE_UP + 2 };
	frames[0] = (struct frame){ 0, MADE_UP + 3 };
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)&frames[5]));
	EXPECT_CHAIN(5, 0);
}

TEST_F(stacks, a_return_address_of_zero_ends_the_chain)
{
	lay_chain(self->frames, 3);
	self->frames[2] = (struct frame){ (uintptr_t)self->frames, 0 };
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(3, 0);
}

TEST_F(stacks, the_values_of_other_pmds_follow_the_addresses)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	uint64_t last = 0;
	unsigned int n = 0;
	uint16_t other;

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	other = pmu_get()->counter[1].pmd;
	ASSERT_EQ(0, pmu_count_user(self->fd, &pmu_get()->counter[1], 5));
	pmd_mark(attr.reg_smpl_pmds, self->pmd);
	pmd_mark(attr.reg_smpl_pmds, other);
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, PERIOD, &attr));
	lay_chain(self->frames, 4);
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	while ((entry = next_sample(&self->stacker, entry, track_has_frames))) {
		const uint64_t *values = stacker_values(entry);

		n++;
		ASSERT_EQ(5, entry->nr);
		ASSERT_EQ(sizeof(*entry) + 8 * (5 + 2), entry->size);
		ASSERT_EQ(MADE_UP + 3, stacker_ips(entry)[4]);
		ASSERT_EQ(0, values[0]);
		ASSERT_EQ(5, values[1] % PERIOD);
		ASSERT_LT(last, values[1]);
		last = values[1];
	}
	EXPECT_LE(19, n);
}

TEST_F(stacks, pmds_that_overflow_together_have_the_same_stack)
{
	const struct pmu *pmu = pmu_get();
	const struct pfm_stacks_smpl_entry *entry = NULL;
	uint64_t stamp = 0;
	unsigned int i;

	for (i = pmu->counters; i-- > 0;)
		ASSERT_EQ(0, period_program(self->fd, &pmu->counter[i], 0,
					    PERIOD, NULL));
	lay_chain(self->frames, 16);
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(17, 0);
	/* Of one interrupt. */
	for (i = 0; i < pmu->counters; i++) {
		entry = next_sample(&self->stacker, entry, track_has_frames);
		ASSERT_NE(NULL, entry);
		EXPECT_EQ(pmu->counter[i].pmd, entry->ovfl_pmd);
		EXPECT_EQ(i ? stamp : entry->tstamp, entry->tstamp);
		stamp = entry->tstamp;
	}
}

/* The period is prime, so that each instruction is hit, the calls included. */
static int sample_system_calls(int fd, uintptr_t fp)
{
	track_system_calls(1, 0);
	if (pfm_start_session(fd, 0))
		return -1;
	track_system_calls(ROUNDS, fp);
	return pfm_stop_session(fd, 0);
}

TEST_F(stacks, who_does_not_count_the_kernel_does_not_see_it)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int i, calls = 0;

	lay_chain(self->frames, 3);
	ASSERT_EQ(0, sample_system_calls(self->fd, (uintptr_t)self->frames));
	while ((entry = stacker_next(&self->stacker, entry))) {
		ASSERT_EQ(0, entry->nr_kernel);
		for (i = 0; i < entry->nr; i++)
			ASSERT_FALSE(stacks_of_kernel(stacker_ips(entry)[i]));
		if (entry->ip != track_after_system_call())
			continue;
		calls++;
		ASSERT_EQ(4, entry->nr);
		ASSERT_EQ(MADE_UP + 2, stacker_ips(entry)[3]);
	}
	EXPECT_LT(3, calls);
}

/* Where system calls begin has fewer bytes. */
#define ENTRY_TEXT 0x4000

TEST_F(stacks, a_chain_goes_from_the_kernel_to_the_program)
{
	const struct pmu_counter *counter = pmu_first();
	const struct pfm_stacks_smpl_entry *entry = NULL;
	uint64_t begin = kernel_symbol("__entry_text_start");
	/* Of a kernel that checks itself the way out of an interrupt is long. */
	const uint64_t period = kernel_is_slow() ? 99991 : PERIOD;
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -period,
					     .reg_short_reset = -period };
	unsigned int i, n = 0, entered = 0;
	/* Such a period leaves few samples of each run. */
	int runs = kernel_is_slow() ? 4 : 1;

	ASSERT_NE(0, begin);
	ASSERT_EQ(0, pmu_program(self->fd, counter, counter->kernel, 0));
	ASSERT_EQ(0, write_pmd_attr(self->fd, self->pmd, 0, -period, &attr));
	lay_chain(self->frames, 3);
	while (runs--)
		ASSERT_EQ(0, sample_system_calls(self->fd,
						 (uintptr_t)self->frames));
	while ((entry = stacker_next(&self->stacker, entry)) && n < 50) {
		const uint64_t *ips = stacker_ips(entry);
		unsigned int k = entry->nr_kernel;

		if (!k || ips[k] != track_after_system_call())
			continue;
		n++;
		ASSERT_EQ(entry->ip, ips[0]);
		ASSERT_EQ(k + 4, entry->nr);
		ASSERT_EQ(WORD_FLAG, entry->flags);
		for (i = 0; i < k; i++)
			ASSERT_TRUE(stacks_of_kernel(ips[i]));
		for (i = 0; i < 3; i++)
			ASSERT_EQ(MADE_UP + i, ips[k + 1 + i]);
		if (k > 1)
			entered += ips[k - 1] - begin < ENTRY_TEXT;
	}
	EXPECT_LT(20, n);
	/* All others are called by the entry, which itself has no caller. */
	EXPECT_LT(10, entered);
}

TEST_F(stacks, the_header_tells_of_a_full_buffer)
{
	const struct pfm_stacks_smpl_hdr *hdr;
	struct stacker stacker;
	union pfarg_msg msg;
	uint64_t size = stacks_size(10, 1, 16);

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, stacker_open(&stacker, size, 16));
	hdr = stacker.hdr;
	EXPECT_EQ(size, hdr->hdr_buf_size);
	EXPECT_EQ(48 + 8 * (16 + dfl_pmds()), hdr->hdr_min_buf_space);
	EXPECT_EQ(PFM_STACKS_SMPL_VERSION, hdr->hdr_version);
	EXPECT_EQ(16, hdr->hdr_max_frames);
	EXPECT_EQ(128, hdr->hdr_cur_offs);
	ASSERT_EQ(0, period_program(stacker.fd, pmu_first(),
				    PFM_REGFL_OVFL_NOTIFY, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(stacker.fd));
	ASSERT_EQ(0, sample_frames(stacker.fd, 0));
	EXPECT_EQ(0, message_take(stacker.fd, &msg));
	EXPECT_EQ(1, hdr->hdr_overflows);
	EXPECT_LT(size - hdr->hdr_cur_offs, hdr->hdr_min_buf_space);
	EXPECT_LE(9, chain_found(&stacker, 1, 0));
	EXPECT_EQ(0, ERRNO(period_restart(stacker.fd)));
	EXPECT_EQ(0, hdr->hdr_count);
	EXPECT_EQ(128, hdr->hdr_cur_offs);
	stacker_close(&stacker);
}

TEST_F(stacks, fewer_addresses_are_recorded_if_fewer_are_asked_for)
{
	static const unsigned int max[] = { 1, 2, 5, 16 };
	unsigned int i;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	lay_chain(self->frames, 16);
	for (i = 0; i < ARRAY_SIZE(max); i++) {
		struct stacker stacker;

		ASSERT_EQ(0, stacker_open(&stacker, 1 << 16, max[i]));
		ASSERT_EQ(0, period_program(stacker.fd, pmu_first(), 0, PERIOD,
					    NULL));
		ASSERT_EQ(0, attach_self(stacker.fd));
		ASSERT_EQ(0,
			  sample_frames(stacker.fd, (uintptr_t)self->frames));
		EXPECT_LE(19, chain_found(&stacker, max[i], CUT));
		stacker_close(&stacker);
	}
}

TEST(the_format_is_listed)
{
	char text[16];

	ASSERT_EQ(0, attr_read("formats/stacks/version", text, sizeof(text)));
	EXPECT_STREQ("1.1\n", text);
}

static int create_errno(const struct pfm_stacks_smpl_arg *arg)
{
	int fd = stacks_create(arg);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

TEST(arguments_are_checked)
{
	uint64_t least = 128 + 48 + 8 * (MAX + dfl_pmds());
	struct pfm_stacks_smpl_arg arg = { .buf_size = least };
	unsigned int i;

	EXPECT_EQ(0, create_errno(&arg));
	arg.max_frames = MAX;
	EXPECT_EQ(0, create_errno(&arg));
	arg.max_frames = MAX + 1;
	arg.buf_size = 1 << 20;
	EXPECT_EQ(EINVAL, create_errno(&arg));
	arg.max_frames = 0;
	arg.buf_size = least - 1;
	EXPECT_EQ(EINVAL, create_errno(&arg));
	arg.max_frames = MAX - 1;
	EXPECT_EQ(0, create_errno(&arg));
	arg.buf_size = 0;
	EXPECT_EQ(EINVAL, create_errno(&arg));
	arg.buf_size = UINT64_MAX;
	EXPECT_NE(0, create_errno(&arg));
	arg.buf_size = least;
	for (i = 1; i < 32; i++) {
		arg.buf_flags = 1U << i;
		EXPECT_EQ(EINVAL, create_errno(&arg));
	}
	arg.buf_flags = 0;
	for (i = 0; i < ARRAY_SIZE(arg.reserved); i++) {
		arg.reserved[i] = 1;
		EXPECT_EQ(EINVAL, create_errno(&arg));
		arg.reserved[i] = 0;
	}
	EXPECT_EQ(0, create_errno(&arg));
}

TEST_HARNESS_MAIN
