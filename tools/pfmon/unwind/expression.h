/* SPDX-License-Identifier: GPL-2.0-only */
/* Expressions of DWARF, as the tables of frames have them. */
#ifndef PFMON_EXPRESSION_H
#define PFMON_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf_frames.h"

#ifdef HAVE_DW
/* Registers of a program at one frame, and the memory that is known. */
struct frame_state {
	uint64_t regs[FRAME_REGISTERS]; /* by DWARF's numbers */
	uint32_t known; /* a bit for each */
	unsigned int word; /* bytes: 8 or 4 */
	uint64_t begin; /* of the copied stack */
	const uint8_t *stack;
	size_t size;
	bool cut; /* memory behind the copy was wanted */
};

/* Bytes of memory as a number. False: they are not known. */
bool frame_read(struct frame_state *state, uint64_t address, unsigned int bytes,
		uint64_t *value);

/*
 * What a rule says: an address, or the value itself. cfa is what DW_OP_call_frame_cfa
 * is, NULL: it is not known yet. False: it is not known, or senseless.
 */
bool frame_evaluate(struct frame_state *state, const struct frame_rule *rule,
		    const uint64_t *cfa, uint64_t *result, bool *is_value);
#endif

#endif /* PFMON_EXPRESSION_H */
