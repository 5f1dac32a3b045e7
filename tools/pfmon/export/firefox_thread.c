// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread of a profile of the Firefox Profiler, see firefox_thread.h. Its tables are
 * columns. A function has one frame, so one number is both; strings are names of
 * functions, then those of their files. A stack is a frame on top of another stack,
 * which has a smaller number.
 */
#include "export/firefox_thread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/markup.h"

#define NONE UINT32_MAX

struct stack {
	uint32_t prefix; /* NONE: the frame is the outermost */
	uint32_t frame;
};

struct table {
	const struct function **functions; /* by number */
	size_t count, room;
	uint32_t *numbers; /* by index of functions */
	size_t numbers_room;
	struct stack *stacks;
	size_t stack_count, stack_room;
	uint32_t *slots; /* number of a stack, twice the room */
	uint32_t *tops; /* stacks of the samples */
};

static int no_memory(void)
{
	return diag("no memory for the functions");
}

static int number_room(struct table *table, size_t index)
{
	size_t room = 2 * index + 64;
	uint32_t *numbers;

	if (index < table->numbers_room)
		return 0;
	numbers = reallocarray(table->numbers, room, sizeof(*numbers));
	if (!numbers)
		return no_memory();
	memset(numbers + table->numbers_room, 0xff,
	       (room - table->numbers_room) * sizeof(*numbers));
	table->numbers = numbers;
	table->numbers_room = room;
	return 0;
}

/* Its number, NONE after a message. */
static uint32_t number_of(struct table *table, const struct function *function)
{
	if (number_room(table, function->index))
		return NONE;
	if (table->numbers[function->index] != NONE)
		return table->numbers[function->index];
	if (table->count == table->room) {
		size_t room = table->room ? 2 * table->room : 64;
		const struct function **more =
			reallocarray(table->functions, room, sizeof(*more));

		if (!more) {
			no_memory();
			return NONE;
		}
		table->functions = more;
		table->room = room;
	}
	table->functions[table->count] = function;
	table->numbers[function->index] = (uint32_t)table->count++;
	return table->numbers[function->index];
}

/* Where it is, or where it would be. */
static uint32_t *slot_of(const struct table *table, const struct stack *stack)
{
	size_t mask = 2 * table->stack_room - 1;
	size_t i = (size_t)(((uint64_t)stack->prefix << 32 | stack->frame) *
				    0x9e3779b97f4a7c15ULL >>
			    20);

	for (i &= mask; table->slots[i] != NONE; i = (i + 1) & mask) {
		const struct stack *row = &table->stacks[table->slots[i]];

		if (row->prefix == stack->prefix && row->frame == stack->frame)
			break;
	}
	return &table->slots[i];
}

static int stack_room(struct table *table)
{
	size_t room = table->stack_room ? 2 * table->stack_room : 64;
	struct stack *stacks =
		reallocarray(table->stacks, room, sizeof(*stacks));

	if (!stacks)
		return no_memory();
	table->stacks = stacks;
	table->stack_room = room;
	free(table->slots);
	table->slots = calloc(2 * room, sizeof(*table->slots));
	if (!table->slots)
		return no_memory();
	memset(table->slots, 0xff, 2 * room * sizeof(*table->slots));
	for (size_t i = 0; i < table->stack_count; i++)
		*slot_of(table, &stacks[i]) = (uint32_t)i;
	return 0;
}

/* Its number, NONE after a message. */
static uint32_t stack_of(struct table *table, uint32_t prefix, uint32_t frame)
{
	const struct stack stack = { prefix, frame };
	uint32_t *slot;

	if (table->stack_count == table->stack_room && stack_room(table))
		return NONE;
	slot = slot_of(table, &stack);
	if (*slot == NONE) {
		*slot = (uint32_t)table->stack_count;
		table->stacks[table->stack_count++] = stack;
	}
	return *slot;
}

/* The stack of a sample, NONE after a message. */
static uint32_t top_of(struct table *table, const struct view *view,
		       const struct profile_sample *sample)
{
	unsigned int depth = functions_depth(view->functions, sample);
	uint32_t top = NONE;

	for (unsigned int i = depth; i; i--) {
		const struct place *place =
			functions_caller(view->functions, i - 1);
		uint32_t frame = number_of(table, place->function);

		if (frame == NONE)
			return NONE;
		top = stack_of(table, top, frame);
		if (top == NONE)
			return NONE;
	}
	return top;
}

static int fill(struct table *table, const struct view *view,
		const struct firefox_sample *samples, size_t count)
{
	table->tops = calloc(count, sizeof(*table->tops));
	if (!table->tops)
		return no_memory();
	for (size_t i = 0; i < count; i++) {
		table->tops[i] = top_of(table, view, samples[i].sample);
		if (table->tops[i] == NONE)
			return -1;
	}
	return 0;
}

static void free_table(struct table *table)
{
	free(table->functions);
	free(table->numbers);
	free(table->stacks);
	free(table->slots);
	free(table->tops);
}

/* A column that has one value for all. */
static void same(const char *name, const char *value, size_t count, FILE *out)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", value);
	fputc(']', out);
}

/* A column of 0, 1, 2... or of what they are behind. */
static void counted(const char *name, size_t first, size_t count, FILE *out)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu", i ? "," : "", first + i);
	fputc(']', out);
}

static void categories(const struct table *table, FILE *out)
{
	fputs(",\"category\":[", out);
	for (size_t i = 0; i < table->count; i++)
		fprintf(out, "%s%d", i ? "," : "", table->functions[i]->kernel);
	fputc(']', out);
	same("subcategory", "0", table->count, out);
}

static void print_samples(const struct table *table,
			  const struct firefox_sample *samples, size_t count,
			  FILE *out)
{
	fprintf(out, ",\"samples\":{\"length\":%zu,\"weightType\":\"samples\"",
		count);
	fputs(",\"stack\":[", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "", table->tops[i]);
	fputs("],\"time\":[", out);
	/* Milliseconds. */
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%" PRIu64 ".%06" PRIu64, i ? "," : "",
			samples[i].sample->time / 1000000,
			samples[i].sample->time % 1000000);
	fputc(']', out);
	same("weight", "1", count, out);
	fputc('}', out);
}

static void print_stacks(const struct table *table, FILE *out)
{
	size_t count = table->stack_count;

	fprintf(out, ",\"stackTable\":{\"length\":%zu,\"prefix\":[", count);
	for (size_t i = 0; i < count; i++) {
		if (table->stacks[i].prefix == NONE)
			fprintf(out, "%snull", i ? "," : "");
		else
			fprintf(out, "%s%" PRIu32, i ? "," : "",
				table->stacks[i].prefix);
	}
	fputs("],\"frame\":[", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "",
			table->stacks[i].frame);
	fputs("],\"category\":[", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%d", i ? "," : "",
			table->functions[table->stacks[i].frame]->kernel);
	fputc(']', out);
	same("subcategory", "0", count, out);
	fputc('}', out);
}

static void print_tables(const struct table *table, FILE *out)
{
	size_t count = table->count;

	print_stacks(table, out);
	fprintf(out, ",\"frameTable\":{\"length\":%zu", count);
	same("address", "-1", count, out);
	same("inlineDepth", "0", count, out);
	categories(table, out);
	counted("func", 0, count, out);
	same("nativeSymbol", "null", count, out);
	same("innerWindowID", "0", count, out);
	same("implementation", "null", count, out);
	same("line", "null", count, out);
	same("column", "null", count, out);
	fprintf(out, "},\"funcTable\":{\"length\":%zu", count);
	counted("name", 0, count, out);
	same("isJS", "false", count, out);
	same("relevantForJS", "false", count, out);
	same("resource", "-1", count, out);
	counted("fileName", count, count, out);
	same("lineNumber", "null", count, out);
	same("columnNumber", "null", count, out);
	fputs("},\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
	      "\"type\":[]},\"nativeSymbols\":{\"length\":0,\"libIndex\":[],"
	      "\"address\":[],\"name\":[],\"functionSize\":[]},\"markers\":{\"length\":0,"
	      "\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],\"phase\":[],"
	      "\"startTime\":[]},\"stringArray\":[",
	      out);
	for (size_t i = 0; i < 2 * count; i++) {
		const struct function *function = table->functions[i % count];

		if (i)
			fputc(',', out);
		markup_json(i < count ? function->name : function->file, out);
	}
	fputc(']', out);
}

int firefox_thread(const struct view *view,
		   const struct firefox_sample *samples, size_t count,
		   FILE *out)
{
	const struct profile_sample *first = samples[0].sample;
	struct table table = { 0 };
	int ret = fill(&table, view, samples, count);

	if (!ret) {
		fputs("{\"processType\":\"default\",\"processStartupTime\":0,"
		      "\"processShutdownTime\":null,\"unregisterTime\":null,"
		      "\"pausedRanges\":[],\"showMarkersInTimeline\":false,\"name\":",
		      out);
		markup_json(functions_comm(view->functions, first), out);
		fprintf(out,
			",\"isMainThread\":%s,\"pid\":\"%" PRIu32
			"\",\"tid\":%" PRIu32 ",\"registerTime\":%" PRIu64
			".%06" PRIu64,
			first->tid == first->tgid ? "true" : "false",
			first->tgid, first->tid, first->time / 1000000,
			first->time % 1000000);
		print_samples(&table, samples, count, out);
		print_tables(&table, out);
		fputc('}', out);
	}
	free_table(&table);
	return ret;
}
