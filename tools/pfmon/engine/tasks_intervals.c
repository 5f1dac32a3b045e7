// SPDX-License-Identifier: GPL-2.0-only
/* The intervals of a run that counts threads, and its CPU time; see tasks_run.h. */
#include "engine/clocks.h"
#include "engine/tasks_run.h"

/* CPU time of what is measured, while it is there. */
static uint64_t time_used(const struct tasks_run *run)
{
	pid_t command = run->follow.command;
	uint64_t children;

	if (!command || run->m->request->until)
		return attach_cpu_ns(&run->m->attached);
	/* /proc takes long; the clock of what runs is read last. */
	children = clocks_children(command);
	return clocks_process(command) + children;
}

/* What live children of the command have used is in its time when they end. */
static uint64_t time_of_children(struct tasks_run *run)
{
	const struct tasks *tasks = &run->follow.tasks;
	uint64_t sum = 0;

	follow_describe_all(&run->follow);
	for (int i = 0; run->m->request->command && i < tasks->count; i++) {
		const struct task *task = &tasks->list[i];

		if (task->tid == task->pid && task->tid != run->follow.command)
			sum += clocks_process(task->pid) +
			       clocks_children(task->pid);
	}
	return sum;
}

/*
 * What was counted by a thread that runs is known up to its last switch: whether
 * time is missing shows when all is over.
 */
static void set_coverage(struct tasks_run *run, bool over)
{
	struct coverage *coverage = &run->m->tally.coverage;
	uint64_t all = run->m->outcome.cpu_ns;

	coverage->cgroup = run->m->request->cgroup;
	coverage->attached = !run->m->request->command;
	coverage->left_out = run->follow.left_out;
	coverage->lost = run->counters.lost;
	if (run->m->means == FOLLOW_PTRACE)
		coverage->traced = coverage->threads;
	/* A thread can hide from ptrace (CLONE_UNTRACED), not from the kernel. */
	coverage->told = run->m->means == FOLLOW_KERNEL &&
			 request_follows_all(run->m->request) &&
			 !coverage->cgroup && /* others may enter it */
			 !coverage->left_out;
	/* What the command left out by itself is not missing. */
	if (over && !run->m->request->dont_start)
		coverage->cpu_ns = all > run->told_ns ? all - run->told_ns : 0;
	/* Children that nobody waited for are in no sum of the kernel's. */
	if (coverage->cpu_ns < coverage->counted_ns)
		coverage->cpu_ns = coverage->counted_ns;
	if (!run->counters.cumulative)
		run->told_ns += coverage->cpu_ns;
}

/* The task clock of an interval: all is the CPU time since the begin of counting. */
static void set_clock(struct tasks_run *run, uint64_t all)
{
	struct outcome *outcome = &run->m->outcome;

	if (run->counters.cumulative) {
		outcome->clock_ns = all;
		return;
	}
	outcome->clock_ns = all > run->clock_ns ? all - run->clock_ns : 0;
	run->clock_ns += outcome->clock_ns;
}

/* What was counted since the last one is in the tally. */
static int report_interval(struct tasks_run *run, bool over)
{
	struct measurement *m = run->m;
	const struct request *request = m->request;
	int ret;

	set_coverage(run, over);
	run->intervals++;
	ret = m->interval(m, m->arg);
	if (!request->cumulative)
		tally_reset(&m->tally, request->grouping, false);
	return ret;
}

uint64_t tasks_run_used(struct tasks_run *run)
{
	uint64_t children = time_of_children(run);

	return time_used(run) + children;
}

uint64_t tasks_run_counted(const struct tasks_run *run, uint64_t used)
{
	if (run->paused && used > run->paused_used)
		used = run->paused_used;
	return run->start && used > run->base_ns ? used - run->base_ns : 0;
}

/*
 * Live children of one that they inherit from are in no list: what they were counted
 * is the least that they have used.
 */
uint64_t tasks_run_clock(struct tasks_run *run)
{
	uint64_t all = tasks_run_counted(run, tasks_run_used(run));
	uint64_t known = run->counters.family_ns - run->forgotten_ns;

	return all > known ? all : known;
}

uint64_t tasks_run_elapsed(const struct tasks_run *run)
{
	uint64_t end = run->paused ? run->paused_at : clocks_now();

	return run->start ? end - run->start - run->paused_ns : 0;
}

int tasks_run_tick(void *arg)
{
	struct tasks_run *run = arg;
	struct outcome *outcome = &run->m->outcome;
	unsigned int limit = run->m->request->interval_count;

	if (counters_tell(&run->counters, &run->follow.tasks))
		return -1;
	/* One after the other: the two are compared. */
	set_clock(run, tasks_run_clock(run));
	outcome->elapsed_ns = tasks_run_elapsed(run);
	if (report_interval(run, false))
		return -1;
	return limit && run->intervals >= limit;
}

/* What is left of the last interval is one as well, unless there were enough. */
int tasks_run_report_last(struct tasks_run *run)
{
	unsigned int limit = run->m->request->interval_count;

	if (run->m->request->interval_ns) {
		const struct coverage *coverage = &run->m->tally.coverage;
		uint64_t all = run->m->outcome.cpu_ns;

		/* Of what runs already and has ended no clock tells. */
		set_clock(run, all > coverage->counted_ns ?
				       all :
				       coverage->counted_ns);
		return limit && run->intervals >= limit ?
			       0 :
			       report_interval(run, true);
	}
	set_coverage(run, true);
	return 0;
}

int tasks_run_snapshot(struct tasks_run *run)
{
	struct measurement *m = run->m;

	if (run->m->request->interval_ns)
		return tasks_run_tick(run);
	if (counters_tell(&run->counters, &run->follow.tasks))
		return -1;
	m->outcome.clock_ns = tasks_run_clock(run);
	m->outcome.elapsed_ns = tasks_run_elapsed(run);
	set_coverage(run, false);
	return m->interval(m, m->arg);
}

int tasks_run_reset(struct tasks_run *run)
{
	uint64_t used = tasks_run_used(run);

	if (counters_tell(&run->counters, &run->follow.tasks))
		return -1;
	tally_reset(&run->m->tally, run->m->request->grouping, false);
	run->base_ns = run->paused ? run->paused_used : used;
	run->told_ns = run->clock_ns = 0;
	run->forgotten_ns = run->counters.family_ns;
	run->paused_ns = 0;
	run->start = run->paused ? run->paused_at : clocks_now();
	return 0;
}
