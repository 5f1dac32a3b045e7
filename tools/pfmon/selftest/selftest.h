/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pfmon --self-test: whether the counters of this machine count rightly, told by
 * loops whose number of instructions is known. For those who run perfmon on a
 * processor on which nobody did before.
 */
#ifndef PFMON_SELFTEST_H
#define PFMON_SELFTEST_H

#include <stdbool.h>

/* The exit statuses; STATUS_FAILED if pfmon itself failed. */
enum {
	SELFTEST_RIGHT = 0,
	SELFTEST_WRONG = 1,
	SELFTEST_NO_PMU = 2,
	SELFTEST_UNSURE = 3,
};

struct selftest_options {
	bool full;
	const char *cpus; /* a list as "0,2-5"; NULL: all that may be used */
	const char *outfile; /* of the JSON report; NULL: none */
	const char *pmu; /* events of this model; NULL: of the processor */
};

/* Runs the tests. Returns the exit status. */
int selftest_run(const struct selftest_options *opts);

#endif /* PFMON_SELFTEST_H */
