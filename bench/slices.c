// SPDX-License-Identifier: GPL-2.0-only
#include "slices.h"

#include <stdlib.h>

#include "frame_track.h"
#include "interface.h"
#include "loop.h"

#define SLICE 20000UL

/* The code itself is one more. */
#define FRAMES 16

/* Costs of slices of a loop, of which some are interrupted. */
struct slices {
	struct cost cost[MOST_SLICES];
	int n;
};

/*
 * An interrupt that was raised before the first count is not one of the slice, but its
 * accesses may be: among equals they must not be in the middle by chance.
 */
static int by_cost(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->instructions != y->instructions)
		return x->instructions < y->instructions ? -1 : 1;
	return (accesses_of(x) > accesses_of(y)) -
	       (accesses_of(x) < accesses_of(y));
}

/*
 * Of slices that were interrupted the least is one whose interrupt came while
 * the costs were read, so the one in the middle is taken.
 */
static struct cost median(struct slices *slices)
{
	qsort(slices->cost, (size_t)slices->n, sizeof(slices->cost[0]),
	      by_cost);
	return slices->cost[slices->n / 2];
}

bool took_sample(const struct cost *cost, const struct meter *meter)
{
	(void)cost;
	return meter_interrupts(meter) > 0;
}

bool took_turn(const struct cost *cost, const struct meter *meter)
{
	(void)meter;
	return cost->accesses.wrmsr > 0;
}

void spin(void)
{
	counted_loop(SLICE);
}

void spin_called(void)
{
	static struct frame frames[FRAMES];
	int i;

	for (i = 0; i < FRAMES; i++)
		frames[i] = (struct frame){ (uintptr_t)&frames[i + 1],
					    (uintptr_t)spin };
	frames[FRAMES - 1].next = 0;
	track_frames(SLICE / 2, (uintptr_t)frames);
}

void spin_deep(void)
{
	volatile char room[SAMPLE_COPY_BYTES];

	/* A copy ends where a page is not there, which costs a fault. */
	for (size_t i = 0; i < sizeof(room); i++)
		room[i] = 0;
	spin();
	room[sizeof(room) - 1] = room[0];
}

int measure_slices(void (*slice)(void), int n, slice_test interrupted,
		   struct cost *difference)
{
	static struct slices hit, missed;
	int i;

	hit.n = 0;
	missed.n = 0;
	for (i = 0; i < n; i++) {
		struct slices *slices;
		struct meter meter;
		struct cost cost;

		meter_start(&meter);
		slice();
		cost = meter_stop(&meter);
		slices = interrupted(&cost, &meter) ? &hit : &missed;
		slices->cost[slices->n++] = cost;
	}
	if (!hit.n || !missed.n)
		return -1;
	*difference = cost_difference(median(&hit), median(&missed));
	return 0;
}
