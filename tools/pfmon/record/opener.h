/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files in a thread, so that waiting for them has an end. A file system that does
 * not answer is asked nothing more.
 */
#ifndef PFMON_OPENER_H
#define PFMON_OPENER_H

#include <stdbool.h>

#include "profile/pfmd.h"

struct opener_work;

/* Zeros are one that has done nothing yet. */
struct opener {
	struct opener_work *work; /* NULL: there is no thread */
	int asks; /* the end of a pipe; the thread ends when it is closed */
	bool stuck;
};

/* A file that is asked for. */
struct opener_wish {
	int pid; /* who has mapped it */
	uint64_t begin, end; /* where */
	const char *path;
	uint8_t build_id[PFMD_BUILD_ID_SIZE]; /* what it has to have, zeros: any */
	uint64_t ino; /* the same, 0: any */
};

struct opener_answer {
	int fd; /* of the file, which the caller closes; -1: it is not there */
	uint8_t build_id[PFMD_BUILD_ID_SIZE];
	struct pfmd_file file;
};

/*
 * Opens the file as the process has mapped it, whatever has its name now. The answer
 * has no descriptor if it cannot be read, or not within OPENER_SECONDS, which is said.
 */
void opener_ask(struct opener *opener, const struct opener_wish *wish,
		struct opener_answer *answer);

#define OPENER_SECONDS 2

/* Lets the thread end when it has done what it was asked. */
void opener_close(struct opener *opener);

#endif /* PFMON_OPENER_H */
