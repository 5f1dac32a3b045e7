/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of core of hybrid processors. */
#ifndef PFM_TEST_KINDS_H
#define PFM_TEST_KINDS_H

#include <stdbool.h>
#include <stdint.h>

bool cpuid_says_hybrid(void);

/*
 * The first number in a file of a kind's below pmu_desc, which is cpu_core or cpu_atom;
 * -1: there is none.
 */
int kind_value(const char *kind, const char *name);

uint64_t distance(uint64_t a, uint64_t b);

#endif
