// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any processor with a TSC that no other design drives: a state can sample its
 * TSC only.  There is nothing to reserve (see reserve.c).
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/perfmon_pmu.h>

#include <asm/cpufeature.h>

#include "perfctr_core.h"

/* No counter exists, so the common check has refused every element. */
static int generic_check_control(struct perfctr_cpu_state *state,
				 bool is_global)
{
	return state->control.tsc_on == 1 ? 0 : -EINVAL;
}

static void __init generic_fill_map(struct perfmon_pmu *pmu)
{
	pmu->model = "Generic x86 TSC";
}

static struct perfctr_design generic_design __refdata = {
	.name = "Generic x86 with TSC",
	.cpu_type = PERFCTR_X86_GENERIC,
	.check_control = generic_check_control,
	.fill_map = generic_fill_map,
};

struct perfctr_design *__init perfctr_generic_detect(void)
{
	return boot_cpu_has(X86_FEATURE_TSC) ? &generic_design : NULL;
}
