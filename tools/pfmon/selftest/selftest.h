/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pfmon --self-test: it judges by loops with known numbers of instructions whether
 * the counters of this machine count rightly. It is for those who run perfmon on a
 * processor that has no mark in the kernel's table of confirmed models.
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
	bool hotplug; /* full, and take a CPU off line for a moment */
	const char *cpus; /* a list as "0,2-5"; NULL: all that may be used */
	const char *outfile; /* of the JSON report; NULL: none */
	const char *pmu; /* events of this model; NULL: of the processor */
};

/* Runs the tests. Returns the exit status. */
int selftest_run(const struct selftest_options *opts);

#endif /* PFMON_SELFTEST_H */
