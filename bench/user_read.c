// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading counters without a system call, in both ways: perfmon's state page, and
 * the loop that <linux/perf_event.h> documents for the pages of events.
 */
#include <linux/perf_event.h>
#include <perfmon/pfm_state.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attr.h"
#include "user_read.h"

static const struct pfm_state *state;
static uint64_t values[BENCH_COUNTERS];

int perfmon_map(int fd, int n)
{
	(void)n;
	state = pfm_map_state(fd);
	return state ? 0 : -1;
}

int perfmon_usable(void)
{
	return pfm_state_usable(state) ? 0 : -1;
}

int perfmon_unmap(int n)
{
	(void)n;
	return pfm_unmap_state(state);
}

int perfmon_share(bool on)
{
	return attr_write("rdpmc", on ? "2" : "1") ? -1 : 0;
}

void __attribute__((noinline)) perfmon_user_read(int n)
{
	if (n == 1)
		values[0] = pfm_state_read(state, 0);
	else if (n == 2)
		pfm_state_read_many(state, 2, values);
	else
		pfm_state_read_many(state, 4, values);
}

static const struct perf_event_mmap_page *pages[BENCH_COUNTERS];

int perf_map(const int *fds, int n)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int i;

	for (i = 0; i < n; i++) {
		void *at = mmap(NULL, size, PROT_READ, MAP_SHARED, fds[i], 0);

		if (at == MAP_FAILED)
			return -1;
		pages[i] = at;
	}
	return 0;
}

int perf_usable(int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (!pages[i]->cap_user_rdpmc || !pages[i]->index)
			return -1;
	return 0;
}

int perf_unmap(int n)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	int i, rc = 0;

	for (i = 0; i < n; i++)
		rc |= munmap((void *)(uintptr_t)pages[i], size);
	return rc;
}

/* The documented loop, without the times that it may read as well. */
static inline uint64_t perf_read_one(const struct perf_event_mmap_page *page)
{
	uint32_t seq, index, low, high;
	uint64_t count;
	int64_t pmc;

	do {
		seq = *(const volatile uint32_t *)&page->lock;
		PFM_STATE_BARRIER();
		index = page->index;
		count = (uint64_t)page->offset;
		if (page->cap_user_rdpmc && index) {
			asm volatile("rdpmc"
				     : "=a"(low), "=d"(high)
				     : "c"(index - 1));
			pmc = (int64_t)((uint64_t)high << 32 | low);
			pmc <<= 64 - page->pmc_width;
			pmc >>= 64 - page->pmc_width;
			count += (uint64_t)pmc;
		}
		PFM_STATE_BARRIER();
	} while (*(const volatile uint32_t *)&page->lock != seq);
	return count;
}

void __attribute__((noinline)) perf_user_read(int n)
{
	int i;

	if (n == 1) {
		values[0] = perf_read_one(pages[0]);
		return;
	}
	for (i = 0; i < n; i++)
		values[i] = perf_read_one(pages[i]);
}
