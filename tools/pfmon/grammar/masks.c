// SPDX-License-Identifier: GPL-2.0-only
/* Values for the events of a set, see masks.h. */
#include "grammar/masks.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"

static const char *const names[] = {
	[OPT_PRIV_LEVELS - OPT_MASKS] = "--priv-levels",
	[OPT_COUNTER_MASK - OPT_MASKS] = "--counter-mask",
	[OPT_INV_MASK - OPT_MASKS] = "--inv-mask",
	[OPT_EDGE_MASK - OPT_MASKS] = "--edge-mask",
	[OPT_GUEST_MASK - OPT_MASKS] = "--guest-mask",
	[OPT_HOST_MASK - OPT_MASKS] = "--host-mask",
};

/* Of those that are on or off. */
static const char letters[] = {
	[OPT_INV_MASK - OPT_MASKS] = 'i',
	[OPT_EDGE_MASK - OPT_MASKS] = 'e',
	[OPT_GUEST_MASK - OPT_MASKS] = 'g',
	[OPT_HOST_MASK - OPT_MASKS] = 'h',
};

static int bad_value(int option, const char *value)
{
	return diag("%s: %s: not a value of it", names[option - OPT_MASKS],
		    value);
}

/* Levels by letters, or by numbers as processors have them. */
static int put_levels(const char *value, char modifier[16])
{
	bool user = false, kernel = false;

	for (const char *c = value; *c; c++) {
		if (*c == 'u' || *c == '3')
			user = true;
		else if (*c == 'k' || *c == '0')
			kernel = true;
		else
			return bad_value(OPT_PRIV_LEVELS, value);
	}
	snprintf(modifier, 16, ":%s%s", user ? "u" : "", kernel ? "k" : "");
	return 0;
}

static int put_threshold(const char *value, char modifier[16])
{
	size_t digits = strspn(value, "0123456789");

	if (value[digits] || digits > 3)
		return bad_value(OPT_COUNTER_MASK, value);
	/* Zero is none. */
	if (strspn(value, "0") != digits)
		snprintf(modifier, 16, ":c=%.3s", value);
	return 0;
}

/* The modifier that a value is, "" for none. */
static int modifier_of(int option, const char *value, char modifier[16])
{
	*modifier = '\0';
	if (!*value)
		return 0;
	if (option == OPT_PRIV_LEVELS)
		return put_levels(value, modifier);
	if (option == OPT_COUNTER_MASK)
		return put_threshold(value, modifier);
	if (!strcmp(value, "n") || !strcmp(value, "0"))
		return 0;
	if (strcmp(value, "y") != 0 && strcmp(value, "1") != 0)
		return bad_value(option, value);
	snprintf(modifier, 16, ":%c", letters[option - OPT_MASKS]);
	return 0;
}

/* Where the event ends: at a comma, or the end of a group or of all. */
static char *end_of(char *event)
{
	return event + strcspn(event, ",}");
}

static int insert(struct request *request, char *at, const char *modifier)
{
	size_t length = strlen(modifier), rest = strlen(at);
	size_t used = (size_t)(at - request->event_lists) + rest + 1;

	if (used + length > sizeof(request->event_lists))
		return diag("-e: too many events");
	memmove(at + length, at, rest + 1);
	memcpy(at, modifier, length);
	return 0;
}

/* The next value, up to a comma. NULL: there is none, or it is too long. */
static const char *next_value(const char **values, char value[16])
{
	size_t length = strcspn(*values, ",");

	if (length >= 16)
		return NULL;
	memcpy(value, *values, length);
	value[length] = '\0';
	*values += length;
	if (**values)
		++*values;
	else
		*values = NULL;
	return value;
}

int masks_take(struct request *request, int option, const char *values)
{
	const char *name = names[option - OPT_MASKS];
	char *event, value[16], modifier[16];

	if (!request->events)
		return diag("%s: behind the events that it is for", name);
	event = strrchr(request->event_lists, ';');
	event = event ? event + 1 : request->event_lists;
	while (values) {
		char *end;

		if (!event)
			return diag("%s: more values than events", name);
		if (!next_value(&values, value))
			return diag("%s: not a list of values", name);
		if (modifier_of(option, value, modifier))
			return -1;
		end = end_of(event);
		if (insert(request, end, modifier))
			return -1;
		end += strlen(modifier);
		end += *end == '}';
		event = *end == ',' ? end + 1 : NULL;
	}
	return 0;
}
