/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two processes on one processor that hand a byte to each other through
 * pipes: each round trip is exactly two context switches.
 */
#ifndef PFM_TEST_PINGPONG_H
#define PFM_TEST_PINGPONG_H

#include <stdint.h>
#include <sys/types.h>

struct pingpong {
	pid_t partner;
	int to_partner;
	int from_partner;
};

/*
 * Pins the caller to @cpu and starts a partner there, which calls @prepare
 * (may be NULL) before the first round; both become real-time tasks, so that
 * the scheduler does the same each time. Returns 0, or -1 if that or @prepare
 * failed.
 */
int pingpong_start(struct pingpong *pingpong, int cpu, int (*prepare)(void));

/* Plays @rounds. Returns 0 or -1. */
int pingpong_play(const struct pingpong *pingpong, long rounds);

/*
 * To be called before each round that is measured: now and then it sleeps, so
 * that ordinary tasks get their turn. While one waits for the processor, the
 * scheduler executes some instructions more.
 */
void pingpong_settle(long round);

/*
 * Fewest instructions, at all levels, of one of @rounds: what remains when
 * neither a tick nor another task got into it. @msr is from msr_open().
 */
uint64_t pingpong_instructions(const struct pingpong *pingpong, int msr,
			       long rounds);

/* Ends the partner and makes the caller an ordinary task again. */
void pingpong_stop(struct pingpong *pingpong);

#endif
