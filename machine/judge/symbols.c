// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses of the kernel's functions.
 */

#include <stdio.h>
#include <string.h>

#include "judge.h"

uint64_t find_symbol(const char *symbol)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	uint64_t found = 0;
	char name[128];

	while (file && !found &&
	       fscanf(file, "%llx %*s %127s%*[^\n]", &address, name) == 2)
		if (!strcmp(name, symbol))
			found = address;
	if (file)
		fclose(file);
	return found;
}
