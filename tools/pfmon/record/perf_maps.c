// SPDX-License-Identifier: GPL-2.0-only
/* Tasks and mappings of perf_event, see perf_maps.h. */
#include "record/perf_maps.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Behind a page of control; with it, what anybody may have locked of each CPU. */
#define RING_PAGES 64

/* Records are shorter than their length can tell. */
#define RECORD_MAX 65536

struct perf_ring {
	int cpu;
	int event; /* -1: none yet */
	void *memory;
};

/* What all records end with, as of the attributes below. */
struct sample_id {
	uint32_t pid, tid;
	uint64_t time;
};

struct mapped {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	union {
		struct {
			uint32_t major, minor;
			uint64_t ino, generation;
		} file;
		struct {
			uint8_t size, reserved[3];
			uint8_t bytes[PFMD_BUILD_ID_SIZE];
		} build_id;
	};
	uint32_t prot, flags;
	char path[];
};

struct named {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct born {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct missed {
	struct perf_event_header header;
	uint64_t id, lost;
};

static int open_event(pid_t tid, int cpu, bool inherit)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = inherit,
		.mmap = 1,
		.mmap2 = 1,
		.build_id = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		/* At once: a file may be gone a moment after it was mapped. */
		.wakeup_watermark = 1,
	};
	int event = (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1,
				 PERF_FLAG_FD_CLOEXEC);

	if (event >= 0 || errno != EINVAL)
		return event;
	/* A kernel from before that. */
	attr.build_id = 0;
	return (int)syscall(SYS_perf_event_open, &attr, tid, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static size_t ring_bytes(void)
{
	return (RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
}

int perf_maps_probe(bool system_wide)
{
	int event = open_event(system_wide ? -1 : 0, 0, true);

	if (event < 0)
		return -1;
	close(event);
	return 0;
}

int perf_maps_open(struct perf_maps *maps, struct writer *writer,
		   struct mapped_files *files, int epoll, bool inherit)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	*maps = (struct perf_maps){ .writer = writer,
				    .files = files,
				    .epoll = epoll,
				    .inherit = inherit };
	maps->rings = calloc((size_t)cpus, sizeof(*maps->rings));
	if (!maps->rings)
		return -1;
	maps->count = (int)cpus;
	for (int cpu = 0; cpu < maps->count; cpu++)
		maps->rings[cpu] =
			(struct perf_ring){ .cpu = cpu, .event = -1 };
	return 0;
}

/* The first event of a CPU gets its ring. */
static int make_ring(struct perf_maps *maps, struct perf_ring *ring, int event)
{
	/* Its thread may end long before others that use the ring. */
	struct epoll_event news = { .events = EPOLLIN | EPOLLET,
				    .data.u64 = PERF_MAPS_NEWS };
	void *memory = mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE,
			    MAP_SHARED, event, 0);

	if (memory == MAP_FAILED)
		return -1;
	ring->memory = memory;
	ring->event = event;
	epoll_ctl(maps->epoll, EPOLL_CTL_ADD, event, &news);
	return 0;
}

static int share_ring(struct perf_maps *maps, const struct perf_ring *ring,
		      int event)
{
	int capacity = maps->event_capacity ? 2 * maps->event_capacity : 16;
	int *grown;

	if (maps->event_count == maps->event_capacity) {
		grown = reallocarray(maps->events, (size_t)capacity,
				     sizeof(*grown));
		if (!grown)
			return -1;
		maps->events = grown;
		maps->event_capacity = capacity;
	}
	if (ioctl(event, PERF_EVENT_IOC_SET_OUTPUT, ring->event))
		return -1;
	maps->events[maps->event_count++] = event;
	return 0;
}

int perf_maps_watch(struct perf_maps *maps, pid_t tid)
{
	for (int i = 0; i < maps->count; i++) {
		struct perf_ring *ring = &maps->rings[i];
		int event = open_event(tid, ring->cpu, maps->inherit), error;

		/* The CPU is not there now. */
		if (event < 0 && errno == ENODEV)
			continue;
		if (event < 0)
			return -1;
		if (ring->event < 0 ? !make_ring(maps, ring, event) :
				      !share_ring(maps, ring, event))
			continue;
		error = errno;
		close(event);
		errno = error;
		return -1;
	}
	return 0;
}

static void write_mapping(const struct perf_maps *maps, struct mapped *record,
			  uint64_t time)
{
	bool has_id = record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
	struct pfmd_map map = {
		.time = time,
		.addr = record->addr,
		.len = record->len,
		.pgoff = record->pgoff,
		.tgid = record->pid,
		.prot = record->prot,
	};
	struct file_mapping mapping = {
		.pid = (pid_t)record->pid,
		.map = &map,
		.path = record->path,
	};
	struct pfmd_file file;

	if (has_id && record->build_id.size <= PFMD_BUILD_ID_SIZE)
		memcpy(map.build_id, record->build_id.bytes,
		       record->build_id.size);
	if (!has_id) {
		mapping.dev = (uint64_t)record->file.major << 32 |
			      record->file.minor;
		mapping.ino = record->file.ino;
	}
	mapped_files_cut(record->path);
	/* perf's word for what has no name. */
	if (!strcmp(record->path, "//anon"))
		mapping.path = "";
	mapped_files_see(maps->files, &mapping, map.build_id, &file);
	writer_map(maps->writer, &map, mapping.path, file.ino ? &file : NULL);
}

static void write_name(const struct perf_maps *maps, const struct named *record,
		       uint64_t time)
{
	const struct pfmd_task task = {
		.time = time,
		.tgid = record->pid,
		.tid = record->tid,
		.kind = record->header.misc & PERF_RECORD_MISC_COMM_EXEC ?
				PFMD_EXEC :
				PFMD_COMM,
	};

	writer_task(maps->writer, &task, record->comm);
}

static void write_birth(const struct perf_maps *maps, const struct born *record)
{
	bool fork = record->header.type == PERF_RECORD_FORK;
	const struct pfmd_task task = {
		.time = record->time,
		.tgid = record->pid,
		.tid = record->tid,
		.ptid = fork ? record->ptid : 0,
		.kind = fork ? PFMD_FORK : PFMD_EXIT,
	};

	writer_task(maps->writer, &task, NULL);
}

/* The kernel ends its text with zeros, and so does who has copied it. */
static void take_record(struct perf_maps *maps, void *record, size_t size)
{
	const struct perf_event_header *header = record;
	struct sample_id id;

	if (size < sizeof(*header) + sizeof(id))
		return;
	memcpy(&id, (const char *)record + size - sizeof(id), sizeof(id));
	if (header->type == PERF_RECORD_MMAP2 && size > sizeof(struct mapped))
		write_mapping(maps, record, id.time);
	else if (header->type == PERF_RECORD_COMM)
		write_name(maps, record, id.time);
	else if ((header->type == PERF_RECORD_FORK ||
		  header->type == PERF_RECORD_EXIT) &&
		 size >= sizeof(struct born))
		write_birth(maps, record);
	else if (header->type == PERF_RECORD_LOST &&
		 size >= sizeof(struct missed))
		maps->lost += ((const struct missed *)record)->lost;
}

/* Out of the ring, whose end may be in the middle. */
static void copy_out(char *into, const char *data, uint64_t at, size_t size,
		     uint64_t ring)
{
	size_t first = ring - at % ring;

	if (first > size)
		first = size;
	memcpy(into, data + at % ring, first);
	memcpy(into + first, data, size - first);
}

static void take_ring(struct perf_maps *maps, const struct perf_ring *ring)
{
	static union {
		struct perf_event_header header;
		char bytes[RECORD_MAX + 1];
	} record;
	struct perf_event_mmap_page *control = ring->memory;
	uint64_t size = RING_PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
	const char *data = (const char *)control + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = control->data_tail;

	while (tail + sizeof(record.header) <= head) {
		copy_out(record.bytes, data, tail, sizeof(record.header), size);
		if (record.header.size < sizeof(record.header))
			break;
		copy_out(record.bytes, data, tail, record.header.size, size);
		record.bytes[record.header.size] = '\0';
		take_record(maps, &record, record.header.size);
		tail += record.header.size;
	}
	__atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
}

void perf_maps_take(struct perf_maps *maps)
{
	for (int i = 0; i < maps->count; i++) {
		if (maps->rings[i].event >= 0)
			take_ring(maps, &maps->rings[i]);
	}
}

void perf_maps_close(struct perf_maps *maps)
{
	for (int i = 0; i < maps->count; i++) {
		if (maps->rings[i].event < 0)
			continue;
		munmap(maps->rings[i].memory, ring_bytes());
		close(maps->rings[i].event);
	}
	for (int i = 0; i < maps->event_count; i++)
		close(maps->events[i]);
	free(maps->rings);
	free(maps->events);
	*maps = (struct perf_maps){ .count = 0 };
}
