// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines of any kind: the first byte chooses the grammar, words end at line
 * feeds. None may do harm, and one that is accepted has what its request needs. What
 * pfmon top makes of its own is a command line of pfmon again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "grammar/options.h"
#include "grammar/record.h"
#include "grammar/stat.h"
#include "top/wish.h"

#define WORDS_MAX 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void check_request(const struct request *request)
{
	expect(request->levels, "a request without a level");
	expect(request->command || request->processes || request->threads ||
		       request->system_wide,
	       "a request without a target");
	expect(!request->interval_ns || request->repeat == 1,
	       "intervals of repeated commands");
}

static void try_classic(int argc, char **argv)
{
	static struct options opts;

	if (!options_parse(&opts, argc, argv) && opts.action == ACTION_COUNT &&
	    !opts.request.check_only)
		check_request(&opts.request);
	if (opts.request.follow.only)
		regfree(&opts.only);
	if (opts.request.follow.except)
		regfree(&opts.except);
}

static void try_stat(int argc, char **argv)
{
	static struct stat_options opts;

	if (!stat_parse(&opts, argc, argv) && !opts.help)
		check_request(&opts.request);
}

static void try_record(int argc, char **argv)
{
	static struct record_options opts;

	if (record_parse(&opts, argc, argv) || opts.help)
		return;
	check_request(&opts.request);
	expect(opts.request.samples.wanted, "a record without samples");
	expect(opts.request.destination.file != NULL,
	       "a record without a file");
}

static void try_top(int argc, char **argv)
{
	struct wish wish;

	if (wish_parse(&wish, argc, argv) || wish.help)
		return;
	for (int view = 0; view < VIEW_COUNT; view++) {
		wish.view = (enum top_view)view;
		if (wish_can_show(&wish, wish.view))
			expect(*wish_command(&wish, "f") != NULL,
			       "a table that nobody counts for");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const grammars[])(int, char **) = { try_classic, try_stat,
							  try_record, try_top };
	char *argv[WORDS_MAX + 1], *text, *word;
	int argc = 1;

	if (!size || size > 4096)
		return 0;
	text = calloc(1, size);
	memcpy(text, data + 1, size - 1);
	argv[0] = (char *)"pfmon";
	for (word = strtok(text, "\n"); word && argc < WORDS_MAX;
	     word = strtok(NULL, "\n"))
		argv[argc++] = word;
	argv[argc] = NULL;
	/* What it would say is of no interest. */
	diag_quiet(true);
	grammars[data[0] % 4](argc, argv);
	diag_quiet(false);
	free(text);
	return 0;
}
