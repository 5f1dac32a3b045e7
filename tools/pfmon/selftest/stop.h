/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that end the self-test between two measurements. */
#ifndef PFMON_SELFTEST_STOP_H
#define PFMON_SELFTEST_STOP_H

#include <stdbool.h>

/* Catches SIGHUP, SIGINT and SIGTERM from now on, unless they are ignored. */
void stop_catch(void);

/* The signal that came, 0 if none did. */
int stop_signal(void);

/* Whether one came; measurements are not worth to go on then. */
bool selftest_stopped(void);

#endif /* PFMON_SELFTEST_STOP_H */
