/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that only some of the general counters can count. On another counter
 * they would count something else or nothing, without any error.
 */
#ifndef PFMON_CONSTRAINTS_H
#define PFMON_CONSTRAINTS_H

#include <stdint.h>

/*
 * Returns a bit for each general counter that counts the event properly. PMU is
 * the name of libpfm4's table; NULL or a table without such events: all bits.
 */
uint32_t constraints_counters(const char *pmu, uint64_t selector);

#endif /* PFMON_CONSTRAINTS_H */
