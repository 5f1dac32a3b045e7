/* SPDX-License-Identifier: GPL-2.0-only */
/* Waiting for the end of a measurement, and doing what is due meanwhile. */
#ifndef PFMON_WAITING_H
#define PFMON_WAITING_H

#include "engine/control.h"
#include "engine/follow.h"
#include "engine/others.h"
#include "engine/sampling.h"
#include "engine/signals.h"

enum waiting_end {
	WAITING_DONE, /* the command, or all that is measured, has ended */
	WAITING_TIMEOUT,
	WAITING_INTERRUPTED, /* by a signal that ends measuring */
	WAITING_FAILED, /* after a message, by tick */
};

struct waiting {
	struct follow *follow;
	const struct signals *signals;
	struct others *others; /* that nobody follows, NULL: no matter */
	const struct sampling *sampling; /* that has news, NULL: nobody */
	bool wait_all; /* for all that is traced, not only for the command */
	bool forever; /* that nothing is traced is no end */
	uint64_t begin_at; /* of clocks_now(), 0: it has, or never will */
	/* Called then, with arg; -1: failed. */
	int (*begin)(void *arg);
	uint64_t deadline; /* 0: none */
	uint64_t next_tick; /* 0: no ticks */
	uint64_t interval;
	unsigned int missed; /* ticks, while pfmon had no CPU */
	/* Called at each tick; 1: enough, -1: failed. */
	int (*tick)(void *arg);
	struct control *control; /* NULL: nobody tells when to count */
	/*
	 * Called for each of its lines but stop and ping; may set a refusal. -1:
	 * failed, 1: enough. Also for a snapshot without control; NULL: nobody
	 * could make one.
	 */
	int (*command)(enum control_verb verb, void *arg, const char **refusal);
	void *arg;
	uint64_t last_interrupt;
	bool wants_snapshot;
	bool only_signals_tell; /* of reports */
	uint64_t stop_at; /* pfmon itself, when the command has; 0: no */
};

/*
 * Signals that a process sends to pfmon are passed on to the command; a second
 * SIGINT within two seconds ends the waiting. Without a command the first
 * signal does. SIGTSTP stops the command and then pfmon; SIGUSR1 makes a snapshot.
 */
enum waiting_end waiting_run(struct waiting *waiting);

/* No ticks from now on; a note tells of those that were missed. */
void waiting_end_ticks(struct waiting *waiting, uint64_t now);

/* Waits until no thread is traced any more, after follow_release(). */
void waiting_for_release(struct waiting *waiting);

#endif /* PFMON_WAITING_H */
