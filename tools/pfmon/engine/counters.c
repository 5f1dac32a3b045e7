// SPDX-License-Identifier: GPL-2.0-only
/* The sessions of threads, see counters.h. */
#include "engine/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"

/* Said once: it would be the same for thousands of threads. */
static void explain(struct counters *counters, pid_t tid, int error)
{
	if (counters->explained)
		return;
	counters->explained = true;
	if (error == EEXIST)
		diag("note: thread %d: measures itself already (another perfmon session); not counted",
		     tid);
	else if (error == EBUSY)
		diag("note: thread %d: a system-wide session is active; not counted",
		     tid);
	else
		diag("note: thread %d: not counted: %s", tid, strerror(error));
}

/* A thread that runs has ended, or is none that the user may count. */
static bool is_no_loss(int error)
{
	return error == ESRCH || error == EPERM;
}

/* Whether a session counts for one thread after the other, from its start. */
static bool is_used_again(const struct counters *counters)
{
	/* Sets begin with one of them in turn, samples with an empty buffer. */
	return !counters->sampling && !counters->family &&
	       !sets_take_turns(counters->sets);
}

/* False: there is no spare session, or it cannot be had for this thread. */
static bool join_again(struct counters *counters, struct task *task)
{
	struct spare spare;

	if (!spares_take(&counters->spares, &spare))
		return false;
	task->session = turns_attach(spare.session, task->tid, task->running,
				     counters->idle);
	if (task->session < 0) {
		free(spare.before);
		return false;
	}
	task->before = spare.before;
	return true;
}

/* A new session of one more thread. -1 with errno. */
static int join(const struct counters *counters, const struct task *task)
{
	const struct sampling *sampling = counters->sampling;
	int session;

	if (sampling) {
		session = sampling->open(sampling->arg);
		if (session < 0)
			return -1;
		return turns_attach(session, task->tid, task->running,
				    counters->idle);
	}
	session = counters->family ?
			  session_create_inherited(counters->threads_only) :
			  session_create_silently();
	if (session < 0)
		return -1;
	return turns_join(session, counters->sets, task->turn, task->tid,
			  task->running, counters->idle);
}

static void attached(const struct counters *counters, const struct task *task)
{
	const struct sampling *sampling = counters->sampling;

	if (sampling && task->session >= 0)
		sampling->attached(task->session, task, 0, sampling->arg);
}

static void begin(struct task *task, void *arg)
{
	struct counters *counters = arg;

	/* What is inherited begins with its sets in turn by itself. */
	task->turn = counters->family ? 0 : counters->turn++;
	if (counters->spare >= 0) {
		/* Without the first thread there is nothing to measure. */
		if (!session_attach(counters->spare, task->tid) &&
		    (counters->idle || !session_start(counters->spare)))
			task->session = counters->spare;
		else
			close(counters->spare);
		counters->spare = -1;
		attached(counters, task);
		return;
	}
	if (join_again(counters, task)) {
		task->error = 0;
		return;
	}
	task->session = join(counters, task);
	task->error = task->session < 0 ? errno : 0;
	/* Also said of one that ends, whose process may live on without it. */
	if (task->error == EBUSY && task->running && tasks_is_ending(task->tid))
		task->error = ESRCH;
	attached(counters, task);
	if (!task->error || (task->running && is_no_loss(task->error)))
		return;
	explain(counters, task->tid, task->error);
	task->error = 0;
	counters->lost++;
}

void counters_launched(struct counters *counters, struct task *task)
{
	task->turn = counters->turn++;
	task->session = counters->spare;
	counters->spare = -1;
}

/* running: its thread may run. -1 after a message. */
static int read_session(struct counters *counters, struct task *task,
			bool running, struct turns_counts *now)
{
	if (!counters->family) {
		if (turns_read(task->session, counters->sets, task->turn,
			       running, now))
			return -1;
		if (task->before)
			turns_subtract(now, task->before);
		return 0;
	}
	if (turns_read_family(task->session, counters->sets, now))
		return -1;
	now->departed -= task->made_room;
	now->parts -= task->made_room;
	counters->family_ns += now->counted_ns - task->read_ns;
	counters->lost += now->lost - task->read_lost;
	task->read_ns = now->counted_ns;
	task->read_lost = now->lost;
	return 0;
}

int counters_settle(const struct counters *counters, const struct tasks *tasks)
{
	for (int i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->list[i];
		struct turns_counts now;

		if (task->session < 0)
			continue;
		if (turns_read_family(task->session, counters->sets, &now))
			return -1;
		task->made_room = now.departed;
	}
	return 0;
}

/* All but the counts, which are large: threads that end are many. */
static void name_row(struct tally_row *row, const struct task *task)
{
	row->scope = SCOPE_THREAD;
	row->pid = task->pid;
	row->tid = task->tid;
	row->ppid = task->ppid;
	row->cpu = row->cpus = 0;
	row->place[0] = '\0';
	memcpy(row->comm, task->comm, sizeof(row->comm));
}

/* Adds what was not told yet of what was read, and leaves that in the row. */
static int add(struct counters *counters, const struct task *task,
	       struct tally_row *row)
{
	struct tally *tally = counters->tally;
	unsigned int parts = row->counted.parts;

	name_row(row, task);
	if (task->told) {
		turns_subtract(&row->counted, task->told);
		/* It is one thread all the same. */
		tally->coverage.threads -= counters->cumulative;
		/* Of an interval all are told that there were. */
		if (!counters->cumulative)
			row->counted.parts = parts;
	} else {
		counters->counted++;
	}
	return tally_add(tally, row);
}

int counters_start(struct counters *counters, const struct tasks *tasks)
{
	counters->idle = false;
	for (int i = 0; i < tasks->count; i++) {
		int session = tasks->list[i].session;

		/* One that has ended is no error, and is detached. */
		if (session >= 0 && session_start_running(session) &&
		    errno != EINVAL && errno != ESRCH)
			return diag("cannot start counting: %s",
				    strerror(errno));
	}
	return 0;
}

void counters_stop(struct counters *counters, const struct tasks *tasks)
{
	counters->idle = true;
	for (int i = 0; i < tasks->count; i++)
		if (tasks->list[i].session >= 0)
			session_stop(tasks->list[i].session, true);
}

int counters_tell(struct counters *counters, const struct tasks *tasks)
{
	for (int i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->list[i];
		struct turns_counts now;
		struct tally_row row;
		int error;

		if (task->session < 0)
			continue;
		diag_quiet(true);
		error = read_session(counters, task, true, &now);
		diag_quiet(false);
		if (error)
			continue;
		row.counted = now;
		if (add(counters, task, &row))
			return -1;
		if (!task->told)
			task->told = malloc(sizeof(*task->told));
		if (!task->told)
			return diag("out of memory");
		*task->told = now;
	}
	return 0;
}

/* Its thread may have ended before others, which then can be stopped still. */
static void stop_family(struct counters *counters, const struct task *task)
{
	bool counts = !session_stop(task->session, true);

	counters->outlived |= counts && task->dead;
	counters->first_ns = turns_own_ns(task->session, counters->sets);
}

/* The counts of its last thread; NULL: nobody knows them. */
static void give_up_session(struct counters *counters, struct task *task,
			    const struct turns_counts *counts)
{
	if (counts && task->dead && is_used_again(counters)) {
		spares_keep(&counters->spares, task->session, task->before,
			    counts);
	} else {
		close(task->session);
		free(task->before);
	}
	task->before = NULL;
}

static void end(struct task *task, void *arg)
{
	struct counters *counters = arg;
	struct tally_row row;
	bool failed;

	/* The times of a started session lack what its last slice has. */
	if (counters->family)
		stop_family(counters, task);
	else if (!task->dead)
		session_stop(task->session, task->running);
	failed = read_session(counters, task, task->running, &row.counted);
	if (failed)
		row.counted = (struct turns_counts){ .counted_ns = 0 };
	if (counters->sampling)
		counters->sampling->ended(task->session, task, &row.counted,
					  counters->sampling->arg);
	give_up_session(counters, task, failed ? NULL : &row.counted);
	if (failed || add(counters, task, &row))
		counters->failed = true;
	free(task->told);
	task->told = NULL;
}

static bool has_ended(const struct task *task, void *arg)
{
	const struct sampling *sampling = ((struct counters *)arg)->sampling;

	if (sampling)
		return sampling->has_ended(task->session, sampling->arg);
	return session_has_ended(task->session);
}

static void executed(const struct task *task, void *arg)
{
	const struct sampling *sampling = ((struct counters *)arg)->sampling;

	if (sampling)
		sampling->executed(task, sampling->arg);
}

static void leaving(const struct task *task, void *arg)
{
	const struct sampling *sampling = ((struct counters *)arg)->sampling;

	if (sampling)
		sampling->leaving(task, sampling->arg);
}

/* One that has ended is stopped. */
static bool stop(struct task *task, void *arg)
{
	(void)arg;
	return !session_stop(task->session, true) || errno == EINVAL;
}

void counters_close(struct counters *counters)
{
	spares_close(&counters->spares);
}

const struct follow_ops counters_ops = {
	.begin = begin,
	.end = end,
	.has_ended = has_ended,
	.stop = stop,
	.executed = executed,
	.leaving = leaving,
};
