// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classic sampling, see sample.h: records as pfmon record does, into a file that has
 * no name, and has the program of pfmon report print it.
 */
#include "verbs/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "record/recording.h"
#include "record/samples_file.h"
#include "report/output.h"
#include "report/present.h"
#include "verbs/losses.h"
#include "verbs/profile.h"
#include "verbs/programmed.h"

#define WORDS_MAX 24

struct job {
	struct options *options;
	struct measurement measurement;
	struct recording recording;
	int file; /* of the samples, -1: not open */
	char program[PROFILE_PATH_MAX]; /* that prints them */
	struct output samples, counts;
	char split[PATH_MAX]; /* name that each session adds to, "": one output */
};

/* It would be missed only when everything has been measured. */
static int find_program(struct job *job)
{
	if (!profile_program(job->program) && !access(job->program, X_OK))
		return 0;
	return diag("--long-smpl-periods: not built in: %s is not there",
		    job->program);
}

/* A folder in which files can be made. */
static int check_folder(const char *file)
{
	char folder[PATH_MAX], *end;

	strcpy(folder, file);
	end = strrchr(folder, '/');
	if (end)
		end[end == folder] = '\0';
	if (access(end ? folder : ".", W_OK | X_OK))
		return diag("--smpl-outfile=%s: %s", file, strerror(errno));
	return 0;
}

/* As in 3.x: sessions that have rows of their own have files of their own. */
static bool is_split(const struct options *options)
{
	const char *file = options->smpl.outfile;
	struct stat about;

	return file && strcmp(file, "-") != 0 &&
	       (options->request.grouping == GROUP_THREADS ||
		options->request.grouping == GROUP_CPUS) &&
	       (stat(file, &about) || S_ISREG(about.st_mode));
}

static int open_outputs(struct job *job)
{
	const struct options *options = job->options;
	const struct destination *counts = &options->request.destination;
	struct destination samples = { .file = options->smpl.outfile,
				       .fd = -1 };

	if (is_split(options)) {
		if (output_expand(samples.file, job->split,
				  sizeof(job->split)) ||
		    check_folder(job->split))
			return -1;
		samples.file = NULL;
	}
	if (output_open(&job->samples, &samples))
		return -1;
	if (options->smpl.module == MODULE_RAW && !job->split[0] &&
	    isatty(fileno(job->samples.stream)))
		return diag(
			"--smpl-raw: the output is a terminal; redirect it");
	return options->smpl.print_counts ? output_open(&job->counts, counts) :
					    0;
}

static int open_file(struct job *job)
{
	const char *folder;

	job->file = samples_file_temporary(&folder);
	return job->file < 0 ? diag("cannot keep samples in %s: %s; set TMPDIR",
				    folder, strerror(errno)) :
			       0;
}

static int prepare(struct job *job, char *const argv[])
{
	struct request *request = &job->options->request;
	struct measurement *m = &job->measurement;
	struct recording *recording = &job->recording;
	bool by_perf;

	if (find_program(job) || recording_mappings(request, &by_perf) ||
	    measure_prepare(m, request) ||
	    recording_prepare(recording, m, by_perf))
		return -1;
	/* Short programs have ended before anybody looks at them again. */
	request->follow.exits = request->command && !request->system_wide &&
				!recording->by_perf;
	if (request->verbose)
		programmed_print(m);
	if (request->check_only)
		return 0;
	if (measure_sampled(m, &recording->sampling) || open_outputs(job) ||
	    open_file(job))
		return -1;
	signals_take(&m->signals);
	m->signals_taken = true;
	return recording_begin(recording, job->file, argv);
}

/* A number behind its option. */
static char *number_word(char text[32], const char *option, unsigned int number)
{
	snprintf(text, 32, "--%s=%u", option, number);
	return text;
}

/* What the program is to print, and how; returns how many words there are. */
static int add_words(const struct job *job, char **words, char top[32],
		     char threshold[32])
{
	const struct options *options = job->options;
	const struct sampling_view *view = &options->smpl;
	const struct request *request = &options->request;
	int count = 0;

	if (view->top)
		words[count++] = number_word(top, "top", view->top);
	if (view->cum_threshold)
		words[count++] = number_word(threshold, "cum-threshold",
					     view->cum_threshold);
	if (view->per_function)
		words[count++] = (char *)"--per-function";
	if (view->ignore_pids)
		words[count++] = (char *)"--ignore-pids";
	if (view->resolve)
		words[count++] = (char *)"--resolve";
	if (request->style.header)
		words[count++] = (char *)"--header";
	if (request->grouping == GROUP_ALL &&
	    (request->system_wide || request_follows(request)))
		words[count++] = (char *)"--aggregate";
	if (!view->demangle)
		words[count++] = (char *)"--no-demangle";
	return count;
}

/* Two words: an option and its text, if there is one. */
static int add_text(char **words, const char *option, const char *text)
{
	if (!text)
		return 0;
	words[0] = (char *)(uintptr_t)option;
	words[1] = (char *)(uintptr_t)text;
	return 2;
}

/* 0, or -1 after a message, which may be its own. */
static int run_program(const struct job *job, char **words)
{
	const int standard[3] = { job->file, fileno(job->samples.stream), -1 };
	pid_t pid;
	int error = profile_spawn(words, standard, &pid), status;

	if (error)
		return diag("after the run: cannot execute %s: %s",
			    job->program, strerror(error));
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return diag("after the run: cannot wait for %s: %s",
				    job->program, strerror(errno));
	}
	if (WIFSIGNALED(status))
		return diag("after the run: %s: killed by signal %d",
			    job->program, WTERMSIG(status));
	return status ? -1 : 0;
}

static int print_samples(struct job *job)
{
	const struct sampling_view *view = &job->options->smpl;
	char module[32], top[32], threshold[32];
	char *words[WORDS_MAX] = { job->program, (char *)"classic" };
	int count = 2;

	if (lseek(job->file, 0, SEEK_SET))
		return diag("after the run: cannot read the samples: %s",
			    strerror(errno));
	snprintf(module, sizeof(module), "--module=%s",
		 sampling_module_name(view->module));
	words[count++] = module;
	count += add_text(words + count, "-i", "-");
	count += add_words(job, words + count, top, threshold);
	count += add_text(words + count, "--symbol-file", view->symbol_file);
	count += add_text(words + count, "--sysmap-file", view->sysmap_file);
	count += add_text(words + count, "--split",
			  job->split[0] ? job->split : NULL);
	words[count] = NULL;
	return run_program(job, words);
}

static int print_counts(struct job *job)
{
	const struct request *request = &job->options->request;
	struct presented presented;
	int ret = 0;

	if (!job->counts.stream)
		return 0;
	ret = present(&presented, &job->measurement);
	if (!ret && report_write(&presented.report, &request->style,
				 job->counts.stream))
		ret = diag("after the run: cannot write the counts: %s",
			   strerror(errno));
	present_free(&presented);
	return ret;
}

/* 0, or pfmon's exit status. */
static int run(struct job *job)
{
	const struct outcome *outcome = &job->measurement.outcome;
	int status = measure_request(&job->measurement, 1);

	if (status)
		return status;
	recording_end(&job->recording);
	if (writer_end(&job->recording.writer)) {
		diag("after the run: cannot keep the samples: %s; set TMPDIR",
		     strerror(errno));
		return STATUS_FAILED;
	}
	losses_tell(&job->recording);
	if (print_samples(job) || output_close(&job->samples, true) ||
	    print_counts(job) || output_close(&job->counts, true))
		return STATUS_FAILED;
	if (outcome->interrupted)
		return job->options->request.command ? STATUS_SIGNAL + SIGINT :
						       0;
	return measure_exit_status(outcome->wait_status);
}

int sample(struct options *options, char *const argv[])
{
	/* Static: too large for some stacks. */
	static struct job job = { .file = -1, .recording.epoll = -1 };
	int status = STATUS_FAILED;

	job.options = options;
	if (!prepare(&job, argv))
		status = options->request.check_only ? 0 : run(&job);
	output_close(&job.samples, false);
	output_close(&job.counts, false);
	measure_finish(&job.measurement);
	recording_close(&job.recording);
	if (job.file >= 0)
		close(job.file);
	return status;
}
