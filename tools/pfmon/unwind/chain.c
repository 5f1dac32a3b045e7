// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callers of a sample, see chain.h: a step by the tables of a program; by the frame
 * pointer where nothing has tables, such as code that a program has made itself. Nothing
 * of the copy or the tables is trusted; each return address has to be one by its code.
 */
#include "unwind/chain.h"

#ifdef HAVE_DW
#include <string.h>

#include "unwind/expression.h"

/* Of a machine: DWARF's numbers. */
struct machine {
	unsigned int sp, fp, ip, registers, word;
	uint32_t kept; /* that functions give back as they were */
};

static const struct machine machines[] = {
	{ 7, 6, 16, 17, 8, 1 << 3 | 1 << 6 | 0xf << 12 },
	{ 4, 5, 8, 9, 4, 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7 },
};

enum step {
	STEP_TAKEN,
	STEP_INTERRUPTED, /* the caller did not call, but got a signal */
	STEP_LAST, /* there is no caller */
	STEP_FAILED,
};

/* Of the caller, by a rule; what is unspecified is kept, or lost. */
static void restore(struct frame_state *old, struct frame_state *new,
		    const struct machine *machine,
		    const struct frame_rule *rule, unsigned int number,
		    uint64_t cfa)
{
	uint32_t bit = 1U << number;
	uint64_t value;
	bool is_value;

	new->known &= ~bit;
	if (rule->kind == RULE_NONE && number == machine->sp) {
		new->regs[number] = cfa;
		new->known |= bit;
	} else if (rule->kind == RULE_NONE) {
		new->known |= machine->kept & old->known &bit;
	} else if (rule->kind == RULE_EXPRESSION &&
		   frame_evaluate(old, rule, &cfa, &value, &is_value) &&
		   (is_value ||
		    frame_read(old, value, machine->word, &value))) {
		new->regs[number] = value;
		new->known |= bit;
	}
}

/* The state stays as it is if there is no step. */
static enum step by_tables(struct frame_state *state,
			   const struct machine *machine,
			   const struct elf_frame *frame)
{
	const struct frame_rule *back =
		&frame->registers[frame->return_register];
	struct frame_state old = *state;
	uint64_t cfa, sp = state->regs[machine->sp];
	bool is_value;

	if (back->kind == RULE_UNDEFINED)
		return STEP_LAST;
	if (!frame_evaluate(&old, &frame->cfa, NULL, &cfa, &is_value)) {
		state->cut = old.cut;
		return STEP_FAILED;
	}
	for (unsigned int i = 0; i < machine->registers; i++)
		restore(&old, state, machine, &frame->registers[i], i, cfa);
	if (frame->return_register != machine->ip)
		restore(&old, state, machine, back, machine->ip, cfa);
	state->cut = old.cut;
	if (state->known >> machine->ip & 1 &&
	    state->known >> machine->sp & 1) {
		if (frame->is_signal)
			return STEP_INTERRUPTED;
		/* Stacks grow down: another way may lead in a circle. */
		if (state->regs[machine->sp] > sp)
			return STEP_TAKEN;
	}
	*state = old;
	return STEP_FAILED;
}

static enum step by_pointer(struct frame_state *state,
			    const struct machine *machine)
{
	uint64_t fp = state->regs[machine->fp], next, ip;

	if (!(state->known >> machine->fp & 1) ||
	    fp < state->regs[machine->sp] || fp % machine->word)
		return STEP_FAILED;
	if (!frame_read(state, fp, machine->word, &next) ||
	    !frame_read(state, fp + machine->word, machine->word, &ip))
		return STEP_FAILED;
	state->known = 1U << machine->fp | 1U << machine->sp |
		       1U << machine->ip;
	state->regs[machine->fp] = next;
	state->regs[machine->sp] = fp + 2 * machine->word;
	state->regs[machine->ip] = ip;
	return STEP_TAKEN;
}

/* A step from where the state is. NULL at: nothing is there. */
static enum step step(struct frame_state *state, const struct machine *machine,
		      const struct table_at *at)
{
	if (!at->image)
		return STEP_FAILED;
	return at->frame ? by_tables(state, machine, at->frame) :
			   by_pointer(state, machine);
}

static void begin(struct frame_state *state, const struct machine *machine,
		  const struct chain_from *from)
{
	*state = (struct frame_state){
		.known = (1U << machine->registers) - 1,
		.word = machine->word,
		.begin = from->copy->regs[machine->sp],
		.stack = from->stack,
		.size = from->copy->bytes,
	};
	memcpy(state->regs, from->copy->regs, sizeof(state->regs));
}

/* Whether the address may be that of a caller. -1 without memory. */
static int is_caller(struct tables *tables, const struct chain_from *from,
		     uint64_t ip, enum step step)
{
	const struct table_at *at;

	if (ip >= PLACES_KERNEL_START)
		return 0;
	at = tables_at(tables, from->tgid, ip - (step == STEP_TAKEN),
		       from->time);
	if (!at)
		return -1;
	return at->image && (step == STEP_INTERRUPTED || at->calls);
}

/* Whether the return address is behind what the frame pointer points at. */
static bool has_pointer(const struct machine *machine,
			const struct elf_frame *frame)
{
	struct frame_state state = { .word = machine->word,
				     .known = 1U << machine->fp };
	uint64_t cfa;
	bool is_value;

	return frame_evaluate(&state, &frame->cfa, NULL, &cfa, &is_value) &&
	       !is_value && cfa == 2 * machine->word;
}

/*
 * Which address of the kernel's chain belongs to the frame pointer of the state: it has
 * followed what the copy has.
 */
static unsigned int place_of_pointer(const struct frame_state *state,
				     const struct machine *machine,
				     const struct chain_from *from)
{
	struct frame_state walk = *state;
	uint64_t at = from->copy->regs[machine->fp];
	unsigned int place = 1;

	while (place < from->pointer_count && at < state->regs[machine->fp]) {
		if (!frame_read(&walk, at, machine->word, &at))
			return from->pointer_count;
		place++;
	}
	return at == state->regs[machine->fp] ? place : from->pointer_count;
}

/* Whether the kernel's chain has the caller of what is there. */
static bool is_followed(const struct machine *machine,
			const struct table_at *at)
{
	return at->image && (!at->frame || has_pointer(machine, at->frame));
}

static bool is_outermost(const struct table_at *at)
{
	const struct elf_frame *frame = at->frame;

	return frame &&
	       frame->registers[frame->return_register].kind == RULE_UNDEFINED;
}

/*
 * Goes on by the kernel's chain where the copy ends, at a frame of which only the caller
 * is missing. Returns the count with what it has added; CUT is a flag unless the chain has
 * come to the outermost. 0 without memory.
 */
static unsigned int follow_pointers(struct tables *tables,
				    const struct chain_from *from,
				    const struct frame_state *state,
				    const struct table_at *at, uint64_t *ips,
				    unsigned int count, unsigned int max,
				    uint16_t *flags)
{
	const struct machine *machine = &machines[from->is_32bit];
	unsigned int next = from->pointer_count;

	if (state->known >> machine->fp & 1)
		next = place_of_pointer(state, machine, from);
	while (is_followed(machine, at) && next < from->pointer_count &&
	       count < max) {
		uint64_t ip = from->pointers[next++];
		int caller = is_caller(tables, from, ip, STEP_TAKEN);

		if (caller < 0)
			return 0;
		if (!caller)
			break;
		ips[count++] = ip;
		at = tables_at(tables, from->tgid, ip - 1, from->time);
		if (!at)
			return 0;
		if (is_outermost(at))
			return count;
	}
	*flags |= PFM_STACKS_SMPL_CUT;
	return count;
}

unsigned int chain_find(struct tables *tables, const struct chain_from *from,
			uint64_t *ips, unsigned int max, uint16_t *flags)
{
	const struct machine *machine = &machines[from->is_32bit];
	struct frame_state state;
	enum step last = STEP_INTERRUPTED;
	struct table_at at;
	unsigned int count = 0;

	begin(&state, machine, from);
	ips[count++] = state.regs[machine->ip];
	for (;;) {
		uint64_t ip = state.regs[machine->ip];
		const struct table_at *found =
			tables_at(tables, from->tgid, ip - (last == STEP_TAKEN),
				  from->time);
		int caller;

		if (!found)
			return 0;
		at = *found;
		last = step(&state, machine, &at);
		ip = state.regs[machine->ip];
		if (last == STEP_LAST || (last != STEP_FAILED && !ip))
			return count;
		caller = last == STEP_FAILED ?
				 0 :
				 is_caller(tables, from, ip, last);
		if (caller < 0)
			return 0;
		if (!caller || count == max)
			break;
		ips[count++] = ip + (last == STEP_INTERRUPTED);
	}
	if (last == STEP_FAILED && state.cut)
		return follow_pointers(tables, from, &state, &at, ips, count,
				       max, flags);
	*flags |= state.cut || count == max ? PFM_STACKS_SMPL_CUT :
					      PFM_STACKS_SMPL_BROKEN;
	return count;
}
#endif
