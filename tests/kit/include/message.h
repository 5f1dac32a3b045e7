/* SPDX-License-Identifier: GPL-2.0-only */
/* The messages of a session, and the signals that announce them. */
#ifndef PFM_TEST_MESSAGE_H
#define PFM_TEST_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/*
 * Takes the next message without waiting for it. Returns 0 or an errno, EAGAIN
 * if there is none.
 */
int message_take(int fd, union pfarg_msg *msg);

/* The same for a message that has to be the end: EPROTO if it is another one. */
int message_take_end(int fd);

/* Takes the next message as soon as there is one, but at most in 10 s. */
int message_wait(int fd, union pfarg_msg *msg);

/* Whether these PMDs, and no others, have overflowed. */
bool message_names(const union pfarg_msg *msg, uint64_t pmds);

/*
 * Has the calling thread told of each message by @sig, and counts these
 * signals in message_signals. Returns 0 or -1.
 */
int message_signal(int fd, int sig);

/* Signals since message_signal(); where the last one was delivered. */
extern volatile int message_signals;
extern volatile uint64_t message_signal_ip;

/*
 * Whether a thread may execute more before the signal of its overflow comes: on
 * PREEMPT_RT another thread sends it.
 */
bool message_signals_are_late(void);

/* message_signals; first waits until there are @least if they may be late. */
int message_signals_told(int least);

#endif
