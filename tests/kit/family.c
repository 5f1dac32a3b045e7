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
	int gate[2];
};

static int become_crowd(const char *const *args)
{
	const char *words[FAMILY_WORDS + 2] = { CROWD };
	unsigned int i;

	for (i = 0; i < FAMILY_WORDS && args[i]; i++)
		words[i + 1] = args[i];
	execv(CROWD, (char *const *)words);
	return 127;
}

/* Attaches the session of its parent to itself, and becomes the program. */
static int launch(void *arg)
{
	const struct launch *l = arg;

	if (attach_self(l->fd) || pfm_start_session(l->fd, PFM_STFL_AT_EXEC))
		return 10;
	return become_crowd(l->args);
}

/* Becomes the program when its parent has attached the session. */
static int launch_attached(void *arg)
{
	const struct launch *l = arg;
	char go;

	if (read(l->gate[0], &go, 1) != 1)
		return 10;
	return become_crowd(l->args);
}

bool family_attached(long n)
{
	return perfmon_is_module() ? sessions_attached_becomes(n) :
				     sessions_attached() == n;
}

pid_t family_start(int fd, const char *const *args)
{
	struct launch l = { fd, args, { -1, -1 } };

	return child_start(launch, &l);
}

pid_t family_start_attached(int fd, const char *const *args)
{
	struct launch l = { .fd = fd, .args = args };
	pid_t pid;

	must(pipe(l.gate), "gate of a family");
	pid = child_start(launch_attached, &l);
	must(pfm_attach_session(fd, PFM_ATFL_RUNNING, pid),
	     "attaching to a family");
	must(pfm_start_session(fd, PFM_STFL_AT_EXEC | PFM_STFL_RUNNING),
	     "starting a family");
	must(write(l.gate[1], "", 1) == 1 ? 0 : -1, "gate of a family");
	close(l.gate[0]);
	close(l.gate[1]);
	return pid;
}
