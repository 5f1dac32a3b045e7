// SPDX-License-Identifier: GPL-2.0-only
/* Loops of known length on one counter. */
#include "counter_check.h"

#include <stdio.h>
#include <unistd.h>

#include "loop.h"
#include "pmrs.h"
#include "pmu.h"

/*
 * User instructions of starting and stopping; kernel instructions as well
 * where counters cannot tell the levels apart.
 */
#define MAX_CONSTANT 200
#define MAX_CONSTANT_ANY_LEVEL 20000

/*
 * A counter of all levels also counts the interrupts that come while a loop
 * runs: of several runs the least is without. The longest loop takes less time
 * than from one tick to the next.
 */
#define RUNS_ANY_LEVEL 20

/* No event of the test machine is rarer than one in so many instructions. */
#define MAX_DEN 1025

int __attribute__((noinline)) counted_run(int fd, unsigned long instructions)
{
	if (pfm_start_session(fd, 0))
		return -1;
	counted_loop(instructions);
	return pfm_stop_session(fd, 0);
}

uint64_t counted_from_zero(int fd, uint16_t pmd, unsigned long instructions)
{
	uint64_t value;

	if (write_pmd(fd, pmd, 0) || counted_run(fd, instructions) ||
	    read_pmd(fd, pmd, &value))
		return ~0ULL;
	return value;
}

static uint64_t counted(int fd, uint16_t pmd, bool any_level,
			unsigned long instructions)
{
	int runs = any_level ? RUNS_ANY_LEVEL : 1;
	uint64_t value, least = ~0ULL;

	while (runs--) {
		value = counted_from_zero(fd, pmd, instructions);
		if (value < least)
			least = value;
	}
	return least;
}

/*
 * Is @events what @instructions make? Where an event does not come with every
 * instruction, the first one may come early or late by a part of itself.
 */
static bool plausible(unsigned int num, unsigned int den, uint64_t events,
		      unsigned long instructions)
{
	unsigned long quotient = instructions / den;
	uint64_t expected = (uint64_t)quotient * num;
	unsigned int tolerance = den > 1;

	return events + tolerance >= expected && events <= expected + tolerance;
}

/* Loops whose number of instructions is a multiple of every denominator. */
bool counts_exactly(int fd, uint16_t pmd, unsigned int num, unsigned int den,
		    bool any_level)
{
	const unsigned long unit = 2UL * den;
	const unsigned long step = (100000 / unit + 1) * unit;
	const uint64_t most = any_level ? MAX_CONSTANT_ANY_LEVEL : MAX_CONSTANT;
	uint64_t base, value;
	unsigned int i;

	/* The kernel's way is another one the first time. */
	counted(fd, pmd, any_level, unit);
	base = counted(fd, pmd, any_level, unit);
	if (base == ~0ULL || base > most + 2 * num * MAX_DEN) {
		printf("# pmd%u: a short loop counts 0x%llx\n", pmd,
		       (unsigned long long)base);
		return false;
	}
	for (i = 1; i <= 3; i++) {
		value = counted(fd, pmd, any_level, i * step + unit);
		if (plausible(num, den, value - base, i * step))
			continue;
		printf("# pmd%u: %lu instructions more count %lld more\n", pmd,
		       i * step, (long long)(value - base));
		return false;
	}
	return true;
}

static const char *session_trouble(int fd)
{
	const unsigned long instructions = 2000000;
	uint64_t value;

	if (attach_self(fd))
		return "the session cannot be attached";
	if (counted_run(fd, instructions))
		return "the session cannot be started and stopped";
	if (read_pmd(fd, pmu_first()->pmd, &value))
		return "the counter cannot be read";
	if (value < instructions || value > instructions + MAX_CONSTANT)
		return "wrong counts";
	return "";
}

const char *perfmon_trouble(void)
{
	int fd = pmu_session(0);
	const char *trouble;

	if (fd < 0)
		return "no session can be created";
	trouble = session_trouble(fd);
	close(fd);
	return trouble;
}
