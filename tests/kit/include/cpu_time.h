/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU time of the calling thread, in ns, and a way to pass it. */
#ifndef PFM_TEST_CPU_TIME_H
#define PFM_TEST_CPU_TIME_H

#include <stdint.h>

uint64_t cpu_time(void);

/* Executes counted loops for about @ns. */
void cpu_time_spend(uint64_t ns);

#endif
