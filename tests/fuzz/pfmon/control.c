// SPDX-License-Identifier: GPL-2.0-only
/*
 * What somebody writes into the file of --control, of any kind, in pieces whose size
 * the first byte says: each line is one command or none, as a reader that has all of
 * it would say.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/control.h"

/* A pipe has room for it. */
#define INPUT_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum control_verb expected(const uint8_t *line, size_t size)
{
	static const char *const words[] = { "enable",	 "disable", "reset",
					     "snapshot", "stop",    "ping" };

	for (int i = 0; i < 6; i++) {
		if (strlen(words[i]) == size && !memcmp(words[i], line, size))
			return (enum control_verb)(CONTROL_ENABLE + i);
	}
	return CONTROL_UNKNOWN;
}

/* Takes the lines that end among the bytes; returns where the next one begins. */
static const uint8_t *look_at(struct control *control, const uint8_t *line,
			      const uint8_t *end)
{
	const uint8_t *mark;

	while ((mark = memchr(line, '\n', (size_t)(end - line)))) {
		if (control_take(control) !=
		    expected(line, (size_t)(mark - line))) {
			fputs("a line that is taken for another\n", stderr);
			abort();
		}
		line = mark + 1;
	}
	if (control_take(control) != CONTROL_NONE) {
		fputs("a line that has no end\n", stderr);
		abort();
	}
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct control control = { .out = -1 };
	const uint8_t *line = data + 1;
	int ends[2];

	if (size < 2 || size > INPUT_MAX)
		return 0;
	if (pipe(ends))
		abort();
	control.in = ends[0];
	for (size_t at = 1; at < size;) {
		size_t piece = (size_t)*data + 1;

		if (piece > size - at)
			piece = size - at;
		if (write(ends[1], data + at, piece) != (ssize_t)piece)
			abort();
		at += piece;
		line = look_at(&control, line, data + at);
	}
	close(ends[1]);
	close(ends[0]);
	return 0;
}
