// SPDX-License-Identifier: GPL-2.0-only
/* What part of the CPU time was counted, see coverage.h. */
#include "engine/coverage.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * What the way into a program and out of it may take without being a thread
 * that nobody counted.
 */
#define UNCOUNTED_NS_MAX 10000000u
#define UNCOUNTED_PERCENT_MAX 5

/* What the kernel may take to make a thread, and to end it. */
#define ENDS_NS_MAX 500000u

uint64_t coverage_uncounted(const struct coverage *coverage)
{
	if (coverage->cpu_ns <= coverage->counted_ns)
		return 0;
	return coverage->cpu_ns - coverage->counted_ns;
}

unsigned int coverage_permille(const struct coverage *coverage)
{
	uint64_t counted = coverage->cpu_ns - coverage_uncounted(coverage);

	if (!coverage->cpu_ns)
		return 1000;
	return (unsigned int)((double)counted * 1000 /
				      (double)coverage->cpu_ns +
			      0.5);
}

bool coverage_misses_time(const struct coverage *coverage)
{
	uint64_t uncounted = coverage_uncounted(coverage);
	uint64_t ends = (uint64_t)coverage->traced * ENDS_NS_MAX;

	return uncounted > UNCOUNTED_NS_MAX + ends &&
	       uncounted > coverage->cpu_ns / 100 * UNCOUNTED_PERCENT_MAX;
}

bool coverage_is_exact(const struct coverage *coverage)
{
	if (coverage->lost || coverage->rights || coverage->departed ||
	    coverage->off_line || coverage->blind_ns ||
	    coverage->throttled_ns || coverage->missed ||
	    coverage->others == OTHERS_SOME)
		return false;
	return coverage->told || !coverage_misses_time(coverage);
}

/* Why the time is missing. Returns what was written, as snprintf(3). */
static int write_reason(const struct coverage *coverage, char *text,
			size_t size)
{
	if (coverage->system_wide && !coverage->missed)
		return snprintf(text, size, "a CPU was not counted all along");
	if (coverage->rights)
		return snprintf(
			text, size,
			"%u program%s more rights than you (set-user-ID)",
			coverage->rights,
			coverage->rights == 1 ? " had" : "s had");
	if (coverage->departed)
		return snprintf(
			text, size,
			"%u thread%s or child%s had more rights than you (set-user-ID) or measured %s",
			coverage->departed, coverage->departed == 1 ? "" : "s",
			coverage->departed == 1 ? "" : "ren",
			coverage->departed == 1 ? "itself" : "themselves");
	if (coverage->lost)
		return snprintf(text, size, "%u %s not followed",
				coverage->lost,
				coverage->lost == 1 ?
					"thread or child was" :
					"threads or children were");
	if (coverage->throttled_ns)
		return snprintf(text, size,
				"counting was throttled for %" PRIu64 " ms",
				coverage->throttled_ns / 1000000);
	if (coverage->blind_ns)
		return snprintf(text, size,
				"counters were masked for %" PRIu64 " ms",
				coverage->blind_ns / 1000000);
	if (coverage->missed > coverage->unknown)
		return snprintf(text, size,
				"%" PRIu64 " samples found no room (-m)",
				coverage->missed - coverage->unknown);
	if (coverage->unknown)
		return snprintf(
			text, size,
			"%" PRIu64
			" records were of several events at once, or late",
			coverage->unknown);
	if (coverage->left_out)
		return snprintf(text, size, "%u program%s left out as told",
				coverage->left_out,
				coverage->left_out == 1 ? " was" : "s were");
	return snprintf(text, size,
			coverage->cgroup ?
				"processes entered it later" :
				"threads or children were not followed");
}

char *coverage_note(const struct coverage *coverage, const char *advice,
		    char *text, size_t size)
{
	unsigned int permille = coverage_permille(coverage);
	char reason[128];

	write_reason(coverage, reason, sizeof(reason));
	if (coverage->rights || coverage->departed || coverage->cgroup ||
	    ((coverage->left_out || coverage->missed) && !coverage->lost))
		advice = NULL;
	/* Of others beside attached threads there is no time that could be missing. */
	if (coverage->attached && coverage->others == OTHERS_SOME &&
	    permille == 1000) {
		snprintf(text, size, "%s%s%s", reason, advice ? "; " : "",
			 advice ? advice : "");
		return text;
	}
	snprintf(text, size, "counted %u.%u %% of %s: %s%s%s", permille / 10,
		 permille % 10,
		 coverage->system_wide ? "the CPUs' time" :
		 coverage->cgroup      ? "the cgroup's CPU time" :
		 coverage->attached    ? "the threads' CPU time" :
					 "the command's CPU time",
		 reason, advice ? "; " : "", advice ? advice : "");
	return text;
}

char *coverage_summary(const struct coverage *coverage, char *text, size_t size)
{
	unsigned int permille = coverage_permille(coverage);
	bool one = coverage->threads == 1;

	if (coverage_is_exact(coverage) && coverage_misses_time(coverage)) {
		snprintf(text, size, "%u thread%s, none missed",
			 coverage->threads, one ? "" : "s");
		return text;
	}
	snprintf(text, size, "%u %s%s, %u.%u %% of %s %s", coverage->threads,
		 coverage->system_wide ? "CPU" : "thread", one ? "" : "s",
		 permille / 10, permille % 10, one ? "its" : "their",
		 coverage->system_wide ? "time" : "CPU time");
	return text;
}

char *coverage_kinds(const struct coverage *coverage, char *text, size_t size)
{
	double core = (double)coverage->kind_ns[0];
	double all = core + (double)coverage->kind_ns[1];
	unsigned int permille;

	if (all <= 0)
		return NULL;
	permille = (unsigned int)(core * 1000 / all + 0.5);
	snprintf(text, size, "%u.%u %% on cpu_core, %u.%u %% on cpu_atom",
		 permille / 10, permille % 10, (1000 - permille) / 10,
		 (1000 - permille) % 10);
	return text;
}
