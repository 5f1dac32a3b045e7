/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting a chunked_loop() exactly, while something else happens. */
#ifndef PFM_TEST_CHUNKS_H
#define PFM_TEST_CHUNKS_H

#include <stdint.h>

/*
 * Starts a session that is attached to the caller, runs a chunked_loop() until
 * *@stop is not zero, and stops. Returns 0, with the number of chunks.
 */
int count_chunks(int fd, const volatile int *stop, uint64_t *chunks);

/*
 * What a counter counts around a chunked_loop(), from one that ends at once.
 * ~0 on failure.
 */
uint64_t chunks_constant(int fd, uint16_t pmd);

#endif
