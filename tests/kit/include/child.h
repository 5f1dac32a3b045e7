/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children to be monitored. None outlives its parent, so that a failing test
 * leaves nothing running.
 */
#ifndef PFM_TEST_CHILD_H
#define PFM_TEST_CHILD_H

#include <sys/types.h>

/* Threads that can never be monitored: too large a number, and the kernel's. */
#define UNUSED_TID 0x7ffffffe
#define KTHREADD 2

/* What a child does with its life; the result is its exit status. */
typedef int (*child_fn)(void *arg);

/* Sleeps until it is killed. */
int child_sleep(void *arg);

/* Spins in user mode until it is killed. */
int child_spin(void *arg);

/* Starts a child that runs @fn at once, untraced. */
pid_t child_start(child_fn fn, void *arg);

/* Starts a child that is ptrace-stopped by the caller before it runs @fn. */
pid_t child_start_stopped(child_fn fn, void *arg);

/* Lets a stopped child run on, without a signal. */
int child_continue(pid_t pid);

/* Brings a running traced child back into a ptrace stop. */
int child_stop(pid_t pid);

/* Reaps a child that ends by itself: its exit status, or -1. */
int child_wait(pid_t pid);

/* Waits for the end of a child and leaves it a zombie. */
int child_wait_zombie(pid_t pid);

/* Kills and reaps a child. */
void child_kill(pid_t pid);

#endif
