/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of PMUs outside the cores, which perf_event reads (events/kernel_pmu.h). */
#ifndef PFMON_KERNEL_COUNTERS_H
#define PFMON_KERNEL_COUNTERS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "events/event.h"

struct kernel_counter {
	int event; /* number in the list */
	int fd;
};

struct kernel_counters {
	const struct event_list *events;
	struct kernel_counter *list;
	int count;
	uint64_t *values; /* of each event of the list, when they were read last */
	uint64_t *before; /* the same at the begin of the interval */
};

/*
 * Opens all events of the list, stopped. Where any CPU can read a PMU, each measured CPU
 * has a counter of it; where only some CPUs can, the measured ones among them have.
 * -1 after a message. Call kernel_counters_close() in both cases.
 */
int kernel_counters_open(struct kernel_counters *counters,
			 const struct event_list *events,
			 const cpu_set_t *cpus);
void kernel_counters_close(struct kernel_counters *counters);

/* Lets them all count, or stops them. */
void kernel_counters_run(const struct kernel_counters *counters, bool on);

/* What they have counted since they were opened. -1 after a message. */
int kernel_counters_read(struct kernel_counters *counters);

/* Makes the values those since the last interval, which ends here if it is to. */
void kernel_counters_delta(struct kernel_counters *counters, bool ends);

#endif /* PFMON_KERNEL_COUNTERS_H */
