// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU goes off line and comes back: a thread that ran there goes on counting
 * elsewhere, and the counters of the CPU work as before. Threads that others have
 * bound to this CPU alone lose that, so the user has to ask for this test.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cpus.h"
#include "tests.h"

#define TURNS 500000ul

/* The file "online" of the CPU. */
static int state_file = -1;
static int moving_cpu;
static bool leaves; /* false: the same calls change nothing */
static bool refused;

static int open_state(int cpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	return open(path, O_WRONLY | O_CLOEXEC);
}

static void set_state(char state)
{
	refused |= pwrite(state_file, &state, 1, 0) != 1;
}

/* Executes the same instructions at user level if the CPU does not leave. */
static void run_and_leave(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++) {
		loop_count.run(TURNS);
		set_state(leaves ? '0' : '1');
		loop_count.run(TURNS);
		set_state('1');
		loop_count.run(TURNS);
		cpus_pin(moving_cpu);
	}
}

static const struct loop loop_leaving = { "loop on a CPU that leaves",
					  run_and_leave, 0, 0, 0 };

/* Counts two turns of the loop on this CPU. Returns 0, or -1 with errno. */
static int count_rounds(const struct program *program, int cpu, bool leave,
			uint64_t *counts)
{
	int fd, ret;

	leaves = leave;
	moving_cpu = cpu;
	if (cpus_pin(cpu))
		return -1;
	fd = measure_open(program);
	if (fd < 0)
		return -1;
	ret = measure_once(fd, program, &loop_leaving, 2, counts);
	close(fd);
	return ret;
}

static uint64_t all_disturbances(const struct selftest *st)
{
	uint64_t sum = 0;

	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu))
		sum += cpus_disturbances(cpu);
	return sum;
}

/* A thread counts before, while and after its CPU is off line. */
static void count_thread(struct selftest *st, int cpu)
{
	struct place place = { cpu, "all counters",
			       "instructions of a thread whose CPU leaves" };
	uint64_t usual[COUNTERS_MAX], counts[COUNTERS_MAX];
	uint64_t slack = all_disturbances(st);
	struct program program = { 0 };
	struct ruling ruling;

	program_add_all(&program, &st->pmu, counter_has_instructions,
			&st->pmu.instructions, LEVELS_USER);
	if (count_rounds(&program, cpu, false, usual) ||
	    count_rounds(&program, cpu, true, counts) || refused) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	slack = 2 * (all_disturbances(st) - slack) + 8;
	for (int i = 0; i < program.pmd_count; i++) {
		place.counter = st->pmu.map.pmd[program.pmds[i].reg_num].name;
		ruling = judge_range(
			counts[i], usual[i] - slack, usual[i] + slack,
			"events were lost or counted twice when the CPU went off line or came back");
		tap_ruling(&st->tap, &place, &ruling);
	}
}

/* Repeats some tests on the CPU that came back. */
static void test_cpu(struct selftest *st, int cpu)
{
	int first = st->first_cpu;

	st->first_cpu = cpu;
	exact_on_cpu(st, cpu);
	test_reprogramming(st);
	if (st->pmu.interrupts)
		sampling_on_cpu(st);
	st->first_cpu = first;
}

void test_hotplug(struct selftest *st)
{
	int cpu = -1;

	for (int next = cpus_next(&st->cpus, -1); next >= 0;
	     next = cpus_next(&st->cpus, next))
		cpu = next;
	state_file = open_state(cpu);
	if (state_file < 0) {
		tap_skip(&st->tap, "CPU %d cannot go off line: %s", cpu,
			 errno == ENOENT ? "the kernel has no way for it" :
					   "needs root");
		return;
	}
	refused = false;
	count_thread(st, cpu);
	set_state('1');
	close(state_file);
	if (!selftest_stopped())
		test_cpu(st, cpu);
	cpus_pin(st->first_cpu);
	tap_note(&st->tap, "CPU %d was off line", cpu);
}
