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

/* Returns the descriptor, which commands do not inherit. */
int session_create(const char *sysfs);

/* The registers that the session can have. */
int session_info(int fd, struct pfarg_setinfo *info);

/* Writes the control registers and sets the counters to 0. */
int session_program(int fd, const struct plan *plan,
		    const struct event_list *list);

/* Attaches to a thread that is stopped by and for the caller, and starts. */
int session_attach(int fd, pid_t thread);

/* Reads the counts in the order of the events. */
int session_read(int fd, const struct plan *plan, uint64_t *counts);

#endif /* PFMON_SESSION_H */
