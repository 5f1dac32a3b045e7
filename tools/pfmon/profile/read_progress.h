/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far the reading of a file of samples is, shown on a terminal where the file is
 * so large that somebody would ask.
 */
#ifndef PFMON_READ_PROGRESS_H
#define PFMON_READ_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of a file that is large. */
#define PROGRESS_LARGE (32u << 20)

struct progress {
	bool wanted; /* stderr is a terminal */
	bool again; /* the file is read once more */
	uint64_t size; /* 0: of a pipe, which tells none */
	uint64_t shown; /* percent, or how many times PROGRESS_LARGE */
};

void progress_begin(struct progress *progress, FILE *in, bool again);

/* So many bytes were read of the file. */
void progress_tell(struct progress *progress, const char *name,
		   uint64_t offset);

#endif /* PFMON_READ_PROGRESS_H */
