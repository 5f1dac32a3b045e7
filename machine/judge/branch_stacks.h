/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the judge's files about branch records share: branch_stacks.c judges them,
 * branch_calls.c their stack of calls, branch_registers.c their registers.
 * branch_stack_code.c has the code with known branches and takes the samples.
 */
#ifndef PERFMON_JUDGE_BRANCH_STACKS_H
#define PERFMON_JUDGE_BRANCH_STACKS_H

#include "judge.h"

struct perf_branch_entry;

/* A sample and the branches before it, the newest first. */
struct stack_sample {
	uint64_t ip;
	uint64_t number;
	const struct perf_branch_entry *entry;
};

#define MAX_STACKS 4096

struct stacks {
	unsigned int number, lost;
	struct stack_sample sample[MAX_STACKS];
};

/*
 * Instructions at these levels, and PERF_SAMPLE_BRANCH_* of the branches wanted. The
 * samples are there until the next call.
 */
struct stack_request {
	const char *name;
	uint64_t filter;
	uint64_t period;
	bool user, kernel;
	unsigned int precise; /* samples are records of PEBS */
	bool by_turns; /* others may have the CPU meanwhile */
};

/* False: perf_event refuses the filter. */
bool take_stacks(const struct stack_request *request, void (*code)(uint32_t),
		 uint32_t argument, struct stacks *stacks);

/* branch_registers.c */
void judge_branch_registers(unsigned int depth);
void judge_debug_exception(void);
/* branch_calls.c */
void judge_call_stacks(unsigned int depth);

/* A loop with these branches, in their order, that are taken in each turn. */
#define KNOWN_BRANCHES 8

struct known_branch {
	const char *from, *to;
	enum branch kind;
	unsigned int insns; /* from where the branch before ends, with this one */
};

extern const struct known_branch known_branch[KNOWN_BRANCHES];
void run_known_branches(uint32_t turns);
/* The last branch before this address, -1 if it is elsewhere. */
int last_known_branch(uint64_t address);

/*
 * A function that calls itself RECURSION times, and then loops. Each call comes from the
 * same place, the first one from another.
 */
#define RECURSION 10
#define DEEP_RECURSION 40
extern const char recursion_call[], recursion_start[], recursion_first[];
void run_recursion(uint32_t turns);
void run_deep_recursion(uint32_t turns);
bool is_in_recursion_loop(uint64_t address);

#endif
