// SPDX-License-Identifier: GPL-2.0-only
/*
 * energy read CPU MSR: the energy counter of the test machine as that CPU reads it, between
 * two readings of the time stamp counter: "TSC ENERGY TSC".
 *
 * energy wrap CPU MSR UNITS: the counter wraps so many units from now.
 */
#include "pmu_stats.h"

/* nolibc.h has the declarations, see mk/nolibc.mk. */

static int move(int call, int fd, void *value, unsigned int msr)
{
#ifdef __i386__
	return (int)my_syscall5(call, fd, value, 8, msr, 0) == 8 ? 0 : -1;
#else
	return (int)my_syscall4(call, fd, value, 8, msr) == 8 ? 0 : -1;
#endif
}

static unsigned long long read_tsc(void)
{
	unsigned int low, high;

	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(low), "=d"(high));
	return (unsigned long long)high << 32 | low;
}

static int read_counter(int fd, unsigned int msr)
{
	unsigned long long before, after, value;

	before = read_tsc();
	if (move(__NR_pread64, fd, &value, msr))
		return 1;
	after = read_tsc();
	printf("%llu %llu %llu\n", before, value, after);
	return 0;
}

/* Faults that are there are forgotten, so that the counter counts from its start. */
static int wrap(int fd, unsigned int msr, unsigned int units)
{
	unsigned long long fault = PMU_FAULT_CLEAR, value;

	if (move(__NR_pwrite64, fd, &fault, PMU_STAT_BASE + PMU_STAT_FAULT) ||
	    move(__NR_pread64, fd, &value, msr))
		return 1;
	fault = PMU_FAULT(PMU_FAULT_ENERGY, (unsigned int)value + units);
	return move(__NR_pwrite64, fd, &fault,
		    PMU_STAT_BASE + PMU_STAT_FAULT) != 0;
}

int main(int argc, char **argv)
{
	char path[] = "/dev/cpu/0/msr";
	unsigned int msr;
	int fd;

	if (argc < 4)
		return 125;
	path[9] = argv[2][0];
	msr = (unsigned int)strtoul(argv[3], NULL, 10);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return 125;
	if (!strcmp(argv[1], "wrap") && argc > 4)
		return wrap(fd, msr, (unsigned int)strtoul(argv[4], NULL, 10));
	return read_counter(fd, msr);
}
