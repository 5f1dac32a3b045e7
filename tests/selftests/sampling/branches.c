// SPDX-License-Identifier: GPL-2.0-only
/*
 * The branches before a sample: which ones the processor has taken last is known for each
 * instruction of the track, with each filter, and the kernel's are for users with the right to
 * them.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
#include "default_format.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "pebs.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"
#include "unprivileged.h"

/* On a kernel that checks itself a tick takes longer than a short period. */
#define PERIOD (kernel_is_slow() ? 9967ull : 997ull)
/* Recording branches takes long there. */
#define SAMPLES (kernel_is_slow() ? 20ull : 300ull)
#define ROUNDS ((unsigned long)(SAMPLES * PERIOD / BRANCH_ROUND + 1))

#define ANY LBR_NO_KERNEL
#define ONLY(kind) (LBR_NO_KERNEL | (LBR_NO_KINDS & ~(kind)))
#define MISPREDICTED PFM_PRECISE_SMPL_BR_MISPREDICTED
#define PREDICTED PFM_PRECISE_SMPL_BR_PREDICTED

FIXTURE(branches)
{
	unsigned int depth;
};

FIXTURE_SETUP(branches)
{
	self->depth = branches_depth();
	if (!self->depth)
		SKIP(return, "no branch records");
	ASSERT_EQ(0, pin_to_cpu(0));
}

FIXTURE_TEARDOWN(branches)
{
}

TEST_F(branches, the_register_has_the_number_of_libpfm)
{
	struct pfm_precise_smpl_arg arg = { .buf_size = 1 << 16 };
	struct precise p;
	struct pmu_reg reg;

	ASSERT_TRUE(pmu_reg(PMU_PMC, PMC_LBR_SELECT, &reg));
	EXPECT_STREQ("LBR_SELECT", reg.name);
	/* Of Intel by model, architectural, of AMD. */
	EXPECT_TRUE(reg.addr == 0x1c8 || reg.addr == 0x14ce ||
		    reg.addr == 0xc000010e);
	EXPECT_EQ(~0x1ffULL, reg.rsvd_msk);
	EXPECT_TRUE(self->depth == 16 || self->depth == 32);
	ASSERT_EQ(0, precise_open(&p, 0, &arg));
	EXPECT_EQ(PFM_PRECISE_SMPL_HW_LBR,
		  p.hdr->hdr_hw & PFM_PRECISE_SMPL_HW_LBR);
	precise_close(&p);
}

/* With an erratum, jumps come with calls and returns. */
static uint64_t recorded(uint64_t select)
{
	uint64_t wanted = ~select;

	if (!branches_have_erratum())
		return select;
	if (wanted & (LBR_NO_REL_CALL | LBR_NO_RETURN))
		return select & ~(uint64_t)(LBR_NO_REL_JMP | LBR_NO_IND_JMP);
	if (wanted & LBR_NO_IND_CALL)
		return select & ~(uint64_t)LBR_NO_IND_JMP;
	return select;
}

/*
 * Are the branches of the sample after @n instructions of the track the last ones?
 * Returns 0, or one more than the number of the first wrong one.
 */
static unsigned int look_at_sample(const struct pfm_precise_smpl_entry *entry,
				   uint64_t n, uint64_t select,
				   unsigned int depth)
{
	const struct pfm_precise_smpl_branch *branches;
	struct track_branch expected[MOST_BRANCHES];
	unsigned int i, nr, nr_expected;

	branches = branches_of(entry, &nr);
	nr_expected = branch_track_last(n, recorded(select), expected, depth);
	for (i = 0; i < nr && i < nr_expected; i++) {
		uint64_t how = branches[i].info & (MISPREDICTED | PREDICTED);

		if (branches[i].from != expected[i].from ||
		    branches[i].to != expected[i].to ||
		    (how != MISPREDICTED && how != PREDICTED))
			return i + 1;
	}
	return nr == nr_expected ? 0 : i + 1;
}

/* Samples of the track with these branches have to be right. Returns their number. */
static uint64_t look_at_track(struct __test_metadata *_metadata,
			      const struct precise *p, uint64_t period,
			      uint64_t select, unsigned int depth)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	uint64_t k = 0;

	while ((entry = precise_next(p, entry))) {
		uint64_t n = ++k * period;

		ASSERT_EQ(branch_track_ip(n + 1), entry->ip);
		ASSERT_EQ(0, look_at_sample(entry, n, select, depth))
		{
			TH_LOG("sample %llu, select 0x%llx",
			       (unsigned long long)k,
			       (unsigned long long)select);
		}
	}
	return k;
}

TEST_F(branches, samples_have_the_last_branches_of_the_chosen_kinds)
{
	static const uint64_t selects[] = {
		ANY,
		ANY | LBR_NO_FAR,
		ONLY(LBR_NO_COND),
		ONLY(LBR_NO_REL_CALL),
		ONLY(LBR_NO_IND_CALL),
		ONLY(LBR_NO_RETURN),
		ONLY(LBR_NO_IND_JMP),
		ONLY(LBR_NO_REL_JMP),
		ONLY(LBR_NO_REL_CALL | LBR_NO_IND_CALL),
		ONLY(LBR_NO_COND | LBR_NO_RETURN),
		ONLY(LBR_NO_FAR),
	};
	struct precise p;
	size_t i;

	if (!branch_track_exists())
		SKIP(return, "the track is for 64-bit programs");
	for (i = 0; i < ARRAY_SIZE(selects); i++) {
		ASSERT_EQ(0, branches_open(&p, 0, selects[i], PERIOD));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, branch_track_run(p.fd, ROUNDS));
		EXPECT_EQ(SAMPLES, look_at_track(_metadata, &p, PERIOD,
						 selects[i], self->depth));
		precise_close(&p);
	}
}

TEST_F(branches, no_branch_is_of_before_the_start)
{
	const unsigned long rounds = 25, runs = 40;
	/* No processor has a longer least period. */
	const uint64_t period = 131, length = branch_track_length(rounds);
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int few = 0;
	uint64_t k = 0;
	struct precise p;
	unsigned long i;

	if (!branch_track_exists())
		SKIP(return, "the track is for 64-bit programs");
	ASSERT_EQ(0, branches_open(&p, 0, ANY, period));
	ASSERT_EQ(0, attach_self(p.fd));
	for (i = 0; i < runs; i++)
		ASSERT_EQ(0, branch_track_run(p.fd, rounds));
	while ((entry = precise_next(&p, entry))) {
		uint64_t n = ++k * period;

		/* Within its run; the last branch of a run is not taken. */
		n -= (n - 1) / length * length;
		few += n / BRANCH_ROUND * BRANCHES_OF_ROUND < self->depth;
		if (n < length - 3)
			EXPECT_EQ(0,
				  look_at_sample(entry, n, ANY, self->depth));
	}
	EXPECT_EQ(runs * length / period, k);
	EXPECT_LT(3, few);
	precise_close(&p);
}

TEST_F(branches, there_are_none_without_the_register)
{
	static const struct {
		bool written;
		uint64_t select;
	} cases[] = {
		{ false, 0 },
		{ true, LBR_NO_KERNEL | LBR_NO_USER },
		{ true, ~0ULL },
	};
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = 1 << 18,
		.blocks = PFM_PRECISE_SMPL_BRANCHES,
	};
	const struct pfm_precise_smpl_entry *entry;
	unsigned int nr, samples;
	struct precise p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ASSERT_EQ(0, precise_open(&p, 0, &arg));
		ASSERT_EQ(0,
			  pebs_program(p.fd, 0, PEBS_INSTRUCTIONS, 0, PERIOD));
		if (cases[i].written)
			ASSERT_EQ(0, write_pmc(p.fd, PMC_LBR_SELECT,
					       cases[i].select));
		ASSERT_EQ(0, attach_self(p.fd));
		ASSERT_EQ(0, pfm_start_session(p.fd, 0));
		counted_loop(10 * PERIOD);
		ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
		samples = 0;
		for (entry = NULL; (entry = precise_next(&p, entry));
		     samples++) {
			branches_of(entry, &nr);
			EXPECT_EQ(0, nr);
		}
		EXPECT_LE(10, samples);
		precise_close(&p);
	}
}

/* A branch leads to where the program is: no other one lies in between. */
#define STRAIGHT 4096
/* Longer than the way out of the handler, on a kernel that checks itself as well. */
#define LONG_PERIOD (kernel_is_slow() ? 499979ull : 9967ull)

TEST_F(branches, the_last_one_leads_to_the_sample_at_all_levels)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int i, nr, user = 0, kernel = 0, both = 0, broken = 0;
	struct precise p;

	/*
	 * Else a sample is where interrupts are on again, and the branches are older. No
	 * switch leaves a gap.
	 */
	ASSERT_EQ(0, pebs_take_the_cpu());
	ASSERT_EQ(0, branches_open(&p, PFM_FL_NMI, 0, LONG_PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	for (i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	counted_loop(5 * LONG_PERIOD);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	while ((entry = precise_next(&p, entry))) {
		const struct pfm_precise_smpl_branch *branch =
			branches_of(entry, &nr);

		if (!nr)
			continue;
		broken += entry->ip - branch->to > STRAIGHT;
		/* Each of the others leads to the next one. */
		for (i = 1; i < nr; i++)
			broken += branch[i - 1].from - branch[i].to > STRAIGHT;
		if (pebs_is_kernel(entry->ip))
			kernel++;
		else
			user++;
		for (i = 0; i < nr; i++)
			both += pebs_is_kernel(branch[i].from) !=
				pebs_is_kernel(branch[i].to);
	}
	EXPECT_LT(0, user);
	EXPECT_LT(10, kernel);
	EXPECT_LT(0, both);
	EXPECT_EQ(0, broken);
	precise_close(&p);
}

TEST_F(branches, the_kernel_is_left_out_for_root_as_well)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	unsigned int i, nr, all = 0;
	struct precise p;

	/* The counter counts the kernel, and its samples are of it. */
	ASSERT_EQ(0, branches_open(&p, 0, LBR_NO_KERNEL, PERIOD));
	ASSERT_EQ(0, pebs_program(p.fd, 0, PEBS_INSTRUCTIONS | PEBS_KERNEL, 0,
				  PERIOD));
	ASSERT_EQ(0, attach_self(p.fd));
	ASSERT_EQ(0, pfm_start_session(p.fd, 0));
	for (i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	ASSERT_EQ(0, pfm_stop_session(p.fd, 0));
	while ((entry = precise_next(&p, entry))) {
		const struct pfm_precise_smpl_branch *branch =
			branches_of(entry, &nr);

		for (i = 0; i < nr; i++, all++)
			EXPECT_FALSE(branch_is_kernel(&branch[i]));
	}
	EXPECT_LT(100, all);
	precise_close(&p);
}

/* As a user without rights. Returns 0 or the number of the first check that fails. */
static int look_without_rights(void *arg)
{
	const struct pfm_precise_smpl_entry *entry = NULL;
	const uint64_t *word, *end;
	unsigned int i, nr, all = 0;
	struct precise p;

	(void)arg;
	if (branches_open(&p, 0, LBR_NO_KERNEL, 97))
		return 1;
	if (ERRNO(write_pmc(p.fd, PMC_LBR_SELECT, 0)) != EPERM ||
	    ERRNO(write_pmc(p.fd, PMC_LBR_SELECT, LBR_NO_USER)) != EPERM)
		return 2;
	if (attach_self(p.fd) || pfm_start_session(p.fd, 0))
		return 3;
	for (i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	if (pfm_stop_session(p.fd, 0))
		return 4;
	while ((entry = precise_next(&p, entry))) {
		word = (const void *)branches_of(entry, &nr);
		for (end = word + 3 * nr; word < end; word++, all++)
			if (pebs_is_kernel(*word))
				return 5;
	}
	return all > 1000 ? 0 : 6;
}

TEST_F(branches, users_without_rights_see_no_address_of_the_kernel)
{
	EXPECT_EQ(0, unprivileged(NO_GROUP, look_without_rights, NULL));
}

TEST_F(branches, the_largest_entry_finds_room_or_there_is_no_session)
{
	const size_t least =
		sizeof(struct pfm_precise_smpl_hdr) +
		sizeof(struct pfm_precise_smpl_entry) +
		dfl_pmds() * sizeof(uint64_t) +
		sizeof(struct pfm_precise_smpl_blocks) +
		sizeof(struct pfm_precise_smpl_branches) +
		MOST_BRANCHES * sizeof(struct pfm_precise_smpl_branch);
	struct pfm_precise_smpl_arg arg = {
		.buf_size = least,
		.blocks = PFM_PRECISE_SMPL_BRANCHES,
	};
	struct precise p;

	ASSERT_EQ(0, precise_open(&p, 0, &arg));
	precise_close(&p);
	arg.buf_size -= 8;
	EXPECT_EQ(EINVAL, ERRNO(precise_create(0, &arg)));
}

TEST(processors_without_branch_records_refuse_them)
{
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = 1 << 16,
		.blocks = PFM_PRECISE_SMPL_BRANCHES,
	};
	int fd;

	if (branches_depth())
		SKIP(return, "this one has them");
	EXPECT_EQ(EINVAL, ERRNO(precise_create(0, &arg)));
	fd = precise_create(
		0, &(const struct pfm_precise_smpl_arg){ .buf_size = 1 << 16 });
	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL, ERRNO(write_pmc(fd, PMC_LBR_SELECT, LBR_NO_KERNEL)));
	close(fd);
}

TEST_HARNESS_MAIN
