/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a perf.data, made of what a file of samples tells. */
#ifndef PFMON_PERF_RECORDS_H
#define PFMON_PERF_RECORDS_H

#include <linux/perf_event.h>
#include <stdio.h>

#include "profile/read_profile.h"

/* What each sample has, and what other records have behind them. */
#define PERF_RECORDS_SAMPLE_TYPE                                     \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* What each has beside, if the profile has addresses of data. */
#define PERF_RECORDS_MEMORY_TYPE \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC)

/* Of an event; perf wants numbers above 0. */
#define PERF_RECORDS_ID(event) ((uint64_t)(event) + 1)

/* Names of threads, and how they began and ended. */
void perf_record_task(const struct profile *profile,
		      const struct profile_task *task, FILE *out);

/* A mapping, with its build-id. */
void perf_record_map(const struct profile *profile,
		     const struct profile_map *map, FILE *out);

/* More addresses are left out: the length of a record has 16 bits. */
#define PERF_RECORDS_CHAIN_MAX 8000

/*
 * With the stack, the branches and the access to memory, if the profile has any:
 * PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK and PERF_RECORDS_MEMORY_TYPE are the
 * caller's.
 */
void perf_record_sample(const struct profile *profile,
			const struct profile_sample *sample, FILE *out);

#endif /* PFMON_PERF_RECORDS_H */
