// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries of the stack of branches: what they say in each format, and which ones a session
 * sees. No processor is needed: these functions read nothing but their arguments and the
 * description of the stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/perfmon_pmu.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "lbr/lbr.h"

#define MISPREDICTED PFM_PRECISE_SMPL_BR_MISPREDICTED
#define PREDICTED PFM_PRECISE_SMPL_BR_PREDICTED
#define IN_TX PFM_PRECISE_SMPL_BR_IN_TX
#define ABORT PFM_PRECISE_SMPL_BR_ABORT

#define USER 0x00007f0123456789ull
#define KERNEL 0xffffffff81234567ull

/* Stacks, and what their entries mean. */
static const struct lbr_design flags = { .from_flags = 1 };
static const struct lbr_design tsx = { .from_flags = 3, .has_tsx = true };
static const struct lbr_design no_tsx = { .from_flags = 3 };
static const struct lbr_design time = { .from_flags = 1,
					.to_flags = 16,
					.cycles_in_to = true };
static const struct lbr_design architectural = {
	.info = 0x1200,
	.cycles_valid = 1ull << 60,
};
static const struct lbr_design untold = { .info = 0x1200,
					  .no_prediction = true };
static const struct lbr_design amd = { .from_flags = 6,
				       .to_flags = 6,
				       .valid_in_to = true };
static const struct lbr_design info = { .info = 0xdc0, .has_tsx = true };
static const struct {
	const struct lbr_design *design;
	u64 from, to, info;
	u64 address, target, known;
} entries[] = {
	{ &flags, USER, USER + 9, 0, USER, USER + 9, PREDICTED },
	{ &flags, 1ull << 63 | USER, USER, 0, USER, USER, MISPREDICTED },
	{ &flags, KERNEL, KERNEL, 0, KERNEL, KERNEL, MISPREDICTED },
	{ &flags, KERNEL & ~(1ull << 63), KERNEL, 0, KERNEL, KERNEL,
	  PREDICTED },
	{ &tsx, 1ull << 62 | USER, USER, 0, USER, USER, PREDICTED | IN_TX },
	{ &tsx, 5ull << 61 | USER, USER, 0, USER, USER, MISPREDICTED | ABORT },
	{ &tsx, KERNEL & ~(7ull << 61), KERNEL, 0, KERNEL, KERNEL, PREDICTED },
	{ &no_tsx, 3ull << 61 | USER, USER, 0, USER, USER, PREDICTED },
	{ &time, USER, 7ull << 48 | USER, 0, USER, USER, PREDICTED | 7 << 16 },
	{ &time, USER, 7ull << 48 | (KERNEL << 16 >> 16), 0, USER, KERNEL,
	  PREDICTED | 7 << 16 },
	{ &info, USER, KERNEL, 0xffff, USER, KERNEL, PREDICTED | 0xffff0000 },
	{ &info, KERNEL, USER, 7ull << 61 | 0x10002, KERNEL, USER,
	  MISPREDICTED | IN_TX | ABORT | 2 << 16 },
	{ &architectural, USER, USER, 1ull << 60 | 5, USER, USER,
	  PREDICTED | 5 << 16 },
	{ &architectural, USER, USER, 1ull << 63 | 5, USER, USER,
	  MISPREDICTED },
	{ &untold, USER, USER, 5, USER, USER, 5 << 16 },
	{ &amd, USER, 1ull << 63 | USER, 0, USER, USER, PREDICTED },
	{ &amd, 1ull << 63 | USER, 3ull << 62 | USER, 0, USER, USER,
	  MISPREDICTED },
	{ &amd, KERNEL & ~(1ull << 63), 1ull << 62 | USER, 0, KERNEL, USER,
	  PREDICTED | PFM_PRECISE_SMPL_BR_WRONG_PATH },
	{ &amd, USER, 1ull << 63 | (KERNEL << 6 >> 6), 0, USER, KERNEL,
	  PREDICTED },
};

static void entries_are_decoded_by_their_format(void **state)
{
	struct pfm_precise_smpl_branch branch;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		lbr_design = *entries[i].design;
		assert_true(lbr_decode(entries[i].from, entries[i].to,
				       entries[i].info, &branch));
		assert_int_equal(branch.from, entries[i].address);
		assert_int_equal(branch.to, entries[i].target);
		assert_int_equal(branch.info, entries[i].known);
	}
}

static void entries_without_a_branch_are_known(void **state)
{
	static const u64 none[] = { USER, 5ull << 61 | USER,
				    7ull << 61 | USER };
	struct pfm_precise_smpl_branch branch;
	size_t i;

	(void)state;
	lbr_design = (struct lbr_design){ .from_flags = 6,
					  .to_flags = 6,
					  .valid_in_to = true };
	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(lbr_decode(USER, none[i], 0, &branch));
}

static void branches_of_the_kernel_are_for_who_may_see_it(void **state)
{
	static const struct {
		bool no_kernel, cpu_wide;
		u64 from, to;
		enum lbr_fate fate;
	} cases[] = {
		{ false, false, USER, USER, LBR_KEPT },
		{ false, false, USER, KERNEL, LBR_KEPT },
		{ false, false, KERNEL, KERNEL, LBR_KEPT },
		{ true, false, USER, USER, LBR_KEPT },
		{ true, false, USER, KERNEL, LBR_HIDDEN },
		{ true, false, KERNEL, USER, LBR_HIDDEN },
		{ true, false, KERNEL, KERNEL, LBR_HIDDEN },
		/* Before a change of level may have been another thread. */
		{ false, true, USER, USER, LBR_KEPT },
		{ false, true, USER, KERNEL, LBR_LAST },
		{ false, true, KERNEL, USER, LBR_LAST },
		{ false, true, KERNEL, KERNEL, LBR_KEPT },
		{ true, true, USER, USER, LBR_KEPT },
		{ true, true, KERNEL, USER, LBR_LAST },
		{ true, true, KERNEL, KERNEL, LBR_HIDDEN },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct perfmon_lbr lbr = {
			.no_kernel = cases[i].no_kernel,
			.cpu_wide = cases[i].cpu_wide,
		};
		const struct pfm_precise_smpl_branch branch = {
			.from = cases[i].from,
			.to = cases[i].to,
		};

		assert_int_equal(lbr_judge(&lbr, &branch), cases[i].fate);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_decoded_by_their_format),
		cmocka_unit_test(entries_without_a_branch_are_known),
		cmocka_unit_test(branches_of_the_kernel_are_for_who_may_see_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
