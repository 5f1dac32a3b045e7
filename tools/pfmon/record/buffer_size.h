/* SPDX-License-Identifier: GPL-2.0-only */
/* How large the buffers are that the kernel writes the samples of a recording to. */
#ifndef PFMON_BUFFER_SIZE_H
#define PFMON_BUFFER_SIZE_H

#include <stdbool.h>
#include <stddef.h>

#include "record/recording.h"

/*
 * Bytes of the buffer of a thread, or of each CPU: as it was asked for, else by what a
 * sample needs. What is recorded with each is known.
 */
size_t buffer_size(const struct recording *recording);

/* Whether the size that was asked for, if any, has room for copies of stacks. */
bool buffer_has_copies(const struct recording *recording);

#endif /* PFMON_BUFFER_SIZE_H */
