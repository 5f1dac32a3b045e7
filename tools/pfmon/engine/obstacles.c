// SPDX-License-Identifier: GPL-2.0-only
/*
 * What keeps the user from a session, see obstacles.h. The error of the call names
 * the first obstacle; the files of the kernel tell of the others.
 */
#include "engine/obstacles.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define PATH_TEXT 300

/* Bits of capabilities, as in linux/capability.h. */
#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT 38

/* Users without rights may count up to this level. */
#define PARANOID_OPEN 2

#define RDPMC_FILE "/sys/bus/event_source/devices/cpu/rdpmc"

struct search {
	const struct obstacle_place *place;
	struct obstacles *found;
	unsigned long long capabilities;
	int error;
};

static void __attribute__((format(printf, 2, 3)))
add(struct search *search, const char *format, ...)
{
	struct obstacles *found = search->found;
	va_list args;

	if (found->count == OBSTACLES_MAX)
		return;
	va_start(args, format);
	vsnprintf(found->line[found->count++], OBSTACLE_TEXT, format, args);
	va_end(args);
}

static bool has(const struct search *search, int capability)
{
	return search->capabilities >> capability & 1;
}

static bool is_privileged(const struct search *search)
{
	return has(search, CAP_PERFMON_BIT) || has(search, CAP_SYS_ADMIN_BIT);
}

/* In front of commands for the administrator. */
static const char *as_root(const struct search *search)
{
	return has(search, CAP_SYS_ADMIN_BIT) ? "" : "sudo ";
}

static FILE *open_at(const char *start, const char *path)
{
	char full[PATH_TEXT];

	if (snprintf(full, sizeof(full), "%s%s", start, path) >=
	    (int)sizeof(full))
		return NULL;
	return fopen(full, "re");
}

static bool exists_at(const char *start, const char *path)
{
	char full[PATH_TEXT];

	return snprintf(full, sizeof(full), "%s%s", start, path) <
		       (int)sizeof(full) &&
	       !access(full, F_OK);
}

/* The file's first line, or nothing. */
static const char *line_at(char line[OBSTACLE_TEXT], const char *start,
			   const char *path)
{
	FILE *file = open_at(start, path);

	line[0] = '\0';
	if (!file)
		return line;
	if (fgets(line, OBSTACLE_TEXT, file))
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
	return line;
}

static long number_at(const char *start, const char *path, long missing)
{
	char line[OBSTACLE_TEXT];

	line_at(line, start, path);
	return *line ? strtol(line, NULL, 10) : missing;
}

static unsigned long long capabilities_at(const char *root)
{
	FILE *file = open_at(root, "/proc/self/status");
	unsigned long long effective = 0;
	char line[OBSTACLE_TEXT];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "CapEff:", 7))
			effective = strtoull(line + 7, NULL, 16);
	}
	fclose(file);
	return effective;
}

/* Does the kernel have this module among its files? */
static bool module_is_installed(const struct obstacle_place *place)
{
	char path[PATH_TEXT], line[1024];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep",
		 place->release);
	file = open_at(place->root, path);
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, "/perfmon.ko") &&
			strstr(line, "/perfmon.ko") < strchr(line, ':');
	fclose(file);
	return found;
}

static void find_kernel(struct search *search)
{
	const struct obstacle_place *place = search->place;
	const char *sudo = as_root(search);

	if (module_is_installed(place))
		add(search,
		    "no perfmon v3.0: its module is not loaded: %smodprobe perfmon",
		    sudo);
	else if (exists_at(place->root, "/var/lib/dkms/perfmon"))
		add(search,
		    "no perfmon v3.0: its module is not built for this kernel: %sapt install linux-headers-%s",
		    sudo, place->release);
	else
		add(search,
		    "no perfmon v3.0 in this kernel: %sapt install ./perfmon-dkms_*.deb linux-headers-%s; or boot a perfmon kernel, without perfmon=off",
		    sudo, place->release);
}

/* Only the module has one. */
static void find_device(struct search *search)
{
	const struct obstacle_place *place = search->place;
	char device[OBSTACLE_TEXT], full[PATH_TEXT];

	line_at(device, place->sysfs, "/device");
	if (!*device)
		return;
	snprintf(full, sizeof(full), "%s%s", place->root, device);
	if (access(full, F_OK))
		add(search,
		    "%s is missing; a container has to be started with it (--device %s)",
		    device, device);
	else if (access(full, R_OK))
		add(search, "no permission to open %s: %schmod a+r %s", device,
		    as_root(search), device);
}

static void find_permission(struct search *search)
{
	const struct obstacle_place *place = search->place;
	const char *sudo = as_root(search);
	long group, level;

	/* The call looks at the user first and at the PMU then. */
	if (is_privileged(search) || search->error == EBUSY)
		return;
	if (place->system_wide) {
		add(search,
		    "no permission to count CPUs: run pfmon as root, get CAP_PERFMON, or join the group in %s/sys_group",
		    place->sysfs);
		return;
	}
	group = number_at(place->sysfs, "/task_group", -1);
	level = number_at(place->root, "/proc/sys/kernel/perf_event_paranoid",
			  PARANOID_OPEN);
	if (group != -1 && search->error == EPERM)
		add(search,
		    "no permission: sessions are for group %ld, see %s/task_group; join it or get CAP_PERFMON",
		    group, place->sysfs);
	else if (group == -1 && level > PARANOID_OPEN)
		add(search,
		    "no permission: kernel.perf_event_paranoid is %ld: %ssysctl kernel.perf_event_paranoid=%d",
		    level, sudo, PARANOID_OPEN);
}

/* The kernel cannot tell the watchdog from perf_event, whose event it has. */
static void find_owner(struct search *search)
{
	const struct obstacle_place *place = search->place;
	const char *sudo = as_root(search);
	char owner[OBSTACLE_TEXT];

	line_at(owner, place->sysfs, "/pmu_owner");
	if (!strcmp(owner, "perfmon"))
		return;
	if (!strcmp(owner, "nmi_watchdog") ||
	    number_at(place->root, "/proc/sys/kernel/nmi_watchdog", 0) > 0)
		add(search,
		    "the PMU is held by the NMI watchdog: %ssysctl kernel.nmi_watchdog=0",
		    sudo);
	else if (*owner && strcmp(owner, "none") != 0)
		add(search,
		    "the PMU is held by %s; end the programs that use it",
		    owner);
}

static void find_settings(struct search *search)
{
	const struct obstacle_place *place = search->place;

	if (number_at(place->root, RDPMC_FILE, 1) == 2)
		add(search,
		    "all programs may read the counters (rdpmc is 2): echo 1 | %stee " RDPMC_FILE,
		    as_root(search));
	if (number_at(place->sysfs, "/enabled", 1) == 0)
		add(search,
		    "the administrator has switched perfmon off: echo 1 | %stee %s/enabled",
		    as_root(search), place->sysfs);
}

/* None is known: what the error alone tells. */
static void explain_error(struct search *search)
{
	switch (search->error) {
	case ENOSYS:
		add(search, "perfmon v3.0 does not know this processor");
		break;
	case EBUSY:
		add(search,
		    "the PMU is held by another user; the kernel log names it");
		break;
	case EPERM:
		add(search,
		    "no permission to create sessions; get CAP_PERFMON");
		break;
	case EACCES:
		add(search,
		    "a security module forbids sessions; its policy decides on perf_event");
		break;
	default:
		add(search, "cannot create a session: %s",
		    strerror(search->error));
	}
}

void obstacles_find(struct obstacles *found, const struct obstacle_place *place,
		    int error)
{
	struct search search = { .place = place,
				 .found = found,
				 .error = error };

	found->count = 0;
	if (error == ENOSYS || error == EPERM || error == EACCES ||
	    error == EBUSY) {
		search.capabilities = capabilities_at(place->root);
		if (!exists_at(place->sysfs, "/version"))
			find_kernel(&search);
		find_device(&search);
		find_permission(&search);
		find_owner(&search);
		find_settings(&search);
	}
	if (!found->count)
		explain_error(&search);
}

void obstacles_here(struct obstacles *found, const char *sysfs,
		    bool system_wide, int error)
{
	struct utsname name;
	const struct obstacle_place place = {
		.root = "",
		.sysfs = sysfs,
		.release = uname(&name) ? "" : name.release,
		.system_wide = system_wide,
	};

	obstacles_find(found, &place, error);
}
