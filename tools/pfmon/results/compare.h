/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The difference of an event between two results, with what can be said of its
 * certainty.
 */
#ifndef PFMON_COMPARE_H
#define PFMON_COMPARE_H

#include "report/spread.h"
#include "results/results.h"

enum certainty {
	CERTAIN_NOT, /* it may be chance: there is no interval */
	CERTAIN_EXACT, /* one count each, or always the same: a number */
	CERTAIN_BOUNDS, /* of estimates: it is in the interval */
	CERTAIN_95, /* the interval holds it in 95 % of all cases */
};

struct difference {
	double a, b; /* means */
	double low, high; /* of b - a, if there is an interval */
	enum certainty certainty;
	bool significant; /* it is none by chance */
};

/* False if one of them has not seen the event in a run that counts. */
bool compare_event(const struct results *a, const struct results *b,
		   const struct result_event *event,
		   struct difference *difference);

/* In percent of a; 0 if that is 0. */
double compare_percent(const struct difference *difference, double value);

/* Runs that ended with status 0; all if none did. */
int compare_runs(const struct results *results);

#endif /* PFMON_COMPARE_H */
