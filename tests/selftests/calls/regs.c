// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of a session that is not attached, their flags and attributes:
 * conformance cases C026 to C036, C039 to C043 and C046. The vectors that name
 * them are the subject of vectors.c. The 32-bit build of this program running on
 * a 64-bit kernel is case C046.
 */
#include "kinds.h"
#include "machine.h"
#include "pebs.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "regs_fixture.h"
#include "unprivileged.h"

/* In no register map: beyond all maps, beyond the name space. */
static const uint16_t absent_regs[] = { 255, 319, 320, 65535 };

TEST_F(session, C026_a_register_must_be_in_the_map)
{
	uint64_t value;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(absent_regs); i++) {
		uint16_t num = absent_regs[i];

		EXPECT_EQ(EINVAL, ERRNO(write_pmc(self->fd, num, 0)));
		EXPECT_EQ(EINVAL, ERRNO(write_pmd(self->fd, num, 0)));
		EXPECT_EQ(EINVAL, ERRNO(read_pmc(self->fd, num, &value)));
		EXPECT_EQ(EINVAL, ERRNO(read_pmd(self->fd, num, &value)));
	}
}

TEST_F(session, C026_the_map_and_the_calls_agree_on_every_register)
{
	struct pmu_reg reg;
	uint64_t value;
	uint16_t num;

	for (num = 0; num < PFM_MAX_PMCS; num++) {
		int err = pmu_reg(PMU_PMC, num, &reg) ? 0 : EINVAL;

		EXPECT_EQ(err, ERRNO(read_pmc(self->fd, num, &value)))
		{
			TH_LOG("pmc%u", num);
		}
	}
	for (num = 0; num < PFM_MAX_PMDS; num++) {
		int err = pmu_reg(PMU_PMD, num, &reg) ? 0 : EINVAL;

		EXPECT_EQ(err, ERRNO(write_pmd(self->fd, num, 0)))
		{
			TH_LOG("pmd%u", num);
		}
	}
}

static int write_flags(int fd, int kind, uint16_t num, uint32_t reg_flags)
{
	struct pfarg_pmr pmr = { .reg_num = num, .reg_flags = reg_flags };

	return pfm_write_pmrs(fd, kind, &pmr, 1);
}

TEST_F(counters, C027_a_control_register_knows_one_flag)
{
	uint64_t interrupt;
	struct pfarg_pmr pmr;
	bool can = pmu_no_emulation(pmu_first(), &pmr, &interrupt);
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		uint32_t flag = 1U << bit;
		int err = EINVAL;

		if (flag == PFM_REGFL_NO_EMUL64 && can)
			err = 0;
		EXPECT_EQ(err,
			  ERRNO(write_flags(self->fd, PMC, pmr.reg_num, flag)))
		{
			TH_LOG("reg_flags 0x%x", flag);
		}
	}
}

TEST_F(counters, C027_fixed_counters_cannot_do_without_emulation)
{
	struct pmu_reg reg;

	if (!pmu_reg(PMU_PMC, 16, &reg) || strcmp(reg.name, "FIXED_CTRL"))
		SKIP(return, "this processor has no fixed counters");
	EXPECT_EQ(EINVAL,
		  ERRNO(write_flags(self->fd, PMC, 16, PFM_REGFL_NO_EMUL64)));
	EXPECT_EQ(0, ERRNO(write_flags(self->fd, PMC, 16, 0)));
}

TEST_F(counters, C028_a_data_register_knows_two_flags)
{
	const uint32_t all = PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++) {
		uint32_t flag = 1U << bit;
		int err = flag & all ? 0 : EINVAL;

		EXPECT_EQ(err,
			  ERRNO(write_flags(self->fd, PMD, self->pmd, flag)))
		{
			TH_LOG("reg_flags 0x%x", flag);
		}
	}
	EXPECT_EQ(0, ERRNO(write_flags(self->fd, PMD, self->pmd, all)));
}

TEST_F(counters, C029_a_set_must_exist)
{
	struct pfarg_pmr pmd = { .reg_num = self->pmd, .reg_set = 7 };
	struct pfarg_pmr pmc = { .reg_num = self->pmc, .reg_set = 65535 };

	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd, PMD, &pmd, 1)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_write_pmrs(self->fd, PMC, &pmc, 1)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd, PMD, &pmd, 1)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(self->fd, PMC, &pmc, 1)));
}

/* Which bits it may have depends on the kind of core that its value is for. */
static bool is_of_kinds(uint16_t num)
{
	return cpuid_says_hybrid() && (num == 19 || num == 31 || num == 32);
}

/* Without a format that takes records, what makes them can only be off. */
static bool makes_records(uint16_t num)
{
	return pebs_exists() && (num == PMC_PEBS_ENABLE || num == PMC_LD_LAT);
}

TEST_F(counters, C030_reserved_bits_are_forced_to_their_defaults)
{
	struct pmu_reg reg;
	uint64_t value;
	uint16_t num;

	for (num = 0; num < PFM_MAX_PMCS; num++) {
		if (!pmu_reg(PMU_PMC, num, &reg) || is_of_kinds(num))
			continue;
		if (makes_records(num)) {
			EXPECT_EQ(EINVAL,
				  ERRNO(write_pmc(self->fd, num, ~0ULL)));
			EXPECT_EQ(0, ERRNO(write_pmc(self->fd, num, 0)));
			continue;
		}
		EXPECT_EQ(0, ERRNO(write_pmc(self->fd, num, ~0ULL)));
		EXPECT_EQ(0, ERRNO(read_pmc(self->fd, num, &value)));
		EXPECT_EQ(~reg.rsvd_msk | (reg.dfl_val & reg.rsvd_msk), value)
		{
			TH_LOG("pmc%u written with ones", num);
		}
		EXPECT_EQ(0, ERRNO(write_pmc(self->fd, num, 0)));
		EXPECT_EQ(0, ERRNO(read_pmc(self->fd, num, &value)));
		EXPECT_EQ(reg.dfl_val & reg.rsvd_msk, value)
		{
			TH_LOG("pmc%u written with zeros", num);
		}
	}
}

TEST_F(counters, C031_a_fresh_control_register_reads_its_default)
{
	struct pmu_reg reg;
	uint64_t value;
	uint16_t num;

	for (num = 0; num < PFM_MAX_PMCS; num++) {
		if (!pmu_reg(PMU_PMC, num, &reg))
			continue;
		EXPECT_EQ(0, ERRNO(read_pmc(self->fd, num, &value)));
		EXPECT_EQ(reg.dfl_val, value)
		{
			TH_LOG("pmc%u", num);
		}
	}
}

TEST_F(counters, C032_without_emulation_there_is_no_interrupt)
{
	uint64_t value, wanted, interrupt;
	struct pfarg_pmr pmr;

	if (!pmu_no_emulation(pmu_first(), &pmr, &interrupt))
		SKIP(return, NO_NO_EMULATION);
	wanted = pmr.reg_value;
	pmr.reg_value |= interrupt;
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PMC, &pmr, 1));
	EXPECT_EQ(0, ERRNO(read_pmc(self->fd, pmr.reg_num, &value)));
	EXPECT_EQ(0, value & interrupt);
	EXPECT_EQ(wanted, value & wanted);

	pmr.reg_flags = 0;
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PMC, &pmr, 1));
	EXPECT_EQ(0, ERRNO(read_pmc(self->fd, pmr.reg_num, &value)));
	EXPECT_NE(0, value & interrupt);
}

/* Writes one PMC; for a user without privileges. */
struct pmc_write {
	int fd;
	uint16_t num;
	uint64_t value;
};

static int pmc_write_errno(void *arg)
{
	const struct pmc_write *write = arg;

	return ERRNO(write_pmc(write->fd, write->num, write->value));
}

TEST_F(counters, C033_counting_the_kernel_needs_privilege)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = 0; i < pmu->counters; i++) {
		const struct pmu_counter *counter = &pmu->counter[i];
		struct pmc_write kernel = { self->fd, counter->pmc,
					    counter->kernel };
		struct pmc_write user = { self->fd, counter->pmc,
					  counter->user };

		EXPECT_EQ(EPERM,
			  unprivileged(NO_GROUP, pmc_write_errno, &kernel));
		EXPECT_EQ(0, unprivileged(NO_GROUP, pmc_write_errno, &user));
		EXPECT_EQ(0, pmc_write_errno(&kernel));
	}
}

TEST_F(counters, C033_each_fixed_counter_has_its_own_kernel_bit)
{
	struct pmu_reg reg;
	unsigned int i;

	if (!pmu_reg(PMU_PMC, 16, &reg) || strcmp(reg.name, "FIXED_CTRL"))
		SKIP(return, "this processor has no fixed counters");
	for (i = 0; pmu_reg(PMU_PMD, 16 + i, &reg); i++) {
		struct pmc_write kernel = { self->fd, 16, 1ULL << (4 * i) };
		struct pmc_write user = { self->fd, 16, 2ULL << (4 * i) };

		EXPECT_EQ(EPERM,
			  unprivileged(NO_GROUP, pmc_write_errno, &kernel));
		EXPECT_EQ(0, unprivileged(NO_GROUP, pmc_write_errno, &user));
	}
	EXPECT_LT(0U, i);
}

TEST_F(counters, C033_a_refused_value_changes_nothing)
{
	struct pmc_write kernel = { self->fd, self->pmc, pmu_first()->kernel };
	uint64_t before, after;

	ASSERT_EQ(0, write_pmc(self->fd, self->pmc, pmu_first()->user));
	ASSERT_EQ(0, read_pmc(self->fd, self->pmc, &before));
	ASSERT_EQ(EPERM, unprivileged(NO_GROUP, pmc_write_errno, &kernel));
	ASSERT_EQ(0, read_pmc(self->fd, self->pmc, &after));
	EXPECT_EQ(before, after);
}

/* Counts with whatever is programmed in the session. */
static int use_session(void *arg)
{
	const int *fd = arg;
	uint64_t value;

	if (attach_self(*fd) || pfm_start_session(*fd, 0) ||
	    read_pmd(*fd, pmu_first()->pmd, &value))
		return errno;
	return value > 0 ? 0 : 254;
}

TEST_F(counters, C034_a_privileged_session_can_be_handed_to_anybody)
{
	ASSERT_EQ(0,
		  pmu_program(self->fd, pmu_first(), pmu_first()->kernel, 0));
	EXPECT_EQ(0, unprivileged(NO_GROUP, use_session, &self->fd));
}

/* Conformance case C035. */
static void check_64_bit_value(struct __test_metadata *_metadata, int fd,
			       uint16_t pmd)
{
	const uint64_t expected = 0x123456789abcdef0;
	struct pfarg_pmr pmr = { .reg_num = pmd, .reg_value = expected };
	struct pfarg_pmd_attr attr;

	ASSERT_EQ(0, pfm_write_pmrs(fd, PMD, &pmr, 1));
	pmr.reg_value = 0;
	ASSERT_EQ(0, pfm_read_pmrs(fd, PMD_ATTR, &pmr, 1, &attr));
	EXPECT_EQ(expected, pmr.reg_value);
	EXPECT_EQ(expected, attr.reg_last_value);
}

/* Conformance case C041. */
static void check_attributes_stay(struct __test_metadata *_metadata, int fd,
				  uint16_t pmd)
{
	const struct pfarg_pmd_attr written = {
		.reg_long_reset = -1000,
		.reg_short_reset = -500,
		.reg_random_mask = 0xff,
		.reg_smpl_pmds = { 1ULL << pmd },
		.reg_reset_pmds = { 1ULL << pmd },
		.reg_ovfl_swcnt = 3,
		.reg_smpl_eventid = 77,
	};
	struct pfarg_pmd_attr attr = written;
	struct pfarg_pmr pmr = { .reg_num = pmd, .reg_value = 4 };

	ASSERT_EQ(0, pfm_write_pmrs(fd, PMD_ATTR, &pmr, 1, &attr));
	ASSERT_EQ(0, write_pmd(fd, pmd, 5));
	memset(&attr, 0xa5, sizeof(attr));
	ASSERT_EQ(0, pfm_read_pmrs(fd, PMD_ATTR, &pmr, 1, &attr));
	EXPECT_EQ(5, pmr.reg_value);
	EXPECT_EQ(5, attr.reg_last_value);
	attr.reg_last_value = 0;
	EXPECT_EQ(0, memcmp(&written, &attr, sizeof(attr)));
}

TEST_F(counters, C035_a_counter_holds_64_bits)
{
	check_64_bit_value(_metadata, self->fd, self->pmd);
}

TEST_F(counters, C036_only_registers_in_use_can_be_read)
{
	struct pfarg_pmd_attr attr = { .reg_smpl_pmds = { 0 } };
	struct pfarg_pmr pmr = { .reg_num = self->pmd };
	uint64_t value = ~0ULL;

	EXPECT_EQ(EINVAL, ERRNO(read_pmd(self->fd, self->pmd2, &value)));
	attr.reg_smpl_pmds[self->pmd2 / 64] = 1ULL << (self->pmd2 % 64);
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PMD_ATTR, &pmr, 1, &attr));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd2, &value)));
	EXPECT_EQ(0, value);
}

TEST_F(counters, C036_a_reset_mask_puts_registers_into_use)
{
	struct pfarg_pmd_attr attr = { .reg_reset_pmds = { 0 } };
	struct pfarg_pmr pmr = { .reg_num = self->pmd };
	uint64_t value = ~0ULL;

	attr.reg_reset_pmds[self->pmd2 / 64] = 1ULL << (self->pmd2 % 64);
	ASSERT_EQ(0, pfm_write_pmrs(self->fd, PMD_ATTR, &pmr, 1, &attr));
	EXPECT_EQ(0, ERRNO(read_pmd(self->fd, self->pmd2, &value)));
	EXPECT_EQ(0, value);
}

/* Writes value 99 with @attr to a PMD that holds 42, which must stay. */
static int write_refused(int fd, uint16_t pmd, struct pfarg_pmd_attr *attr)
{
	struct pfarg_pmr pmr = { .reg_num = pmd, .reg_value = 99 };
	uint64_t value;
	int err;

	if (write_pmd(fd, pmd, 42))
		return -1;
	err = ERRNO(pfm_write_pmrs(fd, PMD_ATTR, &pmr, 1, attr));
	if (read_pmd(fd, pmd, &value) || value != 42)
		return -1;
	return err;
}

TEST_F(counters, C039_reserved_fields_must_be_zero)
{
	unsigned int i;

	for (i = 0; i < 6; i++) {
		struct pfarg_pmd_attr attr = { 0 };

		attr.reg_reserved[i] = 1;
		EXPECT_EQ(EINVAL, write_refused(self->fd, self->pmd, &attr))
		{
			TH_LOG("reg_reserved[%u]", i);
		}
	}
}

TEST_F(counters, C040_masks_name_only_registers_of_the_map)
{
	struct pmu_reg reg;
	unsigned int i;

	for (i = 0; i < 64 * PFM_PMD_BV; i++) {
		struct pfarg_pmd_attr smpl = { 0 };
		struct pfarg_pmd_attr reset = { 0 };

		if (pmu_reg(PMU_PMD, i, &reg))
			continue;
		smpl.reg_smpl_pmds[i / 64] = 1ULL << (i % 64);
		reset.reg_reset_pmds[i / 64] = 1ULL << (i % 64);
		EXPECT_EQ(EINVAL, write_refused(self->fd, self->pmd, &smpl))
		{
			TH_LOG("reg_smpl_pmds, bit %u", i);
		}
		EXPECT_EQ(EINVAL, write_refused(self->fd, self->pmd, &reset))
		{
			TH_LOG("reg_reset_pmds, bit %u", i);
		}
	}
}

TEST_F(counters, C041_attributes_stay_when_only_the_value_is_written)
{
	check_attributes_stay(_metadata, self->fd, self->pmd);
}

TEST_F(counters, C042_reading_does_not_look_at_the_output)
{
	struct pfarg_pmr pmr = { .reg_num = self->pmd };
	struct pfarg_pmd_attr zero = { 0 };
	struct pfarg_pmd_attr attr;

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 0));
	memset(&attr, 0xa5, sizeof(attr));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD_ATTR, &pmr, 1, &attr)));
	EXPECT_EQ(0, memcmp(&zero, &attr, sizeof(attr)));
}

TEST_F(counters, C043_reading_ignores_and_keeps_the_flags)
{
	struct pfarg_pmr pmr = { .reg_num = self->pmd, .reg_flags = ~0U };

	ASSERT_EQ(0, write_pmd(self->fd, self->pmd, 6));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMD, &pmr, 1)));
	EXPECT_EQ(~0U, pmr.reg_flags);
	EXPECT_EQ(6, pmr.reg_value);
	pmr.reg_num = self->pmc;
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(self->fd, PMC, &pmr, 1)));
	EXPECT_EQ(~0U, pmr.reg_flags);
}

TEST_F(counters, C046_a_32_bit_process_sees_the_same_registers)
{
	NEEDS_COMPAT();
	check_64_bit_value(_metadata, self->fd, self->pmd);
	check_attributes_stay(_metadata, self->fd, self->pmd);
}

TEST_HARNESS_MAIN
