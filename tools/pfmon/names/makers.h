/* SPDX-License-Identifier: GPL-2.0-only */
/* The manufacturers' own names of events, as of their event files: INST_RETIRED.ANY. */
#ifndef PFMON_MAKERS_H
#define PFMON_MAKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "names/coding.h"
#include "names/processor.h"

#define MAKERS_NAME_MAX 96

/*
 * What a kind of core counts by a name of len characters, in any case, and the name as
 * the file has it, in capitals. False: its file has none, or the library has it.
 */
bool makers_find(const char *name, size_t len,
		 const struct processor *processor, bool atom,
		 struct coding *coding, char canonical[MAKERS_NAME_MAX]);

#endif /* PFMON_MAKERS_H */
