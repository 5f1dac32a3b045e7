/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that look random and are the same for the same seed. */
#ifndef PFM_TEST_PRNG_H
#define PFM_TEST_PRNG_H

#include <stdbool.h>
#include <stdint.h>

/* Any start but 0 will do; see prng_seed(). */
struct prng {
	uint64_t state;
};

/* A sequence for each pair of numbers. */
static inline void prng_seed(struct prng *prng, uint64_t seed, uint64_t stream)
{
	/* Odd constants spread neighbours over all bits. */
	prng->state = (seed + 1) * 0x9e3779b97f4a7c15ULL ^
		      (stream + 1) * 0xd1b54a32d192ed03ULL;
	if (!prng->state)
		prng->state = 1;
}

/* 64 bits: Marsaglia's xorshift, with a multiplication against its pattern. */
static inline uint64_t prng_next(struct prng *prng)
{
	prng->state ^= prng->state >> 12;
	prng->state ^= prng->state << 25;
	prng->state ^= prng->state >> 27;
	return prng->state * 0x2545f4914f6cdd1dULL;
}

/* 0 to @n - 1. */
static inline uint32_t prng_below(struct prng *prng, uint32_t n)
{
	return (prng_next(prng) >> 32) % n;
}

/* True once in @n times. */
static inline bool prng_one_in(struct prng *prng, uint32_t n)
{
	return prng_below(prng, n) == 0;
}

#endif
