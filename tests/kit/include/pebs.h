/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters that make records by themselves: PEBS of Intel's processors. */
#ifndef PFM_TEST_PEBS_H
#define PFM_TEST_PEBS_H

#include <stdbool.h>
#include <stdint.h>

#define PMC_PEBS_ENABLE 17
#define PMC_LD_LAT 18

/* Selectors: instructions, taken and other branches; of the user, or of all levels. */
#define PEBS_INSTRUCTIONS 0x4100c0
#define PEBS_BRANCHES 0x4100c4
#define PEBS_KERNEL 0x20000

/* Whether the processor makes records that perfmon can take. */
bool pebs_exists(void);

/* Whether an address in a record is the kernel's. */
bool pebs_is_kernel(uint64_t ip);

/*
 * Lets counter @n, with this selector and flags of its PMD, make a record after each
 * @period events; they are one event more apart, as the one after an overflow is
 * recorded. PEBS_ENABLE is left to the caller. Returns 0 or -1.
 */
int pebs_program(int fd, unsigned int n, uint64_t selector, uint32_t flags,
		 uint64_t period);

/* The same for instructions of the user and counter 0, with PEBS_ENABLE. */
int pebs_instructions(int fd, uint32_t flags, uint64_t period);

/*
 * Lets no other task run on the processor of the caller: a switch between an overflow and
 * its record makes the record one event late. Returns 0 or -1.
 */
int pebs_take_the_cpu(void);

#endif
