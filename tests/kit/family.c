// SPDX-License-Identifier: GPL-2.0-only
#include "family.h"

#include <unistd.h>

#include <perfmon/perfmon.h>

#include "attr.h"
#include "child.h"
#include "must.h"
#include "pmrs.h"
#include "pmu.h"
#include "sessions.h"

/* No library of its own: tests/tools/crowd.c. */
#define CROWD "/tests/tools/crowd"

int family_session(int flags)
{
	int fd = pfm_create_session(PFM_FL_INHERIT | flags);

	if (fd < 0)
		return -1;
	if (!pmu_count_user(fd, pmu_first(), 0))
		return fd;
	close(fd);
	return -1;
}

uint64_t family_set_value(int fd, uint16_t set)
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd, .reg_set = set };

	must(pfm_read_pmrs(fd,
			   PFM_RWFL_PMD | PFM_RWFL_FAMILY | PFM_RWFL_RUNNING,
			   &pmr, 1),
	     "value of a family");
	return pmr.reg_value;
}

uint64_t family_value(int fd)
{
	return family_set_value(fd, 0);
}

uint64_t family_loss(int fd, int which)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	must(pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1), "losses");
	return info.set_reserved3[which];
}

struct launch {
	int fd;
	const char *const *args;
};

/* Attaches the session of its parent to itself, and becomes the program. */
static int launch(void *arg)
{
	const struct launch *l = arg;
	const char *words[FAMILY_WORDS + 2] = { CROWD };
	unsigned int i;

	if (attach_self(l->fd) || pfm_start_session(l->fd, PFM_STFL_AT_EXEC))
		return 10;
	for (i = 0; i < FAMILY_WORDS && l->args[i]; i++)
		words[i + 1] = l->args[i];
	execv(CROWD, (char *const *)words);
	return 127;
}

bool family_attached(long n)
{
	return perfmon_is_module() ? sessions_attached_becomes(n) :
				     sessions_attached() == n;
}

pid_t family_start(int fd, const char *const *args)
{
	struct launch l = { fd, args };

	return child_start(launch, &l);
}
