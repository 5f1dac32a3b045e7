/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where reports are written. Everything that can fail does so before the
 * command runs; a regular file has its name only when it is complete.
 */
#ifndef PFMON_OUTPUT_H
#define PFMON_OUTPUT_H

#include <limits.h>

#include "request.h"

struct output {
	FILE *stream; /* NULL: not open */
	bool is_stderr;
	char name[PATH_MAX]; /* to be renamed to; "": no new file */
	char temporary[PATH_MAX];
};

/* 0, or -1 after a message. */
int output_open(struct output *output, const struct destination *destination);

/*
 * Ends the file: it gets its name if complete is true, and goes otherwise.
 * 0, or -1 after a message.
 */
int output_close(struct output *output, bool complete);

/*
 * The name with %h (host), %p (pfmon's process id), %r (rank), %j (job) and %%
 * replaced; of a parallel program, a name without %r gets its rank at the end.
 * 0, or -1 after a message.
 */
int output_expand(const char *name, char *text, size_t size);

#endif /* PFMON_OUTPUT_H */
