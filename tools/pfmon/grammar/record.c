// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon record, see record.h and pfmon(1). */
#include "grammar/record.h"

#include <getopt.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <string.h>

#include "diag.h"
#include "events/event.h"
#include "events/loads.h"
#include "grammar/branches.h"
#include "grammar/later.h"
#include "grammar/numbers.h"
#include "grammar/shared.h"
#include "grammar/words.h"

#define DEFAULT_FILE "pfmon.data"

/* Of a copied stack; perf's default. */
#define STACK_BYTES_DEFAULT 8192
#define STACK_BYTES_MIN 1024

enum {
	OPT_ALL_USER = OPT_OWN,
	OPT_ALL_KERNEL,
	OPT_BLOCK,
	OPT_CALL_GRAPH,
	OPT_ENTRIES,
	OPT_JSON,
	OPT_LATENCY,
	OPT_MAP,
	OPT_NO_BLOCK,
	OPT_NO_NMI,
	OPT_NO_RANDOM,
	OPT_NO_SYMBOLS,
	OPT_RANDOM,
	OPT_SEED,
	OPT_SHORT,
	OPT_TIMEOUT,
};

static const struct option long_options[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "all-kernel", no_argument, NULL, OPT_ALL_KERNEL },
	{ "all-user", no_argument, NULL, OPT_ALL_USER },
	{ "branch-any", no_argument, NULL, 'b' },
	{ "branch-filter", required_argument, NULL, 'j' },
	{ "call-graph", required_argument, NULL, OPT_CALL_GRAPH },
	{ "compression-level", optional_argument, NULL, 'z' },
	{ "cgroup", required_argument, NULL, 'G' },
	{ "count", required_argument, NULL, 'c' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "data", no_argument, NULL, 'd' },
	{ "delay", required_argument, NULL, 'D' },
	{ "event", required_argument, NULL, 'e' },
	{ "freq", required_argument, NULL, 'F' },
	/* Not its letter, which is another option here. */
	{ "json", no_argument, NULL, OPT_JSON },
	{ "ldlat", required_argument, NULL, OPT_LATENCY },
	{ "long-smpl-periods", required_argument, NULL, 'c' },
	{ "map", required_argument, NULL, OPT_MAP },
	{ "mappings", required_argument, NULL, OPT_MAP },
	{ "mmap-size", required_argument, NULL, 'm' },
	{ "no-inherit", no_argument, NULL, 'i' },
	{ "no-nmi", no_argument, NULL, OPT_NO_NMI },
	{ "no-overflow-block", no_argument, NULL, OPT_NO_BLOCK },
	{ "no-random", no_argument, NULL, OPT_NO_RANDOM },
	{ "no-symbols", no_argument, NULL, OPT_NO_SYMBOLS },
	{ "output", required_argument, NULL, 'o' },
	{ "overflow-block", no_argument, NULL, OPT_BLOCK },
	{ "pid", required_argument, NULL, 'p' },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "short-smpl-periods", required_argument, NULL, OPT_SHORT },
	{ "smpl-entries", required_argument, NULL, OPT_ENTRIES },
	{ "smpl-periods-random", required_argument, NULL, OPT_RANDOM },
	{ "tid", required_argument, NULL, 't' },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ NULL, 0, NULL, 0 },
};

/* As in options.c: "+" ends at the command, ":" tells a missing argument. */
static const char short_options[] = "+:abBc:C:dD:e:F:gG:hij:m:o:p:r:t:Tvx:z::";

static const char usage[] =
	"usage: pfmon record [OPTION...] [--] COMMAND [ARG...]\n"
	"       pfmon record [OPTION...] -p PID[,PID...] | -t TID[,TID...] | -a [COMMAND]\n"
	"\n"
	"Writes to a file where COMMAND with all its threads and children, processes that\n"
	"run already, or CPUs are, each time so many events have happened. Threads wait\n"
	"while their samples are fetched, so that none is lost.\n"
	"\n"
	"  -e, --event=LIST      events, separated by commas; may be given again. cycles\n"
	"                        if none is named\n"
	"  -c, --count=N[,N...]  events from sample to sample: one number for all events,\n"
	"                        or one for each; 0: it is counted, and its value is part\n"
	"                        of each sample. If nothing is said, as -F 1000\n"
	"  -F, --freq=HZ         about so many samples a second of CPU time, of any event;\n"
	"                        the kernel finds the period\n"
	"  -d, --data            addresses of data, and where they were, of precise samples;\n"
	"                        cycles:p if no event is named, and mem-loads:p on\n"
	"                        processors of Intel\n"
	"      --ldlat=N         mem-loads:p samples loads of more than N cycles, 3 to 65535;\n"
	"                        30 if nothing is said\n"
	"  -b, --branch-any      the last branches before each sample, 16 or 32\n"
	"  -j, --branch-filter=LIST\n"
	"                        the same of these kinds: any, any_call, any_ret, call,\n"
	"                        ind_call, ind_jmp, cond; u and k: of these levels\n"
	"  -g                    the calls that led to each sample: --call-graph=auto\n"
	"      --call-graph=auto[,BYTES]\n"
	"                        by tables of the programs, which need no frame pointers,\n"
	"                        and copies of BYTES of stack, 1024 to 32768; 8192 if\n"
	"                        nothing is said. By frame pointers where it is not built\n"
	"                        in\n"
	"      --call-graph=dwarf[,BYTES]\n"
	"                        the same, but an error where it is not built in\n"
	"      --call-graph=fp[,N]\n"
	"                        by frame pointers, which costs least; at most N\n"
	"                        addresses, 1 to 127\n"
	"      --short-smpl-periods=N[,N...]\n"
	"                        the same after samples that did not fill the buffer\n"
	"      --no-random       periods are all the same; else each differs from the last\n"
	"                        by chance, so that samples do not keep step with a loop\n"
	"      --seed=N          the same periods in each run with this number\n"
	"      --smpl-periods-random=MASK[:SEED],...\n"
	"                        add random bits of MASK to each period instead\n"
	"      --all-user        sample at user level (the default)\n"
	"      --all-kernel      sample at kernel level; with --all-user: at both\n"
	"      --no-nmi          no NMIs: code of the kernel that runs with interrupts off\n"
	"                        has its samples where they are on again\n"
	"  -i, --no-inherit      only the first thread, or those that are there\n"
	"  -p, --pid=PID,...     processes, with all their threads, while COMMAND runs,\n"
	"                        else until they end\n"
	"  -t, --tid=TID,...     threads, likewise\n"
	"  -G, --cgroup=NAME     all processes of a cgroup, likewise\n"
	"  -a, --all-cpus        whatever runs, while COMMAND does, else until an\n"
	"                        interrupt\n"
	"  -C, --cpu=LIST        the same on these CPUs, such as 0,2-5\n"
	"      --pin-command     run COMMAND on the CPUs of -C\n"
	"      --start=entry, --start=FUNCTION\n"
	"                        begin to sample where the loader enters COMMAND's\n"
	"                        program, or at a function of it\n"
	"  -D, --delay=MS        begin to sample after this time\n"
	"      --timeout=MS      stop sampling after this time\n"
	"      --wait-all        wait for children that outlive COMMAND\n"
	"  -m, --mmap-size=SIZE  buffer of each thread or CPU, with K or M; 64K if nothing\n"
	"                        is said\n"
	"      --smpl-entries=N  the same, as a number of samples\n"
	"      --no-overflow-block\n"
	"                        threads never wait; samples that find no room are lost\n"
	"      --mappings=WHO    who tells which files were where: perf (the kernel),\n"
	"                        maps (/proc), or auto (perf if it works)\n"
	"      --no-symbols      leave out the names of functions that have samples,\n"
	"                        which reports need where programs are gone\n"
	"  -z[LEVEL], --compression-level[=LEVEL]\n"
	"                        compress the file with zstd, 1 (the default) to 19\n"
	"  -o, --output=FILE     write to FILE (%h host, %p process id; - is the\n"
	"                        standard output), not to " DEFAULT_FILE "\n"
	"      --pmu=MODEL       use the events of this model\n"
	"  -v, --verbose         print the programmed registers\n"
	"\n"
	"A file that is there already is kept as FILE.old. The exit status is that of\n"
	"COMMAND, as of pfmon; 0 without a command.\n";

void record_usage(FILE *out)
{
	fputs(usage, out);
}

static int take_mappings(struct sample_wish *wish, const char *who)
{
	static const char *const names[] = { "auto", "perf", "maps" };

	for (int i = MAPPINGS_AUTO; i <= MAPPINGS_PROC; i++) {
		if (!strcmp(who, names[i])) {
			wish->mappings = (enum mappings)i;
			return 0;
		}
	}
	return diag("--mappings=%s: must be auto, perf or maps", who);
}

/* Bytes of a stack, in words: after a comma, if at all. */
static int take_stack_bytes(struct sample_wish *wish, const char *bytes)
{
	wish->stack_bytes = STACK_BYTES_DEFAULT;
	if (*bytes &&
	    words_number(bytes + 1, "--call-graph: BYTES", STACK_BYTES_MIN,
			 PFM_STACKS_SMPL_BYTES, &wish->stack_bytes))
		return -1;
	wish->stack_bytes = (wish->stack_bytes + 7) / 8 * 8;
	return 0;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !strncmp(text, word, length);
}

/* "fp", and perhaps how many addresses; "dwarf" or "auto", and how many bytes. */
static int take_call_graph(struct sample_wish *wish, const char *how)
{
	size_t length = strcspn(how, ",");

	wish->frames = PFM_STACKS_SMPL_FRAMES;
	wish->stack_bytes = 0;
	wish->copies_if_possible = is_word(how, length, "auto");
	if (wish->copies_if_possible || is_word(how, length, "dwarf"))
		return take_stack_bytes(wish, how + length);
	if (!is_word(how, length, "fp"))
		return diag("--call-graph=%s: must be auto, dwarf or fp", how);
	return how[length] ?
		       words_number(how + length + 1, "--call-graph=fp,N", 1,
				    PFM_STACKS_SMPL_FRAMES, &wish->frames) :
		       0;
}

/* How the samples are kept. */
static int take_buffer(struct sample_wish *wish, int opt)
{
	switch (opt) {
	case 'm':
		return numbers_size(optarg, "-m", &wish->buffer);
	case OPT_ENTRIES:
		return words_number(optarg, "--smpl-entries", 1, 10000000,
				    &wish->entries);
	case OPT_BLOCK:
		wish->block = BLOCK_ALWAYS;
		break;
	case OPT_NO_BLOCK:
		wish->block = BLOCK_NEVER;
		break;
	case OPT_MAP:
		return take_mappings(wish, optarg);
	case OPT_NO_SYMBOLS:
		wish->no_symbols = true;
		break;
	case 'z':
		wish->compression = COMPRESSION_DEFAULT;
		return optarg ? words_number(optarg, "-z", 1, COMPRESSION_MAX,
					     &wish->compression) :
				0;
	}
	return 0;
}

/* How often one is taken. */
static int take_period(struct sample_wish *wish, int opt)
{
	switch (opt) {
	case 'c':
		return numbers_periods(optarg, "-c", 0, &wish->periods);
	case OPT_SHORT:
		return numbers_periods(optarg, "--short-smpl-periods", 1,
				       &wish->short_periods);
	case OPT_RANDOM:
		return numbers_masks(optarg, "--smpl-periods-random",
				     &wish->random, &wish->seed);
	case OPT_SEED:
		return numbers_seed(optarg, "--seed", &wish->seed);
	case OPT_NO_RANDOM:
		wish->vary = false;
		break;
	case OPT_NO_NMI:
		wish->no_nmi = true;
		break;
	case 'b':
		branches_take_all(wish);
		break;
	case 'j':
		return branches_take(wish, optarg);
	case 'd':
		wish->data = true;
		break;
	case OPT_LATENCY:
		return words_number(optarg, "--ldlat", LOADS_LATENCY_LEAST,
				    LOADS_LATENCY_MOST, &wish->latency);
	case 'F':
		return words_number(optarg, "-F", 1, 1000000, &wish->hertz);
	case 'g':
		return take_call_graph(wish, "auto");
	case OPT_CALL_GRAPH:
		return take_call_graph(wish, optarg);
	default:
		return take_buffer(wish, opt);
	}
	return 0;
}

static int take_target(struct request *request, int opt)
{
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
	case OPT_TIMEOUT:
		return words_milliseconds(optarg, "--timeout",
					  &request->timeout_ns);
	case 'D':
		if (!strcmp(optarg, "-1"))
			return diag("-D -1: this pfmon has no --control yet, "
				    "which would begin");
		return words_milliseconds(optarg, "-D", &request->delay_ns);
	default:
		return take_period(&request->samples, opt);
	}
	return 0;
}

/* Of the options that the other grammars share, those about reports have none. */
static int take_shared(struct request *request, int opt)
{
	static const int taken[] = { 'a',     'C',     OPT_FOLLOW,
				     OPT_PIN, OPT_PMU, OPT_START,
				     'o',     'v',     OPT_WAIT_ALL };
	const struct option *known = shared_options;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		if (opt == taken[i])
			return shared_take(request, opt);
	}
	/* The letter of --json is another option here. */
	if (opt == 'e' || opt == 'h' || opt == 'j')
		return 1;
	while (known->name && known->val != opt)
		known++;
	if (opt == OPT_JSON)
		return diag("--json: not of samples; use pfmon stat");
	if (opt == 'x' || opt == 'B' || opt == 'r')
		return diag("-%c: not of samples; use pfmon stat", opt);
	return known->name ? diag("--%s: not of samples; use pfmon stat",
				  known->name) :
			     1;
}

static int take_option(struct record_options *opts, int opt)
{
	int ret;

	if (later_is(opt, later_record))
		return later_refuse(opt, later_record);
	ret = take_shared(&opts->request, opt);
	if (ret <= 0)
		return ret;
	opts->help |= opt == 'h';
	return take_target(&opts->request, opt);
}

static void settle(struct request *request)
{
	shared_settle_verb(request);
	/* The counts are one chunk of the file. */
	request->style.lines = true;
	if (!request->events)
		request->events = request->samples.data ? LOADS_DEFAULT :
							  "cycles";
	if (!request->destination.file)
		request->destination.file = DEFAULT_FILE;
	/* Who attaches to itself would wait for itself. */
	if (request->command && !request->system_wide)
		request->launch = LAUNCH_PTRACE;
}

static int check_samples(const struct request *request)
{
	const struct sample_wish *wish = &request->samples;

	if (wish->hertz && (wish->periods.count || wish->short_periods.count))
		return diag("-c and -F: both given; choose one");
	if (!wish->vary && wish->random.count)
		return diag(
			"--no-random and --smpl-periods-random: both given; choose one");
	if (!wish->vary && wish->seed)
		return diag("--no-random and --seed: both given; choose one");
	if (wish->buffer && wish->entries)
		return diag("-m and --smpl-entries: both given; choose one");
	if (wish->block == BLOCK_ALWAYS && request->system_wide)
		return diag(
			"-a and --overflow-block: a CPU cannot wait; omit one");
	return 0;
}

int record_parse(struct record_options *opts, int argc, char **argv)
{
	static struct option all[LATER_OPTIONS_MAX];
	struct request *request = &opts->request;
	int opt;

	*opts = (struct record_options){ .help = false };
	shared_verb_defaults(request, "record");
	request->samples.wanted = true;
	request->samples.vary = true;
	request->style.format = REPORT_JSON;
	later_join(all, long_options, later_record);
	words_begin("record");
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
	shared_command(request, optind < argc ? argv + optind : NULL);
	settle(request);
	return check_samples(request) || words_conflicts(request) ? -1 : 0;
}
