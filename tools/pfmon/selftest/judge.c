// SPDX-License-Identifier: GPL-2.0-only
/* The verdicts, see judge.h. */
#include "judge.h"

#include <stddef.h>

/* Instructions of an interrupt in the kernel, and of the calls around a run. */
#define KERNEL_PER_INTERRUPT 100000
#define KERNEL_OF_CALLS 50000

/* The calls that start and stop have fewer; more is a count of something else. */
#define OVERHEAD_MAX 256

/* No kernel ticks more slowly. */
#define TICK_NS 10000000

/* A comparison of counters needs at least as many events. */
#define EVENTS_ENOUGH 64

#define MIN(a, b) ((a) < (b) ? (a) : (b))

static uint64_t slack(uint64_t disturbances)
{
	return 2 * disturbances + 8;
}

static struct ruling right(uint64_t low, uint64_t high, uint64_t got)
{
	return (struct ruling){ VERDICT_RIGHT, low, high, got, "" };
}

static struct ruling wrong(uint64_t low, uint64_t high, uint64_t got,
			   const char *cause)
{
	return (struct ruling){ VERDICT_WRONG, low, high, got, cause };
}

uint64_t judge_smallest(const struct runs *runs)
{
	uint64_t smallest = runs->run[0].count;

	for (int i = 1; i < runs->count; i++)
		smallest = MIN(smallest, runs->run[i].count);
	return smallest;
}

static uint64_t fewest_disturbances(const struct runs *runs)
{
	uint64_t fewest = runs->run[0].disturbances;

	for (int i = 1; i < runs->count; i++)
		fewest = MIN(fewest, runs->run[i].disturbances);
	return fewest;
}

static bool is_plausible(int64_t overhead)
{
	return overhead >= 0 && overhead <= OVERHEAD_MAX;
}

/* Of two values that are equally frequent the larger one: counters lose events. */
int64_t judge_overhead(const int64_t *overheads, int count)
{
	int64_t best = 0;
	int most = 0;

	for (int i = 0; i < count; i++) {
		int same = 0;

		if (!is_plausible(overheads[i]))
			continue;
		for (int j = 0; j < count; j++)
			same += overheads[j] == overheads[i];
		if (same > most || (same == most && overheads[i] > best)) {
			most = same;
			best = overheads[i];
		}
	}
	return best;
}

static int zeros(const struct runs *runs)
{
	int n = 0;

	for (int i = 0; i < runs->count; i++)
		n += !runs->run[i].count;
	return n;
}

/* Within five per cent. */
static bool is_about(uint64_t value, uint64_t of)
{
	return of && value >= of - of / 20 && value <= of + of / 20;
}

static const char *cause_of_none(const struct circumstances *around)
{
	if (around->others_count && around->hypervisor)
		return "this counter does not count, others do: the host filters the event on it, or somebody else writes GLOBAL_CTRL or its selector (see \"registers\")";
	if (around->others_count)
		return "this counter does not count, others do: somebody else writes GLOBAL_CTRL or its selector (see \"registers\"), or it cannot count this event";
	if (around->hypervisor)
		return "nothing counts under a hypervisor: the host filters the event, or its virtual PMU is switched off";
	return "nothing counts: somebody else writes the control registers, or the processor is not what perfmon takes it for";
}

static const char *cause_of(const struct runs *runs, uint64_t expected,
			    uint64_t got, const struct circumstances *around)
{
	int none = zeros(runs);

	if (none == runs->count)
		return cause_of_none(around);
	if (none)
		return "whole runs are missing: the counter did not start after it was programmed anew (an erratum of the Nehalem), or its selector was overwritten";
	if (is_about(got, 2 * expected))
		return "every event counts twice: the counter is driven by both threads of the core, or it counts another level as well";
	if (!is_about(got, expected) && is_about(got, around->cycles))
		return "the counter counts cycles: its selector did not take effect (an erratum of the Nehalem after reprogramming)";
	if (got < expected)
		return "events are missing: the counter stood still for a part of the time, or somebody else wrote it";
	return "more than was executed: another thread or level was counted as well, or the counter was written by somebody else";
}

struct ruling judge_exact(const struct runs *runs, int64_t overhead,
			  const struct circumstances *around)
{
	uint64_t expected = runs->length + (uint64_t)overhead;
	uint64_t few = fewest_disturbances(runs);
	uint64_t smallest = judge_smallest(runs);

	for (int i = 0; i < runs->count; i++) {
		const struct run *run = &runs->run[i];
		uint64_t high = expected + slack(run->disturbances);

		if (run->count < expected || run->count > high)
			return wrong(expected, high, run->count,
				     cause_of(runs, expected, run->count,
					      around));
	}
	/* The slack is so large that it would hide a wrong count. */
	if (slack(few) > runs->length / 4)
		return (struct ruling){ VERDICT_UNSURE, expected,
					expected + slack(few), smallest,
					"too many interrupts in each run" };
	if (!few && smallest > expected)
		return wrong(
			expected, expected, smallest,
			"more than was executed, in runs without an interrupt, too");
	return right(expected, expected + slack(few), smallest);
}

static uint64_t kernel_part(uint64_t disturbances)
{
	return KERNEL_OF_CALLS + KERNEL_PER_INTERRUPT * disturbances;
}

struct ruling judge_kernel(const struct runs *runs, const struct runs *longer)
{
	uint64_t small = judge_smallest(runs);
	uint64_t got = judge_smallest(longer);
	uint64_t few = fewest_disturbances(longer);
	/* The calls that start and stop are the kernel's in both. */
	uint64_t high = small + KERNEL_PER_INTERRUPT * few +
			MIN(KERNEL_OF_CALLS, longer->length / 8);

	if (!small || !got)
		return wrong(
			1, high, 0,
			"nothing of the kernel counts: the level bits have no effect, or a host forbids the level");
	if (got > high)
		return wrong(
			1, high, got,
			few * KERNEL_PER_INTERRUPT > longer->length / 2 ?
				"too many interrupts, or the user's instructions count as the kernel's" :
				"the user's instructions count as the kernel's: the level bits have no effect");
	return right(1, high, got);
}

struct ruling judge_both(const struct runs *runs, int64_t overhead)
{
	uint64_t low = runs->length + (uint64_t)overhead;

	for (int i = 0; i < runs->count; i++) {
		const struct run *run = &runs->run[i];
		uint64_t high = low + kernel_part(run->disturbances);

		if (run->count <= low || run->count > high)
			return wrong(
				low + 1, high, run->count,
				run->count > high ?
					"more than both levels together: another thread was counted as well" :
					"one of the levels is missing");
	}
	return right(low + 1, low + kernel_part(fewest_disturbances(runs)),
		     judge_smallest(runs));
}

struct ruling judge_zero(uint64_t count)
{
	if (count)
		return wrong(
			0, 0, count,
			"the counter runs although it is not told to: its enable or level bits have no effect, or somebody else programs it");
	return right(0, 0, 0);
}

struct ruling judge_spread(const uint64_t *counts, int count,
			   uint64_t disturbances)
{
	uint64_t small = counts[0], large = counts[0];

	for (int i = 1; i < count; i++) {
		small = MIN(small, counts[i]);
		large = counts[i] > large ? counts[i] : large;
	}
	if (large - small > JUDGE_SPREAD + 2 * disturbances)
		return wrong(
			large - JUDGE_SPREAD - 2 * disturbances, large, small,
			"counters that count the same at the same time differ: one starts late, stands still, or cannot count beside the others");
	return right(small, large, small);
}

struct ruling judge_range(uint64_t got, uint64_t low, uint64_t high,
			  const char *cause)
{
	if (got < low || got > high)
		return wrong(low, high, got, cause);
	return right(low, high, got);
}

struct ruling judge_slope(const struct runs *shorter, const struct runs *longer,
			  uint64_t turns, unsigned int instructions,
			  unsigned int uncertain)
{
	uint64_t got = judge_smallest(longer) - judge_smallest(shorter);
	uint64_t few =
		fewest_disturbances(longer) + fewest_disturbances(shorter);
	uint64_t low = 0, high = 0;

	/* Each turn has the same number, also where that is uncertain. */
	for (unsigned int n = instructions - uncertain;
	     n <= instructions + uncertain; n++) {
		low = turns * n - MIN(slack(few), turns * n);
		high = turns * n + slack(few);
		if (got >= low && got <= high)
			return right(low, high, got);
	}
	low = turns * (instructions - uncertain);
	return wrong(low, high, got,
		     got > high ?
			     "the loop has fewer instructions than counted" :
			     "the loop has more instructions than counted");
}

struct ruling judge_branches(const struct runs *shorter,
			     const struct runs *longer, uint64_t turns,
			     bool emulated)
{
	struct ruling ruling = judge_slope(shorter, longer, turns, 1, 0);

	if (!judge_smallest(longer))
		ruling.cause =
			"branches do not count although instructions do: a host filters the event, or libpfm has a wrong value for it";
	else if (emulated)
		return right(1, judge_smallest(longer), judge_smallest(longer));
	else if (ruling.verdict == VERDICT_WRONG)
		ruling.cause =
			"not one branch in each turn: libpfm has a wrong value for the event, or the counter cannot count it";
	return ruling;
}

uint32_t judge_counting(const uint64_t *counts, int count)
{
	uint64_t most = 0;
	uint32_t counting = 0;

	for (int i = 0; i < count; i++)
		most = counts[i] > most ? counts[i] : most;
	if (most < EVENTS_ENOUGH)
		return 0;
	for (int i = 0; i < count; i++) {
		if (counts[i])
			counting |= 1u << i;
	}
	return counting;
}

struct ruling judge_pauses(const struct sampled *s)
{
	uint64_t high = 3 * s->average_ns + TICK_NS;

	return judge_range(
		s->longest_ns / 1000, 0, high / 1000,
		"no sample for so many microseconds: an overflow interrupt was lost, and its counter found by a later one or by a tick");
}

/* Returns the samples of interrupts that all come "skid" events late. */
static uint64_t samples_with_skid(const struct sampled *s, uint64_t skid)
{
	return s->total / (s->period + skid);
}

static const char *cause_of_few(const struct sampled *s)
{
	if (s->beside)
		return "overflows are lost when another counter overflows at the same time, or any are: the status of one hides that of the other, or interrupts do not come";
	if (!s->samples)
		return "no overflow interrupt arrives: LVTPC is masked (a hypervisor, firmware), or the counter does not interrupt";
	return "overflow interrupts are lost or come late: LVTPC was masked meanwhile, interrupts were off for long, or a hypervisor holds them back";
}

struct ruling judge_samples(const struct sampled *s)
{
	uint64_t high = s->total / s->period;
	uint64_t low = samples_with_skid(s, JUDGE_SKID + s->period / 50);

	if (s->throttled)
		return (struct ruling){
			VERDICT_UNSURE, low, high, s->samples,
			"the kernel stopped the session for interrupting too often"
		};
	/* The last one may be on its way when the counting ends. */
	low = low ? low - 1 : 0;
	if (!s->samples || s->samples < low)
		return wrong(low ? low : 1, high, s->samples, cause_of_few(s));
	if (s->samples > high + 1)
		return wrong(
			low, high, s->samples,
			"more overflows than periods: interrupts without an overflow count as one, or the period is not loaded");
	if (s->latest > JUDGE_LATE)
		return wrong(
			0, JUDGE_LATE, s->latest,
			"an overflow interrupt came so many instructions late: it was lost or held back, and found at a tick or context switch");
	if (s->outside * 10 > s->samples)
		return wrong(
			0, s->samples / 10, s->outside,
			"addresses are outside of the loop that was sampled");
	return right(low, high, s->samples);
}

bool judge_period_works(const struct sampled *s)
{
	uint64_t high = s->total / s->period;

	return !s->throttled && s->samples && s->samples >= high - high / 10 &&
	       s->samples <= high;
}
