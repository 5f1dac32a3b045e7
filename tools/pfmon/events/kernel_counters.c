// SPDX-License-Identifier: GPL-2.0-only
/* Counters of PMUs outside the cores, see kernel_counters.h. */
#include "events/kernel_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diag.h"
#include "engine/idlist.h"

static int open_event(const struct kernel_event *event, int instance, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event->types[instance],
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

/* The CPUs on which an event is opened. -1 after a message. */
static int choose_cpus(const struct event *event, const cpu_set_t *measured,
		       cpu_set_t *cpus)
{
	*cpus = *measured;
	if (!*event->kernel->cpumask)
		return 0;
	if (idlist_cpus(event->kernel->cpumask, "cpumask", cpus))
		return -1;
	CPU_AND(cpus, cpus, measured);
	if (CPU_COUNT(cpus))
		return 0;
	return diag("event %s: only CPU %s can count it; measure that one, too",
		    event->name, event->kernel->cpumask);
}

static int tell_failure(const struct event *event, int cpu)
{
	if (errno == EACCES || errno == EPERM)
		return diag(
			"event %s: needs CAP_PERFMON, or kernel.perf_event_paranoid below 1",
			event->name);
	if (errno == EINVAL || errno == ENOENT || errno == EOPNOTSUPP)
		return diag("event %s: the kernel does not count it here",
			    event->name);
	return diag("event %s: cannot count it on CPU %d: %s", event->name, cpu,
		    strerror(errno));
}

static int open_on(struct kernel_counters *counters, int number, int cpu)
{
	const struct event *event = &counters->events->events[number];
	struct kernel_counter *grown;

	for (int i = 0; i < event->kernel->instances; i++) {
		grown = realloc(counters->list,
				((size_t)counters->count + 1) * sizeof(*grown));
		if (!grown)
			return diag("out of memory");
		counters->list = grown;
		grown += counters->count;
		*grown = (struct kernel_counter){
			number, open_event(event->kernel, i, cpu)
		};
		if (grown->fd < 0)
			return tell_failure(event, cpu);
		counters->count++;
	}
	return 0;
}

int kernel_counters_open(struct kernel_counters *counters,
			 const struct event_list *events,
			 const cpu_set_t *measured)
{
	size_t count = (size_t)events->count + 1;
	cpu_set_t cpus;

	*counters = (struct kernel_counters){
		.events = events,
		.values = calloc(count, sizeof(*counters->values)),
		.before = calloc(count, sizeof(*counters->before)),
	};
	if (!counters->values || !counters->before)
		return diag("out of memory");
	for (int i = 0; i < events->count; i++) {
		if (!events->events[i].kernel)
			continue;
		if (choose_cpus(&events->events[i], measured, &cpus))
			return -1;
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
			if (CPU_ISSET(cpu, &cpus) && open_on(counters, i, cpu))
				return -1;
	}
	return 0;
}

void kernel_counters_close(struct kernel_counters *counters)
{
	for (int i = 0; i < counters->count; i++)
		close(counters->list[i].fd);
	free(counters->list);
	free(counters->values);
	free(counters->before);
	*counters = (struct kernel_counters){ 0 };
}

void kernel_counters_run(const struct kernel_counters *counters, bool on)
{
	for (int i = 0; i < counters->count; i++)
		ioctl(counters->list[i].fd,
		      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* What one has counted; of a counter that others have had meanwhile a projection. */
static int read_one(const struct kernel_counter *counter, double *value)
{
	struct {
		uint64_t value, enabled, running;
	} counted;

	if (read(counter->fd, &counted, sizeof(counted)) != sizeof(counted))
		return -1;
	*value = (double)counted.value;
	if (counted.running && counted.running < counted.enabled)
		*value *= (double)counted.enabled / (double)counted.running;
	return 0;
}

int kernel_counters_read(struct kernel_counters *counters)
{
	for (int i = 0; i < counters->events->count; i++) {
		const struct event *event = &counters->events->events[i];
		double sum = 0, value;

		for (int j = 0; event->kernel && j < counters->count; j++) {
			if (counters->list[j].event != i)
				continue;
			if (read_one(&counters->list[j], &value))
				return diag(
					"event %s: cannot be read any more: its PMU or CPU has gone",
					event->name);
			sum += value;
		}
		if (event->kernel)
			counters->values[i] =
				(uint64_t)(sum * event->kernel->scale + 0.5);
	}
	return 0;
}

void kernel_counters_delta(struct kernel_counters *counters, bool ends)
{
	for (int i = 0; i < counters->events->count; i++) {
		uint64_t now = counters->values[i];

		counters->values[i] -= counters->before[i];
		if (ends)
			counters->before[i] = now;
	}
}
