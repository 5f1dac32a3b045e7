/* SPDX-License-Identifier: GPL-2.0-only */
/* What interrupts cost: the same work many times, interrupted now and then. */
#ifndef BENCH_SLICES_H
#define BENCH_SLICES_H

#include <stdbool.h>

#include "meter.h"

/* At most so many slices can be told apart. */
#define MOST_SLICES 4000

/* Whether a slice was interrupted; @meter has been stopped, at @cost. */
typedef bool (*slice_test)(const struct cost *cost, const struct meter *meter);

bool took_sample(const struct cost *cost, const struct meter *meter);
bool took_turn(const struct cost *cost, const struct meter *meter);

/* Slices: a loop, the same called by 16 others, and with a stack as deep as a copy. */
void spin(void);
void spin_called(void);
void spin_deep(void);

/*
 * What the interrupted ones of @n slices cost more than the others. Returns -1 if all
 * or none were interrupted.
 */
int measure_slices(void (*slice)(void), int n, slice_test interrupted,
		   struct cost *difference);

#endif
