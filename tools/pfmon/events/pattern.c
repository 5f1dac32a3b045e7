// SPDX-License-Identifier: GPL-2.0-only
/*
 * regcomp(3) of what users write. The C library copies an expression for each "+", and
 * N times for {N}; those inside of others multiply, so that a line of pluses would
 * take all memory.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* Most characters after all copying, some 300 bytes of memory each. */
#define SIZE_MAX_COPIED 200000

/* Behind a bracket expression that begins at @at. */
static const char *bracket_end(const char *at)
{
	at++;
	if (*at == '^')
		at++;
	/* Here it stands for itself. */
	if (*at == ']')
		at++;
	at += strcspn(at, "]");
	return *at ? at + 1 : at;
}

/* How often {M,N} at @at copies what is before it. */
static unsigned long interval_copies(const char *at)
{
	char *end;
	unsigned long least = strtoul(at + 1, &end, 10);
	unsigned long most = *end == ',' ? strtoul(end + 1, &end, 10) : 0;

	if (most < least)
		most = least;
	return most < SIZE_MAX_COPIED ? most + 1 : SIZE_MAX_COPIED;
}

static int is_too_large(const char *text)
{
	unsigned long size = strlen(text);

	while (*text && size <= SIZE_MAX_COPIED) {
		if (*text == '[') {
			text = bracket_end(text);
			continue;
		}
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '+')
			size *= 2;
		else if (*text == '{')
			size *= interval_copies(text);
		text++;
	}
	return size > SIZE_MAX_COPIED;
}

const char *pattern_compile(const char *text, regex_t *compiled)
{
	if (is_too_large(text))
		return "too many repetitions";
	if (regcomp(compiled, text, REG_EXTENDED | REG_ICASE | REG_NOSUB))
		return "not a regular expression; see regex(7)";
	return NULL;
}
