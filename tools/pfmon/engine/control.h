/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --control: lines from a file that say when to count, as perf stat takes them, and
 * the answers. One who measures a part of a program writes "enable" before it.
 */
#ifndef PFMON_CONTROL_H
#define PFMON_CONTROL_H

#include <stddef.h>

#define CONTROL_LINE_MAX 64

enum control_verb {
	CONTROL_NONE, /* no line is complete */
	CONTROL_UNKNOWN,
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_RESET,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
};

struct control {
	int in; /* -1: there is none, or nobody writes any more */
	int out; /* -1: no answers */
	char line[CONTROL_LINE_MAX];
	size_t used;
};

/*
 * Opens what the option names: "fd:IN[,OUT]" or "fifo:IN[,OUT]". 0, or -1 after a
 * message; control_close() may follow in both cases.
 */
int control_open(struct control *control, const char *spec);
void control_close(struct control *control);

/* The next line, without waiting. */
enum control_verb control_take(struct control *control);

/* "ack", or "nak" with the refusal if that is not NULL. */
void control_answer(const struct control *control, const char *refusal);

#endif /* PFMON_CONTROL_H */
