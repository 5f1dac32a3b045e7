// SPDX-License-Identifier: GPL-2.0-only
/* pfmon stat -m, see regions.h. */
#include "verbs/regions.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/measure.h"
#include "regions/ask.h"
#include "regions/regions.h"
#include "report/output.h"
#include "report/present.h"
#include "verbs/programmed.h"

/* Regions have counters of their own, and all of the time. */
static int check_events(const struct measurement *m)
{
	for (int i = 0; i < m->events.count; i++) {
		if (m->events.events[i].soft)
			return diag("event %s: no counter has it; not with -m",
				    m->events.events[i].name);
	}
	if (sets_take_turns(&m->sets))
		return diag(
			"-m: the events do not fit at once; count fewer, or some in a further run");
	return 0;
}

/* What was not marked as it is meant is told in all formats. */
static void tell(const struct regions *regions)
{
	if (!regions->processes)
		diag("note: no process has marked a region; link it with libpfmark (pfmon-mark(3))");
	else if (regions->uncounted)
		diag("note: %u of %u threads measured nothing: %s",
		     regions->uncounted, regions->threads,
		     strerror(regions->why));
	if (regions->broken)
		diag("note: a process has written what is no record of regions");
}

static enum regions_grouping grouping_of(const struct request *request)
{
	if (request->grouping == GROUP_THREADS)
		return REGIONS_THREADS;
	return request->grouping == GROUP_PROCESSES ? REGIONS_PROCESSES :
						      REGIONS_ALL;
}

/* Those on the standard error are not lost with the file. */
static int write_report(struct report *report, struct report_style style,
			struct output *output)
{
	if (!report_write(report, &style, output->stream))
		return 0;
	diag("after the run: cannot write the counts: %s", strerror(errno));
	if (!output->is_stderr)
		report_write(report, &style, stderr);
	return -1;
}

static int report_regions(const struct measurement *m, struct output *output,
			  int fd)
{
	const struct event_set *set = &m->sets.list[0];
	struct presented presented;
	struct regions regions;
	int ret = regions_read(&regions, fd, grouping_of(m->request),
			       set->events, set->plan.event_count);

	if (!ret)
		ret = present(&presented, m);
	if (!ret) {
		/* Nothing was counted but what is in regions. */
		presented.report.row_count = 0;
		presented.report.regions = &regions;
		presented.report.follow = "regions";
		tell(&regions);
		ret = write_report(&presented.report, m->request->style,
				   output);
		present_free(&presented);
	}
	regions_free(&regions);
	return ret;
}

/* 0, or pfmon's exit status. */
static int run(struct measurement *m, struct output *output)
{
	int fd = ask_regions(&m->sets), status;

	if (fd < 0)
		return STATUS_FAILED;
	status = measure_request(m, 1);
	if (!status && report_regions(m, output, fd))
		status = STATUS_FAILED;
	close(fd);
	if (output_close(output, !status) && !status)
		status = STATUS_FAILED;
	if (status)
		return status;
	if (m->outcome.interrupted)
		return STATUS_SIGNAL + SIGINT;
	return measure_exit_status(m->outcome.wait_status);
}

int count_regions(const struct request *request)
{
	/* Static: too large for some stacks. */
	static struct measurement measurement;
	static struct output output;
	struct measurement *m = &measurement;
	int status = STATUS_FAILED;

	if (!measure_prepare(m, request) && !check_events(m)) {
		if (request->verbose)
			programmed_print(m);
		if (!output_open(&output, &request->destination))
			status = run(m, &output);
	}
	if (output.stream)
		output_close(&output, false);
	measure_finish(m);
	return status;
}
