// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "stacks" with copies: the registers of programs and the top of
 * their stacks, which the kernel neither believes nor fetches. The code that is sampled
 * is frame_track.c, in which the stack pointer is known.
 */
#include "array_size.h"
#include "default_format.h"
#include "nowhere.h"
#include "stacks_fixture.h"

#define BYTES 512
/* System calls whose instructions in the kernel are more samples than the buffer holds. */
#define CALLS (10 * ROUNDS)
#define WORDS (BYTES / sizeof(uint64_t))

/* DWARF's numbers. */
#define IS_64BIT (sizeof(long) == 8)
#define REG_COUNT (IS_64BIT ? 12 : 6) /* r12, esi */
#define REG_BP (IS_64BIT ? 6 : 5)
#define REG_SP (IS_64BIT ? 7 : 4)
#define REG_IP (IS_64BIT ? 16 : 8)

FIXTURE(copies)
{
	struct stacker stacker;
	uint64_t *memory;
	size_t page;
	uint16_t pmd;
};

static int copies_open(struct stacker *stacker, uint32_t bytes)
{
	const struct pfm_stacks_smpl_arg arg = { .buf_size = 1 << 18,
						 .max_frames = 1,
						 .stack_bytes = bytes };

	if (stacker_open_arg(stacker, &arg) ||
	    period_program(stacker->fd, pmu_first(), 0, PERIOD, NULL))
		return -1;
	return attach_self(stacker->fd);
}

FIXTURE_SETUP(copies)
{
	size_t i;

	NEEDS_INTERRUPTS();
	self->pmd = pmu_first()->pmd;
	self->page = (size_t)sysconf(_SC_PAGESIZE);
	self->memory = mmap(NULL, PAGES * self->page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
	/* The other pages are never touched. */
	for (i = 0; i < self->page / sizeof(uint64_t); i++)
		self->memory[i] = 0x0101010101010101 * (i + 1);
	ASSERT_EQ(0, copies_open(&self->stacker, BYTES));
}

FIXTURE_TEARDOWN(copies)
{
	stacker_close(&self->stacker);
	munmap(self->memory, PAGES * self->page);
}

/* Samples track_stack(). Returns 0 or -1. */
static int sample_stack(int fd, uintptr_t sp)
{
	track_stack(1, sp);
	if (pfm_start_session(fd, 0))
		return -1;
	track_stack(ROUNDS, sp);
	return pfm_stop_session(fd, 0);
}

static const struct pfm_stacks_smpl_copy *
copy_of(const struct pfm_stacks_smpl_entry *entry)
{
	return (const void *)(stacker_ips(entry) + entry->nr);
}

/*
 * Does every sample of track_stack() have these registers and bytes of the stack, as
 * they are there? Returns the number of samples, 0 if not.
 */
static unsigned int copies_found(const struct stacker *stacker, uintptr_t sp,
				 uint32_t bytes)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int n = 0;

	while ((entry = next_sample(stacker, entry, track_has_stack))) {
		const struct pfm_stacks_smpl_copy *copy = copy_of(entry);

		n++;
		if (entry->flags != (PFM_STACKS_SMPL_COPY | WORD_FLAG |
				     (entry->flags & (CUT | BROKEN))) ||
		    copy->bytes != bytes || copy->reserved ||
		    entry->size != sizeof(*entry) + 8 * entry->nr +
					   sizeof(*copy) + bytes ||
		    copy->regs[REG_SP] != sp ||
		    copy->regs[REG_IP] != entry->ip ||
		    copy->regs[REG_COUNT] > ROUNDS ||
		    (bytes && memcmp(copy + 1, (void *)sp, bytes) != 0)) {
			printf("# sample %u: flags %x, size %u, %u bytes of %llx\n",
			       n, entry->flags, entry->size, copy->bytes,
			       (unsigned long long)copy->regs[REG_SP]);
			return 0;
		}
	}
	return n;
}

#define EXPECT_COPIES(sp, bytes) \
	EXPECT_LE(19, copies_found(&self->stacker, (sp), (bytes)))

TEST_F(copies, registers_and_stack_are_those_of_the_program)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	uint64_t last = ROUNDS + 1;

	ASSERT_EQ(0, sample_stack(self->stacker.fd, (uintptr_t)self->memory));
	EXPECT_COPIES((uintptr_t)self->memory, BYTES);
	/* The loop counts down, and the frame is where it was before. */
	while ((entry = next_sample(&self->stacker, entry, track_has_stack))) {
		const uint64_t *regs = copy_of(entry)->regs;

		ASSERT_GT(last, regs[REG_COUNT]);
		last = regs[REG_COUNT];
		ASSERT_LT((uintptr_t)&regs, regs[REG_BP] + (1 << 16));
		ASSERT_GT((uintptr_t)&regs, regs[REG_BP] - (1 << 16));
		if (!IS_64BIT)
			ASSERT_EQ(0, regs[9] | regs[16]);
	}
}

TEST_F(copies, a_stack_pointer_need_not_be_aligned)
{
	uintptr_t sp = (uintptr_t)self->memory + 3;

	ASSERT_EQ(0, sample_stack(self->stacker.fd, sp));
	EXPECT_COPIES(sp, BYTES);
}

TEST_F(copies, a_stack_ends_where_its_memory_does)
{
	uintptr_t end = (uintptr_t)self->memory + self->page;

	ASSERT_EQ(0, munmap((void *)end, self->page));
	ASSERT_EQ(0, sample_stack(self->stacker.fd, end - 64));
	EXPECT_COPIES(end - 64, 64);
}

TEST_F(copies, a_stack_has_whole_words)
{
	uintptr_t end = (uintptr_t)self->memory + self->page;

	ASSERT_EQ(0, mprotect((void *)end, self->page, PROT_NONE));
	ASSERT_EQ(0, sample_stack(self->stacker.fd, end - 13));
	EXPECT_COPIES(end - 13, 8);
}

TEST_F(copies, less_than_a_word_is_nothing)
{
	uintptr_t end = (uintptr_t)self->memory + self->page;

	ASSERT_EQ(0, munmap((void *)end, self->page));
	ASSERT_EQ(0, sample_stack(self->stacker.fd, end - 7));
	EXPECT_COPIES(end - 7, 0);
}

TEST_F(copies, memory_that_was_never_touched_stays_so)
{
	char *page = (char *)self->memory + self->page;
	unsigned char present = 1;

	ASSERT_EQ(0, sample_stack(self->stacker.fd, (uintptr_t)page - 8));
	EXPECT_COPIES((uintptr_t)page - 8, 8);
	ASSERT_EQ(0, mincore(page, self->page, &present));
	EXPECT_EQ(0, present & 1);
}

TEST_F(copies, a_stack_pointer_may_be_anything)
{
	unsigned int i;

	ASSERT_EQ(0, pfm_detach_session(self->stacker.fd, 0));
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		struct stacker stacker;

		ASSERT_EQ(0, copies_open(&stacker, BYTES));
		ASSERT_EQ(0, sample_stack(stacker.fd, nowhere[i]));
		EXPECT_LE(19, copies_found(&stacker, nowhere[i], 0))
		{
			TH_LOG("stack pointer %lx", (unsigned long)nowhere[i]);
		}
		stacker_close(&stacker);
	}
}

TEST_F(copies, as_much_is_copied_as_was_asked_for)
{
	static const uint32_t sizes[] = { 8, 1024, PFM_STACKS_SMPL_BYTES };
	size_t most = 16 * self->page;
	char *memory = mmap(NULL, most, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	unsigned int i;

	ASSERT_NE(MAP_FAILED, memory);
	memset(memory, 0x5a, most);
	ASSERT_EQ(0, pfm_detach_session(self->stacker.fd, 0));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct stacker stacker;

		ASSERT_EQ(0, copies_open(&stacker, sizes[i]));
		EXPECT_EQ(sizes[i], stacker.hdr->hdr_stack_bytes);
		EXPECT_EQ(48 + 8 * (1 + dfl_pmds()) + 144 + sizes[i],
			  stacker.hdr->hdr_min_buf_space);
		ASSERT_EQ(0, sample_stack(stacker.fd, (uintptr_t)memory));
		EXPECT_LE(6,
			  copies_found(&stacker, (uintptr_t)memory, sizes[i]));
		stacker_close(&stacker);
	}
	munmap(memory, most);
}

TEST_F(copies, the_values_of_other_pmds_follow_the_copy)
{
	const struct pfm_stacks_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	unsigned int n = 0;
	uint16_t other;

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	other = pmu_get()->counter[1].pmd;
	ASSERT_EQ(0,
		  pmu_count_user(self->stacker.fd, &pmu_get()->counter[1], 5));
	pmd_mark(attr.reg_smpl_pmds, other);
	ASSERT_EQ(0, period_program(self->stacker.fd, pmu_first(), 0, PERIOD,
				    &attr));
	ASSERT_EQ(0, sample_stack(self->stacker.fd, (uintptr_t)self->memory));
	while ((entry = next_sample(&self->stacker, entry, track_has_stack))) {
		const uint64_t *end = (const void *)(copy_of(entry) + 1);

		n++;
		ASSERT_EQ(BYTES, copy_of(entry)->bytes);
		ASSERT_EQ(sizeof(*entry) + 8 + 144 + BYTES + 8, entry->size);
		ASSERT_EQ(5, end[WORDS] % PERIOD);
	}
	EXPECT_LE(19, n);
}

TEST_F(copies, pmds_that_overflow_together_have_the_same_copy)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = pmu->counters; i-- > 0;)
		ASSERT_EQ(0, period_program(self->stacker.fd, &pmu->counter[i],
					    0, PERIOD, NULL));
	ASSERT_EQ(0, sample_stack(self->stacker.fd, (uintptr_t)self->memory));
	EXPECT_LE(19 * pmu->counters,
		  copies_found(&self->stacker, (uintptr_t)self->memory, BYTES));
}

TEST_F(copies, samples_of_the_kernel_have_those_of_the_program)
{
	const struct pmu_counter *counter = pmu_first();
	/* Else all samples might be where calls have interrupts off. */
	const struct pfarg_pmd_attr attr = { .reg_long_reset = -9973,
					     .reg_short_reset = -9973,
					     .reg_random_mask = 0x1fff };
	const struct pfm_stacks_smpl_entry *entry = NULL;
	unsigned int n = 0;
	int fd = self->stacker.fd;

	ASSERT_EQ(0, pmu_program(fd, counter, counter->kernel, 0));
	ASSERT_EQ(0, write_pmd_attr(fd, self->pmd, PFM_REGFL_RANDOM, -9973,
				    &attr));
	track_system_calls(1, 0);
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	track_system_calls(CALLS, MADE_UP);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	while ((entry = stacker_next(&self->stacker, entry))) {
		const struct pfm_stacks_smpl_copy *copy = copy_of(entry);

		if (!entry->nr_kernel || !(entry->flags & PFM_STACKS_SMPL_COPY))
			continue;
		if (copy->regs[REG_IP] != track_after_system_call())
			continue;
		n++;
		ASSERT_EQ(MADE_UP, copy->regs[REG_BP]);
		ASSERT_GE(CALLS, copy->regs[REG_COUNT]);
		ASSERT_EQ(BYTES, copy->bytes);
	}
	EXPECT_LT(5, n);
}

static int create_errno(const struct pfm_stacks_smpl_arg *arg)
{
	int fd = stacks_create(arg);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

TEST(sizes_of_copies_are_checked)
{
	static const uint32_t bad[] = { 1,
					4,
					12,
					PFM_STACKS_SMPL_BYTES + 8,
					65536,
					0x80000000,
					UINT32_MAX - 7 };
	struct pfm_stacks_smpl_arg arg = { .buf_size = 1 << 17 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg.stack_bytes = bad[i];
		EXPECT_EQ(EINVAL, create_errno(&arg));
	}
	arg.stack_bytes = PFM_STACKS_SMPL_BYTES;
	EXPECT_EQ(0, create_errno(&arg));
	arg.reserved1 = 1;
	EXPECT_EQ(EINVAL, create_errno(&arg));
	arg.reserved1 = 0;
	arg.stack_bytes = 8;
	arg.buf_size = 128 + 48 + 8 * (MAX + dfl_pmds()) + 144 + 8;
	EXPECT_EQ(0, create_errno(&arg));
	arg.buf_size -= 8;
	EXPECT_EQ(EINVAL, create_errno(&arg));
}

TEST_HARNESS_MAIN
