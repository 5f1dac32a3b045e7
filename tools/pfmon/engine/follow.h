/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following threads and children by ptrace.
 *
 * Each thread is caught at a stop before its first instruction at user level,
 * where its session begins, and runs on. All else of a tracer's work is passing
 * on: signals, group stops, the reports of births. Whoever follows calls
 * follow_event() with all that wait4(2) reports.
 */
#ifndef PFMON_FOLLOW_H
#define PFMON_FOLLOW_H

#include <sys/resource.h>

#include "engine/tasks.h"
#include "request.h"

/* What is done with the threads; arg is that of struct follow. */
struct follow_ops {
	/*
	 * The thread is stopped and has executed nothing that counts, or it
	 * runs, and is counted from now on. Sets its session, or leaves -1: it
	 * runs on uncounted then.
	 */
	void (*begin)(struct task *task, void *arg);
	/* Its session is read and closed: it has ended, is stopped or runs. */
	void (*end)(struct task *task, void *arg);
	/* Whether it has, of one that is watched; NULL: none is. */
	bool (*has_ended)(const struct task *task, void *arg);
	/*
	 * Stops the counting of one that runs. False: it may not, and has to be
	 * stopped by ptrace. NULL: never asked.
	 */
	bool (*stop)(struct task *task, void *arg);
	/* It executes another program, and is counted on. NULL: no matter. */
	void (*executed)(const struct task *task, void *arg);
	/* It has begun to exit: of rules with exits. NULL: no matter. */
	void (*leaving)(const struct task *task, void *arg);
};

struct follow {
	const struct follow_rules *rules;
	const struct follow_ops *ops;
	void *arg;
	struct tasks tasks;
	pid_t command; /* 0: none */
	bool command_ended;
	int wait_status; /* of the command, as of wait4(2) */
	struct rusage usage; /* of the command, when it has ended */
	unsigned int left_out; /* programs that the rules do not want */
	bool releasing;
	bool watches; /* or has; else nobody needs to look for watched ones */
	bool remote; /* the kernel reaches threads that nobody stops */
	bool nameless; /* no report names threads */
	bool inherited; /* those whom the threads make inherit their sessions */
	/* What the command makes inherits its session, and is waited for. */
	bool awaits_heirs;
};

/* Whether births, or what is executed, have to be looked at in a ptrace stop. */
bool follow_needs_stops(const struct follow_rules *rules);

/*
 * The command in a stop, at its exec or where its counting begins: counts it if the
 * rules want it, and lets it run. Without rules for others it runs untraced. -1 after
 * a message.
 */
int follow_command(struct follow *follow, pid_t pid);

/*
 * The command in its exec stop runs on uncounted and untraced, to be waited for.
 * -1 after a message.
 */
int follow_adopt(struct follow *follow, pid_t pid);

/*
 * The command is counted already, and runs untraced. NULL after a message; else
 * the caller sets the session.
 */
struct task *follow_launched(struct follow *follow, pid_t pid);

/* Asks of those of whom nobody needed to know yet whose threads they are. */
void follow_describe_all(struct follow *follow);

/* Looks at its name, which the launch may not have seen yet. */
void follow_describe(const struct follow *follow);

/*
 * Begins to count a thread that runs, without stopping or tracing it. Returns 0,
 * or errno if that cannot be; nothing is printed. follow_look() sees its end.
 */
int follow_watch(struct follow *follow, pid_t tid);

/* Takes the ends of those that are watched. */
void follow_look(struct follow *follow);

/*
 * Seizes a thread that runs, and begins to count it; if the kernel wants it
 * stopped for that, where it stops, which is reported to follow_event(). Returns
 * 0, or errno if it cannot be traced; nothing is printed.
 */
int follow_seize(struct follow *follow, pid_t tid);

/* Takes what wait4(2) has reported of any process; usage matters of the command. */
void follow_event(struct follow *follow, pid_t tid, int status,
		  const struct rusage *usage);

/*
 * Asks all that are traced to stop, to be read and released where they do, and
 * reads the others; the command is waited for by the caller. It is over when
 * follow->tasks is empty but for untraced ones.
 */
void follow_release(struct follow *follow);

/* Whether a thread is traced still. */
bool follow_traced(const struct follow *follow);

/* How many are watched. */
int follow_watched(const struct follow *follow);

#endif /* PFMON_FOLLOW_H */
