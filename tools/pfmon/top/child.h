/* SPDX-License-Identifier: GPL-2.0-only */
/* The pfmon that counts or samples for pfmon top, and what it writes. */
#ifndef PFMON_TOP_CHILD_H
#define PFMON_TOP_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct child {
	pid_t pid; /* 0: none */
	int out; /* of its standard output */
	int messages; /* a file with what it says */
	char *text; /* that was read and not taken */
	size_t used, room;
};

/* Starts it. 0, or -1 after a message. */
int child_start(struct child *child, char *const *words);

/*
 * Reads what is there. 1: more may come, 0: that was the end, -1 after a message.
 */
int child_read(struct child *child);

/* A line that is complete, to be freed; NULL: none. */
char *child_line(struct child *child);

/*
 * Waits for its end, or makes an end of it. 0, or -1 if it has failed by itself:
 * child_explain() writes what it has said, when the standard error is no screen.
 */
int child_wait(struct child *child);
void child_stop(struct child *child);
void child_explain(const struct child *child);

#endif /* PFMON_TOP_CHILD_H */
