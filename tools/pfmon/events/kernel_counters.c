// SPDX-License-Identifier: GPL-2.0-only
/* Counters of PMUs outside the cores, see kernel_counters.h. */
#include "events/kernel_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diag.h"
#include "engine/idlist.h"

static int open_event(const struct kernel_event *event, uint32_t type, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* The CPUs on which an instance is opened. -1 after a message. */
static int choose_cpus(const struct kernel_instance *instance,
		       const cpu_set_t *measured, cpu_set_t *cpus)
{
	*cpus = *measured;
	if (!*instance->cpumask)
		return 0;
	if (idlist_cpus(instance->cpumask, "cpumask", cpus))
		return -1;
	CPU_AND(cpus, cpus, measured);
	return 0;
}

/* Rights, absence and a CPU that is off: each with its way out. */
static int tell_failure(const struct event *event, int cpu)
{
	switch (errno) {
	case EACCES:
	case EPERM:
		return diag(
			"event %s: needs CAP_PERFMON, or kernel.perf_event_paranoid below 1: sudo sysctl kernel.perf_event_paranoid=0",
			event->name);
	case ENODEV:
	case ENXIO:
		return diag(
			"event %s: CPU %d, which counts it, is off line; switch it on, or leave its socket out with -C",
			event->name, cpu);
	case EINVAL:
	case ENOENT:
	case EOPNOTSUPP:
		return diag("event %s: the kernel does not count it here",
			    event->name);
	default:
		return diag("event %s: cannot count it on CPU %d: %s",
			    event->name, cpu, strerror(errno));
	}
}

static int open_on(struct kernel_counters *counters, int number, uint32_t type,
		   int cpu, enum grouping grouping)
{
	const struct event *event = &counters->events->events[number];
	struct kernel_counter *grown;

	grown = reallocarray(counters->list, (size_t)counters->count + 1,
			     sizeof(*grown));
	if (!grown)
		return diag("out of memory");
	counters->list = grown;
	grown += counters->count;
	*grown = (struct kernel_counter){
		.event = number,
		.cpu = cpu,
		.fd = open_event(event->kernel, type, cpu),
	};
	if (grown->fd < 0)
		return tell_failure(event, cpu);
	topology_place(cpu, grouping, grown->place);
	counters->count++;
	return 0;
}

static int open_all(struct kernel_counters *counters, int number,
		    const cpu_set_t *measured, enum grouping grouping)
{
	const struct event *event = &counters->events->events[number];
	int before = counters->count;
	cpu_set_t cpus;

	for (int i = 0; i < event->kernel->count; i++) {
		const struct kernel_instance *one =
			&event->kernel->instances[i];

		if (choose_cpus(one, measured, &cpus))
			return -1;
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &cpus) &&
			    open_on(counters, number, one->type, cpu, grouping))
				return -1;
	}
	if (counters->count > before)
		return 0;
	return diag("event %s: only CPU %s can count it; measure that one, too",
		    event->name, event->kernel->instances[0].cpumask);
}

int kernel_counters_open(struct kernel_counters *counters,
			 const struct event_list *events,
			 const cpu_set_t *measured, enum grouping grouping)
{
	*counters = (struct kernel_counters){ .events = events };
	for (int i = 0; i < events->count; i++)
		if (events->events[i].kernel &&
		    open_all(counters, i, measured, grouping))
			return -1;
	return 0;
}

void kernel_counters_close(struct kernel_counters *counters)
{
	for (int i = 0; i < counters->count; i++)
		close(counters->list[i].fd);
	free(counters->list);
	*counters = (struct kernel_counters){ 0 };
}

/* All that this thread has opened: they begin and end together. */
void kernel_counters_run(const struct kernel_counters *counters, bool on)
{
	if (counters->count)
		prctl(on ? PR_TASK_PERF_EVENTS_ENABLE :
			   PR_TASK_PERF_EVENTS_DISABLE);
}

void kernel_counters_read(struct kernel_counters *counters)
{
	struct kernel_reading reading;

	for (int i = 0; i < counters->count; i++) {
		struct kernel_counter *counter = &counters->list[i];

		if (counter->gone)
			continue;
		if (read(counter->fd, &reading, sizeof(reading)) ==
		    sizeof(reading)) {
			counter->now = reading;
			continue;
		}
		counter->gone = true;
		diag("note: event %s: its PMU or CPU %d has gone; it is not counted any more",
		     counters->events->events[counter->event].name,
		     counter->cpu);
	}
}

void kernel_counters_begin_interval(struct kernel_counters *counters)
{
	for (int i = 0; i < counters->count; i++)
		counters->list[i].before = counters->list[i].now;
}

static bool is_in(const struct kernel_counter *counter, int cpu,
		  const char *place)
{
	if (place && *place)
		return !strcmp(counter->place, place);
	return cpu < 0 || counter->cpu == cpu;
}

/* Rounded since the start: intervals add up to the whole, and rows do. */
static uint64_t scaled(uint64_t value, double scale)
{
	if (scale == 1)
		return value;
	return (uint64_t)((long double)value * scale + 0.5L);
}

struct kernel_value
kernel_counters_value(const struct kernel_counters *counters, int event,
		      int cpu, const char *place)
{
	const struct kernel_event *kernel =
		counters->events->events[event].kernel;
	struct kernel_value sum = { .count = 0 };
	bool gone = false;

	for (int i = 0; i < counters->count; i++) {
		const struct kernel_counter *counter = &counters->list[i];
		const struct kernel_reading *now = &counter->now;
		const struct kernel_reading *before = &counter->before;

		if (counter->event != event || !is_in(counter, cpu, place))
			continue;
		sum.there = true;
		gone |= counter->gone;
		sum.count += scaled(now->value, kernel->scale) -
			     scaled(before->value, kernel->scale);
		sum.enabled += now->enabled - before->enabled;
		sum.running += now->running - before->running;
	}
	sum.there = sum.there && !gone;
	return sum;
}

bool kernel_counters_shared(const struct kernel_counters *counters)
{
	for (int i = 0; i < counters->count; i++) {
		const struct kernel_counter *counter = &counters->list[i];

		if (counter->now.running - counter->before.running <
		    counter->now.enabled - counter->before.enabled)
			return true;
	}
	return false;
}
