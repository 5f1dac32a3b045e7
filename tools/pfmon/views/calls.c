// SPDX-License-Identifier: GPL-2.0-only
/* Who has called whom, see calls.h. */
#include "views/calls.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* The calls while they are summed up. */
struct sum {
	struct calls *calls;
	size_t room;
	uint32_t *slots; /* number of a row + 1, 0: none; twice the room */
	uint64_t *last; /* by index of functions: the sample it was in last */
	size_t last_room;
	uint64_t sample;
};

static int no_memory(void)
{
	return diag("no memory for the calls");
}

static size_t hash(const struct call *call)
{
	uint64_t from = call->site   ? call->site->index :
			call->caller ? call->caller->index :
				       UINT32_MAX - call->broken;

	return (size_t)(((from << 32 | call->callee->index) + call->event) *
				0x9e3779b97f4a7c15ULL >>
			20);
}

/* Where it is, or where it would be. */
static uint32_t *slot_of(const struct sum *sum, const struct call *call)
{
	size_t mask = 2 * sum->room - 1;
	size_t i = hash(call) & mask;

	for (; sum->slots[i]; i = (i + 1) & mask) {
		const struct call *row = &sum->calls->rows[sum->slots[i] - 1];

		if (row->callee == call->callee && row->site == call->site &&
		    row->caller == call->caller &&
		    row->broken == call->broken && row->event == call->event)
			break;
	}
	return &sum->slots[i];
}

static int make_room(struct sum *sum)
{
	size_t room = sum->room ? 2 * sum->room : 64;
	struct call *rows = reallocarray(sum->calls->rows, room, sizeof(*rows));

	if (!rows)
		return no_memory();
	sum->calls->rows = rows;
	free(sum->slots);
	sum->room = room;
	sum->slots = calloc(2 * room, sizeof(*sum->slots));
	if (!sum->slots)
		return no_memory();
	for (size_t i = 0; i < sum->calls->count; i++)
		*slot_of(sum, &rows[i]) = (uint32_t)i + 1;
	return 0;
}

static int add(struct sum *sum, const struct call *call)
{
	uint32_t *slot;

	if (sum->calls->count == sum->room && make_room(sum))
		return -1;
	slot = slot_of(sum, call);
	if (!*slot) {
		sum->calls->rows[sum->calls->count++] = *call;
		*slot = (uint32_t)sum->calls->count;
	}
	sum->calls->rows[*slot - 1].samples++;
	return 0;
}

/* 1: the function was not in this sample before. -1 after a message. */
static int is_first(struct sum *sum, const struct function *function)
{
	bool first;

	if (function->index >= sum->last_room) {
		size_t room = 2UL * function->index + 64;
		uint64_t *last = reallocarray(sum->last, room, sizeof(*last));

		if (!last)
			return no_memory();
		memset(last + sum->last_room, 0,
		       (room - sum->last_room) * sizeof(*last));
		sum->last = last;
		sum->last_room = room;
	}
	first = sum->last[function->index] != sum->sample;
	sum->last[function->index] = sum->sample;
	return first;
}

/* From the outermost on: who has called each function first. */
static int add_callers(struct sum *sum, struct view *view,
		       const struct profile_sample *sample)
{
	unsigned int depth = functions_depth(view->functions, sample);
	const struct place *caller = NULL;

	for (unsigned int i = depth; i; i--) {
		const struct place *place =
			functions_caller(view->functions, i - 1);
		struct call call = { .event = sample->event };
		int first = is_first(sum, place->function);

		if (first < 0)
			return -1;
		call.callee = place->function;
		call.caller = caller ? caller->function : NULL;
		call.broken = !caller && functions_broken(view->functions);
		if (sum->calls->by == CALLS_SITES)
			call.site = caller;
		if (first && add(sum, &call))
			return -1;
		caller = place;
	}
	return depth ? 0 : -1;
}

/* From the innermost on: whom each function was in last. */
static int add_callees(struct sum *sum, struct view *view,
		       const struct profile_sample *sample)
{
	unsigned int depth = functions_depth(view->functions, sample);
	const struct function *callee = NULL;

	for (unsigned int i = 0; i < depth; i++) {
		const struct place *place =
			functions_caller(view->functions, i);
		struct call call = { .event = sample->event };
		int first = is_first(sum, place->function);

		if (first < 0)
			return -1;
		call.caller = place->function;
		call.callee = callee;
		if (first && callee && add(sum, &call))
			return -1;
		callee = place->function;
	}
	return depth ? 0 : -1;
}

static const struct function *subject(const struct call *call, enum calls_by by)
{
	return by == CALLS_CALLERS ? call->callee : call->caller;
}

static int compare_functions(const struct function *a, const struct function *b)
{
	int names;

	if (a == b)
		return 0;
	if (!a || !b)
		return a ? 1 : -1;
	names = strcmp(a->name, b->name);
	if (!names)
		names = strcmp(a->file, b->file);
	if (names)
		return names;
	return a->index < b->index ? -1 : 1;
}

/* Of one event, by number: what bisection finds. */
static int compare_subjects(const struct call *a, unsigned int event,
			    const struct function *function, enum calls_by by)
{
	const struct function *of = subject(a, by);

	if (a->event != event)
		return a->event < event ? -1 : 1;
	if (of == function)
		return 0;
	if (!of || !function)
		return of ? 1 : -1;
	return of->index < function->index ? -1 : 1;
}

static int compare_calls(const struct call *a, const struct call *b,
			 enum calls_by by)
{
	int ret = compare_subjects(a, b->event, subject(b, by), by);

	if (ret)
		return ret;
	if (by == CALLS_SITES && a->site != b->site)
		return a->site->place < b->site->place ? -1 : 1;
	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	if (by == CALLS_CALLERS && a->caller == b->caller)
		return (int)a->broken - (int)b->broken;
	if (by == CALLS_CALLERS)
		return compare_functions(a->caller, b->caller);
	return compare_functions(a->callee, b->callee);
}

static int by_callee(const void *one, const void *other)
{
	return compare_calls(one, other, CALLS_CALLERS);
}

static int by_site(const void *one, const void *other)
{
	return compare_calls(one, other, CALLS_SITES);
}

static int by_caller(const void *one, const void *other)
{
	return compare_calls(one, other, CALLS_CALLEES);
}

static void sort(struct calls *calls)
{
	static int (*const orders[])(const void *, const void *) = {
		[CALLS_CALLERS] = by_callee,
		[CALLS_SITES] = by_site,
		[CALLS_CALLEES] = by_caller,
	};

	if (calls->count)
		qsort(calls->rows, calls->count, sizeof(*calls->rows),
		      orders[calls->by]);
}

int calls_sum(struct calls *calls, struct view *view, enum calls_by by)
{
	struct sum sum = { .calls = calls };
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	*calls = (struct calls){ .by = by };
	ret = view_rewind(view);
	while (!ret && (ret = view_next(view, &sample, &place)) > 0) {
		sum.sample++;
		ret = by == CALLS_CALLEES ? add_callees(&sum, view, sample) :
					    add_callers(&sum, view, sample);
	}
	sort(calls);
	free(sum.slots);
	free(sum.last);
	return ret;
}

void calls_free(struct calls *calls)
{
	free(calls->rows);
	*calls = (struct calls){ 0 };
}

const struct call *calls_of(const struct calls *calls, unsigned int event,
			    const struct function *function, size_t *count)
{
	size_t low = 0, high = calls->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_subjects(&calls->rows[middle], event, function,
				     calls->by) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < calls->count; high++) {
		if (compare_subjects(&calls->rows[high], event, function,
				     calls->by) != 0)
			break;
	}
	*count = high - low;
	return calls->rows + low;
}
