/* SPDX-License-Identifier: GPL-2.0-only */
/* The right of a thread to read counters by an instruction. */
#ifndef PFM_TEST_MAY_RDPMC_H
#define PFM_TEST_MAY_RDPMC_H

#include <stdbool.h>
#include <stdint.h>

/* Whether RDPMC of this counter comes to an end, in the calling thread and now. */
bool can_rdpmc(uint32_t counter);

/*
 * Whether the calling thread, which no page shows the counter to, learns nothing of it:
 * RDPMC faults; or it reads 0, with a module, where the whole process has the right.
 */
bool rdpmc_tells_nothing(uint32_t counter);

#endif /* PFM_TEST_MAY_RDPMC_H */
