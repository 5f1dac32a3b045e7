/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that libpfm has no name for, by what their counter has to be told: perf's
 * generic events and the manufacturers' names.
 */
#ifndef PFMON_CODED_H
#define PFMON_CODED_H

#include <stddef.h>

#include "events/alias.h"
#include "events/modifiers.h"
#include "names/coding.h"

enum coded_result {
	CODED_UNKNOWN, /* no such name */
	CODED_FOUND,
	CODED_REFUSED, /* after a message: it cannot be counted */
};

/*
 * Looks a name of len characters up, without modifiers; messages name the event as it
 * was written. What it is called in reports is in *full_name, to be freed. Needs
 * tables_init() before.
 */
enum coded_result coded_find(const char *name, size_t len,
			     const char *as_written, struct coding *coding,
			     char **full_name);

/*
 * Lets only CPUs of a kind ("cpu_core/", "cpu_atom/") count it. Returns 0, or -1 after a
 * message: the processor has no such CPUs.
 */
int coded_of_kind(struct coding *coding, const char *kind,
		  const char *as_written);

/*
 * Puts modifiers into the selector. Returns 0, or -1 after a message: it cannot be
 * counted so.
 */
int coded_modify(struct coding *coding, const struct modifiers *modifiers,
		 const char *as_written);

/* What it means, as far as other lines of a report can be divided by it. */
enum event_meaning coded_meaning(const struct coding *coding);

/* "cpu/event=0xc0,umask=0x1/", as perf would write it; to be freed. */
char *coded_spell(const struct coding *coding);

#endif /* PFMON_CODED_H */
