/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tables of an ELF file (.eh_frame, .debug_frame) say of a frame: how the
 * registers of the caller are found.
 */
#ifndef PFMON_ELF_FRAMES_H
#define PFMON_ELF_FRAMES_H

#include "symbols/elf_file.h"

#ifdef HAVE_DW
#include <elfutils/libdw.h>

/* DWARF's numbers of registers are less, up to the return address of x86_64. */
#define FRAME_REGISTERS 17

/* An expression of DWARF; of a register where it was saved, or its value. */
struct frame_rule {
	enum {
		RULE_NONE, /* nothing is said */
		RULE_UNDEFINED, /* it is lost */
		RULE_EXPRESSION,
	} kind;
	const Dwarf_Op *ops;
	size_t count;
	Dwarf_Op own[3]; /* what ops may be */
};

struct elf_frame {
	Dwarf_Frame *frame;
	bool is_signal; /* its caller was interrupted, and did not call */
	unsigned int return_register;
	struct frame_rule cfa;
	struct frame_rule registers[FRAME_REGISTERS];
};

/* The frame of code at an offset, to be freed. NULL: nothing is said of it. */
struct elf_frame *elf_frame_at(const struct elf_file *file, uint64_t offset);
void elf_frame_free(struct elf_frame *frame);
#endif

#endif /* PFMON_ELF_FRAMES_H */
