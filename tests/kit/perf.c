// SPDX-License-Identifier: GPL-2.0-only
/* Counting and sampling with perf_event. */
#include "perf.h"

#include <cpuid.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "attr.h"
#include "loop.h"

#define RING_PAGES 8

/* Leaf 7, EDX. */
#define CPUID_HYBRID (1U << 15)

/* The driver of the Pentium 4 loses a sample now and then. */
#define MAX_TRIES 3

/* User instructions of enabling and disabling an event, at most. */
#define MAX_CONSTANT 200

/* The PMUs of hybrid processors; elsewhere there are none of these names. */
static const char *const kinds[] = { "cpu_core", "cpu_atom" };

/* Is the number in a list like "0-3,8", alone in a file that need not exist? */
static bool file_lists(const char *path, long number)
{
	long first, last;
	char text[128];
	char *at = text;

	if (file_read(path, text, sizeof(text)))
		return false;
	for (;;) {
		first = strtol(at, &at, 10);
		last = *at == '-' ? strtol(at + 1, &at, 10) : first;
		if (number >= first && number <= last)
			return true;
		if (*at++ != ',')
			return false;
	}
}

/*
 * A hardware event is of one kind of core. Returns the config that makes it that of
 * the calling thread's CPU, on which it has to stay.
 */
static uint64_t of_this_kind(uint64_t config)
{
	unsigned int eax, ebx, ecx, edx = 0;
	char path[96];
	size_t i;

	/* Tests count what this takes: little where CPUs are alike. */
	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
	    !(edx & CPUID_HYBRID))
		return config;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(path, sizeof(path),
			 "/sys/bus/event_source/devices/%s/cpus", kinds[i]);
		if (!file_lists(path, sched_getcpu()))
			continue;
		snprintf(path, sizeof(path),
			 "/sys/bus/event_source/devices/%s/type", kinds[i]);
		return config | (uint64_t)file_number(path) << 32;
	}
	return config;
}

static int perf_open(uint32_t type, uint64_t config, uint64_t period,
		     int leader)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = type == PERF_TYPE_HARDWARE ? of_this_kind(config) :
						       config,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_IP : 0,
		/* Siblings follow their leader. */
		.disabled = type == PERF_TYPE_HARDWARE && leader < 0,
		.read_format = PERF_FORMAT_GROUP,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
}

int perf_open_instructions(void)
{
	return perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0, -1);
}

int perf_open_sampling(uint64_t period)
{
	return perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, period,
			 -1);
}

int perf_open_group(int n, int *fds)
{
	int i;

	for (i = 0; i < n; i++) {
		fds[i] = perf_open(PERF_TYPE_HARDWARE,
				   PERF_COUNT_HW_INSTRUCTIONS, 0,
				   i > 0 ? fds[0] : -1);
		if (fds[i] < 0)
			break;
	}
	if (i == n)
		return fds[0];
	while (i-- > 0)
		close(fds[i]);
	return -1;
}

int perf_open_software(void)
{
	return perf_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, -1);
}

/* The only code around a measured loop. */
static int __attribute__((noinline)) run(int fd, unsigned long instructions)
{
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -1;
	counted_loop(instructions);
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t perf_value(int fd)
{
	struct {
		uint64_t events;
		uint64_t value;
	} group;

	if (read(fd, &group, sizeof(group)) != (ssize_t)sizeof(group))
		return ~0ULL;
	return group.value;
}

uint64_t perf_count_loop(int fd, unsigned long instructions)
{
	if (ioctl(fd, PERF_EVENT_IOC_RESET, 0) || run(fd, instructions))
		return ~0ULL;
	return perf_value(fd);
}

static int count_samples(const struct perf_event_mmap_page *page, long size)
{
	const char *data = (const char *)page + size;
	uint64_t at = 0;
	int samples = 0;

	while (at < page->data_head) {
		const struct perf_event_header *header =
			(const void *)(data + at);

		samples += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
	}
	return samples;
}

static int sample_loop(uint64_t period, unsigned long instructions)
{
	long size = sysconf(_SC_PAGESIZE);
	size_t length = (1 + RING_PAGES) * (size_t)size;
	int fd = perf_open_sampling(period);
	void *ring;
	int samples = -1;

	if (fd < 0)
		return -1;
	ring = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring != MAP_FAILED) {
		if (!run(fd, instructions))
			samples = count_samples(ring, size);
		munmap(ring, length);
	}
	close(fd);
	return samples;
}

bool perf_miscounts(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	if (vendor != signature_INTEL_ebx)
		return false;
	__get_cpuid(1, &eax, &vendor, &ecx, &edx);
	return (eax >> 8 & 0xf) == 15;
}

int perf_sample_loop(uint64_t period, unsigned long instructions)
{
	int tries = perf_miscounts() ? MAX_TRIES : 1;
	int samples;

	/* From the second time on the period before is the same. */
	if (tries > 1)
		sample_loop(period, instructions);
	do {
		samples = sample_loop(period, instructions);
	} while (--tries && samples != (int)(instructions / period));
	return samples;
}

static const char *count_trouble(int fd)
{
	uint64_t constant;

	if (perf_miscounts())
		return perf_count_loop(fd, 2000) ? "" : "nothing is counted";
	constant = perf_count_loop(fd, 2000) - 2000;
	if (constant > MAX_CONSTANT ||
	    perf_count_loop(fd, 2000000) != 2000000 + constant ||
	    perf_count_loop(fd, 20000000) != 20000000 + constant)
		return "wrong counts";
	return "";
}

const char *perf_trouble(void)
{
	int fd = perf_open_instructions();
	const char *trouble;

	if (fd < 0)
		return "no event can be opened";
	trouble = count_trouble(fd);
	close(fd);
	/* Do its interrupts arrive: is LVTPC perf's? */
	if (!*trouble && perf_sample_loop(100000, 2000000) != 20)
		trouble = "wrong number of samples";
	return trouble;
}
