// SPDX-License-Identifier: GPL-2.0-only
/* The meters for sections with interrupts off. */
#include "sections.h"

#include <unistd.h>

#include "machine.h"
#include "msr.h"

int sections_open(struct sections *sections)
{
	int cpu, cpus = cpus_online();

	sections->cpus = 0;
	for (cpu = 0; cpu < cpus && cpu < SECTION_CPUS; cpu++) {
		sections->msr[cpu] = msr_open(cpu);
		if (sections->msr[cpu] < 0) {
			sections_close(sections);
			return -1;
		}
		sections->cpus++;
	}
	return 0;
}

void sections_close(struct sections *sections)
{
	while (sections->cpus)
		close(sections->msr[--sections->cpus]);
}

void sections_clear(const struct sections *sections, unsigned int vector)
{
	int cpu;

	for (cpu = 0; cpu < sections->cpus; cpu++) {
		msr_stat_write(sections->msr[cpu], PMU_STAT_OFF_VECTOR, vector);
		msr_stat_write(sections->msr[cpu], PMU_STAT_OFF_IRQ, 0);
		msr_stat_write(sections->msr[cpu], PMU_STAT_OFF, 0);
	}
}

static void keep_longer(struct section *longest, int msr, uint32_t stat)
{
	uint64_t length = msr_stat(msr, stat);

	if (length <= longest->length)
		return;
	longest->length = length;
	longest->where = msr_stat(msr, stat + 1);
}

struct section sections_longest_interrupt(const struct sections *sections)
{
	struct section longest = { 0 };
	int cpu;

	for (cpu = 0; cpu < sections->cpus; cpu++)
		keep_longer(&longest, sections->msr[cpu], PMU_STAT_OFF_IRQ);
	return longest;
}

struct section sections_longest(const struct sections *sections)
{
	struct section longest = sections_longest_interrupt(sections);
	int cpu;

	for (cpu = 0; cpu < sections->cpus; cpu++)
		keep_longer(&longest, sections->msr[cpu], PMU_STAT_OFF);
	return longest;
}

struct section shorter_section(struct section a, struct section b)
{
	return a.length <= b.length ? a : b;
}
