// SPDX-License-Identifier: GPL-2.0-only
/* Programming counters to overflow. */
#include "overflow_period.h"

#include <unistd.h>

#include "pmrs.h"

void pmd_mark(uint64_t *mask, uint16_t num)
{
	mask[num / 64] |= 1ULL << (num % 64);
}

int period_program(int fd, const struct pmu_counter *counter, uint32_t flags,
		   uint64_t period, const struct pfarg_pmd_attr *attr)
{
	struct pfarg_pmd_attr copy = { 0 };

	if (attr)
		copy = *attr;
	copy.reg_long_reset = -period;
	copy.reg_short_reset = -period;
	if (pmu_count_user(fd, counter, 0))
		return -1;
	return write_pmd_attr(fd, counter->pmd, flags, -period, &copy);
}

int period_session(int flags, uint64_t period)
{
	int fd = pfm_create_session(flags);

	if (fd < 0)
		return -1;
	if (period_program(fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY, period,
			   NULL)) {
		close(fd);
		return -1;
	}
	return fd;
}

int period_restart(int fd)
{
	return pfm_start_session(fd, PFM_STFL_RESTART);
}
