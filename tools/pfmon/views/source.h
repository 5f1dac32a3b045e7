/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of source files. */
#ifndef PFMON_SOURCE_H
#define PFMON_SOURCE_H

#include <stddef.h>

/* The file that was asked for last; zeros are none. */
struct source {
	char *path;
	char *text;
	size_t size;
};

/*
 * Line, from 1 on, without its end; valid until the next call. "" if the file does
 * not have it or cannot be read.
 */
const char *source_line(struct source *source, const char *path, int line);
void source_free(struct source *source);

#endif /* PFMON_SOURCE_H */
