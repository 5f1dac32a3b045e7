/* SPDX-License-Identifier: GPL-2.0-only */
/* Regular expressions that users write: of programs to follow, of events to list. */
#ifndef PFMON_EVENTS_PATTERN_H
#define PFMON_EVENTS_PATTERN_H

#include <regex.h>

/*
 * Compiles an extended regular expression that ignores case; the caller frees it by
 * regfree().
 *
 * Returns NULL, or why it cannot be: then there is nothing to free.
 */
const char *pattern_compile(const char *text, regex_t *compiled);

#endif
