// SPDX-License-Identifier: GPL-2.0-only
/* The clocks of a measurement, see clocks.h. */
#include "engine/clocks.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static uint64_t from_timespec(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

static uint64_t from_timeval(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * NS_PER_S +
	       (uint64_t)time->tv_usec * 1000;
}

uint64_t clocks_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return from_timespec(&now);
}

uint64_t clocks_process(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
		return 0;
	return from_timespec(&used);
}

uint64_t clocks_children(pid_t pid)
{
	unsigned long long user, sys;
	uint64_t ns = 0;
	char path[32], line[1024], *end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	/* The name of the program may have anything in it. */
	if (fgets(line, sizeof(line), file) && (end = strrchr(line, ')')) &&
	    sscanf(end,
		   ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %llu %llu",
		   &user, &sys) == 2)
		ns = (user + sys) * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	fclose(file);
	return ns;
}

double clocks_cpu_hz(void)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	double mhz = 0;
	char line[256];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu MHz : %lf", &mhz) == 1)
			break;
	}
	fclose(file);
	return mhz * 1e6;
}

uint64_t clocks_user(const struct rusage *usage)
{
	return from_timeval(&usage->ru_utime);
}

uint64_t clocks_switches(const struct rusage *usage)
{
	return (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
}

uint64_t clocks_faults(const struct rusage *usage)
{
	return (uint64_t)usage->ru_minflt + (uint64_t)usage->ru_majflt;
}

uint64_t clocks_system(const struct rusage *usage)
{
	return from_timeval(&usage->ru_stime);
}
