// SPDX-License-Identifier: GPL-2.0-only
/* PEBS as a program uses it. */
#include "pebs.h"

#include <cpuid.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "machine.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"

bool pebs_exists(void)
{
	struct pmu_reg reg;

	return pmu_reg(PMU_PMC, PMC_PEBS_ENABLE, &reg) &&
	       !strcmp(reg.name, "PEBS_ENABLE");
}

int pebs_read(unsigned int *format, uint64_t *counters)
{
	char text[64];

	if (attr_read("pmu_desc/pebs", text, sizeof(text)) ||
	    sscanf(text, "%u %" SCNx64, format, counters) != 2)
		return -1;
	return 0;
}

static unsigned int format_here(void)
{
	unsigned int format = 0;
	uint64_t counters;

	return pebs_read(&format, &counters) ? 0 : format;
}

unsigned int pebs_late(void)
{
	return format_here() < PEBS_FORMAT_EXACT;
}

/* Errata of Nehalem and Haswell. */
uint64_t pebs_shortest(void)
{
	static const unsigned char models[] = { 0x1a, 0x1e, 0x1f, 0x2e,
						0x3c, 0x3f, 0x45, 0x46 };
	unsigned int eax = 0, ebx, ecx, edx;
	size_t i;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	for (i = 0; i < sizeof(models); i++)
		if (models[i] == ((eax >> 12 & 0xf0) | (eax >> 4 & 0xf)))
			return 32;
	return 2;
}

unsigned int pebs_record_bytes(uint32_t blocks)
{
	unsigned int format = 0;
	uint64_t counters;

	if (pebs_read(&format, &counters))
		return 0;
	if (format < PEBS_FORMAT_GROUPS)
		return format == 3 ? 200 : format == 2 ? 192 : 176;
	return 32 + (blocks & PFM_PRECISE_SMPL_MEM ? 32 : 0) +
	       (blocks & PFM_PRECISE_SMPL_GPRS ? 144 : 0);
}

bool pebs_is_kernel(uint64_t ip)
{
	if (sizeof(long) == 8 || compat_process())
		return ip >> 63;
	return ip >= 0xc0000000;
}

int pebs_program(int fd, unsigned int n, uint64_t selector, uint32_t flags,
		 uint64_t period)
{
	const struct pfarg_pmd_attr attr = {
		.reg_long_reset = -period,
		.reg_short_reset = -period,
	};

	if (write_pmc(fd, (uint16_t)n, selector))
		return -1;
	return write_pmd_attr(fd, (uint16_t)n, flags, -period, &attr);
}

int pebs_instructions(int fd, uint32_t flags, uint64_t period)
{
	if (pebs_program(fd, 0, PEBS_INSTRUCTIONS, flags, period))
		return -1;
	return write_pmc(fd, PMC_PEBS_ENABLE, 1);
}

int pebs_take_the_cpu(void)
{
	struct sched_param param = { .sched_priority = 1 };

	file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	return sched_setscheduler(0, SCHED_FIFO, &param);
}
