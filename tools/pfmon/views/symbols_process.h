/* SPDX-License-Identifier: GPL-2.0-only */
/* The symbols of one image, found by a process that may fail. */
#ifndef PFMON_SYMBOLS_PROCESS_H
#define PFMON_SYMBOLS_PROCESS_H

#include <stdio.h>

#include "symbols/functions.h"

/*
 * Writes a chunk of the symbols that cover these places, which are ascending and of one
 * image; or one that tells why there are none; or nothing, if none covers a place. A
 * file that cannot be read within symbols_seconds and SYMBOLS_BYTES has none. After the
 * first that has not answered, others get a second.
 */
void symbols_of_image(const struct place *const *places, size_t count,
		      FILE *out);

/* 30; tests have no patience. */
extern int symbols_seconds;
#define SYMBOLS_BYTES (1UL << 30)

#endif /* PFMON_SYMBOLS_PROCESS_H */
