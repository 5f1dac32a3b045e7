// SPDX-License-Identifier: GPL-2.0-only
/* Writing a file of samples, see writer.h. */
#include "profile/writer.h"

#include <errno.h>
#include <string.h>

#include "profile/crc32c.h"

/* The header before a payload, and zeros behind it. */
#define VECTORS_MAX (WRITER_PARTS_MAX + 2)

static const char zeros[PFMD_ALIGN];

static int fail(struct writer *writer, int error)
{
	writer->error = error;
	errno = error;
	return -1;
}

/* Takes off what was written. Returns how many of the vectors are left. */
static int advance(struct iovec *vectors, int count, size_t written)
{
	int done = 0;

	while (done < count && written >= vectors[done].iov_len)
		written -= vectors[done++].iov_len;
	memmove(vectors, vectors + done,
		(size_t)(count - done) * sizeof(*vectors));
	if (done < count) {
		vectors->iov_base = (char *)vectors->iov_base + written;
		vectors->iov_len -= written;
	}
	return count - done;
}

/* Whole chunks alone: a reader takes what is there. */
static void write_copy(struct writer *writer, const struct iovec *vectors,
		       int count)
{
	ssize_t all = 0;

	for (int i = 0; i < count; i++)
		all += (ssize_t)vectors[i].iov_len;
	if (writer->bytes > WRITER_COPY_MAX ||
	    writev(writer->copy, vectors, count) != all)
		writer->has_copy = false;
}

/* Changes the vectors. */
static int write_all(struct writer *writer, struct iovec *vectors, int count)
{
	if (writer->error)
		return fail(writer, writer->error);
	for (int i = 0; i < count; i++) {
		writer->crc = crc32c(writer->crc, vectors[i].iov_base,
				     vectors[i].iov_len);
		writer->bytes += vectors[i].iov_len;
	}
	if (writer->has_copy)
		write_copy(writer, vectors, count);
	while (count) {
		ssize_t written = writev(writer->fd, vectors, count);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return fail(writer, errno);
		count = advance(vectors, count, (size_t)written);
	}
	return 0;
}

int writer_begin(struct writer *writer, int fd)
{
	struct iovec magic = { (void *)PFMD_MAGIC, PFMD_MAGIC_SIZE };

	*writer = (struct writer){ .fd = fd, .copy = -1 };
	return write_all(writer, &magic, 1);
}

void writer_copy(struct writer *writer, int copy)
{
	struct iovec magic = { (void *)PFMD_MAGIC, PFMD_MAGIC_SIZE };

	writer->copy = copy;
	writer->has_copy = true;
	write_copy(writer, &magic, 1);
}

static int write_chunk(struct writer *writer, struct pfmd_chunk header,
		       const struct iovec *parts, int count)
{
	struct iovec vectors[VECTORS_MAX] = { { &header, sizeof(header) } };
	int used = 1;

	if (count > WRITER_PARTS_MAX)
		return fail(writer, EINVAL);
	for (int i = 0; i < count; i++) {
		header.length += parts[i].iov_len;
		if (parts[i].iov_len)
			vectors[used++] = parts[i];
	}
	if (header.length % PFMD_ALIGN)
		vectors[used++] = (struct iovec){
			(void *)zeros, PFMD_ALIGN - header.length % PFMD_ALIGN
		};
	return write_all(writer, vectors, used);
}

int writer_chunk(struct writer *writer, enum pfmd_type type,
		 const struct iovec *parts, int count)
{
	struct pfmd_chunk header = { .type = type };
	struct iovec packed = { NULL, 0 };
	const void *bytes;

	/* Others are small, or have to be read by programs without compression. */
	if (writer->pack && (type == PFMD_SAMPLES || type == PFMD_STACKS ||
			     type == PFMD_PRECISE || type == PFMD_SYMBOLS))
		packed.iov_len = writer->pack(parts, count, &bytes);
	if (!packed.iov_len)
		return write_chunk(writer, header, parts, count);
	packed.iov_base = (void *)(uintptr_t)bytes;
	header.flags = PFMD_ZSTD;
	return write_chunk(writer, header, &packed, 1);
}

int writer_text(struct writer *writer, enum pfmd_type type, const char *text)
{
	struct iovec part = { (void *)text, strlen(text) };

	return writer_chunk(writer, type, &part, 1);
}

int writer_task(struct writer *writer, const struct pfmd_task *task,
		const char *comm)
{
	struct iovec parts[] = {
		{ (void *)task, sizeof(*task) },
		{ (void *)(comm ? comm : ""), comm ? strlen(comm) + 1 : 1 },
	};

	return writer_chunk(writer, PFMD_TASK, parts, 2);
}

int writer_map(struct writer *writer, const struct pfmd_map *map,
	       const char *path, const struct pfmd_file *file)
{
	size_t length = strlen(path) + 1;
	size_t rest = (PFMD_MAP_PATH + length) % PFMD_ALIGN;
	struct iovec parts[] = {
		{ (void *)map, PFMD_MAP_PATH },
		{ (void *)path, length },
		{ (void *)zeros, rest ? PFMD_ALIGN - rest : 0 },
		{ (void *)file, sizeof(*file) },
	};

	return writer_chunk(writer, PFMD_MAP, parts, file ? 4 : 2);
}

int writer_end(struct writer *writer)
{
	struct pfmd_end end = { .samples = writer->samples,
				.crc32c = writer->crc };
	struct iovec part = { &end, sizeof(end) };

	return writer_chunk(writer, PFMD_END, &part, 1);
}
