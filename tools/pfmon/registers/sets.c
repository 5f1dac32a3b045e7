// SPDX-License-Identifier: GPL-2.0-only
/* Events to sets, see sets.h. */
#include "registers/sets.h"

#include <string.h>
#include <strings.h>

#include "diag.h"

/* What sets are made of. */
struct maker {
	struct event_sets *sets;
	const struct event_list *events;
	const struct event *reference; /* NULL: none */
	const struct regmap *map;
	const struct pfarg_setinfo *info;
};

/* The events of a set that is being made, and their numbers. */
struct draft {
	struct event events[COUNTERS_MAX];
	int numbers[COUNTERS_MAX];
	int count;
};

static bool is_same(const struct event *one, const struct event *other)
{
	if (one == other)
		return true;
	if (one->levels != other->levels || modifiers_any(&one->modifiers) ||
	    modifiers_any(&other->modifiers))
		return false;
	if (one->by_value || other->by_value)
		return one->by_value && other->by_value &&
		       one->selector == other->selector &&
		       one->coding.value == other->coding.value &&
		       one->coding.fixed == other->coding.fixed;
	return !strcmp(one->full_name, other->full_name);
}

static int add(struct draft *draft, const struct event *event, int number)
{
	if (draft->count == COUNTERS_MAX)
		return diag("too many events in a set");
	draft->events[draft->count] = *event;
	draft->numbers[draft->count++] = number;
	return 0;
}

/* The counter of the reference in the draft, -1: it has none. */
static int find_reference(const struct maker *maker, const struct draft *draft)
{
	for (int i = 0; maker->reference && i < draft->count; i++) {
		if (is_same(&draft->events[i], maker->reference))
			return i;
	}
	return -1;
}

/* Makes a set of the draft, with the reference. -1 after a message. */
static int try_set(const struct maker *maker, struct event_set *set,
		   const struct draft *draft)
{
	struct draft all = *draft;
	struct event_list list = { .events = all.events };

	set->reference = find_reference(maker, &all);
	if (maker->reference && set->reference < 0) {
		if (add(&all, maker->reference, -1))
			return -1;
		set->reference = all.count - 1;
	}
	list.count = all.count;
	memcpy(set->events, all.numbers, sizeof(set->events));
	return assign_events(&set->plan, &list, maker->map, maker->info);
}

static int close_set(const struct maker *maker, const struct draft *draft)
{
	struct event_sets *sets = maker->sets;
	int number = sets->count;

	if (number == SETS_MAX)
		return diag("too many sets: at most %d; count fewer events",
			    SETS_MAX);
	if (try_set(maker, &sets->list[number], draft))
		return -1;
	for (int i = 0; i < draft->count; i++) {
		sets->set_of[draft->numbers[i]] = number;
		sets->place_of[draft->numbers[i]] = i;
	}
	sets->count++;
	return 0;
}

/* The sets that the user has written. */
static int make_written(const struct maker *maker)
{
	const struct event_list *events = maker->events;
	int last = events->count ? events->events[events->count - 1].set : 0;

	maker->sets->count = 0;
	for (int set = 0; set <= last; set++) {
		struct draft draft = { .count = 0 };

		for (int i = 0; i < events->count; i++) {
			if (events->events[i].set == set &&
			    add(&draft, &events->events[i], i))
				return -1;
		}
		if (draft.count && close_set(maker, &draft))
			return -1;
	}
	return 0;
}

/* How many events from the first on must stay together: a group, or one. */
static int unit_length(const struct event_list *events, int first)
{
	int group = events->events[first].group, end = first + 1;

	while (group && end < events->count &&
	       events->events[end].group == group)
		end++;
	return end - first;
}

static bool fits(const struct maker *maker, const struct draft *draft)
{
	static struct event_set scratch;
	bool fit;

	diag_quiet(true);
	fit = !try_set(maker, &scratch, draft);
	diag_quiet(false);
	return fit;
}

/*
 * Whether the events of a metric, which begin here, do not fit into the set that has been
 * begun, but into one of their own.
 */
static bool needs_own_set(const struct maker *maker, const struct draft *begun,
			  int first)
{
	const struct event *events = maker->events->events;
	struct draft longer = *begun, own = { .count = 0 };
	int cluster = events[first].cluster;

	if (!begun->count || !cluster || events[first - 1].cluster == cluster)
		return false;
	for (int i = first;
	     i < maker->events->count && events[i].cluster == cluster; i++)
		if (add(&longer, &events[i], i) || add(&own, &events[i], i))
			return false;
	return !fits(maker, &longer) && fits(maker, &own);
}

/* As few sets as hold the events in their order. */
static int make_split(const struct maker *maker)
{
	const struct event_list *events = maker->events;
	struct draft draft = { .count = 0 };

	maker->sets->count = 0;
	for (int first = 0; first < events->count;) {
		int end = first + unit_length(events, first);
		struct draft longer;

		if (needs_own_set(maker, &draft, first)) {
			if (close_set(maker, &draft))
				return -1;
			draft.count = 0;
		}
		longer = draft;
		for (int i = first; i < end; i++) {
			if (add(&longer, &events->events[i], i))
				return -1;
		}
		if (!draft.count || fits(maker, &longer)) {
			draft = longer;
			first = end;
		} else {
			if (close_set(maker, &draft))
				return -1;
			draft.count = 0;
		}
	}
	return close_set(maker, &draft);
}

static int make(const struct maker *maker, bool written)
{
	return written ? make_written(maker) : make_split(maker);
}

/* One of the events if possible: it costs no counter of its own then. */
static const struct event *among(const struct event_list *events,
				 enum event_meaning meaning)
{
	for (int i = 0; i < events->count; i++) {
		if (events->events[i].meaning == meaning)
			return &events->events[i];
	}
	return NULL;
}

/* NULL: none; *failed after a message if the user named one. */
static const struct event *choose_reference(const struct event_list *events,
					    const struct sets_wish *wish,
					    struct event_list *parsed,
					    bool *failed)
{
	const struct event *found;

	if (wish->reference && !strcmp(wish->reference, "none"))
		return NULL;
	if (wish->reference) {
		*failed = events_parse(parsed, wish->reference, wish->levels);
		if (!*failed && (parsed->count != 1 || parsed->events->soft))
			*failed = diag(
				"--reference=%s: not one event of a counter",
				wish->reference);
		return *failed ? NULL : parsed->events;
	}
	found = among(events, MEANS_INSTRUCTIONS);
	if (!found)
		found = among(events, MEANS_CYCLES);
	if (found)
		return found;
	diag_quiet(true);
	if (!events_parse(parsed, "cycles", wish->levels))
		found = parsed->events;
	diag_quiet(false);
	return found;
}

static void set_turns(struct event_sets *sets, const struct maker *maker,
		      const struct sets_wish *wish)
{
	sets->reference_event = -1;
	sets->reference = maker->reference;
	for (int i = 0; maker->reference && i < maker->events->count; i++) {
		if (is_same(&maker->events->events[i], maker->reference))
			sets->reference_event = i;
	}
	sets->timeout_ns = wish->timeout_ns;
	sets->switch_events = wish->switch_events;
	if (!sets->timeout_ns && !sets->switch_events && maker->reference)
		sets->switch_events = SETS_EVENTS_DEFAULT;
	else if (!sets->timeout_ns && !sets->switch_events)
		sets->timeout_ns = SETS_TIMEOUT_DEFAULT;
}

/* Sets that take turns, with a reference if there is a counter for it. */
static int make_turns(struct maker *maker, const struct sets_wish *wish,
		      struct event_list *parsed, bool written)
{
	bool failed = false;

	maker->reference =
		choose_reference(maker->events, wish, parsed, &failed);
	if (failed)
		return -1;
	if (maker->reference && !wish->reference && !wish->switch_events) {
		bool without;

		diag_quiet(true);
		without = make(maker, written);
		diag_quiet(false);
		if (without)
			maker->reference = NULL;
	}
	if (wish->switch_events && !maker->reference)
		return diag(
			"--switch-events: counts events of the reference; without one only --switch-timeout is possible");
	if (make(maker, written))
		return -1;
	set_turns(maker->sets, maker, wish);
	return 0;
}

int sets_make(struct event_sets *sets, const struct event_list *events,
	      const struct sets_wish *wish, struct event_list *reference,
	      const struct regmap *map, const struct pfarg_setinfo *info)
{
	struct maker maker = {
		.sets = sets, .events = events, .map = map, .info = info
	};
	bool written = events->count && events->events[events->count - 1].set;
	struct draft all = { .count = 0 };

	*sets = (struct event_sets){ .event_count = events->count,
				     .reference_event = -1 };
	if (events->count > EVENTS_MAX)
		return diag("too many events: %d given, at most %d",
			    events->count, EVENTS_MAX);
	if (written)
		return make_turns(&maker, wish, reference, true);
	for (int i = 0; i < events->count && i < COUNTERS_MAX; i++)
		add(&all, &events->events[i], i);
	if (!wish->split || (all.count == events->count && fits(&maker, &all)))
		return all.count < events->count ?
			       diag("too many events: %d given; count fewer at once",
				    events->count) :
			       close_set(&maker, &all);
	return make_turns(&maker, wish, reference, false);
}
