// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "stacks": frame pointers that point at no frame, and chains
 * that no functions have made. The kernel neither believes nor fetches anything.
 */
#include "array_size.h"
#include "machine.h"
#include "nowhere.h"
#include "stacks_fixture.h"

TEST_F(stacks, frames_in_a_circle_fill_the_entry)
{
	const struct pfm_stacks_smpl_entry *entry;

	lay_chain(self->frames, 2);
	self->frames[1].next = (uintptr_t)self->frames;
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	entry = next_sample(&self->stacker, NULL, track_has_frames);
	ASSERT_NE(NULL, entry);
	EXPECT_EQ(MAX, entry->nr);
	EXPECT_EQ(CUT | WORD_FLAG, entry->flags);
	EXPECT_EQ(MADE_UP, stacker_ips(entry)[MAX - 2]);
	EXPECT_EQ(MADE_UP + 1, stacker_ips(entry)[MAX - 1]);
}

TEST_F(stacks, a_frame_that_is_its_own_caller_breaks_the_chain)
{
	lay_chain(self->frames, 3);
	self->frames[2].next = (uintptr_t)&self->frames[2];
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(3, BROKEN);
}

TEST_F(stacks, the_first_frame_pointer_may_be_anything)
{
	unsigned int i;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		struct stacker stacker;

		ASSERT_EQ(0, stacker_open(&stacker, 1 << 16, 0));
		ASSERT_EQ(0, period_program(stacker.fd, pmu_first(), 0, PERIOD,
					    NULL));
		ASSERT_EQ(0, attach_self(stacker.fd));
		ASSERT_EQ(0, sample_frames(stacker.fd, nowhere[i]));
		EXPECT_LE(19, chain_found(&stacker, 1, BROKEN))
		{
			TH_LOG("frame pointer %lx", (unsigned long)nowhere[i]);
		}
		stacker_close(&stacker);
	}
}

/* The second frame of three is at @fp: only one caller is known. */
static int sample_second(int fd, struct frame *frames, uintptr_t fp)
{
	frames[0] = (struct frame){ fp, MADE_UP };
	return sample_frames(fd, (uintptr_t)frames);
}

TEST_F(stacks, so_may_those_in_frames)
{
	unsigned int i;

	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		struct stacker stacker;

		ASSERT_EQ(0, stacker_open(&stacker, 1 << 16, 0));
		ASSERT_EQ(0, period_program(stacker.fd, pmu_first(), 0, PERIOD,
					    NULL));
		ASSERT_EQ(0, attach_self(stacker.fd));
		ASSERT_EQ(0,
			  sample_second(stacker.fd, self->frames, nowhere[i]));
		EXPECT_LE(19, chain_found(&stacker, 2, BROKEN))
		{
			TH_LOG("frame pointer %lx", (unsigned long)nowhere[i]);
		}
		stacker_close(&stacker);
	}
}

TEST_F(stacks, a_frame_pointer_that_is_not_aligned_breaks_the_chain)
{
	uintptr_t fp = (uintptr_t)&self->frames[1] + 1;

	lay_chain(self->frames, 3);
	ASSERT_EQ(0, sample_second(self->fd, self->frames, fp));
	EXPECT_CHAIN(2, BROKEN);
}

TEST_F(stacks, a_return_address_that_is_the_kernels_breaks_the_chain)
{
	if (compat_process())
		SKIP(return, "no 32-bit address is the kernel's");
	lay_chain(self->frames, 3);
	self->frames[1].ip = (uintptr_t)-4096;
	ASSERT_EQ(0, sample_frames(self->fd, (uintptr_t)self->frames));
	EXPECT_CHAIN(2, BROKEN);
}

/* The last whole frame of the first page, or half a frame of it. */
static uintptr_t last_words(struct frame *frames, size_t page, unsigned int n)
{
	return (uintptr_t)frames + page - n * sizeof(uintptr_t);
}

TEST_F(stacks, a_frame_in_memory_that_is_gone_breaks_the_chain)
{
	char *page = (char *)self->frames + self->page;

	ASSERT_EQ(0, munmap(page, self->page));
	ASSERT_EQ(0, sample_second(self->fd, self->frames, (uintptr_t)page));
	EXPECT_CHAIN(2, BROKEN);
}

TEST_F(stacks, a_frame_that_may_not_be_read_breaks_the_chain)
{
	char *page = (char *)self->frames + self->page;

	lay_chain((struct frame *)page, 3);
	ASSERT_EQ(0, mprotect(page, self->page, PROT_NONE));
	ASSERT_EQ(0, sample_second(self->fd, self->frames, (uintptr_t)page));
	EXPECT_CHAIN(2, BROKEN);
}

TEST_F(stacks, a_frame_of_which_half_is_gone_breaks_the_chain)
{
	char *page = (char *)self->frames + self->page;
	uintptr_t fp = last_words(self->frames, self->page, 1);

	ASSERT_EQ(0, munmap(page, self->page));
	*(uintptr_t *)fp = (uintptr_t)self->frames;
	ASSERT_EQ(0, sample_second(self->fd, self->frames, fp));
	EXPECT_CHAIN(2, BROKEN);
}

TEST_F(stacks, a_frame_at_the_end_of_memory_is_whole)
{
	char *page = (char *)self->frames + self->page;
	uintptr_t fp = last_words(self->frames, self->page, 2);

	ASSERT_EQ(0, munmap(page, self->page));
	*(struct frame *)fp = (struct frame){ 0, MADE_UP + 1 };
	ASSERT_EQ(0, sample_second(self->fd, self->frames, fp));
	EXPECT_CHAIN(3, 0);
}

TEST_F(stacks, memory_that_was_never_touched_stays_so)
{
	char *page = (char *)self->frames + self->page;
	unsigned char present = 1;

	ASSERT_EQ(0, sample_second(self->fd, self->frames, (uintptr_t)page));
	EXPECT_CHAIN(2, BROKEN);
	ASSERT_EQ(0, mincore(page, self->page, &present));
	EXPECT_EQ(0, present & 1);
}

TEST_HARNESS_MAIN
