// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon: counts and samples hardware events of commands, of what runs, and of CPUs.
 *
 * This file chooses the verb; each step of the work has a room: grammar (command
 * lines become requests), events (names and values), names (that libpfm lacks),
 * registers (who counts what), command (starts the command), engine (executes
 * requests), regions (parts of programs), record (samples on their way into a file),
 * profile (that file), results, metrics and report (what is printed), verbs (the order
 * of it), selftest.
 * Programs of their own read the file: symbols, views, export; and show what goes
 * on: top.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "events/tables.h"
#include "grammar/options.h"
#include "grammar/stat.h"
#include "selftest/selftest.h"
#include "verbs/check.h"
#include "verbs/count.h"
#include "verbs/diff.h"
#include "verbs/list.h"
#include "verbs/merge.h"
#include "verbs/profile.h"
#include "verbs/record.h"
#include "verbs/regions.h"
#include "verbs/sample.h"

static int list(const struct options *opts)
{
	int ret = tables_init(opts->request.pmu);

	if (!ret && opts->action == ACTION_LIST_PMUS)
		ret = tables_list_pmus(stdout);
	else if (!ret && opts->action == ACTION_DESCRIBE_EVENT)
		ret = list_describe(opts->pattern, stdout);
	else if (!ret)
		ret = tables_list_events(opts->pattern, stdout);
	if (!ret && fflush(stdout))
		ret = diag("cannot write the list: %s", strerror(errno));
	return ret ? STATUS_FAILED : 0;
}

static int self_test(const struct options *opts)
{
	struct selftest_options self = {
		.full = opts->full,
		.hotplug = opts->hotplug,
		.cpus = opts->cpus,
		.outfile = opts->request.destination.file,
		.pmu = opts->request.pmu,
	};

	return selftest_run(&self);
}

static int describe_module(const struct options *opts)
{
	if (sampling_describe(opts->pattern, stdout))
		return STATUS_FAILED;
	if (!fflush(stdout))
		return 0;
	diag("cannot write: %s", strerror(errno));
	return STATUS_FAILED;
}

static int classic(int argc, char **argv)
{
	static struct options opts;

	if (options_parse(&opts, argc, argv))
		return STATUS_FAILED;
	switch (opts.action) {
	case ACTION_HELP:
		options_help(stdout);
		return 0;
	case ACTION_HELP_CLASSIC:
		options_usage(stdout);
		return 0;
	case ACTION_VERSION:
		puts("pfmon " PFMON_VERSION " (perfmon v3.0)");
		return opts.request.verbose ? profile_libraries() : 0;
	case ACTION_LIST_EVENTS:
	case ACTION_LIST_PMUS:
	case ACTION_DESCRIBE_EVENT:
		return list(&opts);
	case ACTION_DESCRIBE_MODULE:
		return describe_module(&opts);
	case ACTION_SELF_TEST:
		return self_test(&opts);
	case ACTION_COUNT:
		break;
	}
	return opts.request.samples.wanted ? sample(&opts, argv) :
					     count(&opts.request);
}

static int verb_stat(int argc, char **argv)
{
	static struct stat_options opts;

	if (stat_parse(&opts, argc, argv))
		return STATUS_FAILED;
	if (opts.help) {
		stat_usage(stdout);
		return 0;
	}
	return opts.request.regions ? count_regions(&opts.request) :
				      count(&opts.request);
}

/* A word is a verb only where it is the first. */
static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "annotate", verb_profile }, { "check", verb_check },
	{ "diff", verb_diff },	      { "export", verb_profile },
	{ "list", verb_list },	      { "merge", verb_merge },
	{ "record", verb_record },    { "report", verb_profile },
	{ "script", verb_profile },   { "stat", verb_stat },
	{ "top", verb_top },
};

/*
 * What is closed must not be what pfmon opens next: it takes the number so that
 * nobody can write to it, and the command finds it closed.
 */
static void keep_standard_numbers(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			return;
	}
}

int main(int argc, char **argv)
{
	keep_standard_numbers();
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]);
	     i++) {
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	}
	return classic(argc, argv);
}
