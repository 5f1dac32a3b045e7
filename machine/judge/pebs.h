/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the judge's files about PEBS share: pebs_code.c takes records, pebs.c judges them.
 */
#ifndef PERFMON_JUDGE_PEBS_H
#define PERFMON_JUDGE_PEBS_H

#include "judge.h"

#define MAX_RECORDS 8192
#define INSTRUCTIONS 0xc0 /* event of all processors with PEBS */

struct precise {
	const char *name;
	uint64_t config;
	uint64_t period;
	unsigned int
		precise_ip; /* 1: the next instruction, 2: the recorded one */
	bool each; /* an interrupt for each record */
	enum level level;
};

struct record {
	uint64_t ip;
	uint32_t number; /* user instructions before */
	uint64_t ax;
};

struct record_run {
	uint64_t count; /* what perf_event says: P for each record */
	uint64_t written, dropped, interrupts; /* what the machine says */
	uint32_t number, lost;
	struct record record[MAX_RECORDS];
};

/*
 * Whether records have a data address. Without one the number of a record is what it has
 * to be, counted from the first one.
 */
extern bool records_have_addresses;

int open_precise(const struct precise *p);
/* Runs the code with this argument and takes its records. */
void record_code(const struct precise *p, void (*code)(uint32_t),
		 uint32_t argument, struct record_run *run);

/* pebs_boundary.c: records of instructions with an interrupt or a trap behind. */
void judge_record_boundaries(void);

#endif
