// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading the chunks of a file of samples, see read_chunks.h. Lengths come from the
 * file: memory is asked for only as bytes arrive, so that a false length costs none.
 */
#include "profile/read_chunks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "diag.h"
#include "profile/crc32c.h"
#include "profile/pfmd.h"

/* A chunk is a buffer of samples or a list of names. */
#define PAYLOAD_MAX (1ULL << 30)
#define FIRST_CAPACITY (64 * 1024)
/* Of PFMD_UNPACKED_MAX: what a frame may ask for beside its bytes. */
#define WINDOW_LOG_MAX 26

/* How many bytes were there; the checksum has them. */
static size_t take(struct chunks *chunks, void *bytes, size_t size)
{
	size_t got = fread(bytes, 1, size, chunks->in);

	if (!chunks->again)
		chunks->crc = crc32c(chunks->crc, bytes, got);
	if (chunks->copy)
		fwrite(bytes, 1, got, chunks->copy);
	chunks->offset += got;
	progress_tell(&chunks->progress, chunks->name, chunks->offset);
	return got;
}

int chunks_open_stream(struct chunks *chunks, FILE *in, const char *name)
{
	char magic[PFMD_MAGIC_SIZE] = "";

	*chunks = (struct chunks){ .in = in, .name = name };
	progress_begin(&chunks->progress, in, false);
	if (take(chunks, magic, sizeof(magic)) == sizeof(magic) &&
	    !memcmp(magic, PFMD_MAGIC, sizeof(magic)))
		return 0;
	if (ferror(in))
		diag("%s: cannot be read: %s", name, strerror(errno));
	else if (!memcmp(magic, "PERFILE2", sizeof(magic)))
		diag("%s: a file of perf record; pfmon reads those of pfmon record",
		     name);
	else
		diag("%s: not a file of samples; pfmon record writes them",
		     name);
	chunks_close(chunks);
	return -1;
}

int chunks_open(struct chunks *chunks, const char *name)
{
	FILE *in;

	if (!strcmp(name, "-"))
		return chunks_open_stream(chunks, stdin, "standard input");
	in = fopen(name, "re");
	if (!in)
		return diag("%s: cannot be opened: %s", name, strerror(errno));
	return chunks_open_stream(chunks, in, name);
}

static int grow(uint8_t **bytes, size_t *capacity, size_t least)
{
	size_t wanted = *capacity ? *capacity : FIRST_CAPACITY;
	uint8_t *more;

	if (least <= *capacity)
		return 0;
	while (wanted < least)
		wanted *= 2;
	more = realloc(*bytes, wanted);
	if (!more)
		return -1;
	*bytes = more;
	*capacity = wanted;
	return 0;
}

/* Where the file breaks off is its end; who reads it again knows where. */
static int broken_off(struct chunks *chunks, uint64_t offset)
{
	if (ferror(chunks->in))
		return diag("%s: cannot be read: %s", chunks->name,
			    strerror(errno));
	if (!chunks->again)
		diag("note: %s: breaks off at byte %" PRIu64
		     "; what follows is of what was written before",
		     chunks->name, offset);
	return 0;
}

static int no_memory(const struct chunks *chunks)
{
	return diag("%s: no memory for it", chunks->name);
}

/* 1 if all of it was there. */
static int take_payload(struct chunks *chunks, uint64_t length, uint64_t offset)
{
	static uint8_t padding[PFMD_ALIGN];
	size_t pad = (size_t)(-length % PFMD_ALIGN);
	size_t have = 0;

	while (have < length) {
		size_t room = chunks->capacity - have;
		size_t part;

		if (!room) {
			if (grow(&chunks->payload, &chunks->capacity, have + 1))
				return no_memory(chunks);
			continue;
		}
		part = length - have < room ? (size_t)length - have : room;
		if (take(chunks, chunks->payload + have, part) < part)
			return broken_off(chunks, offset);
		have += part;
	}
	if (take(chunks, padding, pad) < pad)
		return broken_off(chunks, offset);
	return 1;
}

#ifdef HAVE_ZSTD
static int bad_frame(const struct chunks *chunks, const struct chunk *chunk,
		     const char *what)
{
	return diag("%s: byte %" PRIu64 ": %s", chunks->name, chunk->offset,
		    what);
}

/* One frame and nothing behind it. 0, or -1 after a message. */
static int unpack_frame(struct chunks *chunks, struct chunk *chunk,
			ZSTD_DStream *stream)
{
	ZSTD_inBuffer in = { chunk->payload, chunk->length, 0 };
	ZSTD_outBuffer out = { NULL, 0, 0 };
	size_t left = 1;

	ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
	while (left) {
		if (grow(&chunks->unpacked, &chunks->unpacked_capacity,
			 out.pos + 1))
			return no_memory(chunks);
		out.dst = chunks->unpacked;
		out.size = chunks->unpacked_capacity;
		left = ZSTD_decompressStream(stream, &out, &in);
		if (ZSTD_isError(left) ||
		    (left && in.pos == in.size && out.pos < out.size))
			return bad_frame(chunks, chunk,
					 "what was compressed is damaged");
		if (out.pos > PFMD_UNPACKED_MAX)
			return bad_frame(chunks, chunk,
					 "a compressed chunk is too large");
	}
	if (in.pos < in.size)
		return bad_frame(chunks, chunk,
				 "something follows what was compressed");
	chunk->payload = chunks->unpacked;
	chunk->length = out.pos;
	return 0;
}

static int unpack(struct chunks *chunks, struct chunk *chunk)
{
	unsigned long long size =
		ZSTD_getFrameContentSize(chunk->payload, chunk->length);
	ZSTD_DStream *stream;
	int ret;

	if (size != ZSTD_CONTENTSIZE_UNKNOWN &&
	    size != ZSTD_CONTENTSIZE_ERROR && size > PFMD_UNPACKED_MAX)
		return bad_frame(chunks, chunk,
				 "a compressed chunk is too large");
	stream = ZSTD_createDStream();
	ret = stream ? unpack_frame(chunks, chunk, stream) : no_memory(chunks);
	ZSTD_freeDStream(stream);
	return ret;
}
#else
static int unpack(struct chunks *chunks, struct chunk *chunk)
{
	(void)chunk;
	return diag("%s: is compressed; not built in: libzstd", chunks->name);
}
#endif

static int check_end(struct chunks *chunks, const struct chunk *chunk)
{
	struct pfmd_end end;

	if (chunk->length < sizeof(end))
		return diag("%s: byte %" PRIu64 ": END is too short",
			    chunks->name, chunk->offset);
	memcpy(&end, chunk->payload, sizeof(end));
	if (end.crc32c != chunks->crc_before)
		return diag("%s: is damaged: its checksum is another",
			    chunks->name);
	chunks->complete = true;
	return 1;
}

int chunks_next(struct chunks *chunks, struct chunk *chunk)
{
	struct pfmd_chunk header;
	int ret;

	if (chunks->complete)
		return 0;
	do {
		chunks->crc_before = chunks->crc;
		chunk->offset = chunks->offset;
		if (take(chunks, &header, sizeof(header)) < sizeof(header))
			return broken_off(chunks, chunk->offset);
		if (header.length > PAYLOAD_MAX)
			return diag("%s: byte %" PRIu64
				    ": is damaged: a chunk of %" PRIu64
				    " bytes",
				    chunks->name, chunk->offset, header.length);
		ret = take_payload(chunks, header.length, chunk->offset);
		if (ret <= 0)
			return ret;
	} while (header.flags & ~(uint32_t)PFMD_ZSTD);

	chunk->type = header.type;
	chunk->payload = chunks->payload;
	chunk->length = (size_t)header.length;
	if (header.flags & PFMD_ZSTD && unpack(chunks, chunk))
		return -1;
	return chunk->type == PFMD_END ? check_end(chunks, chunk) : 1;
}

void chunks_close(struct chunks *chunks)
{
	diag_progress_end();
	if (chunks->in && chunks->in != stdin)
		fclose(chunks->in);
	chunks->in = NULL;
	free(chunks->payload);
	free(chunks->unpacked);
	chunks->payload = NULL;
	chunks->unpacked = NULL;
}
