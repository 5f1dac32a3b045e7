/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs of tests/truth/ are made of: functions that execute as many
 * instructions as their source says. NAME.truth says what follows for the program NAME,
 * see tests/tools/pfmon_truth.
 */
#ifndef TRUTH_H
#define TRUTH_H

/* Two instructions for each pass, of the function that this is in. */
#define SPIN(passes)                                                  \
	do {                                                          \
		unsigned long left = (passes);                        \
		__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(left)); \
	} while (0)

/* Is neither inlined nor cloned, and ends with a return of its own. */
#define FUNCTION __attribute__((noinline, noclone, noipa))

/* The compiler keeps a frame pointer in functions that call others, and in this one. */
#ifdef NO_FRAME
#define FRAME
#else
#define FRAME __asm__ volatile("" : : "r"(__builtin_frame_address(0)))
#endif

/* A function that only spins. */
#define WORK(name, passes)              \
	FUNCTION static void name(void) \
	{                               \
		FRAME;                  \
		SPIN(passes);           \
	}

#endif /* TRUTH_H */
