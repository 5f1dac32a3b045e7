/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies at an offset in memory, whatever the compiler makes of structures. */
#ifndef PFM_TEST_LAYOUT_H
#define PFM_TEST_LAYOUT_H

#include <stdint.h>

/* The little-endian number of @size bytes, at most 8, at @offset. */
static inline uint64_t field_at(const void *memory, unsigned int offset,
				unsigned int size)
{
	const uint8_t *bytes = (const uint8_t *)memory + offset;
	uint64_t value = 0;

	while (size-- > 0)
		value = value << 8 | bytes[size];
	return value;
}

#endif
