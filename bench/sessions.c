// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perfmon costs beside perf_event, in one boot: each call, a context
 * switch, a sample, a set switch. Prints one line for each operation, with
 * tabs: operation, counters, mode, then instructions, WRMSR, RDMSR and RDPMC
 * of perfmon and of perf_event. checks/bench_report.py makes a table
 * of it.
 *
 * System calls are net of empty ones, context switches of a switch between
 * threads that nobody monitors, interrupts of the loop that they hit.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "array_size.h"
#include "interface.h"
#include "meter.h"
#include "pingpong.h"
#include "pmu.h"
#include "slices.h"

#define WARM_UP 100
#define ROUNDS 300
#define ENDS 3

/*
 * Programs that take turns with this one. With one in twenty a switch costs a few
 * instructions more or less; and on Linux 6.12 it costs 7 more once there have been
 * some 14 partners in a boot, whether or not anybody has used a counter.
 */
#define PARTNERS 7
#define PARTNERS_BEFORE 4 /* times as many */

#define PERIOD 100000UL
#define SLICES 600

/* Not a multiple of the tick, so that a turn has a timer interrupt alone. */
#define TURN_MS 7
#define TURN_SLICES MOST_SLICES

enum operation {
	OP_FIRST,
	OP_LAST,
	OP_CREATE,
	OP_CLOSE,
	OP_START,
	OP_STOP,
	OP_READ,
	OP_USER_READ,
	OP_SWITCH_ONE,
	OP_SWITCH_BOTH,
	OP_SWITCH_SAMPLING,
	OP_SWITCH_MAPPED,
	OP_SWITCH_SHARED,
	OP_SWITCH_OTHERS,
	OP_SWITCH_NOBODY,
	OP_SAMPLE,
	OP_SAMPLE_STACK,
	OP_SAMPLE_COPY,
	OP_SAMPLE_RATE,
	OP_SAMPLE_NMI,
	OP_TURN,
	OPERATIONS,
};

static const char *const names[OPERATIONS] = {
	[OP_FIRST] = "first session: create to attach",
	[OP_LAST] = "last session given back",
	[OP_CREATE] = "create, program, attach",
	[OP_CLOSE] = "close",
	[OP_START] = "start",
	[OP_STOP] = "stop",
	[OP_READ] = "read",
	[OP_USER_READ] = "user read",
	[OP_SWITCH_ONE] = "thread switch, one counts",
	[OP_SWITCH_BOTH] = "thread switch, both count",
	[OP_SWITCH_SAMPLING] = "thread switch, one samples",
	[OP_SWITCH_MAPPED] = "thread switch, one reads by itself",
	[OP_SWITCH_SHARED] = "thread switch, one reads, rdpmc is 2",
	[OP_SWITCH_OTHERS] = "thread switch, others are monitored",
	[OP_SWITCH_NOBODY] = "thread switch, nobody is any more",
	[OP_SAMPLE] = "sample",
	[OP_SAMPLE_STACK] = "sample, 16 frames",
	[OP_SAMPLE_COPY] = "sample, 8 KiB of stack",
	[OP_SAMPLE_RATE] = "sample, period by a rate",
	[OP_SAMPLE_NMI] = "sample, by an NMI",
	[OP_TURN] = "set switch",
};

static struct cost empty_call(void)
{
	struct cost least = DEAREST;
	struct meter meter;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		meter_start(&meter);
		syscall(SYS_getppid);
		keep_least(&least, meter_stop(&meter));
	}
	return least;
}

static struct cost net_of_calls(struct cost cost, int calls)
{
	struct cost empty = empty_call();

	empty.instructions *= (uint64_t)calls;
	return cost_difference(cost, empty);
}

/* Both take their hooks out a second after the last session or event is gone. */
static void until_nobody_is_monitored(void)
{
	sleep(3);
}

/* One life of a session: each call measured by itself. */
static int one_life(const struct interface *with, int n, struct cost *costs)
{
	struct meter meter;
	int fd, rc;

	meter_start(&meter);
	fd = with->create(n);
	keep_least(&costs[OP_CREATE], meter_stop(&meter));
	if (fd < 0)
		return -1;
	meter_start(&meter);
	rc = with->start(fd);
	keep_least(&costs[OP_START], meter_stop(&meter));
	meter_start(&meter);
	rc |= with->read(fd, n);
	keep_least(&costs[OP_READ], meter_stop(&meter));
	meter_start(&meter);
	rc |= with->stop(fd);
	keep_least(&costs[OP_STOP], meter_stop(&meter));
	meter_start(&meter);
	rc |= with->destroy(fd, n);
	keep_least(&costs[OP_CLOSE], meter_stop(&meter));
	return rc;
}

static int measure_calls(const struct interface *with, int n,
			 struct cost *costs)
{
	struct cost ignored[OPERATIONS] = { 0 };
	int i;

	for (i = 0; i < WARM_UP; i++)
		if (one_life(with, n, ignored))
			return -1;
	for (i = 0; i < ROUNDS; i++)
		if (one_life(with, n, costs))
			return -1;
	costs[OP_CREATE] =
		net_of_calls(costs[OP_CREATE], with->create_calls(n));
	costs[OP_CLOSE] = net_of_calls(costs[OP_CLOSE], with->destroy_calls(n));
	costs[OP_START] = net_of_calls(costs[OP_START], 1);
	costs[OP_STOP] = net_of_calls(costs[OP_STOP], 1);
	costs[OP_READ] = net_of_calls(costs[OP_READ], 1);
	return 0;
}

/*
 * Sessions that nobody has the PMU before or after: what the one of them that
 * changes hands costs. There is one in each second at most.
 */
static int measure_ends(const struct interface *with, struct cost *costs)
{
	struct meter meter;
	int i, fd, rc = 0;

	if (with->linger(false))
		return -1;
	for (i = 0; i < ENDS; i++) {
		until_nobody_is_monitored();
		meter_start(&meter);
		fd = with->create(1);
		keep_least(&costs[OP_FIRST], meter_stop(&meter));
		if (fd < 0)
			return -1;
		meter_start(&meter);
		rc |= with->destroy(fd, 1);
		keep_least(&costs[OP_LAST], meter_stop(&meter));
	}
	costs[OP_FIRST] = net_of_calls(costs[OP_FIRST], with->create_calls(1));
	costs[OP_LAST] = net_of_calls(costs[OP_LAST], with->destroy_calls(1));
	return rc | with->linger(true);
}

/* What the partner of a ping-pong counts with. */
static const struct interface *partner_with;
static int partner_counters;

static int partner_counts(void)
{
	int fd = partner_with->create(partner_counters);

	return fd < 0 || partner_with->start(fd);
}

/* A round trip is two switches. */
static int measure_round_trip(int (*partner)(void), struct cost *least)
{
	struct pingpong pingpong;
	struct meter meter;
	int i, rc;

	if (pingpong_start(&pingpong, 0, partner))
		return -1;
	rc = pingpong_play(&pingpong, WARM_UP);
	for (i = 0; i < ROUNDS; i++) {
		pingpong_settle(i);
		meter_start(&meter);
		rc |= pingpong_play(&pingpong, 1);
		keep_least(least, meter_stop(&meter));
	}
	pingpong_stop(&pingpong);
	return rc;
}

/* The caller itself is monitored by @fd while the trips are made. */
static int measure_monitored(const struct interface *with, int fd,
			     int (*partner)(void), struct cost *least)
{
	if (fd < 0 || with->start(fd))
		return -1;
	return measure_round_trip(partner, least);
}

/* The call of the function is in it. */
static struct cost least_user_read(void (*read)(int n), int n)
{
	struct cost least = DEAREST;
	struct meter meter;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		meter_start(&meter);
		read(n);
		keep_least(&least, meter_stop(&meter));
	}
	return least;
}

static int measure_mapped(const struct interface *with, int n,
			  struct cost *costs)
{
	int fd = with->create(n);

	if (fd < 0 || with->map(fd, n) || with->start(fd) ||
	    with->usable(n) < 0)
		return -1;
	if (with->usable(n))
		return with->unmap(n) | with->destroy(fd, n);
	costs[OP_USER_READ] = least_user_read(with->user_read, n);
	if (measure_round_trip(NULL, &costs[OP_SWITCH_MAPPED]))
		return -1;
	if (with->share && with->share(true))
		return -1;
	if (measure_round_trip(NULL, &costs[OP_SWITCH_SHARED]))
		return -1;
	if (with->share && with->share(false))
		return -1;
	return with->unmap(n) | with->destroy(fd, n);
}

static int measure_switches(const struct interface *with, int n,
			    struct cost *costs)
{
	struct cost none = DEAREST;
	int fd;
	enum operation op;

	partner_with = with;
	partner_counters = n;
	until_nobody_is_monitored();
	if (measure_round_trip(NULL, &none))
		return -1;
	fd = with->create(n);
	if (measure_monitored(with, fd, NULL, &costs[OP_SWITCH_ONE]) ||
	    measure_round_trip(partner_counts, &costs[OP_SWITCH_BOTH]) ||
	    with->destroy(fd, n))
		return -1;
	fd = with->create_sampling(n, NEVER, SAMPLE_ADDRESS);
	if (measure_monitored(with, fd, NULL, &costs[OP_SWITCH_SAMPLING]) ||
	    with->destroy_sampling(fd, n) || measure_mapped(with, n, costs))
		return -1;
	for (op = OP_SWITCH_ONE; op <= OP_SWITCH_SHARED; op++)
		costs[op] = cost_difference(costs[op], none);
	return 0;
}

static int by_instructions(const void *one, const void *other)
{
	const struct cost *a = one, *b = other;

	return (a->instructions > b->instructions) -
	       (a->instructions < b->instructions);
}

/* Of threads that nobody monitors, with the median of several partners. */
static int measure_unmonitored(struct cost *median)
{
	struct cost costs[PARTNERS];
	int i, rc = 0;

	for (i = 0; i < PARTNERS; i++) {
		costs[i] = DEAREST;
		rc |= measure_round_trip(NULL, &costs[i]);
	}
	qsort(costs, PARTNERS, sizeof(*costs), by_instructions);
	*median = costs[PARTNERS / 2];
	return rc;
}

/* Before the first session, and the first event, of this boot. */
static struct cost untouched;

/* A third task is monitored; the two that switch are not. */
static int measure_others(const struct interface *with, struct cost *costs)
{
	struct cost none;
	struct pingpong third;

	until_nobody_is_monitored();
	if (measure_unmonitored(&none))
		return -1;
	costs[OP_SWITCH_NOBODY] = cost_difference(none, untouched);
	partner_with = with;
	partner_counters = 1;
	if (pingpong_start(&third, 0, partner_counts) ||
	    pingpong_play(&third, 1) ||
	    measure_unmonitored(&costs[OP_SWITCH_OTHERS]))
		return -1;
	pingpong_stop(&third);
	costs[OP_SWITCH_OTHERS] =
		cost_difference(costs[OP_SWITCH_OTHERS], none);
	return 0;
}

static int measure_sample(const struct interface *with, int n,
			  struct cost *costs)
{
	static const struct {
		enum sample_kind kind;
		void (*slice)(void);
		enum operation op;
	} rows[] = {
		{ SAMPLE_ADDRESS, spin, OP_SAMPLE },
		{ SAMPLE_CHAIN, spin_called, OP_SAMPLE_STACK },
		{ SAMPLE_COPY, spin_deep, OP_SAMPLE_COPY },
		{ SAMPLE_RATE, spin, OP_SAMPLE_RATE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int fd = with->create_sampling(n, PERIOD, rows[i].kind);

		if (fd < 0 || with->start(fd) ||
		    measure_slices(rows[i].slice, SLICES, took_sample,
				   &costs[rows[i].op]) ||
		    with->destroy_sampling(fd, n))
			return -1;
	}
	return 0;
}

/*
 * perf_event's are NMIs anyway. perfmon's make all later switches and samples of a boot a
 * few instructions longer, so this comes last.
 */
static int measure_nmi(const struct interface *with, int n, struct cost *costs)
{
	enum sample_kind kind = with == &perfmon_interface ? SAMPLE_NMI :
							     SAMPLE_ADDRESS;
	int fd = with->create_sampling(n, PERIOD, kind);
	enum operation op;

	for (op = 0; op < OPERATIONS; op++)
		costs[op] = DEAREST;
	if (fd < 0 || with->start(fd) ||
	    measure_slices(spin, SLICES, took_sample, &costs[OP_SAMPLE_NMI]))
		return -1;
	return with->destroy_sampling(fd, n);
}

static int measure_turn(const struct interface *with, int n, struct cost *costs)
{
	int fd = with->create_turns(n, TURN_MS);

	if (fd < 0 || with->start(fd) ||
	    measure_slices(spin, TURN_SLICES, took_turn, &costs[OP_TURN]))
		return -1;
	return with->destroy_turns(fd, n);
}

static int measure(const struct interface *with, int n, struct cost *costs)
{
	int holder;
	enum operation op;

	for (op = 0; op < OPERATIONS; op++)
		costs[op] = DEAREST;
	/* Nobody may have the PMU for the switches that are the base line. */
	if (measure_switches(with, n, costs) ||
	    (n == 1 &&
	     (measure_others(with, costs) || measure_ends(with, costs))))
		return -1;
	holder = with->hold();
	if (holder < 0 || measure_calls(with, n, costs) ||
	    measure_sample(with, n, costs) ||
	    (n == BENCH_COUNTERS && measure_turn(with, n, costs)))
		return -1;
	return close(holder);
}

static void print_cost(const struct cost *cost)
{
	printf("\t%llu\t%llu\t%llu\t%llu",
	       (unsigned long long)cost->instructions,
	       (unsigned long long)cost->accesses.wrmsr,
	       (unsigned long long)cost->accesses.rdmsr,
	       (unsigned long long)cost->accesses.rdpmc);
}

static void print_rows(int n, const struct cost *ours,
		       const struct cost *theirs)
{
	enum operation op;

	for (op = 0; op < OPERATIONS; op++) {
		if (!names[op] || ours[op].instructions == UINT64_MAX)
			continue;
		printf("%s\t%d\tuser", names[op], n);
		print_cost(&ours[op]);
		print_cost(&theirs[op]);
		printf("\n");
	}
}

static int fail(const char *what)
{
	fprintf(stderr, "sessions: %s\n", what);
	return 1;
}

int main(void)
{
	static const int counters[] = { 1, 2, 4 };
	struct cost ours[OPERATIONS], theirs[OPERATIONS];
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!pmu_get())
		return fail("no perfmon on this machine");
	if (pmu_get()->counters < BENCH_COUNTERS)
		return fail("this processor has not enough counters");
	if (meter_open())
		return fail("this is not the test machine");
	for (i = 0; i <= PARTNERS_BEFORE; i++)
		if (measure_unmonitored(&untouched))
			return fail("threads cannot take turns");
	printf("# %s\n", pmu_get()->model);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (measure(&perfmon_interface, counters[i], ours))
			return fail("perfmon failed");
		if (measure(&perf_interface, counters[i], theirs))
			return fail("perf_event failed");
		print_rows(counters[i], ours, theirs);
	}
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (measure_nmi(&perf_interface, counters[i], theirs) ||
		    measure_nmi(&perfmon_interface, counters[i], ours))
			return fail("NMIs failed");
		print_rows(counters[i], ours, theirs);
	}
	return 0;
}
