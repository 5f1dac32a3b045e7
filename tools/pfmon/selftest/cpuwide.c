// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of CPUs count what runs there. */
#include <errno.h>
#include <unistd.h>

#include "cpus.h"
#include "tests.h"

#define TURNS 500000ul

/* The sessions of all CPUs that are tested. */
static int sessions[CPU_SETSIZE];

/* Returns the descriptor of a session that counts a CPU, or -1 with errno. */
static int start_session(const struct program *program, int cpu)
{
	int fd = measure_open_cpu(program, cpu), error;

	if (fd >= 0 && pfm_start_session(fd, 0)) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

static void judge_cpu(struct selftest *st, const struct program *program,
		      const struct counter *counter, int cpu)
{
	struct place place = { cpu, counter->name,
			       "instructions of the whole CPU" };
	uint64_t executed = (uint64_t)TURNS * loop_count.instructions;
	struct program copy = *program;
	struct ruling ruling;

	if (pfm_stop_session(sessions[cpu], 0) ||
	    pfm_read_pmrs(sessions[cpu], PFM_RWFL_PMD, copy.pmds,
			  copy.pmd_count)) {
		tap_failed(&st->tap, &place, "cannot measure", errno);
		return;
	}
	/* Others may have run there as well. */
	ruling = judge_range(
		copy.pmds[0].reg_value, executed, UINT64_MAX,
		"a session of a CPU misses what ran there: it does not count on this CPU, or its counter is stopped when threads change");
	tap_ruling(&st->tap, &place, &ruling);
}

static void close_sessions(struct selftest *st)
{
	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		if (sessions[cpu] >= 0)
			close(sessions[cpu]);
	}
}

/* A loop on each CPU while the sessions of all count. */
static void count_cpus(struct selftest *st, const struct program *program,
		       const struct counter *counter)
{
	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		struct place place = { cpu, counter->name, "a session" };

		sessions[cpu] = start_session(program, cpu);
		if (sessions[cpu] < 0)
			tap_failed(&st->tap, &place, "cannot count the CPU",
				   errno);
	}
	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		if (!cpus_pin(cpu))
			loop_count.run(TURNS);
	}
	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		if (sessions[cpu] >= 0)
			judge_cpu(st, program, counter, cpu);
	}
	close_sessions(st);
}

void test_cpu_wide(struct selftest *st)
{
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		const struct counter *counter = &st->pmu.counters[i];
		struct program program = { 0 };

		if (counter_has_instructions(&st->pmu, counter) &&
		    !program_add(&program, &st->pmu, counter,
				 &st->pmu.instructions, LEVELS_USER))
			count_cpus(st, &program, counter);
	}
}
