/* SPDX-License-Identifier: GPL-2.0-only */
/* How sure the share of a function is. */
#ifndef PFMON_RANGE_H
#define PFMON_RANGE_H

/* A share of all events, between 0 and 1, from samples of which each stands for some. */
struct share {
	double part, all; /* events */
	double squares; /* of the events of each sample, added up over all samples */
};

struct range {
	double low, high; /* between 0 and 1 */
};

/*
 * Where the true share is, with 99 % certainty, if the periods of the samples vary by
 * chance as pfmon record lets them. All must not be 0.
 */
struct range range_of(const struct share *share);

#endif /* PFMON_RANGE_H */
