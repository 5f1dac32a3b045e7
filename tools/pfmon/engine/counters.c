// SPDX-License-Identifier: GPL-2.0-only
/* The sessions of threads, see counters.h. */
#include "engine/counters.h"

#include <errno.h>
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

static void begin(struct task *task, void *arg)
{
	struct counters *counters = arg;

	if (counters->spare >= 0) {
		task->turn = counters->turn++;
		/* Without the first thread there is nothing to measure. */
		if (!session_attach(counters->spare, task->tid))
			task->session = counters->spare;
		else
			close(counters->spare);
		counters->spare = -1;
		return;
	}
	task->turn = counters->turn++;
	task->session = turns_join(counters->sets, task->turn, task->tid,
				   task->running);
	task->error = task->session < 0 ? errno : 0;
	if (!task->error || (task->running && is_no_loss(task->error)))
		return;
	explain(counters, task->tid, task->error);
	task->error = 0;
	counters->tally->coverage.lost++;
}

void counters_launched(struct counters *counters, struct task *task)
{
	task->turn = counters->turn++;
	task->session = counters->spare;
	counters->spare = -1;
}

static void end(struct task *task, void *arg)
{
	struct counters *counters = arg;
	struct tally_row row = { .scope = SCOPE_THREAD,
				 .pid = task->pid,
				 .tid = task->tid,
				 .ppid = task->ppid };

	memcpy(row.comm, task->comm, sizeof(row.comm));
	/* The times of a started session lack what its last slice has. */
	if (!task->dead)
		session_stop(task->session, task->running);
	if (turns_read(task->session, counters->sets, task->turn,
		       task->running, &row.counted) ||
	    tally_add(counters->tally, &row))
		counters->failed = true;
	close(task->session);
}

/* A thread that is no leader is reported with the time of its process so far. */
static void gone(const struct task *task, const struct rusage *usage, void *arg)
{
	struct counters *counters = arg;

	if (task->tid == task->pid)
		counters->gone_ns += clocks_user(usage) + clocks_system(usage);
}

static bool has_ended(const struct task *task, void *arg)
{
	(void)arg;
	return session_has_ended(task->session);
}

const struct follow_ops counters_ops = { begin, end, has_ended, gone };
