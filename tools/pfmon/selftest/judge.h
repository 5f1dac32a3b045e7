/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The verdicts: what is made of measurements. Nothing here measures, so that
 * each verdict can be tried with numbers that were made up.
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
	uint64_t length; /* what the loop executes */
	int count;
	struct run run[RUNS_MAX];
};

/* What is known beside the runs; it helps to name the cause. */
struct circumstances {
	bool hypervisor;
	bool others_count; /* other counters count this event rightly */
	uint64_t cycles; /* of a run, 0: not known */
};

struct ruling {
	enum verdict verdict;
	uint64_t low, high; /* what would have been right */
	uint64_t got;
	const char *cause; /* a text that lives for ever */
};

/* The smallest count. There is at least one run. */
uint64_t judge_smallest(const struct runs *runs);

/*
 * The instructions around the loop, which are the same for each counter: what
 * most counters have. In overheads[i] that of counter i, negative if it counted
 * less than the loop. A number that the calls cannot have is left out, however many
 * counters agree on it; 0 if none remains.
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

/* What has to be zero is. */
struct ruling judge_zero(uint64_t count);

/* Counters that have counted the same event at the same time. */
#define JUDGE_SPREAD 64
struct ruling judge_spread(const uint64_t *counts, int count,
			   uint64_t disturbances);

/* A rate that is known only roughly, such as cycles of the TSC. */
struct ruling judge_range(uint64_t got, uint64_t low, uint64_t high,
			  const char *cause);

/*
 * Two lengths of a loop that has so many instructions in each turn, give or take
 * "uncertain": the difference of the counts is that of the lengths.
 */
struct ruling judge_slope(const struct runs *shorter, const struct runs *longer,
			  uint64_t turns, unsigned int instructions,
			  unsigned int uncertain);

/*
 * Branches, of which each turn has one. An emulated processor may have another
 * rate; there they only have to count.
 */
struct ruling judge_branches(const struct runs *shorter,
			     const struct runs *longer, uint64_t turns,
			     bool emulated);

/*
 * Counters of an event moved over all of them: bit i of the result for each
 * counter i that counts it. An event that hardly happened tells nothing: 0.
 */
uint32_t judge_counting(const uint64_t *counts, int count);

/* What samples say of the overflow interrupt. */
struct sampled {
	uint64_t period; /* as the kernel has it */
	uint64_t total; /* events, of another counter or of the loop */
	uint64_t samples;
	uint64_t outside; /* samples with an address that is not in the loop */
	uint64_t latest; /* the most events between an overflow and its sample */
	bool throttled; /* the kernel stopped it: too many interrupts */
};

/* Events that may pass on silicon before an interrupt has stopped a counter. */
#define JUDGE_SKID 4096
/* More than any processor needs: this one was held back. */
#define JUDGE_LATE (4 * JUDGE_SKID)

struct ruling judge_samples(const struct sampled *s);

/* Whether this period works: all but one tenth of the samples came. */
bool judge_period_works(const struct sampled *s);

#endif /* PFMON_SELFTEST_JUDGE_H */
