/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs: lists of them, where this thread runs, and what interrupts it there. */
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
 * How often a CPU was interrupted since boot, as /proc/interrupts tells; in the
 * file's form, and of a file that is open. Zero if it does not say.
 */
uint64_t cpus_count_interrupts(FILE *file, int cpu);

/*
 * Interrupts of this CPU and faults of this process until now, to be subtracted
 * from a later value.
 */
uint64_t cpus_disturbances(int cpu);

#endif /* PFMON_SELFTEST_CPUS_H */
