// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes precise samples by perf_event: the records that the processor has written
 * while some code ran.
 */

#define _GNU_SOURCE
#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pebs.h"
#include "pmu_stats.h"

#define RING_PAGES 128

bool records_have_addresses;

int open_precise(const struct precise *p)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_RAW,
		.config = p->config,
		.sample_period = p->period,
		.precise_ip = p->precise_ip,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_REGS_INTR,
		.sample_regs_intr = 1 << PERF_REG_X86_AX,
		.exclude_hv = 1,
		.exclude_kernel = p->level == LEVEL_USER,
		.exclude_user = p->level == LEVEL_KERNEL,
		.disabled = 1,
		.pinned = 1,
	};

	/* A record has no time of this clock. */
	if (p->each) {
		attr.sample_type |= PERF_SAMPLE_TIME;
		attr.use_clockid = 1;
		attr.clockid = CLOCK_MONOTONIC;
	}
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void add_record(const struct precise *p, struct record_run *run,
		       const uint64_t *field)
{
	struct record *record = &run->record[run->number++];

	if (run->number == MAX_RECORDS)
		give_up("more records than there is room for");
	record->ip = *field++;
	if (p->each)
		field++;
	record->number = *field++;
	if (!records_have_addresses)
		record->number = run->number * (p->period + 1);
	/* Behind the kind of registers; none: no registers. */
	record->ax = field[0] ? field[1] : 0;
}

static void collect_records(const struct precise *p,
			    const struct perf_event_mmap_page *page,
			    struct record_run *run)
{
	const char *data = (const char *)page + getpagesize();
	const struct perf_event_header *header;
	uint64_t at;

	for (at = 0; at < page->data_head; at += header->size) {
		header = (const void *)(data + at);
		if (header->type == PERF_RECORD_SAMPLE)
			add_record(p, run, (const uint64_t *)(header + 1));
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_LOST_SAMPLES ||
			 header->type == PERF_RECORD_THROTTLE)
			run->lost++;
	}
}

static uint64_t machine_stat(uint32_t stat)
{
	return have_msr_driver(judge_cpu) ? read_stat(judge_cpu, stat) : 0;
}

void record_code(const struct precise *p, void (*code)(uint32_t),
		 uint32_t argument, struct record_run *run)
{
	const uint64_t written = machine_stat(PMU_STAT_PEBS);
	const uint64_t dropped = machine_stat(PMU_STAT_PEBS_DROPPED);
	const uint64_t interrupts = machine_stat(PMU_STAT_PMI);
	const int fd = open_precise(p);
	void *map;

	if (fd < 0)
		give_up(p->name);
	memset(run, 0, sizeof(*run));
	map = map_event(fd, RING_PAGES);
	take_priority(PRIORITY_SAMPLED);
	start_event(fd);
	code(argument);
	stop_event(fd);
	take_priority(PRIORITY_NONE);
	run->count = read_event(fd);
	collect_records(p, map, run);
	munmap(map, (1 + RING_PAGES) * getpagesize());
	close(fd);
	run->written = machine_stat(PMU_STAT_PEBS) - written;
	run->dropped = machine_stat(PMU_STAT_PEBS_DROPPED) - dropped;
	run->interrupts = machine_stat(PMU_STAT_PMI) - interrupts;
}
