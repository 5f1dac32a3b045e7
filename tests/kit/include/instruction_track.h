/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A known sequence of instructions between the start and the stop of a session,
 * with nothing else in between, so that the address of each instruction that
 * the session counts is known.
 */
#ifndef PFM_TEST_INSTRUCTION_TRACK_H
#define PFM_TEST_INSTRUCTION_TRACK_H

#include <stdbool.h>
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

/*
 * The branch track: branches of all kinds, likewise, so that it is known which ones the
 * processor has taken last after each instruction. Only in 64-bit programs.
 */

/* PMC 30, and what its bits leave out. */
#define PMC_LBR_SELECT 30
#define LBR_NO_KERNEL 0x001
#define LBR_NO_USER 0x002
#define LBR_NO_COND 0x004
#define LBR_NO_REL_CALL 0x008
#define LBR_NO_IND_CALL 0x010
#define LBR_NO_RETURN 0x020
#define LBR_NO_IND_JMP 0x040
#define LBR_NO_REL_JMP 0x080
#define LBR_NO_FAR 0x100
#define LBR_NO_KINDS 0x1fc

/* Most branches that a processor keeps. */
#define MOST_BRANCHES 32

/* Instructions of one round, and the branches among them that are taken. */
#define BRANCH_ROUND 11
#define BRANCHES_OF_ROUND 8

struct track_branch {
	uint64_t from;
	uint64_t to;
};

/* Whether the track can run here. */
bool branch_track_exists(void);

/*
 * Starts the session, runs @rounds and stops it again; with -1 only the rounds happen.
 * Returns 0, or -1 if a call failed.
 */
int branch_track_run(int fd, unsigned long rounds);

/* The user instructions from start to stop, the stop call included. */
uint64_t branch_track_length(unsigned long rounds);

/* The address of instruction @n of these, from 1 on; it is in a round. */
uint64_t branch_track_ip(uint64_t n);

/*
 * The last branches, at most @max, of those that were taken in the first @n instructions
 * and that @select does not leave out; newest first. Returns their number.
 */
unsigned int branch_track_last(uint64_t n, uint64_t select,
			       struct track_branch *branches, unsigned int max);

/* Whether the address is in the track. */
bool branch_track_has(uint64_t address);

/* For child_start(): runs rounds without a session until it is killed. */
int branch_track_child(void *arg);

#endif
