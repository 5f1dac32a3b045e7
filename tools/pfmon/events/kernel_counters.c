// SPDX-License-Identifier: GPL-2.0-only
/* Counters of PMUs outside the cores, see kernel_counters.h. */
#include "events/kernel_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
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

/*
 * The CPUs on which an instance is opened. What the kernel says at this moment counts: it
 * crashes of energy of a package whose CPUs are all off line (Linux 6.12). -1 after a
 * message.
 */
static int choose_cpus(const struct kernel_instance *instance,
		       const cpu_set_t *measured, cpu_set_t *cpus)
{
	char cpumask[KERNEL_PMU_TEXT];

	*cpus = *measured;
	kernel_pmu_cpumask(instance, cpumask);
	if (!*cpumask && *instance->cpumask)
		CPU_ZERO(cpus);
	if (!*cpumask)
		return 0;
	if (idlist_cpus(cpumask, "cpumask", cpus))
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

static int open_on(struct kernel_counters *counters, int number,
		   const struct kernel_instance *instance, int cpu,
		   enum grouping grouping)
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
		.instance = instance,
		.cpu = cpu,
		.first_cpu = cpu,
		.fd = open_event(event->kernel, instance->type, cpu),
	};
	if (grown->fd < 0)
		return tell_failure(event, cpu);
	topology_place(cpu, grouping, grown->place);
	topology_place(cpu, GROUP_DIES, grown->die);
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
			    open_on(counters, number, one, cpu, grouping))
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

static void take_reading(struct kernel_counter *counter,
			 const struct kernel_reading *reading)
{
	const struct kernel_reading *base = &counter->base;
	uint64_t enabled = base->enabled + reading->enabled;

	counter->stalled = enabled && enabled == counter->now.enabled;
	counter->now = (struct kernel_reading){
		.value = base->value + reading->value,
		.enabled = enabled,
		.running = base->running + reading->running,
	};
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
			take_reading(counter, &reading);
			continue;
		}
		counter->gone = true;
		diag("note: event %s: its PMU or CPU %d has gone; it is not counted any more",
		     counters->events->events[counter->event].name,
		     counter->cpu);
	}
}

/* One of the CPUs that is in the same die, but not this one; -1: none is. */
static int find_in_die(const struct kernel_counter *counter,
		       const cpu_set_t *cpus, int but)
{
	char die[TOPOLOGY_PLACE];

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, cpus) || cpu == but)
			continue;
		topology_place(cpu, GROUP_DIES, die);
		if (!strcmp(die, counter->die))
			return cpu;
	}
	return -1;
}

/*
 * The CPU that reads it now; -1: all that could are off line still. What each core of a
 * die has one of is no other CPU's.
 */
static int find_cpu(const struct kernel_counter *counter)
{
	const struct kernel_instance *instance = counter->instance;
	cpu_set_t all, first, now;

	memset(&all, 0xff, sizeof(all));
	if (!*instance->cpumask)
		return counter->cpu;
	if (choose_cpus(instance, &all, &now) ||
	    idlist_cpus(instance->cpumask, "cpumask", &first))
		return -1;
	if (CPU_ISSET(counter->cpu, &now))
		return counter->cpu;
	if (find_in_die(counter, &first, counter->first_cpu) >= 0)
		return -1;
	return find_in_die(counter, &now, -1);
}

/* The kernel has taken the counter off its CPU, and does not put it back. */
void kernel_counters_return(struct kernel_counters *counters)
{
	for (int i = 0; i < counters->count; i++) {
		struct kernel_counter *counter = &counters->list[i];
		int cpu, fd;

		if (!counter->stalled || counter->gone)
			continue;
		cpu = find_cpu(counter);
		if (cpu < 0)
			continue;
		fd = open_event(counters->events->events[counter->event].kernel,
				counter->instance->type, cpu);
		if (fd < 0)
			continue;
		close(counter->fd);
		counter->fd = fd;
		counter->cpu = cpu;
		counter->base = counter->now;
		counter->stalled = false;
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
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

static uint64_t enabled_in_interval(const struct kernel_counter *counter)
{
	return counter->now.enabled - counter->before.enabled;
}

static uint64_t running_in_interval(const struct kernel_counter *counter)
{
	return counter->now.running - counter->before.running;
}

/* How long the interval was: the time of the counter that counted longest. */
static uint64_t longest(const struct kernel_counters *counters)
{
	uint64_t most = 0;

	for (int i = 0; i < counters->count; i++)
		if (most < enabled_in_interval(&counters->list[i]))
			most = enabled_in_interval(&counters->list[i]);
	return most;
}

/* How long one should have counted. Less than the longest by a moment is the skew. */
static uint64_t wanted(const struct kernel_counter *counter, uint64_t most)
{
	uint64_t enabled = enabled_in_interval(counter);
	uint64_t skew = most / 100 > NS_PER_MS ? most / 100 : NS_PER_MS;

	return most - enabled > skew ? most : enabled;
}

struct kernel_value
kernel_counters_value(const struct kernel_counters *counters, int event,
		      int cpu, const char *place)
{
	const struct kernel_event *kernel =
		counters->events->events[event].kernel;
	struct kernel_value sum = { .count = 0 };
	uint64_t most = longest(counters);
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
		sum.enabled += wanted(counter, most);
		sum.running += running_in_interval(counter);
	}
	sum.there = sum.there && !gone;
	return sum;
}

bool kernel_counters_partial(const struct kernel_counters *counters)
{
	uint64_t most = longest(counters);

	for (int i = 0; i < counters->count; i++) {
		const struct kernel_counter *counter = &counters->list[i];

		if (running_in_interval(counter) < wanted(counter, most))
			return true;
	}
	return false;
}
