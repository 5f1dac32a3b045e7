/* SPDX-License-Identifier: GPL-2.0-only */
/* perf's generic events, which each processor counts as Linux does: cache-misses. */
#ifndef PFMON_GENERIC_H
#define PFMON_GENERIC_H

#include <stdbool.h>
#include <stddef.h>

#include "names/coding.h"
#include "names/processor.h"

/*
 * The number of a generic event by a name of len characters, in any case and any of
 * perf's spellings: "LLC-load-misses". -1: it is none.
 */
int generic_number(const char *name, size_t len);

/*
 * What a kind of core counts for it, and the manufacturer's name for that ("" if there
 * is none). False: it has no event for it.
 */
bool generic_find(int number, const struct processor *processor, bool atom,
		  struct coding *coding, const char **native);

#endif /* PFMON_GENERIC_H */
