// SPDX-License-Identifier: GPL-2.0-only
/* Parsing of event lists, see event.h. */
#include "events/event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/selector.h"
#include "events/tables.h"

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
	event->levels = levels;
	return 0;
}

static int parse_raw(struct event *event, size_t digits, unsigned int levels)
{
	const char *text = event->name + 1;

	if (digits > RAW_DIGITS_MAX)
		return diag(
			"event %s: more than 64 bits; give at most %d digits",
			event->name, RAW_DIGITS_MAX);
	event->selector = strtoull(text, NULL, 16);
	if (parse_raw_modifiers(event, text + digits))
		return -1;
	if (!event->levels)
		event->levels = levels_in(event->selector);
	if (!event->levels)
		event->levels = levels;
	event->selector &= ~(SEL_USR | SEL_OS);
	event->selector |= level_bits(event->levels) | SEL_ENABLE | SEL_INT;
	return 0;
}

/*
 * The name without its modifiers, to be freed: an item behind a colon is one
 * unless the event has a unit mask of this name.
 */
static char *take_modifiers(struct event *event)
{
	size_t len = strcspn(event->name, ":");
	char *name = malloc(strlen(event->name) + 1);
	char *base = strndup(event->name, len);
	const char *item = event->name;

	if (!name || !base) {
		free(name);
		free(base);
		return NULL;
	}
	strcpy(name, base);
	while (*(item += len)) {
		len = strcspn(++item, ":");
		if (tables_has_mask(base, item, len) ||
		    !modifiers_parse(&event->modifiers, item, len))
			strncat(strcat(name, ":"), item, len);
	}
	free(base);
	return name;
}

static int parse_named(struct event *event, unsigned int levels)
{
	char *name = take_modifiers(event);
	int ret;

	if (!name)
		return diag("out of memory");
	ret = tables_find(name, event->name, &event->found, &event->full_name);
	free(name);
	event->levels = event->modifiers.levels;
	if (!event->levels)
		event->levels = levels;
	event->found.plm = (event->levels & LEVEL_USER ? PFM_PLM3 : 0) |
			   (event->levels & LEVEL_KERNEL ? PFM_PLM0 : 0);
	return ret;
}

static int parse_event(struct event *event, unsigned int levels)
{
	size_t digits = raw_digits(event->name);

	if (!event->name[0])
		return diag(
			"empty event name; separate the events by single commas");
	return digits ? parse_raw(event, digits, levels) :
			parse_named(event, levels);
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
