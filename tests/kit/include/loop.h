/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work whose number of user instructions is known exactly. The loops are the
 * yardstick of every counting test.
 */
#ifndef PFM_TEST_LOOP_H
#define PFM_TEST_LOOP_H

/* Assembly: so many instructions that the emulator has nothing to execute for. */
#define NO_OPERATIONS(n) ".rept " #n "; nop; .endr\n"

/*
 * Executes a loop of exactly @instructions (even, at least 2), plus a constant
 * for the call itself.
 */
void counted_loop(unsigned long instructions);

/* What chunked_loop() executes for each chunk that it reports. */
#define CHUNK_INSTRUCTIONS 20004UL

/*
 * Executes chunks of exactly CHUNK_INSTRUCTIONS until *@stop is not zero, at
 * least one, plus a constant for the call. Returns the number of chunks.
 */
unsigned long chunked_loop(const volatile int *stop);

#endif
