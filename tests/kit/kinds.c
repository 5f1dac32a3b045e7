// SPDX-License-Identifier: GPL-2.0-only
#include "kinds.h"

#include <cpuid.h>
#include <stdio.h>

#define PMU_DESC "/sys/kernel/perfmon/pmu_desc/"

bool cpuid_says_hybrid(void)
{
	unsigned int eax, ebx, ecx, edx = 0;

	return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && edx >> 15 & 1;
}

int kind_value(const char *kind, const char *name)
{
	char path[128];
	FILE *file;
	int value;

	snprintf(path, sizeof(path), PMU_DESC "%s/%s", kind, name);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &value) != 1)
		value = -1;
	if (file)
		fclose(file);
	return value;
}

uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}
