// SPDX-License-Identifier: GPL-2.0-only
/* CPU time of the calling thread, see cpu_time.h. */
#include "cpu_time.h"

#include <time.h>

#include "loop.h"

uint64_t cpu_time(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

void cpu_time_spend(uint64_t ns)
{
	uint64_t end = cpu_time() + ns;

	while (cpu_time() < end)
		counted_loop(1000);
}
