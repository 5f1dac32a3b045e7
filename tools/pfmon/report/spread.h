/* SPDX-License-Identifier: GPL-2.0-only */
/* The spread of counts over repeated runs. */
#ifndef PFMON_SPREAD_H
#define PFMON_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

struct spread {
	unsigned int runs;
	double mean;
	double squares; /* sum of the squared differences from the mean */
	uint64_t min, max;
};

void spread_add(struct spread *spread, uint64_t count);

/*
 * Half the width of the 95 % interval of the mean, in percent of the mean; 0 if
 * there are fewer than two runs, or the mean is 0.
 */
double spread_percent(const struct spread *spread);

/*
 * The 95 % interval of the difference of two means (the second minus the first),
 * as Welch has it. False if it cannot be told: one of them has fewer than two
 * runs.
 */
bool spread_difference(const struct spread *first, const struct spread *second,
		       double *low, double *high);

/* All runs had the same count. */
bool spread_is_equal(const struct spread *spread);

/* The mean as a count. */
uint64_t spread_mean(const struct spread *spread);

#endif /* PFMON_SPREAD_H */
