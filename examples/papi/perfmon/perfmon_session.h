/* SPDX-License-Identifier: MIT */
/*
 * The session that counts an event set of PAPI.  It is made when the event set is first
 * started, and stays attached to its thread while that is stopped, until another event
 * set of the thread is started.
 *
 * Counters are never cleared: a count is what a counter has beyond its value at the
 * start or the last reset.
 */
#ifndef PERFMON_SESSION_H
#define PERFMON_SESSION_H

#include <pthread.h>
#include <sys/types.h>

#include "perfmon_plan.h"

struct perfmon_session;

/* A thread of PAPI: perfmon attaches one session to a thread at a time. */
struct perfmon_thread {
	struct perfmon_session *attached;
};

/* What PAPI_set_opt() has asked for. */
struct perfmon_options {
	pid_t target; /* 0: the thread that starts the event set */
	int inherit;
	unsigned long
		turn; /* of a set of the kernel, in ns; 0: not multiplexed */
};

struct perfmon_session {
	struct perfmon_plan *plan;
	struct perfmon_options options;
	int fd; /* -1: not made yet */
	int is_attached;
	struct perfmon_thread *thread;
	pthread_t owner; /* the thread that has started it */
	unsigned int forks; /* perfmon_forks then */
	const struct pfm_state *state; /* NULL: only the call reads */
	int is_direct; /* the page shows all counters to the owner */
	unsigned int index[PERFMON_MAX_EVENTS]; /* elements of the page */
	long long base[PERFMON_MAX_EVENTS];
	long long values
		[PERFMON_MAX_EVENTS]; /* by position: what read() has found */
	uint64_t base_ns[PERFMON_MAX_EVENTS]; /* of sets of the kernel */
};

/* How many forks lie between the process and the one that started PAPI. */
extern unsigned int perfmon_forks;

/* Prepares an empty session; registers, once, what a fork has to do. */
void perfmon_session_init(struct perfmon_session *s);

/* Takes a plan, which may be NULL; what was counted by the last one is lost. */
void perfmon_session_use(struct perfmon_session *s, struct perfmon_plan *plan);

/* Closes the session; it is made anew by the next start. */
void perfmon_session_close(struct perfmon_session *s);

/*
 * PAPI_OK, or: PAPI_EPERM, PAPI_ENOMEM, PAPI_ECNFLCT (another session has the thread,
 * or others the counters), PAPI_ECLOST (it is the parent's: the process was forked since
 * the start; or its thread has ended), PAPI_ESYS with errno.
 */
int perfmon_session_start(struct perfmon_session *s, struct perfmon_thread *t);
int perfmon_session_stop(struct perfmon_session *s);

/* PAPI forgets the thread, which may go on and come back: another session can have it. */
void perfmon_session_leave(struct perfmon_thread *t);

/* Counts since start or reset, in values[]. */
int perfmon_session_read(struct perfmon_session *s);
int perfmon_session_reset(struct perfmon_session *s);

/* The error of PAPI for errno. */
int perfmon_errno_error(void);

#endif /* PERFMON_SESSION_H */
