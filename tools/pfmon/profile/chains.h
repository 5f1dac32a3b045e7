/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many call chains tell nothing: what the program that finds symbols tells pfmon
 * record beside them, as a chunk that does not go into the file.
 */
#ifndef PFMON_CHAINS_H
#define PFMON_CHAINS_H

#include <stdint.h>

/* Type of the chunk, no enum pfmd_type. */
#define CHAINS_CHUNK 0x10000

/* So many in a hundred of at least so many are told. */
#define CHAINS_PERCENT 20
#define CHAINS_LEAST 20

/* What is said of them. */
#define CHAINS_NOTE "of call chains end at their first frame"
#define CHAINS_WHY ": that code has no frame pointers"

struct chains {
	uint64_t samples; /* that have chains of a program */
	uint64_t alone; /* of them: the chain ends where it begins */
};

/* How many in a hundred, 0: not worth a word. */
static inline unsigned int chains_alone(const struct chains *chains)
{
	uint64_t percent;

	if (chains->samples < CHAINS_LEAST)
		return 0;
	percent = chains->alone * 100 / chains->samples;
	return percent < CHAINS_PERCENT ? 0 : (unsigned int)percent;
}

#endif /* PFMON_CHAINS_H */
