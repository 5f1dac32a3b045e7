// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program that pfmon executes for the verbs that read files of samples: it has
 * the libraries for symbols, disassembly and compression, which counting would pay
 * for at each start. Its words are those of pfmon, the verb first.
 */
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "views/libraries.h"
#include "views/verbs.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "address", verb_address },	 { "annotate", verb_annotate },
	{ "classic", verb_classic },	 { "diff", verb_diff_samples },
	{ "export", verb_export },	 { "libraries", libraries },
	{ "merge", verb_merge_samples }, { "report", verb_report },
	{ "script", verb_script },	 { "symbols", verb_symbols },
	{ "unwind", verb_unwind },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]);
	     i++) {
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	}
	diag("this program is a part of pfmon; use pfmon report and its like");
	return STATUS_FAILED;
}
