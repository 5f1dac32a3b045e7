// SPDX-License-Identifier: GPL-2.0-only
/* The classic command line of pfmon, see options.h and pfmon(1). */
#include "grammar/options.h"

#include <getopt.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "grammar/later.h"
#include "grammar/words.h"

enum {
	OPT_JSON = 256,
	OPT_CSV,
	OPT_PMU,
	OPT_AGGREGATE,
	OPT_APPEND,
	OPT_CHECK_EVENTS,
	OPT_COMMA,
	OPT_POINT,
	OPT_HEX,
	OPT_FOLLOW_FORK,
	OPT_FOLLOW_VFORK,
	OPT_FOLLOW_PTHREAD,
	OPT_FOLLOW_EXEC,
	OPT_FOLLOW_EXCEPT,
	OPT_FOLLOW_ALL,
	OPT_HEADER,
	OPT_INTERVAL,
	OPT_INTERVAL_COUNT,
	OPT_LOG_FD,
	OPT_NO_OUTPUT,
	OPT_NO_UNALIGNED,
	OPT_PIN,
	OPT_SELF_TEST,
	OPT_CPUS,
	OPT_WAIT_ALL,
};

static const struct option long_options[] = {
	{ "aggregate-results", no_argument, NULL, OPT_AGGREGATE },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "attach-task", required_argument, NULL, 'p' },
	{ "check-events-only", no_argument, NULL, OPT_CHECK_EVENTS },
	{ "cpu-list", required_argument, NULL, 'C' },
	{ "cpus", required_argument, NULL, OPT_CPUS },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "debug", no_argument, NULL, 'v' },
	{ "eu-counter-format", no_argument, NULL, OPT_POINT },
	{ "event-info", required_argument, NULL, 'i' },
	{ "events", required_argument, NULL, 'e' },
	{ "follow-all", no_argument, NULL, OPT_FOLLOW_ALL },
	{ "follow-exec", optional_argument, NULL, OPT_FOLLOW_EXEC },
	{ "follow-exec-exclude", required_argument, NULL, OPT_FOLLOW_EXCEPT },
	{ "follow-fork", no_argument, NULL, OPT_FOLLOW_FORK },
	{ "follow-pthread", no_argument, NULL, OPT_FOLLOW_PTHREAD },
	{ "follow-vfork", no_argument, NULL, OPT_FOLLOW_VFORK },
	{ "help", no_argument, NULL, 'h' },
	{ "hex-counter-format", no_argument, NULL, OPT_HEX },
	{ "info", no_argument, NULL, 'I' },
	{ "interval-count", required_argument, NULL, OPT_INTERVAL_COUNT },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "list-events", optional_argument, NULL, 'l' },
	{ "list-pmus", no_argument, NULL, 'I' },
	{ "log-fd", required_argument, NULL, OPT_LOG_FD },
	{ "long-show-events", optional_argument, NULL, 'l' },
	{ "no-cmd-output", no_argument, NULL, OPT_NO_OUTPUT },
	{ "no-una-detect", no_argument, NULL, OPT_NO_UNALIGNED },
	{ "outfile", required_argument, NULL, 'o' },
	{ "pin-command", no_argument, NULL, OPT_PIN },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "print-interval", required_argument, NULL, OPT_INTERVAL },
	{ "repeat", required_argument, NULL, 'r' },
	{ "self-test", optional_argument, NULL, OPT_SELF_TEST },
	{ "session-timeout", required_argument, NULL, 't' },
	{ "show-events", optional_argument, NULL, 'l' },
	{ "system-wide", no_argument, NULL, 'a' },
	{ "us-counter-format", no_argument, NULL, OPT_COMMA },
	{ "user-level", no_argument, NULL, 'u' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ "wait-all", no_argument, NULL, OPT_WAIT_ALL },
	{ "with-header", no_argument, NULL, OPT_HEADER },
	{ NULL, 0, NULL, 0 },
};

/* "+": options end at the command; ":": a missing argument is its own error. */
static const char short_options[] = "+:0123aBC:e:hi:IjkL::l::o:p:r:S:t:uvVx:";

static int set_events(struct request *request, const char *list)
{
	if (request->events)
		return diag(
			"-e: given twice; put all events into one list, separated by commas");
	request->events = list;
	return 0;
}

static int follow_exec(struct options *opts, const char *pattern)
{
	if (!pattern)
		return 0;
	opts->request.follow.only = &opts->only;
	return words_pattern(pattern, "--follow-exec", &opts->only);
}

static int follow_except(struct options *opts, const char *pattern)
{
	opts->request.follow.except = &opts->except;
	return words_pattern(pattern, "--follow-exec-exclude", &opts->except);
}

static void follow_all(struct follow_rules *rules)
{
	rules->forks = rules->vforks = rules->threads = true;
}

/* Whom to follow. */
static int take_follow(struct options *opts, int opt)
{
	struct follow_rules *rules = &opts->request.follow;

	switch (opt) {
	case OPT_FOLLOW_ALL:
		follow_all(rules);
		break;
	case OPT_FOLLOW_FORK:
		rules->forks = true;
		break;
	case OPT_FOLLOW_VFORK:
		rules->vforks = true;
		break;
	case OPT_FOLLOW_PTHREAD:
		rules->threads = true;
		break;
	case OPT_FOLLOW_EXEC:
		return follow_exec(opts, optarg);
	case OPT_FOLLOW_EXCEPT:
		return follow_except(opts, optarg);
	}
	return 0;
}

/* How long, and how often. */
static int take_times(struct options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 't':
		return words_seconds(optarg, "-t", &request->timeout_ns);
	case 'r':
		return words_number(optarg, "-r", 0, REPEAT_MAX,
				    &request->repeat);
	case OPT_INTERVAL:
		return words_milliseconds(optarg, "--print-interval",
					  &request->interval_ns);
	case OPT_INTERVAL_COUNT:
		return words_number(optarg, "--interval-count", 1, 1000000,
				    &request->interval_count);
	default:
		return take_follow(opts, opt);
	}
}

/* What is counted, and of whom. */
static int take_target(struct options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'e':
		return set_events(request, optarg);
	case 'u':
	case '3':
		request->levels |= LEVEL_USER;
		break;
	case 'k':
	case '0':
		request->levels |= LEVEL_KERNEL;
		break;
	case OPT_PMU:
		request->pmu = optarg;
		break;
	case 'p':
		request->threads = optarg;
		break;
	case 'C':
		request->cpus = optarg;
		request->system_wide = true;
		break;
	case 'a':
		request->system_wide = true;
		break;
	case OPT_CHECK_EVENTS:
		request->check_only = true;
		break;
	case OPT_NO_OUTPUT:
		request->no_output = true;
		break;
	case OPT_PIN:
		request->pin_command = true;
		break;
	case OPT_WAIT_ALL:
		request->wait_all = true;
		break;
	default:
		return take_times(opts, opt);
	}
	return 0;
}

/* Where the report goes, and how it looks. */
static int take_output(struct options *opts, int opt)
{
	struct request *request = &opts->request;
	unsigned int fd;

	switch (opt) {
	case 'o':
		request->destination.file = optarg;
		break;
	case OPT_APPEND:
		request->destination.append = true;
		break;
	case OPT_LOG_FD:
		if (words_number(optarg, "--log-fd", 0, 65535, &fd))
			return -1;
		request->destination.fd = (int)fd;
		break;
	case OPT_AGGREGATE:
		opts->aggregate = true;
		break;
	case OPT_HEADER:
		request->style.header = true;
		break;
	case 'B':
	case OPT_COMMA:
		request->style.digits = DIGITS_COMMA;
		break;
	case OPT_POINT:
		request->style.digits = DIGITS_POINT;
		break;
	case OPT_HEX:
		request->style.digits = DIGITS_HEX;
		break;
	case 'j':
	case OPT_JSON:
		return words_format(request, REPORT_JSON);
	case OPT_CSV:
		return words_format(request, REPORT_CSV);
	case 'x':
		request->style.separator = optarg;
		return words_format(request, REPORT_SEPARATED);
	case 'v':
		request->verbose = true;
		break;
	default:
		return take_target(opts, opt);
	}
	return 0;
}

static int set_self_test(struct options *opts, const char *extent)
{
	opts->action = ACTION_SELF_TEST;
	if (!extent || !strcmp(extent, "quick"))
		opts->full = false;
	else if (!strcmp(extent, "full"))
		opts->full = true;
	else
		return diag("--self-test=%s: must be quick or full", extent);
	return 0;
}

static int take_option(struct options *opts, int opt)
{
	if (later_is(opt, later_classic))
		return later_refuse(opt, later_classic);
	switch (opt) {
	case 'l':
	case 'L':
		opts->action = ACTION_LIST_EVENTS;
		opts->pattern = optarg;
		break;
	case 'i':
		opts->action = ACTION_DESCRIBE_EVENT;
		opts->pattern = optarg;
		break;
	case 'I':
		opts->action = ACTION_LIST_PMUS;
		break;
	case OPT_SELF_TEST:
		return set_self_test(opts, optarg);
	case OPT_CPUS:
		opts->cpus = optarg;
		break;
	case 'V':
		opts->action = ACTION_VERSION;
		break;
	case 'h':
		opts->action = ACTION_HELP;
		break;
	default:
		return take_output(opts, opt);
	}
	return 0;
}

/* Options of one action are no use to another. */
static int check_combination(const struct options *opts)
{
	const struct request *request = &opts->request;

	if (opts->action != ACTION_SELF_TEST)
		return opts->cpus ? diag("--cpus: only with --self-test") : 0;
	if (request->events)
		return diag(
			"-e: not with --self-test, which has its own events");
	if (request->levels)
		return diag("-u, -k: not with --self-test, which tests both");
	if (request->style.format == REPORT_CSV)
		return diag("--csv: not with --self-test; its report is JSON");
	return 0;
}

/* What one option means depends on others. */
static void settle(struct options *opts)
{
	struct request *request = &opts->request;

	if (!request->levels)
		request->levels = LEVEL_USER;
	if (request->threads && request_follows(request)) {
		request->processes = request->threads;
		request->threads = NULL;
	}
	if (request->style.format == REPORT_SEPARATED)
		opts->aggregate = true;
	if (!opts->aggregate && request->system_wide)
		request->grouping = GROUP_CPUS;
	else if (!opts->aggregate && (request_follows(request)))
		request->grouping = GROUP_THREADS;
	if (request->repeat != 1)
		request->grouping = GROUP_ALL;
	if (!request->system_wide)
		request->advice = "use --follow-all";
	request->style.timed = request->interval_ns;
	request->style.lines = request->interval_ns || request->repeat != 1;
}

/* What follows the options: the pattern of -l, or the command. */
static int take_operands(struct options *opts, int argc, char **argv)
{
	int operands = argc - optind;

	switch (opts->action) {
	case ACTION_COUNT:
		opts->request.command = operands ? argv + optind : NULL;
		if (opts->request.check_only)
			return 0;
		return words_conflicts(&opts->request);
	case ACTION_LIST_EVENTS:
		if (operands && !opts->pattern) {
			opts->pattern = argv[optind++];
			operands--;
		}
		break;
	default:
		break;
	}
	if (operands)
		return diag("%s: not expected here; see pfmon --help",
			    argv[optind]);
	return 0;
}

int options_parse(struct options *opts, int argc, char **argv)
{
	static struct option all[LATER_OPTIONS_MAX];
	int opt;

	*opts = (struct options){ .action = ACTION_COUNT };
	words_defaults(&opts->request, "");
	later_join(all, long_options, later_classic);
	opterr = 0;
	optind = 0;
	while ((opt = getopt_long(argc, argv, short_options, all, NULL)) >= 0) {
		if (opt == '?' || opt == ':')
			return words_bad_option(opt, argv[optind - 1], all);
		if (take_option(opts, opt))
			return -1;
		/* --help works beside any other error. */
		if (opts->action == ACTION_HELP)
			return 0;
	}
	if (check_combination(opts))
		return -1;
	settle(opts);
	return take_operands(opts, argc, argv);
}
