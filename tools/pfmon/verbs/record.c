// SPDX-License-Identifier: GPL-2.0-only
/* Recording samples, see record.h: the order of the steps, and what is said. */
#include "verbs/record.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "engine/clocks.h"
#include "grammar/record.h"
#include "record/recording.h"
#include "record/samples_file.h"
#include "record/symbols.h"
#include "report/present.h"
#include "verbs/losses.h"
#include "verbs/programmed.h"

struct job {
	struct record_options options;
	struct measurement measurement;
	struct recording recording;
	struct samples_file file;
	struct chains chains;
	char *const *argv;
};

/* The first thread or CPU is sampled now. */
static void begun(void *arg)
{
	samples_file_name(&((struct job *)arg)->file);
}

static int prepare(struct job *job)
{
	struct request *request = &job->options.request;
	struct measurement *m = &job->measurement;
	struct recording *recording = &job->recording;
	bool by_perf;

	if (recording_mappings(request, &by_perf) ||
	    measure_prepare(m, request) ||
	    recording_prepare(recording, m, by_perf))
		return -1;
	recording->files.keep = !request->samples.no_symbols;
	recording->begun = begun;
	recording->arg = job;
	/* Short programs have ended before anybody looks at them again. */
	request->follow.exits = request->command && !request->system_wide &&
				!recording->by_perf;
	if (request->verbose)
		programmed_print(m);
	if (samples_file_open(&job->file, request->destination.file))
		return -1;
	/* A reader that has gone is an error of writing like any other. */
	signals_take(&m->signals);
	m->signals_taken = true;
	/* What sessions sample depends on who can find callers. */
	return recording_begin(recording, job->file.fd, job->argv) ||
			       measure_sampled(m, &recording->sampling) ?
		       -1 :
		       0;
}

/* The counts, as pfmon stat -j has them. -1 with errno. */
static int write_counts(struct job *job)
{
	const struct measurement *m = &job->measurement;
	struct presented presented;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int ret;

	if (!out)
		return -1;
	ret = present(&presented, m) ||
	      report_write(&presented.report, &m->request->style, out);
	present_free(&presented);
	if (fclose(out) || ret) {
		free(text);
		return -1;
	}
	text[strcspn(text, "\n")] = '\0';
	ret = writer_text(&job->recording.writer, PFMD_COUNTS, text);
	free(text);
	return ret;
}

/* Of a few samples, or of programs that call little, chance may have it so. */
static void tell_alone(const struct job *job)
{
	unsigned int percent = chains_alone(&job->chains);

	if (percent && job->recording.kind.stack_bytes)
		diag("note: -g: %u %% " CHAINS_NOTE, percent);
	else if (percent && job->recording.kind.precise)
		diag("note: -g: %u %% " CHAINS_NOTE CHAINS_WHY, percent);
	else if (percent)
		diag("note: -g: %u %% " CHAINS_NOTE CHAINS_WHY
		     "; record with --call-graph=dwarf",
		     percent);
}

/* Samples below which a report says little. */
#define FEW_SAMPLES 50

/* The kernel adapts no period of precise samples to what a program executes. */
static void tell_few(const struct job *job, uint64_t kept)
{
	const struct periods *periods = &job->recording.periods;

	if (!job->recording.kind.precise || kept >= FEW_SAMPLES ||
	    job->options.request.samples.periods.count)
		return;
	for (int i = 0; i < periods->count; i++)
		if (periods->list[i].sampler)
			diag("note: a precise sample stands for %" PRIu64
			     " events here; -c chooses a shorter period",
			     periods->list[i].every);
}

/* One line of what is in the file, after those about what is not. */
static void tell(const struct job *job)
{
	const struct coverage *coverage = &job->measurement.tally.coverage;
	const struct writer *writer = &job->recording.writer;
	uint64_t kept = recording_kept(&job->recording);
	char text[256];

	losses_tell(&job->recording);
	tell_alone(job);
	tell_few(job, kept);
	diag("%s: %" PRIu64 " sample%s, %" PRIu64 " KiB; %s", job->file.name,
	     kept, kept == 1 ? "" : "s", writer->bytes / 1024,
	     coverage_summary(coverage, text, sizeof(text)));
}

/* 0, or pfmon's exit status. */
static int run(struct job *job)
{
	const struct request *request = &job->options.request;
	const struct outcome *outcome = &job->measurement.outcome;
	struct writer *writer = &job->recording.writer;
	int status = measure_request(&job->measurement, 1);

	if (status)
		return status;
	if (!job->recording.kind.stack_bytes)
		job->chains = (struct chains){ writer->samples,
					       job->recording.alone };
	if (recording_end(&job->recording) || write_counts(job) ||
	    (job->recording.files.keep &&
	     symbols_write(writer, &job->recording.files, &job->chains)) ||
	    writer_end(writer)) {
		diag("after the run: cannot write the samples: %s",
		     strerror(errno));
		return STATUS_FAILED;
	}
	if (samples_file_close(&job->file))
		return STATUS_FAILED;
	tell(job);
	if (outcome->interrupted)
		return request->command || request->until ?
			       STATUS_SIGNAL + SIGINT :
			       0;
	return measure_exit_status(outcome->wait_status);
}

int verb_record(int argc, char **argv)
{
	/* Static: too large for some stacks. */
	static struct job job = { .file.fd = -1, .recording.epoll = -1 };
	int status = STATUS_FAILED;

	job.argv = argv;
	if (record_parse(&job.options, argc, argv))
		return STATUS_FAILED;
	if (job.options.help) {
		record_usage(stdout);
		return 0;
	}
	if (!prepare(&job))
		status = run(&job);
	samples_file_close(&job.file);
	measure_finish(&job.measurement);
	recording_close(&job.recording);
	return status;
}
