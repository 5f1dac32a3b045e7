/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading counters without a system call, see user_read.c. */
#ifndef BENCH_USER_READ_H
#define BENCH_USER_READ_H

#include <stdbool.h>

#include "interface.h"

int perfmon_map(int fd, int n);
int perfmon_usable(void);
int perfmon_unmap(int n);
int perfmon_share(bool on);
void perfmon_user_read(int n);

int perf_map(const int *fds, int n);
int perf_usable(int n);
int perf_unmap(int n);
void perf_user_read(int n);

#endif
