// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time stamp counter as a register, PMD 256: conformance case C047. It is
 * compared with what RDTSC says just inside and just outside of the calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "must.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define TSC PMD_TSC
#define TSC_WORD 4 /* of a mask; its bit 0 */

#define NO_TSC "this processor has no time stamp counter"

#define PERIOD 10000
#define BUFFER_SIZE 65536

/* About 10 ms on the test machine. */
#define LOOP 1250000

/* Of a loop that nobody may interrupt. */
#define MAX_TRIES 20

static uint64_t rdtsc(void)
{
	return __builtin_ia32_rdtsc();
}

/* RDTSC around and inside of a time during which a session counts. */
struct stamps {
	uint64_t outer;
	uint64_t inner;
};

static int run(int fd, unsigned long instructions, struct stamps *stamps)
{
	int rc;

	stamps->outer = rdtsc();
	if (pfm_start_session(fd, 0))
		return -1;
	stamps->inner = rdtsc();
	counted_loop(instructions);
	stamps->inner = rdtsc() - stamps->inner;
	rc = pfm_stop_session(fd, 0);
	stamps->outer = rdtsc() - stamps->outer;
	return rc;
}

static long switches(void)
{
	struct rusage usage;

	must(getrusage(RUSAGE_THREAD, &usage), "getrusage");
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * Write the register and run, until no kernel thread has come between: what one
 * takes is in the stamps, but not in the register.
 */
static int run_alone(int fd, struct pfarg_pmr *pmr, struct stamps *stamps)
{
	long before;
	int tries;

	for (tries = 0; tries < MAX_TRIES; tries++) {
		if (pfm_write_pmrs(fd, PFM_RWFL_PMD, pmr, 1))
			return -1;
		before = switches();
		if (run(fd, LOOP, stamps))
			return -1;
		if (switches() == before)
			return 0;
	}
	errno = EAGAIN;
	return -1;
}

static uint64_t tsc_value(int fd)
{
	uint64_t value;

	must(read_pmd(fd, TSC, &value), "time stamp counter");
	return value;
}

static void sleep_ms(long ms)
{
	struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

FIXTURE(tsc)
{
	int fd;
};

FIXTURE_SETUP(tsc)
{
	const struct sched_param first = { .sched_priority = 1 };
	struct pmu_reg reg;

	if (!pmu_reg(PMU_PMD, TSC, &reg))
		SKIP(return, NO_TSC);
	/* The time is only ours while no other thread gets between. */
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO, &first));
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, fcntl(self->fd, F_SETFL, O_NONBLOCK));
}

FIXTURE_TEARDOWN(tsc)
{
	close(self->fd);
}

TEST_F(tsc, C047_it_is_described_and_available)
{
	struct pfarg_setinfo info;
	struct pmu_reg reg;

	ASSERT_TRUE(pmu_reg(PMU_PMD, TSC, &reg));
	EXPECT_STREQ("TSC", reg.name);
	EXPECT_EQ(64, reg.width);
	EXPECT_EQ(0, reg.addr);
	EXPECT_EQ(0, reg.rsvd_msk);
	EXPECT_EQ(0, reg.dfl_val);
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(1, info.set_avail_pmds[TSC_WORD]);
}

TEST_F(tsc, C047_it_counts_while_the_session_does)
{
	struct pfarg_pmr pmr = { .reg_num = TSC, .reg_value = 1000 };
	struct stamps stamps;
	uint64_t value;

	EXPECT_EQ(EINVAL, ERRNO(read_pmd(self->fd, TSC, &value)));
	ASSERT_EQ(0, write_pmd(self->fd, TSC, 1000));
	EXPECT_EQ(1000, tsc_value(self->fd));
	ASSERT_EQ(0, attach_self(self->fd));
	counted_loop(LOOP);
	EXPECT_EQ(1000, tsc_value(self->fd));

	ASSERT_EQ(0, run_alone(self->fd, &pmr, &stamps));
	value = tsc_value(self->fd);
	EXPECT_LE(1000 + stamps.inner, value);
	EXPECT_GE(1000 + stamps.outer, value);
	EXPECT_LT(LOOP, stamps.inner);
	counted_loop(LOOP);
	EXPECT_EQ(value, tsc_value(self->fd));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(value, tsc_value(self->fd));
}

TEST_F(tsc, C047_it_counts_only_while_the_thread_runs)
{
	uint64_t before, value, ticks;

	ASSERT_EQ(0, write_pmd(self->fd, TSC, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ticks = rdtsc();
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	before = tsc_value(self->fd);
	sleep_ms(200);
	value = tsc_value(self->fd);
	ticks = rdtsc() - ticks;
	EXPECT_LT(before, value);
	EXPECT_GT(ticks / 10, value);
}

TEST_F(tsc, a_running_one_is_read_and_written)
{
	uint64_t last = 0, value;
	int i;

	ASSERT_EQ(0, write_pmd(self->fd, TSC, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (i = 0; i < 100; i++) {
		value = tsc_value(self->fd);
		EXPECT_LT(last, value);
		last = value;
	}
	ASSERT_EQ(0, write_pmd(self->fd, TSC, 1ULL << 40));
	value = tsc_value(self->fd) - (1ULL << 40);
	EXPECT_LT(0, value);
	EXPECT_GT(LOOP, value);
}

TEST_F(tsc, its_wrap_is_silent)
{
	struct pollfd poller = { .fd = self->fd, .events = POLLIN };
	struct pfarg_pmr pmr = { .reg_num = TSC,
				 .reg_flags = PFM_REGFL_OVFL_NOTIFY,
				 .reg_value = -1000 };
	struct stamps stamps;
	uint64_t value;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, ERRNO(run_alone(self->fd, &pmr, &stamps)));
	value = tsc_value(self->fd) + 1000;
	EXPECT_LE(stamps.inner, value);
	EXPECT_GE(stamps.outer, value);
	EXPECT_EQ(0, poll(&poller, 1, 0));
}

TEST_F(tsc, a_session_of_a_cpu_counts_real_time)
{
	uint64_t inner, outer, value;
	int cpu, fd;

	for (cpu = 0; cpu < cpus_online(); cpu++) {
		fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);
		ASSERT_EQ(0, write_pmd(fd, TSC, 0));
		ASSERT_EQ(0, pfm_attach_session(fd, 0, cpu));
		outer = rdtsc();
		ASSERT_EQ(0, pfm_start_session(fd, 0));
		inner = rdtsc();
		sleep_ms(50);
		inner = rdtsc() - inner;
		ASSERT_EQ(0, pfm_stop_session(fd, 0));
		outer = rdtsc() - outer;
		value = tsc_value(fd);
		/* The counters of two CPUs may differ a little. */
		EXPECT_LE(inner - inner / 100, value);
		EXPECT_GE(outer + outer / 100, value);
		close(fd);
	}
}

TEST_F(tsc, sets_share_the_time)
{
	/* What a switch takes belongs to no set, and is much in a slow kernel. */
	uint64_t timeout = timer_round(kernel_is_slow() ? 3000000 : 1000000);
	uint64_t value, sum = 0;
	struct stamps stamps;
	uint16_t id;

	for (id = 0; id < 3; id++) {
		ASSERT_EQ(0, set_make(self->fd, id, PFM_SETFL_TIME_SWITCH,
				      timeout));
		ASSERT_EQ(0, set_write_pmd(self->fd, id, TSC, 0));
	}
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, run(self->fd, 10 * LOOP, &stamps));
	for (id = 0; id < 3; id++) {
		ASSERT_EQ(0, set_read_pmd(self->fd, id, TSC, &value));
		EXPECT_LT(stamps.inner / 5, value);
		sum += value;
	}
	EXPECT_GE(stamps.outer, sum);
	EXPECT_LE(stamps.inner - stamps.inner / 20, sum);
}

/* A session with a buffer that samples each period, with the TSC. */
FIXTURE(sampling)
{
	int fd;
	const struct pfm_dfl_smpl_hdr *hdr;
};

FIXTURE_SETUP(sampling)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };
	struct pmu_reg reg;
	void *buf;

	NEEDS_INTERRUPTS();
	if (!pmu_reg(PMU_PMD, TSC, &reg))
		SKIP(return, NO_TSC);
	self->fd = pfm_create_session(PFM_FL_SMPL_FMT, "default", &arg,
				      sizeof(arg));
	ASSERT_LE(0, self->fd);
	buf = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, buf);
	self->hdr = buf;
	ASSERT_EQ(0, set_make_counting(self->fd, 0, 0, 0));
}

FIXTURE_TEARDOWN(sampling)
{
	munmap((void *)self->hdr, BUFFER_SIZE);
	close(self->fd);
}

struct entry {
	struct pfm_dfl_smpl_entry entry;
	uint64_t tsc;
} __attribute__((packed, aligned(4)));

TEST_F(sampling, C047_samples_contain_it)
{
	struct pfarg_pmd_attr attr = { .reg_short_reset = -PERIOD };
	const struct entry *entry = (const void *)(self->hdr + 1);
	struct stamps stamps;
	unsigned int i;

	attr.reg_smpl_pmds[TSC_WORD] = 1;
	ASSERT_EQ(0, write_pmd(self->fd, TSC, 500));
	ASSERT_EQ(0, set_write_attr(self->fd, 0, 0, -PERIOD, &attr));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, run(self->fd, 50 * PERIOD, &stamps));
	ASSERT_EQ(50, self->hdr->hdr_count);
	EXPECT_LT(500, entry[0].tsc);
	for (i = 1; i < 50; i++)
		EXPECT_LT(entry[i - 1].tsc, entry[i].tsc);
	EXPECT_GT(tsc_value(self->fd), entry[49].tsc);
	EXPECT_GT(500 + stamps.outer, entry[49].tsc);
}

TEST_F(sampling, C047_an_overflow_resets_it)
{
	struct pfarg_pmd_attr attr = { .reg_short_reset = -PERIOD };
	struct pfarg_pmd_attr tsc_attr = { .reg_short_reset = 7000000000ULL };
	struct pfarg_pmr pmr = { .reg_num = TSC };
	const struct entry *entry = (const void *)(self->hdr + 1);
	struct stamps stamps;
	uint64_t value;
	unsigned int i;

	attr.reg_smpl_pmds[TSC_WORD] = 1;
	attr.reg_reset_pmds[TSC_WORD] = 1;
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				    &pmr, 1, &tsc_attr));
	ASSERT_EQ(0, set_write_attr(self->fd, 0, 0, -PERIOD, &attr));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, run(self->fd, 20 * PERIOD, &stamps));
	ASSERT_EQ(20, self->hdr->hdr_count);
	/* Each period begins at the reset value. */
	EXPECT_GT(stamps.outer, entry[0].tsc);
	for (i = 1; i < 20; i++) {
		value = entry[i].tsc - 7000000000ULL;
		EXPECT_LT(PERIOD / 2, value);
		EXPECT_GT(stamps.outer / 2, value);
	}
	value = tsc_value(self->fd) - 7000000000ULL;
	EXPECT_GT(stamps.outer / 2, value);
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				   &pmr, 1, &tsc_attr));
	EXPECT_EQ(7000000000ULL, tsc_attr.reg_last_value);
}

TEST_HARNESS_MAIN
