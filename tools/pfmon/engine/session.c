// SPDX-License-Identifier: GPL-2.0-only
/* The perfmon session of a run, see session.h. */
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static int create_private(int flags)
{
	int fd = pfm_create_session(flags | PFM_FL_CLOEXEC);

	if (fd >= 0 || errno != EINVAL)
		return fd;
	/* A kernel from before that flag. */
	fd = pfm_create_session(flags);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static int explain_create(const char *sysfs, bool system_wide)
{
	switch (errno) {
	case ENOSYS:
		return diag(
			"no perfmon v3.0 in this kernel, or not for this processor: no usable %s; boot a perfmon kernel, without perfmon=off",
			sysfs);
	case EBUSY:
		return explain_busy(sysfs);
	case EPERM:
		if (system_wide)
			return diag(
				"no permission to count CPUs: join the group in %s/sys_group or get CAP_PERFMON",
				sysfs);
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

int session_create(const char *sysfs, bool system_wide)
{
	int fd = create_private(system_wide ? PFM_FL_SYSTEM_WIDE : 0);

	return fd >= 0 ? fd : explain_create(sysfs, system_wide);
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

	if (!copy.event_count)
		return 0;
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

static int write_all(int fd, const struct plan *plan)
{
	struct plan copy = *plan;

	if (!copy.event_count)
		return 0;
	return pfm_write_pmrs(fd, PFM_RWFL_PMC, copy.pmcs, copy.pmc_count) ||
	       pfm_write_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.event_count);
}

int session_join(const struct plan *plan, pid_t thread)
{
	int fd = create_private(0), error;

	if (fd < 0)
		return -1;
	if (!write_all(fd, plan) && !pfm_attach_session(fd, 0, thread) &&
	    !pfm_start_session(fd, 0))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int session_attach(int fd, pid_t thread)
{
	if (pfm_attach_session(fd, 0, thread)) {
		if (errno == EBUSY)
			return diag(
				"cannot count the command: a system-wide session is active; end it first");
		return diag("cannot count the command: %s", strerror(errno));
	}
	return session_start(fd);
}

int session_attach_cpu(int fd, int cpu)
{
	if (!pfm_attach_session(fd, 0, cpu))
		return 0;
	if (errno == EBUSY)
		return diag(
			"cannot count CPU %d: a session of a thread is active, or another of this CPU; end it first",
			cpu);
	if (errno == ENODEV || errno == EINVAL)
		return diag("cannot count CPU %d: it is not online", cpu);
	return diag("cannot count CPU %d: %s", cpu, strerror(errno));
}

int session_start(int fd)
{
	if (pfm_start_session(fd, 0))
		return diag("cannot start counting: %s", strerror(errno));
	return 0;
}

void session_stop(int fd)
{
	pfm_stop_session(fd, 0);
}

void session_ask_times(int fd, struct session_times *times)
{
	struct pfarg_setinfo info = { 0 };

	*times = (struct session_times){ 0 };
	/* A kernel from before the flag tells the duration alone. */
	if (pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1)) {
		memset(&info, 0, sizeof(info));
		if (pfm_getinfo_sets(fd, 0, &info, 1))
			return;
		memset(info.set_reserved3, 0, sizeof(info.set_reserved3));
	}
	times->counted = info.set_act_duration;
	times->blind = info.set_reserved3[PFM_LOSS_BLIND_NS];
	times->throttled = info.set_reserved3[PFM_LOSS_THROTTLED_NS];
}

int session_read(int fd, const struct plan *plan, uint64_t *counts)
{
	struct plan copy = *plan;

	if (!copy.event_count)
		return 0;
	if (pfm_read_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.event_count))
		return diag("cannot read the counters: %s", strerror(errno));
	for (int i = 0; i < copy.event_count; i++)
		counts[i] = copy.pmds[i].reg_value;
	return 0;
}
