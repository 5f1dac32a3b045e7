// SPDX-License-Identifier: GPL-2.0-only
/* What the verbs that read samples share, see view.h. */
#include "views/view.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "grammar/words.h"

enum {
	OPT_COMM = 256,
	OPT_DEBUGINFOD,
	OPT_DSO,
	OPT_INLINE,
	OPT_NO_DEMANGLE,
	OPT_PID,
	OPT_STDIO,
	OPT_SYMBOL_FILE,
	OPT_SYMFS,
	OPT_SYSMAP,
	OPT_TID,
};

/* Room for the options of all verbs and those of one. */
#define OPTIONS_MAX 64

const char view_usage[] =
	"  -i, --input=FILE      the file of samples, default pfmon.data; -: standard input\n"
	"  -o, --output=FILE     write to FILE\n"
	"  -e, --event=EVENT     only samples of EVENT\n"
	"      --comm=NAME       only threads that were called NAME\n"
	"      --pid=PID         only this process\n"
	"      --tid=TID         only this thread\n"
	"      --dso=FILE        only what was mapped of FILE, by its path or last part\n"
	"      --inline          functions that were inlined are functions, too\n"
	"      --no-demangle     names of C++ and Rust as the linker sees them\n"
	"      --symbol-file=ELF symbols of a program or library, by build-id or name\n"
	"      --symfs=DIR       programs and libraries are in DIR, not /\n"
	"      --sysmap-file=MAP symbols of the kernel, default /proc/kallsyms\n"
	"      --debuginfod      ask the servers of DEBUGINFOD_URLS for debug files\n"
	"  -h, --help            print this\n";

static const struct option options[] = {
	{ "comm", required_argument, NULL, OPT_COMM },
	{ "debuginfod", no_argument, NULL, OPT_DEBUGINFOD },
	{ "dso", required_argument, NULL, OPT_DSO },
	{ "event", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ "inline", no_argument, NULL, OPT_INLINE },
	{ "input", required_argument, NULL, 'i' },
	{ "kallsyms", required_argument, NULL, OPT_SYSMAP }, /* perf's */
	{ "no-demangle", no_argument, NULL, OPT_NO_DEMANGLE },
	{ "output", required_argument, NULL, 'o' },
	{ "outfile", required_argument, NULL, 'o' },
	{ "pid", required_argument, NULL, OPT_PID },
	{ "stdio", no_argument, NULL,
	  OPT_STDIO }, /* perf's; it is text anyway */
	{ "symbol-file", required_argument, NULL, OPT_SYMBOL_FILE },
	{ "symfs", required_argument, NULL, OPT_SYMFS },
	{ "sysmap-file", required_argument, NULL, OPT_SYSMAP },
	{ "tid", required_argument, NULL, OPT_TID },
	{ NULL, 0, NULL, 0 },
};

/* 0, or -1 after a message. */
static int take_option(struct view_options *wanted, int option)
{
	switch (option) {
	case 'e':
		wanted->event = optarg;
		break;
	case 'i':
		wanted->file = optarg;
		break;
	case 'o':
		wanted->output = optarg;
		break;
	case OPT_COMM:
		wanted->comm = optarg;
		break;
	case OPT_DEBUGINFOD:
		wanted->images.debuginfod = true;
		break;
	case OPT_DSO:
		wanted->object = optarg;
		break;
	case OPT_INLINE:
		wanted->functions.inlined = true;
		break;
	case OPT_NO_DEMANGLE:
		wanted->functions.no_demangle = true;
		break;
	case OPT_PID:
		return words_number(optarg, "--pid", 1, UINT_MAX, &wanted->pid);
	case OPT_SYMBOL_FILE:
		wanted->images.symbol_file = optarg;
		break;
	case OPT_SYMFS:
		wanted->images.symfs = optarg;
		break;
	case OPT_SYSMAP:
		wanted->images.kallsyms = optarg;
		break;
	case OPT_TID:
		return words_number(optarg, "--tid", 1, UINT_MAX, &wanted->tid);
	}
	return 0;
}

/* The options of all verbs and those that one has beside, which has the last word. */
static void join_options(struct option all[OPTIONS_MAX],
			 const struct view_words *own)
{
	size_t count = sizeof(options) / sizeof(options[0]) - 1;

	memcpy(all, options, sizeof(options));
	for (const struct option *row = own->options; row->name; row++) {
		if (count == OPTIONS_MAX - 1)
			abort();
		all[count++] = *row;
	}
	all[count] = (struct option){ 0 };
}

static bool is_own(const struct view_words *own, int option)
{
	return option >= VIEW_OPT_OWN ||
	       (option < OPT_COMM && strchr(own->letters, option));
}

int view_parse_with(struct view *view, int argc, char **argv,
		    const struct view_words *own)
{
	static struct option all[OPTIONS_MAX];
	char letters[64];
	int opt;

	*view = (struct view){ 0 };
	join_options(all, own);
	snprintf(letters, sizeof(letters), ":e:hi:o:%s", own->letters);
	words_begin(argv[0]);
	while ((opt = words_next(argc, argv, letters, all)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (opt == 'h')
			return 1;
		if (is_own(own, opt) ?
			    own->take(&view->options, opt, own->arg) :
			    take_option(&view->options, opt))
			return -1;
	}
	return 0;
}

int view_parse(struct view *view, int argc, char **argv)
{
	static const struct option none;
	const struct view_words own = { .options = &none, .letters = "" };

	return view_parse_with(view, argc, argv, &own);
}

static int check_event(const struct view *view)
{
	const char *event = view->options.event;
	size_t length = event ? strlen(event) : 0;

	for (unsigned int i = 0; event && i < view->profile.event_count; i++) {
		const char *name = view->profile.events[i].name;

		if (!strncmp(name, event, length) &&
		    (!name[length] || name[length] == ':'))
			return 0;
	}
	return event ? diag("-e %s: not an event of %s", event,
			    view->profile.name) :
		       0;
}

int view_open(struct view *view)
{
	const struct view_options *wanted = &view->options;
	const struct destination destination = {
		.file = wanted->output,
		.fd = -1,
	};

	const char *file = wanted->file ? wanted->file : VIEW_FILE;

	if ((wanted->in_order ? profile_read(&view->profile, file) :
				profile_scan(&view->profile, file)) ||
	    check_event(view))
		return -1;
	view->images = images_new(&view->profile, &wanted->images);
	if (!view->images)
		return -1;
	view->functions =
		functions_new(&view->profile, view->images, &wanted->functions);
	if (!view->functions)
		return -1;
	return output_open(&view->output, &destination);
}

int view_close(struct view *view, int ret)
{
	if (view->output.stream && output_close(&view->output, !ret))
		ret = -1;
	functions_free(view->functions);
	images_free(view->images);
	profile_free(&view->profile);
	return ret ? STATUS_FAILED : 0;
}

int view_take_file(struct view *view, const char *verb, int argc, char **argv)
{
	if (optind < argc - 1)
		return diag("%s: takes one file; see pfmon %s --help", verb,
			    verb);
	if (optind < argc)
		view->options.file = argv[optind];
	return 0;
}

int view_run(const char *verb, int argc, char **argv, void (*usage)(FILE *out),
	     int (*print)(struct view *view))
{
	struct view view;
	int ret = view_parse(&view, argc, argv);

	view.options.in_order = true;
	if (ret > 0) {
		usage(stdout);
		return 0;
	}
	if (!ret)
		ret = view_take_file(&view, verb, argc, argv);
	if (!ret)
		ret = view_open(&view);
	if (!ret)
		ret = print(&view);
	return view_close(&view, ret);
}

static bool is_event(const struct view *view,
		     const struct profile_sample *sample)
{
	const char *event = view->options.event;
	const char *name = view->profile.events[sample->event].name;
	size_t length = event ? strlen(event) : 0;

	return !event || (!strncmp(name, event, length) &&
			  (!name[length] || name[length] == ':'));
}

static bool is_object(const struct view *view, const struct place *place)
{
	const char *object = view->options.object;

	return !object ||
	       (place->image && (!strcmp(place->image->path, object) ||
				 !strcmp(image_base(place->image), object)));
}

int view_next(struct view *view, const struct profile_sample **sample,
	      const struct place **place)
{
	const struct view_options *wanted = &view->options;

	int ret;

	while ((ret = profile_next(&view->profile, sample)) > 0) {
		if ((wanted->pid && (*sample)->tgid != wanted->pid) ||
		    (wanted->tid && (*sample)->tid != wanted->tid) ||
		    !is_event(view, *sample))
			continue;
		if (wanted->comm &&
		    strcmp(functions_comm(view->functions, *sample),
			   wanted->comm) != 0)
			continue;
		*place = functions_at(view->functions, *sample);
		if (!*place)
			return -1;
		if (is_object(view, *place)) {
			view->found = true;
			return 1;
		}
	}
	return ret;
}

void view_tell_none(const struct view *view)
{
	const struct view_options *wanted = &view->options;
	const char *name = view->profile.name;

	if (view->found)
		return;
	/* Of one that breaks off something was said already. */
	if (!view->profile.sample_total && !view->profile.complete)
		return;
	if (!view->profile.sample_total)
		diag("note: %s: has no samples", name);
	else if (wanted->comm)
		diag("note: %s: no sample is of a thread called %s", name,
		     wanted->comm);
	else if (wanted->object)
		diag("note: %s: no sample is in %s", name, wanted->object);
	else
		diag("note: %s: no sample is what was asked for", name);
}

int view_rewind(struct view *view)
{
	return profile_rewind(&view->profile);
}

char *view_losses(const struct view *view, char *text, size_t size)
{
	struct profile_losses sum = profile_losses(&view->profile);
	size_t used = 0;

	*text = '\0';
	if (sum.lost)
		used += (size_t)snprintf(text, size,
					 "%" PRIu64 " samples were lost; ",
					 sum.lost);
	if (sum.blind_ns && used < size)
		used += (size_t)snprintf(text + used, size - used,
					 "nothing was sampled for %" PRIu64
					 ".%06" PRIu64 " ms at least; ",
					 sum.blind_ns / 1000000,
					 sum.blind_ns % 1000000);
	if (sum.throttled_ns && used < size)
		used += (size_t)snprintf(text + used, size - used,
					 "throttled for %" PRIu64 ".%06" PRIu64
					 " ms; ",
					 sum.throttled_ns / 1000000,
					 sum.throttled_ns % 1000000);
	if (!view->profile.complete && used < size)
		used += (size_t)snprintf(text + used, size - used,
					 "the file breaks off; ");
	if (used > 2 && used < size)
		text[used - 2] = '\0';
	return text;
}
