// SPDX-License-Identifier: GPL-2.0-only
#include "slices.h"

#include <stdlib.h>

/* Costs of slices of a loop, of which some are interrupted. */
struct slices {
	struct cost cost[MOST_SLICES];
	int n;
};

static int by_instructions(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	return (x->instructions > y->instructions) -
	       (x->instructions < y->instructions);
}

/*
 * Of slices that were interrupted the least is one whose interrupt came while
 * the costs were read, so the one in the middle is taken.
 */
static struct cost median(struct slices *slices)
{
	qsort(slices->cost, (size_t)slices->n, sizeof(slices->cost[0]),
	      by_instructions);
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
