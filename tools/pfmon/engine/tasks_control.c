// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a run that counts threads counts: from the start, after a delay, or as
 * --control says; see tasks_run.h.
 */
#include "engine/clocks.h"
#include "engine/tasks_run.h"

void tasks_run_schedule(struct tasks_run *run, uint64_t then)
{
	uint64_t timeout = run->m->request->timeout_ns;

	run->start = then;
	run->waiting.deadline = timeout ? run->start + timeout : 0;
	if (run->waiting.interval)
		run->waiting.next_tick = run->start + run->waiting.interval;
}

/* After the delay. */
int tasks_run_begin(void *arg)
{
	struct tasks_run *run = arg;

	if (counters_start(&run->counters, &run->follow.tasks))
		return -1;
	run->base_ns = tasks_run_used(run);
	run->launched_itself = false;
	tasks_run_schedule(run, clocks_now());
	return 0;
}

static int resume(struct tasks_run *run)
{
	if (!run->start)
		return tasks_run_begin(run);
	if (counters_start(&run->counters, &run->follow.tasks))
		return -1;
	if (run->paused) {
		run->base_ns += tasks_run_used(run) - run->paused_used;
		run->paused_ns += clocks_now() - run->paused_at;
	}
	run->paused = false;
	return 0;
}

static void pause_counting(struct tasks_run *run)
{
	run->waiting.begin_at = 0;
	if (!run->start || run->paused)
		return;
	counters_stop(&run->counters, &run->follow.tasks);
	run->paused = true;
	run->paused_at = clocks_now();
	run->paused_used = tasks_run_used(run);
}

int tasks_run_command(enum control_verb verb, void *arg, const char **refusal)
{
	struct tasks_run *run = arg;

	switch (verb) {
	case CONTROL_ENABLE:
		run->waiting.begin_at = 0;
		return !run->start || run->paused ? resume(run) : 0;
	case CONTROL_DISABLE:
		pause_counting(run);
		return 0;
	case CONTROL_RESET:
		if (run->m->request->cumulative)
			*refusal = "counters of --textfile never decrease";
		return *refusal || !run->start ? 0 : tasks_run_reset(run);
	case CONTROL_SNAPSHOT:
		return run->start ? tasks_run_snapshot(run) : 0;
	default:
		return 0;
	}
}
