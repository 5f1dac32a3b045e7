// SPDX-License-Identifier: GPL-2.0-only
/* Whether samples keep step with what is sampled, see steps.h. */
#include "views/steps.h"

#include <math.h>

/* Fewer pairs tell nothing, more samples nothing new. */
#define PAIRS_MIN 50
#define SAMPLES_MAX 20000

/* Of the standard deviation of the difference between two rates, and at least. */
#define DEVIATIONS 4.5
#define DIFFERENCE_MIN 0.2

#define KEPT (STEPS_MAX * STEPS_LONG)

static const unsigned int turns[STEPS_TURNS] = { 1, 8, STEPS_LONG };

static void compare(struct steps *steps, unsigned int place, unsigned int turn,
		    uint32_t stream, size_t function)
{
	uint64_t apart = (place + 1) * turns[turn], at;

	if (apart > steps->samples)
		return;
	at = (steps->samples - apart) % KEPT;
	if (steps->last[at].stream != stream)
		return;
	steps->compared[place][turn]++;
	steps->equal[place][turn] += steps->last[at].function == function;
}

void steps_add(struct steps *steps, uint32_t stream, size_t function)
{
	uint64_t at = steps->samples % KEPT;

	if (steps->samples >= SAMPLES_MAX)
		return;
	for (unsigned int place = 0; place < STEPS_MAX; place++) {
		for (unsigned int turn = 0; turn < STEPS_TURNS; turn++)
			compare(steps, place, turn, stream, function);
	}
	steps->last[at].stream = stream;
	steps->last[at].function = function;
	steps->samples++;
}

/* Whether samples that far apart are in one function clearly more often than usual. */
static bool exceeds(const struct steps *steps, unsigned int place,
		    unsigned int turn, double usual)
{
	double pairs = (double)steps->compared[place][turn];
	double least = fmax(DEVIATIONS * sqrt(0.5 / pairs), DIFFERENCE_MIN);

	return pairs >= PAIRS_MIN &&
	       (double)steps->equal[place][turn] / pairs - usual > least;
}

bool steps_are_kept(const struct steps *steps, double chance)
{
	double usual;

	if (steps->compared[0][0] < PAIRS_MIN)
		return false;
	/* Neighbours are in the same function where the program stays in it for long. */
	usual = fmax(chance, (double)steps->equal[0][0] /
				     (double)steps->compared[0][0]);
	for (unsigned int place = 1; place < STEPS_MAX; place++) {
		unsigned int turn = 0;

		while (turn < STEPS_TURNS && exceeds(steps, place, turn, usual))
			turn++;
		if (turn == STEPS_TURNS)
			return true;
	}
	return false;
}
