// SPDX-License-Identifier: GPL-2.0-only
/* Threads and children that nobody follows, see others.h. */
#include "engine/others.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/clocks.h"

/* A page of control and one of records. */
#define RING_PAGES 2

/* Two values are cut to microseconds each, for the process and its children. */
#define ROUNDING_NS 4000

static size_t ring_bytes(void)
{
	return RING_PAGES * (size_t)sysconf(_SC_PAGESIZE);
}

static int open_event(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.task = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

void others_watch(struct others *others, pid_t command, bool reported)
{
	void *ring;

	*others = (struct others){ .command = command, .event = -1 };
	if (!reported)
		return;
	others->event = open_event(command);
	if (others->event < 0)
		return;
	ring = mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED,
		    others->event, 0);
	if (ring != MAP_FAILED)
		others->ring = ring;
}

/* The first records are there, also if later ones had no room. */
static enum coverage_others look_for_births(const void *ring)
{
	const struct perf_event_mmap_page *page = ring;
	uint64_t size = ring_bytes() / RING_PAGES, at = 0;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const char *data = (const char *)ring + size;

	while (at + sizeof(struct perf_event_header) <= head && at < size) {
		const struct perf_event_header *record =
			(const void *)(data + at);

		if (record->type == PERF_RECORD_FORK)
			return OTHERS_SOME;
		if (!record->size)
			break;
		at += record->size;
	}
	return OTHERS_NONE;
}

/* CPU time of the thread, which has ended and is not gone yet; 0: not known. */
static uint64_t time_of_thread(pid_t tid)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", tid, tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &ns) != 1)
		ns = 0;
	fclose(file);
	return ns;
}

static enum coverage_others compare_times(uint64_t first,
					  const struct rusage *usage)
{
	uint64_t all = clocks_user(usage) + clocks_system(usage);

	if (!first)
		return OTHERS_UNKNOWN;
	/* That there was no time is no proof that there was nobody. */
	return all > first + ROUNDING_NS ? OTHERS_SOME : OTHERS_UNKNOWN;
}

bool others_look(struct others *others)
{
	siginfo_t info = { .si_pid = 0 };
	struct rusage usage;

	if (!others->command)
		return true;
	/* The C library's has no place for the times. */
	if (syscall(SYS_waitid, P_PID, others->command, &info,
		    WEXITED | WNOHANG | WNOWAIT | __WALL, &usage) ||
	    info.si_pid != others->command)
		return false;
	others->first_ns = time_of_thread(others->command);
	others->seen = others->ring ? look_for_births(others->ring) :
				      compare_times(others->first_ns, &usage);
	others->command = 0;
	return true;
}

enum coverage_others others_end(struct others *others)
{
	/* Before the end of the command nothing but births is known. */
	if (others->command && others->ring)
		others->seen = look_for_births(others->ring);
	if (others->ring)
		munmap(others->ring, ring_bytes());
	if (others->event > 0)
		close(others->event);
	*others = (struct others){ .event = -1,
				   .seen = others->seen,
				   .first_ns = others->first_ns };
	return others->seen;
}
