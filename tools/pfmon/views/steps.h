/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether samples keep step with what is sampled: if the period is nearly a multiple or a
 * part of a loop of the program, the same few places are met over and over again, and the
 * shares of the functions are wrong.
 */
#ifndef PFMON_STEPS_H
#define PFMON_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Places that are met in turn, at most. More of them give nearly the right shares. */
#define STEPS_MAX 8
/* After so many turns they are still the same. */
#define STEPS_TURNS 3
#define STEPS_LONG 64

struct steps {
	struct {
		uint32_t stream;
		size_t function;
	} last[STEPS_MAX * STEPS_LONG];
	uint64_t samples;
	/* Pairs of samples of one stream, so many places and turns apart: all, and equal. */
	uint64_t compared[STEPS_MAX][STEPS_TURNS];
	uint64_t equal[STEPS_MAX][STEPS_TURNS];
};

/* The next sample of a file, in the function of this number. */
void steps_add(struct steps *steps, uint32_t stream, size_t function);

/*
 * Whether samples some places apart are in the same function more often than neighbours
 * are, more often than by chance (the sum of the squares of all shares), and for long.
 */
bool steps_are_kept(const struct steps *steps, double chance);

#endif /* PFMON_STEPS_H */
