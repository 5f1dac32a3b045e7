// SPDX-License-Identifier: GPL-2.0-only
/* The buffers of a session that is inherited, see cpu_buffers.h. */
#include "record/cpu_buffers.h"

#include <errno.h>
#include <perfmon/perfmon.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define POSSIBLE "/sys/devices/system/cpu/possible"

static size_t whole_pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

/* CPUs that there may ever be: the kernel has a buffer for each. */
static int count_cpus(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_CONF), last;
	FILE *file = fopen(POSSIBLE, "re");

	if (!file)
		return cpus;
	/* As "0-7"; "0" if there is one. */
	if (fscanf(file, "%*d-%d", &last) == 1 && last >= cpus)
		cpus = last + 1;
	fclose(file);
	return cpus;
}

static size_t page_size(const struct stream *stream)
{
	return whole_pages((size_t)stream->cpu_count * sizeof(uint64_t));
}

/* Both mappings, or none. */
static int map(struct stream *stream)
{
	void *page;

	stream->buffer =
		mmap(NULL, stream->size, PROT_READ, MAP_SHARED, stream->fd, 0);
	if (stream->buffer == MAP_FAILED)
		return -1;
	page = mmap(NULL, page_size(stream), PROT_READ | PROT_WRITE, MAP_SHARED,
		    stream->fd, PFM_MMAP_RELEASED);
	if (page != MAP_FAILED) {
		stream->released = page;
		return 0;
	}
	munmap(stream->buffer, stream->size);
	return -1;
}

int cpu_buffers_open(struct stream *stream, size_t size)
{
	size_t stride = whole_pages(size);
	int cpus = count_cpus();

	stream->cpus = calloc((size_t)cpus, sizeof(*stream->cpus));
	if (!stream->cpus)
		return -1;
	stream->cpu_count = cpus;
	stream->size = (size_t)cpus * stride;
	if (map(stream)) {
		free(stream->cpus);
		stream->cpus = NULL;
		return -1;
	}
	for (int i = 0; i < cpus; i++)
		stream->cpus[i] = (struct stream){
			.kind = stream->kind,
			.fd = stream->fd,
			.id = (uint32_t)i,
			.buffer = (char *)stream->buffer + (size_t)i * stride,
			.size = size,
			.released = stream->released + i,
		};
	return 0;
}

void cpu_buffers_close(struct stream *stream)
{
	munmap((void *)stream->released, page_size(stream));
	free(stream->cpus);
	stream->cpus = NULL;
}

void cpu_buffers_sum(struct stream *stream)
{
	stream->samples = stream->repeats = stream->alone = 0;
	for (int c = 0; c < COUNTERS_MAX; c++)
		stream->stand_for[c] = 0;
	for (int i = 0; i < stream->cpu_count; i++) {
		const struct stream *cpu = &stream->cpus[i];

		stream->samples += cpu->samples;
		stream->repeats += cpu->repeats;
		stream->alone += cpu->alone;
		for (int c = 0; c < COUNTERS_MAX; c++)
			stream->stand_for[c] += cpu->stand_for[c];
		pace_join(&stream->pace, &cpu->pace);
	}
}
