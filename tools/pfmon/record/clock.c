// SPDX-License-Identifier: GPL-2.0-only
/* The clock of samples, see clock.h. */
#include "record/clock.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "engine/clocks.h"

/* Of several tries the fastest is the best. */
#define TRIES 5

/* A page of control and one of records. */
#define RING_PAGES 2

static uint64_t raw_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

/* An event that nothing counts, which records when this thread gets a name. */
static int open_event(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.comm = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* The last eight bytes of the record that was written last; 0: none was. */
static uint64_t last_stamp(const void *ring, size_t page)
{
	const struct perf_event_mmap_page *control = ring;
	uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);

	if (head < sizeof(uint64_t) || head > page)
		return 0;
	return *(const uint64_t *)((const char *)ring + page + head -
				   sizeof(uint64_t));
}

static void compare(struct stamp_clock *clock, const void *ring, size_t page)
{
	uint64_t best = UINT64_MAX, before, after, stamp;
	char name[16];

	prctl(PR_GET_NAME, name);
	for (int i = 0; i < TRIES; i++) {
		before = raw_now();
		prctl(PR_SET_NAME, name);
		after = raw_now();
		stamp = last_stamp(ring, page);
		if (!stamp || after - before >= best)
			continue;
		best = after - before;
		clock->ahead_ns = (int64_t)(stamp - before - best / 2);
		clock->known = true;
	}
}

void clock_compare(struct stamp_clock *clock)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int event = open_event();
	void *ring;

	*clock = (struct stamp_clock){ .known = false };
	if (event < 0)
		return;
	ring = mmap(NULL, RING_PAGES * page, PROT_READ | PROT_WRITE, MAP_SHARED,
		    event, 0);
	if (ring != MAP_FAILED) {
		compare(clock, ring, page);
		munmap(ring, RING_PAGES * page);
	}
	close(event);
}

uint64_t clock_stamp(const struct stamp_clock *clock)
{
	if (clock->known)
		return raw_now() + (uint64_t)clock->ahead_ns;
	return clock->last ? clock->last + 1 : 0;
}
