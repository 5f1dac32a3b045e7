// SPDX-License-Identifier: GPL-2.0-only
/* The speed of the kernel and the processors of the machine. */
#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "attr.h"
#include "pmu.h"

#define SLOW_FACTOR 50

/* Other processors do it all. */
#define SHORT_FACTOR 10

bool kernel_is_slow(void)
{
	const char *slow = getenv("PFM_TEST_SLOW");

	if (slow)
		return strcmp(slow, "0") != 0;
	return !access("/sys/kernel/debug/kmemleak", F_OK);
}

bool repeat_less(void)
{
	return getenv("PFM_TEST_SHORT");
}

long repetitions(long wanted)
{
	if (kernel_is_slow())
		return wanted / SLOW_FACTOR + 1;
	if (repeat_less() && wanted > SHORT_FACTOR)
		return wanted / SHORT_FACTOR;
	return wanted;
}

int cpus_online(void)
{
	return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	return file_write(path, online ? "1" : "0");
}

int cpus_that_count(void)
{
	/* The second processor is the second thread of the first core. */
	return pmu_is_shared() ? 1 : cpus_online();
}

int pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

bool compat_process(void)
{
	struct utsname uts;

	return sizeof(long) == 4 && !uname(&uts) &&
	       !strcmp(uts.machine, "x86_64");
}
