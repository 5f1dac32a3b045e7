// SPDX-License-Identifier: GPL-2.0-only
/* What v2.81 programs do. */
#include "v281_calls.h"

#include <unistd.h>

#include <perfmon/perfmon.h>

#include "must.h"
#include "pmu.h"

int v281_load(int fd, pid_t target)
{
	pfarg_load_t args = { .load_pid = (uint32_t)target };

	return pfm_load_context(fd, &args);
}

int v281_program(int fd, uint16_t set, uint32_t reg_flags, uint64_t preset)
{
	const struct pmu_counter *counter = pmu_first();
	pfarg_pmc_t pmcs[2] = {
		{ .reg_num = counter->pmc2,
		  .reg_set = set,
		  .reg_value = counter->value2 },
		{ .reg_num = counter->pmc,
		  .reg_set = set,
		  .reg_value = counter->user },
	};
	pfarg_pmd_t pmd = { .reg_num = counter->pmd,
			    .reg_set = set,
			    .reg_flags = reg_flags,
			    .reg_value = preset,
			    .reg_long_reset = preset,
			    .reg_short_reset = preset };
	int first = counter->value2 ? 0 : 1;

	if (pfm_write_pmcs(fd, &pmcs[first], 2 - first))
		return -1;
	return pfm_write_pmds(fd, &pmd, 1);
}

int v281_context(uint32_t flags)
{
	pfarg_ctx_t ctx = { .ctx_flags = flags };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	if (fd >= 0 && v281_program(fd, 0, 0, 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

uint64_t v281_value(int fd, uint16_t set)
{
	pfarg_pmd_t pmd = { .reg_num = pmu_first()->pmd, .reg_set = set };

	must(pfm_read_pmds(fd, &pmd, 1), "value of a PMD");
	return pmd.reg_value;
}
