// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring threads: a command from its first instruction on, or what runs
 * already.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
#include "engine/counters.h"
#include "engine/launch.h"
#include "engine/measure.h"
#include "engine/waiting.h"

/* What an execve() takes at most. */
#define EXEC_NS_MAX (20 * NS_PER_MS)

/* What one run of tasks consists of. */
struct tasks_run {
	struct measurement *m;
	struct counters counters;
	struct follow follow;
	struct waiting waiting;
	struct others others;
	uint64_t start;
	uint64_t base_ns; /* CPU time before the counting began */
	bool launched_itself; /* that time is not all known then */
	uint64_t told_ns, clock_ns; /* CPU time that intervals have told */
	unsigned int intervals;
	bool watches; /* others */
	bool ended_early; /* the counting, before the command */
};

/* CPU time of what is measured, while it is there. */
static uint64_t time_used(const struct tasks_run *run)
{
	pid_t command = run->follow.command;

	if (!command)
		return attach_cpu_ns(&run->m->attached);
	return clocks_process(command) + clocks_children(command);
}

/* The same since the begin of counting. */
static uint64_t time_so_far(const struct tasks_run *run)
{
	uint64_t used = time_used(run);

	return run->start && used > run->base_ns ? used - run->base_ns : 0;
}

/* What live children of the command have used is in its time when they end. */
static uint64_t time_of_children(const struct tasks_run *run)
{
	const struct tasks *tasks = &run->follow.tasks;
	uint64_t sum = 0;

	for (int i = 0; run->follow.command && i < tasks->count; i++) {
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

	coverage->left_out = run->follow.left_out;
	coverage->lost = run->counters.lost;
	if (over)
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

static int tick(void *arg)
{
	struct tasks_run *run = arg;
	struct outcome *outcome = &run->m->outcome;
	unsigned int limit = run->m->request->interval_count;

	if (counters_tell(&run->counters, &run->follow.tasks))
		return -1;
	outcome->elapsed_ns = clocks_now() - run->start;
	set_clock(run, time_so_far(run) + time_of_children(run));
	if (report_interval(run, false))
		return -1;
	return limit && run->intervals >= limit;
}

/* What is left of the last interval is one as well, unless there were enough. */
static int report_last(struct tasks_run *run)
{
	unsigned int limit = run->m->request->interval_count;

	if (run->m->request->interval_ns) {
		set_clock(run, run->m->outcome.cpu_ns);
		return limit && run->intervals >= limit ?
			       0 :
			       report_interval(run, true);
	}
	set_coverage(run, true);
	return 0;
}

static void set_times(struct tasks_run *run)
{
	uint64_t timeout = run->m->request->timeout_ns;

	run->start = clocks_now();
	run->waiting.deadline = timeout ? run->start + timeout : 0;
	if (run->waiting.interval)
		run->waiting.next_tick = run->start + run->waiting.interval;
}

/* After the delay. */
static int begin_counting(void *arg)
{
	struct tasks_run *run = arg;

	if (counters_start(&run->counters, &run->follow.tasks))
		return -1;
	run->base_ns = time_used(run) + time_of_children(run);
	run->launched_itself = false;
	set_times(run);
	return 0;
}

/* What is measured is there. */
static void set_start(struct tasks_run *run)
{
	if (run->m->request->delay_ns)
		run->waiting.begin_at =
			clocks_now() + run->m->request->delay_ns;
	else
		set_times(run);
}

static void init_run(struct tasks_run *run, struct measurement *m)
{
	const struct request *request = m->request;

	*run = (struct tasks_run){
		.m = m,
		.counters = { .sets = &m->sets,
			      .tally = &m->tally,
			      .idle = request->delay_ns,
			      .cumulative = request->cumulative,
			      .spare = m->spare },
		.follow = { .rules = &request->follow,
			    .ops = &counters_ops,
			    .arg = &run->counters,
			    .remote = m->remote },
		.waiting = { .follow = &run->follow,
			     .signals = &m->signals,
			     .wait_all = request->wait_all,
			     .begin = begin_counting,
			     .interval = request->interval_ns,
			     .tick = tick,
			     .arg = run },
	};
	m->spare = -1;
}

/* Its tracing shows who follows; of the others somebody has to tell. */
static void watch_others(struct tasks_run *run, pid_t pid)
{
	const struct event_list *events = &run->m->hardware;
	bool kernel = false;

	if (request_follows(run->m->request))
		return;
	for (int i = 0; i < events->count; i++)
		kernel |= events->events[i].levels & LEVEL_KERNEL;
	others_watch(&run->others, pid, !kernel);
	run->watches = true;
}

/* Who is born after the end of counting was not missed. */
static void end_others(struct tasks_run *run)
{
	if (!run->watches)
		return;
	run->m->tally.coverage.others = others_end(&run->others);
	run->waiting.others = NULL;
	run->watches = false;
}

static void forked(pid_t pid, void *arg)
{
	watch_others(arg, pid);
}

/* What launch_self() returns. */
static int begin_self(struct tasks_run *run)
{
	const struct request *request = run->m->request;
	const struct launch launch = {
		.argv = request->command,
		.signals = &run->m->signals,
		.no_output = request->no_output,
		.idle = request->delay_ns,
		.forked = forked,
		.arg = run,
	};
	struct task *task;
	pid_t pid;
	int status =
		launch_self(&launch, run->counters.spare, &pid, &run->base_ns);

	if (status) {
		end_others(run);
		return status;
	}
	set_start(run);
	task = follow_launched(&run->follow, pid);
	if (!task) {
		launch_kill(pid);
		return STATUS_FAILED;
	}
	run->launched_itself = true;
	run->waiting.others = run->watches ? &run->others : NULL;
	counters_launched(&run->counters, task);
	return 0;
}

/* 0, or pfmon's exit status. */
static int begin_traced(struct tasks_run *run)
{
	const struct request *request = run->m->request;
	struct launch launch = {
		.argv = request->command,
		.signals = &run->m->signals,
		.no_output = request->no_output,
		.ptrace_options = follow_options(&request->follow),
	};
	int status;
	pid_t pid;

	status = launch_command(&launch, &pid);
	if (status)
		return status;
	run->base_ns = clocks_process(pid);
	watch_others(run, pid);
	run->waiting.others = run->watches ? &run->others : NULL;
	set_start(run);
	if (!follow_command(&run->follow, pid))
		return 0;
	launch_kill(pid);
	return STATUS_FAILED;
}

/* 0, or pfmon's exit status. */
static int begin_command(struct tasks_run *run)
{
	const struct request *request = run->m->request;
	int status;

	if (request->launch == LAUNCH_PTRACE ||
	    follow_needs_stops(&request->follow))
		return begin_traced(run);
	status = begin_self(run);
	if (status != LAUNCH_NOT_HERE)
		return status;
	if (request->launch == LAUNCH_AUTO)
		return begin_traced(run);
	diag("--launch=self: this kernel cannot start at an execve() (E5); use --launch=ptrace");
	return STATUS_FAILED;
}

static int begin_attached(struct tasks_run *run)
{
	const struct attached *attached = &run->m->attached;

	/* Of those that a first thread makes something tells. */
	if (attached->pid_count == 1)
		watch_others(run, attached->pids[0]);
	/* It would be the first of many, and count as any other. */
	close(run->counters.spare);
	run->counters.spare = -1;
	set_start(run);
	if (!attach_all(&run->m->attached, &run->follow))
		return 0;
	follow_release(&run->follow);
	waiting_for_release(&run->waiting);
	return STATUS_FAILED;
}

/*
 * What a command that attached itself has used beside what was counted was before
 * its first instruction: it had said how much before its execve(), which takes a
 * moment. Not if the program was left there.
 */
static void set_base(struct tasks_run *run)
{
	const struct coverage *coverage = &run->m->tally.coverage;
	uint64_t seen = coverage->counted_ns + coverage->blind_ns +
			coverage->throttled_ns;
	uint64_t first = run->others.first_ns, most;

	if (!run->launched_itself || coverage->rights || first <= seen)
		return;
	most = run->base_ns + EXEC_NS_MAX;
	if (first - seen > run->base_ns)
		run->base_ns = first - seen < most ? first - seen : most;
}

static void tell_usage(struct outcome *outcome, const struct rusage *usage)
{
	outcome->has_usage = true;
	outcome->user_ns = clocks_user(usage);
	outcome->sys_ns = clocks_system(usage);
	outcome->switches =
		(uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
	outcome->faults =
		(uint64_t)usage->ru_minflt + (uint64_t)usage->ru_majflt;
	outcome->major_faults = (uint64_t)usage->ru_majflt;
}

static void take_usage(struct tasks_run *run)
{
	const struct rusage *usage = &run->follow.usage;
	struct outcome *outcome = &run->m->outcome;
	uint64_t all;

	outcome->wait_status = run->follow.wait_status;
	if (!run->follow.command_ended)
		return;
	/* It is of the whole, not of an interval. */
	if (!run->m->request->interval_ns)
		tell_usage(outcome, usage);
	all = clocks_user(usage) + clocks_system(usage);
	set_base(run);
	/* Unless counting ended before the command did. */
	if (!run->ended_early && run->start && all > run->base_ns)
		outcome->cpu_ns = all - run->base_ns;
}

/* Processes that are there although the command is not. */
static unsigned int count_processes(const struct tasks *tasks)
{
	unsigned int count = 0;

	for (int i = 0; i < tasks->count; i++)
		count += tasks->list[i].tid == tasks->list[i].pid &&
			 !tasks->list[i].gone;
	return count;
}

static void wait_for_command(struct tasks_run *run)
{
	struct waiting *waiting = &run->waiting;

	waiting->deadline = 0;
	if (run->follow.command && !run->follow.command_ended)
		waiting_run(waiting);
}

/* 0, or pfmon's exit status. */
static int wait_and_read(struct tasks_run *run)
{
	struct outcome *outcome = &run->m->outcome;
	enum waiting_end end = waiting_run(&run->waiting);

	if (end == WAITING_FAILED)
		run->counters.failed = true;
	run->waiting.next_tick = run->waiting.begin_at = 0;
	outcome->elapsed_ns = run->start ? clocks_now() - run->start : 0;
	outcome->interrupted = end == WAITING_INTERRUPTED;
	run->ended_early = run->follow.command && !run->follow.command_ended;
	if (run->ended_early || !run->follow.command)
		outcome->cpu_ns = time_so_far(run);
	end_others(run);
	if (run->follow.command_ended)
		outcome->outlived = count_processes(&run->follow.tasks);
	follow_release(&run->follow);
	waiting_for_release(&run->waiting);
	if (!outcome->interrupted)
		wait_for_command(run);
	take_usage(run);
	if (outcome->outlived)
		diag("note: %u %s outlived the command; counted up to its end",
		     outcome->outlived,
		     outcome->outlived == 1 ? "process" : "processes");
	if (!run->counters.counted && !run->follow.command) {
		diag("none of the threads could be counted");
		return STATUS_FAILED;
	}
	return run->counters.failed || report_last(run) ? STATUS_FAILED : 0;
}

int measure_tasks(struct measurement *m)
{
	struct tasks_run run;
	int status;

	init_run(&run, m);
	status = m->request->command ? begin_command(&run) :
				       begin_attached(&run);
	if (!status)
		status = wait_and_read(&run);
	if (run.counters.spare >= 0)
		close(run.counters.spare);
	end_others(&run);
	tasks_free(&run.follow.tasks);
	return status;
}
