// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon, see options.h and pfmon(1). */
#include "grammar/options.h"

#include <getopt.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"

enum {
	OPT_JSON = 256,
	OPT_CSV,
	OPT_PMU,
	OPT_SELF_TEST,
	OPT_CPUS,
};

static const struct option long_options[] = {
	{ "cpus", required_argument, NULL, OPT_CPUS },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "events", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "kernel-level", no_argument, NULL, 'k' },
	{ "list-events", optional_argument, NULL, 'l' },
	{ "list-pmus", no_argument, NULL, 'L' },
	{ "outfile", required_argument, NULL, 'o' },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "self-test", optional_argument, NULL, OPT_SELF_TEST },
	{ "user-level", no_argument, NULL, 'u' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* "+": options end at the command; ":": a missing argument is its own error. */
static const char short_options[] = "+:e:hkl::Lo:uvV";

void options_usage(FILE *out)
{
	fputs("usage: pfmon -e EVENT[,EVENT...] [OPTION...] [--] COMMAND [ARG...]\n"
	      "       pfmon -l [PATTERN]\n"
	      "       pfmon --self-test[=full] [--cpus=LIST] [-o FILE]\n"
	      "\n"
	      "Runs COMMAND and counts hardware events of its main thread, from its first\n"
	      "instruction to its exit.\n"
	      "\n"
	      "  -e, --events=LIST     events to count: names (pfmon -l), or the value of the\n"
	      "                        event select register as rHEX, such as r5100c0;\n"
	      "                        :u and :k after an event choose its level\n"
	      "  -u, --user-level      count at user level (the default)\n"
	      "  -k, --kernel-level    count at kernel level; with -u: at both\n"
	      "  -o, --outfile=FILE    write the counts to FILE, not to standard output\n"
	      "      --json, --csv     write them in this format, not as a table\n"
	      "      --pmu=MODEL       use the events of this model, on any processor\n"
	      "  -l, --list-events[=PATTERN]\n"
	      "                        list the events that match a regular expression\n"
	      "  -L, --list-pmus       list the models whose events are known\n"
	      "      --self-test[=quick|full]\n"
	      "                        judge whether this machine counts rightly; with -o:\n"
	      "                        a report in JSON. Status 0 right, 1 wrong, 2 no PMU,\n"
	      "                        3 inconclusive\n"
	      "      --cpus=LIST       with --self-test: on these CPUs, such as 0,2-5\n"
	      "  -v, --verbose         print the programmed registers on standard error\n"
	      "  -h, --help            print this text\n"
	      "  -V, --version         print the version\n"
	      "\n"
	      "The exit status is that of COMMAND; 128 + N if signal N killed it; 125 if pfmon\n"
	      "failed, 126 if COMMAND cannot be executed, 127 if it was not found.\n",
	      out);
}

static int set_format(struct options *opts, enum report_format format)
{
	if (opts->format != REPORT_TABLE && opts->format != format)
		return diag("--json, --csv: both given; choose one");
	opts->format = format;
	return 0;
}

static int set_events(struct options *opts, const char *list)
{
	if (opts->events)
		return diag(
			"-e: given twice; put all events into one list, separated by commas");
	opts->events = list;
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

static int bad_option(int reason, const char *arg)
{
	/* optopt is 0 for an unknown long option, its val for a known one. */
	if (reason == ':')
		return diag("%s: argument missing; see pfmon --help", arg);
	if (optopt > 0 && optopt < OPT_JSON && strncmp(arg, "--", 2) != 0)
		return diag("-%c: unknown option; see pfmon --help", optopt);
	return diag("%s: unknown option or wrong use of it; see pfmon --help",
		    arg);
}

static int take_option(struct options *opts, int opt)
{
	switch (opt) {
	case 'e':
		return set_events(opts, optarg);
	case 'u':
		opts->levels |= LEVEL_USER;
		break;
	case 'k':
		opts->levels |= LEVEL_KERNEL;
		break;
	case 'o':
		opts->outfile = optarg;
		break;
	case OPT_JSON:
		return set_format(opts, REPORT_JSON);
	case OPT_CSV:
		return set_format(opts, REPORT_CSV);
	case OPT_PMU:
		opts->pmu = optarg;
		break;
	case OPT_SELF_TEST:
		return set_self_test(opts, optarg);
	case OPT_CPUS:
		opts->cpus = optarg;
		break;
	case 'l':
		opts->action = ACTION_LIST_EVENTS;
		opts->pattern = optarg;
		break;
	case 'L':
		opts->action = ACTION_LIST_PMUS;
		break;
	case 'v':
		opts->verbose = true;
		break;
	case 'V':
		opts->action = ACTION_VERSION;
		break;
	case 'h':
		opts->action = ACTION_HELP;
		break;
	}
	return 0;
}

/* Options of one action are no use to another. */
static int check_combination(const struct options *opts)
{
	if (opts->action != ACTION_SELF_TEST)
		return opts->cpus ? diag("--cpus: only with --self-test") : 0;
	if (opts->events)
		return diag(
			"-e: not with --self-test, which has its own events");
	if (opts->levels)
		return diag("-u, -k: not with --self-test, which tests both");
	if (opts->format == REPORT_CSV)
		return diag("--csv: not with --self-test; its report is JSON");
	return 0;
}

/* What follows the options: the pattern of -l, or the command. */
static int take_operands(struct options *opts, int argc, char **argv)
{
	int operands = argc - optind;

	switch (opts->action) {
	case ACTION_COUNT:
		if (!opts->events)
			return diag(
				"no events; name them with -e EVENT[,EVENT...], pfmon -l lists them");
		if (!operands)
			return diag(
				"no command; put it after the options, see pfmon --help");
		opts->command = argv + optind;
		return 0;
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
	int opt;

	*opts = (struct options){ .action = ACTION_COUNT };
	opterr = 0;
	optind = 0;
	while ((opt = getopt_long(argc, argv, short_options, long_options,
				  NULL)) >= 0) {
		if (opt == '?' || opt == ':')
			return bad_option(opt, argv[optind - 1]);
		if (take_option(opts, opt))
			return -1;
		/* --help works beside any other error. */
		if (opts->action == ACTION_HELP)
			return 0;
	}
	if (check_combination(opts))
		return -1;
	if (!opts->levels)
		opts->levels = LEVEL_USER;
	return take_operands(opts, argc, argv);
}
