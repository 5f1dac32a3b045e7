// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "precise": overflows, and records of instruction-based sampling.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "array_size.h"
#include "attr.h"
#include "instruction_track.h"
#include "machine.h"
#include "msr.h"
#include "overflow_period.h"
#include "pebs.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_fixture.h"
#include "unprivileged.h"

TEST(arguments_that_mean_nothing_are_refused)
{
	static const struct {
		struct pfm_precise_smpl_arg arg;
		int err;
	} cases[] = {
		{ { .buf_size = BUFFER }, 0 },
		{ { .buf_size = BUFFER, .buf_flags = HALVES | NO_IDS }, 0 },
		{ { .buf_size = BUFFER, .buf_flags = 4 }, EINVAL },
		{ { .buf_size = BUFFER, .max_frames = 127 }, 0 },
		{ { .buf_size = BUFFER, .max_frames = 128 }, EINVAL },
		{ { .buf_size = BUFFER, .blocks = GPRS }, 0 },
		{ { .buf_size = BUFFER, .blocks = 0x20 }, EINVAL },
		{ { .buf_size = BUFFER, .blocks = STACK }, EINVAL },
		{ { .buf_size = BUFFER, .stack_bytes = 8 }, EINVAL },
		{ { .buf_size = BUFFER, .blocks = STACK, .stack_bytes = 8 },
		  0 },
		{ { .buf_size = BUFFER, .blocks = STACK, .stack_bytes = 12 },
		  EINVAL },
		{ { .buf_size = BUFFER, .blocks = STACK, .stack_bytes = 32768 },
		  0 },
		{ { .buf_size = BUFFER, .blocks = STACK, .stack_bytes = 32776 },
		  EINVAL },
		{ { .buf_size = BUFFER,
		    .blocks = STACK,
		    .stack_bytes = 8,
		    .batch = 1 },
		  0 },
		{ { .buf_size = BUFFER,
		    .blocks = STACK,
		    .stack_bytes = 8,
		    .batch = 2 },
		  EINVAL },
		{ { .buf_size = BUFFER, .max_frames = 1, .batch = 2 }, EINVAL },
		{ { .buf_size = BUFFER, .batch = 64 }, 0 },
		{ { .buf_size = BUFFER, .reserved1 = 1 }, EINVAL },
		{ { .buf_size = BUFFER, .reserved = { 0, 0, 0, 1 } }, EINVAL },
		{ { .buf_size = sizeof(struct pfm_precise_smpl_hdr) }, EINVAL },
	};
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		fd = precise_create(0, &cases[i].arg);
		EXPECT_EQ(cases[i].err, fd < 0 ? errno : 0)
		{
			TH_LOG("case %zu", i);
		}
		if (fd >= 0)
			close(fd);
	}
}

TEST(blocks_of_records_need_a_processor_that_makes_them)
{
	const struct {
		uint32_t block;
		int err;
	} cases[] = {
		{ MEM, has_ibs() || pebs_exists() ? 0 : EINVAL },
		{ RAW, has_ibs() ? 0 : EINVAL },
		{ BRANCHES, branches_depth() ? 0 : EINVAL },
	};
	struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER };
	size_t i;
	int fd;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		arg.blocks = cases[i].block;
		fd = precise_create(0, &arg);
		EXPECT_EQ(cases[i].err, fd < 0 ? errno : 0);
		if (fd >= 0)
			close(fd);
	}
}

TEST(members_of_a_family_do_not_wait_for_room)
{
	const struct pfm_precise_smpl_arg arg = { .buf_size = BUFFER,
						  .buf_flags = HALVES };
	int fd;

	fd = precise_create(PFM_FL_INHERIT, &arg);
	EXPECT_LE(0, fd);
	close(fd);
	EXPECT_EQ(-1,
		  precise_create(PFM_FL_INHERIT | PFM_FL_NOTIFY_BLOCK, &arg));
	EXPECT_EQ(EINVAL, errno);
}

TEST(overflows_have_the_program_and_its_registers)
{
	const struct pmu_counter *counter = pmu_first();
	const struct pfm_precise_smpl_entry *entry = NULL;
	const struct pfm_precise_smpl_blocks *blocks;
	const struct pfm_precise_smpl_gprs *gprs;
	const struct pfm_precise_smpl_stack *stack;
	struct pfarg_pmd_attr attr = { 0 };
	unsigned int n = 0;
	struct precise p;

	if (!counter)
		SKIP(return, "no counter");
	ASSERT_EQ(0, open_with(&p, 0, GPRS | STACK));
	pmd_mark(attr.reg_smpl_pmds, counter->pmd);
	ASSERT_EQ(0, period_program(p.fd, counter, 0, 100003, &attr));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	while ((entry = precise_next(&p, entry))) {
		blocks = precise_after_ips(entry);
		gprs = (const void *)(blocks + 1);
		stack = (const void *)(gprs + 1);
		ASSERT_EQ(GPRS | STACK, blocks->present);
		EXPECT_EQ((uint32_t)getpid(), entry->pid);
		EXPECT_EQ((uint32_t)getpid(), entry->tgid);
		EXPECT_EQ(counter->pmd, entry->ovfl_pmd);
		EXPECT_EQ(0, entry->flags & ~PFM_PRECISE_SMPL_32BIT);
		EXPECT_EQ(0, entry->pmds | entry->next_ip);
		EXPECT_EQ(-100003ULL, entry->last_reset_val);
		EXPECT_EQ(entry->ip, gprs->ip);
		EXPECT_LE(0, track_position(entry->ip));
		EXPECT_EQ(gprs->sp, stack->sp);
		EXPECT_LT(0, stack->bytes);

		EXPECT_EQ(entry->size, sizeof(*entry) + sizeof(*blocks) +
					       sizeof(*gprs) + sizeof(*stack) +
					       stack->bytes + 8);
		EXPECT_EQ(blocks->bytes,
			  sizeof(*gprs) + sizeof(*stack) + stack->bytes);
		n++;
	}
	EXPECT_EQ(track_length(ROUNDS) / 100003, n);
	EXPECT_EQ(n, p.hdr->hdr_count);
	precise_close(&p);
}

TEST(entries_have_no_ids_without_a_wish_for_them)
{
	const struct pmu_counter *counter = pmu_first();
	const struct pfm_precise_smpl_entry *entry = NULL;
	struct pfarg_pmd_attr attr = { 0 };
	struct precise p;

	if (!counter)
		SKIP(return, "no counter");
	ASSERT_EQ(0, open_with(&p, NO_IDS, 0));
	ASSERT_EQ(0, period_program(p.fd, counter, 0, 100003, &attr));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, track_run(p.fd, ROUNDS));
	while ((entry = precise_next(&p, entry))) {
		EXPECT_EQ(0, entry->pid | entry->tgid);
		EXPECT_EQ(sizeof(*entry), entry->size);
	}
	EXPECT_LT(0, p.hdr->hdr_count);
	precise_close(&p);
}

/* Records of a buffer: of the track, of the kernel, and wrong ones. */
struct found {
	unsigned int user;
	unsigned int kernel;
	unsigned int wrong;
};

/* The distance of two records says which instruction of a round the second is. */
static struct found look_at_track(const struct precise *p)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	struct found found = { 0 };
	int position, expected = 0;
	uint32_t number, before = 0;
	const uint64_t *raw;

	while ((entry = precise_next(p, entry))) {
		raw = raw_of(entry);
		if (!raw || raw[1] != entry->ip ||
		    !(entry->flags & PFM_PRECISE_SMPL_EXACT) ||
		    entry->ovfl_pmd != PMD_OP ||
		    entry->last_reset_val != -(uint64_t)PERIOD) {
			found.wrong++;
			continue;
		}
		number = raw[2];
		found.kernel += entry->ip >> 63;
		position = track_position(entry->ip);
		if (position < 0)
			continue;
		if (found.user++) {
			expected += (number - before) % TRACK_ROUND;
			found.wrong += expected % TRACK_ROUND != position;
		}
		expected = position;
		before = number;
	}
	return found;
}

TEST(records_name_the_instruction_itself)
{
	static const unsigned int late[] = { 0, 7 };
	struct found found;
	struct precise p;
	size_t i;

	if (!has_ibs())
		SKIP(return, "no instruction-based sampling");
	for (i = 0; i < ARRAY_SIZE(late); i++) {
		int msr = msr_open(0);

		ASSERT_LE(0, msr);
		ASSERT_EQ(0, open_with(&p, 0, MEM | RAW));
		EXPECT_NE(0, p.hdr->hdr_hw & PFM_PRECISE_SMPL_HW_IBS);
		ASSERT_EQ(0, write_op(p.fd, 0));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0,
			  msr_fault(msr, PMU_FAULT(PMU_FAULT_SKID, late[i])));
		ASSERT_EQ(0, track_run(p.fd, ROUNDS));
		ASSERT_EQ(0, msr_fault(msr, PMU_FAULT_CLEAR));
		found = look_at_track(&p);
		EXPECT_EQ(0, found.wrong);
		EXPECT_LT(ROUNDS * TRACK_ROUND / PERIOD * 3 / 4, found.user);
		EXPECT_LT(0, found.kernel);
		EXPECT_EQ(0, p.hdr->hdr_filtered);
		precise_close(&p);
		close(msr);
	}
}

/* No word of the buffer is an address of the kernel. */
static bool buffer_is_clean(const struct precise *p)
{
	const uint64_t *word = (const void *)(p->hdr + 1);
	const uint64_t *end =
		(const void *)((const char *)p->hdr + p->hdr->hdr_cur_offs);

	for (; word < end; word++)
		/* Negative reset values are no addresses. */
		if (*word >> 63 && *word != -(uint64_t)PERIOD)
			return false;
	return true;
}

/* As a user without rights; the result is the number of the step that failed, or 0. */
static int sample_unprivileged(void *unused)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t fetch = FETCH_ENABLE | PERIOD >> 4;
	struct found found;
	struct precise p;
	uint64_t value;
	int i;

	(void)unused;
	if (open_with(&p, 0, MEM | RAW))
		return 1;
	if (!write_op(p.fd, 0) || errno != EPERM)
		return 2;
	if (!write_pmc(p.fd, PMC_FETCH, fetch) || errno != EPERM)
		return 3;
	if (write_op(p.fd, PFM_REGFL_USER_ONLY))
		return 4;
	for (i = PMD_OP_RIP; i <= PMD_OP_PHYSICAL; i++)
		if (write_pmd(p.fd, i, 0))
			return 5;
	if (attach_self(p.fd) || pfm_start_session(p.fd, 0))
		return 5;
	for (i = 0; i < 20000; i++)
		getppid();
	if (pfm_stop_session(p.fd, 0) || track_run(p.fd, ROUNDS))
		return 6;
	found = look_at_track(&p);
	if (found.kernel || found.wrong || !found.user)
		return 7;
	if (!p.hdr->hdr_filtered)
		return 8;
	if (!buffer_is_clean(&p))
		return 9;
	while ((entry = precise_next(&p, entry)))
		if (entry->flags & PFM_PRECISE_SMPL_PADDR || raw_of(entry)[6])
			return 10;
	/* The registers themselves show no more. */
	for (i = PMD_OP_RIP; i <= PMD_OP_PHYSICAL; i++)
		if (read_pmd(p.fd, i, &value) || value >> 63)
			return 11;
	if (value)
		return 12;
	/* The way back to the kernel's samples is closed. */
	if (!write_op(p.fd, 0) || errno != EPERM)
		return 13;
	return 0;
}

TEST(users_sample_their_programs_without_the_kernel)
{
	if (!has_ibs())
		SKIP(return, "no instruction-based sampling");
	EXPECT_EQ(0, unprivileged(NO_GROUP, sample_unprivileged, NULL));
}

TEST(only_registers_of_ibs_can_leave_out_the_kernel)
{
	const struct pmu_counter *counter = pmu_first();
	struct pfarg_pmr pmr = { .reg_flags = PFM_REGFL_USER_ONLY };
	uint64_t before, after;
	struct precise p;

	if (!counter)
		SKIP(return, "no counter");
	ASSERT_EQ(0, open_with(&p, 0, 0));
	pmr.reg_num = counter->pmc;
	ASSERT_EQ(0, read_pmc(p.fd, counter->pmc, &before));
	pmr.reg_value = before + 1;
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_write_pmrs(p.fd, PFM_RWFL_PMC, &pmr, 1, NULL)));
	ASSERT_EQ(0, read_pmc(p.fd, counter->pmc, &after));
	EXPECT_EQ(before, after);
	precise_close(&p);
}

TEST_HARNESS_MAIN
