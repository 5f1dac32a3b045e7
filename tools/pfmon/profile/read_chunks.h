/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The chunks of a file of samples, one after the other, of a file or of a pipe.
 * What a chunk has inside is for read_records.h.
 */
#ifndef PFMON_READ_CHUNKS_H
#define PFMON_READ_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/read_progress.h"

struct chunk {
	uint32_t type; /* enum pfmd_type, or a type of a later version */
	const uint8_t *payload; /* valid until the next one is read */
	size_t length;
	uint64_t offset; /* of its header, for messages */
};

struct chunks {
	FILE *in;
	FILE *copy; /* gets what is read; NULL: nobody needs it again */
	const char *name;
	bool again; /* has been read and found right */
	uint64_t offset; /* bytes that were read */
	uint32_t crc; /* of them */
	uint32_t crc_before; /* of those before the current chunk */
	bool complete; /* END was read */
	uint8_t *payload;
	size_t capacity;
	uint8_t *unpacked;
	size_t unpacked_capacity;
	struct progress progress;
};

/* "-" is the standard input. 0, or -1 after a message. */
int chunks_open(struct chunks *chunks, const char *name);

/* The same of a stream, which chunks_close() closes. */
int chunks_open_stream(struct chunks *chunks, FILE *in, const char *name);

/*
 * 1: the next chunk; 0: there is none, and END was the last one or a message says
 * where the file breaks off; -1 after a message. Chunks with flags that nobody
 * knows are skipped.
 */
int chunks_next(struct chunks *chunks, struct chunk *chunk);

void chunks_close(struct chunks *chunks);

#endif /* PFMON_READ_CHUNKS_H */
