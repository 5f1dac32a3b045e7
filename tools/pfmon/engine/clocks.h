/* SPDX-License-Identifier: GPL-2.0-only */
/* The clocks of a measurement, in ns. */
#ifndef PFMON_CLOCKS_H
#define PFMON_CLOCKS_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull

/* Monotonic time. */
uint64_t clocks_now(void);

/* CPU time of all threads of a process so far; 0 if it is gone. */
uint64_t clocks_process(pid_t pid);

/* CPU time of the children that the process waited for; of the grain of ticks. */
uint64_t clocks_children(pid_t pid);

/* What /proc/cpuinfo tells of the first CPU; 0 if it tells nothing. */
double clocks_cpu_hz(void);

uint64_t clocks_user(const struct rusage *usage);
uint64_t clocks_system(const struct rusage *usage);

/* How often it was switched out, and its page faults of both kinds. */
uint64_t clocks_switches(const struct rusage *usage);
uint64_t clocks_faults(const struct rusage *usage);

#endif /* PFMON_CLOCKS_H */
