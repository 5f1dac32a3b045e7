/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call chains by copies of stacks: while samples are recorded they go through a program
 * that finds the callers, and writes the file (profile/copies.h).
 */
#ifndef PFMON_UNWINDING_H
#define PFMON_UNWINDING_H

#include <stdbool.h>

#include "profile/writer.h"

struct unwinding {
	bool running;
	int file; /* what is written in the end */
	int copy; /* of it, -1: none */
	int samples; /* what goes to the program */
	int state; /* tells what it has written */
};

/*
 * Starts the program, which writes to the file, and to the copy unless that is -1. It
 * compresses at a level, 0: not at all. Samples are to be written to unwinding.samples
 * from the file's begin on. 0; -1 with errno, ENOSYS: no program of this pfmon finds
 * callers.
 */
int unwinding_begin(struct unwinding *unwinding, int file, int copy,
		    unsigned int level);

/*
 * The writer wrote all samples there. Waits for the program, and lets the writer go on in
 * the file. 0, or -1 with errno: it could not be written.
 */
int unwinding_end(struct unwinding *unwinding, struct writer *writer);

/* Closes what is open, if it did not come to the end. */
void unwinding_close(struct unwinding *unwinding);

#endif /* PFMON_UNWINDING_H */
