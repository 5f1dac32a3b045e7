// SPDX-License-Identifier: GPL-2.0-only
#include <asm/perf_regs.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "interface.h"
#include "user_read.h"

#define RING_PAGES 512

/* Milliseconds between two turns, for all events of the processor. */
#define MUX_INTERVAL \
	"/sys/bus/event_source/devices/cpu/perf_event_mux_interval_ms"

/* Descriptors of the events that exist, the leader first. */
static int fds[2 * BENCH_COUNTERS];

static int calls(int n)
{
	return n;
}

/* Those of DWARF's numbers, as perfmon has them. */
#define USER_REGS                                                   \
	((1ULL << PERF_REG_X86_IP) | (0xffULL << PERF_REG_X86_AX) | \
	 (0xffULL << PERF_REG_X86_R8))

/* Samples a second, which are not one in each slice of the loop. */
#define RATE 1000

static int perf_open(uint64_t config, int leader, unsigned long period,
		     enum sample_kind kind)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
		.disabled = leader < 0,
		.read_format = PERF_FORMAT_GROUP,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	if (period)
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				   PERF_SAMPLE_TIME | PERF_SAMPLE_READ;
	if (kind == SAMPLE_RATE) {
		attr.freq = 1;
		attr.sample_freq = RATE;
	} else if (kind != SAMPLE_ADDRESS) {
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	}
	if (kind == SAMPLE_COPY) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER |
				    PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = USER_REGS;
		attr.sample_stack_user = SAMPLE_COPY_BYTES;
		attr.exclude_callchain_user = 1;
	}
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
}

static int create_group(int n, unsigned long period, enum sample_kind kind)
{
	int i;

	for (i = 0; i < n; i++) {
		fds[i] = perf_open(PERF_COUNT_HW_INSTRUCTIONS,
				   i > 0 ? fds[0] : -1, i > 0 ? 0 : period,
				   i ? SAMPLE_ADDRESS : kind);
		if (fds[i] < 0)
			return -1;
	}
	return fds[0];
}

static int create(int n)
{
	return create_group(n, 0, SAMPLE_ADDRESS);
}

static int start(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static int stop(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

static int read_counters(int fd, int n)
{
	uint64_t values[1 + BENCH_COUNTERS];
	ssize_t size = (ssize_t)((1 + (size_t)n) * sizeof(values[0]));

	return read(fd, values, sizeof(values)) == size ? 0 : -1;
}

static int map(int fd, int n)
{
	(void)fd;
	return perf_map(fds, n);
}

static int destroy(int fd, int n)
{
	(void)fd;
	while (n-- > 0)
		if (close(fds[n]))
			return -1;
	return 0;
}

static void *ring;
static size_t ring_size;

static int create_sampling(int n, unsigned long period, enum sample_kind kind)
{
	int fd = create_group(n, period, kind);

	ring_size = (1 + RING_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	ring = mmap(NULL, ring_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return ring == MAP_FAILED ? -1 : fd;
}

static int destroy_sampling(int fd, int n)
{
	munmap(ring, ring_size);
	return destroy(fd, n);
}

static int set_interval(int ms)
{
	FILE *file = fopen(MUX_INTERVAL, "w");

	if (!file)
		return -1;
	fprintf(file, "%d\n", ms);
	return fclose(file);
}

/* Single events, so that they take turns one by one. */
static int create_turns(int n, int ms)
{
	int i;

	if (set_interval(ms))
		return -1;
	for (i = 0; i < 2 * n; i++) {
		fds[i] = perf_open(i % 2 ? PERF_COUNT_HW_INSTRUCTIONS :
					   PERF_COUNT_HW_CPU_CYCLES,
				   -1, 0, false);
		if (fds[i] < 0)
			return -1;
	}
	for (i = 1; i < 2 * n; i++)
		if (start(fds[i]))
			return -1;
	return fds[0];
}

static int destroy_turns(int fd, int n)
{
	return destroy(fd, 2 * n);
}

/* Nothing can be done about it: what comes a second later is not measured. */
static int linger(bool on)
{
	(void)on;
	return 0;
}

static int hold(void)
{
	return perf_open(PERF_COUNT_HW_INSTRUCTIONS, -1, 0, false);
}

const struct interface perf_interface = {
	.name = "perf_event",
	.create_calls = calls,
	.destroy_calls = calls,
	.create = create,
	.start = start,
	.stop = stop,
	.read = read_counters,
	.destroy = destroy,
	.map = map,
	.usable = perf_usable,
	.unmap = perf_unmap,
	.user_read = perf_user_read,
	.create_sampling = create_sampling,
	.destroy_sampling = destroy_sampling,
	.create_turns = create_turns,
	.destroy_turns = destroy_turns,
	.linger = linger,
	.hold = hold,
};
