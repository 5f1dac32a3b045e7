// SPDX-License-Identifier: GPL-2.0-only
/* Event sets, one at a time. */
#include "event_set.h"

#include <time.h>

#include "must.h"
#include "pmrs.h"
#include "pmu.h"

int set_make(int fd, uint16_t id, uint32_t flags, uint64_t timeout)
{
	struct pfarg_setdesc desc = { .set_id = id,
				      .set_flags = flags,
				      .set_timeout = timeout };

	return pfm_create_sets(fd, 0, &desc, 1);
}

int set_delete(int fd, uint16_t id)
{
	struct pfarg_setdesc desc = { .set_id = id };

	return pfm_create_sets(fd, PFM_SETS_DELETE, &desc, 1);
}

int set_make_counting(int fd, uint16_t id, uint32_t flags, uint64_t timeout)
{
	const struct pmu_counter *counter = pmu_first();

	if (set_make(fd, id, flags, timeout))
		return -1;
	return pmu_program_set(fd, id, counter, counter->user, 0);
}

int set_write_attr(int fd, uint16_t id, uint32_t reg_flags, uint64_t value,
		   const struct pfarg_pmd_attr *attr)
{
	return set_write_pmd_attr(fd, id, pmu_first()->pmd, reg_flags, value,
				  attr);
}

int set_read_attr(int fd, uint16_t id, uint64_t *value,
		  struct pfarg_pmd_attr *attr)
{
	return set_read_pmd_attr(fd, id, pmu_first()->pmd, value, attr);
}

uint64_t set_value(int fd, uint16_t id)
{
	uint64_t value;

	must(set_read_pmd(fd, id, pmu_first()->pmd, &value), "value of a set");
	return value;
}

int set_info(int fd, uint16_t id, struct pfarg_setinfo *info)
{
	*info = (struct pfarg_setinfo){ .set_id = id };
	return pfm_getinfo_sets(fd, 0, info, 1);
}

bool set_exists(int fd, uint16_t id)
{
	struct pfarg_setinfo info;

	return !set_info(fd, id, &info);
}

uint64_t set_runs(int fd, uint16_t id)
{
	struct pfarg_setinfo info;

	must(set_info(fd, id, &info), "description of a set");
	return info.set_runs;
}

uint64_t set_duration(int fd, uint16_t id)
{
	struct pfarg_setinfo info;

	must(set_info(fd, id, &info), "description of a set");
	return info.set_act_duration;
}

uint64_t set_timeout(int fd, uint16_t id)
{
	struct pfarg_setinfo info;

	must(set_info(fd, id, &info), "description of a set");
	return info.set_timeout;
}

uint64_t timer_round(uint64_t ns)
{
	struct timespec unit = { .tv_nsec = 1 };

	/* One tick without high-resolution timers. */
	clock_getres(CLOCK_MONOTONIC, &unit);
	ns += unit.tv_nsec - 1;
	return ns - ns % unit.tv_nsec;
}
