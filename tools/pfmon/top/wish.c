// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon top, see wish.h. */
#include "top/wish.h"

#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "grammar/words.h"

#define INTERVAL_MS 1000
#define COLUMNS_MAX 32

enum { OPT_ALL_USER = 256, OPT_ALL_KERNEL, OPT_BY, OPT_PFMON, OPT_ROWS };

const char *const wish_views[VIEW_COUNT] = {
	[VIEW_EVENTS] = "events",
	[VIEW_CPUS] = "cpus",
	[VIEW_THREADS] = "threads",
	[VIEW_FUNCTIONS] = "functions",
};

static const struct option options[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "all-kernel", no_argument, NULL, OPT_ALL_KERNEL },
	{ "all-user", no_argument, NULL, OPT_ALL_USER },
	{ "batch", no_argument, NULL, 'b' },
	{ "by", required_argument, NULL, OPT_BY },
	{ "count", required_argument, NULL, 'c' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "event", required_argument, NULL, 'e' },
	{ "freq", required_argument, NULL, 'F' },
	{ "help", no_argument, NULL, 'h' },
	{ "interval-print", required_argument, NULL, 'I' },
	{ "pfmon", required_argument, NULL, OPT_PFMON },
	{ "pid", required_argument, NULL, 'p' },
	{ "rows", required_argument, NULL, OPT_ROWS },
	{ "sort", required_argument, NULL, 's' },
	{ "tid", required_argument, NULL, 't' },
	{ "updates", required_argument, NULL, 'n' },
	{ NULL, 0, NULL, 0 },
};

static int take_view(struct wish *wish, const char *name)
{
	for (int i = 0; i < VIEW_COUNT; i++) {
		if (!strcmp(wish_views[i], name)) {
			wish->view = (enum top_view)i;
			return 0;
		}
	}
	return diag("--by=%s: must be events, cpus, threads or functions",
		    name);
}

static int take_column(struct wish *wish, const char *text)
{
	if (words_number(text, "-s", 1, COLUMNS_MAX, &wish->column))
		return -1;
	wish->column--;
	return 0;
}

/* How the tables look. */
static int take_looks(struct wish *wish, int option)
{
	switch (option) {
	case 'b':
		wish->batch = true;
		break;
	case 'h':
		wish->help = true;
		break;
	case 'I':
		return words_number(optarg, "-I", 10, 3600000,
				    &wish->interval_ms);
	case 'n':
		return words_number(optarg, "-n", 1, 1000000, &wish->updates);
	case 's':
		return take_column(wish, optarg);
	case OPT_BY:
		return take_view(wish, optarg);
	case OPT_PFMON:
		wish->pfmon = optarg;
		break;
	case OPT_ROWS:
		return words_number(optarg, "--rows", 1, 1000000, &wish->rows);
	}
	return 0;
}

static int take_option(struct wish *wish, int option)
{
	switch (option) {
	case 'a':
		break;
	case 'c':
		wish->period = optarg;
		break;
	case 'C':
		wish->cpus = optarg;
		break;
	case 'e':
		wish->events = optarg;
		break;
	case 'F':
		wish->hertz = optarg;
		break;
	case 'p':
		wish->processes = optarg;
		break;
	case 't':
		wish->threads = optarg;
		break;
	case OPT_ALL_KERNEL:
		wish->kernel = true;
		break;
	case OPT_ALL_USER:
		wish->user = true;
		break;
	default:
		return take_looks(wish, option);
	}
	return 0;
}

static bool is_attached(const struct wish *wish)
{
	return wish->processes || wish->threads;
}

bool wish_can_show(const struct wish *wish, enum top_view view)
{
	if (view == VIEW_CPUS)
		return !is_attached(wish);
	return view != VIEW_THREADS || is_attached(wish);
}

static int check(const struct wish *wish)
{
	if (is_attached(wish) && wish->cpus)
		return diag("-C and -p or -t: both given; choose one");
	if (!wish_can_show(wish, wish->view))
		return diag(wish->view == VIEW_CPUS ?
				    "--by=cpus: not with -p and -t" :
				    "--by=threads: only with -p or -t");
	/* A key can show functions, but not in a batch. */
	if (wish->batch && wish->view != VIEW_FUNCTIONS &&
	    (wish->period || wish->hertz))
		return diag("%s: of functions; add --by=functions",
			    wish->period ? "-c" : "-F");
	if (!wish->pfmon)
		return diag("this program is a part of pfmon; use pfmon top");
	return 0;
}

int wish_parse(struct wish *wish, int argc, char **argv)
{
	int opt;

	*wish = (struct wish){ .interval_ms = INTERVAL_MS };
	words_begin("top");
	while ((opt = words_next(argc, argv,
				 "+:abc:C:e:F:hI:n:p:s:t:", options)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (take_option(wish, opt))
			return -1;
	}
	if (optind < argc)
		return diag("top: %s: takes no command; see pfmon top --help",
			    argv[optind]);
	return wish->help ? 0 : check(wish);
}

/* A word of the command, and what it is about. */
static void add(char **words, int *count, const char *option, const char *value)
{
	if (!value)
		return;
	words[(*count)++] = (char *)option;
	if (*value)
		words[(*count)++] = (char *)value;
}

char **wish_command(const struct wish *wish, const char *file)
{
	static char *words[WISH_WORDS_MAX];
	static char interval[16];
	int count = 0;

	snprintf(interval, sizeof(interval), "%u", wish->interval_ms);
	add(words, &count, wish->pfmon, file ? "record" : "stat");
	add(words, &count, file ? "--timeout" : "-I", interval);
	add(words, &count, "-o", file ? file : "-");
	add(words, &count, "-e", wish->events);
	add(words, &count, "-p", wish->processes);
	add(words, &count, "-t", wish->threads);
	add(words, &count, "-C", wish->cpus);
	add(words, &count, "-a", is_attached(wish) || wish->cpus ? NULL : "");
	add(words, &count, "--all-user", wish->user ? "" : NULL);
	add(words, &count, "--all-kernel", wish->kernel ? "" : NULL);
	if (file) {
		add(words, &count, "-c", wish->period);
		add(words, &count, "-F", wish->hertz);
	} else {
		add(words, &count, "-j", "");
		add(words, &count, "-A", wish->view == VIEW_CPUS ? "" : NULL);
		add(words, &count, "--per-thread",
		    wish->view == VIEW_THREADS ? "" : NULL);
	}
	words[count] = NULL;
	return words;
}
