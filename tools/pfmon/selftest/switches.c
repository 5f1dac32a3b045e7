// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that take turns on a CPU, or move between CPUs, count their own events
 * only: two that count, one that samples, one that does not.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpus.h"
#include "crew.h"
#include "sampler.h"
#include "tests.h"

/* Few enough that no thread takes more samples than the kernel allows in a tick. */
#define ROUNDS 24
#define TURNS 20000ul
#define PERIOD 10007
#define CPUS_MAX 64

/* The role of a thread; all roles execute the same instructions. */
struct rounds {
	struct selftest *st;
	const struct counter *counter; /* NULL: it does not count */
	const struct counter *reference; /* of samples */
	bool samples;
	int cpus; /* it moves between these; 1: it yields its CPU */
	cpu_set_t sets[CPUS_MAX];
};

static struct rounds *current;

/* A turn of this loop is a round. The result of the calls does not matter. */
static void run_rounds(unsigned long turns)
{
	for (unsigned long i = 0; i < turns; i++) {
		loop_count.run(TURNS);
		if (current->cpus > 1)
			syscall(SYS_sched_setaffinity, 0, sizeof(cpu_set_t),
				&current->sets[i %
					       (unsigned long)current->cpus]);
		else
			syscall(SYS_sched_yield);
	}
}

static const struct loop loop_rounds = { "rounds", run_rounds, 0, 0, 0 };

static uint64_t all_disturbances(const struct rounds *rounds)
{
	uint64_t sum = 0;

	for (int i = 0; i < rounds->cpus; i++)
		sum += cpus_disturbances(cpus_next(&rounds->sets[i], -1));
	return sum;
}

static int count_rounds(struct member *member, const struct rounds *rounds)
{
	struct program program = { 0 };
	uint64_t counts[COUNTERS_MAX];
	int fd, ret;

	errno = EINVAL;
	if (program_add(&program, &rounds->st->pmu, rounds->counter,
			&rounds->st->pmu.instructions, LEVELS_USER))
		return -1;
	fd = measure_open(&program);
	if (fd < 0)
		return -1;
	member->runs.run[0].disturbances = all_disturbances(rounds);
	ret = measure_once(fd, &program, &loop_rounds, ROUNDS, counts);
	member->runs.run[0].disturbances =
		all_disturbances(rounds) - member->runs.run[0].disturbances;
	member->runs.run[0].count = counts[0];
	member->runs.count = 1;
	close(fd);
	return ret;
}

static bool anywhere(uint64_t ip)
{
	return ip;
}

static int sample_rounds(struct member *member, const struct rounds *rounds)
{
	struct sampler sampler;
	int ret;

	if (sampler_open(&sampler, &rounds->st->pmu, rounds->counter,
			 rounds->reference, PERIOD, 0))
		return -1;
	ret = measure_run(sampler.fd, &loop_rounds, ROUNDS);
	if (!ret)
		ret = sampler_result(&sampler, 0,
				     ROUNDS * TURNS * loop_count.instructions,
				     anywhere, &member->sampled);
	sampler_close(&sampler);
	return ret;
}

static void work(struct member *member, void *arg)
{
	struct rounds *rounds = arg;
	int ret = 0;

	current = rounds;
	if (sched_setaffinity(0, sizeof(cpu_set_t), &rounds->sets[0])) {
		member->error = errno;
		return;
	}
	if (!rounds->counter) {
		run_rounds(ROUNDS);
		return;
	}
	member->counter = rounds->counter->name;
	ret = rounds->samples ? sample_rounds(member, rounds) :
				count_rounds(member, rounds);
	if (ret)
		member->error = errno;
}

static void judge_member(struct selftest *st, const struct member *member,
			 const struct run *alone)
{
	struct place place = { -1, member->counter,
			       "instructions of a thread" };
	struct ruling ruling;

	if (member->error) {
		tap_failed(&st->tap, &place, "cannot measure", member->error);
		return;
	}
	if (member->sampled.period) {
		place.event = "samples of a thread";
		ruling = judge_samples(&member->sampled);
		tap_ruling(&st->tap, &place, &ruling);
	}
	if (!member->runs.count)
		return;
	/* Interrupts disturbed the run alone, too. */
	ruling = judge_range(
		member->runs.run[0].count,
		alone->count - 2 * alone->disturbances - 8,
		alone->count + 2 * member->runs.run[0].disturbances + 8,
		"a thread's count contains another's, or lacks what it did before or after a context switch");
	tap_ruling(&st->tap, &place, &ruling);
}

/* Counts the same rounds while no other thread runs. */
static bool measure_alone(struct selftest *st, struct rounds *rounds,
			  struct run *alone)
{
	struct place place = { st->first_cpu, rounds->counter->name,
			       "instructions of a thread" };
	struct crew *crew = crew_new();
	bool ok = false;

	if (!crew || crew_add(crew, work, rounds)) {
		tap_failed(&st->tap, &place, "no process", errno);
	} else {
		crew_run(crew);
		ok = !crew->members[0].error;
		*alone = crew->members[0].runs.run[0];
		if (!ok)
			tap_failed(&st->tap, &place, "cannot measure",
				   crew->members[0].error);
	}
	if (crew)
		crew_free(crew);
	return ok;
}

/* Two right counters of instructions; NULL stands for what is missing. */
static void choose_counters(const struct selftest *st,
			    const struct counter *chosen[2])
{
	const struct pmu *pmu = &st->pmu;
	int count = 0;

	chosen[0] = chosen[1] = NULL;
	for (int i = 0; i < pmu->count && count < 2; i++) {
		struct program both = { 0 };

		if (st->miscounts[i] ||
		    !counter_has_instructions(pmu, &pmu->counters[i]) ||
		    (count && program_add(&both, pmu, chosen[0],
					  &pmu->instructions, LEVELS_USER)) ||
		    program_add(&both, pmu, &pmu->counters[i],
				&pmu->instructions, LEVELS_USER))
			continue;
		chosen[count++] = &pmu->counters[i];
	}
}

static void run_crew(struct selftest *st, struct rounds *rounds)
{
	const struct counter *chosen[2];
	struct rounds roles[4];
	struct crew *crew;
	struct run alone;

	choose_counters(st, chosen);
	if (!chosen[0]) {
		tap_skip(&st->tap, "no counter counts rightly");
		return;
	}
	rounds->st = st;
	rounds->counter = chosen[0];
	if (!measure_alone(st, rounds, &alone))
		return;
	for (int i = 0; i < 4; i++)
		roles[i] = *rounds;
	/* The same counter; another one; samples; a thread without a session. */
	if (chosen[1])
		roles[1].counter = chosen[1];
	roles[2].samples = st->pmu.interrupts;
	roles[2].reference = chosen[1];
	roles[3].counter = NULL;
	crew = crew_new();
	if (!crew)
		return;
	for (int i = 0; i < 4; i++)
		crew_add(crew, work, &roles[i]);
	crew_run(crew);
	for (int i = 0; i < crew->size; i++)
		judge_member(st, &crew->members[i], &alone);
	crew_free(crew);
}

void test_switches(struct selftest *st)
{
	static struct rounds rounds;

	memset(&rounds, 0, sizeof(rounds));
	rounds.cpus = 1;
	CPU_SET(st->first_cpu, &rounds.sets[0]);
	for (int i = st->full ? 10 : 1; i > 0 && !selftest_stopped(); i--)
		run_crew(st, &rounds);
}

void test_migration(struct selftest *st)
{
	static struct rounds rounds;

	memset(&rounds, 0, sizeof(rounds));
	for (int cpu = cpus_next(&st->cpus, -1);
	     cpu >= 0 && rounds.cpus < CPUS_MAX;
	     cpu = cpus_next(&st->cpus, cpu))
		CPU_SET(cpu, &rounds.sets[rounds.cpus++]);
	for (int i = st->full ? 10 : 1; i > 0 && !selftest_stopped(); i--)
		run_crew(st, &rounds);
}
