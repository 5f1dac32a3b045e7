/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for the arguments of a call: it ends where nothing is mapped, and what
 * the kernel must not touch is seen to be untouched.
 */
#ifndef PFM_FUZZ_ARENA_H
#define PFM_FUZZ_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "prng.h"

/* Room for the longest vector that arg_mem_max allows, and a little more. */
#define ARENA_SIZE 8192

struct arena {
	unsigned char *base;
	unsigned char *end; /* first byte that is not mapped */
	unsigned char *start; /* of the argument */
	size_t size; /* of the argument */
};

/* Returns 0 or -1. */
int arena_init(struct arena *arena);

/*
 * A place for an argument of @size bytes, cleared: most often just before the
 * end, seldom elsewhere. Everything before it gets a pattern.
 */
void *arena_place(struct arena *arena, struct prng *prng, size_t size);

/* Whether the pattern is as it was. */
bool arena_intact(const struct arena *arena);

#endif
