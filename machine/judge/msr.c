// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to MSRs through /dev/cpu/N/msr, which reports #GP as EIO. The kernel
 * wants msr.allow_writes=on.
 */

#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "judge.h"
#include "pmu_stats.h"

#define MAX_CPUS 8

/* The device of each CPU stays open, as fd + 1. */
static int devices[MAX_CPUS];

static int msr_device(int cpu)
{
	char path[32];

	if (!devices[cpu]) {
		snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
		devices[cpu] = open(path, O_RDWR) + 1;
	}
	return devices[cpu] - 1;
}

bool have_msr_driver(int cpu)
{
	return cpu < MAX_CPUS && msr_device(cpu) >= 0;
}

bool read_msr(int cpu, uint32_t msr, uint64_t *value)
{
	if (pread(msr_device(cpu), value, sizeof(*value), msr) ==
	    sizeof(*value))
		return true;
	if (errno != EIO)
		give_up("reading an MSR");
	return false;
}

bool write_msr(int cpu, uint32_t msr, uint64_t value)
{
	if (pwrite(msr_device(cpu), &value, sizeof(value), msr) ==
	    sizeof(value))
		return true;
	if (errno != EIO)
		give_up("writing an MSR");
	return false;
}

uint64_t read_stat(int cpu, uint32_t offset)
{
	uint64_t value = 0;

	if (!read_msr(cpu, PMU_STAT_BASE + offset, &value))
		give_up("reading the statistics block");
	return value;
}
