/* SPDX-License-Identifier: GPL-2.0-only */
/* Interrupts by which one CPU has another one call a function. */
#ifndef PFM_TEST_FUNCTION_CALLS_H
#define PFM_TEST_FUNCTION_CALLS_H

/* Those that a CPU has got since the boot, -1: not known. */
long function_calls(int cpu);

#endif
