// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_create_sets() and pfm_getinfo_sets(): which sets there are, and what is
 * told of them. Conformance cases C130 to C136; sets of attached sessions are
 * the subject of attached_sets.c.
 */
#include "event_set.h"
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

static bool bit_is_set(const uint64_t *mask, unsigned int bit)
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

	ASSERT_EQ(0, set_info(self->fd, 0, &info));
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

	ASSERT_EQ(0, set_info(self->fd, 0, &info));
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

	EXPECT_EQ(EINVAL, ERRNO(set_info(self->fd, 1, &info)));
	EXPECT_EQ(EINVAL, ERRNO(set_info(self->fd, 65535, &info)));
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

		if (flag != PFM_GIFL_LOSS && flag != PFM_GIFL_KINDS)
			EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(self->fd, flag,
								 &info, 1)));
		if (flag != PFM_SETS_DELETE)
			EXPECT_EQ(EINVAL, ERRNO(pfm_create_sets(self->fd, flag,
								&desc, 1)));
	}
}

TEST_F(session, C131_a_timeout_is_kept_and_reported)
{
	uint64_t timeout = timer_round(10000000);
	struct pfarg_setinfo info;

	ASSERT_EQ(0,
		  ERRNO(set_make(self->fd, 0, PFM_SETFL_TIME_SWITCH, timeout)));
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(PFM_SETFL_TIME_SWITCH, info.set_flags);
	EXPECT_EQ(timeout, info.set_timeout);
	/* Modified again, the set forgets both. */
	ASSERT_EQ(0, ERRNO(set_make(self->fd, 0, 0, timeout)));
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_flags);
	EXPECT_EQ(0, info.set_timeout);
}

TEST_F(session, C131_a_timeout_is_a_multiple_of_the_resolution)
{
	uint64_t unit = timer_round(1);
	uint64_t timeout = timer_round(10000000);
	struct pfarg_setinfo info;
	unsigned int i;

	if (unit == 1)
		SKIP(return, "timers have a resolution of one nanosecond");
	for (i = 1; i < 4; i++) {
		EXPECT_EQ(EINVAL,
			  ERRNO(set_make(self->fd, 0, PFM_SETFL_TIME_SWITCH,
					 timeout + i * unit / 4)))
		{
			TH_LOG("%u quarters of %llu ns", i,
			       (unsigned long long)unit);
		}
	}
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_flags);
	EXPECT_EQ(0, ERRNO(set_make(self->fd, 0, PFM_SETFL_TIME_SWITCH,
				    timeout + unit)));
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

TEST_F(session, C132_sets_of_any_number_are_made)
{
	static const uint16_t ids[] = { 5, 3, 65535 };
	struct pfarg_setdesc descs[3] = { { .set_id = ids[0] },
					  { .set_id = ids[1] },
					  { .set_id = ids[2] } };
	struct pfarg_setinfo info;
	unsigned int i;

	ASSERT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, descs, 3)));
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		ASSERT_EQ(0, ERRNO(set_info(self->fd, ids[i], &info)));
		EXPECT_EQ(ids[i], info.set_id);
		EXPECT_EQ(0, info.set_runs);
	}
	EXPECT_EQ(EINVAL, ERRNO(set_info(self->fd, 4, &info)));
}

TEST_F(session, C132_vectors_are_limited)
{
	static struct pfarg_setinfo infos[21];
	static struct pfarg_setdesc descs[65];

	EXPECT_EQ(0, ERRNO(pfm_getinfo_sets(self->fd, 0, infos, 20)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_getinfo_sets(self->fd, 0, infos, 21)));
	EXPECT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, descs, 64)));
	EXPECT_EQ(E2BIG, ERRNO(pfm_create_sets(self->fd, 0, descs, 65)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_sets(self->fd, 0, descs, -1)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(self->fd, 0, infos, -1)));
	EXPECT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, NULL, 0)));
	EXPECT_EQ(0, ERRNO(pfm_getinfo_sets(self->fd, 0, NULL, 0)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_create_sets(self->fd, 0, NULL, 1)));
	EXPECT_EQ(EFAULT, ERRNO(pfm_getinfo_sets(self->fd, 0, NULL, 1)));
}

TEST_F(session, C132_there_is_room_for_256_sets_and_an_end)
{
	unsigned int n;
	int err = 0;

	for (n = 1; n < 65536 && !err; n++)
		err = ERRNO(set_make(self->fd, n, 0, 0));
	EXPECT_EQ(ENOMEM, err);
	EXPECT_LE(256U, n - 1);
	/* Those that are there can still be changed, and make room. */
	EXPECT_EQ(0, ERRNO(set_make(self->fd, 1, 0, 0)));
	EXPECT_EQ(0, ERRNO(set_delete(self->fd, 1)));
	EXPECT_EQ(0, ERRNO(set_make(self->fd, 60000, 0, 0)));
}

TEST_F(session, C132_infos_before_a_bad_one_are_filled)
{
	struct pfarg_setinfo infos[3] = { { .set_id = 0 }, { .set_id = 9 } };
	struct pfarg_setinfo untouched = { .set_id = 0, .set_runs = 123 };

	infos[2] = untouched;
	EXPECT_EQ(EINVAL, ERRNO(pfm_getinfo_sets(self->fd, 0, infos, 3)));
	EXPECT_FALSE(all_zero(infos[0].set_avail_pmds, 40));
	EXPECT_TRUE(all_zero(infos[1].set_avail_pmds, 40));
	EXPECT_EQ(0, memcmp(&untouched, &infos[2], sizeof(untouched)));
}

TEST_F(session, C133_sets_are_changed_only_while_detached)
{
	struct pfarg_setdesc set = { .set_id = 0 };
	struct pfarg_setinfo info;

	ASSERT_EQ(0, attach_self(self->fd));
	EXPECT_EQ(EBUSY, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
	EXPECT_EQ(EBUSY,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, &set, 1)));
	EXPECT_EQ(0, ERRNO(set_info(self->fd, 0, &info)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, ERRNO(pfm_create_sets(self->fd, 0, &set, 1)));
}

TEST_F(session, C134_creating_a_set_again_resets_its_controls)
{
	const struct pmu_counter *counter = pmu_first();
	uint16_t id;

	NEEDS_COUNTERS();
	for (id = 0; id <= 3; id += 3) {
		struct pfarg_pmd_attr attr = { .reg_long_reset = 7 };
		struct pmu_reg reg;
		uint64_t value;

		ASSERT_EQ(0, set_make_counting(self->fd, id, 0, 0));
		ASSERT_EQ(0, set_write_attr(self->fd, id, 0, 99, &attr));
		ASSERT_EQ(0, attach_self(self->fd));
		ASSERT_EQ(0, pfm_detach_session(self->fd, 0));

		ASSERT_EQ(0, ERRNO(set_make(self->fd, id, 0, 0)));
		ASSERT_TRUE(pmu_reg(PMU_PMC, counter->pmc, &reg));
		ASSERT_EQ(0, set_read_pmc(self->fd, id, counter->pmc, &value));
		EXPECT_EQ(reg.dfl_val, value);
		ASSERT_EQ(0, ERRNO(set_read_attr(self->fd, id, &value, &attr)));
		EXPECT_EQ(99, value);
		EXPECT_EQ(7, attr.reg_long_reset);
		EXPECT_EQ(0, set_runs(self->fd, id));
		EXPECT_EQ(0, set_duration(self->fd, id));
	}
}

TEST_F(session, C134_a_set_that_has_counted_begins_anew)
{
	struct pfarg_setinfo info;

	NEEDS_COUNTERS();
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
	counted_loop(10000);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	ASSERT_LT(0, info.set_act_duration);
	ASSERT_LT(0, info.set_runs);

	ASSERT_EQ(0, ERRNO(set_make(self->fd, 0, 0, 0)));
	ASSERT_EQ(0, set_info(self->fd, 0, &info));
	EXPECT_EQ(0, info.set_act_duration);
	EXPECT_EQ(0, info.set_runs);
}

TEST_F(session, C135_sets_but_0_are_deleted)
{
	uint64_t value;

	ASSERT_EQ(0, set_make_counting(self->fd, 3, 0, 0));
	ASSERT_EQ(0, set_write_pmd(self->fd, 3, pmu_first()->pmd, 42));
	EXPECT_EQ(EINVAL, ERRNO(set_delete(self->fd, 0)));
	EXPECT_EQ(EINVAL, ERRNO(set_delete(self->fd, 77)));
	EXPECT_EQ(0, ERRNO(set_delete(self->fd, 3)));
	EXPECT_FALSE(set_exists(self->fd, 3));
	EXPECT_EQ(EINVAL, ERRNO(set_write_pmd(self->fd, 3, 0, 1)));
	EXPECT_EQ(EINVAL, ERRNO(set_delete(self->fd, 3)));
	EXPECT_EQ(0, set_runs(self->fd, 0));
	/* Made again, it remembers nothing. */
	ASSERT_EQ(0, ERRNO(set_make(self->fd, 3, 0, 0)));
	EXPECT_EQ(EINVAL,
		  ERRNO(set_read_pmd(self->fd, 3, pmu_first()->pmd, &value)));
}

TEST_F(session, C135_sets_before_a_bad_one_are_deleted)
{
	struct pfarg_setdesc descs[3] = { { .set_id = 5 },
					  { .set_id = 77 },
					  { .set_id = 65535 } };
	struct pfarg_setdesc twice[2] = { { .set_id = 65535 },
					  { .set_id = 65535 } };

	ASSERT_EQ(0, set_make(self->fd, 5, 0, 0));
	ASSERT_EQ(0, set_make(self->fd, 65535, 0, 0));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, descs, 3)));
	EXPECT_FALSE(set_exists(self->fd, 5));
	EXPECT_EQ(0, set_runs(self->fd, 65535));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, twice, 2)));
	EXPECT_FALSE(set_exists(self->fd, 65535));
}

TEST_F(session, C135_deleting_looks_at_the_number_only)
{
	struct pfarg_setdesc desc = { .set_id = 3,
				      .set_flags = ~0U,
				      .set_timeout = 1 };
	struct pfarg_setdesc reserved = { .set_id = 3,
					  .reserved = { [5] = 1 } };

	ASSERT_EQ(0, set_make(self->fd, 3, 0, 0));
	EXPECT_EQ(EINVAL, ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE,
						&reserved, 1)));
	EXPECT_EQ(0,
		  ERRNO(pfm_create_sets(self->fd, PFM_SETS_DELETE, &desc, 1)));
	EXPECT_FALSE(set_exists(self->fd, 3));
}

TEST_F(session, C136_sets_before_a_bad_one_are_made)
{
	struct pfarg_setdesc descs[3] = { { .set_id = 1 },
					  { .set_id = 2, .set_flags = 4 },
					  { .set_id = 3 } };

	EXPECT_EQ(EINVAL, ERRNO(pfm_create_sets(self->fd, 0, descs, 3)));
	EXPECT_EQ(0, set_runs(self->fd, 1));
	EXPECT_FALSE(set_exists(self->fd, 2));
	EXPECT_FALSE(set_exists(self->fd, 3));
}

TEST_HARNESS_MAIN
