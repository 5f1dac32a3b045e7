// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the calls on a session cost that a crowd of sleeping threads has inherited:
 * one, and a thousand. Prints a line for each call; the status is 1 if one that acts
 * on all of them at once pays for each.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "array_size.h"
#include "child.h"
#include "family.h"
#include "meter.h"
#include "must.h"
#include "pmu.h"

#define IN "/tmp/parts-in"
#define OUT "/tmp/parts-out"
#define FEW 1
#define MANY 1000
#define ROUNDS 20

/* A second for each of so many tries. */
#define PATIENCE 30

static int start(int fd)
{
	return pfm_start_session(fd, PFM_STFL_RUNNING);
}

static int stop(int fd)
{
	return pfm_stop_session(fd, PFM_STFL_RUNNING);
}

static int read_target(int fd)
{
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };

	return pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_RUNNING, &pmr, 1);
}

static int read_family(int fd)
{
	family_value(fd);
	return 0;
}

static int getinfo_family(int fd)
{
	struct pfarg_setinfo info = { .set_id = 0 };

	return pfm_getinfo_sets(fd, PFM_GIFL_LOSS | PFM_GIFL_FAMILY, &info, 1);
}

static const struct {
	const char *name;
	int (*call)(int fd);
	bool visits; /* each member, one after the other */
} calls[] = {
	{ "stop", stop, false },
	{ "start", start, false },
	{ "read of the target", read_target, false },
	{ "read of the family", read_family, true },
	{ "getinfo of the family", getinfo_family, true },
};

/* Least instructions of each call, in rounds through all of them. */
static void measure(int fd, uint64_t costs[ARRAY_SIZE(calls)])
{
	struct cost least[ARRAY_SIZE(calls)];
	struct meter meter;
	unsigned int i;
	int round;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		least[i] = DEAREST;
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < ARRAY_SIZE(calls); i++) {
			meter_start(&meter);
			must(calls[i].call(fd), calls[i].name);
			keep_least(&least[i], meter_stop(&meter));
		}
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		costs[i] = least[i].instructions;
}

/* Until so many threads have begun; they wait for a byte of the FIFO then. */
static bool have_begun(int fd, uint64_t members)
{
	int i;

	for (i = 0; i < PATIENCE; i++) {
		if (family_loss(fd, PFM_LOSS_PARTS) == members)
			return true;
		sleep(1);
	}
	return false;
}

/* With so many members beside the target. Returns false if they do not come. */
static bool measure_family(const char *members, uint64_t number,
			   uint64_t costs[ARRAY_SIZE(calls)])
{
	const char *words[] = { "gate", members, "1", IN, OUT };
	int fd = family_session(0);
	bool good;
	pid_t child;

	if (fd < 0)
		return false;
	child = family_start(fd, words);
	good = have_begun(fd, number);
	if (good) {
		/* The last one reaches its wait. */
		sleep(1);
		measure(fd, costs);
	}
	child_kill(child);
	close(fd);
	return good;
}

int main(void)
{
	uint64_t few[ARRAY_SIZE(calls)], many[ARRAY_SIZE(calls)];
	bool good = true;
	unsigned int i;

	if (!pmu_get() || meter_open() || mkfifo(IN, 0600) ||
	    mkfifo(OUT, 0600)) {
		fprintf(stderr, "parts: not the test machine\n");
		return 1;
	}
	if (!measure_family("1", FEW, few) ||
	    !measure_family("1000", MANY, many)) {
		fprintf(stderr, "parts: not all members have begun\n");
		return 1;
	}
	printf("# %s: calls on a session that others have inherited\n",
	       pmu_get()->model);
	printf("# %-22s %8s %8s %12s\n", "call", "1 part", "1000", "each more");
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		uint64_t more = many[i] > few[i] ? many[i] - few[i] : 0;
		/* What hits a tick in each of its rounds is not the call's. */
		bool kept = calls[i].visits || more < MANY;

		printf("%-24s %8llu %8llu %12.1f%s\n", calls[i].name,
		       (unsigned long long)few[i], (unsigned long long)many[i],
		       (double)more / (MANY - FEW), kept ? "" : "  OVER");
		good &= kept;
	}
	if (!good)
		printf("# a call pays for each member\n");
	unlink(IN);
	unlink(OUT);
	return !good;
}
