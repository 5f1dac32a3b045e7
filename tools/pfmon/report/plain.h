/* SPDX-License-Identifier: GPL-2.0-only */
/* Names in lines of text, whatever their owners have put into them. */
#ifndef PFMON_PLAIN_H
#define PFMON_PLAIN_H

#include <stddef.h>
#include <stdio.h>

/*
 * Copies a name, cut to the size, with "?" for each control character, which would
 * break the line or speak to the terminal. Returns copy.
 */
char *plain(const char *name, char *copy, size_t size);

/* Writes it, of any length, with blanks behind it up to a width. */
void plain_write(const char *name, int width, FILE *out);

#endif /* PFMON_PLAIN_H */
