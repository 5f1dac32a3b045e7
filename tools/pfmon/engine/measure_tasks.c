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
#include "command/launch.h"
#include "command/start.h"
#include "engine/tasks_run.h"

/* What an execve() takes at most. */
#define EXEC_NS_MAX (20 * NS_PER_MS)

/* The threads to be measured have been there since then. */
static void set_start(struct tasks_run *run, uint64_t then)
{
	const struct request *request = run->m->request;

	if (request->delay_ns)
		run->waiting.begin_at = clocks_now() + request->delay_ns;
	else if (!request->wait_for_enable)
		tasks_run_schedule(run, then);
}

static void init_run(struct tasks_run *run, struct measurement *m)
{
	static const struct follow_rules nobody;
	const struct request *request = m->request;
	bool family = m->means == FOLLOW_KERNEL;
	/* Samples are written as they come, and have their counts at the end. */
	bool can_tell = m->remote && !m->sampling;

	*run = (struct tasks_run){
		.m = m,
		.counters = { .sets = &m->sets,
			      .tally = &m->tally,
			      .idle = request_waits(request),
			      .sampling = m->sampling,
			      .family = family,
			      .threads_only = !request->follow.forks,
			      .cumulative = request->cumulative ||
					    !request->interval_ns,
			      .spare = m->spare },
		/* Of a family pfmon sees the first thread only. */
		.follow = { .rules = family ? &nobody : &request->follow,
			    .ops = &counters_ops,
			    .arg = &run->counters,
			    .awaits_heirs = family && request->wait_all,
			    .remote = m->remote,
			    .nameless = request->grouping == GROUP_ALL &&
					!m->sampling && !request->regions,
			    .inherited = family },
		.waiting = { .follow = &run->follow,
			     .signals = &m->signals,
			     .sampling = m->sampling,
			     .wait_all = request->wait_all,
			     .begin = tasks_run_begin,
			     .interval = request->interval_ns,
			     .tick = tasks_run_tick,
			     .control = request->control ? &m->control : NULL,
			     .command = can_tell ? tasks_run_command : NULL,
			     .arg = run },
	};
	m->spare = -1;
}

/* Its tracing shows who follows; of the others somebody has to tell. */
static void watch_others(struct tasks_run *run, pid_t pid)
{
	const struct event_list *events = &run->m->hardware;
	/* Where all are counted, births are no news. */
	bool quiet = run->counters.family;

	if (run->m->means == FOLLOW_PTRACE || run->m->request->dont_start)
		return;
	for (int i = 0; i < events->count; i++)
		quiet |= events->events[i].levels & LEVEL_KERNEL;
	others_watch(&run->others, pid, !quiet);
	run->watches = true;
}

/* Who is born after the end of counting was not missed. */
static void end_others(struct tasks_run *run)
{
	enum coverage_others seen;

	if (!run->watches)
		return;
	seen = others_end(&run->others);
	if (!run->counters.family)
		run->m->tally.coverage.others = seen;
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
		.idle = request_waits(request),
		.inherited = request->dont_start ? run->counters.spare : 0,
		.forked = forked,
		.arg = run,
	};
	struct task *task;
	pid_t pid;
	int status =
		launch_self(&launch, run->counters.spare, &pid, &run->used);

	if (status) {
		end_others(run);
		return status;
	}
	run->base_ns = run->used.ns;
	/* It may run for a while before pfmon hears of it. */
	set_start(run, run->used.at);
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
	const struct signals *signals = &run->m->signals;
	const struct launch launch = {
		.argv = request->command,
		.signals = signals,
		.no_output = request->no_output,
		.inherited = request->dont_start ? run->counters.spare : 0,
	};
	int status;
	pid_t pid;

	status = launch_command(&launch, &pid);
	if (!status && request->start)
		status = start_reach(pid, *request->command, request->start,
				     signals);
	if (status)
		return status;
	launch_used(pid, &run->used);
	run->base_ns = run->used.ns;
	watch_others(run, pid);
	run->waiting.others = run->watches ? &run->others : NULL;
	set_start(run, clocks_now());
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

	if (request->launch == LAUNCH_PTRACE || request->start ||
	    follow_needs_stops(run->follow.rules))
		return begin_traced(run);
	status = begin_self(run);
	if (status != LAUNCH_NOT_HERE)
		return status;
	if (request->launch == LAUNCH_AUTO)
		return begin_traced(run);
	diag("--launch=self: this kernel cannot start at an execve() (E5); use --launch=ptrace");
	return STATUS_FAILED;
}

static int attach_each(struct tasks_run *run)
{
	attach_set_base(&run->m->attached);
	set_start(run, clocks_now());
	return attach_all(&run->m->attached, &run->follow);
}

/*
 * Counting begins when all that are there have sessions: till then nobody can tell
 * whether a new thread has inherited one.
 */
static int attach_families(struct tasks_run *run)
{
	struct counters *counters = &run->counters;
	const struct tasks *tasks = &run->follow.tasks;

	counters->idle = true;
	if (attach_all(&run->m->attached, &run->follow) ||
	    counters_settle(counters, tasks))
		return -1;
	attach_set_base(&run->m->attached);
	set_start(run, clocks_now());
	return request_waits(run->m->request) ? 0 :
						counters_start(counters, tasks);
}

/* What bounds the counting waits in its exec stop. 0, or pfmon's exit status. */
static int launch_until(const struct tasks_run *run, pid_t *pid)
{
	const struct request *request = run->m->request;
	const struct launch how = {
		.argv = request->until,
		.signals = &run->m->signals,
	};

	*pid = 0;
	return request->until ? launch_command(&how, pid) : 0;
}

/* 0, or -1 after a message. */
static int attach_to_all(struct tasks_run *run)
{
	const struct attached *attached = &run->m->attached;

	/* Of those that a first thread makes something tells. */
	if (attached->pid_count == 1 && !run->counters.family)
		watch_others(run, attached->pids[0]);
	/* It would be the first of many, and count as any other. */
	close(run->counters.spare);
	run->counters.spare = -1;
	return run->counters.family ? attach_families(run) : attach_each(run);
}

/* 0, or pfmon's exit status. */
static int begin_attached(struct tasks_run *run)
{
	pid_t until;
	int status = launch_until(run, &until);

	if (status)
		return status;
	if (!attach_to_all(run) &&
	    (!until || !follow_adopt(&run->follow, until)))
		return 0;
	follow_release(&run->follow);
	if (until)
		launch_kill(until);
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
	uint64_t seen = run->counters.family ?
				run->counters.first_ns :
				coverage->counted_ns + coverage->blind_ns +
					coverage->throttled_ns;
	uint64_t first = run->others.first_ns, most;

	if (!run->launched_itself || coverage->rights || coverage->departed ||
	    first <= seen)
		return;
	most = run->base_ns + EXEC_NS_MAX;
	if (first - seen > run->base_ns)
		run->base_ns = first - seen < most ? first - seen : most;
}

static uint64_t since(uint64_t all, uint64_t before)
{
	return all > before ? all - before : 0;
}

/* What the command did before it was executed is pfmon's, but for its times. */
static void tell_usage(const struct tasks_run *run, const struct rusage *usage)
{
	struct outcome *outcome = &run->m->outcome;
	const struct launch_used *used = &run->used;

	outcome->user_ns = clocks_user(usage);
	outcome->sys_ns = clocks_system(usage);
	outcome->switches = since(clocks_switches(usage), used->switches);
	outcome->faults = since(clocks_faults(usage), used->faults);
	outcome->major_faults =
		since((uint64_t)usage->ru_majflt, used->major_faults);
}

static void take_usage(struct tasks_run *run)
{
	const struct rusage *usage = &run->follow.usage;
	struct outcome *outcome = &run->m->outcome;
	uint64_t all;

	outcome->wait_status = run->follow.wait_status;
	if (!run->follow.command_ended || run->m->request->until)
		return;
	/* It is of the whole, not of an interval. */
	if (!run->m->request->interval_ns)
		tell_usage(run, usage);
	all = clocks_user(usage) + clocks_system(usage);
	set_base(run);
	/* Unless counting ended before the command did. */
	if (!run->ended_early && tasks_run_counted(run, all))
		outcome->cpu_ns = tasks_run_counted(run, all);
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

static void tell_outlived(const struct tasks_run *run)
{
	unsigned int outlived = run->m->outcome.outlived;

	if (run->counters.outlived)
		diag("note: processes outlived the command; counted up to its end");
	else if (outlived)
		diag("note: %u %s outlived the command; counted up to its end",
		     outlived, outlived == 1 ? "process" : "processes");
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
	waiting_end_ticks(&run->waiting, clocks_now());
	run->waiting.begin_at = 0;
	run->waiting.control = NULL;
	run->waiting.command = NULL;
	outcome->elapsed_ns = tasks_run_elapsed(run);
	outcome->interrupted = end == WAITING_INTERRUPTED;
	run->ended_early = run->m->request->command &&
			   !run->follow.command_ended;
	if (run->ended_early || !run->m->request->command)
		outcome->cpu_ns = tasks_run_counted(run, tasks_run_used(run));
	end_others(run);
	if (run->m->request->command && run->follow.command_ended &&
	    !run->start)
		diag("note: the command ended before counting began; nothing was counted");
	if (run->m->request->command && run->follow.command_ended &&
	    !run->counters.family) {
		follow_describe_all(&run->follow);
		outcome->outlived = count_processes(&run->follow.tasks);
	}
	follow_release(&run->follow);
	waiting_for_release(&run->waiting);
	if (!outcome->interrupted)
		wait_for_command(run);
	take_usage(run);
	tell_outlived(run);
	if (!run->counters.counted && !run->m->request->command) {
		/* Of a failure it was said what it is. */
		if (!run->counters.failed)
			diag("none of the threads could be counted");
		return STATUS_FAILED;
	}
	return run->counters.failed || tasks_run_report_last(run) ?
		       STATUS_FAILED :
		       0;
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
	counters_close(&run.counters);
	end_others(&run);
	tasks_free(&run.follow.tasks);
	return status;
}
