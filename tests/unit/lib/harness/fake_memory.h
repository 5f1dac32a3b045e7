/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory of programs that are linked with --wrap=mmap, --wrap=munmap and
 * --wrap=malloc: mappings are counted, and may be refused. A malloc() fails the
 * test, for a signal handler must not wait for its lock.
 */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include <stdbool.h>

extern struct fake_memory {
	int maps, unmaps;
	bool refuse;
} memory;

#endif /* FAKE_MEMORY_H */
