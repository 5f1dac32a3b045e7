/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perfmon session of a run: pfmon's only use of the kernel interface. Each
 * function returns 0, unless its comment says otherwise, or -1 after a message.
 */
#ifndef PFMON_SESSION_H
#define PFMON_SESSION_H

#include <perfmon/perfmon.h>
#include <stdint.h>
#include <sys/types.h>

#include "registers/assign.h"
#include "events/event.h"

/* CPU time of a session, in ns. */
struct session_times {
	uint64_t counted;
	uint64_t blind; /* masked while the target ran on */
	uint64_t throttled; /* stopped for interrupting too much */
};

/* Returns the descriptor, which commands do not inherit. */
int session_create(const char *sysfs, bool system_wide);

/* The registers that the session can have. */
int session_info(int fd, struct pfarg_setinfo *info);

/* Writes the control registers and sets the counters to 0. */
int session_program(int fd, const struct plan *plan,
		    const struct event_list *list);

/* Attaches to a thread that is stopped by and for the caller, and starts. */
int session_attach(int fd, pid_t thread);

/*
 * A programmed session for one more thread of a measurement, attached and
 * started. Returns its descriptor, or -1 with errno and without a message.
 */
int session_join(const struct plan *plan, pid_t thread);

/* For a session that is system-wide. */
int session_attach_cpu(int fd, int cpu);
int session_start(int fd);
/* Not if the CPU has gone; its counts can be read all the same. */
void session_stop(int fd);

/* How long the session has counted; in any state, all 0 if it cannot be told. */
void session_ask_times(int fd, struct session_times *times);

/* Reads the counts in the order of the events. */
int session_read(int fd, const struct plan *plan, uint64_t *counts);

#endif /* PFMON_SESSION_H */
