// SPDX-License-Identifier: GPL-2.0-only
/*
 * What programs of the v2.81 interface count beside their twins of v3.0:
 * conformance case C170.
 */
#include <sys/mman.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "child.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "v281_calls.h"

#define LOOP 1000000UL

/* The same within 1 %. */
#define EXPECT_NEAR(a, b)                               \
	do {                                            \
		uint64_t near_a = (a), near_b = (b);    \
		EXPECT_LE(LOOP, near_a);                \
		EXPECT_GE(near_b + LOOP / 100, near_a); \
		EXPECT_GE(near_a + LOOP / 100, near_b); \
	} while (0)

static uint64_t count_self(bool v281)
{
	uint64_t value = ~0ULL;
	int fd = v281 ? v281_context(0) : pmu_session(0);

	if (v281) {
		if (!v281_load(fd, gettid()) && !pfm_start(fd, NULL)) {
			counted_loop(LOOP);
			pfm_stop(fd);
			value = v281_value(fd, 0);
		}
	} else if (!attach_self(fd) && !pfm_start_session(fd, 0)) {
		counted_loop(LOOP);
		pfm_stop_session(fd, 0);
		read_pmd(fd, pmu_first()->pmd, &value);
	}
	close(fd);
	return value;
}

TEST(C170_a_thread_counts_itself)
{
	EXPECT_NEAR(count_self(true), count_self(false));
}

static int loop_once(void *arg)
{
	(void)arg;
	counted_loop(LOOP);
	return 0;
}

static uint64_t count_task(bool v281)
{
	pid_t pid = child_start_stopped(loop_once, NULL);
	int fd = v281 ? v281_context(0) : pmu_session(0);
	union pfarg_msg msg;
	uint64_t value;

	if (v281 ? v281_load(fd, pid) || pfm_start(fd, NULL) :
		   pfm_attach_session(fd, 0, pid) || pfm_start_session(fd, 0)) {
		child_kill(pid);
		close(fd);
		return ~0ULL;
	}
	child_continue(pid);
	if (child_wait(pid) || message_wait(fd, &msg) ||
	    msg.type != PFM_MSG_END)
		value = ~0ULL;
	else if (v281)
		value = v281_value(fd, 0);
	else
		read_pmd(fd, pmu_first()->pmd, &value);
	close(fd);
	return value;
}

TEST(C170_another_thread_is_counted_until_it_ends)
{
	EXPECT_NEAR(count_task(true), count_task(false));
}

static uint64_t count_cpu(bool v281)
{
	int fd = v281 ? v281_context(PFM_FL_SYSTEM_WIDE) : pmu_cpu_session();
	uint64_t value = ~0ULL;

	if (v281) {
		if (!v281_load(fd, 0) && !pfm_start(fd, NULL)) {
			counted_loop(LOOP);
			pfm_stop(fd);
			value = v281_value(fd, 0);
			pfm_unload_context(fd);
		}
	} else if (!pfm_attach_session(fd, 0, 0) && !pfm_start_session(fd, 0)) {
		counted_loop(LOOP);
		pfm_stop_session(fd, 0);
		read_pmd(fd, pmu_first()->pmd, &value);
	}
	close(fd);
	return value;
}

TEST(C170_a_cpu_is_counted)
{
	ASSERT_EQ(0, pin_to_cpu(0));
	EXPECT_NEAR(count_cpu(true), count_cpu(false));
}

#define SET_PERIOD 50000

/* Two sets that take turns after each SET_PERIOD events. */
static struct pfarg_setdesc two_sets[] = {
	{ .set_id = 0, .set_flags = PFM_SETFL_OVFL_SWITCH },
	{ .set_id = 1, .set_flags = PFM_SETFL_OVFL_SWITCH },
};

/* Both functions below: the sum of both sets, and the runs of the second. */
static uint64_t count_sets_v281(uint64_t *runs)
{
	struct pfarg_setinfo info = { .set_id = 1 };
	pfarg_pmd_t pmd = { .reg_num = pmu_first()->pmd,
			    .reg_value = -SET_PERIOD,
			    .reg_long_reset = -SET_PERIOD,
			    .reg_short_reset = -SET_PERIOD,
			    .reg_ovfl_switch_cnt = 1 };
	int fd = v281_context(0);
	uint64_t sum = 0;
	uint16_t i;

	if (pfm_create_evtsets(fd, two_sets, 2))
		return ~0ULL;
	for (i = 0; i < 2; i++) {
		pmd.reg_set = i;
		if (v281_program(fd, i, 0, 0) || pfm_write_pmds(fd, &pmd, 1))
			return ~0ULL;
	}
	if (v281_load(fd, gettid()) || pfm_start(fd, NULL))
		return ~0ULL;
	counted_loop(LOOP);
	pfm_stop(fd);
	pfm_getinfo_evtsets(fd, &info, 1);
	for (i = 0; i < 2; i++)
		sum += v281_value(fd, i) + SET_PERIOD;
	*runs = info.set_runs;
	close(fd);
	return sum;
}

static uint64_t count_sets_v3(uint64_t *runs)
{
	const struct pmu_counter *counter = pmu_first();
	struct pfarg_setinfo info = { .set_id = 1 };
	struct pfarg_pmd_attr attr = { .reg_long_reset = -SET_PERIOD,
				       .reg_short_reset = -SET_PERIOD,
				       .reg_ovfl_swcnt = 1 };
	struct pfarg_pmr pmr = { .reg_num = counter->pmd,
				 .reg_value = -SET_PERIOD };
	uint64_t value, sum = 0;
	int fd = pmu_session(0);
	uint16_t i;

	if (pfm_create_sets(fd, 0, two_sets, 2))
		return ~0ULL;
	for (i = 0; i < 2; i++) {
		pmr.reg_set = i;
		if (pmu_program_set(fd, i, counter, counter->user, 0) ||
		    pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr,
				   1, &attr))
			return ~0ULL;
	}
	if (attach_self(fd) || pfm_start_session(fd, 0))
		return ~0ULL;
	counted_loop(LOOP);
	pfm_stop_session(fd, 0);
	pfm_getinfo_sets(fd, 0, &info, 1);
	for (i = 0; i < 2; i++) {
		value = ~0ULL;
		set_read_pmd(fd, i, counter->pmd, &value);
		sum += value + SET_PERIOD;
	}
	*runs = info.set_runs;
	close(fd);
	return sum;
}

TEST(C170_sets_take_turns)
{
	uint64_t runs_v281, runs_v30, left_v281, left_v30;

	left_v281 = count_sets_v281(&runs_v281);
	left_v30 = count_sets_v3(&runs_v30);
	/* What each set has counted since its last turn. */
	EXPECT_GE(100000, left_v281);
	EXPECT_GE(left_v30 + LOOP / 100, left_v281);
	EXPECT_GE(left_v281 + LOOP / 100, left_v30);
	EXPECT_EQ(LOOP / 100000, runs_v281);
	EXPECT_EQ(runs_v30, runs_v281);
}

static uint64_t count_samples(bool v281)
{
	const struct pmu_counter *counter = pmu_first();
	pfm_dfl_smpl_arg_t arg = { .buf_size = 65536 };
	struct pfarg_pmd_attr attr = { .reg_long_reset = -10000,
				       .reg_short_reset = -10000 };
	struct pfarg_pmr pmr = { .reg_num = counter->pmd,
				 .reg_flags = PFM_REGFL_OVFL_NOTIFY,
				 .reg_value = -10000 };
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	const pfm_dfl_smpl_hdr_t *hdr;
	uint64_t n;
	int fd;

	if (v281) {
		fd = pfm_create_context(&ctx, PFM_DFL_SMPL_NAME, &arg,
					sizeof(arg));
		if (v281_program(fd, 0, PFM_REGFL_OVFL_NOTIFY, -10000))
			return ~0ULL;
	} else {
		fd = pfm_create_session(PFM_FL_SMPL_FMT, PFM_DFL_SMPL_NAME,
					&arg, sizeof(arg));
		if (pmu_count_user(fd, counter, 0) ||
		    pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr,
				   1, &attr))
			return ~0ULL;
	}
	hdr = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE, fd, 0);
	if (hdr == MAP_FAILED)
		return ~0ULL;
	if (v281 ? v281_load(fd, gettid()) || pfm_start(fd, NULL) :
		   attach_self(fd) || pfm_start_session(fd, 0))
		return ~0ULL;
	counted_loop(LOOP);
	if (v281)
		pfm_stop(fd);
	else
		pfm_stop_session(fd, 0);
	n = hdr->hdr_count;
	munmap((void *)hdr, 65536);
	close(fd);
	return n;
}

TEST(C170_samples_are_taken)
{
	EXPECT_EQ(LOOP / 10000, count_samples(true));
	EXPECT_EQ(LOOP / 10000, count_samples(false));
}

TEST_HARNESS_MAIN
