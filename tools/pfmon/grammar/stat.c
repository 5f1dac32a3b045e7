// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon stat, see stat.h and pfmon(1). */
#include "grammar/stat.h"

#include <getopt.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "grammar/later.h"
#include "grammar/shared.h"
#include "grammar/words.h"

enum {
	OPT_ALL_USER = OPT_OWN,
	OPT_ALL_KERNEL,
	OPT_NO_BIG_NUM,
	OPT_NO_MERGE,
	OPT_PER_CORE,
	OPT_PER_DIE,
	OPT_PER_NODE,
	OPT_PER_PROCESS,
	OPT_PER_SOCKET,
	OPT_PER_THREAD,
	OPT_TIMEOUT,
	OPT_TOPDOWN,
};

static const struct option long_options[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "all-kernel", no_argument, NULL, OPT_ALL_KERNEL },
	{ "all-user", no_argument, NULL, OPT_ALL_USER },
	{ "big-num", no_argument, NULL, 'B' },
	{ "cgroup", required_argument, NULL, 'G' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "detailed", no_argument, NULL, 'd' },
	{ "delay", required_argument, NULL, 'D' },
	{ "event", required_argument, NULL, 'e' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "group", required_argument, NULL, 'g' },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "mark", no_argument, NULL, 'm' },
	{ "metrics", required_argument, NULL, 'M' },
	{ "no-aggr", no_argument, NULL, 'A' },
	{ "no-big-num", no_argument, NULL, OPT_NO_BIG_NUM },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "no-merge", no_argument, NULL, OPT_NO_MERGE },
	{ "null", no_argument, NULL, 'n' },
	{ "output", required_argument, NULL, 'o' },
	{ "per-core", no_argument, NULL, OPT_PER_CORE },
	{ "per-cpu", no_argument, NULL, 'A' },
	{ "per-die", no_argument, NULL, OPT_PER_DIE },
	{ "per-node", no_argument, NULL, OPT_PER_NODE },
	{ "per-process", no_argument, NULL, OPT_PER_PROCESS },
	{ "per-socket", no_argument, NULL, OPT_PER_SOCKET },
	{ "per-thread", no_argument, NULL, OPT_PER_THREAD },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "topdown", no_argument, NULL, OPT_TOPDOWN },
	{ NULL, 0, NULL, 0 },
};

/* As in options.c: "+" ends at the command, ":" tells a missing argument. */
static const char short_options[] = "+:aAb:BC:dD:e:g:G:hI:ijmM:no:p:r:t:Tvx:";

static const char usage[] =
	"usage: pfmon stat [OPTION...] [--] COMMAND [ARG...]\n"
	"       pfmon stat [OPTION...] -p PID[,PID...] | -t TID[,TID...] | -a [COMMAND]\n"
	"\n"
	"Counts hardware events of COMMAND with all its threads and children, of\n"
	"processes that run already, or of CPUs, and reports on standard error.\n"
	"\n"
	"  -e, --event=LIST      events, separated by commas; may be given again\n"
	"  -d, --detailed        if none are named: those of caches, too, as far as\n"
	"                        they fit\n"
	"  -g, --group=NAME,...  groups of events, with their metrics (pfmon list\n"
	"                        --groups)\n"
	"      --topdown         as -g TMA\n"
	"  -M, --metrics=NAME,...\n"
	"                        metrics, with the events that they need\n"
	"  -m, --mark            the regions that COMMAND marks (pfmon-mark(3))\n"
	"      --all-user        count at user level (the default)\n"
	"      --all-kernel      count at kernel level; with --all-user: at both\n"
	"  -i, --no-inherit      only the first thread, or those that are there\n"
	"      --follow=kernel, --follow=ptrace, --follow=none\n"
	"                        by what means; kernel: nobody is stopped\n"
	"  -p, --pid=PID,...     processes, with all their threads, while COMMAND runs,\n"
	"                        else until they end\n"
	"  -t, --tid=TID,...     threads, likewise\n"
	"  -G, --cgroup=NAME     all processes of a cgroup, likewise\n"
	"  -a, --all-cpus        whatever runs, while COMMAND does, else until an\n"
	"                        interrupt\n"
	"  -C, --cpu=LIST        the same on these CPUs, such as 0,2-5\n"
	"      --pin-command     run COMMAND on the CPUs of -C\n"
	"      --launch=self, --launch=ptrace\n"
	"                        how COMMAND begins: untraced (the default unless it\n"
	"                        is followed by ptrace), or traced\n"
	"      --switch-events=N, --switch-timeout=MS\n"
	"                        how long the turn of a set is, if the events do\n"
	"                        not fit at once\n"
	"      --reference=EVENT, --reference=none\n"
	"                        by what sets are compared\n"
	"      --start=entry, --start=FUNCTION\n"
	"                        begin to count where the loader enters COMMAND's\n"
	"                        program, or at a function of it\n"
	"  -D, --delay=MS        begin to count after this time; -1: when\n"
	"                        --control says so\n"
	"      --control=FILES   lines enable, disable, reset, snapshot, stop and\n"
	"                        ping from fd:IN[,OUT] or fifo:IN[,OUT]; OUT gets\n"
	"                        the answers\n"
	"      --timeout=MS      stop counting after this time\n"
	"  -I, --interval-print=MS\n"
	"                        report the differences each MS\n"
	"      --interval-count=N\n"
	"                        stop after so many of them\n"
	"      --interval-clear  each on an empty screen\n"
	"  -r, --repeat=N        run COMMAND N times; 0: until an interrupt\n"
	"      --wait-all        wait for children that outlive COMMAND\n"
	"  -A, --no-aggr         with -a: a line for each CPU\n"
	"      --per-core, --per-die, --per-socket, --per-node\n"
	"                        with -a: a line for each of these\n"
	"      --no-merge        a line for each PMU of several, as uncore_imc_0\n"
	"      --per-thread, --per-process\n"
	"                        a line for each thread, or each process\n"
	"  -n, --null            count nothing, report the times\n"
	"  -o, --output=FILE     write to FILE (%h host, %p process id; - is the\n"
	"                        standard output)\n"
	"      --append          write at the end of FILE\n"
	"      --log-fd=N        write to descriptor N\n"
	"  -x, --field-separator=SEP\n"
	"                        fields, in the order of perf stat\n"
	"  -j, --json, --csv     these formats\n"
	"      --json-strings    JSON with counts as strings\n"
	"      --textfile=FILE   series for node_exporter, written anew at each\n"
	"                        interval; of each CPU with --per-cpu\n"
	"  -B, --big-num         1,024; also --eu-counter-format (1.024) and\n"
	"                        --hex-counter-format (0x400)\n"
	"      --pmu=MODEL       use the events of this model\n"
	"  -v, --verbose         print the programmed registers\n"
	"\n"
	"The exit status is that of COMMAND, as of pfmon; 0 without a command.\n";

void stat_usage(FILE *out)
{
	fputs(usage, out);
}

/* How long, and how often. */
static int take_times(struct request *request, int opt)
{
	switch (opt) {
	case OPT_TIMEOUT:
		return words_milliseconds(optarg, "--timeout",
					  &request->timeout_ns);
	case 'D':
		request->wait_for_enable = !strcmp(optarg, "-1");
		if (request->wait_for_enable)
			return 0;
		return words_milliseconds(optarg, "-D", &request->delay_ns);
	case 'I':
		return words_milliseconds(optarg, "-I", &request->interval_ns);
	}
	return 0;
}

/* What is counted, and of whom. */
static int take_target(struct stat_options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'e':
		/* perf's lists add up. */
		return words_add_events(request, optarg, ",");
	case OPT_ALL_USER:
		request->levels |= LEVEL_USER;
		break;
	case OPT_ALL_KERNEL:
		request->levels |= LEVEL_KERNEL;
		break;
	case 'g':
		return words_add_names(request, &request->groups, optarg);
	case OPT_TOPDOWN:
		return words_add_names(request, &request->groups, "TMA");
	case 'M':
		return words_add_names(request, &request->metrics, optarg);
	case 'd':
		request->detailed = true;
		break;
	case 'm':
		request->regions = true;
		break;
	case 'n':
		request->null = true;
		break;
	case 'i':
		request->follow = (struct follow_rules){ 0 };
		break;
	case 'p':
		request->processes = optarg;
		break;
	case 'G':
		request->cgroup = optarg;
		break;
	case 't':
		request->threads = optarg;
		break;
	default:
		return take_times(request, opt);
	}
	return 0;
}

/* How the report looks. */
static int take_output(struct stat_options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'A':
		request->grouping = GROUP_CPUS;
		break;
	case OPT_PER_CORE:
		request->grouping = GROUP_CORES;
		break;
	case OPT_PER_DIE:
		request->grouping = GROUP_DIES;
		break;
	case OPT_NO_MERGE:
		request->no_merge = true;
		break;
	case OPT_PER_SOCKET:
		request->grouping = GROUP_SOCKETS;
		break;
	case OPT_PER_NODE:
		request->grouping = GROUP_NODES;
		break;
	case OPT_PER_THREAD:
		request->grouping = GROUP_THREADS;
		break;
	case OPT_PER_PROCESS:
		request->grouping = GROUP_PROCESSES;
		break;
	case OPT_NO_BIG_NUM:
		request->style.digits = DIGITS_PLAIN;
		break;
	case 'h':
		opts->help = true;
		break;
	default:
		return take_target(opts, opt);
	}
	return 0;
}

static int take_option(struct stat_options *opts, int opt)
{
	int ret;

	if (later_is(opt, later_stat))
		return later_refuse(opt, later_stat);
	ret = shared_take(&opts->request, opt);
	return ret <= 0 ? ret : take_output(opts, opt);
}

int stat_parse(struct stat_options *opts, int argc, char **argv)
{
	static struct option all[LATER_OPTIONS_MAX];
	struct request *request = &opts->request;
	int opt;

	*opts = (struct stat_options){ .help = false };
	shared_verb_defaults(request, "stat");
	request->style.format = REPORT_STAT;
	request->destination.standard_error = true;
	later_join(all, long_options, later_stat);
	words_begin("stat");
	while ((opt = words_next(argc, argv, short_options, all)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (take_option(opts, opt))
			return -1;
		if (opts->help)
			return 0;
	}
	if (shared_settle_cgroup(request))
		return -1;
	shared_settle_verb(request);
	/* What regions are counted for, if nothing is said. */
	if (request->regions && !request->events)
		request->events = "instructions,cycles";
	shared_command(request, optind < argc ? argv + optind : NULL);
	return words_conflicts(request);
}
