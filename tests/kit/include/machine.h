/* SPDX-License-Identifier: GPL-2.0-only */
/* What a test needs to know of the machine that it runs on. */
#ifndef PFM_TEST_MACHINE_H
#define PFM_TEST_MACHINE_H

#include <stdbool.h>

/*
 * The number of repetitions to do where a test would like @wanted: a small
 * part of it on a kernel that checks its own memory or with PFM_TEST_SLOW=1, a
 * tenth with PFM_TEST_SHORT=1, which the plan of the guests asks for.
 */
long repetitions(long wanted);

/* Whether the plan of the guests has processors that repeat more. */
bool repeat_less(void);

/* Whether this kernel checks its own memory, so that /proc/meminfo is noise. */
bool kernel_is_slow(void);

/* Whether this is a 32-bit process on a 64-bit kernel. */
bool compat_process(void);

/* In a test: it is about such processes. */
#define NEEDS_COMPAT()                                                        \
	do {                                                                  \
		if (!compat_process())                                        \
			SKIP(return, "no 32-bit process on a 64-bit kernel"); \
	} while (0)

/* Number of processors on line. */
int cpus_online(void);

/* Takes a CPU off line or brings it back. Returns 0 or an errno. */
int cpu_set_online(int cpu, bool online);

/* Those that can count, from number 0 on without a gap. */
int cpus_that_count(void);

/* Ties the calling thread to one processor. Returns 0 or -1 with errno. */
int pin_to_cpu(int cpu);

#endif
