// SPDX-License-Identifier: GPL-2.0-only
/* What does not go together in a request, see words.h. */
#include <string.h>

#include "diag.h"
#include "engine/means.h"
#include "grammar/words.h"

static int refuse(const char *one, const char *other)
{
	return diag("%s and %s: both given; choose one", one, other);
}

static int check_targets(const struct request *request)
{
	bool attached = request_attaches(request);

	/* The classic command line counts the command. */
	if (request->command && attached)
		return refuse("a command", "-p or -t");
	if (request->system_wide && attached)
		return refuse("-a", "-p or -t");
	if (request->until && request->wait_all)
		return refuse("-p or -t with a command", "--wait-all");
	if (request->system_wide && request_follows(request))
		return refuse("-a", "--follow-*");
	if (!request->command && !attached && !request->system_wide)
		return diag(
			"no command; put it after the options, see pfmon %s%s--help",
			request->verb, *request->verb ? " " : "");
	if (request->pin_command && !request->system_wide)
		return diag("--pin-command: only with -C, whose CPUs it takes");
	return 0;
}

/* A means was named: something is to be followed, and can be by that. */
static int check_means(const struct request *request)
{
	const struct follow_rules *follow = &request->follow;
	const char *option = request->means == FOLLOW_KERNEL ?
				     "--follow=kernel" :
				     "--follow=ptrace";
	const char *obstacle;

	if (request->means == FOLLOW_AUTO)
		return 0;
	if (request->means == FOLLOW_NONE)
		return request_follows(request) || follow->only ||
				       follow->except ?
			       refuse("--follow=none", "--follow-*") :
			       0;
	if (request->system_wide)
		return refuse("-a", option);
	if (request->regions)
		return refuse("-m", option);
	if (request->threads && !request->processes)
		return diag(
			"-t and %s: these threads are counted alone; use -p",
			option);
	if (!request_follows(request))
		return refuse("-i", option);
	if (request->means == FOLLOW_PTRACE ||
	    !(request->command || request->processes))
		return 0;
	obstacle = means_obstacle(request);
	return obstacle ? diag("%s and %s", option, obstacle) : 0;
}

/* Who launches itself is traced by nobody. */
static int check_launch(const struct request *request)
{
	const struct follow_rules *follow = &request->follow;

	if (!request->launch)
		return 0;
	if (!request->command)
		return diag("--launch: needs a command");
	if (request->system_wide)
		return refuse("-a", "--launch");
	if (request->launch == LAUNCH_PTRACE)
		return 0;
	if (follow->only || follow->except)
		return refuse("--launch=self", "--follow-exec");
	if (request->means == FOLLOW_PTRACE)
		return refuse("--launch=self", "--follow=ptrace");
	/* Whether the kernel can follow is known when it is asked. */
	if (request_follows(request) && means_obstacle(request))
		return diag(
			"--launch=self: threads and children are followed by ptrace; %s",
			*request->verb ? "add -i" : "omit --follow-*");
	return 0;
}

/* Whoever begins on the way is traced up to there. */
static int check_start(const struct request *request)
{
	if (!request->start)
		return 0;
	if (!request->command)
		return diag("--start: needs a command, which comes there");
	if (request->system_wide)
		return refuse("-a", "--start");
	if (request->regions)
		return refuse("-m", "--start");
	if (request->launch == LAUNCH_SELF)
		return refuse("--launch=self", "--start");
	if (request->follow.only || request->follow.except)
		return refuse("--follow-exec", "--start");
	return request->dont_start ? refuse("--dont-start", "--start") : 0;
}

/* Whoever starts it has to have the session, as the command has. */
static int check_dont_start(const struct request *request)
{
	if (!request->dont_start)
		return 0;
	if (!request->command)
		return diag("--dont-start: needs a command, which starts");
	if (request->system_wide)
		return refuse("--dont-start", "-a");
	if (request_follows(request) || request->follow.only ||
	    request->follow.except)
		return refuse("--dont-start", "--follow-*");
	if (request->control)
		return refuse("--dont-start", "--control");
	if (request->delay_ns)
		return refuse("--dont-start", "--trigger-start-delay");
	return 0;
}

/* Of the command, when it has ended. */
static int check_show_time(const struct request *request)
{
	if (!request->style.times)
		return 0;
	if (request->threads || request->processes)
		return refuse("--show-time", "-p");
	if (request->system_wide)
		return refuse("--show-time", "-a");
	if (!request->command)
		return diag("--show-time: needs a command, whose time it is");
	if (request->style.format != REPORT_TABLE)
		return diag("--show-time: only with text; --json tells the "
			    "times anyway");
	if (request->interval_ns)
		return refuse("--show-time", "--print-interval");
	if (request->timeout_ns)
		return refuse("--show-time", "-t");
	if (request->repeat != 1)
		return refuse("--show-time", "-r");
	return 0;
}

static int check_times(const struct request *request)
{
	if (request->interval_count && !request->interval_ns)
		return diag("--interval-count: only with -I");
	if (request->interval_clear && !request->interval_ns)
		return diag("--interval-clear: only with -I");
	if (request->interval_clear && request->style.format != REPORT_TABLE &&
	    request->style.format != REPORT_STAT)
		return diag("--interval-clear: only with text, for people");
	if (request->interval_ns && request->timeout_ns &&
	    request->interval_ns >= request->timeout_ns)
		return diag(
			"-I and --timeout: the interval is not shorter than the whole");
	if (request->repeat != 1 && !request->command && !request->until)
		return diag("-r: needs a command that it can run again");
	if (request->repeat != 1 && request->interval_ns)
		return refuse("-r", "-I");
	if (request->repeat != 1 && request->control)
		return refuse("-r", "--control");
	if (request->wait_for_enable && !request->control)
		return diag("-D -1: only with --control, which begins");
	return 0;
}

static int check_rows(const struct request *request)
{
	if (request->grouping == GROUP_CPUS && !request->system_wide)
		return diag("-A: only with -a, whose CPUs it tells apart");
	if (request->grouping > GROUP_CPUS && !request->system_wide)
		return diag("--per-core, --per-die, --per-socket, --per-node: "
			    "only with -a, whose CPUs they sum up");
	if ((request->grouping == GROUP_THREADS ||
	     request->grouping == GROUP_PROCESSES) &&
	    request->system_wide)
		return refuse("-a", "--per-thread or --per-process");
	if (request->repeat != 1 && request->grouping != GROUP_ALL)
		return diag("-r: tells the whole only; without rows");
	return 0;
}

static int check_events(const struct request *request)
{
	if (request->groups && request->metrics)
		return refuse("-g", "-M");
	if (request->events && (request->groups || request->metrics))
		return refuse("-e", "-g or -M");
	if (request->detailed && (request->events || request->groups ||
				  request->metrics || request->null))
		return diag("-d: adds to the events that are counted if none "
			    "are named; without -e, -g, -M and --null");
	if (request->null && (request->groups || request->metrics))
		return refuse("--null", "-g or -M");
	if (request->no_merge && (request->groups || request->metrics))
		return refuse("--no-merge", "-g or -M");
	return 0;
}

/* The command counts itself, from its start to its end. */
static int check_regions(const struct request *request)
{
	if (!request->regions)
		return 0;
	if (!request->command)
		return diag("-m: needs a command, which marks regions");
	if (request->system_wide)
		return refuse("-m", "-a");
	if (request->null)
		return refuse("-m", "--null");
	if (request->groups || request->metrics)
		return refuse("-m", "-g or -M");
	if (request->repeat != 1)
		return refuse("-m", "-r");
	if (request->interval_ns || request->timeout_ns ||
	    request_waits(request) || request->control)
		return diag("-m: the whole command; without -I, --timeout, -D "
			    "and --control");
	if (request->wait_all || request->launch)
		return refuse("-m", "--wait-all or --launch");
	if (request->style.format == REPORT_SEPARATED || request->textfile)
		return diag("-m: not with -x and --textfile; use --json or "
			    "--csv");
	return 0;
}

static int check_sets(const struct request *request)
{
	if (request->switch_events && request->switch_ns)
		return refuse("--switch-events", "--switch-timeout");
	if (request->switch_events && request->reference &&
	    !strcmp(request->reference, "none"))
		return refuse("--switch-events", "--reference=none");
	return 0;
}

static int check_output(const struct request *request)
{
	const struct destination *destination = &request->destination;

	if (request->textfile && (destination->file || destination->fd >= 0))
		return refuse("--textfile", "-o or --log-fd");
	if (request->textfile && request->repeat != 1)
		return refuse("--textfile", "-r");
	if (request->textfile && (request->grouping == GROUP_THREADS ||
				  request->grouping == GROUP_PROCESSES))
		return diag("--textfile: without rows for threads; "
			    "each would be a series for ever");
	if (destination->file && destination->fd >= 0)
		return refuse("-o", "--log-fd");
	if (destination->append && !destination->file)
		return diag("--append: only with -o");
	return 0;
}

int words_conflicts(const struct request *request)
{
	return check_means(request) || check_targets(request) ||
			       check_launch(request) || check_times(request) ||
			       check_events(request) || check_rows(request) ||
			       check_sets(request) || check_start(request) ||
			       check_dont_start(request) ||
			       check_show_time(request) ||
			       check_output(request) || check_regions(request) ?
		       -1 :
		       0;
}
