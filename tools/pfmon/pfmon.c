// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: runs a command and counts hardware events of it.
 *
 * This file has the order of the steps; each has a room: grammar (the command
 * line), events (names and values), registers (who counts what), engine (the
 * command and its session), report (formats). The self-test is one, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "registers/assign.h"
#include "diag.h"
#include "events/event.h"
#include "grammar/options.h"
#include "registers/regmap.h"
#include "report/report.h"
#include "engine/run.h"
#include "engine/session.h"
#include "events/tables.h"
#include "selftest/selftest.h"

/* The state of a run. */
struct job {
	struct options opts;
	struct event_list events;
	struct regmap map;
	struct plan plan;
	int session;
	FILE *out;
};

static int open_output(struct job *job)
{
	if (!job->opts.outfile) {
		job->out = stdout;
		return 0;
	}
	job->out = fopen(job->opts.outfile, "we");
	if (!job->out)
		return diag("-o %s: %s", job->opts.outfile, strerror(errno));
	return 0;
}

static void print_plan(const struct job *job)
{
	const char *events = tables_pmu();

	fprintf(stderr, "pfmon: PMU: %s, events of: %s\n", job->map.model,
		events ? events : "none");
	for (int i = 0; i < job->events.count; i++) {
		const struct event *event = &job->events.events[i];

		fprintf(stderr, "pfmon: event %s: pmd%u, selector 0x%llx%s%s\n",
			event->name, job->plan.pmds[i].reg_num,
			(unsigned long long)job->plan.selectors[i],
			event->full_name ? ", " : "",
			event->full_name ? event->full_name : "");
	}
	for (int i = 0; i < job->plan.pmc_count; i++)
		fprintf(stderr, "pfmon: pmc%u = 0x%llx\n",
			job->plan.pmcs[i].reg_num,
			(unsigned long long)job->plan.pmcs[i].reg_value);
}

/* Does everything that can fail before the command runs. */
static int prepare(struct job *job)
{
	struct pfarg_setinfo info;

	if (tables_init(job->opts.pmu) ||
	    events_parse(&job->events, job->opts.events, job->opts.levels))
		return -1;
	job->session = session_create(REGMAP_SYSFS);
	if (job->session < 0 || session_info(job->session, &info) ||
	    regmap_read(&job->map, REGMAP_SYSFS) ||
	    assign_events(&job->plan, &job->events, &job->map, &info) ||
	    session_program(job->session, &job->plan, &job->events) ||
	    open_output(job))
		return -1;
	if (job->opts.verbose)
		print_plan(job);
	return 0;
}

static int attach(pid_t thread, void *arg)
{
	const struct job *job = arg;

	return session_attach(job->session, thread);
}

static int write_report(struct job *job, const struct run_result *result,
			const uint64_t *counts)
{
	struct report_event events[COUNTERS_MAX];
	struct report report = {
		.command = job->opts.command,
		.model = job->map.model,
		.exit_status = run_exit_status(result->wait_status),
		.elapsed_ns = result->elapsed_ns,
		.event_count = job->events.count,
		.events = events,
	};

	for (int i = 0; i < job->events.count; i++) {
		const struct event *event = &job->events.events[i];

		events[i] = (struct report_event){
			.name = event->name,
			.level = event_level_name(event),
			.count = counts[i],
			.counter = job->plan.pmds[i].reg_num,
			.selector = job->plan.selectors[i],
		};
	}
	if (report_write(&report, job->opts.format, job->out))
		return diag("cannot write the counts: %s", strerror(errno));
	return 0;
}

static int count_command(struct job *job)
{
	uint64_t counts[COUNTERS_MAX];
	struct run_result result;
	int status;

	if (prepare(job))
		return STATUS_FAILED;
	status = run_command(job->opts.command, attach, job, &result);
	if (status)
		return status;
	if (session_read(job->session, &job->plan, counts) ||
	    write_report(job, &result, counts))
		return STATUS_FAILED;
	return run_exit_status(result.wait_status);
}

static int list(const struct options *opts)
{
	int ret = tables_init(opts->pmu);

	if (!ret)
		ret = opts->action == ACTION_LIST_PMUS ?
			      tables_list_pmus(stdout) :
			      tables_list_events(opts->pattern, stdout);
	if (!ret && fflush(stdout))
		ret = diag("cannot write the list: %s", strerror(errno));
	return ret ? STATUS_FAILED : 0;
}

static int self_test(const struct options *opts)
{
	struct selftest_options self = {
		.full = opts->full,
		.cpus = opts->cpus,
		.outfile = opts->outfile,
		.pmu = opts->pmu,
	};

	return selftest_run(&self);
}

static void finish(struct job *job)
{
	if (job->out && job->out != stdout)
		fclose(job->out);
	if (job->session >= 0)
		close(job->session);
	events_free(&job->events);
}

int main(int argc, char **argv)
{
	/* Static: too large for some stacks. */
	static struct job job = { .session = -1 };
	int status;

	if (options_parse(&job.opts, argc, argv))
		return STATUS_FAILED;
	switch (job.opts.action) {
	case ACTION_HELP:
		options_usage(stdout);
		return 0;
	case ACTION_VERSION:
		puts("pfmon " PFMON_VERSION " (perfmon v3.0)");
		return 0;
	case ACTION_LIST_EVENTS:
	case ACTION_LIST_PMUS:
		return list(&job.opts);
	case ACTION_SELF_TEST:
		return self_test(&job.opts);
	case ACTION_COUNT:
		break;
	}
	status = count_command(&job);
	finish(&job);
	return status;
}
