// SPDX-License-Identifier: GPL-2.0-only
/* The perfmon session of a run, see session.h. */
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "registers/regmap.h"

static bool watchdog_is_on(void)
{
	FILE *file = fopen("/proc/sys/kernel/nmi_watchdog", "re");
	bool on;

	if (!file)
		return false;
	on = fgetc(file) == '1';
	fclose(file);
	return on;
}

static int explain_busy(const char *sysfs)
{
	char owner[REGMAP_TEXT];

	if (!regmap_owner(owner, sysfs))
		return diag(
			"the PMU is held by another user; the kernel log names it");
	if (!strcmp(owner, "nmi_watchdog") || watchdog_is_on())
		return diag(
			"the PMU is held by %s; switch the NMI watchdog off: sysctl kernel.nmi_watchdog=0",
			owner);
	return diag("the PMU is held by %s; end the programs that use it",
		    owner);
}

/* Not for the commands that pfmon executes. */
static int create_private(void)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC);

	if (fd >= 0 || errno != EINVAL)
		return fd;
	/* A kernel from before that flag. */
	fd = pfm_create_session(0);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int session_create(const char *sysfs)
{
	int fd = create_private();

	if (fd >= 0)
		return fd;
	switch (errno) {
	case ENOSYS:
		return diag(
			"no perfmon v3.0 in this kernel, or not for this processor: no usable %s; boot a perfmon kernel, without perfmon=off",
			sysfs);
	case EBUSY:
		return explain_busy(sysfs);
	case EPERM:
		return diag(
			"no permission: sessions are reserved for the group in %s/task_group, or by kernel.perf_event_paranoid above 2 while that is -1; join it or get CAP_PERFMON",
			sysfs);
	case EACCES:
		return diag(
			"a security module forbids sessions; its policy decides on perf_event");
	default:
		return diag("cannot create a session: %s", strerror(errno));
	}
}

int session_info(int fd, struct pfarg_setinfo *info)
{
	memset(info, 0, sizeof(*info));
	if (pfm_getinfo_sets(fd, 0, info, 1))
		return diag("cannot ask for the available registers: %s",
			    strerror(errno));
	return 0;
}

static int explain_pmc(const struct pfarg_pmr *pmc, const struct event *event)
{
	if (errno == EPERM)
		return diag(
			"event %s: no permission to count at kernel level; get CAP_PERFMON or count at user level (-u)",
			event->name);
	if (errno == EACCES)
		return diag(
			"event %s: a security module forbids to count at kernel level; count at user level (-u)",
			event->name);
	return diag("event %s: the kernel refuses 0x%llx in pmc%u: %s",
		    event->name, (unsigned long long)pmc->reg_value,
		    pmc->reg_num, strerror(errno));
}

int session_program(int fd, const struct plan *plan,
		    const struct event_list *list)
{
	/* The calls want vectors that they could write to. */
	struct plan copy = *plan;

	/* One at a time: an error does not name the wrong element. */
	for (int i = 0; i < copy.pmc_count; i++) {
		if (pfm_write_pmrs(fd, PFM_RWFL_PMC, &copy.pmcs[i], 1))
			return explain_pmc(&copy.pmcs[i],
					   &list->events[copy.pmc_event[i]]);
	}
	/* A counter that was never written cannot be read. */
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count))
		return diag("cannot set the counters: %s", strerror(errno));
	return 0;
}

int session_attach(int fd, pid_t thread)
{
	if (pfm_attach_session(fd, 0, thread)) {
		if (errno == EBUSY)
			return diag(
				"cannot count the command: a system-wide session is active; end it first");
		return diag("cannot count the command: %s", strerror(errno));
	}
	if (pfm_start_session(fd, 0))
		return diag("cannot start counting: %s", strerror(errno));
	return 0;
}

int session_read(int fd, const struct plan *plan, uint64_t *counts)
{
	struct plan copy = *plan;

	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.event_count))
		return diag("cannot read the counters: %s", strerror(errno));
	for (int i = 0; i < copy.event_count; i++)
		counts[i] = copy.pmds[i].reg_value;
	return 0;
}
