// SPDX-License-Identifier: GPL-2.0-only
/* Parsing of event lists, see event.h. */
#include "events/event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/coded.h"
#include "events/precise.h"
#include "events/resolve.h"
#include "events/selector.h"
#include "events/terms.h"

#define RAW_DIGITS_MAX 16

static uint64_t level_bits(unsigned int levels)
{
	return (levels & LEVEL_USER ? SEL_USR : 0) |
	       (levels & LEVEL_KERNEL ? SEL_OS : 0);
}

static unsigned int levels_in(uint64_t selector)
{
	return (selector & SEL_USR ? LEVEL_USER : 0) |
	       (selector & SEL_OS ? LEVEL_KERNEL : 0);
}

const char *event_level_name(const struct event *event)
{
	if (event->soft)
		return event->kernel ? "system" : "software";
	switch (event->levels) {
	case LEVEL_USER:
		return "user";
	case LEVEL_KERNEL:
		return "kernel";
	default:
		return "user+kernel";
	}
}

/* The digits of rHEX up to a modifier; 0 if the name is not a raw event. */
static size_t raw_digits(const char *name)
{
	size_t digits;

	if (name[0] != 'r' && name[0] != 'R')
		return 0;
	digits = strspn(name + 1, "0123456789abcdefABCDEF");
	return name[1 + digits] == '\0' || name[1 + digits] == ':' ? digits : 0;
}

/* ":u", ":k", ":uk" replace the levels in the value; ":p" asks for precise samples. */
static int parse_raw_modifiers(struct event *event, const char *text)
{
	const char *all = text;

	for (; *text; text++) {
		/* Each colon has letters behind it. */
		bool between = *text == ':' && text[1] && text[1] != ':';

		if (!between && (!strchr("ukpUKP", *text) ||
				 !modifiers_parse(&event->modifiers, text, 1)))
			return modifiers_refuse(
				event->name, all,
				"a raw event takes :u, :k and :p");
	}
	event->levels = event->modifiers.levels;
	event->has_level = event->levels;
	return 0;
}

static int parse_raw(struct event *event, size_t digits, unsigned int levels)
{
	const char *text = event->name + 1;

	if (digits > RAW_DIGITS_MAX)
		return diag(
			"event %s: more than 64 bits; give at most %d digits",
			event->name, RAW_DIGITS_MAX);
	event->by_value = true;
	event->selector = strtoull(text, NULL, 16);
	if (parse_raw_modifiers(event, text + digits))
		return -1;
	if (!event->levels) {
		event->levels = levels_in(event->selector);
		event->has_level = event->levels;
	}
	if (!event->levels)
		event->levels = levels;
	event->selector &= ~(SEL_USR | SEL_OS);
	event->selector |= level_bits(event->levels) | SEL_ENABLE | SEL_INT;
	return 0;
}

static int parse_named(struct event *event, unsigned int levels)
{
	int ret = terms_is(event->name) ? terms_parse(event) :
					  resolve_event(event, event->name);

	event->levels = event->modifiers.levels;
	event->has_level = event->levels;
	if (!event->levels)
		event->levels = levels;
	event->found.plm = (event->levels & LEVEL_USER ? PFM_PLM3 : 0) |
			   (event->levels & LEVEL_KERNEL ? PFM_PLM0 : 0);
	if (ret)
		return ret;
	event->meaning = event->by_value ? coded_meaning(&event->coding) :
					   alias_meaning(event->full_name);
	event->selector = (event->coding.selector & ~(SEL_USR | SEL_OS)) |
			  level_bits(event->levels) | SEL_ENABLE | SEL_INT;
	return 0;
}

/* By a PMU outside the cores. */
static int parse_kernel(struct event *event)
{
	event->soft = SOFT_KERNEL;
	event->levels = LEVEL_USER | LEVEL_KERNEL;
	event->has_level = true;
	event->kernel = kernel_pmu_find(event->name);
	return event->kernel ? 0 : -1;
}

/* What the kernel counts without a counter. */
static int parse_soft(struct event *event)
{
	event->levels = LEVEL_USER | LEVEL_KERNEL;
	event->has_level = true;
	if (event->soft == SOFT_TASK_CLOCK)
		event->meaning = MEANS_TIME;
	return 0;
}

static int parse_event(struct event *event, unsigned int levels)
{
	size_t digits = raw_digits(event->name);

	if (!event->name[0])
		return diag(
			"empty event name; separate the events by single commas");
	event->soft = alias_soft(event->name);
	if (event->soft)
		return parse_soft(event);
	if (precise_is_unit(event->name))
		return precise_parse_unit(event, levels);
	if (kernel_pmu_has(event->name))
		return parse_kernel(event);
	if (digits ? parse_raw(event, digits, levels) :
		     parse_named(event, levels))
		return -1;
	if (event->modifiers.precise)
		return precise_choose(event);
	if (event->coding.kind == CODING_LATENCY)
		return diag(
			"event %s: counts with precise samples (PEBS) only; use pfmon record, and write p behind the name",
			event->name);
	return 0;
}

static int append(struct event_list *list, const char *name, size_t len)
{
	struct event *grown;

	grown = realloc(list->events, (list->count + 1) * sizeof(*grown));
	if (!grown)
		return diag("out of memory");
	list->events = grown;
	grown[list->count] = (struct event){ .name = strndup(name, len) };
	if (!grown[list->count].name)
		return diag("out of memory");
	if (!terms_is(grown[list->count].name))
		alias_spell_kind(grown[list->count].name);
	list->count++;
	return 0;
}

/* Where a list is between its events. */
struct place {
	int set;
	int groups; /* so many have begun */
	bool in_group;
};

/* The marks behind an event, up to the next one. NULL after a message. */
static const char *skip_marks(struct place *place, const char *text)
{
	if (*text == '}') {
		if (!place->in_group)
			return diag("event list: } without {"), NULL;
		place->in_group = false;
		text++;
	}
	if (!*text)
		return text;
	if (*text != ',' && *text != ';')
		return diag("event list: %s: a comma must follow the group",
			    text),
		       NULL;
	if (place->in_group && *text == ';')
		return diag("event list: a group is in one set"), NULL;
	place->set += *text == ';';
	return text + 1;
}

static const char *begin_group(struct place *place, const char *text)
{
	if (*text != '{')
		return text;
	if (place->in_group)
		return diag("event list: { in a group"), NULL;
	place->in_group = true;
	place->groups++;
	return text + 1;
}

int events_parse(struct event_list *list, const char *text, unsigned int levels)
{
	struct place place = { .set = 0 };

	*list = (struct event_list){ 0 };
	for (;;) {
		struct event *event;
		size_t len;

		text = begin_group(&place, text);
		if (!text)
			return -1;
		len = terms_length(text);
		if (append(list, text, len))
			return -1;
		event = &list->events[list->count - 1];
		event->set = place.set;
		event->group = place.in_group ? place.groups : 0;
		if (parse_event(event, levels))
			return -1;
		text += len;
		if (!*text && place.in_group)
			return diag("event list: { without }");
		if (!*text)
			return 0;
		text = skip_marks(&place, text);
		if (!text)
			return -1;
		if (!*text && text[-1] == '}')
			return 0;
	}
}

void events_free(struct event_list *list)
{
	for (int i = 0; i < list->count; i++) {
		free(list->events[i].name);
		free(list->events[i].full_name);
		kernel_pmu_free(list->events[i].kernel);
	}
	free(list->events);
	*list = (struct event_list){ 0 };
}

int events_hardware(const struct event_list *list, struct event_list *hardware)
{
	hardware->count = 0;
	hardware->events =
		calloc((size_t)list->count + 1, sizeof(*hardware->events));
	if (!hardware->events)
		return diag("out of memory");
	for (int i = 0; i < list->count; i++) {
		if (!list->events[i].soft)
			hardware->events[hardware->count++] = list->events[i];
	}
	return 0;
}
