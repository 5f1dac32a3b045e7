/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verdicts on measurements. Nothing here measures, so that unit tests can try
 * each verdict with made-up numbers.
 *
 * On silicon an interrupt or a fault during a run can add an instruction or two
 * to the count of user level; each run says how many there were.
 */
#ifndef PFMON_SELFTEST_JUDGE_H
#define PFMON_SELFTEST_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#define RUNS_MAX 20

enum verdict {
	VERDICT_RIGHT,
	VERDICT_UNSURE, /* the machine was too busy to tell */
	VERDICT_WRONG,
};

/* One measurement, and what disturbed it. */
struct run {
	uint64_t count;
	uint64_t disturbances; /* interrupts and faults */
};

struct runs {
	uint64_t length; /* instructions of the loop */
	int count;
	struct run run[RUNS_MAX];
};

/* Knowledge beside the runs that helps to name the cause. */
struct circumstances {
	bool hypervisor;
	bool others_count; /* other counters count this event rightly */
	uint64_t cycles; /* of a run, 0: not known */
};

struct ruling {
	enum verdict verdict;
	uint64_t low, high; /* limits of a right count */
	uint64_t got;
	const char *cause; /* a constant */
};

/* The smallest count. There is at least one run. */
uint64_t judge_smallest(const struct runs *runs);

/*
 * Returns the instructions around the loop, which are the same for each counter: the
 * most frequent of overheads[i], that of counter i, negative if it counted less than
 * the loop. Numbers that the calls cannot have are left out, however many counters
 * agree on them; 0 if none remains.
 */
int64_t judge_overhead(const int64_t *overheads, int count);

/*
 * Instructions at user level: the smallest run is length + overhead, and each
 * run no more than two above that for each disturbance, and eight.
 */
struct ruling judge_exact(const struct runs *runs, int64_t overhead,
			  const struct circumstances *around);

/*
 * Kernel level, while a loop ran that never calls the kernel: the count does not
 * depend on the length of the loop. The runs are those of a short and of a long
 * loop.
 */
struct ruling judge_kernel(const struct runs *runs, const struct runs *longer);

/* Both levels: the loop and the kernel's part, which is that of judge_kernel(). */
struct ruling judge_both(const struct runs *runs, int64_t overhead);

/* The count has to be zero. */
struct ruling judge_zero(uint64_t count);

/* Counters that have counted the same event at the same time. */
#define JUDGE_SPREAD 64
struct ruling judge_spread(const uint64_t *counts, int count,
			   uint64_t disturbances);

/* The count, or a rate, has to be between limits. */
struct ruling judge_range(uint64_t got, uint64_t low, uint64_t high,
			  const char *cause);

/*
 * Two lengths of a loop: the counts differ by "instructions" for each turn more, give
 * or take "uncertain".
 */
struct ruling judge_slope(const struct runs *shorter, const struct runs *longer,
			  uint64_t turns, unsigned int instructions,
			  unsigned int uncertain);

/*
 * Each turn has one branch. An emulated processor may have another rate; there
 * branches only have to count.
 */
struct ruling judge_branches(const struct runs *shorter,
			     const struct runs *longer, uint64_t turns,
			     bool emulated);

/*
 * Returns the counters that count an event which all of them were given: bit i for
 * counter i. An event that hardly happened proves nothing: 0.
 */
uint32_t judge_counting(const uint64_t *counts, int count);

/* A summary of the samples of a counter. */
struct sampled {
	uint64_t period; /* as the kernel has it */
	uint64_t total; /* events, of another counter or of the loop */
	uint64_t samples;
	uint64_t outside; /* samples with an address that is not in the loop */
	uint64_t latest; /* the most events between an overflow and its sample */
	bool throttled; /* the kernel stopped it: too many interrupts */
	int beside; /* other counters that overflowed as well */
	uint64_t longest_ns, average_ns; /* between two samples */
};

/* Events that may pass on silicon before an interrupt has stopped a counter. */
#define JUDGE_SKID 4096
/* More than any processor needs: this one was held back. */
#define JUDGE_LATE (4 * JUDGE_SKID)

struct ruling judge_samples(const struct sampled *s);

/*
 * Samples of a program that ran all the time: the longest pause is no more than
 * three periods and a tick.
 */
struct ruling judge_pauses(const struct sampled *s);

/* True if this period works: all but one tenth of the samples came. */
bool judge_period_works(const struct sampled *s);

#endif /* PFMON_SELFTEST_JUDGE_H */
