/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What pfmon record and the program that unwinds for it tell each other. That reads a
 * file of samples whose stacks are copies, and writes the one that is kept.
 */
#ifndef PFMON_COPIES_H
#define PFMON_COPIES_H

#include <stdint.h>

/* As PFMD_STACKS, with copies (PFM_STACKS_SMPL_COPY); no enum pfmd_type. */
#define COPIES_CHUNK 0x10001

/* Written to a pipe: at first, with zeros, that it can unwind; and what it has written. */
struct copies_state {
	uint64_t bytes;
	uint32_t crc; /* of them, as struct writer has it */
	uint32_t error; /* of writing, 0: none */
	uint32_t has_copy; /* all of it is in the copy, too */
	uint32_t unused;
};

#endif /* PFMON_COPIES_H */
