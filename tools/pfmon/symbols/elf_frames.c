// SPDX-License-Identifier: GPL-2.0-only
/* Frames by libdw, see elf_frames.h. */
#include "symbols/elf_frames.h"

#ifdef HAVE_DW
#include <stdlib.h>

#include "symbols/elf_parts.h"

static bool find_in(Dwarf_CFI *cfi, uint64_t address, struct elf_frame *frame)
{
	int reg;

	if (!cfi || dwarf_cfi_addrframe(cfi, address, &frame->frame))
		return false;
	reg = dwarf_frame_info(frame->frame, NULL, NULL, &frame->is_signal);
	frame->return_register = (unsigned int)reg;
	return reg >= 0 && reg < FRAME_REGISTERS;
}

/* That of the program itself first: what the debug file has is rarely more. */
static bool find(const struct elf_file *file, uint64_t address,
		 struct elf_frame *frame)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(file->module, &bias);

	if (find_in(cfi, address - bias, frame))
		return true;
	free(frame->frame);
	frame->frame = NULL;
	cfi = dwfl_module_dwarf_cfi(file->module, &bias);
	return find_in(cfi, address - bias, frame);
}

static bool fill_rules(struct elf_frame *frame)
{
	struct frame_rule *rule = frame->registers;
	Dwarf_Op *ops;

	if (dwarf_frame_cfa(frame->frame, &ops, &frame->cfa.count) ||
	    !frame->cfa.count)
		return false;
	frame->cfa.kind = RULE_EXPRESSION;
	frame->cfa.ops = ops;
	for (int i = 0; i < FRAME_REGISTERS; i++, rule++) {
		if (dwarf_frame_register(frame->frame, i, rule->own, &ops,
					 &rule->count))
			return false;
		rule->ops = ops;
		if (rule->count)
			rule->kind = RULE_EXPRESSION;
		else
			rule->kind = ops ? RULE_UNDEFINED : RULE_NONE;
	}
	return true;
}

struct elf_frame *elf_frame_at(const struct elf_file *file, uint64_t offset)
{
	struct elf_frame *frame = calloc(1, sizeof(*frame));
	uint64_t address;

	if (frame && elf_file_address(file, offset, &address) &&
	    find(file, address + file->bias, frame) && fill_rules(frame))
		return frame;
	elf_frame_free(frame);
	return NULL;
}

void elf_frame_free(struct elf_frame *frame)
{
	if (frame)
		free(frame->frame);
	free(frame);
}
#endif
