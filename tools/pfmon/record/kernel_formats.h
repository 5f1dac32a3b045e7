/* SPDX-License-Identifier: GPL-2.0-only */
/* Which formats of samples the running kernel has. */
#ifndef PFMON_KERNEL_FORMATS_H
#define PFMON_KERNEL_FORMATS_H

#include <stdbool.h>

#include "request.h"

/* Whether the kernel can copy stacks. */
bool kernel_formats_copy(void);

/* Whether the kernel stores precise samples. */
bool kernel_formats_precise(void);

/*
 * Whether the kernel has the format that is wanted. precise: some events have precise
 * samples. 0, or -1 after a message.
 */
int kernel_formats_check(const struct sample_wish *wish, bool precise);

#endif /* PFMON_KERNEL_FORMATS_H */
