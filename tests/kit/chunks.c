// SPDX-License-Identifier: GPL-2.0-only
/* See chunks.h. */
#include "chunks.h"

#include "loop.h"
#include "pmrs.h"

/* The only code around the loop. */
int __attribute__((noinline))
count_chunks(int fd, const volatile int *stop, uint64_t *chunks)
{
	if (pfm_start_session(fd, 0))
		return -1;
	*chunks = chunked_loop(stop);
	return pfm_stop_session(fd, 0);
}

uint64_t chunks_constant(int fd, uint16_t pmd)
{
	static const int stopped = 1;
	uint64_t chunks, value;

	if (write_pmd(fd, pmd, 0) || count_chunks(fd, &stopped, &chunks) ||
	    read_pmd(fd, pmd, &value))
		return ~0ULL;
	return value - chunks * CHUNK_INSTRUCTIONS;
}
