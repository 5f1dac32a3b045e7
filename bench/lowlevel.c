// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the operations of the low-level core cost on this processor, measured
 * by the test module in the kernel: instructions and PMU accesses, exact.
 * `make bench` shows the table; lines that begin with "# tsv " are for programs.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "machine.h"
#include "pmu.h"
#include "probe.h"

#define TIMES 100

/* Overflows never: the measured code executes no user instruction. */
#define PERIOD 1000000

static const struct {
	enum perfctr_probe_operation operation;
	bool equal; /* the other state has the same control */
	const char *name;
} rows[] = {
	{ PERFCTR_PROBE_OP_SUSPEND, true, "suspend" },
	{ PERFCTR_PROBE_OP_RESUME, true, "resume, was here last" },
	{ PERFCTR_PROBE_OP_RETURN, true, "resume after an equal state" },
	{ PERFCTR_PROBE_OP_RETURN, false, "resume after another state" },
	{ PERFCTR_PROBE_OP_SAMPLE, true, "sample" },
	{ PERFCTR_PROBE_OP_SWITCH, true, "switch to an equal state" },
	{ PERFCTR_PROBE_OP_SWITCH, false, "switch to another state" },
};

/* @n counters in one mode; at kernel level, too, the control is another. */
static int set(int fd, int slot, int n, bool i_mode, bool kernel)
{
	struct probe_control control = { .kernel = kernel };
	int i;

	for (i = 0; i < n; i++) {
		const struct pmu_counter *counter = &pmu_get()->counter[i];

		if (i_mode)
			control.i_mode[i] = counter;
		else
			control.a_mode[i] = counter;
		control.period[i] = PERIOD;
	}
	return probe_set(fd, slot, &control) < 0 ? -1 : 0;
}

static void print(const char *name, int n, bool i_mode,
		  const struct perfctr_probe_cost *cost)
{
	const unsigned int instructions =
		(unsigned int)(cost->instructions / TIMES);
	const unsigned int wrmsr = (unsigned int)(cost->wrmsr / TIMES);
	const unsigned int rdmsr = (unsigned int)(cost->rdmsr / TIMES);
	const unsigned int rdpmc = (unsigned int)(cost->rdpmc / TIMES);

	printf("%-28s%8s%9d%14u%7u%7u%7u\n", name, i_mode ? "i" : "a", n,
	       instructions, wrmsr, rdmsr, rdpmc);
	printf("# tsv %s\t%s\t%d\t%u\t%u\t%u\t%u\n", name, i_mode ? "i" : "a",
	       n, instructions, wrmsr, rdmsr, rdpmc);
}

static int measure(int fd, int n, bool i_mode)
{
	struct perfctr_probe_cost cost;
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (set(fd, 0, n, i_mode, false) ||
		    set(fd, 1, n, i_mode, !rows[i].equal) ||
		    probe_measure(fd, rows[i].operation, TIMES, &cost))
			return -1;
		print(rows[i].name, n, i_mode, &cost);
	}
	return 0;
}

static int measure_all(int fd, bool has_i_mode)
{
	const int counters = (int)pmu_get()->counters;
	int n;

	printf("\n%s: instructions and PMU accesses of the low-level core\n",
	       pmu_get()->model);
	printf("%-28s%8s%9s%14s%7s%7s%7s\n", "operation", "mode", "counters",
	       "instructions", "wrmsr", "rdmsr", "rdpmc");
	printf("# tsv operation\tmode\tcounters\tinstructions\twrmsr\trdmsr\t"
	       "rdpmc\n");
	for (n = 1; n <= counters && n <= PROBE_COUNTERS; n *= 2)
		if (measure(fd, n, false))
			return -1;
	for (n = 1; has_i_mode && n <= counters && n <= PROBE_COUNTERS; n *= 2)
		if (measure(fd, n, true))
			return -1;
	return 0;
}

int main(void)
{
	struct perfctr_probe_info info;
	int fd, rc;

	if (!pmu_get() || pin_to_cpu(0) || probe_load()) {
		fprintf(stderr, "lowlevel: %s\n", strerror(errno));
		return 1;
	}
	fd = probe_open();
	if (fd < 0 || ioctl(fd, PERFCTR_PROBE_INFO, &info) ||
	    !info.can_measure) {
		fprintf(stderr, "lowlevel: this is not the test machine\n");
		return 1;
	}
	rc = measure_all(fd, info.cpu_features & PERFCTR_PROBE_PCINT);
	if (rc)
		fprintf(stderr, "lowlevel: %s\n", strerror(errno));
	close(fd);
	return rc || probe_unload();
}
