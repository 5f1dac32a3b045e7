// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right to execute RDPMC, in a kernel that loads the low-level core as a
 * module: no program gets it.
 *
 * It could be given and taken, but not safely: a program that loses it between its
 * look at the state page and its RDPMC dies of the fault, which only the kernel's
 * own handler can mend.
 */
#include <linux/perfmon_pmu.h>

/** perfmon_arch_may_let_read - may programs be given the right? */
u32 perfmon_arch_may_let_read(void)
{
	return PFM_STATE_WHY_MODULE;
}

/** perfmon_arch_let_read - never called */
void perfmon_arch_let_read(struct mm_struct *mm)
{
}

/** perfmon_arch_end_read - never called */
void perfmon_arch_end_read(void)
{
}
