// SPDX-License-Identifier: GPL-2.0-only
/* Works in code that it has made itself, and says where in /tmp/perf-PID.map. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "truth.h"

WORK(compiled, 5000000)

/* mov $count, %ecx; 1: dec %ecx; jnz 1b; ret */
static unsigned char code[] = { 0xb9, 0, 0, 0, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };

int main(void)
{
	const int count = 5000000;
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *map;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	map = fopen(name, "w");
	if (memory == MAP_FAILED || !map)
		return 1;
	memcpy(code + 1, &count, sizeof(count));
	memcpy(memory, code, sizeof(code));
	fprintf(map, "%lx %zx made_here\n", (unsigned long)memory,
		sizeof(code));
	fclose(map);
	((void (*)(void))memory)();
	compiled();
	return 0;
}
