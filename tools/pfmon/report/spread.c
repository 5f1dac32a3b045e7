// SPDX-License-Identifier: GPL-2.0-only
/* The spread of counts over repeated runs, see spread.h. */
#include "report/spread.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Student's t for 95 %, by degrees of freedom; then that of the normal curve. */
static const double students[] = {
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201,	2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080,	2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
};
#define NORMAL 1.960

void spread_add(struct spread *spread, uint64_t count)
{
	double value = (double)count, before = value - spread->mean;

	if (!spread->runs || count < spread->min)
		spread->min = count;
	if (!spread->runs || count > spread->max)
		spread->max = count;
	spread->runs++;
	spread->mean += before / spread->runs;
	spread->squares += before * (value - spread->mean);
}

/* Newton's method: the mathematical library for one root is too much. */
static double square_root(double x)
{
	double root = x > 1 ? x : 1;

	if (x <= 0)
		return 0;
	for (;;) {
		double next = (root + x / root) / 2;

		if (next >= root)
			return root;
		root = next;
	}
}

/* Between whole degrees of freedom the smaller one is the careful choice. */
static double student(double freedom)
{
	if (freedom < 1)
		return students[0];
	return freedom < ARRAY_SIZE(students) + 1 ?
		       students[(unsigned int)freedom - 1] :
		       NORMAL;
}

/* Of the mean. */
static double variance(const struct spread *spread)
{
	return spread->squares / (spread->runs - 1) / spread->runs;
}

bool spread_difference(const struct spread *first, const struct spread *second,
		       double *low, double *high)
{
	double a, b, freedom, half, difference = second->mean - first->mean;

	if (first->runs < 2 || second->runs < 2)
		return false;
	a = variance(first);
	b = variance(second);
	freedom = a + b > 0 ? (a + b) * (a + b) /
				      (a * a / (first->runs - 1) +
				       b * b / (second->runs - 1)) :
			      1;
	half = student(freedom) * square_root(a + b);
	*low = difference - half;
	*high = difference + half;
	return true;
}

double spread_percent(const struct spread *spread)
{
	unsigned int freedom = spread->runs - 1;

	if (spread->runs < 2 || spread->mean <= 0)
		return 0;
	return 100 * student(freedom) * square_root(variance(spread)) /
	       spread->mean;
}

bool spread_is_equal(const struct spread *spread)
{
	return spread->min == spread->max;
}

uint64_t spread_mean(const struct spread *spread)
{
	if (spread_is_equal(spread))
		return spread->min;
	return (uint64_t)(spread->mean + 0.5);
}
