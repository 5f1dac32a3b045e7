// SPDX-License-Identifier: GPL-2.0-only
/*
 * The v2.81 interface: conformance cases C171 to C180 but for C179, which needs
 * another kernel (tests/unit/lib/). C170 is in compat_counts.c. The other cases
 * that v2.81 has a form of are run through it by the programs NAME_v281.
 */
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include <perfmon/perfmon_dfl_smpl.h>

#include "attr.h"
#include "loop.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"
#include "v281_calls.h"

/* User instructions around a loop: the rest of start and stop. */
#define SLACK 400

#define LOOP 1000000UL

/* What the programs NAME_v281 skip, since there is more in the same test. */

TEST(C003_a_cpu_does_not_block)
{
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_SYSTEM_WIDE |
					 PFM_FL_NOTIFY_BLOCK };

	EXPECT_EQ(EINVAL, ERRNO(pfm_create_context(&ctx, NULL, NULL, 0)));
}

TEST(C023_vectors_fit_into_one_page_by_default)
{
	static pfarg_pmc_t pmcs[86];
	int fd = v281_context(0);
	int i;

	for (i = 0; i < 86; i++)
		pmcs[i].reg_num = pmu_first()->pmc;
	EXPECT_EQ(0, ERRNO(pfm_write_pmcs(fd, pmcs, 85)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmcs(fd, pmcs, 86)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmcs(-1, pmcs, 86)));
}

TEST(C024_the_administrator_raises_the_limit_of_a_vector)
{
	static pfarg_pmd_t pmds[47];
	static pfarg_pmc_t pmcs[171];
	int fd = v281_context(0);
	int i;

	for (i = 0; i < 47; i++)
		pmds[i] = (pfarg_pmd_t){ .reg_num = pmu_first()->pmd,
					 .reg_value = i };
	for (i = 0; i < 171; i++)
		pmcs[i].reg_num = pmu_first()->pmc;
	ASSERT_EQ(0, attr_write("arg_mem_max", "8192"));
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, pmds, 46)));
	EXPECT_EQ(45, v281_value(fd, 0));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmds(fd, pmds, 47)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmcs(fd, pmcs, 170)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmcs(fd, pmcs, 171)));
	EXPECT_EQ(0, attr_write("arg_mem_max", "4096"));
}

/* What costs memory is refused who may not lock any; counting is not. */
TEST(without_locked_memory_there_is_no_sampling)
{
	pfm_dfl_smpl_arg_t arg = { .buf_size = 65536 };
	pfarg_pmd_t pmd = { .reg_num = pmu_first()->pmd, .reg_value = 5 };
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	pfarg_setdesc_t set = { .set_id = 1 };
	struct rlimit limit = { 0, 0 };
	int fd;

	ASSERT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	EXPECT_EQ(ENOMEM, ERRNO(pfm_create_context(&ctx, PFM_DFL_SMPL_NAME,
						   &arg, sizeof(arg))));
	fd = v281_context(0);
	EXPECT_EQ(ENOMEM, ERRNO(pfm_create_evtsets(fd, &set, 1)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, &pmd, 1)));
	EXPECT_EQ(5, v281_value(fd, 0));
	pmd.reg_value = 6;
	pmd.reg_smpl_eventid = 1;
	EXPECT_EQ(ENOMEM, ERRNO(pfm_write_pmds(fd, &pmd, 1)));
	EXPECT_EQ(5, v281_value(fd, 0));
}

/* C171 to C180 */

TEST(C171_a_set_is_deleted)
{
	pfarg_setdesc_t set = { .set_id = 3 };
	pfarg_setinfo_t info = { .set_id = 3 };
	int fd = v281_context(0);

	ASSERT_EQ(0, pfm_create_evtsets(fd, &set, 1));
	ASSERT_EQ(0, pfm_getinfo_evtsets(fd, &info, 1));
	EXPECT_EQ(0, pfm_delete_evtsets(fd, &set, 1));
	EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_evtsets(fd, &info, 1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_delete_evtsets(-1, &set, 1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_delete_evtsets(0, &set, 1)));
}

TEST(C171_no_set_is_deleted_in_strict_mode)
{
	pfarg_setdesc_t set = { .set_id = 3 };
	pfarg_setinfo_t info = { .set_id = 3 };
	int fd = v281_context(0);

	ASSERT_EQ(0, setenv("PFM_V281_STRICT", "1", 1));
	ASSERT_EQ(0, pfm_create_evtsets(fd, &set, 1));
	EXPECT_EQ(EINVAL, ERRNO(pfm_delete_evtsets(fd, &set, 1)));
	EXPECT_EQ(0, ERRNO(pfm_getinfo_evtsets(fd, &info, 1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_delete_evtsets(-1, &set, 1)));
	EXPECT_EQ(EBADF, ERRNO(pfm_delete_evtsets(0, &set, 1)));
}

TEST(the_shortest_timeout_of_the_clock_becomes_that_of_the_kernel)
{
	pfarg_setdesc_t set = { .set_id = 1,
				.set_flags = PFM_SETFL_TIME_SWITCH };
	pfarg_setinfo_t info = { .set_id = 1 };
	int fd = v281_context(0);
	struct timespec res;

	ASSERT_EQ(0, clock_getres(CLOCK_MONOTONIC, &res));
	set.set_timeout = (uint64_t)res.tv_nsec;
	ASSERT_EQ(0, ERRNO(pfm_create_evtsets(fd, &set, 1)));
	EXPECT_LE(10000, set.set_timeout);
	EXPECT_LE((uint64_t)res.tv_nsec, set.set_timeout);
	ASSERT_EQ(0, pfm_getinfo_evtsets(fd, &info, 1));
	EXPECT_EQ(set.set_timeout, info.set_timeout);
	set.set_timeout = 0;
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_evtsets(fd, &set, 1)));
}

TEST(C172_a_load_has_a_target_and_no_set)
{
	pfarg_load_t args = { .load_pid = (uint32_t)gettid(), .load_set = 1 };
	int fd = v281_context(0);

	EXPECT_EQ(EINVAL, ERRNO(pfm_load_context(fd, &args)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_load_context(fd, NULL)));
	args.load_set = 0;
	EXPECT_EQ(0, ERRNO(pfm_load_context(fd, &args)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_load_context(fd, &args)));
}

TEST(C172_a_load_does_not_unload)
{
	pfarg_load_t args = { .load_pid = 0xffffffff };
	int fd = v281_context(0);

	EXPECT_EQ(ESRCH, ERRNO(pfm_load_context(fd, &args)));
	ASSERT_EQ(0, v281_load(fd, gettid()));
	EXPECT_NE(0, ERRNO(pfm_load_context(fd, &args)));
	/* Only what is attached can be started. */
	EXPECT_EQ(0, ERRNO(pfm_start(fd, NULL)));
	EXPECT_EQ(0, ERRNO(pfm_unload_context(fd)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start(fd, NULL)));
}

TEST(C172_no_CPU_has_the_number_minus_one)
{
	pfarg_load_t args = { .load_pid = 0xffffffff };
	int fd = v281_context(PFM_FL_SYSTEM_WIDE);

	EXPECT_EQ(EINVAL, ERRNO(pfm_load_context(fd, &args)));
}

TEST(C173_a_start_begins_with_set_0)
{
	pfarg_start_t start = { .start_set = 0 };
	int fd = v281_context(0);

	ASSERT_EQ(0, v281_load(fd, gettid()));
	EXPECT_EQ(0, ERRNO(pfm_start(fd, NULL)));
	EXPECT_EQ(0, ERRNO(pfm_start(fd, &start)));
	start.start_set = 1;
	EXPECT_EQ(EINVAL, ERRNO(pfm_start(fd, &start)));
}

TEST(C173_a_strict_start_takes_no_structure)
{
	pfarg_start_t start = { .start_set = 0 };
	int fd = v281_context(0);

	ASSERT_EQ(0, pfm_v281_set_strict(1));
	ASSERT_EQ(0, v281_load(fd, gettid()));
	EXPECT_EQ(0, ERRNO(pfm_start(fd, NULL)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_start(fd, &start)));
	EXPECT_EQ(EBUSY, ERRNO(pfm_v281_set_strict(0)));
}

#define MANY 24

/* The first counter again and again; element i writes 1000 + i. */
static void repeat(pfarg_pmd_t *pmds)
{
	int i;

	for (i = 0; i < MANY; i++)
		pmds[i] = (pfarg_pmd_t){ .reg_num = pmu_first()->pmd,
					 .reg_value = 1000 + i };
}

TEST(C174_as_many_registers_as_v281_took_are_written)
{
	pfarg_pmd_t pmds[MANY];
	int fd = v281_context(0);

	repeat(pmds);
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, pmds, 23)));
	EXPECT_EQ(1022, v281_value(fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, pmds, 22)));
	EXPECT_EQ(1021, v281_value(fd, 0));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmds(fd, pmds, 24)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmds(fd, pmds, -1)));
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, pmds, 0)));
	EXPECT_EQ(1021, v281_value(fd, 0));
}

TEST(C174_errors_come_before_elements)
{
	int limit = (int)(INT_MAX / sizeof(pfarg_pmd_t));
	pfarg_pmd_t pmds[MANY];
	int fd = v281_context(0);

	repeat(pmds);
	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmds(fd, pmds, limit)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmds(fd, pmds, limit - 1)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmds(fd, NULL, 1)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmds(fd, NULL, 23)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmds(fd, NULL, 24)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmds(-1, NULL, 24)));
	EXPECT_EQ(EBADF, ERRNO(pfm_write_pmds(-1, NULL, 0)));
	EXPECT_EQ(EBADF, ERRNO(pfm_read_pmds(-1, pmds, 24)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_write_pmcs(fd, NULL, 85)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_write_pmcs(fd, NULL, 86)));
}

TEST(C175_a_read_changes_three_fields)
{
	pfarg_pmd_t pmd, wanted;
	int fd = v281_context(0);

	memset(&pmd, 0, sizeof(pmd));
	pmd.reg_num = pmu_first()->pmd;
	pmd.reg_value = 4711;
	pmd.reg_ovfl_switch_cnt = 17;
	ASSERT_EQ(0, pfm_write_pmds(fd, &pmd, 1));
	memset(&pmd, 0xa5, sizeof(pmd));
	pmd.reg_num = pmu_first()->pmd;
	pmd.reg_set = 0;
	wanted = pmd;
	wanted.reg_value = 4711;
	wanted.reg_last_reset_val = 4711;
	wanted.reg_ovfl_switch_cnt = 17;
	ASSERT_EQ(0, pfm_read_pmds(fd, &pmd, 1));
	EXPECT_EQ(0, memcmp(&pmd, &wanted, sizeof(pmd)));
}

TEST(C176_elements_before_a_bad_one_are_applied)
{
	pfarg_pmd_t pmds[MANY];
	int fd = v281_context(0);
	int n;

	for (n = 3; n <= 23; n += 20) {
		int bad;

		for (bad = 1; bad < n; bad += 4) {
			repeat(pmds);
			pmds[bad].reg_num = 9999;
			EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmds(fd, pmds, n)));
			EXPECT_EQ(1000 + (uint64_t)bad - 1, v281_value(fd, 0));
		}
	}
}

TEST(C176_elements_before_a_bad_one_are_read)
{
	pfarg_pmd_t pmds[MANY];
	int fd = v281_context(0);
	int i;

	repeat(pmds);
	ASSERT_EQ(0, pfm_write_pmds(fd, pmds, 1));
	pmds[15].reg_num = 9999;
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmds(fd, pmds, 23)));
	for (i = 0; i < 15; i++)
		EXPECT_EQ(1000, pmds[i].reg_value);
	for (; i < 23; i++)
		EXPECT_EQ(1000 + (uint64_t)i, pmds[i].reg_value);
}

/* What v2.81 did not look at. */
TEST(C177_reserved_fields_are_ignored)
{
	pfarg_ctx_t ctx;
	pfarg_pmc_t pmc;
	pfarg_pmd_t pmd;
	pfarg_load_t load_args;
	pfarg_start_t start;
	pfarg_setdesc_t set;
	pfarg_setinfo_t info;
	pfm_dfl_smpl_arg_t arg;
	int fd;

	memset(&ctx, 0xa5, sizeof(ctx));
	ctx.ctx_flags = ~0x83U;
	memset(&arg, 0xa5, sizeof(arg));
	arg.buf_size = 65536;
	fd = pfm_create_context(&ctx, PFM_DFL_SMPL_NAME, &arg, sizeof(arg));
	ASSERT_LE(0, fd);
	memset(&set, 0xa5, sizeof(set));
	set.set_id = 1;
	set.set_flags = 0xa4;
	EXPECT_EQ(0, ERRNO(pfm_create_evtsets(fd, &set, 1)));
	memset(&info, 0xa5, sizeof(info));
	info.set_id = 1;
	EXPECT_EQ(0, ERRNO(pfm_getinfo_evtsets(fd, &info, 1)));
	EXPECT_EQ(0, info.set_flags);
	EXPECT_EQ(0, ERRNO(pfm_delete_evtsets(fd, &set, 1)));
	memset(&pmc, 0xa5, sizeof(pmc));
	pmc.reg_num = pmu_first()->pmc;
	pmc.reg_set = 0;
	pmc.reg_flags = 0;
	pmc.reg_value = pmu_first()->user;
	EXPECT_EQ(0, ERRNO(pfm_write_pmcs(fd, &pmc, 1)));
	memset(&pmd, 0, sizeof(pmd));
	pmd.reg_num = pmu_first()->pmd;
	pmd.reg_random_seed = 0xa5a5a5a5;
	memset(pmd.reg_reserved2, 0xa5, sizeof(pmd.reg_reserved2));
	EXPECT_EQ(0, ERRNO(pfm_write_pmds(fd, &pmd, 1)));
	memset(&load_args, 0xa5, sizeof(load_args));
	load_args.load_pid = (uint32_t)gettid();
	load_args.load_set = 0;
	EXPECT_EQ(0, ERRNO(pfm_load_context(fd, &load_args)));
	memset(&start, 0xa5, sizeof(start));
	start.start_set = 0;
	EXPECT_EQ(0, ERRNO(pfm_start(fd, &start)));
}

TEST(C178_a_session_without_a_name_is_plain)
{
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_SMPL_FMT };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	ASSERT_LE(0, fd);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0));
	EXPECT_EQ(EFAULT, ERRNO(pfm_create_context(NULL, NULL, NULL, 0)));
}

TEST(C180_masks_keep_their_meaning)
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };
	struct pfarg_pmd_attr attr;
	pfarg_pmd_t pmd;
	uint16_t other;
	int fd = v281_context(0);

	if (pmu_get()->counters < 2)
		SKIP(return, "needs two counters");
	other = pmu_get()->counter[1].pmd;
	memset(&pmd, 0, sizeof(pmd));
	pmd.reg_num = pmr.reg_num;
	pmd.reg_reset_pmds[other / 64] = 1ULL << (other % 64);
	pmd.reg_smpl_pmds[pmr.reg_num / 64] = 1ULL << (pmr.reg_num % 64);
	pmd.reg_long_reset = 1;
	pmd.reg_short_reset = 2;
	pmd.reg_random_mask = 3;
	pmd.reg_smpl_eventid = 4;
	pmd.reg_ovfl_switch_cnt = 5;
	ASSERT_EQ(0, pfm_write_pmds(fd, &pmd, 1));
	ASSERT_EQ(0, pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmr,
				   1, &attr));
	EXPECT_EQ(0, memcmp(attr.reg_reset_pmds, pmd.reg_reset_pmds, 40));
	EXPECT_EQ(0, memcmp(attr.reg_smpl_pmds, pmd.reg_smpl_pmds, 40));
	EXPECT_EQ(1, attr.reg_long_reset);
	EXPECT_EQ(2, attr.reg_short_reset);
	EXPECT_EQ(3, attr.reg_random_mask);
	EXPECT_EQ(4, attr.reg_smpl_eventid);
	EXPECT_EQ(5, attr.reg_ovfl_swcnt);
}

/* One descriptor, both interfaces: no state is kept for it. */
TEST(both_interfaces_share_a_descriptor)
{
	uint64_t value;
	int fd = v281_context(0);

	ASSERT_EQ(0, attach_self(fd));
	ASSERT_EQ(0, pfm_start(fd, NULL));
	counted_loop(LOOP);
	ASSERT_EQ(0, pfm_stop_session(fd, 0));
	ASSERT_EQ(0, read_pmd(fd, pmu_first()->pmd, &value));
	EXPECT_EQ(value, v281_value(fd, 0));
	EXPECT_LE(LOOP, value);
	EXPECT_GE(LOOP + SLACK, value);
	EXPECT_EQ(0, pfm_unload_context(fd));
	EXPECT_EQ(EINVAL, ERRNO(pfm_stop(fd)));
}

/* The names of the draft, on the real kernel. */
TEST(the_draft_of_version_3_counts)
{
	const struct pmu_counter *counter = pmu_first();
	pfarg_draft_pmd_attr_t pmd = { .reg_num = counter->pmd,
				       .reg_long_reset = 77 };
	struct pfarg_pmr pmcs[2] = {
		{ .reg_num = counter->pmc2, .reg_value = counter->value2 },
		{ .reg_num = counter->pmc, .reg_value = counter->user },
	};
	int first = counter->value2 ? 0 : 1;
	pfarg_setinfo_t info = { .set_id = 0 };
	pfarg_sinfo_t sif;
	int fd = pfm_create(0, &sif);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pfm_getinfo_sets(fd, 0, &info, 1));
	EXPECT_EQ(0, memcmp(sif.sif_avail_pmcs, info.set_avail_pmcs, 40));
	EXPECT_EQ(0, memcmp(sif.sif_avail_pmds, info.set_avail_pmds, 40));
	ASSERT_EQ(0, pfm_write(fd, 0, PFM_RW_PMC, &pmcs[first],
			       (2 - first) * sizeof(pmcs[0])));
	ASSERT_EQ(0, pfm_write(fd, 0, PFM_RW_PMD_ATTR, &pmd, sizeof(pmd)));
	ASSERT_EQ(0, pfm_attach(fd, 0, gettid()));
	ASSERT_EQ(0, pfm_set_state(fd, 0, PFM_ST_START));
	counted_loop(LOOP);
	ASSERT_EQ(0, pfm_set_state(fd, 0, PFM_ST_STOP));
	EXPECT_EQ(EBUSY, ERRNO(pfm_set_state(fd, 0, PFM_ST_RESTART)));
	ASSERT_EQ(0, pfm_read(fd, 0, PFM_RW_PMD_ATTR, &pmd, sizeof(pmd)));
	EXPECT_LE(LOOP, pmd.reg_value);
	EXPECT_GE(LOOP + SLACK, pmd.reg_value);
	EXPECT_EQ(77, pmd.reg_long_reset);
	EXPECT_EQ(0, pfm_attach(fd, 0, PFM_NO_TARGET));
}

TEST_HARNESS_MAIN
