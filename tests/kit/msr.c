// SPDX-License-Identifier: GPL-2.0-only
/* The statistics of the test machine. */
#include "msr.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

uint64_t msr_stat(int fd, uint32_t offset)
{
	uint64_t value = 0;

	if (pread(fd, &value, sizeof(value), PMU_STAT_BASE + offset) !=
	    (ssize_t)sizeof(value))
		return 0;
	return value;
}

int msr_open(int cpu)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%d/msr", cpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && msr_stat(fd, PMU_STAT_MAGIC) != PMU_STAT_MAGIC_VALUE) {
		close(fd);
		return -1;
	}
	return fd;
}

int msr_stat_write(int fd, uint32_t offset, uint64_t value)
{
	return pwrite(fd, &value, sizeof(value), PMU_STAT_BASE + offset) ==
			       (ssize_t)sizeof(value) ?
		       0 :
		       -1;
}

int msr_fault(int fd, uint64_t fault)
{
	return msr_stat_write(fd, PMU_STAT_FAULT, fault);
}

struct pmu_accesses pmu_accesses(int fd)
{
	return (struct pmu_accesses){
		.wrmsr = msr_stat(fd, PMU_STAT_WRMSR),
		.rdmsr = msr_stat(fd, PMU_STAT_RDMSR),
		.rdpmc = msr_stat(fd, PMU_STAT_RDPMC),
	};
}

struct pmu_accesses pmu_accesses_since(int fd,
				       const struct pmu_accesses *before)
{
	struct pmu_accesses now = pmu_accesses(fd);

	return (struct pmu_accesses){
		.wrmsr = now.wrmsr - before->wrmsr,
		.rdmsr = now.rdmsr - before->rdmsr,
		.rdpmc = now.rdpmc - before->rdpmc,
	};
}
