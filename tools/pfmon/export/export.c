// SPDX-License-Identifier: GPL-2.0-only
/* pfmon export: files of samples in the formats of other tools. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "export/formats.h"
#include "views/verbs.h"

static const struct {
	const char *name;
	int (*write)(struct view *view);
	const char *what;
	bool binary; /* not for a terminal */
	bool in_order; /* has each sample, not sums */
} formats[] = {
	{ "callgrind", export_callgrind, "kcachegrind, callgrind_annotate",
	  false, false },
	{ "firefox", export_firefox, "profiler.firefox.com", false, true },
	{ "flame", export_flame, "a flame graph, one file of SVG", false,
	  false },
	{ "folded", export_folded, "lines for flame graphs and speedscope",
	  false, false },
	{ "html", export_html, "a page: flame graph, functions, hot spots",
	  false, false },
	{ "perfdata", export_perfdata, "perf report, hotspot", true, true },
	{ "pprof", export_pprof, "pprof, compressed", true, false },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static void usage(FILE *out)
{
	fputs("usage: pfmon export FORMAT [OPTION...] [FILE]\n"
	      "\n"
	      "Writes the samples of a file of pfmon record for other tools:\n",
	      out);
	for (size_t i = 0; i < FORMATS; i++)
		fprintf(out, "  %-21s %s\n", formats[i].name, formats[i].what);
	fputs("\n", out);
	fputs(view_usage, out);
}

static int find_format(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(formats[i].name, name))
			return (int)i;
	}
	return diag("export %s: not a format; see pfmon export --help", name);
}

int verb_export(int argc, char **argv)
{
	struct view view;
	int format = -1;
	int ret = view_parse(&view, argc, argv);

	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret && (optind == argc || optind < argc - 2))
		ret = diag(
			"export: takes a format and one file; see pfmon export --help");
	if (!ret) {
		format = find_format(argv[optind]);
		ret = format < 0 ? -1 : 0;
	}
	if (!ret && optind < argc - 1)
		view.options.file = argv[optind + 1];
	if (!ret && formats[format].binary && !view.options.output &&
	    isatty(STDOUT_FILENO))
		ret = diag("export %s: is not for a terminal; use -o FILE",
			   formats[format].name);
	if (!ret) {
		view.options.in_order = formats[format].in_order;
		ret = view_open(&view);
	}
	if (!ret)
		ret = formats[format].write(&view);
	if (!ret && format >= 0)
		view_tell_none(&view);
	return view_close(&view, ret);
}
