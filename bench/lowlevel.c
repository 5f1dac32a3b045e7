// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the operations of the low-level core cost on this processor, measured
 * by the test module in the kernel: instructions and PMU accesses, exact.
 * Writes lines with tabs between the fields, of which bench/lowlevel-table.awk
 * makes the table of `make bench`.
 *
 * Built with nolibc: it runs on every processor that Linux runs on.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "array_size.h"
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

/* What to measure with: the event does not matter, so any counter will do. */
static const struct pmu *counters(void)
{
	return pmu_get() ? pmu_get() : pmu_all();
}

/*
 * @n counters in one mode, or the time stamp counter alone; at kernel level,
 * too, the control is another.
 */
static int set(int fd, int slot, int n, bool i_mode, bool kernel)
{
	struct probe_control control = { .kernel = kernel, .tsc = !n };
	int i;

	for (i = 0; i < n; i++) {
		const struct pmu_counter *counter = &counters()->counter[i];

		if (i_mode)
			control.i_mode[i] = counter;
		else
			control.a_mode[i] = counter;
		control.period[i] = PERIOD;
	}
	return probe_set(fd, slot, &control) < 0 ? -1 : 0;
}

static unsigned int each(uint64_t all)
{
	return (unsigned int)all / TIMES;
}

static int measure(int fd, int n, bool i_mode)
{
	struct perfctr_probe_cost cost;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (set(fd, 0, n, i_mode, false) ||
		    set(fd, 1, n, i_mode, !rows[i].equal) ||
		    probe_measure(fd, rows[i].operation, TIMES, &cost))
			return -1;
		printf("%s\t%s\t%d\t%u\t%u\t%u\t%u\n", rows[i].name,
		       i_mode ? "i" : "a", n, each(cost.instructions),
		       each(cost.wrmsr), each(cost.rdmsr), each(cost.rdpmc));
	}
	return 0;
}

static int measure_all(int fd, bool has_i_mode)
{
	const int all = counters() ? (int)counters()->counters : 0;
	int n;

	printf("operation\tmode\tcounters\tinstructions\twrmsr\trdmsr\t"
	       "rdpmc\n");
	if (!all)
		return measure(fd, 0, false);
	for (n = 1; n <= all && n <= PROBE_COUNTERS; n *= 2)
		if (measure(fd, n, false))
			return -1;
	for (n = 1; has_i_mode && n <= all && n <= PROBE_COUNTERS; n *= 2)
		if (measure(fd, n, true))
			return -1;
	return 0;
}

int main(void)
{
	struct perfctr_probe_info info;
	int fd, rc;

	fd = probe_load() ? -1 : probe_open();
	if (fd < 0 || ioctl(fd, PERFCTR_PROBE_INFO, &info)) {
		perror("lowlevel");
		return 1;
	}
	if (!info.can_measure) {
		fprintf(stderr, "lowlevel: this is not the test machine\n");
		return 1;
	}
	rc = measure_all(fd, info.cpu_features & PERFCTR_PROBE_PCINT);
	if (rc)
		perror("lowlevel");
	close(fd);
	return rc || probe_unload();
}
