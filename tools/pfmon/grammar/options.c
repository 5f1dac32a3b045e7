// SPDX-License-Identifier: GPL-2.0-only
/* The classic command line of pfmon, see options.h and pfmon(1). */
#include "grammar/options.h"

#include <getopt.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "events/pattern.h"
#include "grammar/later.h"
#include "grammar/masks.h"
#include "grammar/sampling.h"
#include "grammar/shared.h"
#include "grammar/words.h"

enum {
	OPT_AGGREGATE = OPT_OWN,
	OPT_CHECK_EVENTS,
	OPT_DONT_START,
	OPT_FOLLOW_FORK,
	OPT_FOLLOW_VFORK,
	OPT_FOLLOW_PTHREAD,
	OPT_FOLLOW_EXEC,
	OPT_FOLLOW_EXCEPT,
	OPT_FOLLOW_ALL,
	OPT_HEADER,
	OPT_HELP_CLASSIC,
	OPT_INTERVAL,
	OPT_NO_OUTPUT,
	OPT_PER_CPU,
	OPT_NO_UNALIGNED,
	OPT_SELF_TEST,
	OPT_SHOW_TIME,
	OPT_CPUS,
	OPT_START_DELAY,
};

static const struct option long_options[] = {
	{ "aggregate-results", no_argument, NULL, OPT_AGGREGATE },
	{ "attach-task", required_argument, NULL, 'p' },
	{ "check-events-only", no_argument, NULL, OPT_CHECK_EVENTS },
	{ "cpus", required_argument, NULL, OPT_CPUS },
	{ "counter-mask", required_argument, NULL, OPT_COUNTER_MASK },
	{ "debug", no_argument, NULL, 'v' },
	{ "dont-start", no_argument, NULL, OPT_DONT_START },
	{ "edge-mask", required_argument, NULL, OPT_EDGE_MASK },
	{ "event-info", required_argument, NULL, 'i' },
	{ "follow-all", no_argument, NULL, OPT_FOLLOW_ALL },
	{ "follow-exec", optional_argument, NULL, OPT_FOLLOW_EXEC },
	{ "follow-exec-exclude", required_argument, NULL, OPT_FOLLOW_EXCEPT },
	{ "follow-fork", no_argument, NULL, OPT_FOLLOW_FORK },
	{ "follow-pthread", no_argument, NULL, OPT_FOLLOW_PTHREAD },
	{ "follow-vfork", no_argument, NULL, OPT_FOLLOW_VFORK },
	{ "guest-mask", required_argument, NULL, OPT_GUEST_MASK },
	{ "help-classic", no_argument, NULL, OPT_HELP_CLASSIC },
	{ "host-mask", required_argument, NULL, OPT_HOST_MASK },
	{ "info", no_argument, NULL, 'I' },
	{ "inv-mask", required_argument, NULL, OPT_INV_MASK },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "list-events", optional_argument, NULL, 'l' },
	{ "list-pmus", no_argument, NULL, 'I' },
	{ "long-show-events", optional_argument, NULL, 'l' },
	{ "no-cmd-output", no_argument, NULL, OPT_NO_OUTPUT },
	{ "no-una-detect", no_argument, NULL, OPT_NO_UNALIGNED },
	{ "per-cpu", no_argument, NULL, OPT_PER_CPU },
	{ "print-interval", required_argument, NULL, OPT_INTERVAL },
	{ "priv-levels", required_argument, NULL, OPT_PRIV_LEVELS },
	{ "self-test", optional_argument, NULL, OPT_SELF_TEST },
	{ "session-timeout", required_argument, NULL, 't' },
	{ "show-events", optional_argument, NULL, 'l' },
	{ "show-time", no_argument, NULL, OPT_SHOW_TIME },
	{ "smpl-module-info", required_argument, NULL, 'S' },
	{ "trigger-start-delay", required_argument, NULL, OPT_START_DELAY },
	{ "user-level", no_argument, NULL, 'u' },
	{ "version", no_argument, NULL, 'V' },
	{ "with-header", no_argument, NULL, OPT_HEADER },
	{ NULL, 0, NULL, 0 },
};

/* "+": options end at the command; ":": a missing argument is its own error. */
static const char short_options[] = "+:0123aBC:e:hi:IjkL::l::o:p:r:S:t:uvVx:";

/* Fills *compiled and points *used at it, which says whether it was filled before. */
static int program_pattern(const char *text, const char *option,
			   const regex_t **used, regex_t *compiled)
{
	const char *wrong;

	if (*used)
		return diag(
			"%s is given twice; one pattern can have several, as in a|b",
			option);
	wrong = pattern_compile(text, compiled);
	if (wrong)
		return diag("%s=%s: %s", option, text, wrong);
	*used = compiled;
	return 0;
}

static int follow_exec(struct options *opts, const char *pattern)
{
	if (!pattern)
		return 0;
	return program_pattern(pattern, "--follow-exec",
			       &opts->request.follow.only, &opts->only);
}

static int follow_except(struct options *opts, const char *pattern)
{
	return program_pattern(pattern, "--follow-exec-exclude",
			       &opts->request.follow.except, &opts->except);
}

/* Whom to follow. */
static int take_follow(struct options *opts, int opt)
{
	struct follow_rules *rules = &opts->request.follow;

	switch (opt) {
	case OPT_FOLLOW_ALL:
		shared_follow_all(&opts->request);
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
	case OPT_START_DELAY:
		return words_seconds(optarg, "--trigger-start-delay",
				     &request->delay_ns);
	case OPT_INTERVAL:
		return words_milliseconds(optarg, "--print-interval",
					  &request->interval_ns);
	case OPT_DONT_START:
		request->dont_start = true;
		break;
	default:
		return take_follow(opts, opt);
	}
	return 0;
}

/* What is counted, of whom, and what is told of it. */
static int take_target(struct options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'e':
		/* Each list is a set. */
		return words_add_events(request, optarg, ";");
	case 'u':
	case '3':
		request->levels |= LEVEL_USER;
		break;
	case 'k':
	case '0':
		request->levels |= LEVEL_KERNEL;
		break;
	case 'p':
		request->threads = optarg;
		break;
	case OPT_AGGREGATE:
		opts->aggregate = true;
		break;
	case OPT_PER_CPU:
		opts->per_cpu = true;
		break;
	case OPT_HEADER:
		request->style.header = true;
		break;
	case OPT_CHECK_EVENTS:
		request->check_only = true;
		break;
	case OPT_NO_OUTPUT:
		request->no_output = true;
		break;
	case OPT_SHOW_TIME:
		request->style.times = true;
		break;
	default:
		return take_times(opts, opt);
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
	else if (!strcmp(extent, "hotplug"))
		opts->hotplug = true;
	else
		return diag("--self-test=%s: must be quick, full or hotplug",
			    extent);
	return 0;
}

static int take_option(struct options *opts, int opt)
{
	int ret;

	if (later_is(opt, later_classic))
		return later_refuse(opt, later_classic);
	ret = sampling_take(&opts->smpl, &opts->request.samples, opt);
	if (ret <= 0)
		return ret;
	if (masks_is(opt))
		return masks_take(&opts->request, opt, optarg);
	ret = shared_take(&opts->request, opt);
	if (ret <= 0)
		return ret;
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
	case 'S':
		opts->action = ACTION_DESCRIBE_MODULE;
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
	case OPT_HELP_CLASSIC:
		opts->action = ACTION_HELP_CLASSIC;
		break;
	default:
		return take_target(opts, opt);
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

/* Who names a means wants all to be followed, unless some are named, too. */
static void settle_means(struct options *opts)
{
	struct request *request = &opts->request;

	if ((request->means == FOLLOW_KERNEL ||
	     request->means == FOLLOW_PTRACE) &&
	    !request_follows(request))
		shared_follow_all(request);
	/* It knows one sum. */
	if (request->means == FOLLOW_KERNEL)
		opts->aggregate = true;
}

/* What one option means depends on others. */
static void settle(struct options *opts)
{
	struct request *request = &opts->request;

	shared_settle(request);
	settle_means(opts);
	if (request->threads && request_follows(request)) {
		request->processes = request->threads;
		request->threads = NULL;
	}
	if (request->style.format == REPORT_SEPARATED ||
	    (request->textfile && !opts->per_cpu))
		opts->aggregate = true;
	if (!opts->aggregate && request->system_wide)
		request->grouping = GROUP_CPUS;
	else if (!opts->aggregate && (request_follows(request)))
		request->grouping = GROUP_THREADS;
	if (request->repeat != 1)
		request->grouping = GROUP_ALL;
	if (!request->system_wide)
		request->advice = "use --follow-all";
}

/* What follows the options: the pattern of -l, or the command. */
static int take_operands(struct options *opts, int argc, char **argv)
{
	int operands = argc - optind;

	switch (opts->action) {
	case ACTION_COUNT:
		opts->request.command = operands ? argv + optind : NULL;
		if (sampling_settle(&opts->smpl, &opts->request))
			return -1;
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
		return diag("%s: not expected here; see pfmon --help-classic",
			    argv[optind]);
	return 0;
}

/* Those of samples are the grammar's own, too. */
static void join_options(struct option own[LATER_OPTIONS_MAX])
{
	const size_t count = sizeof(long_options) / sizeof(long_options[0]) - 1;

	memcpy(own, long_options, sizeof(long_options));
	own += count;
	for (const struct option *row = sampling_options; row->name; row++)
		*own++ = *row;
	*own = (struct option){ 0 };
}

int options_parse(struct options *opts, int argc, char **argv)
{
	static struct option own[LATER_OPTIONS_MAX], all[LATER_OPTIONS_MAX];
	int opt;

	*opts = (struct options){ .action = ACTION_COUNT };
	shared_defaults(&opts->request, "");
	join_options(own);
	later_join(all, own, later_classic);
	words_begin("");
	while ((opt = words_next(argc, argv, short_options, all)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (take_option(opts, opt))
			return -1;
		/* --help works beside any other error. */
		if (opts->action == ACTION_HELP ||
		    opts->action == ACTION_HELP_CLASSIC)
			return 0;
	}
	if (check_combination(opts))
		return -1;
	settle(opts);
	return take_operands(opts, argc, argv);
}
