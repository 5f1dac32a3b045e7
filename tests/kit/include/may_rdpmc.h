/* SPDX-License-Identifier: GPL-2.0-only */
/* The right of a thread to read counters by an instruction. */
#ifndef PFM_TEST_MAY_RDPMC_H
#define PFM_TEST_MAY_RDPMC_H

#include <stdbool.h>
#include <stdint.h>

/* Whether RDPMC of this counter comes to an end, in the calling thread and now. */
bool can_rdpmc(uint32_t counter);

#endif /* PFM_TEST_MAY_RDPMC_H */
