/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters that make records by themselves: PEBS of Intel's processors. */
#ifndef PFM_TEST_PEBS_H
#define PFM_TEST_PEBS_H

#include <stdbool.h>
#include <stdint.h>

#define PMC_PEBS_ENABLE 17
#define PMC_LD_LAT 18
#define PMC_FIXED_CTRL 16

/* Bit of the first fixed counter in PEBS_ENABLE, and its PMD. */
#define PEBS_FIXED_BIT 32
#define PMD_FIXED 16

/* Selectors: instructions, taken and other branches; of the user, or of all levels. */
#define PEBS_INSTRUCTIONS 0x4100c0
#define PEBS_BRANCHES 0x4100c4
#define PEBS_KERNEL 0x20000

/* Whether the processor makes records that perfmon can take. */
bool pebs_exists(void);

/*
 * The format of its records, and the counters that make them: fixed ones from bit 32 on.
 * Returns 0 or -1.
 */
int pebs_read(unsigned int *format, uint64_t *counters);

/*
 * Before this format a record has the next instruction and not the sampled one, and before
 * the one after it its status has all counters that have overflowed.
 */
#define PEBS_FORMAT_EXACT 2
#define PEBS_FORMAT_STATUS 3

/* The instruction that a record names: instructions behind the sampled one. */
unsigned int pebs_late(void);

/* The least period that the processor can do. */
uint64_t pebs_shortest(void);

/* With groups a record has what the session wants, and all have it. */
#define PEBS_FORMAT_GROUPS 4

/* Bytes of a record with these blocks (PFM_PRECISE_SMPL_*). */
unsigned int pebs_record_bytes(uint32_t blocks);

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
