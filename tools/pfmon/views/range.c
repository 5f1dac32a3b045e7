// SPDX-License-Identifier: GPL-2.0-only
/* How sure the share of a function is, see range.h. */
#include "views/range.h"

#include <math.h>

/* Of the normal distribution, for 99 %. */
#define DEVIATIONS 2.576

/*
 * Samples of a program that repeats itself in step with them resemble one another. With
 * periods that vary as in record/periods.c the correlation of a sample with the next one
 * is below 0.24, so that the variance of a share is at most (1 + 0.24) / (1 - 0.24) times
 * what independent samples have.
 */
#define IN_STEP 1.64

/* The interval of Wilson, which holds for small numbers and for shares near 0 and 1. */
struct range range_of(const struct share *share)
{
	double part = share->part / share->all;
	/* As many samples of equal periods would tell as much. */
	double samples = share->all * share->all / share->squares;
	double square = DEVIATIONS * DEVIATIONS * IN_STEP / samples;
	double middle = (part + square / 2) / (1 + square);
	double half =
		sqrt(square * (part * (1 - part) + square / 4)) / (1 + square);

	return (struct range){ fmax(middle - half, 0), fmin(middle + half, 1) };
}
