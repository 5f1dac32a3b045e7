// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where records come: PEBS is programmed without perf_event, with a DS area that the
 * kernel level may access or may not. Memory of the program is of the second kind where
 * the kernel uses SMAP.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "pebs.h"
#include "pmu_stats.h"

#define COUNTER 0xc1
#define SELECTOR 0x186
#define GLOBAL_CTRL 0x38f
#define PEBS_ENABLE 0x3f1
#define DS_AREA 0x600

#define USER_INSTRUCTIONS (1 << 22 | 1 << 16 | INSTRUCTIONS)
#define PERIOD 999
#define NOWHERE 0x1000 /* the lowest page is never mapped */

/* Words of the DS area. */
#define DS_BASE 4
#define DS_INDEX 5
#define DS_MAXIMUM 6
#define DS_THRESHOLD 7
#define DS_RESET 8

struct own_memory {
	uint64_t ds[64];
	uint64_t records[8192];
};

static struct own_memory memory __attribute__((aligned(4096)));

/* What a run has changed. */
struct changes {
	uint64_t written, refused;
};

static void write_or_give_up(uint32_t msr, uint64_t value)
{
	if (!write_msr(judge_cpu, msr, value))
		give_up("writing an MSR");
}

/* Records of the sled, with the DS area at this address. */
static struct changes run_with_area(uint64_t area)
{
	struct changes changes = {
		.written = read_stat(judge_cpu, PMU_STAT_PEBS),
		.refused = read_stat(judge_cpu, PMU_STAT_DS_FAULT),
	};
	uint64_t area_before = 0, enabled = 0;

	read_msr(judge_cpu, DS_AREA, &area_before);
	read_msr(judge_cpu, GLOBAL_CTRL, &enabled);
	write_or_give_up(DS_AREA, area);
	write_or_give_up(COUNTER, (uint32_t)-PERIOD);
	write_or_give_up(PEBS_ENABLE, 1);
	write_or_give_up(GLOBAL_CTRL, 1);
	take_priority(PRIORITY_SAMPLED);
	write_or_give_up(SELECTOR, USER_INSTRUCTIONS);
	run_sled(1000);
	write_or_give_up(SELECTOR, 0);
	take_priority(PRIORITY_NONE);
	write_or_give_up(PEBS_ENABLE, 0);
	write_or_give_up(COUNTER, 0);
	write_or_give_up(GLOBAL_CTRL, enabled);
	write_or_give_up(DS_AREA, area_before);
	changes.written = read_stat(judge_cpu, PMU_STAT_PEBS) - changes.written;
	changes.refused =
		read_stat(judge_cpu, PMU_STAT_DS_FAULT) - changes.refused;
	return changes;
}

static bool kernel_uses_smap(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	bool found = false;
	char word[64];

	while (file && !found && fscanf(file, "%63s", word) == 1)
		found = !strcmp(word, "smap");
	if (file)
		fclose(file);
	return found;
}

/* Of the basic group alone since format 4: no counter asks for more. */
static unsigned int record_bytes(unsigned int format)
{
	static const unsigned int bytes[] = { 144, 176, 192, 200, 32, 32 };

	return bytes[format];
}

void judge_pebs_memory(unsigned int format)
{
	const uint64_t base = (uintptr_t)memory.records;
	struct changes changes;

	memset(&memory, 0, sizeof(memory));
	memory.ds[DS_BASE] = base;
	memory.ds[DS_INDEX] = base;
	memory.ds[DS_MAXIMUM] = base + sizeof(memory.records);
	memory.ds[DS_THRESHOLD] = memory.ds[DS_MAXIMUM];
	memory.ds[DS_RESET] = -(uint64_t)PERIOD;

	changes = run_with_area(NOWHERE);
	check(!changes.written && changes.refused == 1,
	      "without a DS area: %u records, %u refused",
	      (unsigned int)changes.written, (unsigned int)changes.refused);
	changes = run_with_area((uintptr_t)memory.ds);
	if (kernel_uses_smap())
		check(!changes.written && changes.refused == 1 &&
			      memory.ds[DS_INDEX] == base,
		      "in memory of the program, with SMAP: %u records, %u refused",
		      (unsigned int)changes.written,
		      (unsigned int)changes.refused);
	else
		check(changes.written > 90 && !changes.refused &&
			      memory.ds[DS_INDEX] ==
				      base + changes.written *
						      record_bytes(format),
		      "in memory of the program: %u records, %u refused",
		      (unsigned int)changes.written,
		      (unsigned int)changes.refused);
}
