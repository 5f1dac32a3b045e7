// SPDX-License-Identifier: GPL-2.0-only
/* Memory between a pattern and a hole. */
#include "arena.h"

#include <string.h>
#include <sys/mman.h>

#define HOLE 4096
#define PATTERN 0xa5

int arena_init(struct arena *arena)
{
	void *base = mmap(NULL, ARENA_SIZE + HOLE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED)
		return -1;
	arena->base = base;
	arena->end = arena->base + ARENA_SIZE;
	arena->start = arena->end;
	arena->size = 0;
	memset(arena->base, PATTERN, ARENA_SIZE);
	return mprotect(arena->end, HOLE, PROT_NONE);
}

void *arena_place(struct arena *arena, struct prng *prng, size_t size)
{
	size_t room;

	if (size > ARENA_SIZE)
		size = ARENA_SIZE;
	room = ARENA_SIZE - size;
	/* The rest of it is as it was, or arena_intact() has said so. */
	memset(arena->start, PATTERN, arena->size);
	arena->start = arena->end - size;
	if (prng_one_in(prng, 4))
		arena->start = arena->base + prng_below(prng, room + 1);
	arena->size = size;
	memset(arena->start, 0, size);
	return arena->start;
}

/* Each byte is as the one before it: this is most of what a call costs here. */
static bool is_pattern(const unsigned char *from, const unsigned char *to)
{
	return from == to ||
	       (*from == PATTERN && !memcmp(from, from + 1, to - from - 1));
}

bool arena_intact(const struct arena *arena)
{
	return is_pattern(arena->base, arena->start) &&
	       is_pattern(arena->start + arena->size, arena->end);
}
