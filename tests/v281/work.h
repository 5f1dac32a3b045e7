/* SPDX-License-Identifier: GPL-2.0-only */
/* Something to be counted, of which it is known what the counts must be. */
#ifndef TESTS_V281_WORK_H
#define TESTS_V281_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* Instructions of one pass of each loop. */
#define WORK_INSTRUCTIONS 2ULL

/* A loop of so many passes, at least one. */
void work(unsigned long passes);

/* Where it is. */
bool is_in_work(uint64_t address);

/* A loop without end that counts its passes. */
_Noreturn void work_forever(unsigned long *passes);

#endif /* TESTS_V281_WORK_H */
