/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Coverage: what part of the CPU time of the measured threads was counted.
 * Arithmetic only; the engine fills the numbers in, each report tells them.
 */
#ifndef PFMON_COVERAGE_H
#define PFMON_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether there was anybody beside the threads that were to be counted. */
enum coverage_others {
	OTHERS_UNKNOWN, /* judged by the time that is missing */
	OTHERS_NONE,
	OTHERS_SOME,
};

struct coverage {
	uint64_t cpu_ns; /* that could have been counted */
	uint64_t counted_ns; /* sum over the sessions */
	uint64_t blind_ns; /* masked while the thread ran on */
	uint64_t throttled_ns; /* stopped for interrupting too much */
	uint64_t missed; /* samples that are not there */
	uint64_t unknown; /* of these: records of several events at once, or late ones */
	/* On cpu_core and on cpu_atom, if there is an event of one kind of core. */
	uint64_t kind_ns[2];
	unsigned int threads; /* that were counted; CPUs if system-wide */
	unsigned int traced; /* of them by ptrace, from stop to stop */
	unsigned int off_line; /* CPUs that went while they were counted */
	unsigned int lost; /* threads and children known not to be counted */
	unsigned int left_out; /* programs that the user did not want */
	unsigned int rights; /* programs that had more of them, and ended it */
	/* Children that ended it so, or by a session of their own. */
	unsigned int departed;
	enum coverage_others others;
	bool system_wide;
	bool cgroup; /* cpu_ns is of all that were in it */
	bool attached; /* to what ran already: there is no command */
	/* Each thread that was not counted is in the numbers above: time tells nothing. */
	bool told;
};

/* Never negative: clocks of different grain may overlap. */
uint64_t coverage_uncounted(const struct coverage *coverage);

/* Tenths of a percent, 0 to 1000; 1000 if there was nothing to count. */
unsigned int coverage_permille(const struct coverage *coverage);

/* Whether more time is missing than the ends of a program take. */
bool coverage_misses_time(const struct coverage *coverage);

/* False if so much was missed that the counts are not those of all threads. */
bool coverage_is_exact(const struct coverage *coverage);

/*
 * One sentence about what was missed, followed by the advice (may be NULL), for
 * a coverage that is not exact. Returns text.
 */
char *coverage_note(const struct coverage *coverage, const char *advice,
		    char *text, size_t size);

/*
 * "5 threads, 100.0 % of their CPU time", for any coverage. If none was missed and yet
 * much time, which the kernel takes to make threads and to end them: "5 threads, none
 * missed". Returns text.
 */
char *coverage_summary(const struct coverage *coverage, char *text,
		       size_t size);

/*
 * "41.2 % on cpu_core, 58.8 % on cpu_atom". Returns text, or NULL if no
 * event is of one kind of core.
 */
char *coverage_kinds(const struct coverage *coverage, char *text, size_t size);

#endif /* PFMON_COVERAGE_H */
