/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A known sequence of instructions between the start and the stop of a session,
 * with nothing else in between, so that the address of each instruction that
 * the session counts is known.
 */
#ifndef PFM_TEST_INSTRUCTION_TRACK_H
#define PFM_TEST_INSTRUCTION_TRACK_H

#include <stdint.h>

/* Instructions of one round. */
#define TRACK_ROUND 7

/*
 * Starts the session, runs @rounds (at least 1) and stops it again. With -1 for
 * the session only the rounds happen. Returns 0, or -1 if a call failed.
 */
int track_run(int fd, unsigned long rounds);

/* The user instructions from start to stop, the stop call included. */
uint64_t track_length(unsigned long rounds);

/*
 * The address of instruction @n of these: the first is number 1, and the one
 * after the stop call is number track_length() + 1.
 */
uint64_t track_ip(unsigned long rounds, uint64_t n);

/* Which instruction of a round is at @ip: 0 to TRACK_ROUND - 1, or -1. */
int track_position(uint64_t ip);

/* For child_start(): runs rounds without a session until it is killed. */
int track_child(void *arg);

#endif
