/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that end the self-test between two measurements. */
#ifndef PFMON_SELFTEST_STOP_H
#define PFMON_SELFTEST_STOP_H

#include <stdbool.h>

/* Catches SIGHUP, SIGINT and SIGTERM from now on, unless they are ignored. */
void stop_catch(void);

/* Returns the signal that was caught, or 0. */
int stop_signal(void);

/* True if a signal was caught: tests return early then. */
bool selftest_stopped(void);

#endif /* PFMON_SELFTEST_STOP_H */
