// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for the end of a measurement, see waiting.h. */
#include "engine/waiting.h"

#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "diag.h"
#include "engine/clocks.h"

#define SECOND_INTERRUPT_NS (2 * NS_PER_S)

/* For the threads of a command to be stopped, which needs their tracer. */
#define STOP_NS (50 * NS_PER_MS)

static void take_reports(const struct waiting *waiting)
{
	struct follow *follow = waiting->follow;
	struct rusage usage;
	int status;
	pid_t tid;

	/* Untraced, the command is the only one that there is to wait for. */
	if (waiting->others && !follow_traced(follow) &&
	    !others_look(waiting->others))
		return;
	/* What it was called at the end can be asked before it is waited for. */
	if (follow->command && !follow_traced(follow))
		follow_describe(follow);
	while ((tid = wait4(-1, &status, WNOHANG | __WALL, &usage)) > 0)
		follow_event(follow, tid, status, &usage);
	follow_look(follow);
}

static bool is_done(const struct waiting *waiting)
{
	const struct follow *follow = waiting->follow;

	if (follow->command && !follow->command_ended)
		return false;
	if (follow->command && !waiting->wait_all)
		return true;
	return !waiting->forever && !follow_traced(follow) &&
	       !follow_watched(follow);
}

/* Neither a file nor the end of one that nobody traces would be news. */
static bool reports_are_all(const struct waiting *waiting)
{
	return !waiting->sampling && !waiting->only_signals_tell &&
	       !(waiting->control && waiting->control->in >= 0) &&
	       follow_traced(waiting->follow) &&
	       !follow_watched(waiting->follow);
}

/*
 * What a child has used that has just been waited for, but for its memory. Only of the
 * command it matters, and wait4() would sum it up for each report of a thread.
 */
static void take_usage(struct rusage *usage, const struct rusage *before)
{
	getrusage(RUSAGE_CHILDREN, usage);
	timersub(&usage->ru_utime, &before->ru_utime, &usage->ru_utime);
	timersub(&usage->ru_stime, &before->ru_stime, &usage->ru_stime);
	usage->ru_minflt -= before->ru_minflt;
	usage->ru_majflt -= before->ru_majflt;
	usage->ru_nvcsw -= before->ru_nvcsw;
	usage->ru_nivcsw -= before->ru_nivcsw;
}

/* Until a signal or the deadline, or until reports are not all any more. */
static int pass_reports(struct waiting *waiting, uint64_t deadline,
			siginfo_t *info)
{
	struct follow *follow = waiting->follow;
	struct rusage before, usage = { .ru_maxrss = 0 };
	int status, sig;
	pid_t tid;

	getrusage(RUSAGE_CHILDREN, &before);
	for (;;) {
		tid = signals_wait4(waiting->signals, deadline, &status, &sig,
				    info);
		/* There is no timer to be had: as with all else that waits. */
		if (tid < 0)
			waiting->only_signals_tell = true;
		if (tid <= 0)
			return sig;
		if (!WIFSTOPPED(status) && tid == follow->command)
			take_usage(&usage, &before);
		else if (!WIFSTOPPED(status) &&
			 !tasks_find(&follow->tasks, tid))
			/* Whoever became pfmon had a child already. */
			getrusage(RUSAGE_CHILDREN, &before);
		follow_event(follow, tid, status, &usage);
		/* Who has stopped only is there still. */
		if (!WIFSTOPPED(status) &&
		    (is_done(waiting) || !reports_are_all(waiting)))
			return 0;
	}
}

/* The same. What is done afterwards, as writing a report, no signal cuts short. */
static int follow_reports(struct waiting *waiting, uint64_t deadline,
			  siginfo_t *info)
{
	int sig = pass_reports(waiting, deadline, info);

	signals_wait_stopped(waiting->signals);
	return sig;
}

/* Until a signal, the deadline, or the end of what is watched. */
static int wait_for_news(const struct waiting *waiting, uint64_t deadline,
			 siginfo_t *info)
{
	const struct tasks *tasks = &waiting->follow->tasks;
	int watched = follow_watched(waiting->follow), sig;
	bool controlled = waiting->control && waiting->control->in >= 0;
	struct pollfd *files;
	unsigned int count = 0;

	if (waiting->sampling) {
		struct pollfd news[2] = { { .fd = waiting->sampling->news,
					    .events = POLLIN } };

		return signals_poll(waiting->signals, deadline, news, 1, info);
	}
	if (!watched && !controlled)
		return signals_wait(waiting->signals, deadline, info);
	files = calloc((size_t)watched + 2, sizeof(*files));
	if (!files)
		return 0;
	for (int i = 0; i < tasks->count; i++) {
		if (tasks->list[i].watched)
			files[count++] =
				(struct pollfd){ .fd = tasks->list[i].session,
						 .events = POLLIN };
	}
	if (controlled)
		files[count++] = (struct pollfd){ .fd = waiting->control->in,
						  .events = POLLIN };
	sig = signals_poll(waiting->signals, deadline, files, count, info);
	free(files);
	return sig;
}

/* Of two times, of which 0 is none. */
static uint64_t earlier(uint64_t a, uint64_t b)
{
	if (!a || !b)
		return a | b;
	return a < b ? a : b;
}

static uint64_t next_deadline(const struct waiting *waiting)
{
	return earlier(earlier(waiting->stop_at, waiting->begin_at),
		       earlier(waiting->next_tick, waiting->deadline));
}

/* Until somebody continues pfmon, who continues the command then. */
static void stop_self(struct waiting *waiting)
{
	waiting->stop_at = 0;
	raise(SIGSTOP);
	if (waiting->follow->command && !waiting->follow->command_ended)
		kill(waiting->follow->command, SIGCONT);
}

/* How many were due. */
static unsigned int pass_ticks(struct waiting *waiting, uint64_t now)
{
	unsigned int due = 0;

	for (; waiting->next_tick && waiting->next_tick <= now; due++)
		waiting->next_tick += waiting->interval;
	return due;
}

/* Ticks keep to their schedule; those that were missed are one. */
static int do_tick(struct waiting *waiting, uint64_t now)
{
	int ret;

	waiting->missed += pass_ticks(waiting, now) - 1;
	ret = waiting->tick(waiting->arg);
	if (ret)
		waiting->next_tick = 0;
	return ret;
}

void waiting_end_ticks(struct waiting *waiting, uint64_t now)
{
	waiting->missed += pass_ticks(waiting, now);
	waiting->next_tick = 0;
	if (waiting->missed)
		diag("note: %u %s missed; the next ones have their counts",
		     waiting->missed,
		     waiting->missed == 1 ? "interval was" : "intervals were");
}

/* SIGUSR1 asks for it, as a line of --control does. 0: go on; -1: failed. */
static int make_snapshot(struct waiting *waiting)
{
	const char *refusal = NULL;

	waiting->wants_snapshot = false;
	if (waiting->command)
		return waiting->command(CONTROL_SNAPSHOT, waiting->arg,
					&refusal);
	diag("note: SIGUSR1: no counts can be told now; they are at the end");
	return 0;
}

/* The lines that have come. 0: go on; 1: enough; -1: failed. */
static int obey(struct waiting *waiting)
{
	enum control_verb verb;
	int ret = 0;

	if (!waiting->control)
		return 0;
	while (!ret && (verb = control_take(waiting->control))) {
		const char *refusal = NULL;

		if (verb == CONTROL_UNKNOWN)
			refusal = "unknown command";
		else if (verb == CONTROL_STOP)
			ret = 1;
		else if (verb != CONTROL_PING)
			ret = waiting->command(verb, waiting->arg, &refusal);
		control_answer(waiting->control, refusal);
	}
	return ret;
}

/* What is due at this time. 0: go on; 1: enough; -1: failed. */
static int do_work(struct waiting *waiting, uint64_t now)
{
	const struct sampling *sampling = waiting->sampling;

	if (sampling && sampling->take(sampling->arg))
		return -1;
	if (waiting->stop_at && now >= waiting->stop_at)
		stop_self(waiting);
	if (waiting->begin_at && now >= waiting->begin_at) {
		waiting->begin_at = 0;
		return waiting->begin(waiting->arg);
	}
	return waiting->next_tick && now >= waiting->next_tick ?
		       do_tick(waiting, now) :
		       0;
}

/* Whether the signal ends the measuring. */
static bool take_signal(struct waiting *waiting, int sig, const siginfo_t *info)
{
	const struct follow *follow = waiting->follow;
	uint64_t now = clocks_now();
	bool again;

	if (sig == SIGUSR1) {
		waiting->wants_snapshot = true;
		return false;
	}
	if (sig == SIGTSTP)
		waiting->stop_at = now + STOP_NS;
	else if (!follow->command || follow->command_ended)
		return true;
	if (follow->command && !follow->command_ended &&
	    signals_are_passed(sig, info))
		kill(follow->command, sig);
	if (sig != SIGINT)
		return false;
	again = waiting->last_interrupt &&
		now - waiting->last_interrupt < SECOND_INTERRUPT_NS;
	waiting->last_interrupt = now;
	return again;
}

enum waiting_end waiting_run(struct waiting *waiting)
{
	for (;;) {
		bool reports = reports_are_all(waiting);
		siginfo_t info;
		uint64_t now;
		int sig, ret;

		if (!reports)
			take_reports(waiting);
		if (is_done(waiting))
			return WAITING_DONE;
		sig = reports ? follow_reports(waiting, next_deadline(waiting),
					       &info) :
				wait_for_news(waiting, next_deadline(waiting),
					      &info);
		if (sig && sig != SIGCHLD && take_signal(waiting, sig, &info))
			return WAITING_INTERRUPTED;
		now = clocks_now();
		ret = do_work(waiting, now);
		if (!ret && waiting->wants_snapshot)
			ret = make_snapshot(waiting);
		if (!ret)
			ret = obey(waiting);
		if (ret)
			return ret > 0 ? WAITING_TIMEOUT : WAITING_FAILED;
		if (waiting->deadline && now >= waiting->deadline)
			return WAITING_TIMEOUT;
	}
}

void waiting_for_release(struct waiting *waiting)
{
	siginfo_t info;

	for (;;) {
		take_reports(waiting);
		if (!follow_traced(waiting->follow))
			return;
		signals_wait(waiting->signals, 0, &info);
	}
}
