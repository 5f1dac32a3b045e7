/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing a file of samples (pfmd.h): whole chunks, one after the other, so that
 * what was written can be read whenever the writer ends.
 *
 * An error of writing is kept, and nothing more is written; the first call that
 * meets it and all that follow return -1 with its errno.
 */
#ifndef PFMON_WRITER_H
#define PFMON_WRITER_H

#include <stdbool.h>
#include <sys/uio.h>

#include "profile/pfmd.h"

/* Of which a payload consists at most. */
#define WRITER_PARTS_MAX 6

/* What the copy of a file that cannot be read again has at most, in bytes. */
#define WRITER_COPY_MAX (256UL << 20)

struct writer {
	int fd;
	/*
	 * Compresses the parts of samples. Returns the size, 0: they are not to be
	 * compressed. NULL: nothing is.
	 */
	size_t (*pack)(const struct iovec *parts, int count,
		       const void **packed);
	bool has_copy; /* what is written goes to copy as well */
	int copy; /* -1: there is none */
	int error; /* 0: none */
	uint32_t crc;
	uint64_t samples; /* for END: the caller adds what it writes */
	uint64_t bytes;
};

/* Begins the file with its magic. The descriptor stays the caller's. */
int writer_begin(struct writer *writer, int fd);

/*
 * Keeps a copy, too, of what is written from now on, after the magic. It ends early if
 * it cannot be written, or has WRITER_COPY_MAX; has_copy is false then.
 */
void writer_copy(struct writer *writer, int copy);

/* A chunk whose payload is the parts, without a gap. */
int writer_chunk(struct writer *writer, enum pfmd_type type,
		 const struct iovec *parts, int count);

/* A chunk of text, without its final zero. */
int writer_text(struct writer *writer, enum pfmd_type type, const char *text);

/* What is known of a task; a NULL name is "". */
int writer_task(struct writer *writer, const struct pfmd_task *task,
		const char *comm);

/* A mapping; file may be NULL. */
int writer_map(struct writer *writer, const struct pfmd_map *map,
	       const char *path, const struct pfmd_file *file);

/* The last chunk. */
int writer_end(struct writer *writer);

#endif /* PFMON_WRITER_H */
