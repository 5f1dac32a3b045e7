/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of numbers: "0,2-5" for CPUs, "17,18" for processes and threads. */
#ifndef PFMON_IDLIST_H
#define PFMON_IDLIST_H

#include <sched.h>
#include <sys/types.h>

#define IDLIST_MAX 4096

/*
 * Parses a list of CPUs. Returns 0, or -1 after a message that names the
 * option.
 */
int idlist_cpus(const char *text, const char *option, cpu_set_t *cpus);

/* The same for a list of ids; returns how many there are, or -1. */
int idlist_pids(const char *text, const char *option, pid_t pids[IDLIST_MAX]);

#endif /* PFMON_IDLIST_H */
