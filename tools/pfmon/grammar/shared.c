// SPDX-License-Identifier: GPL-2.0-only
/* The options that mean the same in both grammars, see shared.h. */
#include "grammar/shared.h"

#include <string.h>

#include "diag.h"
#include "engine/means.h"
#include "events/event.h"
#include "grammar/words.h"

const struct option shared_options[] = {
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "control", required_argument, NULL, OPT_CONTROL },
	{ "cpu-list", required_argument, NULL, 'C' },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "eu-counter-format", no_argument, NULL, OPT_POINT },
	{ "events", required_argument, NULL, 'e' },
	{ "follow", required_argument, NULL, OPT_FOLLOW },
	{ "help", no_argument, NULL, 'h' },
	{ "hex-counter-format", no_argument, NULL, OPT_HEX },
	{ "interval-clear", no_argument, NULL, OPT_INTERVAL_CLEAR },
	{ "interval-count", required_argument, NULL, OPT_INTERVAL_COUNT },
	{ "json", no_argument, NULL, 'j' },
	{ "json-strings", no_argument, NULL, OPT_JSON_STRINGS },
	{ "launch", required_argument, NULL, OPT_LAUNCH },
	{ "log-fd", required_argument, NULL, OPT_LOG_FD },
	{ "outfile", required_argument, NULL, 'o' },
	{ "pin-command", no_argument, NULL, OPT_PIN },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "reference", required_argument, NULL, OPT_REFERENCE },
	{ "repeat", required_argument, NULL, 'r' },
	{ "start", required_argument, NULL, OPT_START },
	{ "switch-events", required_argument, NULL, OPT_SWITCH_EVENTS },
	{ "switch-timeout", required_argument, NULL, OPT_SWITCH_TIMEOUT },
	{ "system-wide", no_argument, NULL, 'a' },
	{ "textfile", required_argument, NULL, OPT_TEXTFILE },
	{ "us-counter-format", no_argument, NULL, OPT_COMMA },
	{ "verbose", no_argument, NULL, 'v' },
	{ "wait-all", no_argument, NULL, OPT_WAIT_ALL },
	{ NULL, 0, NULL, 0 },
};

void shared_defaults(struct request *request, const char *verb)
{
	*request = (struct request){
		.verb = verb,
		.repeat = 1,
		.destination = { .fd = -1 },
		.style = { .format = REPORT_TABLE, .first = true },
	};
}

void shared_follow_all(struct request *request)
{
	struct follow_rules *rules = &request->follow;

	rules->forks = rules->vforks = rules->threads = true;
}

void shared_verb_defaults(struct request *request, const char *verb)
{
	shared_defaults(request, verb);
	shared_follow_all(request);
}

void shared_command(struct request *request, char **command)
{
	if (request_attaches(request))
		request->until = command;
	else
		request->command = command;
}

static int take_log_fd(struct request *request, const char *text)
{
	unsigned int fd;

	if (words_number(text, "--log-fd", 0, 65535, &fd))
		return -1;
	request->destination.fd = (int)fd;
	return 0;
}

/* How sets take turns. */
static int take_turns(struct request *request, int opt)
{
	unsigned int events;

	switch (opt) {
	case OPT_REFERENCE:
		request->reference = optarg;
		break;
	case OPT_SWITCH_EVENTS:
		if (words_number(optarg, "--switch-events", 1000, 2000000000,
				 &events))
			return -1;
		request->switch_events = events;
		break;
	case OPT_SWITCH_TIMEOUT:
		return words_milliseconds(optarg, "--switch-timeout",
					  &request->switch_ns);
	default:
		return 1;
	}
	return 0;
}

static int take_launch(struct request *request, const char *means)
{
	static const char *const names[] = { "auto", "ptrace", "self" };

	for (int i = LAUNCH_AUTO; i <= LAUNCH_SELF; i++) {
		if (!strcmp(means, names[i])) {
			request->launch = (enum launch_means)i;
			return 0;
		}
	}
	return diag("--launch=%s: must be auto, ptrace or self", means);
}

static int take_means(struct request *request, const char *means)
{
	for (int i = FOLLOW_AUTO; i <= FOLLOW_NONE; i++) {
		if (!strcmp(means, means_name((enum follow_means)i))) {
			request->means = (enum follow_means)i;
			return 0;
		}
	}
	return diag("--follow=%s: must be auto, kernel, ptrace or none", means);
}

static int take_start(struct request *request, const char *where)
{
	if (!*where)
		return diag("--start=: must be exec, entry or a function");
	request->start = strcmp(where, "exec") != 0 ? where : NULL;
	return 0;
}

/* Of whom, how often. */
static int take_target(struct request *request, int opt)
{
	switch (opt) {
	case 'a':
		request->system_wide = true;
		break;
	case 'C':
		request->cpus = optarg;
		request->system_wide = true;
		break;
	case 'r':
		return words_number(optarg, "-r", 0, REPEAT_MAX,
				    &request->repeat);
	case OPT_INTERVAL_CLEAR:
		request->interval_clear = true;
		break;
	case OPT_INTERVAL_COUNT:
		return words_number(optarg, "--interval-count", 1, 1000000,
				    &request->interval_count);
	case OPT_FOLLOW:
		return take_means(request, optarg);
	case OPT_LAUNCH:
		return take_launch(request, optarg);
	case OPT_START:
		return take_start(request, optarg);
	case OPT_PIN:
		request->pin_command = true;
		break;
	case OPT_PMU:
		request->pmu = optarg;
		break;
	case OPT_CONTROL:
		request->control = optarg;
		break;
	case OPT_WAIT_ALL:
		request->wait_all = true;
		break;
	default:
		return take_turns(request, opt);
	}
	return 0;
}

/* Where the report goes. */
static int take_destination(struct request *request, int opt)
{
	switch (opt) {
	case 'o':
		request->destination.file = optarg;
		break;
	case OPT_TEXTFILE:
		request->textfile = optarg;
		return words_format(request, REPORT_TEXTFILE);
	case OPT_APPEND:
		request->destination.append = true;
		break;
	case OPT_LOG_FD:
		return take_log_fd(request, optarg);
	default:
		return take_target(request, opt);
	}
	return 0;
}

int shared_take(struct request *request, int opt)
{
	struct report_style *style = &request->style;

	switch (opt) {
	case 'B':
	case OPT_COMMA:
		style->digits = DIGITS_COMMA;
		break;
	case OPT_POINT:
		style->digits = DIGITS_POINT;
		break;
	case OPT_HEX:
		style->digits = DIGITS_HEX;
		break;
	case 'j':
		return words_format(request, REPORT_JSON);
	case OPT_JSON_STRINGS:
		style->strings = true;
		return words_format(request, REPORT_JSON);
	case OPT_CSV:
		return words_format(request, REPORT_CSV);
	case 'x':
		if (!*optarg)
			return diag("-x: the separator is empty");
		style->separator = strcmp(optarg, "\\t") ? optarg : "\t";
		return words_format(request, REPORT_SEPARATED);
	case 'v':
		request->verbose = true;
		break;
	default:
		return take_destination(request, opt);
	}
	return 0;
}

void shared_settle(struct request *request)
{
	if (!request->levels)
		request->levels = LEVEL_USER;
	request->style.timed = request->interval_ns;
	request->style.lines = request->interval_ns || request->repeat != 1;
	request->cumulative = request->textfile;
}

int shared_settle_cgroup(struct request *request)
{
	if (!request->cgroup)
		return 0;
	if (request->processes || request->threads)
		return diag(
			"-G: counts the processes of a cgroup; without -p and -t");
	if (strchr(request->cgroup, ','))
		return diag("-G %s: counts one cgroup; run pfmon for each",
			    request->cgroup);
	request->processes = request->cgroup;
	request->system_wide = false;
	return 0;
}

void shared_settle_verb(struct request *request)
{
	bool inherits = request->follow.forks;

	shared_settle(request);
	/* CPUs run whatever there is; threads that are named are meant alone. */
	if (request->system_wide || (request->threads && !request->processes) ||
	    request->means == FOLLOW_NONE)
		request->follow = (struct follow_rules){ 0 };
	if (request->system_wide)
		return;
	if (!inherits)
		request->advice = "omit -i";
	else if (request->means == FOLLOW_NONE)
		request->advice = "omit --follow=none";
}
