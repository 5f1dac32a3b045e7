// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfmon costs beside perf_event, in one boot: instructions (user and
 * kernel) and PMU accesses of each call and of a context switch. The numbers
 * come from the test machine's statistics, so they are exact; each is the
 * least of many repetitions, that is one without a tick in it. `make bench`
 * shows the table.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "msr.h"
#include "perf.h"
#include "pingpong.h"
#include "pmrs.h"
#include "pmu.h"

#define WARM_UP 100
#define ROUNDS 300
#define MAX_COUNTERS 4

/* One of the two ways to count @n events in the calling thread. */
struct interface {
	const char *name;
	int (*create)(int n);
	int (*start)(int fd);
	int (*stop)(int fd);
	int (*read)(int fd, int n);
	int (*destroy)(int fd, int n);
};

static int perfmon_create(int n)
{
	struct pfarg_pmr pmcs[MAX_COUNTERS] = { 0 };
	struct pfarg_pmr pmds[MAX_COUNTERS] = { 0 };
	int fd = pfm_create_session(0);
	int i;

	for (i = 0; i < n; i++) {
		const struct pmu_counter *counter = &pmu_get()->counter[i];

		pmcs[i].reg_num = counter->pmc;
		pmcs[i].reg_value = counter->user;
		pmds[i].reg_num = counter->pmd;
	}
	if (fd < 0 || pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, n) ||
	    pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, n) || attach_self(fd))
		return -1;
	return fd;
}

static int perfmon_start(int fd)
{
	return pfm_start_session(fd, 0);
}

static int perfmon_stop(int fd)
{
	return pfm_stop_session(fd, 0);
}

static int perfmon_read(int fd, int n)
{
	struct pfarg_pmr pmds[MAX_COUNTERS] = { 0 };
	int i;

	for (i = 0; i < n; i++)
		pmds[i].reg_num = pmu_get()->counter[i].pmd;
	return pfm_read_pmrs(fd, PFM_RWFL_PMD, pmds, n);
}

static int perfmon_destroy(int fd, int n)
{
	(void)n;
	return close(fd);
}

/* Descriptors of the events of the group that exists, leader first. */
static int perf_fds[MAX_COUNTERS];

static int perf_create(int n)
{
	return perf_open_group(n, perf_fds);
}

static int perf_start(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

static int perf_stop(int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

static int perf_read(int fd, int n)
{
	uint64_t values[1 + MAX_COUNTERS];
	ssize_t size = (ssize_t)((1 + (size_t)n) * sizeof(values[0]));

	return read(fd, values, sizeof(values)) == size ? 0 : -1;
}

static int perf_destroy(int fd, int n)
{
	(void)fd;
	while (n-- > 0)
		if (close(perf_fds[n]))
			return -1;
	return 0;
}

static const struct interface interfaces[] = {
	{ "perfmon", perfmon_create, perfmon_start, perfmon_stop, perfmon_read,
	  perfmon_destroy },
	{ "perf_event", perf_create, perf_start, perf_stop, perf_read,
	  perf_destroy },
};

#define INTERFACES (sizeof(interfaces) / sizeof(interfaces[0]))

/* What one operation costs. */
struct cost {
	uint64_t instructions;
	struct pmu_accesses accesses;
};

enum row {
	ROW_CREATE,
	ROW_START,
	ROW_READ,
	ROW_STOP,
	ROW_CLOSE,
	ROW_SWITCH_NONE,
	ROW_SWITCH_ONE,
	ROW_SWITCH_BOTH,
	ROWS,
};

static const char *const row_names[ROWS] = {
	[ROW_CREATE] = "create, program, attach",
	[ROW_START] = "start",
	[ROW_READ] = "read",
	[ROW_STOP] = "stop",
	[ROW_CLOSE] = "close",
	[ROW_SWITCH_NONE] = "round trip, nobody counts",
	[ROW_SWITCH_ONE] = "round trip, one counts",
	[ROW_SWITCH_BOTH] = "round trip, both count",
};

/* State of a measurement; instructions are read last and first. */
struct meter {
	int msr;
	uint64_t empty; /* instructions of measuring nothing */
	uint64_t instructions;
	struct pmu_accesses accesses;
};

static void meter_start(struct meter *meter)
{
	meter->accesses = pmu_accesses(meter->msr);
	meter->instructions = msr_stat(meter->msr, PMU_STAT_INSNS);
}

/* Keeps the cheaper of @best and what was done since meter_start(). */
static void meter_stop(struct meter *meter, struct cost *best)
{
	uint64_t now = msr_stat(meter->msr, PMU_STAT_INSNS);
	uint64_t taken = now - meter->instructions - meter->empty;

	if (taken >= best->instructions)
		return;
	best->instructions = taken;
	best->accesses = pmu_accesses_since(meter->msr, &meter->accesses);
}

static void forget(struct cost *costs)
{
	enum row row;

	for (row = 0; row < ROWS; row++)
		costs[row].instructions = UINT64_MAX;
}

static void calibrate(struct meter *meter)
{
	struct cost cost = { .instructions = UINT64_MAX };
	int i;

	for (i = 0; i < ROUNDS; i++) {
		meter_start(meter);
		meter_stop(meter, &cost);
	}
	meter->empty = cost.instructions;
}

/* One life of a session: each call measured by itself. */
static int measure_calls(const struct interface *with, int n,
			 struct meter *meter, struct cost *costs)
{
	int fd, rc;

	meter_start(meter);
	fd = with->create(n);
	meter_stop(meter, &costs[ROW_CREATE]);
	if (fd < 0)
		return -1;
	meter_start(meter);
	rc = with->start(fd);
	meter_stop(meter, &costs[ROW_START]);
	meter_start(meter);
	rc |= with->read(fd, n);
	meter_stop(meter, &costs[ROW_READ]);
	meter_start(meter);
	rc |= with->stop(fd);
	meter_stop(meter, &costs[ROW_STOP]);
	meter_start(meter);
	rc |= with->destroy(fd, n);
	meter_stop(meter, &costs[ROW_CLOSE]);
	return rc;
}

/* What the partner of a ping-pong counts with. */
static const struct interface *partner_with;
static int partner_counters;

static int partner_counts(void)
{
	int fd = partner_with->create(partner_counters);

	return fd < 0 || partner_with->start(fd);
}

/* Context switches of the caller, which counts already or not. */
static int measure_switches(struct meter *meter, int (*prepare)(void),
			    struct cost *best)
{
	struct pingpong pingpong;
	int i, rc;

	if (pingpong_start(&pingpong, 0, prepare))
		return -1;
	rc = pingpong_play(&pingpong, WARM_UP);
	for (i = 0; i < ROUNDS; i++) {
		pingpong_settle(i);
		meter_start(meter);
		rc |= pingpong_play(&pingpong, 1);
		meter_stop(meter, best);
	}
	pingpong_stop(&pingpong);
	return rc;
}

static int measure(const struct interface *with, int n, struct meter *meter,
		   struct cost *costs)
{
	int fd, holder, i;

	if (measure_switches(meter, NULL, &costs[ROW_SWITCH_NONE]))
		return -1;
	partner_with = with;
	partner_counters = n;
	fd = with->create(n);
	if (fd < 0 || with->start(fd) ||
	    measure_switches(meter, NULL, &costs[ROW_SWITCH_ONE]) ||
	    measure_switches(meter, partner_counts, &costs[ROW_SWITCH_BOTH]) ||
	    with->destroy(fd, n))
		return -1;

	/* Somebody else holds the PMU, so that reserving it is not measured. */
	if (with == &interfaces[0])
		holder = pfm_create_session(0);
	else
		holder = perf_open_instructions();
	for (i = 0; i < WARM_UP; i++)
		if (measure_calls(with, n, meter, costs))
			return -1;
	for (i = ROW_CREATE; i <= ROW_CLOSE; i++)
		costs[i].instructions = UINT64_MAX;
	for (i = 0; i < ROUNDS; i++)
		if (measure_calls(with, n, meter, costs))
			return -1;
	return close(holder);
}

static void print_table(int n, struct cost costs[INTERFACES][ROWS])
{
	unsigned int i;
	enum row row;

	printf("\n%s, %d counter%s: instructions, wrmsr/rdmsr/rdpmc\n",
	       pmu_get()->model, n, n > 1 ? "s" : "");
	printf("%-28s", "operation");
	for (i = 0; i < INTERFACES; i++)
		printf("%12s %-10s", interfaces[i].name, "w/r/p");
	printf("\n");
	for (row = 0; row < ROWS; row++) {
		printf("%-28s", row_names[row]);
		for (i = 0; i < INTERFACES; i++) {
			const struct cost *cost = &costs[i][row];
			char accesses[32];

			snprintf(accesses, sizeof(accesses), "%u/%u/%u",
				 (unsigned int)cost->accesses.wrmsr,
				 (unsigned int)cost->accesses.rdmsr,
				 (unsigned int)cost->accesses.rdpmc);
			printf("%12llu %-10s",
			       (unsigned long long)cost->instructions,
			       accesses);
		}
		printf("\n");
	}
}

int main(void)
{
	static struct cost costs[INTERFACES][ROWS];
	struct meter meter = { .msr = msr_open(0) };
	unsigned int i;
	int n, most;

	if (meter.msr < 0 || !pmu_get()) {
		fprintf(stderr, "bench_switch: %s\n",
			pmu_get() ? "this is not the test machine" :
				    "no perfmon on this machine");
		return 1;
	}
	most = (int)pmu_get()->counters;
	if (most > MAX_COUNTERS)
		most = MAX_COUNTERS;
	calibrate(&meter);
	for (n = 1; n <= most; n += most > 1 ? most - 1 : 1) {
		for (i = 0; i < INTERFACES; i++) {
			forget(costs[i]);
			if (measure(&interfaces[i], n, &meter, costs[i])) {
				fprintf(stderr, "bench_switch: %s failed\n",
					interfaces[i].name);
				return 1;
			}
		}
		print_table(n, costs);
	}
	return 0;
}
