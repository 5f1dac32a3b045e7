// SPDX-License-Identifier: GPL-2.0-only
/* Files of samples for tests, see samples.h. */
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define BATCH_MAX (64 * 1024)

void samples_begin(struct writer *writer, const char *meta)
{
	int fd = memfd_create("samples", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(writer_begin(writer, fd), 0);
	assert_int_equal(writer_text(writer, PFMD_META, meta), 0);
}

void samples_task(struct writer *writer, uint64_t time,
		  enum pfmd_task_kind kind, uint32_t tgid, uint32_t tid,
		  uint32_t ptid, const char *comm)
{
	const struct pfmd_task task = {
		.time = time,
		.tgid = tgid,
		.tid = tid,
		.ptid = ptid,
		.kind = kind,
	};

	assert_int_equal(writer_task(writer, &task, comm), 0);
}

void samples_map(struct writer *writer, uint64_t time, uint32_t tgid,
		 uint64_t addr, uint64_t len, uint64_t pgoff, const char *path,
		 const uint8_t *build_id)
{
	struct pfmd_map map = {
		.time = time,
		.addr = addr,
		.len = len,
		.pgoff = pgoff,
		.tgid = tgid,
		.prot = PROT_READ | PROT_EXEC,
	};

	if (build_id)
		memcpy(map.build_id, build_id, sizeof(map.build_id));
	assert_int_equal(writer_map(writer, &map, path, NULL), 0);
}

void samples_add(struct writer *writer, const struct samples_of *samples)
{
	static uint64_t batch[BATCH_MAX];
	const struct pfmd_samples header = { .stream = samples->tid };
	const size_t words = sizeof(struct pfm_dfl_smpl_entry) / 8;
	size_t used = 0;

	for (size_t i = 0; samples->ips[i]; i++) {
		const struct pfm_dfl_smpl_entry entry = {
			.pid = samples->tid,
			.tgid = samples->tgid,
			.ovfl_pmd = samples->pmd,
			.doubled = samples->doubled,
			.repeat = samples->repeat,
			.last_reset_val = -samples->period,
			.ip = samples->ips[i],
			.tstamp = samples->time + i,
			.cpu = 1,
		};

		assert_true(used + words + 1 < BATCH_MAX);
		memcpy(batch + used, &entry, sizeof(entry));
		used += words;
		if (samples->value)
			batch[used++] = *samples->value;
		writer->samples++;
	}
	assert_int_equal(
		writer_chunk(
			writer, PFMD_SAMPLES,
			(const struct iovec[]){
				{ (void *)(uintptr_t)&header, sizeof(header) },
				{ batch, used * sizeof(*batch) } },
			2),
		0);
}

void samples_add_precise(struct writer *writer, uint32_t stream,
			 const struct pfm_precise_smpl_entry *entry)
{
	struct pfmd_samples about = { .stream = stream };
	struct iovec parts[] = { { &about, sizeof(about) },
				 { (void *)(uintptr_t)entry, entry->size } };

	assert_int_equal(writer_chunk(writer, PFMD_PRECISE, parts, 2), 0);
	writer->samples++;
}

void samples_symbols(struct writer *writer, const char *path,
		     const uint8_t *build_id, const struct pfmd_symbol *rows,
		     uint32_t count, const char *names, size_t names_size)
{
	struct pfmd_symbols header = {
		.count = count,
		.path = (uint32_t)names_size,
	};

	if (build_id)
		memcpy(header.build_id, build_id, sizeof(header.build_id));
	assert_int_equal(
		writer_chunk(
			writer, PFMD_SYMBOLS,
			(const struct iovec[]){
				{ &header, sizeof(header) },
				{ (void *)(uintptr_t)rows,
				  count * sizeof(*rows) },
				{ (void *)(uintptr_t)names, names_size },
				{ (void *)(uintptr_t)path, strlen(path) + 1 } },
			4),
		0);
}

void samples_end(struct writer *writer)
{
	assert_int_equal(writer_end(writer), 0);
}

char *samples_bytes(struct writer *writer, size_t *size)
{
	char *bytes;

	*size = (size_t)lseek(writer->fd, 0, SEEK_CUR);
	bytes = malloc(*size + 1);
	assert_non_null(bytes);
	assert_int_equal(pread(writer->fd, bytes, *size, 0), *size);
	close(writer->fd);
	return bytes;
}

void samples_store(struct writer *writer, const char *directory)
{
	char *bytes, *path;
	size_t size;
	FILE *out;

	bytes = samples_bytes(writer, &size);
	assert_true(asprintf(&path, "%s/pfmon.data", directory) > 0);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_int_equal(fwrite(bytes, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
	free(path);
	free(bytes);
}

FILE *samples_stream(const char *bytes, size_t size)
{
	FILE *stream = fmemopen((void *)(uintptr_t)bytes, size, "r");

	assert_non_null(stream);
	return stream;
}

const char *samples_meta_of_rate(void)
{
	static char text[1024];
	const char *at = strstr(SAMPLES_META, "\"varies\"");

	snprintf(text, sizeof(text), "%.*s\"rate\":1250,%s",
		 (int)(at - SAMPLES_META), SAMPLES_META, at);
	return text;
}

void samples_expect_kept(struct profile *scanned, const struct profile *kept)
{
	const struct profile_sample *sample;
	size_t count = 0;

	for (int again = 0; again < 2; again++, count = 0) {
		for (; profile_next(scanned, &sample) > 0; count++) {
			assert_true(count < kept->sample_count);
			assert_int_equal(sample->time,
					 kept->samples[count].time);
			assert_int_equal(sample->period,
					 kept->samples[count].period);
		}
		assert_int_equal(count, kept->sample_count);
		assert_int_equal(profile_rewind(scanned), 0);
	}
}
