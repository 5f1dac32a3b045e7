/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of CPUs, the affinity of this thread, and the interrupts of a CPU. */
#ifndef PFMON_SELFTEST_CPUS_H
#define PFMON_SELFTEST_CPUS_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>

/* Parses "0,2-5". Returns 0, or -1 if it is not a list of CPUs. */
int cpus_parse(const char *text, cpu_set_t *cpus);

/* Runs this thread on one CPU. Returns 0, or -1 with errno. */
int cpus_pin(int cpu);

/* The next CPU of the set after "cpu" (-1: the first), -1 behind the last. */
int cpus_next(const cpu_set_t *cpus, int cpu);

/* The hyper-threads of the core that this CPU belongs to, itself included. */
int cpus_siblings(int cpu, cpu_set_t *cpus);

/*
 * Reads the interrupts of a CPU since boot from a file in the form of
 * /proc/interrupts. Zero if it does not list the CPU.
 */
uint64_t cpus_count_interrupts(FILE *file, int cpu);

/*
 * Returns the interrupts of this CPU and the faults of this process until now; the
 * caller subtracts it from a later value.
 */
uint64_t cpus_disturbances(int cpu);

#endif /* PFMON_SELFTEST_CPUS_H */
