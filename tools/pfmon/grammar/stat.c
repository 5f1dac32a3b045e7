// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon stat, see stat.h and pfmon(1). */
#include "grammar/stat.h"

#include <getopt.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "grammar/later.h"
#include "grammar/words.h"

enum {
	OPT_ALL_USER = 256,
	OPT_ALL_KERNEL,
	OPT_APPEND,
	OPT_CSV,
	OPT_INTERVAL_COUNT,
	OPT_LOG_FD,
	OPT_NO_BIG_NUM,
	OPT_PER_PROCESS,
	OPT_PER_THREAD,
	OPT_PIN,
	OPT_PMU,
	OPT_POINT,
	OPT_HEX,
	OPT_TIMEOUT,
	OPT_WAIT_ALL,
};

static const struct option long_options[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "all-kernel", no_argument, NULL, OPT_ALL_KERNEL },
	{ "all-user", no_argument, NULL, OPT_ALL_USER },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "big-num", no_argument, NULL, 'B' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "eu-counter-format", no_argument, NULL, OPT_POINT },
	{ "event", required_argument, NULL, 'e' },
	{ "events", required_argument, NULL, 'e' },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "help", no_argument, NULL, 'h' },
	{ "hex-counter-format", no_argument, NULL, OPT_HEX },
	{ "interval-count", required_argument, NULL, OPT_INTERVAL_COUNT },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "json", no_argument, NULL, 'j' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "log-fd", required_argument, NULL, OPT_LOG_FD },
	{ "no-aggr", no_argument, NULL, 'A' },
	{ "no-big-num", no_argument, NULL, OPT_NO_BIG_NUM },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "null", no_argument, NULL, 'n' },
	{ "output", required_argument, NULL, 'o' },
	{ "per-process", no_argument, NULL, OPT_PER_PROCESS },
	{ "per-thread", no_argument, NULL, OPT_PER_THREAD },
	{ "pid", required_argument, NULL, 'p' },
	{ "pin-command", no_argument, NULL, OPT_PIN },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "repeat", required_argument, NULL, 'r' },
	{ "system-wide", no_argument, NULL, 'a' },
	{ "tid", required_argument, NULL, 't' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "us-counter-format", no_argument, NULL, 'B' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "wait-all", no_argument, NULL, OPT_WAIT_ALL },
	{ NULL, 0, NULL, 0 },
};

/* As in options.c: "+" ends at the command, ":" tells a missing argument. */
static const char short_options[] = "+:aAb:BC:dD:e:g:G:hI:ijmM:no:p:r:t:Tvx:";

void stat_usage(FILE *out)
{
	fputs("usage: pfmon stat [OPTION...] [--] COMMAND [ARG...]\n"
	      "       pfmon stat [OPTION...] -p PID[,PID...] | -t TID[,TID...] | -a\n"
	      "\n"
	      "Counts hardware events of COMMAND with all its threads and children, of\n"
	      "processes that run already, or of CPUs, and reports on standard error.\n"
	      "\n"
	      "  -e, --event=LIST      events, separated by commas; may be given again\n"
	      "      --all-user        count at user level (the default)\n"
	      "      --all-kernel      count at kernel level; with --all-user: at both\n"
	      "  -i, --no-inherit      only the first thread, or those that are there\n"
	      "  -p, --pid=PID,...     processes, with all their threads\n"
	      "  -t, --tid=TID,...     threads\n"
	      "  -a, --all-cpus        whatever runs, while COMMAND does, else until an\n"
	      "                        interrupt\n"
	      "  -C, --cpu=LIST        the same on these CPUs, such as 0,2-5\n"
	      "      --pin-command     run COMMAND on the CPUs of -C\n"
	      "      --timeout=MS      stop counting after this time\n"
	      "  -I, --interval-print=MS\n"
	      "                        with -a: report the differences each MS\n"
	      "      --interval-count=N\n"
	      "                        stop after so many of them\n"
	      "  -r, --repeat=N        run COMMAND N times; 0: until an interrupt\n"
	      "      --wait-all        wait for children that outlive COMMAND\n"
	      "  -A, --no-aggr         with -a: a line for each CPU\n"
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
	      "  -B, --big-num         1,024; also --eu-counter-format (1.024) and\n"
	      "                        --hex-counter-format (0x400)\n"
	      "      --pmu=MODEL       use the events of this model\n"
	      "  -v, --verbose         print the programmed registers\n"
	      "\n"
	      "The exit status is that of COMMAND, as of pfmon; 0 without a command.\n",
	      out);
}

/* perf's lists add up. */
static int add_events(struct stat_options *opts, const char *list)
{
	size_t used = strlen(opts->events);

	if (used + strlen(list) + 2 > sizeof(opts->events))
		return diag("-e: too many events");
	if (used)
		strcat(opts->events, ",");
	strcat(opts->events, list);
	opts->request.events = opts->events;
	return 0;
}

/* How long, and how often. */
static int take_times(struct request *request, int opt)
{
	switch (opt) {
	case OPT_TIMEOUT:
		return words_milliseconds(optarg, "--timeout",
					  &request->timeout_ns);
	case 'I':
		return words_milliseconds(optarg, "-I", &request->interval_ns);
	case OPT_INTERVAL_COUNT:
		return words_number(optarg, "--interval-count", 1, 1000000,
				    &request->interval_count);
	case 'r':
		return words_number(optarg, "-r", 0, REPEAT_MAX,
				    &request->repeat);
	}
	return 0;
}

/* What is counted, and of whom. */
static int take_target(struct stat_options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'e':
		return add_events(opts, optarg);
	case OPT_ALL_USER:
		request->levels |= LEVEL_USER;
		break;
	case OPT_ALL_KERNEL:
		request->levels |= LEVEL_KERNEL;
		break;
	case OPT_PMU:
		request->pmu = optarg;
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
	case 't':
		request->threads = optarg;
		break;
	case 'C':
		request->cpus = optarg;
		request->system_wide = true;
		break;
	case 'a':
		request->system_wide = true;
		break;
	case OPT_PIN:
		request->pin_command = true;
		break;
	case OPT_WAIT_ALL:
		request->wait_all = true;
		break;
	default:
		return take_times(request, opt);
	}
	return 0;
}

static int take_log_fd(struct request *request, const char *text)
{
	unsigned int fd;

	if (words_number(text, "--log-fd", 0, 65535, &fd))
		return -1;
	request->destination.fd = (int)fd;
	return 0;
}

/* Where the report goes, and how it looks. */
static int take_output(struct stat_options *opts, int opt)
{
	struct request *request = &opts->request;

	switch (opt) {
	case 'o':
		request->destination.file = optarg;
		break;
	case OPT_APPEND:
		request->destination.append = true;
		break;
	case OPT_LOG_FD:
		return take_log_fd(request, optarg);
	case 'A':
		request->grouping = GROUP_CPUS;
		break;
	case OPT_PER_THREAD:
		request->grouping = GROUP_THREADS;
		break;
	case OPT_PER_PROCESS:
		request->grouping = GROUP_PROCESSES;
		break;
	case 'B':
		request->style.digits = DIGITS_COMMA;
		break;
	case OPT_NO_BIG_NUM:
		request->style.digits = DIGITS_PLAIN;
		break;
	case OPT_POINT:
		request->style.digits = DIGITS_POINT;
		break;
	case OPT_HEX:
		request->style.digits = DIGITS_HEX;
		break;
	case 'j':
		return words_format(request, REPORT_JSON);
	case OPT_CSV:
		return words_format(request, REPORT_CSV);
	case 'x':
		request->style.separator = strcmp(optarg, "\\t") ? optarg :
								   "\t";
		return words_format(request, REPORT_SEPARATED);
	case 'v':
		request->verbose = true;
		break;
	case 'h':
		opts->help = true;
		break;
	default:
		return take_target(opts, opt);
	}
	return 0;
}

static void settle(struct request *request, bool inherits)
{
	if (!request->levels)
		request->levels = LEVEL_USER;
	/* CPUs count whatever runs; threads that are named are meant alone. */
	if (request->system_wide || (request->threads && !request->processes))
		request->follow = (struct follow_rules){ 0 };
	if (!request->system_wide && !inherits)
		request->advice = "omit -i";
	request->style.timed = request->interval_ns;
	request->style.lines = request->interval_ns || request->repeat != 1;
}

int stat_parse(struct stat_options *opts, int argc, char **argv)
{
	static struct option all[LATER_OPTIONS_MAX];
	struct request *request = &opts->request;
	int opt;

	*opts = (struct stat_options){ .help = false };
	words_defaults(request, "stat");
	request->style.format = REPORT_STAT;
	request->destination.standard_error = true;
	request->follow = (struct follow_rules){ true, true, true, NULL, NULL };
	later_join(all, long_options, later_stat);
	opterr = 0;
	optind = 0;
	while ((opt = getopt_long(argc, argv, short_options, all, NULL)) >= 0) {
		int ret;

		if (opt == '?' || opt == ':')
			return words_bad_option(opt, argv[optind - 1], all);
		ret = later_is(opt, later_stat) ?
			      later_refuse(opt, later_stat) :
			      take_output(opts, opt);
		if (ret)
			return -1;
		if (opts->help)
			return 0;
	}
	settle(request, request->follow.forks);
	request->command = optind < argc ? argv + optind : NULL;
	return words_conflicts(request);
}
