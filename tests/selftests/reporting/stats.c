// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics in debugfs: what is counted where, and how it is reset. The
 * test machine has no overflow but those that the test asks for, hence exact
 * numbers.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "attr.h"
#include "child.h"
#include "event_set.h"
#include "loop.h"
#include "machine.h"
#include "msr.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define PERIOD 10000
#define BUFFER_SIZE 65536

/* In each directory, one for each CPU that there might be. */
static const char *const names[] = {
	"ovfl_intr_all_count",	   "ovfl_intr_ns",
	"ovfl_intr_regular_count", "ovfl_intr_spurious_count",
	"ovfl_intr_replay_count",  "ovfl_intr_nmi_count",
	"ovfl_nmi_captured_count", "ovfl_nmi_dropped_count",
	"ovfl_notify_count",	   "reset_pmds_count",
	"fmt_handler_calls",	   "fmt_handler_ns",
	"set_switch_count",	   "set_switch_ns",
	"set_switch_exp",	   "handle_timeout_count",
	"ctxswin_count",	   "ctxswin_ns",
	"ctxswout_count",	   "ctxswout_ns",
	"handle_work_count",	   "pfm_restart_count",
	"throttled_count",	   "throttled_jiffies",
};

#define NR_STATS ARRAY_SIZE(names)

/* Of the CPU that the test is tied to. */
static int64_t stat_of(int cpu, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), PERFMON_DEBUGFS "cpu%d/%s", cpu, name);
	return file_number(path);
}

static int64_t stat_here(const char *name)
{
	return stat_of(0, name);
}

/* Lets set 0 overflow each period, and forever. */
static int overflow_each_period(int fd, uint32_t flags, uint64_t timeout,
				uint64_t switches)
{
	struct pfarg_pmd_attr attr = { .reg_short_reset = -PERIOD,
				       .reg_ovfl_swcnt = switches };

	if (set_make_counting(fd, 0, flags, timeout))
		return -1;
	return set_write_attr(fd, 0, 0, -PERIOD, &attr);
}

FIXTURE(stats)
{
	int fd;
	void *buf;
};

/* A sampling session, for CPU 0. */
FIXTURE_SETUP(stats)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };

	if (access(PERFMON_DEBUGFS "cpu0", F_OK))
		SKIP(return, "this kernel has no debugfs");
	ASSERT_EQ(0, pin_to_cpu(0));
	self->fd = pfm_create_session(PFM_FL_SMPL_FMT, "default", &arg,
				      sizeof(arg));
	ASSERT_LE(0, self->fd);
	self->buf = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, self->buf);
	ASSERT_EQ(0, overflow_each_period(self->fd, 0, 0, 0));
	ASSERT_EQ(0, attr_write("reset_stats", "1"));
}

FIXTURE_TEARDOWN_PARENT(stats)
{
	EXPECT_EQ(0, attr_write("debug", "0"));
}

TEST_F(stats, each_cpu_has_all_files)
{
	char path[128], text[64], again[64];
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < cpus_online(); cpu++)
		for (i = 0; i < NR_STATS; i++) {
			snprintf(path, sizeof(path), PERFMON_DEBUGFS "cpu%d/%s",
				 cpu, names[i]);
			EXPECT_EQ(0, file_read(path, text, sizeof(text)));
			snprintf(again, sizeof(again), "%llu\n",
				 strtoull(text, NULL, 10));
			EXPECT_STREQ(again, text);
			EXPECT_NE(0, file_write(path, "0"));
		}
}

TEST_F(stats, overflows_and_resets_are_counted)
{
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(100 * PERIOD);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(100, stat_here("ovfl_intr_regular_count"));
	EXPECT_EQ(100, stat_here("ovfl_intr_all_count") -
			       stat_here("ovfl_intr_spurious_count"));
	EXPECT_EQ(100, stat_here("reset_pmds_count"));
	EXPECT_EQ(0, stat_here("ovfl_notify_count"));
	EXPECT_EQ(0, stat_here("set_switch_count"));
	EXPECT_EQ(0, stat_here("throttled_count"));
	/* Times are for those who ask. */
	EXPECT_EQ(0, stat_here("ovfl_intr_ns"));
	if (cpus_online() > 1)
		EXPECT_EQ(0, stat_of(1, "ovfl_intr_all_count"));
}

TEST_F(stats, notifications_and_restarts_are_counted)
{
	int i, fd = pmu_session(0);
	struct pfarg_pmd_attr attr = { .reg_long_reset = -PERIOD };

	ASSERT_EQ(0,
		  set_write_attr(fd, 0, PFM_REGFL_OVFL_NOTIFY, -PERIOD, &attr));
	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	for (i = 1; i <= 5; i++) {
		counted_loop(PERIOD);
		EXPECT_EQ(i, stat_here("ovfl_notify_count"));
		EXPECT_EQ(i - 1, stat_here("pfm_restart_count"));
		ASSERT_EQ(0, pfm_start_session(fd, PFM_STFL_RESTART));
		EXPECT_EQ(i, stat_here("pfm_restart_count"));
	}
	EXPECT_EQ(EBUSY, ERRNO(pfm_start_session(fd, PFM_STFL_RESTART)));
	EXPECT_EQ(5, stat_here("pfm_restart_count"));
	close(fd);
}

TEST_F(stats, switches_are_counted_with_their_reason)
{
	int64_t expired;

	ASSERT_EQ(0, overflow_each_period(self->fd, PFM_SETFL_TIME_SWITCH,
					  timer_round(1000000), 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000 * PERIOD);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	expired = stat_here("set_switch_exp");
	EXPECT_LT(10, expired);
	EXPECT_EQ(set_runs(self->fd, 0), 1 + (uint64_t)expired);
	EXPECT_EQ(expired, stat_here("set_switch_count"));
	EXPECT_EQ(expired, stat_here("handle_timeout_count"));
	/* Those by overflow are no timeouts. */
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0,
		  overflow_each_period(self->fd, PFM_SETFL_OVFL_SWITCH, 0, 1));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(10 * PERIOD);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(expired + 10, stat_here("set_switch_count"));
	EXPECT_EQ(expired, stat_here("set_switch_exp"));
}

TEST_F(stats, context_switches_and_times_are_counted_on_demand)
{
	/* So long that it is not over before the thread is switched out. */
	const struct timespec pause = { .tv_nsec = 10000000 };
	int i;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	nanosleep(&pause, NULL);
	EXPECT_EQ(0, stat_here("ctxswin_count"));
	EXPECT_EQ(0, stat_here("ctxswout_count"));
	ASSERT_EQ(0, attr_write("debug", "1"));
	for (i = 0; i < 10; i++)
		nanosleep(&pause, NULL);
	counted_loop(10 * PERIOD);
	EXPECT_LE(10, stat_here("ctxswin_count"));
	EXPECT_LE(10, stat_here("ctxswout_count"));
	EXPECT_LT(0, stat_here("ctxswin_ns"));
	EXPECT_LT(0, stat_here("ctxswout_ns"));
	EXPECT_LT(0, stat_here("ovfl_intr_ns"));
	EXPECT_LE(10, stat_here("fmt_handler_calls"));
	EXPECT_GE(15, stat_here("fmt_handler_calls"));
	EXPECT_LT(0, stat_here("fmt_handler_ns"));
}

/* A kernel that checks its memory spends most of 0.2 ms in the timer itself. */
TEST_F(stats, all_only_grow_and_interrupts_add_up)
{
	uint64_t timeout = timer_round(kernel_is_slow() ? 2000000 : 200000);
	int64_t now, last[NR_STATS] = { 0 };
	unsigned int round, i;

	ASSERT_EQ(0, attr_write("debug", "3"));
	ASSERT_EQ(0, overflow_each_period(self->fd, PFM_SETFL_TIME_SWITCH,
					  timeout, 0));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	for (round = 0; round < 20; round++) {
		counted_loop(5 * PERIOD);
		for (i = 0; i < NR_STATS; i++) {
			now = stat_here(names[i]);
			EXPECT_LE(last[i], now);
			last[i] = now;
		}
	}
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_LT(0, stat_here("ovfl_intr_regular_count"));
	EXPECT_EQ(stat_here("ovfl_intr_all_count"),
		  stat_here("ovfl_intr_regular_count") +
			  stat_here("ovfl_intr_spurious_count"));
}

static void overflow_sometimes(struct __test_metadata *_metadata, int fd)
{
	ASSERT_EQ(0, pfm_start_session(fd, 0));
	counted_loop(10 * PERIOD);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	EXPECT_LE(10, stat_here("ovfl_intr_all_count"));
}

static void expect_all_zero(struct __test_metadata *_metadata)
{
	unsigned int i;
	int cpu;

	for (cpu = 0; cpu < cpus_online(); cpu++)
		for (i = 0; i < NR_STATS; i++)
			EXPECT_EQ(0, stat_of(cpu, names[i]))
			{
				TH_LOG("cpu%d/%s", cpu, names[i]);
			}
}

TEST_F(stats, C150_statistics_can_be_reset)
{
	ASSERT_EQ(0, attach_self(self->fd));
	overflow_sometimes(_metadata, self->fd);
	ASSERT_EQ(0, attr_write("reset_stats", "anything"));
	expect_all_zero(_metadata);
	ASSERT_EQ(0, attr_write("debug", "2"));
	EXPECT_EQ(2, attr_number("debug"));
	overflow_sometimes(_metadata, self->fd);
	ASSERT_EQ(0, attr_write("debug", "0"));
	expect_all_zero(_metadata);
}

/* The machine raises one that nobody can explain. */
TEST_F(stats, interrupts_without_an_overflow_are_spurious)
{
	int msr = msr_open(0);

	if (msr < 0)
		SKIP(return, "needs the test machine");
	ASSERT_EQ(0, attach_self(self->fd));
	overflow_sometimes(_metadata, self->fd);
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	ASSERT_EQ(0, msr_fault(msr, PMU_FAULT(PMU_FAULT_SPURIOUS, 0)));
	EXPECT_EQ(10, stat_here("ovfl_intr_regular_count"));
	EXPECT_EQ(1, stat_here("ovfl_intr_spurious_count"));
	EXPECT_EQ(11, stat_here("ovfl_intr_all_count"));
}

TEST_HARNESS_MAIN
