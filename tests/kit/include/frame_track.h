/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code whose frame pointer is known while it runs: what a sample in it has as its
 * stack follows from frames that the caller has laid out, or from three functions
 * that have called each other.
 */
#ifndef PFM_TEST_FRAME_TRACK_H
#define PFM_TEST_FRAME_TRACK_H

#include <stdbool.h>
#include <stdint.h>

/* A frame as the processor's instructions leave it. */
struct frame {
	uintptr_t next; /* frame pointer of the caller */
	uintptr_t ip; /* return address */
};

/* Functions that track_calls() has on the stack, itself included. */
#define TRACK_CALLS 3

/* Runs 2 * @rounds instructions with this frame pointer. */
void track_frames(unsigned long rounds, uintptr_t fp);

/* Runs them in the innermost of some functions, of which the first has no caller. */
void track_calls(unsigned long rounds);

/* Runs them with this stack pointer, which nothing may look at. */
void track_stack(unsigned long rounds, uintptr_t sp);

/* Makes @rounds system calls with this frame pointer. */
void track_system_calls(unsigned long rounds, uintptr_t fp);

/* Whether the address is one of these instructions. */
bool track_has_frames(uint64_t ip);
bool track_has_calls(uint64_t ip);
bool track_has_stack(uint64_t ip);

/* Where the system call of track_system_calls() returns to. */
uintptr_t track_after_system_call(void);

/* Return address @i of those on the stack in track_calls(), innermost first. */
uintptr_t track_return_address(unsigned int i);

#endif
