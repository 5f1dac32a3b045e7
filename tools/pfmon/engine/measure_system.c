// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measuring CPUs, whatever runs there: while a command runs, until a timeout,
 * or until the user has enough.
 */
#include <stdlib.h>

#include "diag.h"
#include "engine/clocks.h"
#include "command/launch.h"
#include "engine/measure.h"
#include "engine/system.h"
#include "engine/waiting.h"

struct system_run {
	struct measurement *m;
	struct cpu_sessions sessions;
	struct follow follow; /* of the command, which is only waited for */
	struct waiting waiting;
	struct tally_row *before; /* of the CPUs at the begin of the interval */
	struct tally_row total_before;
	uint64_t start;
	uint64_t clock_ns; /* CPU time that intervals have told */
	unsigned int intervals;
	bool stopped; /* for good */
	bool paused; /* by --control */
	uint64_t paused_at;
	uint64_t paused_ns; /* in all before */
};

/* The CPUs have the sessions, threads have none. */
static const struct follow_ops no_ops;
static const struct follow_rules no_rules;

/* The counts of a row since before; these become the counts of now. */
static void take_delta(struct tally_row *row, struct tally_row *before)
{
	struct tally_row now = *row;

	turns_subtract(&row->counted, &before->counted);
	*before = now;
}

static void keep_most(uint64_t *most, uint64_t ns)
{
	if (*most < ns)
		*most = ns;
}

/* Reads the counters of other PMUs right after the counters of the cores. */
static int read_counters(struct system_run *run)
{
	struct measurement *m = run->m;
	uint64_t begin = clocks_now();

	if (system_read(&run->sessions, &m->sets, &m->tally))
		return -1;
	kernel_counters_read(&m->kernel);
	/* Counters that stand still have no time. */
	if (!run->paused && !run->stopped)
		keep_most(&m->skew.read_ns, clocks_now() - begin);
	return 0;
}

/* Reads for a report that ends at this time, as of clocks_now(). */
static int read_at(struct system_run *run, uint64_t end)
{
	struct measurement *m = run->m;
	struct coverage *coverage = &m->tally.coverage;

	tally_reset(&m->tally, m->request->grouping, true);
	if (run->paused)
		end = run->paused_at;
	m->outcome.elapsed_ns = run->start ? end - run->start - run->paused_ns :
					     0;
	if (read_counters(run))
		return -1;
	coverage->cpu_ns =
		m->outcome.elapsed_ns * (uint64_t)run->sessions.count;
	/* Two clocks, read at two moments: the sessions began earlier. */
	if (coverage->cpu_ns < coverage->counted_ns)
		coverage->cpu_ns = coverage->counted_ns;
	return 0;
}

/* What was counted since the begin, the last interval or the last reset. */
static int read_delta(struct system_run *run, uint64_t end)
{
	struct outcome *outcome = &run->m->outcome;
	struct tally *tally = &run->m->tally;

	if (read_at(run, end))
		return -1;
	outcome->clock_ns = tally->coverage.cpu_ns;
	/* A counter that somebody collects goes on. */
	if (run->m->request->cumulative)
		return 0;
	outcome->clock_ns -= run->clock_ns;
	run->clock_ns += outcome->clock_ns;
	for (int i = 0; i < tally->count; i++)
		take_delta(&tally->rows[i], &run->before[i]);
	take_delta(&tally->total, &run->total_before);
	return 0;
}

/* What was reported is in no later report, unless reports are of all since the start. */
static void begin_interval(struct system_run *run)
{
	if (!run->m->request->cumulative)
		kernel_counters_begin_interval(&run->m->kernel);
}

static int do_interval(struct system_run *run, uint64_t end)
{
	struct measurement *m = run->m;
	int ret;

	if (read_delta(run, end))
		return -1;
	run->intervals++;
	ret = m->interval(m, m->arg);
	begin_interval(run);
	return ret;
}

static int tick(void *arg)
{
	struct system_run *run = arg;
	unsigned int limit = run->m->request->interval_count;

	if (do_interval(run, clocks_now()))
		return -1;
	if (!run->paused) {
		system_return(&run->sessions);
		kernel_counters_return(&run->m->kernel);
	}
	return limit && run->intervals >= limit;
}

/* 0, or pfmon's exit status. The command is in its exec stop afterwards. */
static int launch(struct system_run *run, pid_t *pid)
{
	const struct request *request = run->m->request;
	struct launch how = {
		.argv = request->command,
		.signals = &run->m->signals,
		.no_output = request->no_output,
		.cpus = request->pin_command ? &run->m->cpus : NULL,
	};

	*pid = 0;
	return request->command ? launch_command(&how, pid) : 0;
}

static void set_times(struct system_run *run)
{
	const struct request *request = run->m->request;

	run->start = clocks_now();
	if (request->timeout_ns)
		run->waiting.deadline = run->start + request->timeout_ns;
	if (request->interval_ns)
		run->waiting.next_tick = run->start + request->interval_ns;
}

/* Both kinds of counters, one right behind the other. */
static int start_counters(struct system_run *run)
{
	struct measurement *m = run->m;
	uint64_t begin = clocks_now();

	if (system_start(&run->sessions))
		return -1;
	kernel_counters_run(&m->kernel, true);
	keep_most(&m->skew.start_ns, clocks_now() - begin);
	return 0;
}

static void stop_counters(struct system_run *run)
{
	uint64_t begin = clocks_now();

	system_stop(&run->sessions);
	kernel_counters_run(&run->m->kernel, false);
	keep_most(&run->m->skew.read_ns, clocks_now() - begin);
}

static int begin_counting(void *arg)
{
	struct system_run *run = arg;

	if (start_counters(run))
		return -1;
	set_times(run);
	return 0;
}

static int resume(struct system_run *run)
{
	run->waiting.begin_at = 0;
	if (!run->start)
		return begin_counting(run);
	if (!run->paused)
		return 0;
	run->paused = false;
	run->paused_ns += clocks_now() - run->paused_at;
	return start_counters(run);
}

static void pause_counting(struct system_run *run)
{
	run->waiting.begin_at = 0;
	if (!run->start || run->paused)
		return;
	stop_counters(run);
	run->paused = true;
	run->paused_at = clocks_now();
}

/* Reports the counts so far; counting continues. */
static int snapshot(struct system_run *run)
{
	struct tally_row total = run->total_before;
	struct measurement *m = run->m;

	if (m->request->interval_ns)
		return do_interval(run, clocks_now());
	if (read_at(run, clocks_now()))
		return -1;
	turns_subtract(&m->tally.total.counted, &total.counted);
	for (int i = 0; i < m->tally.count; i++)
		turns_subtract(&m->tally.rows[i].counted,
			       &run->before[i].counted);
	return m->interval(m, m->arg);
}

static int reset(struct system_run *run)
{
	if (read_delta(run, clocks_now()))
		return -1;
	begin_interval(run);
	return 0;
}

/* waiting.command, see control.h. */
static int command(enum control_verb verb, void *arg, const char **refusal)
{
	struct system_run *run = arg;

	switch (verb) {
	case CONTROL_ENABLE:
		return resume(run);
	case CONTROL_DISABLE:
		pause_counting(run);
		return 0;
	case CONTROL_RESET:
		if (run->m->request->cumulative)
			*refusal = "counters of --textfile never decrease";
		return *refusal || !run->start ? 0 : reset(run);
	case CONTROL_SNAPSHOT:
		return run->start ? snapshot(run) : 0;
	default:
		return 0;
	}
}

static void init_run(struct system_run *run, struct measurement *m)
{
	*run = (struct system_run){
		.m = m,
		.follow = { .rules = &no_rules, .ops = &no_ops },
		.sessions = { .sampling = m->sampling },
		.waiting = { .follow = &run->follow,
			     .signals = &m->signals,
			     .sampling = m->sampling,
			     .forever = true,
			     .begin = begin_counting,
			     .interval = m->request->interval_ns,
			     .tick = tick,
			     .control = m->request->control ? &m->control :
							      NULL,
			     .command = m->sampling ? NULL : command,
			     .arg = run },
	};
}

static int open_sessions(struct system_run *run)
{
	struct measurement *m = run->m;
	enum grouping grouping = m->request->grouping;

	/* A long measurement must not keep others from measuring a program. */
	run->sessions.yield = m->request->interval_ns;
	kernel_counters_close(&m->kernel);
	if (system_open(&run->sessions, &m->cpus, grouping, &m->sets,
			&m->hardware) ||
	    kernel_counters_open(&m->kernel, &m->events, &m->cpus, grouping))
		return -1;
	run->before =
		calloc((size_t)run->sessions.count + 1, sizeof(*run->before));
	return run->before ? 0 : diag("out of memory");
}

static void take_usage(struct system_run *run)
{
	struct outcome *outcome = &run->m->outcome;
	const struct rusage *usage = &run->follow.usage;

	outcome->wait_status = run->follow.wait_status;
	outcome->user_ns = clocks_user(usage);
	outcome->sys_ns = clocks_system(usage);
}

/* Counts, and leaves the result in the tally. 0, or pfmon's exit status. */
static int count(struct system_run *run, pid_t pid)
{
	struct measurement *m = run->m;
	enum waiting_end end;
	uint64_t now;
	int ret;

	if (m->request->delay_ns)
		run->waiting.begin_at = clocks_now() + m->request->delay_ns;
	else if (!m->request->wait_for_enable && begin_counting(run))
		return STATUS_FAILED;
	if (pid && follow_adopt(&run->follow, pid))
		return STATUS_FAILED;
	end = waiting_run(&run->waiting);
	now = clocks_now();
	stop_counters(run);
	run->stopped = true;
	waiting_end_ticks(&run->waiting, now);
	m->outcome.interrupted = end == WAITING_INTERRUPTED;
	if (end == WAITING_FAILED)
		return STATUS_FAILED;
	/* The rest of the last interval is an interval as well. */
	if (!m->request->interval_ns)
		ret = read_delta(run, now);
	else if (m->request->interval_count &&
		 run->intervals >= m->request->interval_count)
		ret = 0;
	else
		ret = do_interval(run, now);
	return ret < 0 ? STATUS_FAILED : 0;
}

/* The command runs on uncounted, and pfmon waits for it all the same. */
static void wait_for_command(struct system_run *run)
{
	run->waiting.deadline = run->waiting.begin_at = 0;
	run->waiting.control = NULL;
	run->waiting.command = NULL;
	if (!run->follow.command || run->m->outcome.interrupted)
		return;
	if (!run->follow.command_ended)
		waiting_run(&run->waiting);
	take_usage(run);
}

int measure_system(struct measurement *m)
{
	struct system_run run;
	int status;
	pid_t pid;

	init_run(&run, m);
	if (open_sessions(&run)) {
		status = STATUS_FAILED;
	} else {
		status = launch(&run, &pid);
		if (!status) {
			status = count(&run, pid);
			if (status && pid && !run.follow.command)
				launch_kill(pid);
			else if (!status)
				wait_for_command(&run);
		}
	}
	system_close(&run.sessions);
	free(run.before);
	tasks_free(&run.follow.tasks);
	return status;
}
