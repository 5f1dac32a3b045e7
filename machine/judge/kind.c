// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hybrid processors: CPUID says of each CPU which kind of core it is, and
 * perf_event has a PMU for each kind.
 */

#include <cpuid.h>
#include <stdio.h>

#include "judge.h"

#define LEAF_KIND 0x1a
#define KIND_ATOM_ID 0x20

/* Of the CPU that the caller is pinned to. */
enum kind find_kind(void)
{
	unsigned int eax, ebx, ecx, edx = 0;

	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
	    !(edx >> 15 & 1))
		return KIND_NONE;
	__get_cpuid_count(LEAF_KIND, 0, &eax, &ebx, &ecx, &edx);
	return eax >> 24 == KIND_ATOM_ID ? KIND_ATOM : KIND_CORE;
}

static unsigned int read_type(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned int type;

	if (!file || fscanf(file, "%u", &type) != 1)
		give_up(path);
	fclose(file);
	return type;
}

uint64_t perf_pmu_bits(void)
{
	static const char core[] =
		"/sys/bus/event_source/devices/cpu_core/type";
	static const char atom[] =
		"/sys/bus/event_source/devices/cpu_atom/type";
	const enum kind kind = find_kind();

	if (kind == KIND_NONE)
		return 0;
	return (uint64_t)read_type(kind == KIND_ATOM ? atom : core) << 32;
}
