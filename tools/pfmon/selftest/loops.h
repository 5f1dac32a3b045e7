/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loops with known numbers of instructions. They are assembly, so that these do not
 * depend on the compiler; the calls around a loop are the same for each length.
 */
#ifndef PFMON_SELFTEST_LOOPS_H
#define PFMON_SELFTEST_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOP_SLED 100 /* NOPs of loop_nops */

struct loop {
	const char *name;
	void (*run)(unsigned long turns); /* at least one */
	unsigned int instructions; /* of each turn, at user level */
	unsigned int branches; /* taken, or not in the last turn */
	/* Processors differ in whether they count a system call for the user. */
	unsigned int uncertain;
};

extern const struct loop loop_count; /* dec, jnz */
extern const struct loop loop_nops; /* LOOP_SLED NOPs, dec, jnz */
extern const struct loop loop_copy; /* REP MOVSB */
extern const struct loop loop_load; /* loads, 64 bytes apart, of loop_memory() */
extern const struct loop loop_calls; /* getpid() */
extern const struct loop loop_mixture; /* some of all of them */
extern const struct loop loop_transactions; /* XBEGIN, INC, XEND */

/* True if the processor can run loop_transactions. */
bool loop_has_transactions(void);

/*
 * The memory that loop_load walks through: 16 KiB at first. Sizes are powers of
 * two. Returns -1 if there is not enough; then the size stays what it was.
 */
#define LOOP_SMALL (16ul << 10)
int loop_memory(size_t size);

/* True if the address of a sample is in the named loop, or right behind it. */
bool loop_is_in_count(uint64_t ip);
bool loop_is_in_nops(uint64_t ip);

#endif /* PFMON_SELFTEST_LOOPS_H */
