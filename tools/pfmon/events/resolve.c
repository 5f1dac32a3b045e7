// SPDX-License-Identifier: GPL-2.0-only
/* Events by their names, see resolve.h. */
#include "events/resolve.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "diag.h"
#include "events/coded.h"
#include "events/tables.h"

/* What the manufacturers' names of other units begin with. */
#define UNCORE "UNC_"

/*
 * The text without its modifiers and with another base, to be freed: an item behind a
 * colon is one unless the event has a unit mask of this name.
 */
static char *take_modifiers(struct event *event, const char *text,
			    const char *base)
{
	size_t len = strcspn(text, ":");
	char *name = malloc(strlen(base) + strlen(text) + 1);

	if (!name)
		return NULL;
	event->modifiers = (struct modifiers){ 0 };
	strcpy(name, base);
	while (*(text += len)) {
		len = strcspn(++text, ":");
		if (tables_has_mask(base, text, len) ||
		    !modifiers_parse(&event->modifiers, text, len))
			strncat(strcat(name, ":"), text, len);
	}
	return name;
}

/* By a name of libpfm, which base is, or the begin of it. */
static int find_named(struct event *event, const char *text, const char *base)
{
	char *name = take_modifiers(event, text, base);
	int ret;

	if (!name)
		return diag("out of memory");
	ret = tables_find(name, event->name, &event->found, &event->full_name);
	free(name);
	return ret;
}

static bool are_modifiers(const char *text, struct modifiers *modifiers)
{
	size_t len;

	*modifiers = (struct modifiers){ 0 };
	for (; *text; text += len) {
		len = strcspn(++text, ":");
		if (!modifiers_parse(modifiers, text, len))
			return false;
	}
	return true;
}

/* A name that is known, with something behind it that is no modifier. */
static enum coded_result refuse_modifiers(const struct event *event,
					  const char *name, size_t len,
					  const char *modifiers)
{
	enum coded_result result;
	struct coding coding;
	char *full_name;

	diag_quiet(true);
	result = coded_find(name, len, event->name, &coding, &full_name);
	diag_quiet(false);
	if (result != CODED_FOUND)
		return CODED_UNKNOWN;
	free(full_name);
	modifiers_refuse(
		event->name, modifiers + 1,
		"there are u, k, e, i, c=N, and as the processor has them t, g, h");
	return CODED_REFUSED;
}

/* The first part of the text that is a name with dots, up to modifiers. */
static enum coded_result find_coded(struct event *event, const char *text)
{
	char *dotted = strdup(text), *colon;
	enum coded_result result = CODED_UNKNOWN;
	size_t end = strlen(text);

	while ((colon = dotted ? strchr(dotted, ':') : NULL))
		*colon = '.';
	while (dotted && end && result == CODED_UNKNOWN) {
		if (are_modifiers(text + end, &event->modifiers))
			result = coded_find(dotted, end, event->name,
					    &event->coding, &event->full_name);
		else
			result = refuse_modifiers(event, dotted, end,
						  text + end);
		do
			end--;
		while (end && text[end] != ':');
	}
	free(dotted);
	event->by_value = result == CODED_FOUND;
	if (event->by_value &&
	    coded_modify(&event->coding, &event->modifiers, event->name))
		result = CODED_REFUSED;
	return result;
}

/* EVENT.MASK.MORE is EVENT:MASK_MORE in libpfm; to be freed. */
static char *with_colon(const char *text)
{
	char *spelled = strdup(text);
	char *dot = spelled ? strpbrk(spelled, ".:") : NULL;

	if (dot)
		*dot = ':';
	while (dot && (dot = strchr(dot, '.')))
		*dot = '_';
	return spelled;
}

/* What libpfm has of a name that is nothing else, or a message about the base. */
static int find_spelled(struct event *event, const char *text, const char *base)
{
	char *spelled = with_colon(text);
	char *begin = spelled ? strndup(spelled, strcspn(spelled, ":")) : NULL;
	int ret;

	if (!begin)
		ret = diag("out of memory");
	else if (strchr(text, '.') && tables_has_event(begin))
		ret = find_named(event, spelled, begin);
	else if (!strncasecmp(text, UNCORE, strlen(UNCORE)))
		ret = diag(
			"event %s: counted outside the cores, which pfmon does not",
			event->name);
	else
		ret = find_named(event, text, base);
	free(begin);
	free(spelled);
	return ret;
}

/* Quietly first: the masks may be a manufacturer's. */
static int find_with_masks(struct event *event, const char *text,
			   const char *base)
{
	enum coded_result result;
	int ret;

	diag_quiet(true);
	ret = find_named(event, text, base);
	diag_quiet(false);
	if (!ret)
		return 0;
	result = find_coded(event, text);
	if (result == CODED_UNKNOWN)
		return find_spelled(event, text, base);
	return result == CODED_FOUND ? 0 : -1;
}

int resolve_event(struct event *event, const char *text)
{
	char *base = strndup(text, strcspn(text, ":")), *native;
	enum coded_result result;
	bool known;
	int ret;

	if (!base)
		return diag("out of memory");
	native = tables_has_event(base) ?
			 strdup(base) :
			 alias_native(base, strlen(base), &known);
	if (native) {
		ret = find_with_masks(event, text, native);
	} else {
		result = find_coded(event, text);
		ret = result == CODED_UNKNOWN ?
			      find_spelled(event, text, base) :
		      result == CODED_FOUND ? 0 :
					      -1;
	}
	free(native);
	free(base);
	return ret;
}
