/* SPDX-License-Identifier: GPL-2.0-only */
/* System-wide sessions: one for each CPU. */
#ifndef PFMON_SYSTEM_H
#define PFMON_SYSTEM_H

#include <sched.h>

#include "engine/tally.h"

struct cpu_session {
	int cpu;
	int session;
};

struct cpu_sessions {
	struct cpu_session *list;
	int count;
};

/* The CPUs of the request: those of its list, or all that pfmon may use. */
int system_cpus(const struct request *request, cpu_set_t *cpus);

/*
 * Creates, programs and attaches a session for each of the CPUs. -1 after a
 * message; what was made is to be closed all the same.
 */
int system_open(struct cpu_sessions *sessions, const cpu_set_t *cpus,
		const struct event_sets *sets, const struct event_list *events);
int system_start(const struct cpu_sessions *sessions);
void system_stop(const struct cpu_sessions *sessions);
void system_close(struct cpu_sessions *sessions);

/* Adds what each has counted so far, running or stopped. -1 after a message. */
int system_read(const struct cpu_sessions *sessions,
		const struct event_sets *sets, struct tally *tally);

#endif /* PFMON_SYSTEM_H */
