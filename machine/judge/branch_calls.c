// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records as a stack of calls: perf_event must find the calls that have not
 * returned, also if the thread shares its CPU with another one.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "branch_stacks.h"

#define USER PERF_SAMPLE_BRANCH_USER

static struct stacks stacks;

/* In the inner loop: the calls, then the first one, as far as there is room. */
static void judge_calls(const struct stack_request *request,
			void (*code)(uint32_t), uint32_t turns,
			unsigned int calls, unsigned int depth)
{
	unsigned int i, n, inside = 0, right = 0;

	if (!take_stacks(request, code, turns, &stacks)) {
		check(false, "%s: perf_event has no stack of calls",
		      request->name);
		return;
	}
	for (i = 0; i < stacks.number; i++) {
		const struct stack_sample *sample = &stacks.sample[i];

		if (!is_in_recursion_loop(sample->ip))
			continue;
		inside++;
		for (n = 0; n < sample->number && n < calls; n++)
			if (sample->entry[n].from !=
				    (uintptr_t)recursion_call ||
			    sample->entry[n].to != (uintptr_t)recursion_start)
				break;
		if (n == depth ||
		    (n == calls && n < sample->number &&
		     sample->entry[n].from == (uintptr_t)recursion_first))
			right++;
	}
	check(inside > 50 && right == inside,
	      "%s: %u of %u samples have the calls", request->name, right,
	      inside);
}

/*
 * Another process has calls of its own: Linux saves the records and puts them back. The
 * other one's event must not end meanwhile: Linux 6.12 takes the records for ours then.
 */
static void judge_calls_by_turns(unsigned int depth)
{
	const struct stack_request request = {
		.name = "calls, with another process",
		.filter = USER | PERF_SAMPLE_BRANCH_CALL_STACK,
		.period = 100003,
		.user = true,
		.by_turns = true,
	};
	const pid_t other = fork();
	struct rusage before, after;

	if (other < 0)
		give_up("fork");
	if (!other)
		take_stacks(&request, run_deep_recursion, UINT32_MAX, &stacks);
	getrusage(RUSAGE_SELF, &before);
	judge_calls(&request, run_recursion, 5000000, RECURSION, depth);
	getrusage(RUSAGE_SELF, &after);
	kill(other, SIGKILL);
	if (waitpid(other, NULL, 0) != other)
		give_up("waitpid");
	check(after.ru_nivcsw > before.ru_nivcsw,
	      "the other process had the CPU %ld times",
	      after.ru_nivcsw - before.ru_nivcsw);
}

void judge_call_stacks(unsigned int depth)
{
	struct stack_request request = {
		.name = "calls",
		.filter = USER | PERF_SAMPLE_BRANCH_CALL_STACK,
		.period = 1009,
		.user = true,
	};

	judge_calls(&request, run_recursion, 100000, RECURSION, depth);
	request.name = "deep calls";
	judge_calls(&request, run_deep_recursion, 100000, DEEP_RECURSION,
		    depth);
	judge_calls_by_turns(depth);
}
