// SPDX-License-Identifier: GPL-2.0-only
/* Parsing of event lists, see event.h. */
#include "event.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "constraints.h"
#include "diag.h"
#include "selector.h"
#include "tables.h"

#define RAW_DIGITS_MAX 16
#define ALL_COUNTERS UINT32_MAX

static uint64_t level_bits(unsigned int levels)
{
	return (levels & LEVEL_USER ? SEL_USR : 0) |
	       (levels & LEVEL_KERNEL ? SEL_OS : 0);
}

unsigned int event_levels(const struct event *event)
{
	return (event->selector & SEL_USR ? LEVEL_USER : 0) |
	       (event->selector & SEL_OS ? LEVEL_KERNEL : 0);
}

const char *event_level_name(const struct event *event)
{
	switch (event_levels(event)) {
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

/* ":u", ":k" and both; they replace the levels in the value. */
static int parse_raw_modifiers(struct event *event, const char *text)
{
	unsigned int levels = 0;

	for (; *text; text += 2) {
		char which = (char)tolower((unsigned char)text[1]);

		if (text[0] != ':' || (which != 'u' && which != 'k'))
			return diag(
				"event %s: unknown modifier %s; a raw event takes :u and :k",
				event->name, text);
		levels |= which == 'u' ? LEVEL_USER : LEVEL_KERNEL;
	}
	if (levels)
		event->selector = (event->selector & ~(SEL_USR | SEL_OS)) |
				  level_bits(levels);
	return 0;
}

static int parse_raw(struct event *event, size_t digits)
{
	const char *text = event->name + 1;

	if (digits > RAW_DIGITS_MAX)
		return diag(
			"event %s: more than 64 bits; give at most %d digits",
			event->name, RAW_DIGITS_MAX);
	event->selector = strtoull(text, NULL, 16);
	return parse_raw_modifiers(event, text + digits);
}

static int parse_event(struct event *event, unsigned int levels)
{
	size_t digits = raw_digits(event->name);
	int ret;

	if (!event->name[0])
		return diag(
			"empty event name; separate the events by single commas");
	if (digits)
		ret = parse_raw(event, digits);
	else
		ret = tables_encode(event->name, levels & LEVEL_USER,
				    levels & LEVEL_KERNEL, &event->selector,
				    &event->full_name);
	if (ret)
		return ret;

	if (!event_levels(event))
		event->selector |= level_bits(levels);
	event->selector |= SEL_ENABLE | SEL_INT;
	event->counters = constraints_counters(tables_pmu(), event->selector);
	return 0;
}

static int append(struct event_list *list, const char *name, size_t len)
{
	struct event *grown;

	grown = realloc(list->events, (list->count + 1) * sizeof(*grown));
	if (!grown)
		return diag("out of memory");
	list->events = grown;
	grown[list->count] = (struct event){ .name = strndup(name, len),
					     .counters = ALL_COUNTERS };
	if (!grown[list->count].name)
		return diag("out of memory");
	list->count++;
	return 0;
}

int events_parse(struct event_list *list, const char *text, unsigned int levels)
{
	*list = (struct event_list){ 0 };
	for (;;) {
		size_t len = strcspn(text, ",");

		if (append(list, text, len) ||
		    parse_event(&list->events[list->count - 1], levels))
			return -1;
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

void events_free(struct event_list *list)
{
	for (int i = 0; i < list->count; i++) {
		free(list->events[i].name);
		free(list->events[i].full_name);
	}
	free(list->events);
	*list = (struct event_list){ 0 };
}
