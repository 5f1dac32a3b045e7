// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_create_sets() and pfm_getinfo_sets() as far as they concern set 0, which
 * each session has: conformance cases C130 to C144.
 */
#include <time.h>

#include "loop.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

FIXTURE(session)
{
	int fd;
};

FIXTURE_SETUP(session)
{
	self->fd = pmu_session(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(session)
{
	close(self->fd);
}

static int getinfo(int fd, uint16_t id, struct pfarg_setinfo *info)
{
	*info = (struct pfarg_setinfo){ .set_id = id };
	return pfm_getinfo_sets(fd, 0, info, 1);
}

static bool bit_is_set(const __u64 *mask, unsigned int bit)
{
	return mask[bit / 64] >> (bit % 64) & 1;
}

static bool all_zero(const void *mem, size_t size)
{
	const char *byte = mem;
	size_t i;

	for (i = 0; i < size; i++)
		if (byte[i])
			return false;
	return true;
}

TEST_F(session, C130_set_0_exists_and_has_never_run)
{
	struct pfarg_setinfo info;

	ASSERT_EQ(0, getinfo(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_id);
	EXPECT_EQ(0, info.set_reserved1);
	EXPECT_EQ(0, info.set_flags);
	EXPECT_EQ(0, info.set_runs);
	EXPECT_EQ(0, info.set_timeout);
	EXPECT_EQ(0, info.set_act_duration);
	EXPECT_TRUE(all_zero(info.set_ovfl_pmds, sizeof(info.set_ovfl_pmds)));
	EXPECT_TRUE(all_zero(info.set_reserved3, sizeof(info.set_reserved3)));
}

TEST_F(session, C130_available_registers_are_those_of_the_map)
{
	struct pfarg_setinfo info;
	struct pmu_reg reg;
	unsigned int i;

	ASSERT_EQ(0, getinfo(self->fd, 0, &info));
	for (i = 0; i < PFM_MAX_PMDS; i++) {
		EXPECT_EQ(pmu_reg(PMU_PMC, i, &reg),
			  bit_is_set(info.set_avail_pmcs, i))
		{
			TH_LOG("pmc%u", i);
		}
		EXPECT_EQ(pmu_reg(PMU_PMD, i, &reg),
			  bit_is_set(info.set_avail_pmds, i))
		{
			TH_LOG("pmd%u", i);
		}
	}
}

TEST_F(session, C130_other_sets_do_not_exist)
{
	struct pfarg_setinfo info;

	EXPECT_EQ(EINVAL, ERRNO(getinfo(self->fd, 1, &info)));
	EXPECT_EQ(EINVAL, ERRNO(getinfo(self->fd, 65535, &info)));
}

TEST_F(session, C131_sets_are_checked_before_they_are_made)
{
	static const struct {
		const char *what;
		struct pfarg_setdesc set;
		int err;
	} rows[] = {
		{ "unknown flag", { .set_flags = 4 }, EINVAL },
		{ "highest flag", { .set_flags = 1U << 31 }, EINVAL },
		{ "both switches",
		  { .set_flags = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH,
		    .set_timeout = 10000000 },
		  EINVAL },
		{ "no timeout", { .set_flags = PFM_SETFL_TIME_SWITCH }, EINVAL },
		{ "short timeout",
		  { .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout = 9999 },
		  EINVAL },
		{ "long timeout",
		  { .set_flags = PFM_SETFL_TIME_SWITCH,
		    .set_timeout = 1ULL << 63 },
		  EINVAL },
		{ "longest timeout",
		  { .set_flags = PFM_SETFL_TIME_SWITCH, .set_timeout = ~0ULL },
		  EINVAL },
		{ "reserved half word", { .set_reserved1 = 1 }, EINVAL },
		{ "first reserved word", { .reserved = { 1 } }, EINVAL },
		{ "last reserved word", { .reserved = { [5] = 1 } }, EINVAL },
		{ "timeout without its flag", { .set_timeout = 1 }, 0 },
		{ "nothing wrong", { .set_flags = 0 }, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pfarg_setdesc set = rows[i].set;

		EXPECT_EQ(rows[i].err,
			  ERRNO(pfm_create_sets(self->fd, 0, &set, 1)))
		{
			TH_LOG("%s", rows[i].what);
		}
	}
}

TEST_F(session, C131_unknown_flags_of_the_calls_are_refused)
{
	struct pfarg_setdesc desc = { .set_id = 0 };
	struct pfarg_setinfo info = { .set_id = 0 };
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		int flag = (int)(1U << bit);

		EXPECT_EQ(EINVAL,
			  ERRNO(pfm_getinfo_sets(self->fd, flag, &info, 1)));
		if (flag == PFM_SETS_DELETE)
			continue;
		EXPECT_EQ(EINVAL,
			  ERRNO(pfm_create_sets(self->fd, flag, &desc, 1)));
	}
}

TEST_F(session, C131_a_timeout_is_kept_and_reported)
{
	struct pfarg_setdesc set = { .set_flags = PFM_SETFL_TIME_SWITCH };
	struct pfarg_setinfo info;
	struct timespec tick;

	/* About 10 ms; one tick is the unit without high-resolution timers. */
	ASSERT_EQ(0, clock_getres(CLOCK_MONOTONIC, &tick));
	set.set_timeout = 10000000 + tick.tv_nsec - 1;
	set.set_timeout -= set.set_timeout % tick.tv_nsec;

	ASSERT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
	ASSERT_EQ(0, getinfo(self->fd, 0, &info));
	EXPECT_EQ(PFM_SETFL_TIME_SWITCH, info.set_flags);
	EXPECT_EQ(set.set_timeout, info.set_timeout);
	/* Modified again, the set forgets both. */
	set.set_flags = 0;
	ASSERT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
	ASSERT_EQ(0, getinfo(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_flags);
	EXPECT_EQ(0, info.set_timeout);
}

TEST_F(session, C131_reserved_fields_of_getinfo_must_be_zero)
{
	struct pfarg_setinfo info = { .set_reserved1 = 1 };
	unsigned int i;

	EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(self->fd, 0, &info, 1)));
	for (i = 0; i < 6; i++) {
		info = (struct pfarg_setinfo){ .set_id = 0 };
		info.set_reserved3[i] = 1;
		EXPECT_EQ(EINVAL,
			  ERRNO(pfm_getinfo_sets(self->fd, 0, &info, 1)));
	}
}

NOT_YET(C132_sets_of_any_number_are_made, NO_SETS)

TEST_F(session, C133_sets_are_changed_only_while_detached)
{
	struct pfarg_setdesc set = { .set_id = 0 };
	struct pfarg_setinfo info;

	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
	EXPECT_EQ(EBUSY,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, &set, 1)));
	EXPECT_EQ(0, ERRNO(getinfo(self->fd, 0, &info)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
}

TEST_F(session, C134_creating_a_set_again_resets_its_controls)
{
	const struct pmu_counter *counter = pmu_first();
	struct pfarg_setdesc set = { .set_id = 0 };
	struct pfarg_setinfo info;
	struct pmu_reg reg;
	uint64_t value;

	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, pmu_count_user(self->fd, counter, 99));
	ASSERT_EQ(0, pfm_create_sets(self->fd, 0, &set, 1));
	ASSERT_TRUE(pmu_reg(PMU_PMC, counter->pmc, &reg));
	ASSERT_EQ(0, read_pmc(self->fd, counter->pmc, &value));
	EXPECT_EQ(reg.dfl_val, value);
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, counter->pmd, &value)));
	EXPECT_EQ(99, value);
	ASSERT_EQ(0, getinfo(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_runs);
	EXPECT_EQ(0, info.set_act_duration);
}

TEST_F(session, C135_set_0_and_absent_sets_cannot_be_deleted)
{
	struct pfarg_setdesc set = { .set_id = 0 };
	struct pfarg_setinfo info;

	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, &set, 1)));
	set.set_id = 77;
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, &set, 1)));
	EXPECT_EQ(0, ERRNO(getinfo(self->fd, 0, &info)));
}

NOT_YET(C136_sets_before_a_bad_one_are_made, NO_SETS)
NOT_YET(C137_sets_take_turns, NO_SETS)
NOT_YET(C138_a_single_set_takes_turns_with_itself, NO_SETS)
NOT_YET(C139_overflows_switch_sets, NO_SETS)

static uint64_t duration(int fd)
{
	struct pfarg_setinfo info;

	return getinfo(fd, 0, &info) ? ~0ULL : info.set_act_duration;
}

TEST_F(session, C140_only_counting_takes_duration)
{
	uint64_t stopped, detached;

	ASSERT_EQ(0, attach_self(self->fd));
	counted_loop(1000000);
	EXPECT_EQ(0, duration(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(1000000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	stopped = duration(self->fd);
	EXPECT_LT(0, stopped);
	counted_loop(1000000);
	EXPECT_EQ(stopped, duration(self->fd));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_EQ(stopped, duration(self->fd));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	detached = duration(self->fd);
	EXPECT_EQ(stopped, detached);
}

TEST_F(session, C140_starting_again_loses_no_duration)
{
	uint64_t previous = 0;
	uint64_t now;
	int i;

	ASSERT_EQ(0, attach_self(self->fd));
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		counted_loop(1000000);
		now = duration(self->fd);
		EXPECT_LT(previous, now);
		previous = now;
	}
}

NOT_YET(C141_a_sleeping_thread_switches_no_sets, NO_SETS)

TEST_F(session, C142_each_attach_is_a_run_of_set_0)
{
	struct pfarg_setinfo info;
	unsigned int i;

	for (i = 1; i <= 3; i++) {
		ASSERT_EQ(0, attach_self(self->fd));
		ASSERT_EQ(0, getinfo(self->fd, 0, &info));
		EXPECT_EQ(i, info.set_runs);
		ASSERT_EQ(0, pfm_start_session(self->fd, 0));
		ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
		ASSERT_EQ(0, getinfo(self->fd, 0, &info));
		EXPECT_EQ(i, info.set_runs);
	}
}

NOT_YET(C143_a_message_names_its_set, NO_SETS)
NOT_YET(C144_an_inactive_set_is_programmed_meanwhile, NO_SETS)

TEST_HARNESS_MAIN
