// SPDX-License-Identifier: GPL-2.0-only
/* The words of pfmon report, see report_words.h. */
#include "views/report_words.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "diag.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Letters are perf's. OPT_REFUSED + n is row n of refused[]. */
enum {
	OPT_BRANCHES = VIEW_OPT_OWN,
	OPT_CALLEES,
	OPT_CALLERS,
	OPT_CHILDREN,
	OPT_MEM,
	OPT_NO_CHILDREN,
	OPT_AS_IT_IS, /* it asks for what is done anyway */
	OPT_REFUSED,
};

static const struct option options[] = {
	{ "branch-stack", no_argument, NULL, 'b' },
	{ "branches", no_argument, NULL, OPT_BRANCHES },
	{ "by", required_argument, NULL, 's' },
	{ "call-graph", optional_argument, NULL, 'g' },
	{ "callees", optional_argument, NULL, OPT_CALLEES },
	{ "callers", optional_argument, NULL, OPT_CALLERS },
	{ "children", no_argument, NULL, OPT_CHILDREN },
	{ "comms", required_argument, NULL, 'c' },
	{ "demangle", no_argument, NULL, OPT_AS_IT_IS },
	{ "dsos", required_argument, NULL, 'd' },
	{ "force", no_argument, NULL, OPT_AS_IT_IS },
	{ "mem", optional_argument, NULL, OPT_MEM },
	{ "no-children", no_argument, NULL, OPT_NO_CHILDREN },
	{ "no-inline", no_argument, NULL, OPT_AS_IT_IS },
	{ "show-nr-samples", no_argument, NULL, OPT_AS_IT_IS },
	{ "sort", required_argument, NULL, 's' },
	{ "stdio2", no_argument, NULL, OPT_AS_IT_IS },
	{ "symbols", required_argument, NULL, 'S' },
	{ NULL, 0, NULL, 0 },
};

static const char letters[] = "bc:C:d:DfF:g::GnS:s:t:Tw:";

/* What perf report has and this has not: what is to be used, or what is there. */
static const struct {
	const char *name;
	char letter;
	int has_arg;
	const char *hint;
} refused[] = {
	{ "cpu", 'C', required_argument,
	  "samples of all CPUs are summed up; pfmon script tells the CPU of each" },
	{ "dump-raw-trace", 'D', no_argument,
	  "use pfmon script, which prints each sample" },
	{ "fields", 'F', required_argument,
	  "the columns are the same always; --no-children leaves out TOTAL" },
	{ "field-separator", 't', required_argument,
	  "the report is text for people; use pfmon export" },
	{ "gtk", 0, no_argument, "the report is text; use pfmon export html" },
	{ "header", 0, no_argument,
	  "the report does not describe the machine; pfmon check does" },
	{ "header-only", 0, no_argument,
	  "the report does not describe the machine; pfmon check does" },
	{ "inverted", 'G', no_argument, "use --callers, innermost first" },
	{ "column-widths", 'w', required_argument,
	  "columns are as wide as they have to be" },
	{ "percent-limit", 0, required_argument,
	  "all functions have a line, by their samples; pipe it into head" },
	{ "show-total-period", 0, no_argument,
	  "the first line of a table has the events of all samples" },
	{ "symbol-filter", 0, required_argument,
	  "pipe it into grep, or name one function with --symbols" },
	{ "threads", 'T', no_argument, "use --tid=TID for one thread" },
	{ "time", 0, required_argument,
	  "samples of the whole time are summed up; use pfmon script" },
	{ "tui", 0, no_argument,
	  "the report is text; pfmon annotate shows the instructions" },
	{ "vmlinux", 0, required_argument, "use --sysmap-file" },
};

const char report_words_usage[] =
	"      --children        those with most samples in total first\n"
	"      --no-children     leave out TOTAL\n"
	"      --callers[=SYMBOL]\n"
	"                        below each function, or of SYMBOL alone, who called it\n"
	"      --callees[=SYMBOL]\n"
	"                        and whom it called, each with its samples\n"
	"  -b, --branches        the branches before samples, by where they come from and go\n"
	"                        to: share, mispredicted, cycles (pfmon record -b)\n"
	"      --mem[=source|symbol|line|data]\n"
	"                        loads and stores, by where the data were, by function, by\n"
	"                        line of the cache or by variable (pfmon record -d)\n"
	"  -S, --symbols=SYMBOL  only the line of this function\n"
	"  -s, --sort=symbol     what a line is; there is nothing else yet\n";

/* What a row of perf's table is, and what does the same here for one of them. */
static const struct {
	const char *key, *hint; /* NULL: it is so */
} keys[] = {
	{ "symbol", NULL },
	{ "sym", NULL },
	{ "dso", NULL },
	{ "overhead", NULL },
	{ "sample", NULL },
	{ "comm", "use --comm=NAME for one program" },
	{ "pid", "use --pid=PID for one process" },
	{ "tid", "use --tid=TID for one thread" },
	{ "cpu", "pfmon script tells the CPU of each sample" },
	{ "srcline", "use pfmon annotate for lines of the source" },
	{ "srcfile", "use pfmon annotate for lines of the source" },
	{ "parent", "use --callers" },
};

static bool is_key(const char *word, size_t length, const char *key)
{
	return strlen(key) == length && !strncmp(word, key, length);
}

static const char *hint_of(const char *word, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (is_key(word, length, keys[i].key))
			return keys[i].hint;
	return "use --sort=symbol";
}

/* A function and its file are what a line is, whatever their order. */
static int take_sort(const char *list)
{
	bool by_symbol = false;

	for (const char *word = list;; word++) {
		size_t length = strcspn(word, ",");
		const char *hint = hint_of(word, length);

		if (hint)
			return diag("--sort=%s: a line is a function; %s", list,
				    hint);
		by_symbol |= is_key(word, length, "symbol") ||
			     is_key(word, length, "sym");
		word += length;
		if (!*word)
			break;
	}
	return by_symbol ?
		       0 :
		       diag("--sort=%s: a line is a function; use --dso=FILE for one file",
			    list);
}

/* perf takes lists of names here. */
static int take_name(const char **name, const char *option)
{
	if (strchr(optarg, ','))
		return diag("%s=%s: takes one name", option, optarg);
	*name = optarg;
	return 0;
}

static int refuse(int option)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		if (option == OPT_REFUSED + (int)i)
			return diag("--%s: %s", refused[i].name,
				    refused[i].hint);
		if (option == refused[i].letter)
			return diag("-%c: %s", option, refused[i].hint);
	}
	return 0;
}

static int take_calls(struct report_words *words, bool *which)
{
	*which = true;
	if (optarg)
		words->symbol = optarg;
	return 0;
}

static int take_memory(struct report_words *words)
{
	words->memory = memory_by_word(optarg ? optarg : "source");
	return words->memory ?
		       0 :
		       diag("--mem=%s: must be source, symbol, line or data",
			    optarg);
}

static int take(struct view_options *view, int option, void *arg)
{
	struct report_words *words = arg;

	switch (option) {
	case OPT_CHILDREN:
		words->by_total = true;
		return 0;
	case OPT_NO_CHILDREN:
		words->no_total = true;
		return 0;
	case OPT_CALLERS:
		return take_calls(words, &words->callers);
	case OPT_CALLEES:
		return take_calls(words, &words->callees);
	case OPT_BRANCHES:
	case 'b':
		words->branches = true;
		return 0;
	case OPT_MEM:
		return take_memory(words);
	case 'c':
		return take_name(&view->comm, "--comms");
	case 'd':
		return take_name(&view->object, "--dsos");
	case 'S':
		return take_name(&words->symbol, "--symbols");
	case 's':
		return take_sort(optarg);
	case 'g':
		return optarg && !strcmp(optarg, "none") ?
			       0 :
			       diag("-g: use --callers or --callees");
	case OPT_AS_IT_IS:
	case 'f':
	case 'n':
		return 0;
	default:
		return refuse(option);
	}
}

int report_words_parse(struct report_words *words, struct view *view, int argc,
		       char **argv)
{
	static struct option all[ARRAY_SIZE(options) + ARRAY_SIZE(refused)];
	const struct view_words own = { all, letters, take, words };
	size_t count = ARRAY_SIZE(options) - 1;

	memcpy(all, options, sizeof(options));
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		all[count++] = (struct option){
			.name = refused[i].name,
			.has_arg = refused[i].has_arg,
			.val = OPT_REFUSED + (int)i,
		};
	all[count] = (struct option){ 0 };
	*words = (struct report_words){ 0 };
	return view_parse_with(view, argc, argv, &own);
}
