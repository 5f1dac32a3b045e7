/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of PMUs outside the cores, which perf_event reads (events/kernel_pmu.h). */
#ifndef PFMON_KERNEL_COUNTERS_H
#define PFMON_KERNEL_COUNTERS_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/topology.h"
#include "events/event.h"

/* What a counter says, as perf_event_open(2) has it. */
struct kernel_reading {
	uint64_t value; /* raw */
	uint64_t enabled, running; /* ns */
};

struct kernel_counter {
	int event; /* number in the list */
	const struct kernel_instance *instance;
	int cpu;
	int fd;
	bool gone; /* it cannot be read any more */
	bool stalled; /* its time stood still: its CPU is off line */
	char place[TOPOLOGY_PLACE]; /* of the CPU, as rows have it */
	char die[TOPOLOGY_PLACE]; /* of the CPU */
	int first_cpu; /* where it was opened first */
	struct kernel_reading now;
	struct kernel_reading before; /* when the interval began */
	struct kernel_reading base; /* when its CPU came back */
};

struct kernel_counters {
	const struct event_list *events;
	struct kernel_counter *list;
	int count;
};

/* Of one event, in one row. */
struct kernel_value {
	uint64_t count; /* in the unit of the event */
	/*
	 * How long it should have counted, as long as the others, and has: ns of all its
	 * counters together.
	 */
	uint64_t enabled, running;
	bool there; /* the row has counters of it, and each can be read */
};

/*
 * Opens all events of the list, stopped. Where any CPU can read a PMU, each measured CPU
 * has a counter of it; where only some CPUs can, the measured ones among them have. The
 * rows have this grouping. -1 after a message. Call kernel_counters_close() in both
 * cases.
 */
int kernel_counters_open(struct kernel_counters *counters,
			 const struct event_list *events, const cpu_set_t *cpus,
			 enum grouping grouping);
void kernel_counters_close(struct kernel_counters *counters);

/* Lets them all count, or stops them: by one system call. */
void kernel_counters_run(const struct kernel_counters *counters, bool on);

/* Reads each by one system call. One that cannot be read is named, once. */
void kernel_counters_read(struct kernel_counters *counters);

/* From now on the values are those since the reading before. */
void kernel_counters_begin_interval(struct kernel_counters *counters);

/*
 * The value of an event in the interval: of the CPU of a row, of its place if it has one,
 * or of all, for a CPU of -1.
 */
struct kernel_value
kernel_counters_value(const struct kernel_counters *counters, int event,
		      int cpu, const char *place);

/*
 * Whether some have counted a part of the interval only: they shared a counter of their
 * PMU with others, or their CPU was off line.
 */
bool kernel_counters_partial(const struct kernel_counters *counters);

/*
 * Lets those go on whose CPU was off line and has come back; of what a die has one of,
 * also those that another CPU of the die reads now. To be called while they count, after
 * two readings.
 */
void kernel_counters_return(struct kernel_counters *counters);

#endif /* PFMON_KERNEL_COUNTERS_H */
