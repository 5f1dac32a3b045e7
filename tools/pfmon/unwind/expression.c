// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expressions of DWARF, see expression.h: a machine with a stack of numbers. They come
 * from files that nobody has checked: every step, number and address is.
 */
#include "unwind/expression.h"

#ifdef HAVE_DW
#include <dwarf.h>
#include <string.h>

#define DEPTH_MAX 64
#define STEPS_MAX 1000

struct machine {
	struct frame_state *state;
	const uint64_t *cfa;
	uint64_t stack[DEPTH_MAX];
	unsigned int depth;
	bool is_value;
};

bool frame_read(struct frame_state *state, uint64_t address, unsigned int bytes,
		uint64_t *value)
{
	uint64_t offset = address - state->begin;

	*value = 0;
	if (address < state->begin || bytes > sizeof(*value))
		return false;
	if (offset >= state->size || state->size - offset < bytes) {
		state->cut = true;
		return false;
	}
	memcpy(value, state->stack + offset, bytes);
	return true;
}

static bool push(struct machine *machine, uint64_t value)
{
	if (machine->depth == DEPTH_MAX)
		return false;
	if (machine->state->word == 4)
		value &= UINT32_MAX;
	machine->stack[machine->depth++] = value;
	return true;
}

static bool push_register(struct machine *machine, uint64_t number,
			  uint64_t offset)
{
	const struct frame_state *state = machine->state;

	return number < FRAME_REGISTERS && state->known >> number & 1 &&
	       push(machine, state->regs[number] + offset);
}

static bool push_memory(struct machine *machine, uint64_t address,
			unsigned int bytes)
{
	uint64_t value;

	return frame_read(machine->state, address, bytes, &value) &&
	       push(machine, value);
}

/* Of the two numbers on the top, b is the upper one. */
static bool binary(struct machine *machine, uint8_t atom, uint64_t a,
		   uint64_t b)
{
	int64_t left = (int64_t)a, right = (int64_t)b;

	switch (atom) {
	case DW_OP_and:
		return push(machine, a & b);
	case DW_OP_or:
		return push(machine, a | b);
	case DW_OP_xor:
		return push(machine, a ^ b);
	case DW_OP_plus:
		return push(machine, a + b);
	case DW_OP_minus:
		return push(machine, a - b);
	case DW_OP_mul:
		return push(machine, a * b);
	case DW_OP_shl:
		return push(machine, b < 64 ? a << b : 0);
	case DW_OP_shr:
		return push(machine, b < 64 ? a >> b : 0);
	case DW_OP_eq:
		return push(machine, a == b);
	case DW_OP_ne:
		return push(machine, a != b);
	case DW_OP_ge:
		return push(machine, left >= right);
	case DW_OP_gt:
		return push(machine, left > right);
	case DW_OP_le:
		return push(machine, left <= right);
	case DW_OP_lt:
		return push(machine, left < right);
	default:
		return false;
	}
}

/* Operations on numbers that are there. */
static bool stacked(struct machine *machine, const Dwarf_Op *op)
{
	uint64_t *top = &machine->stack[machine->depth];
	uint64_t upper;

	if (op->atom == DW_OP_pick)
		return op->number < machine->depth &&
		       push(machine, top[-1 - (int64_t)op->number]);
	if (!machine->depth)
		return false;
	switch (op->atom) {
	case DW_OP_dup:
		return push(machine, top[-1]);
	case DW_OP_drop:
		machine->depth--;
		return true;
	case DW_OP_deref:
		machine->depth--;
		return push_memory(machine, top[-1], machine->state->word);
	case DW_OP_deref_size:
		machine->depth--;
		return push_memory(machine, top[-1], (uint8_t)op->number);
	case DW_OP_plus_uconst:
		machine->depth--;
		return push(machine, top[-1] + op->number);
	case DW_OP_neg:
		machine->depth--;
		return push(machine, -top[-1]);
	case DW_OP_not:
		machine->depth--;
		return push(machine, ~top[-1]);
	}
	if (machine->depth < 2)
		return false;
	if (op->atom == DW_OP_over)
		return push(machine, top[-2]);
	upper = top[-1];
	if (op->atom == DW_OP_swap) {
		top[-1] = top[-2];
		top[-2] = upper;
		return true;
	}
	machine->depth -= 2;
	return binary(machine, op->atom, top[-2], upper);
}

static bool step(struct machine *machine, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(machine, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(machine, op->atom - DW_OP_breg0,
				     op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		machine->is_value = true;
		return push_register(machine, op->atom - DW_OP_reg0, 0);
	}
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push(machine, op->number);
	case DW_OP_bregx:
		return push_register(machine, op->number, op->number2);
	case DW_OP_regx:
		machine->is_value = true;
		return push_register(machine, op->number, 0);
	case DW_OP_call_frame_cfa:
		return machine->cfa && push(machine, *machine->cfa);
	case DW_OP_stack_value:
		machine->is_value = true;
		return true;
	case DW_OP_nop:
		return true;
	default:
		return stacked(machine, op);
	}
}

bool frame_evaluate(struct frame_state *state, const struct frame_rule *rule,
		    const uint64_t *cfa, uint64_t *result, bool *is_value)
{
	struct machine machine = { .state = state, .cfa = cfa };

	if (rule->count > STEPS_MAX)
		return false;
	for (size_t i = 0; i < rule->count; i++) {
		if (!step(&machine, &rule->ops[i]))
			return false;
	}
	if (!machine.depth)
		return false;
	*result = machine.stack[machine.depth - 1];
	*is_value = machine.is_value;
	return true;
}
#endif
