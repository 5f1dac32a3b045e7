/* SPDX-License-Identifier: GPL-2.0-only */
/* System-wide sessions: one for each CPU. */
#ifndef PFMON_SYSTEM_H
#define PFMON_SYSTEM_H

#include <sched.h>

#include "engine/sampling.h"
#include "engine/tally.h"

struct cpu_session {
	int cpu;
	int session;
	char place[TOPOLOGY_PLACE]; /* where the CPU is, as rows have it */
	bool away; /* yields to sessions of threads, or its CPU is off line */
	bool left; /* its CPU went off line, now or before */
};

struct cpu_sessions {
	const struct sampling *sampling; /* NULL: events are counted only */
	struct cpu_session *list;
	int count;
	bool yield; /* to sessions of threads; for a long measurement */
};

/* The CPUs of the request: those of its list, or all that pfmon may use. */
int system_cpus(const struct request *request, cpu_set_t *cpus);

/* The kind of core that all of them are of, as pmu_desc calls it; NULL: of none. */
const char *system_kind(const cpu_set_t *cpus);

/*
 * Creates, programs and attaches a session for each of the CPUs; those that yield
 * are away where they cannot be attached yet. The rows have this grouping. -1 after
 * a message; what was made is to be closed all the same.
 */
int system_open(struct cpu_sessions *sessions, const cpu_set_t *cpus,
		enum grouping grouping, const struct event_sets *sets,
		const struct event_list *events);
int system_start(const struct cpu_sessions *sessions);
/*
 * Lets those that are away, have yielded since or whose CPU has come back go on if
 * nobody forbids it.
 */
void system_return(const struct cpu_sessions *sessions);
void system_stop(const struct cpu_sessions *sessions);
void system_close(struct cpu_sessions *sessions);

/*
 * Adds what each has counted so far, running or stopped; of those that take samples
 * at the end only. -1 after a message.
 */
int system_read(const struct cpu_sessions *sessions,
		const struct event_sets *sets, struct tally *tally);

#endif /* PFMON_SYSTEM_H */
