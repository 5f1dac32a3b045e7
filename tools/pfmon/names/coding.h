/* SPDX-License-Identifier: GPL-2.0-only */
/* What a counter has to be told to count an event that libpfm has no name for. */
#ifndef PFMON_CODING_H
#define PFMON_CODING_H

#include <stdint.h>

/* Which register qualifies the event, beside its selector. */
enum coding_kind {
	CODING_PLAIN, /* none */
	CODING_OFFCORE, /* the first off-core register, or the second */
	CODING_OFFCORE_0,
	CODING_OFFCORE_1,
	CODING_FRONTEND,
	CODING_LATENCY, /* and it counts in precise samples only */
};

/* In place of a fixed counter: one that perfmon does not have. */
#define CODING_NO_COUNTER 255

struct coding {
	/* Without enable and levels; 0 beside a fixed counter: that alone counts it. */
	uint64_t selector;
	uint64_t value; /* of the register that qualifies it */
	enum coding_kind kind;
	unsigned int
		fixed; /* the fixed counter that counts it, from 1; 0: none */
};

#endif /* PFMON_CODING_H */
