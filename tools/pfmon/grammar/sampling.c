// SPDX-License-Identifier: GPL-2.0-only
/* Classic options about samples, see sampling.h and pfmon(1). */
#include "grammar/sampling.h"

#include <string.h>

#include "diag.h"
#include "grammar/numbers.h"
#include "grammar/words.h"

enum {
	OPT_BLOCK = OPT_SAMPLING,
	OPT_COMPACT,
	OPT_CUM_THRESHOLD,
	OPT_DEMANGLE_CPP,
	OPT_DEMANGLE_JAVA,
	OPT_EAGER,
	OPT_ENTRIES,
	OPT_EXTRA,
	OPT_IGNORE_PIDS,
	OPT_LONG,
	OPT_MODULE,
	OPT_NO_BLOCK,
	OPT_OUTFILE,
	OPT_PER_FUNCTION,
	OPT_PRINT_COUNTS,
	OPT_RANDOM,
	OPT_RAW,
	OPT_RESET,
	OPT_RESOLVE,
	OPT_SATURATE,
	OPT_SHORT,
	OPT_SHOW_TOP,
	OPT_SYMBOL_FILE,
	OPT_SYSMAP_FILE,
	OPT_SAMPLING_END,
};

const struct option sampling_options[] = {
	{ "demangle-cpp", no_argument, NULL, OPT_DEMANGLE_CPP },
	{ "demangle-java", no_argument, NULL, OPT_DEMANGLE_JAVA },
	{ "extra-smpl-pmds", required_argument, NULL, OPT_EXTRA },
	{ "long-smpl-periods", required_argument, NULL, OPT_LONG },
	{ "no-overflow-block", no_argument, NULL, OPT_NO_BLOCK },
	{ "overflow-block", no_argument, NULL, OPT_BLOCK },
	{ "reset-non-smpl-periods", optional_argument, NULL, OPT_RESET },
	{ "resolve-addresses", no_argument, NULL, OPT_RESOLVE },
	{ "saturate-smpl-buffer", no_argument, NULL, OPT_SATURATE },
	{ "short-smpl-periods", required_argument, NULL, OPT_SHORT },
	{ "smpl-compact", no_argument, NULL, OPT_COMPACT },
	{ "smpl-cum-threshold", required_argument, NULL, OPT_CUM_THRESHOLD },
	{ "smpl-eager-save", no_argument, NULL, OPT_EAGER },
	{ "smpl-entries", required_argument, NULL, OPT_ENTRIES },
	{ "smpl-ignore-pids", no_argument, NULL, OPT_IGNORE_PIDS },
	{ "smpl-module", required_argument, NULL, OPT_MODULE },
	{ "smpl-outfile", required_argument, NULL, OPT_OUTFILE },
	{ "smpl-per-function", no_argument, NULL, OPT_PER_FUNCTION },
	{ "smpl-periods-random", required_argument, NULL, OPT_RANDOM },
	{ "smpl-print-counts", no_argument, NULL, OPT_PRINT_COUNTS },
	{ "smpl-raw", no_argument, NULL, OPT_RAW },
	{ "smpl-show-top", required_argument, NULL, OPT_SHOW_TOP },
	{ "symbol-file", required_argument, NULL, OPT_SYMBOL_FILE },
	{ "sysmap-file", required_argument, NULL, OPT_SYSMAP_FILE },
	{ NULL, 0, NULL, 0 },
};

static const struct {
	const char *name;
	const char *what;
} modules[] = {
	[MODULE_INST_HIST] = { "inst-hist",
			       "samples by address, or by function with "
			       "--smpl-per-function" },
	[MODULE_COMPACT] = { "compact", "a line of columns for each sample" },
	[MODULE_DETAILED] = { "detailed", "each sample with its fields named" },
	[MODULE_RAW] = { "raw",
			 "each sample as the kernel records it, binary" },
};
#define MODULES ((int)(sizeof(modules) / sizeof(modules[0])))

/* -1 after a message. */
static int find_module(const char *name, const char *option)
{
	for (int i = 0; i < MODULES; i++) {
		if (!strcmp(name, modules[i].name))
			return i;
	}
	return diag("%s%s: must be inst-hist, compact, detailed or raw", option,
		    name);
}

const char *sampling_module_name(enum smpl_module module)
{
	return modules[module].name;
}

int sampling_describe(const char *name, FILE *out)
{
	int module = find_module(name, "-S ");

	if (module < 0)
		return -1;
	fprintf(out, "name        : %s\ndescription : %s\n",
		modules[module].name, modules[module].what);
	return 0;
}

static int choose_module(struct sampling_view *view, int module)
{
	if (module < 0)
		return -1;
	if (view->module && view->module != (enum smpl_module)module)
		return diag("--smpl-module: %s and %s: both given; choose one",
			    modules[view->module].name, modules[module].name);
	view->module = (enum smpl_module)module;
	return 0;
}

/* How they are printed. */
static int take_view(struct sampling_view *view, int opt)
{
	switch (opt) {
	case OPT_COMPACT:
		return choose_module(view, MODULE_COMPACT);
	case OPT_RAW:
		return choose_module(view, MODULE_RAW);
	case OPT_MODULE:
		return choose_module(view,
				     find_module(optarg, "--smpl-module="));
	case OPT_OUTFILE:
		view->outfile = optarg;
		break;
	case OPT_SHOW_TOP:
		return words_number(optarg, "--smpl-show-top", 1, 1000000000,
				    &view->top);
	case OPT_CUM_THRESHOLD:
		return words_number(optarg, "--smpl-cum-threshold", 1, 100,
				    &view->cum_threshold);
	case OPT_PER_FUNCTION:
		view->per_function = true;
		break;
	case OPT_IGNORE_PIDS:
		view->ignore_pids = true;
		break;
	case OPT_PRINT_COUNTS:
		view->print_counts = true;
		break;
	case OPT_SYMBOL_FILE:
		view->symbol_file = optarg;
		break;
	case OPT_SYSMAP_FILE:
		view->sysmap_file = optarg;
		break;
	case OPT_RESOLVE:
		view->resolve = true;
		break;
	case OPT_DEMANGLE_CPP:
		view->demangle = true;
		break;
	}
	/*
	 * Of the others nothing is left to do: the samples of a thread are saved as
	 * soon as it ends, and nobody compiles Java to machine code before it runs.
	 */
	return 0;
}

/* How they are taken. */
static int take_wish(struct sample_wish *wish, int opt)
{
	switch (opt) {
	case OPT_LONG:
		return numbers_periods(optarg, "--long-smpl-periods", 1,
				       &wish->periods);
	case OPT_SHORT:
		return numbers_periods(optarg, "--short-smpl-periods", 1,
				       &wish->short_periods);
	case OPT_RANDOM:
		return numbers_masks(optarg, "--smpl-periods-random",
				     &wish->random, &wish->seed);
	case OPT_ENTRIES:
		return words_number(optarg, "--smpl-entries", 1, 10000000,
				    &wish->entries);
	case OPT_EXTRA:
		return numbers_registers(optarg, "--extra-smpl-pmds",
					 &wish->extra);
	case OPT_RESET:
		wish->reset = true;
		return optarg ? numbers_registers(optarg,
						  "--reset-non-smpl-periods",
						  &wish->resets) :
				0;
	case OPT_SATURATE:
		wish->saturate = true;
		break;
	case OPT_BLOCK:
		wish->block = BLOCK_ALWAYS;
		break;
	case OPT_NO_BLOCK:
		wish->block = BLOCK_NEVER;
		break;
	default:
		return 1;
	}
	return 0;
}

int sampling_take(struct sampling_view *view, struct sample_wish *wish, int opt)
{
	int ret;

	if (opt < OPT_SAMPLING || opt >= OPT_SAMPLING_END)
		return 1;
	for (const struct option *row = sampling_options; row->name; row++) {
		/* Those of periods make samples, and need nothing else. */
		if (row->val == opt && opt != OPT_LONG && opt != OPT_SHORT)
			view->given = row->name;
	}
	ret = take_wish(wish, opt);
	return ret > 0 ? take_view(view, opt) : ret;
}

static int both(const char *one, const char *other)
{
	return diag("%s and %s: both given; choose one", one, other);
}

/* What counts only, or reports counts. */
static int check_request(const struct sampling_view *view,
			 const struct request *request)
{
	static const char *const sampling = "--long-smpl-periods";

	if (request->interval_ns)
		return both(sampling, "--print-interval");
	if (request->repeat != 1)
		return both(sampling, "-r");
	if (request->control)
		return both(sampling, "--control");
	if (request->dont_start)
		return both(sampling, "--dont-start");
	if (request->launch == LAUNCH_SELF)
		return both(sampling, "--launch=self");
	if (request->switch_ns || request->switch_events || request->reference)
		return diag("%s: sets and samples do not go together; give one "
			    "list of events",
			    sampling);
	if (request->textfile)
		return both(sampling, "--textfile");
	if (!view->print_counts &&
	    (request->style.format != REPORT_TABLE || request->style.times ||
	     request->style.digits || request->destination.file ||
	     request->destination.fd >= 0))
		return diag("-o, --log-fd, --json, --csv, -x, --show-time and "
			    "formats of counts: of samples only with "
			    "--smpl-print-counts; see --smpl-outfile");
	return 0;
}

static int check_view(const struct sampling_view *view,
		      const struct request *request)
{
	const struct sample_wish *wish = &request->samples;

	if (view->module != MODULE_INST_HIST &&
	    (view->top || view->cum_threshold || view->per_function ||
	     view->ignore_pids))
		return diag("--smpl-show-top, --smpl-cum-threshold, "
			    "--smpl-per-function, --smpl-ignore-pids: only "
			    "with --smpl-module=inst-hist");
	if (view->module == MODULE_RAW && !view->outfile)
		return diag("--smpl-raw: binary; give a file with "
			    "--smpl-outfile");
	if (view->module == MODULE_RAW && view->resolve)
		return both("--smpl-raw", "--resolve-addresses");
	if (view->ignore_pids && !request->system_wide)
		return diag("--smpl-ignore-pids: only with -a");
	if (wish->saturate && wish->block == BLOCK_ALWAYS)
		return both("--saturate-smpl-buffer", "--overflow-block");
	if (wish->block == BLOCK_ALWAYS && request->system_wide)
		return diag("-a and --overflow-block: a CPU cannot wait; "
			    "omit one");
	return 0;
}

int sampling_settle(const struct sampling_view *view, struct request *request)
{
	struct sample_wish *wish = &request->samples;

	wish->wanted = wish->periods.count || wish->short_periods.count;
	if (!wish->wanted)
		return view->given ? diag("--%s: only of samples; add "
					  "--long-smpl-periods",
					  view->given) :
				     0;
	wish->first_events = true;
	if (check_request(view, request) || check_view(view, request))
		return -1;
	if (!request->events)
		request->events = "cycles";
	/* Who attaches to itself would wait for itself. */
	if (request->command && !request->system_wide)
		request->launch = LAUNCH_PTRACE;
	return 0;
}
