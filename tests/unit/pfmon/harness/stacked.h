/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of samples with call chains, of the program of profiled.h. A failure ends the
 * test program.
 */
#ifndef STACKED_H
#define STACKED_H

#include <perfmon/perfmon_stacks_smpl.h>

#include "profile/writer.h"

/* An entry with its addresses, and perhaps a value. */
struct stacked {
	struct pfm_stacks_smpl_entry entry;
	uint64_t words[8];
};

/* Of thread 71, with these addresses, the innermost first. */
struct stacked stacked_of(unsigned int nr, const uint64_t *ips);

/* Adds it to its thread's samples. */
void stacked_add(struct writer *writer, const struct stacked *stack);

/* Begins a file of process 71, "prof", with its mapping. */
void stacked_begin(struct writer *writer);

/*
 * Writes pfmon.data: a sample for each word of chains, which is the functions of its
 * chain, the outermost first: "abc" is fc, called by fb, called by fa.
 */
void stacked_write(const char *const *chains);

#endif /* STACKED_H */
