// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflow interrupts: each period has a sample from inside the loop; the tests also
 * measure the skid and find the smallest period that works.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cpus.h"
#include "inventory.h"
#include "sampler.h"
#include "tests.h"

/*
 * The kernel stops a session that overflows 125 times in a tick of a millisecond:
 * each measurement takes fewer samples, and begins in a tick of its own.
 */
#define SAMPLES 100
#define TICK_NS 5000000

#define SPURIOUS "ovfl_intr_spurious_count"
#define REPLAYED "ovfl_intr_replay_count"
#define NMIS "ovfl_intr_nmi_count"

/* Instructions of "samples" periods and a half. */
static unsigned long turns_for(uint64_t period, unsigned int samples,
			       const struct loop *loop)
{
	return (unsigned long)((period * samples + period / 2) /
			       loop->instructions) +
	       1;
}

/* Another counter of instructions, a right one; NULL if there is none. */
static const struct counter *other_counter(const struct selftest *st,
					   const struct counter *than)
{
	const struct pmu *pmu = &st->pmu;

	for (int i = 0; i < pmu->count; i++) {
		const struct counter *counter = &pmu->counters[i];
		struct program both = { 0 };

		if (counter == than || st->miscounts[i] ||
		    !counter_has_instructions(pmu, counter) ||
		    program_add(&both, pmu, than, &pmu->instructions,
				LEVELS_USER) ||
		    program_add(&both, pmu, counter, &pmu->instructions,
				LEVELS_USER))
			continue;
		return counter;
	}
	return NULL;
}

static const struct counter *first_counter(const struct pmu *pmu)
{
	for (int i = 0; i < pmu->count; i++) {
		if (counter_has_instructions(pmu, &pmu->counters[i]))
			return &pmu->counters[i];
	}
	return NULL;
}

/* Samples a loop. Returns 0, or -1 after the failure was noted. */
static int sample_loop(struct selftest *st, const struct counter *counter,
		       const struct loop *loop, bool (*inside)(uint64_t ip),
		       uint64_t period, unsigned int samples, int flags,
		       struct sampled *sampled)
{
	struct place place = { st->first_cpu, counter->name, "samples" };
	unsigned long turns = turns_for(period, samples, loop);
	const struct timespec tick = { .tv_nsec = TICK_NS };
	struct sampler sampler;
	int ret;

	nanosleep(&tick, NULL);
	if (sampler_open(&sampler, &st->pmu, counter,
			 other_counter(st, counter), period, flags)) {
		tap_failed(&st->tap, &place,
			   errno == ENOMEM ?
				   "no memory for samples (ulimit -l)" :
				   "cannot sample",
			   errno);
		return -1;
	}
	/* The kernel may have raised the period: then there are fewer samples. */
	ret = measure_run(sampler.fd, loop, turns) ||
	      sampler_result(&sampler, 0,
			     (uint64_t)turns * loop->instructions +
				     (uint64_t)st->overhead,
			     inside, sampled);
	if (ret)
		tap_failed(&st->tap, &place, "cannot sample", errno);
	sampler_close(&sampler);
	return ret ? -1 : 0;
}

/* Reads a number of debugfs; -1 if this user may not. */
static long long statistic(int cpu, const char *name)
{
	char path[96], line[32];

	snprintf(path, sizeof(path), "/sys/kernel/debug/perfmon/cpu%d/%s", cpu,
		 name);
	if (!inventory_line(path, NULL, line, sizeof(line)))
		return -1;
	return strtoll(line, NULL, 10);
}

/* The sum of all CPUs that are tested. */
static long long statistics(const struct selftest *st, const char *name)
{
	long long sum = 0, one;

	for (int cpu = cpus_next(&st->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&st->cpus, cpu)) {
		one = statistic(cpu, name);
		if (one < 0)
			return -1;
		sum += one;
	}
	return sum;
}

static void sample_counter(struct selftest *st, const struct counter *counter)
{
	static const struct {
		uint64_t period;
		unsigned int samples;
		const char *name;
	} periods[] = {
		{ 1000003, 5, "samples with period 1000003" },
		{ 100003, 20, "samples with period 100003" },
		{ 10007, SAMPLES, "samples with period 10007" },
		{ 1009, SAMPLES, "samples with period 1009" },
	};

	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		struct place place = { st->first_cpu, counter->name,
				       periods[i].name };
		struct sampled sampled;
		struct ruling ruling;

		if (selftest_stopped() ||
		    sample_loop(st, counter, &loop_count, loop_is_in_count,
				periods[i].period, periods[i].samples, 0,
				&sampled))
			return;
		ruling = judge_samples(&sampled);
		tap_ruling(&st->tap, &place, &ruling);
	}
}

/* Quick: of the other CPUs one counter; each has an LVTPC of its own. */
void sampling_on_cpu(struct selftest *st)
{
	bool all = st->full || st->first_cpu == cpus_next(&st->cpus, -1);

	if (cpus_pin(st->first_cpu))
		return;
	for (int i = 0; i < st->pmu.count && !selftest_stopped(); i++) {
		if (!counter_has_instructions(&st->pmu, &st->pmu.counters[i]))
			continue;
		sample_counter(st, &st->pmu.counters[i]);
		if (!all)
			return;
	}
}

void test_sampling(struct selftest *st)
{
	long long spurious = statistics(st, SPURIOUS);
	long long replayed = statistics(st, REPLAYED);

	for (int times = st->full ? 4 : 1; times > 0; times--)
		on_each_cpu(st, sampling_on_cpu);
	if (spurious < 0)
		return;
	tap_note(
		&st->tap,
		"interrupts without overflow: %lld, sent by the kernel itself: %lld",
		statistics(st, SPURIOUS) - spurious,
		statistics(st, REPLAYED) - replayed);
}

static void nmis_on_cpu(struct selftest *st)
{
	const struct counter *counter = first_counter(&st->pmu);
	struct place place = { st->first_cpu, counter->name,
			       "samples by NMIs with period 10007" };
	struct sampled sampled;
	struct ruling ruling;

	if (cpus_pin(st->first_cpu) ||
	    sample_loop(st, counter, &loop_count, loop_is_in_count, 10007,
			SAMPLES, PFM_FL_NMI, &sampled))
		return;
	ruling = judge_samples(&sampled);
	tap_ruling(&st->tap, &place, &ruling);
}

void test_nmis(struct selftest *st)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC | PFM_FL_NMI);
	long long nmis = statistics(st, NMIS);

	if (fd < 0) {
		tap_skip(&st->tap,
			 errno == EINVAL ?
				 "overflow interrupts cannot be NMIs" :
				 "needs the right to count the kernel");
		return;
	}
	close(fd);
	on_each_cpu(st, nmis_on_cpu);
	if (nmis >= 0)
		tap_note(&st->tap, "NMIs of overflows: %lld",
			 statistics(st, NMIS) - nmis);
}

/* All counters overflow at the same instruction. */
static void sample_together(struct selftest *st, const struct program *program,
			    uint64_t period, unsigned int samples)
{
	unsigned long turns = turns_for(period, samples, &loop_count);
	uint64_t periods[COUNTERS_MAX];
	struct place place = { st->first_cpu, "all counters",
			       "samples at the same time" };
	struct sampled sampled;
	struct sampler sampler;
	struct ruling ruling;

	for (int i = 0; i < program->pmd_count; i++)
		periods[i] = period;
	if (sampler_open_all(&sampler, program, periods)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (measure_run(sampler.fd, &loop_count, turns)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		sampler_close(&sampler);
		return;
	}
	for (int i = 0; i < program->pmd_count; i++) {
		place.counter = st->pmu.map.pmd[program->pmds[i].reg_num].name;
		if (sampler_result(&sampler, i,
				   (uint64_t)turns * loop_count.instructions,
				   loop_is_in_count, &sampled)) {
			tap_failed(&st->tap, &place, "cannot sample", errno);
			break;
		}
		ruling = judge_samples(&sampled);
		tap_ruling(&st->tap, &place, &ruling);
	}
	sampler_close(&sampler);
}

void test_sampling_together(struct selftest *st)
{
	const struct timespec tick = { .tv_nsec = TICK_NS };
	struct program program = { 0 };

	if (program_add_all(&program, &st->pmu, counter_has_instructions,
			    &st->pmu.instructions, LEVELS_USER) < 2) {
		tap_skip(&st->tap, "only one counter counts instructions");
		return;
	}
	if (cpus_pin(st->first_cpu))
		return;
	for (int i = st->repeat; i > 0 && !selftest_stopped(); i--) {
		nanosleep(&tick, NULL);
		sample_together(st, &program, 100003,
				SAMPLES / (unsigned int)program.pmd_count);
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Prints how many values lie between successive powers of four. */
static void note_histogram(struct selftest *st, uint64_t *skids, int count)
{
	char text[256] = "";
	int size = 0, below, before = 0;

	qsort(skids, (size_t)count, sizeof(*skids), compare);
	for (uint64_t limit = 1; before < count && limit <= 1ull << 24;
	     limit *= 4, before = below) {
		for (below = before; below < count && skids[below] < limit;)
			below++;
		size += snprintf(text + size, sizeof(text) - (size_t)size,
				 " <%llu: %d", (unsigned long long)limit,
				 below - before);
	}
	tap_note(
		&st->tap,
		"instructions after the overflow: %llu to %llu, half of them up to %llu;%s",
		(unsigned long long)skids[0],
		(unsigned long long)skids[count - 1],
		(unsigned long long)skids[count / 2], text);
}

void test_skid(struct selftest *st)
{
	const struct counter *counter = first_counter(&st->pmu);
	const struct counter *reference = other_counter(st, counter);
	struct place place = { st->first_cpu, counter->name,
			       "samples of the NOPs" };
	const uint64_t period = 10007;
	uint64_t skids[SAMPLER_ROOM];
	struct sampled sampled;
	struct sampler sampler;
	struct ruling ruling;
	int count;

	if (!reference) {
		tap_skip(&st->tap, "needs two counters of instructions");
		return;
	}
	if (cpus_pin(st->first_cpu))
		return;
	if (sampler_open(&sampler, &st->pmu, counter, reference, period, 0)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
		return;
	}
	if (measure_run(sampler.fd, &loop_nops,
			turns_for(period, SAMPLES, &loop_nops)) ||
	    sampler_result(&sampler, 0, 0, loop_is_in_nops, &sampled)) {
		tap_failed(&st->tap, &place, "cannot sample", errno);
	} else {
		ruling = judge_samples(&sampled);
		tap_ruling(&st->tap, &place, &ruling);
		count = sampler_skids(&sampler, skids);
		if (count)
			note_histogram(st, skids, count);
	}
	sampler_close(&sampler);
}

void test_smallest_period(struct selftest *st)
{
	static const uint64_t periods[] = { 1009, 512, 256, 128, 127, 100, 64,
					    32,	  31,  16,  8,	 4,   2,   1 };
	const struct counter *counter = first_counter(&st->pmu);
	uint64_t smallest = 0;

	if (cpus_pin(st->first_cpu))
		return;
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		long long spurious = statistic(st->first_cpu, SPURIOUS);
		struct sampled sampled;

		if (selftest_stopped() ||
		    sample_loop(st, counter, &loop_count, loop_is_in_count,
				periods[i], SAMPLES, 0, &sampled))
			return;
		if (sampled.period != periods[i])
			tap_note(&st->tap,
				 "the kernel makes %llu of period %llu",
				 (unsigned long long)sampled.period,
				 (unsigned long long)periods[i]);
		/* Some processors interrupt twice if it is too short. */
		spurious = statistic(st->first_cpu, SPURIOUS) - spurious;
		if (spurious * 10 > (long long)sampled.samples)
			tap_note(
				&st->tap,
				"period %llu: %lld interrupts without overflow",
				(unsigned long long)periods[i], spurious);
		if (!judge_period_works(&sampled))
			break;
		smallest = sampled.period;
	}
	if (smallest)
		tap_note(&st->tap,
			 "smallest period with all samples: %llu instructions",
			 (unsigned long long)smallest);
	else
		tap_note(&st->tap, "no short period has all samples");
}
