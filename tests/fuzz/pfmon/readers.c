// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon reads from files, of any kind: results, and groups with their
 * expressions. The first byte chooses which.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/tables.h"
#include "metrics/groups.h"
#include "results/compare.h"
#include "results/gather.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_results(const char *text, size_t size)
{
	struct results *files = calloc(2, sizeof(*files));
	struct gathered gathered;
	struct difference difference;
	char missing[64];

	/* Twice the same: its differences are none. */
	if (results_parse(&files[0], "f", text, size) |
	    results_parse(&files[1], "g", text, size)) {
		results_free(&files[0]);
		results_free(&files[1]);
		free(files);
		return;
	}
	for (int i = 0; i < files[0].list[0].event_count; i++) {
		if (compare_event(&files[0], &files[1],
				  &files[0].list[0].events[i], &difference) &&
		    difference.significant)
			abort();
	}
	if (!gather_results(&gathered, files, 2))
		gather_missing(&gathered, missing, sizeof(missing));
	gather_free(&gathered);
}

static void try_group(const char *text)
{
	struct group_choice choice = { .metric_count = 0 };

	if (!groups_parse(&choice, "G", text, NULL) && !choice.events[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int ready;
	char *text;

	if (!ready && tables_init("16,23,1,0"))
		abort();
	ready = 1;
	if (!size)
		return 0;
	text = calloc(1, size);
	memcpy(text, data + 1, size - 1);
	diag_quiet(true);
	if (data[0] & 1)
		try_results(text, size - 1);
	else
		try_group(text);
	diag_quiet(false);
	free(text);
	return 0;
}
