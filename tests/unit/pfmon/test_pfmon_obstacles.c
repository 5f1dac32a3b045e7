// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon says when there is no session: a row of the table is a machine, made
 * of the files that pfmon looks at.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/obstacles.h"
#include "scratch_dir.h"

#define FILES_MAX 10
#define LINES_MAX 4

struct file {
	const char *path, *text;
};

/* The files of machines. */
static const struct file user = { "proc/self/status",
				  "Name:\tx\nCapEff:\t00\n" };
static const struct file root = { "proc/self/status",
				  "CapEff:\t000001ffffffffff\n" };
static const struct file cap_perfmon = { "proc/self/status",
					 "CapEff:\t0000004000000000\n" };
static const struct file version = { "perfmon/version", "3.0\n" };
static const struct file device = { "perfmon/device", "/dev/perfmon\n" };
static const struct file node = { "dev/perfmon", "" };
static const struct file paranoid = { "proc/sys/kernel/perf_event_paranoid",
				      "3\n" };
static const struct file watchdog = { "proc/sys/kernel/nmi_watchdog", "1\n" };
static const struct file rdpmc = { "sys/bus/event_source/devices/cpu/rdpmc",
				   "2\n" };
static const struct file perf_owns = { "perfmon/pmu_owner", "perf_event\n" };
static const struct file watchdog_owns = { "perfmon/pmu_owner",
					   "nmi_watchdog\n" };
static const struct file perfmon_owns = { "perfmon/pmu_owner", "perfmon\n" };
static const struct file nobody_owns = { "perfmon/pmu_owner", "none\n" };
static const struct file group = { "perfmon/task_group", "104\n" };
static const struct file off = { "perfmon/enabled", "0\n" };
static const struct file package = { "var/lib/dkms/perfmon", "" };
static const struct file module = {
	"lib/modules/6.1.0-56-amd64/modules.dep",
	"kernel/x.ko: kernel/z.ko\nupdates/dkms/perfmon.ko:\n"
};
static const struct file packed_module = {
	"lib/modules/6.1.0-56-amd64/modules.dep",
	"updates/dkms/perfmon.ko.xz:\n"
};
static const struct file other_module = {
	"lib/modules/6.1.0-56-amd64/modules.dep",
	"kernel/x.ko: updates/dkms/perfmon.ko\n"
};

struct machine {
	const char *what;
	const struct file *files[FILES_MAX];
	bool system_wide;
	int error;
	/* Of each line a part; not more lines than that. */
	const char *lines[LINES_MAX];
};

static const struct machine machines[] = {
	{ .what = "a distribution's kernel without the package",
	  .files = { &user },
	  .error = ENOSYS,
	  .lines = { "no perfmon v3.0 in this kernel: sudo apt install ./perfmon-dkms_*.deb linux-headers-6.1.0-56-amd64; or boot a perfmon kernel, without perfmon=off" } },
	{ .what = "another module that needs it is not the module",
	  .files = { &user, &other_module },
	  .error = ENOSYS,
	  .lines = { "perfmon-dkms" } },
	{ .what = "the package without the headers",
	  .files = { &user, &package },
	  .error = ENOSYS,
	  .lines = { "not built for this kernel: sudo apt install linux-headers-6.1.0-56-amd64" } },
	{ .what = "all that stands in an ordinary user's way on Debian",
	  .files = { &user, &packed_module, &paranoid, &watchdog },
	  .error = ENOSYS,
	  .lines = { "not loaded: sudo modprobe perfmon",
		     "sudo sysctl kernel.perf_event_paranoid=2",
		     "sudo sysctl kernel.nmi_watchdog=0" } },
	{ .what = "the administrator has fewer, and needs no sudo",
	  .files = { &root, &module, &paranoid, &watchdog },
	  .error = ENOSYS,
	  .lines = { "not loaded: modprobe perfmon",
		     "NMI watchdog: sysctl kernel.nmi_watchdog=0" } },
	{ .what = "the module is loaded",
	  .files = { &user, &version, &device, &node, &paranoid, &watchdog,
		     &watchdog_owns },
	  .error = EPERM,
	  .lines = { "perf_event_paranoid=2", "nmi_watchdog=0" } },
	{ .what = "one's rights suffice, the watchdog is in the way",
	  .files = { &cap_perfmon, &version, &paranoid, &watchdog, &perf_owns },
	  .error = EBUSY,
	  .lines = { "sudo sysctl kernel.nmi_watchdog=0" } },
	{ .what = "the watchdog is on and has nothing",
	  .files = { &user, &version, &paranoid, &watchdog, &perfmon_owns },
	  .error = EPERM,
	  .lines = { "perf_event_paranoid=2" } },
	{ .what = "perf counts",
	  .files = { &user, &version, &perf_owns },
	  .error = EBUSY,
	  .lines = { "held by perf_event; end the programs" } },
	{ .what = "the holder has no name",
	  .files = { &user, &version, &nobody_owns },
	  .error = EBUSY,
	  .lines = { "held by another user; the kernel log names it" } },
	{ .what = "a container without the device",
	  .files = { &user, &version, &device },
	  .error = ENOSYS,
	  .lines = { "/dev/perfmon is missing; a container" } },
	{ .what = "a group that others are in",
	  .files = { &user, &version, &paranoid, &group },
	  .error = EPERM,
	  .lines = { "sessions are for group 104" } },
	{ .what = "CPUs are for some only",
	  .files = { &user, &version, &paranoid },
	  .system_wide = true,
	  .error = EPERM,
	  .lines = { "no permission to count CPUs: " } },
	{ .what = "all programs may read the counters",
	  .files = { &root, &version, &rdpmc, &nobody_owns },
	  .error = EBUSY,
	  .lines = { "echo 1 | tee /sys/bus/event_source/devices/cpu/rdpmc" } },
	{ .what = "perfmon is switched off",
	  .files = { &user, &version, &off },
	  .error = EBUSY,
	  .lines = { "switched perfmon off: echo 1 | sudo tee " } },
	{ .what = "a security module",
	  .files = { &user, &version },
	  .error = EACCES,
	  .lines = { "security module forbids sessions" } },
	{ .what = "a processor that it does not know",
	  .files = { &user, &version },
	  .error = ENOSYS,
	  .lines = { "does not know this processor" } },
	{ .what = "another error has nothing to do with the settings",
	  .files = { &user, &version, &paranoid, &watchdog },
	  .error = EMFILE,
	  .lines = { "cannot create a session: Too many open files" } },
};

static void expect_lines(const struct machine *machine,
			 const struct obstacles *found)
{
	int expected = 0;

	while (expected < LINES_MAX && machine->lines[expected])
		expected++;
	if (found->count != expected)
		fail_msg("%s: %d lines, the first '%s'", machine->what,
			 found->count, found->line[0]);
	for (int i = 0; i < expected; i++) {
		if (!strstr(found->line[i], machine->lines[i]))
			fail_msg("%s: '%s' is not in '%s'", machine->what,
				 machine->lines[i], found->line[i]);
	}
}

static void find_on(const struct machine *machine, struct obstacles *found)
{
	char *dir = scratch_make();
	char start[200], sysfs[220];
	const struct obstacle_place place = {
		.root = start,
		.sysfs = sysfs,
		.release = "6.1.0-56-amd64",
		.system_wide = machine->system_wide,
	};

	for (int i = 0; i < FILES_MAX && machine->files[i]; i++)
		scratch_write(dir, machine->files[i]->path,
			      machine->files[i]->text);
	snprintf(start, sizeof(start), "%s/", dir);
	snprintf(sysfs, sizeof(sysfs), "%s/perfmon", dir);
	obstacles_find(found, &place, machine->error);
	scratch_remove(dir);
}

static void each_obstacle_is_named_with_its_command(void **state)
{
	struct obstacles found;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		find_on(&machines[i], &found);
		expect_lines(&machines[i], &found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_obstacle_is_named_with_its_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
