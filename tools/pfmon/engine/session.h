/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perfmon session of a thread or CPU: making, attaching and starting it; its
 * registers are in turns.h. Each function returns 0, unless its comment says
 * otherwise, or -1 after a message.
 */
#ifndef PFMON_SESSION_H
#define PFMON_SESSION_H

#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <sys/types.h>

/* Returns the descriptor, which commands do not inherit. */
int session_create(const char *sysfs, bool system_wide);

/*
 * The same for a CPU, which the session leaves to those that measure threads where
 * the kernel can do that.
 */
int session_create_yielding(const char *sysfs);

/* The same for a thread, with errno and without a message. */
int session_create_silently(void);

/*
 * The same for a thread and all that it will make, or its threads only. EINVAL: the
 * kernel does not know how.
 */
int session_create_inherited(bool threads_only);

/* Whether the kernel lets those wait for room who inherit a session that samples. */
bool session_members_wait(void);

/* The registers that the session can have. */
int session_info(int fd, struct pfarg_setinfo *info);

/* Attaches to a thread that is stopped by and for the caller. */
int session_attach(int fd, pid_t thread);

/* Starts to count a thread that may run. -1 with errno and without a message. */
int session_start_running(int fd);

/*
 * Whether the kernel lets threads be attached to, read and stopped that nobody
 * stops: the flags PFM_*FL_RUNNING. The session is detached. No message.
 */
bool session_reaches_running(int fd);

/* Whether its thread has ended, or it has left its CPU: the kernel has sent that. */
bool session_has_ended(int fd);

/* For a session that is system-wide. */
int session_attach_cpu(int fd, int cpu);
/* Attaches and starts one that yields. -1 with errno and without a message. */
int session_return(int fd, int cpu);
int session_start(int fd);
/*
 * Not if the CPU has gone; its counts can be read all the same. running: of a
 * thread that nobody has stopped. 0, or -1 with errno and without a message.
 */
int session_stop(int fd, bool running);

#endif /* PFMON_SESSION_H */
