// SPDX-License-Identifier: GPL-2.0-only
/*
 * The judge's use of perf_event: counters and samplers of its own thread.
 */

#define _GNU_SOURCE
#include <cpuid.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "judge.h"

#define RING_PAGES 64

static int open_attr(struct perf_event_attr *attr, int group)
{
	attr->size = sizeof(*attr);
	attr->disabled = group < 0;
	attr->pinned = group < 0;
	attr->exclude_hv = 1;
	return syscall(SYS_perf_event_open, attr, 0, -1, group, 0);
}

static int open_event(struct perf_event_attr *attr, int group)
{
	attr->type = PERF_TYPE_HARDWARE;
	attr->config |= perf_pmu_bits();
	attr->exclude_kernel = 1;
	return open_attr(attr, group);
}

/*
 * Linux 6.12's driver writes each counter twice and the second time with the
 * period before: its counts are wrong, by 2^39 mostly.
 */
static bool is_pentium_4(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor != signature_INTEL_ebx)
		return false;
	__get_cpuid(1, &eax, &vendor, &ecx, &edx);
	return (eax >> 8 & 0xf) == 15;
}

const char *no_perf_pmu(void)
{
	struct perf_event_attr attr = {
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};
	const int fd = open_event(&attr, -1);

	if (fd < 0)
		return "no perf_event driver for this processor";
	close(fd);
	return is_pentium_4() ? "perf_event miscounts on the Pentium 4" : NULL;
}

int open_counter(uint64_t event, int group)
{
	struct perf_event_attr attr = { .config = event };
	const int fd = open_event(&attr, group);

	if (fd < 0)
		give_up("perf_event_open");
	return fd;
}

/* Instructions, a sample of the address each period of them. */
int open_sampler(uint64_t period)
{
	struct perf_event_attr attr = {
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP,
	};
	const int fd = open_event(&attr, -1);

	if (fd < 0)
		give_up("perf_event_open of a sampling event");
	return fd;
}

/* On a hybrid processor a selector is for the PMU of this kind of core. */
static int open_selected(struct perf_event_attr *attr)
{
	const uint64_t pmu = perf_pmu_bits() >> 32;
	int fd;

	attr->type = pmu ? pmu : PERF_TYPE_RAW;
	fd = open_attr(attr, -1);
	if (fd < 0)
		give_up("perf_event_open of a selector");
	return fd;
}

int open_selector(uint64_t select, enum level level)
{
	struct perf_event_attr attr = {
		.config = select,
		.exclude_user = level == LEVEL_KERNEL,
		.exclude_kernel = level == LEVEL_USER,
	};

	return open_selected(&attr);
}

int open_selector_sampler(uint64_t select, uint64_t period)
{
	struct perf_event_attr attr = {
		.config = select,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_IP,
		.exclude_kernel = 1,
	};

	return open_selected(&attr);
}

void *map_event(int fd, unsigned int pages)
{
	void *map = mmap(NULL, (1 + pages) * getpagesize(),
			 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (map == MAP_FAILED)
		give_up("mmap of an event");
	return map;
}

void start_event(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		give_up("PERF_EVENT_IOC_ENABLE");
}

void stop_event(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
		give_up("PERF_EVENT_IOC_DISABLE");
}

uint64_t read_event(int fd)
{
	uint64_t count;

	/* End of file: a pinned event that did not get its counter. */
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		give_up("reading an event");
	return count;
}

uint64_t count_code(int fd, void (*code)(uint32_t), uint32_t argument)
{
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	start_event(fd);
	code(argument);
	stop_event(fd);
	return read_event(fd);
}

static void collect(const struct perf_event_mmap_page *page,
		    struct samples *samples)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint64_t at;

	/* The ring is large enough never to wrap. */
	samples->address = calloc(RING_PAGES * 4096 / 16, sizeof(uint64_t));
	if (!samples->address)
		give_up("calloc");
	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE)
			samples->address[samples->number++] =
				*(const uint64_t *)(header + 1);
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_THROTTLE)
			samples->lost++;
	}
}

/*
 * perf_event begins a counter again with at least 2 instructions of its period
 * left, on Nehalem with 32: a sample that is nearer than that when the thread is
 * switched out comes late. So nobody else gets the CPU while samples are taken.
 */
uint64_t sample_code(int fd, void (*code)(uint32_t), uint32_t argument,
		     struct samples *samples)
{
	void *map = map_event(fd, RING_PAGES);
	uint64_t count;

	take_priority(PRIORITY_SAMPLED);
	start_event(fd);
	code(argument);
	stop_event(fd);
	take_priority(PRIORITY_NONE);
	count = read_event(fd);
	*samples = (struct samples){ 0 };
	collect(map, samples);
	munmap(map, (1 + RING_PAGES) * getpagesize());
	close(fd);
	return count;
}

uint64_t sample_sled(uint64_t period, uint32_t iterations,
		     struct samples *samples)
{
	return sample_code(open_sampler(period), run_sled, iterations, samples);
}
