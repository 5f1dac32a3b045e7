// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling by a session with PFM_FL_INHERIT: its members fill a buffer for each
 * CPU.  Each period of each member has its sample, and what is left over is in the
 * value of the family.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "array_size.h"
#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "family_buffers.h"
#include "family_fixture.h"
#include "message.h"
#include "module.h"
#include "overflow_period.h"
#include "perfmon_histogram.h"
#include "pmrs.h"
#include "pmu.h"

/* Divides no loop, so that members have something left over. */
#define PERIOD 10007

/* Entries of a half: of a buffer that nobody has to read, and of a small one. */
#define ROOMY 4000
#define SCANTY 50

static const struct {
	const char *name;
	const char *words[FAMILY_WORDS];
	unsigned int tids; /* at least */
} crowds[] = {
	{ "one process", { "loop", "200000" }, 1 },
	{ "threads", { "threads", "7", "200000" }, 7 },
	{ "children", { "forks", "5", "200000" }, 5 },
	{ "a tree of processes", { "tree", "2", "3", "200000" }, 13 },
	{ "programs of children", { "vexec", "4", "200000" }, 4 },
	{ "a program of a thread", { "texec", "200000" }, 1 },
	{ "a child that outlives all others", { "orphan", "200000" }, 1 },
};

TEST(each_period_of_each_member_has_its_sample)
{
	struct samples s;
	uint64_t counted;
	size_t i;

	NEEDS_INTERRUPTS();
	for (i = 0; i < ARRAY_SIZE(crowds); i++) {
		counted = family_counted(crowds[i].words);
		ASSERT_TRUE(samples_open(&s, 0, ROOMY, PERIOD));
		EXPECT_EQ(0, child_wait(family_start(s.fd, crowds[i].words)));
		ASSERT_EQ(0, samples_until_end(&s, false));
		samples_take_all(&s);
		EXPECT_LT(0, s.seen);
		EXPECT_LE(crowds[i].tids, s.nr_tids);
		EXPECT_EQ(counted,
			  s.seen * PERIOD + family_left_over(s.fd, PERIOD))
		{
			TH_LOG("%s: %llu samples", crowds[i].name,
			       (unsigned long long)s.seen);
		}
		EXPECT_GT(family_members(s.fd) * PERIOD,
			  family_left_over(s.fd, PERIOD));
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
		EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_LOST));
		samples_close(&s);
	}
}

/*
 * Children whose periods vary, and are never as short as a child: 4 000 000
 * instructions in all have about 20 samples, and 3 or less once in 300 000 runs.
 */
TEST(children_that_are_shorter_than_a_period_have_samples)
{
	static const char *const brief[FAMILY_WORDS] = { "forks", "200",
							 "10000" };
	const uint64_t mask = 0x3ffff, period = 200000;
	const struct pfarg_pmd_attr attr = {
		.reg_long_reset = mask / 2 - period,
		.reg_short_reset = mask / 2 - period,
		.reg_random_mask = mask,
	};
	struct samples s;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open(&s, 0, ROOMY, period));
	ASSERT_EQ(0, write_pmd_attr(s.fd, pmu_first()->pmd,
				    PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM,
				    -period, &attr));
	EXPECT_EQ(0, child_wait(family_start(s.fd, brief)));
	ASSERT_EQ(0, samples_until_end(&s, false));
	samples_take_all(&s);
	EXPECT_LT(3, s.seen);
	EXPECT_GT(50, s.seen);
	samples_close(&s);
}

/* Of a family whose periods double: how often that of each sample had. */
static uint64_t doubled_so_often[64];

/* Samples that are of less than half of the longest period before them on their CPU. */
static unsigned int outdated;

static size_t take_doubled(struct samples *s, unsigned int cpu, const void *at)
{
	static uint16_t most[64]; /* of each CPU */
	const struct pfm_dfl_smpl_entry *entry = at;

	doubled_so_often[entry->doubled % ARRAY_SIZE(doubled_so_often)]++;
	outdated += entry->doubled + 1 < most[cpu];
	if (entry->doubled > most[cpu])
		most[cpu] = entry->doubled;
	s->seen++;
	return sizeof(*entry);
}

/* As many as if all had had the last period, whose number is *@last. */
static uint64_t samples_kept(unsigned int *last)
{
	uint64_t kept = 0;
	unsigned int i;

	*last = 0;
	for (i = 0; i < ARRAY_SIZE(doubled_so_often); i++)
		if (doubled_so_often[i])
			*last = i;
	for (i = 0; i <= *last; i++)
		kept += doubled_so_often[i] << 32 >> (*last - i);
	return kept >> 32;
}

/*
 * Each of the children, which follow one another, has 66 samples of the first period at
 * most. A sample may be outdated if its member was there when the period doubled: the
 * first one or the child of then.
 */
TEST(a_family_has_one_rate)
{
	static const char *const brief[FAMILY_WORDS] = { "forks", "200",
							 "100000" };
	const struct pfarg_pmd_attr attr = {
		.reg_long_reset = -3000,
		.reg_short_reset = -3000,
		.reg_random_mask = 0x3ff,
		.reg_smpl_rate = 500,
	};
	unsigned int last;
	uint64_t kept;
	struct samples s;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open(&s, 0, ROOMY, 3000));
	s.take = take_doubled;
	ASSERT_EQ(0, write_pmd_attr(s.fd, pmu_first()->pmd,
				    PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM,
				    -3000, &attr));
	EXPECT_EQ(0, child_wait(family_start(s.fd, brief)));
	ASSERT_EQ(0, samples_until_end(&s, false));
	samples_take_all(&s);
	kept = samples_kept(&last);
	EXPECT_LT(2, last);
	EXPECT_LE(500 / 2 - 2 * 64, kept);
	EXPECT_GE(500 + 2 * 64, kept);
	EXPECT_GE(20, outdated);
	samples_close(&s);
}

/* Of all periods of a family: their number, how many differ, and their sum. */
static struct {
	uint64_t seen[1024];
	size_t different;
	uint64_t sum;
} periods;

static size_t take_period(struct samples *s, unsigned int cpu, const void *at)
{
	const struct pfm_dfl_smpl_entry *entry = at;
	size_t i;

	(void)cpu;
	for (i = 0; i < periods.different; i++)
		if (periods.seen[i] == entry->last_reset_val)
			break;
	if (i == periods.different && i < ARRAY_SIZE(periods.seen))
		periods.seen[periods.different++] = entry->last_reset_val;
	periods.sum += entry->last_reset_val;
	s->seen++;
	return sizeof(*entry);
}

/* Samples a family and returns the number of samples, or 0. */
static uint64_t sample_seeded(uint64_t seed)
{
	static const char *const children[FAMILY_WORDS] = { "forks", "20",
							    "100000" };
	const struct pfarg_pmd_attr attr = {
		.reg_long_reset = -PERIOD,
		.reg_short_reset = -PERIOD,
		.reg_random_mask = 0x3fff,
		.reg_random_seed = seed,
	};
	struct samples s;

	memset(&periods, 0, sizeof(periods));
	if (!samples_open(&s, 0, ROOMY, PERIOD))
		return 0;
	s.take = take_period;
	if (write_pmd_attr(s.fd, pmu_first()->pmd,
			   PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM, -PERIOD,
			   &attr) ||
	    child_wait(family_start(s.fd, children)) ||
	    samples_until_end(&s, false))
		s.seen = 0;
	else
		samples_take_all(&s);
	samples_close(&s);
	return s.seen;
}

TEST(a_seed_repeats_the_periods_of_each_child)
{
	uint64_t seen, sum;

	NEEDS_INTERRUPTS();
	seen = sample_seeded(7);
	sum = periods.sum;
	EXPECT_LT(50, seen);
	/* No two children have the same, or they had a tenth of them. */
	EXPECT_LT(seen / 2, periods.different);
	EXPECT_EQ(seen, sample_seeded(7));
	EXPECT_EQ(sum, periods.sum);
	EXPECT_LT(0, sample_seeded(8));
	EXPECT_NE(sum, periods.sum);
}

static const char *const many[FAMILY_WORDS] = { "threads", "4", "4000000" };

TEST(halves_that_are_given_back_are_filled_again)
{
	uint64_t counted;
	struct samples s;

	NEEDS_INTERRUPTS();
	counted = family_counted(many);
	ASSERT_TRUE(samples_open(&s, 0, 400, PERIOD));
	family_start(s.fd, many);
	ASSERT_EQ(0, samples_until_end(&s, true));
	samples_take_all(&s);
	EXPECT_LT(2 * 400, s.seen);
	EXPECT_EQ(counted, s.seen * PERIOD + family_left_over(s.fd, PERIOD));
	EXPECT_GT(family_members(s.fd) * PERIOD,
		  family_left_over(s.fd, PERIOD));
	EXPECT_EQ(0, family_loss(s.fd, PFM_LOSS_OVERFLOWS));
	samples_close(&s);
}

/* What a program may write that is no number of halves. */
static const uint64_t nonsense[] = { 3, ~0ULL, 1ULL << 63 };

TEST(what_finds_both_halves_full_is_lost_and_counted)
{
	uint64_t counted, lost;
	struct samples s;
	unsigned int cpu;
	size_t i;

	NEEDS_INTERRUPTS();
	counted = family_counted(many);
	for (i = 0; i < ARRAY_SIZE(nonsense) + 1; i++) {
		ASSERT_TRUE(samples_open(&s, 0, SCANTY, PERIOD));
		for (cpu = 0; i && cpu < s.cpus; cpu++)
			s.released[cpu] = nonsense[i - 1];
		family_start(s.fd, many);
		ASSERT_EQ(0, samples_until_end(&s, false));
		for (cpu = 0; cpu < s.cpus; cpu++)
			s.released[cpu] = 0;
		samples_take_all(&s);
		lost = family_loss(s.fd, PFM_LOSS_OVERFLOWS);
		EXPECT_LT(0, lost);
		EXPECT_GE(2 * SCANTY * s.cpus, s.seen);
		EXPECT_EQ(counted, (s.seen + lost) * PERIOD +
					   family_left_over(s.fd, PERIOD));
		samples_close(&s);
	}
}

TEST(nothing_is_sampled_while_the_family_is_stopped)
{
	static const char *const endless[FAMILY_WORDS] = { "threads", "2",
							   "2000000000" };
	uint64_t first;
	struct samples s;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open(&s, 0, SCANTY, 1000003));
	pid = family_start(s.fd, endless);
	ASSERT_TRUE(pid > 0);
	while (!s.seen) {
		usleep(1000);
		samples_take_full(&s);
	}
	ASSERT_EQ(0, pfm_stop_session(s.fd, PFM_STFL_RUNNING));
	samples_take_full(&s);
	first = s.seen;
	usleep(200000);
	samples_take_full(&s);
	EXPECT_EQ(first, s.seen);
	ASSERT_EQ(0, pfm_start_session(s.fd, PFM_STFL_RUNNING));
	while (s.seen == first) {
		usleep(1000);
		samples_take_full(&s);
	}
	child_kill(pid);
	samples_close(&s);
}

#define HISTOGRAM "perfmon_histogram"
#define IN_USE "/sys/module/" HISTOGRAM "/parameters/in_use"

/* A family with a histogram for each CPU in which all addresses are outside. */
static int create_histograms(uint64_t period)
{
	/* What nobody can wait for or turn to has no effect. */
	struct histogram_arg arg = {
		.buckets = 1,
		.ctrl = HISTOGRAM_RESET | HISTOGRAM_MASK | HISTOGRAM_SWITCH,
	};
	int fd = pfm_create_session(PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
				    "histogram", &arg, sizeof(arg));

	if (fd >= 0)
		must(period_program(fd, pmu_first(), 0, period, NULL),
		     "period of a family");
	return fd;
}

TEST(a_format_that_sums_up_needs_no_reader)
{
	long page = sysconf(_SC_PAGESIZE);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	const struct histogram_buffer *hist;
	uint64_t counted, seen = 0;
	union pfarg_msg msg;
	const char *all;
	int fd, cpu;

	NEEDS_INTERRUPTS();
	counted = family_counted(many);
	ASSERT_EQ(0, module_load(HISTOGRAM, ""));
	EXPECT_EQ(EINVAL, ERRNO(create_histograms(PERIOD)));
	ASSERT_EQ(0, module_unload(HISTOGRAM));
	ASSERT_EQ(0, module_load(HISTOGRAM, "flags=2"));
	fd = create_histograms(PERIOD);
	ASSERT_LE(0, fd);
	EXPECT_EQ(cpus, file_number(IN_USE));
	all = family_map(fd, cpus * page, PROT_READ, MAP_SHARED, 0);
	ASSERT_NE(NULL, all);
	EXPECT_EQ(0, child_wait(family_start(fd, many)));
	ASSERT_EQ(0, message_wait(fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	for (cpu = 0; cpu < cpus; cpu++) {
		hist = (const void *)(all + cpu * page);
		EXPECT_EQ(hist->samples, hist->outside);
		seen += hist->samples;
	}
	EXPECT_EQ(counted, seen * PERIOD + family_left_over(fd, PERIOD));
	EXPECT_EQ(0, family_loss(fd, PFM_LOSS_OVERFLOWS));
	munmap((void *)all, cpus * page);
	close(fd);
	EXPECT_EQ(0, file_number(IN_USE));
	EXPECT_EQ(0, module_unload(HISTOGRAM));
}

TEST(buffers_have_to_be_in_halves_and_of_a_format_that_can)
{
	struct pfm_dfl_smpl_arg arg = { 0 };
	uint64_t size = family_buffer_size(SCANTY);

	NEEDS_INTERRUPTS();
	EXPECT_EQ(EINVAL, ERRNO(family_create(0, size, 0)));
	EXPECT_EQ(EINVAL, ERRNO(family_create(PFM_FL_NOTIFY_BLOCK, size, 0)));
	EXPECT_EQ(EINVAL, ERRNO(family_create(PFM_FL_OVFL_SIGINFO, size,
					      PFM_DFL_SMPL_HALVES)));
	/* All together would reach up to where offsets mean something else. */
	EXPECT_EQ(EINVAL, ERRNO(family_create(0, PFM_MMAP_STATE + 1,
					      PFM_DFL_SMPL_HALVES)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_session(PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
					   "none", &arg, sizeof(arg))));
}

TEST(only_the_page_may_be_written)
{
	int shared = MAP_SHARED, both = PROT_READ | PROT_WRITE;
	long page = sysconf(_SC_PAGESIZE);
	struct samples s;
	int fd;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open(&s, 0, SCANTY, PERIOD));
	EXPECT_EQ(NULL, family_map(s.fd, s.stride, both, shared, 0));
	EXPECT_EQ(EACCES, ERRNO(mprotect(s.first, s.stride, both)));
	EXPECT_EQ(NULL, family_map(s.fd, s.stride, PROT_READ, shared,
				   s.cpus * s.stride));
	EXPECT_EQ(NULL,
		  family_map(s.fd, page, both, MAP_PRIVATE, PFM_MMAP_RELEASED));
	EXPECT_EQ(NULL,
		  family_map(s.fd, 2 * page, both, shared, PFM_MMAP_RELEASED));
	EXPECT_EQ(NULL, family_map(s.fd, page, both | PROT_EXEC, shared,
				   PFM_MMAP_RELEASED));
	samples_close(&s);
	fd = family_session(0);
	EXPECT_EQ(NULL, family_map(fd, page, both, shared, PFM_MMAP_RELEASED));
	close(fd);
	fd = dfl_create(0, family_buffer_size(SCANTY));
	EXPECT_EQ(NULL, family_map(fd, page, both, shared, PFM_MMAP_RELEASED));
	EXPECT_EQ(NULL, family_map(fd, page, PROT_READ, shared, page));
	close(fd);
}

TEST(what_members_began_with_does_not_change)
{
	struct pfarg_pmd_attr attr = { 0 };
	uint16_t pmd = pmu_first()->pmd;
	struct samples s;

	NEEDS_INTERRUPTS();
	ASSERT_TRUE(samples_open(&s, 0, SCANTY, PERIOD));
	attr.reg_ovfl_swcnt = 1;
	EXPECT_EQ(EINVAL, ERRNO(write_pmd_attr(s.fd, pmd, 0, 0, &attr)));
	attr.reg_ovfl_swcnt = 0;
	attr.reg_short_reset = -1000ULL;
	ASSERT_EQ(0, attach_self(s.fd));
	EXPECT_EQ(EBUSY, ERRNO(write_pmd_attr(s.fd, pmd, 0, 0, &attr)));
	EXPECT_EQ(EBUSY, ERRNO(write_pmd(s.fd, pmd, 0)));
	EXPECT_EQ(EBUSY, ERRNO(write_pmd(s.fd, pmd, -1000ULL)));
	/* There is no restart: nobody waits. */
	EXPECT_EQ(EBUSY, ERRNO(period_restart(s.fd)));
	samples_close(&s);
}

TEST_HARNESS_MAIN
