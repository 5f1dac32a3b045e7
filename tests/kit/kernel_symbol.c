// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of the running kernel. */
#include "kernel_symbol.h"

#include <stdio.h>
#include <string.h>

uint64_t kernel_symbol(const char *name)
{
	unsigned long long address, found = 0;
	char line[256], symbol[128];
	FILE *file = fopen("/proc/kallsyms", "r");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%llx %*c %127s", &address, symbol) == 2 &&
		    !strcmp(symbol, name))
			found = address;
	if (file)
		fclose(file);
	return found;
}
