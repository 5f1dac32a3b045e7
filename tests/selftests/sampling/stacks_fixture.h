/* SPDX-License-Identifier: GPL-2.0-only */
/* Chains of frames that are laid out in memory, and samples that have them. */
#ifndef STACKS_FIXTURE_H
#define STACKS_FIXTURE_H

#include <sys/mman.h>

#include "frame_track.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "stacks_format.h"

#define PERIOD 997
#define ROUNDS 10000UL

#define MAX PFM_STACKS_SMPL_FRAMES
#define CUT PFM_STACKS_SMPL_CUT
#define BROKEN PFM_STACKS_SMPL_BROKEN

/* Of the program: all flags but those of the kernel's part. */
#define WORD_FLAG (sizeof(long) == 4 ? PFM_STACKS_SMPL_32BIT : 0)

/* A return address of a made-up frame. */
#define MADE_UP 0x10000000UL

FIXTURE(stacks)
{
	struct stacker stacker;
	struct frame *frames;
	size_t page;
	int fd;
	uint16_t pmd;
};

#define PAGES 4

FIXTURE_SETUP(stacks)
{
	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	self->page = (size_t)sysconf(_SC_PAGESIZE);
	self->frames = mmap(NULL, PAGES * self->page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->frames);
	ASSERT_EQ(0, stacker_open(&self->stacker, 1 << 17, 0));
	self->fd = self->stacker.fd;
	ASSERT_EQ(0, period_program(self->fd, pmu_first(), 0, PERIOD, NULL));
	ASSERT_EQ(0, attach_self(self->fd));
}

FIXTURE_TEARDOWN(stacks)
{
	stacker_close(&self->stacker);
	munmap(self->frames, PAGES * self->page);
}

/* A chain of @n frames, one above the other; the last one has no caller. */
static inline void lay_chain(struct frame *frames, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		frames[i].next = (uintptr_t)&frames[i + 1];
		frames[i].ip = MADE_UP + i;
	}
	frames[n - 1].next = 0;
}

/* Samples track_frames(). Returns 0 or -1. */
static inline int sample_frames(int fd, uintptr_t fp)
{
	/* No instruction of it faults later. */
	track_frames(1, 0);
	if (pfm_start_session(fd, 0))
		return -1;
	track_frames(ROUNDS, fp);
	return pfm_stop_session(fd, 0);
}

/*
 * The first and then the next sample of track_frames(), NULL after the last one.
 * The others are of the calls that start and stop.
 */
static inline const struct pfm_stacks_smpl_entry *
next_sample(const struct stacker *stacker,
	    const struct pfm_stacks_smpl_entry *entry, bool (*of)(uint64_t ip))
{
	do {
		entry = stacker_next(stacker, entry);
	} while (entry && !of(entry->ip));
	return entry;
}

/*
 * Does every sample of track_frames() have these many addresses, those of a chain
 * after the first, and these flags? Returns the number of samples, 0 if not.
 */
static inline unsigned int chain_found(const struct stacker *stacker,
				       unsigned int nr, unsigned int flags)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int i, n = 0;

	while ((entry = next_sample(stacker, entry, track_has_frames))) {
		const uint64_t *ips = stacker_ips(entry);

		n++;
		if (entry->nr != nr || entry->nr_kernel || entry->doubled ||
		    entry->flags != (flags | WORD_FLAG) ||
		    entry->size != sizeof(*entry) + 8 * nr ||
		    ips[0] != entry->ip) {
			printf("# sample %u: %u addresses, flags %x, size %u\n",
			       n, entry->nr, entry->flags, entry->size);
			return 0;
		}
		for (i = 1; i < nr; i++)
			if (ips[i] != MADE_UP + i - 1) {
				printf("# sample %u, address %u: %llx\n", n, i,
				       (unsigned long long)ips[i]);
				return 0;
			}
	}
	return n;
}

#define EXPECT_CHAIN(nr, flags) \
	EXPECT_LE(19, chain_found(&self->stacker, (nr), (flags)))

#endif
