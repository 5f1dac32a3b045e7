// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control registers hold the values that perfmon has written, and the PMU is free
 * after the last session. Another writer of these registers makes counts wrong.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"
#include "inventory.h"
#include "tests.h"

#define VERIFY "/sys/kernel/debug/perfmon/verify"

#define TURNS 50000ul

static void judge_text(struct selftest *st, const char *text,
		       const char *expected, const char *what)
{
	static char cause[200];
	struct place place = { -1, NULL, what };
	struct ruling ruling = { VERDICT_WRONG, 0, 0, 1, cause };

	if (!strcmp(text, expected))
		return;
	snprintf(
		cause, sizeof(cause),
		"%s: firmware, a hypervisor or a tool with /dev/cpu/N/msr writes the registers as well",
		text);
	tap_ruling(&st->tap, &place, &ruling);
}

void test_registers(struct selftest *st)
{
	struct place place = { st->first_cpu, NULL, "all counters" };
	struct program program = { 0 };
	uint64_t counts[COUNTERS_MAX];
	char text[128];
	int fd;

	if (!inventory_line(VERIFY, NULL, text, sizeof(text))) {
		tap_skip(&st->tap, "needs root and debugfs (%s)", VERIFY);
		return;
	}
	program_add_all(&program, &st->pmu, counter_has_instructions,
			&st->pmu.instructions, LEVELS_USER);
	if (cpus_pin(st->first_cpu))
		return;
	fd = measure_open(&program);
	if (fd < 0 || measure_once(fd, &program, &loop_count, TURNS, counts) ||
	    pfm_start_session(fd, 0)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		if (fd >= 0)
			close(fd);
		return;
	}
	if (inventory_line(VERIFY, NULL, text, sizeof(text)))
		judge_text(st, text, "ok", "registers while counters run");
	close(fd);
}

void test_release(struct selftest *st)
{
	struct timespec wait = { .tv_sec = 1, .tv_nsec = 200000000 };
	char text[128];

	nanosleep(&wait, NULL);
	if (!inventory_line(REGMAP_SYSFS "/pmu_owner", NULL, text,
			    sizeof(text))) {
		tap_skip(&st->tap, "no %s/pmu_owner", REGMAP_SYSFS);
		return;
	}
	if (!strcmp(text, "perfmon"))
		tap_note(&st->tap, "somebody else has a session of perfmon");
	else if (inventory_line(VERIFY, NULL, text, sizeof(text)))
		judge_text(st, text, "free", "the PMU after the last session");
}
