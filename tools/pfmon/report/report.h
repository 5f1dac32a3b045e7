/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report of a measurement, see pfmon(1). A format is a function that writes
 * rows; report.c chooses it, and checks that everything was written.
 */
#ifndef PFMON_REPORT_H
#define PFMON_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/coverage.h"
#include "engine/estimate.h"
#include "events/alias.h"
#include "metrics/groups.h"
#include "report/spread.h"

enum report_format {
	REPORT_TABLE, /* classic text */
	REPORT_CSV,
	REPORT_JSON,
	REPORT_STAT, /* text of pfmon stat */
	REPORT_SEPARATED, /* fields as perf stat -x writes them */
	REPORT_TEXTFILE, /* of Prometheus */
};

/* How the counts of text are written. */
enum report_digits {
	DIGITS_PLAIN,
	DIGITS_COMMA, /* 1,024 */
	DIGITS_POINT, /* 1.024 */
	DIGITS_HEX, /* 0x400 */
};

/* What an event is; the same for all rows. */
struct report_event {
	enum event_meaning meaning;
	const char *name; /* as the user wrote it, with the levels */
	const char *given; /* without them */
	const char *native; /* of the model; the name if there is no other */
	const char *level;
	const char *unit; /* "" or "ns" */
	bool has_counter; /* software values have none */
	bool of_machine; /* a PMU outside the cores counts it */
	unsigned int counter; /* number of the PMD */
	uint64_t selector;
	int set; /* of those that take turns, from 0 */
};

enum report_scope {
	SCOPE_TOTAL,
	SCOPE_THREAD,
	SCOPE_PROCESS,
	SCOPE_CPU,
	SCOPE_CORE,
	SCOPE_DIE,
	SCOPE_SOCKET,
	SCOPE_NODE,
};

/* The counts of one thread, process or CPU, or of everything. */
struct report_row {
	enum report_scope scope;
	int pid, tid, ppid; /* of a thread or process */
	int cpu;
	const char *place; /* of a core and so on, as perf names them */
	int cpus; /* that it has */
	const char *comm;
	const uint64_t *counts; /* in the order of the events */
	/* Which of them the row has no counter of; NULL: none of_machine has rows. */
	const bool *absent;
	/* The same, if sets took turns: the counts are estimates. NULL: not. */
	const struct estimate *estimates;
	/* The turns of each set, and how long they lasted. NULL: not known. */
	const uint64_t *set_runs, *set_ns;
	uint64_t counted_ns;
};

struct report {
	const char *verb; /* "" is the classic command line */
	char *const *command; /* ends with NULL; NULL: none was run */
	const char *model; /* of the register map */
	const char *follow; /* the means: "none", "ptrace" */
	const char *advice; /* how to get full coverage; NULL: no way */
	/* Where and when; NULL: not told. */
	const char *host, *kernel, *started;
	uint64_t started_s; /* since the epoch */
	const char *rank, *job; /* of a parallel program; NULL: none */
	unsigned int ranks; /* that it has, 0: not known */
	const char *scope; /* of the total: "command", "tasks", "system" */
	int exit_status; /* of the command */
	unsigned int run; /* from 1 */
	unsigned int interval; /* of the run, from 1; 0: this is no interval */
	bool snapshot; /* the counts up to a moment; counting continues */
	uint64_t elapsed_ns;
	uint64_t begun_ns; /* of that before the interval began */
	uint64_t user_ns, sys_ns;
	uint64_t skew_ns; /* between the counters of cores and others, at most */
	struct coverage coverage;
	int event_count;
	const struct report_event *events;
	int row_count;
	const struct report_row *rows;
	const struct spread *spreads; /* of the total; NULL: one run */
	const struct metric *metrics; /* of the events */
	const struct formula_set *formulas; /* of metrics; NULL: none */
	int metric_count;
	double cpu_hz; /* nominal, 0: not known */
	int sets; /* that took turns, or 1 */
	const char *reference; /* of the estimates; NULL: time */
	const struct regions *regions; /* in place of the rows; NULL: none */
};

/* How it is to be written. */
struct report_style {
	enum report_format format;
	const char *separator; /* of REPORT_SEPARATED */
	enum report_digits digits; /* of text */
	bool header; /* --with-header */
	bool times; /* --show-time */
	bool timed; /* rows begin with the seconds since the start */
	bool first; /* column names are due */
	bool strings; /* counts of JSON are strings */
	bool lines; /* several reports in one file */
};

/* How long the counts of the report took. */
uint64_t report_time(const struct report *report);

/* Whether each count has all that was to be counted. */
bool report_is_exact(const struct report *report);

/*
 * The value of a metric for the whole. False if it has none: an event of it was
 * not seen, or it would divide by zero.
 */
bool report_metric(const struct report *report, int metric, double *value);

/* Whether it is above the threshold that its file says. */
bool report_metric_exceeds(const struct report *report, int metric);

/*
 * How many event sets a metric is estimated from, and the least part that was seen of its
 * events. 0 and 1: it is exact.
 */
int report_metric_sets(const struct report *report, int metric, double *least);

/*
 * What marks a metric of estimates: "estimate, seen 50.1 %", with the number of sets if its
 * events are in several; "" for exact ones. Returns text.
 */
char *report_metric_estimate(const struct report *report, int metric,
			     char *text, size_t size);

/*
 * Writes a report in a format. Returns 0, or -1 with errno if it could not be
 * written.
 */
int report_write(const struct report *report, const struct report_style *style,
		 FILE *out);

/* The formats. */
void report_table(const struct report *report, const struct report_style *style,
		  FILE *out);
void report_stat(const struct report *report, const struct report_style *style,
		 FILE *out);
void report_csv(const struct report *report, const struct report_style *style,
		FILE *out);
void report_separated(const struct report *report,
		      const struct report_style *style, FILE *out);
void report_json(const struct report *report, const struct report_style *style,
		 FILE *out);

void report_textfile(const struct report *report,
		     const struct report_style *style, FILE *out);

#endif /* PFMON_REPORT_H */
