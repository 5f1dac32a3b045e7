// SPDX-License-Identifier: GPL-2.0-only
/* Counting, see count.h: the order of the steps, and a report of each run. */
#include "verbs/count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "diag.h"
#include "engine/measure.h"
#include "report/output.h"
#include "report/present.h"
#include "verbs/programmed.h"

/* As of ECMA-48: home, and erase all. */
#define CLEAR_SCREEN "\033[H\033[2J"

struct job {
	const struct request *request;
	struct measurement measurement;
	struct output output;
	struct report_style style;
	struct spread *spreads; /* NULL: each run has its report */
	double *seen; /* of each event, the sum of the parts that runs have seen */
	unsigned int runs; /* that are in them */
	int status; /* of the runs */
	bool noted; /* what the report does not cover */
	unsigned int intervals; /* of this run */
	uint64_t told_ns; /* when the last one ended */
};

/* The counts are not lost with the file that they were meant for. */
static int write_again(struct job *job, const struct report *report)
{
	struct report_style style = job->style;

	diag("after the run: cannot write the counts: %s", strerror(errno));
	if (job->output.is_stderr)
		return -1;
	style.first = true;
	report_write(report, &style, stderr);
	return -1;
}

/* Each time a new file takes the name of the old one. */
static int write_textfile(struct job *job, const struct report *report)
{
	struct destination file = { .file = job->request->textfile, .fd = -1 };
	int ret;

	if (output_open(&job->output, &file))
		return -1;
	ret = report_write(report, &job->style, job->output.stream);
	return output_close(&job->output, !ret) || ret ? -1 : 0;
}

/* Where the time went that no thread was counted in. */
static void write_ends(const struct job *job, const struct coverage *coverage)
{
	unsigned int permille = coverage_permille(coverage);

	if (job->request->verbose && coverage->told &&
	    coverage_misses_time(coverage))
		diag("note: counted in %u.%u %% of the command's CPU time; the rest is the kernel's fork, exec and exit of its threads and children",
		     permille / 10, permille % 10);
}

/* Series have the coverage: of those that go on for days it is said once. */
static void write_note(struct job *job, const struct report *report)
{
	char note[256];

	if (coverage_is_exact(&report->coverage) || job->output.is_stderr ||
	    (job->noted && job->request->textfile))
		return;
	job->noted = true;
	diag("note: %s", coverage_note(&report->coverage, report->advice, note,
				       sizeof(note)));
}

/* Of all intervals the most; said once they are over. */
static void write_skew(const struct job *job)
{
	const struct measurement *m = &job->measurement;

	if (job->request->verbose && m->kernel.count)
		diag("note: counters of the cores and of other PMUs were started within %.1f us and read within %.1f us of each other",
		     (double)m->skew.start_ns / 1e3,
		     (double)m->skew.read_ns / 1e3);
}

static int write_report(struct job *job, const struct report *report)
{
	write_note(job, report);
	write_ends(job, &report->coverage);
	if (job->request->textfile)
		return write_textfile(job, report);
	if (job->request->interval_clear)
		fputs(CLEAR_SCREEN, job->output.stream);
	if (report_write(report, &job->style, job->output.stream))
		return write_again(job, report);
	job->style.first = false;
	return 0;
}

/* Counters that somebody collects go on, and have the time since their start. */
static void begin_interval(struct job *job, struct report *report)
{
	report->interval = ++job->intervals;
	/* A reset begins anew. */
	if (!job->request->cumulative && job->told_ns < report->elapsed_ns)
		report->begun_ns = job->told_ns;
	job->told_ns = report->elapsed_ns;
}

/* Reports what the measurement has now: all of a run, or while it continues. */
static int report_now(struct job *job, bool over)
{
	struct presented presented;
	int ret = present(&presented, &job->measurement);

	if (!over && job->request->interval_ns)
		begin_interval(job, &presented.report);
	else
		presented.report.snapshot = !over;
	if (!ret)
		ret = write_report(job, &presented.report);
	present_free(&presented);
	return ret;
}

static int report_interval(struct measurement *measurement, void *arg)
{
	(void)measurement;
	return report_now(arg, false);
}

/* Text and fields tell of all runs at once, when the last is over. */
static bool is_summed_up(const struct request *request)
{
	return request->repeat != 1 && request->style.format != REPORT_JSON &&
	       request->style.format != REPORT_CSV;
}

/* What a run has not seen says nothing of the others, least of all zero. */
static void add_count(struct job *job, const struct report_row *row, int i)
{
	job->seen[i] += row->estimates ? row->estimates[i].seen : 1;
	if (!row->estimates || estimate_is_seen(&row->estimates[i]))
		spread_add(&job->spreads[i], row->counts[i]);
}

static int add_run(struct job *job)
{
	struct presented presented;
	int ret = present(&presented, &job->measurement);
	const struct report *report = &presented.report;

	for (int i = 0; !ret && i < report->event_count; i++)
		add_count(job, &report->rows[0], i);
	job->runs++;
	present_free(&presented);
	return ret;
}

static void take_mean(const struct job *job, struct presented *presented, int i)
{
	presented->counts[i] = spread_mean(&job->spreads[i]);
	if (presented->estimates)
		presented->estimates[i].seen = job->seen[i] / job->runs;
}

static int report_runs(struct job *job)
{
	struct presented presented;
	int ret = present(&presented, &job->measurement);

	if (!ret) {
		for (int i = 0; i < presented.report.event_count; i++)
			take_mean(job, &presented, i);
		presented.report.spreads = job->spreads;
		ret = write_report(job, &presented.report);
	}
	present_free(&presented);
	return ret;
}

/* A command that fails says nothing of what it costs when it does not. */
static int take_run(struct job *job)
{
	const struct outcome *outcome = &job->measurement.outcome;
	int status = measure_exit_status(outcome->wait_status);

	if (status && !job->status)
		job->status = status;
	if (job->request->interval_ns)
		return 0;
	if (!job->spreads)
		return report_now(job, true);
	if (status) {
		diag("note: run %u: status %d; left out", outcome->run, status);
		return 0;
	}
	return add_run(job);
}

/* 0, or the exit status of pfmon. */
static int run_all(struct job *job)
{
	const struct request *request = job->request;
	const struct outcome *outcome = &job->measurement.outcome;
	unsigned int run = 1;

	for (; !request->repeat || run <= request->repeat; run++) {
		int status = measure_request(&job->measurement, run);

		if (status)
			return status;
		write_skew(job);
		if (take_run(job))
			return STATUS_FAILED;
		if (outcome->interrupted ||
		    (request->repeat != 1 &&
		     WIFSIGNALED(outcome->wait_status) &&
		     WTERMSIG(outcome->wait_status) == SIGINT))
			break;
	}
	if (!job->spreads)
		return 0;
	if (!job->runs) {
		diag("no run has succeeded");
		return job->status ? job->status : STATUS_FAILED;
	}
	return report_runs(job) ? STATUS_FAILED : 0;
}

/* Whether it can be written is known before the command runs. */
static int check_textfile(struct job *job)
{
	struct destination file = { .file = job->request->textfile, .fd = -1 };

	if (output_open(&job->output, &file))
		return -1;
	return output_close(&job->output, false);
}

static int prepare(struct job *job)
{
	const struct request *request = job->request;
	struct measurement *m = &job->measurement;

	if (measure_prepare(m, request))
		return -1;
	m->interval = report_interval;
	m->arg = job;
	if (request->verbose)
		programmed_print(m);
	if (request->check_only)
		return 0;
	if (is_summed_up(request)) {
		job->spreads = calloc((size_t)m->events.count + 1,
				      sizeof(*job->spreads));
		job->seen =
			calloc((size_t)m->events.count + 1, sizeof(*job->seen));
		if (!job->spreads || !job->seen)
			return diag("out of memory");
	}
	if (request->textfile && sets_take_turns(&m->sets))
		return diag(
			"--textfile: the events do not fit at once; estimates may decrease, which no counter does");
	if (request->textfile)
		return check_textfile(job);
	if (output_open(&job->output, &request->destination))
		return -1;
	/* The file has the names of its columns. */
	if (request->destination.append &&
	    request->style.format == REPORT_CSV &&
	    !fseek(job->output.stream, 0, SEEK_END) &&
	    ftell(job->output.stream) > 0)
		job->style.first = false;
	return 0;
}

static int exit_status(const struct job *job)
{
	const struct request *request = job->request;

	if (job->measurement.outcome.interrupted)
		return request->command || request->until ?
			       STATUS_SIGNAL + SIGINT :
			       0;
	return job->status;
}

int count(const struct request *request)
{
	/* Static: too large for some stacks. */
	static struct job job;
	int status;

	job.request = request;
	job.style = request->style;
	if (prepare(&job))
		status = STATUS_FAILED;
	else if (request->check_only)
		status = 0;
	else
		status = run_all(&job);
	if (output_close(&job.output, !status) && !status)
		status = STATUS_FAILED;
	if (!status && !request->check_only)
		status = exit_status(&job);
	measure_finish(&job.measurement);
	free(job.spreads);
	free(job.seen);
	return status;
}
